import copy
import json
from pathlib import Path

import pytest

from lungfish.codec.config import CodecConfig
from lungfish.errors import ConfigError

GOLDEN = Path(__file__).parents[2] / "golden" / "codec"


@pytest.fixture
def raw() -> dict:
    return json.loads((GOLDEN / "config.json").read_text())


def test_reads_the_bundle_form(raw):
    config = CodecConfig.from_dict(raw)
    assert config.hop_length == 2048
    assert config.encoder_hop == 512
    assert config.codebook_sizes == [4096] + [1024] * 9
    assert config.encoder_transformer.window == 48
    assert config.quantizer_transformer.window == 16
    assert config.quantizer_transformer.head_dim == 32


def test_dict_round_trip(raw):
    for config in (CodecConfig.s2(), CodecConfig.from_dict(raw)):
        assert CodecConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


def test_full_size_geometry():
    config = CodecConfig.s2()
    assert (config.sample_rate, config.hop_length, len(config.codebook_sizes)) == (44_100, 2048, 10)
    assert config.encoder_transformer.window == 512
    assert config.quantizer_transformer.window == 128


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("encoder", "stride"), [2], "unknown keys stride"),
        (("quantizer", "transformer", "windows"), 16, "unknown keys windows"),
        (("encoder", "base_channels"), "4", "must be a whole number"),
        (("encoder", "base_channels"), True, "must be a whole number"),
        (("decoder", "strides"), 8, "list of whole numbers"),
        (("decoder", "strides"), [8, 8, 4, 4], "same product"),
        (("decoder", "channels"), 60, "cannot be halved"),
        (("quantizer", "dim"), 65, "must equal"),
        (("quantizer", "n_residual_codebooks"), 0, "at least 1"),
        (("encoder", "transformer", "after_stage"), 4, "no stage 4"),
        (("encoder", "transformer", "after_stage"), 2, "must be 32 wide"),
        (("encoder", "transformer", "head_dim"), 63, "even"),
        (("encoder", "transformer", "norm_eps"), "1e-5", "must be a number"),
        (("frame_length",), 1024, "multiply to 2048"),
        (("encoder",), None, "section"),
        (("type",), "mystery", "mystery"),
    ],
)
def test_mistakes_are_named(raw, path, value, message):
    changed = copy.deepcopy(raw)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(ConfigError, match=message):
        CodecConfig.from_dict(changed)


def test_a_missing_key_is_named(raw):
    del raw["quantizer"]["codebook_dim"]
    with pytest.raises(ConfigError, match="quantizer lacks codebook_dim"):
        CodecConfig.from_dict(raw)


def test_notes_beside_the_sections_are_ignored(raw):
    assert CodecConfig.from_dict({**raw, "licence": {"id": "x"}}) == CodecConfig.from_dict(raw)
