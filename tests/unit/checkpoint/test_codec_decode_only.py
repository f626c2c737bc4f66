"""Loading the decoding side alone, both codecs."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from lungfish.checkpoint.codec import load_codec, save_codec
from lungfish.checkpoint.codec_keys import is_encode_only
from lungfish.codec.dac import ModifiedDAC
from lungfish.codec.protocol import Codec
from lungfish.codec.spectral import SpectralCodec
from lungfish.errors import ConfigError, InputError, PartError, WeightsError
from tests.toy import toy_codec

GOLDEN = Path(__file__).parents[2] / "golden" / "codec"


@pytest.fixture(params=["golden", "pth", "spectral"])
def folder(request, tmp_path) -> Path:
    if request.param == "golden":
        return GOLDEN
    if request.param == "pth":  # released spelling, with saved tables, wrapped
        (tmp_path / "config.json").write_bytes((GOLDEN / "config.json").read_bytes())
        torch.save({"state_dict": load_file(GOLDEN / "codec.safetensors")}, tmp_path / "codec.pth")
    else:
        save_codec(toy_codec(), tmp_path)
    return tmp_path


def parameters(codec: Codec) -> set[str]:
    assert isinstance(codec, torch.nn.Module)
    return set(codec.state_dict())


def test_decodes_the_same_without_the_encoding_side(folder):
    whole, half = load_codec(folder, device="cpu"), load_codec(folder, device="cpu", part="decode")
    assert isinstance(half, Codec)
    assert whole.can_encode
    assert not half.can_encode
    assert parameters(half) == {name for name in parameters(whole) if not is_encode_only(name)}
    assert len(parameters(half)) < len(parameters(whole))
    codes = torch.randint(0, min(whole.codebook_sizes), (2, whole.num_codebooks, 5))
    assert torch.equal(half.decode(codes), whole.decode(codes))
    states = half.new_decode_state(2), whole.new_decode_state(2)
    assert torch.equal(half.decode_step(codes, states[0]), whole.decode_step(codes, states[1]))


def test_encoding_on_it_is_refused_by_name(folder):
    whole, half = load_codec(folder, device="cpu"), load_codec(folder, device="cpu", part="decode")
    waveform = torch.zeros(1, 1, 100)
    for call in (
        lambda: half.encode(waveform),
        half.new_encode_state,
        lambda: half.encode_step(waveform, whole.new_encode_state()),
        lambda: half.encode_flush(whole.new_encode_state()),
    ):
        with pytest.raises(PartError, match="decoding only"):
            call()
    assert issubclass(PartError, InputError)


def test_it_cannot_be_saved(folder, tmp_path):
    with pytest.raises(PartError, match="cannot be saved"):
        save_codec(load_codec(folder, device="cpu", part="decode"), tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_dropping_twice_does_nothing():
    for codec in (toy_codec(), load_codec(GOLDEN, device="cpu")):
        assert isinstance(codec, ModifiedDAC | SpectralCodec)
        codec.drop_encoder()
        left = parameters(codec)
        codec.drop_encoder()
        assert parameters(codec) == left


def test_a_file_without_the_encoding_side_will_do(tmp_path):
    (tmp_path / "config.json").write_bytes((GOLDEN / "config.json").read_bytes())
    stored = load_file(GOLDEN / "codec.safetensors")
    kept = {name: tensor for name, tensor in stored.items() if not is_encode_only(name)}
    save_file(kept, tmp_path / "codec.safetensors")
    codes = torch.randint(0, 1024, (1, 10, 2))
    half = load_codec(tmp_path, device="cpu", part="decode")
    assert torch.equal(half.decode(codes), load_codec(GOLDEN, device="cpu").decode(codes))
    with pytest.raises(WeightsError, match="missing"):
        load_codec(tmp_path, device="cpu")


def test_the_rest_is_as_strict_as_ever(tmp_path):
    (tmp_path / "config.json").write_bytes((GOLDEN / "config.json").read_bytes())
    stored = load_file(GOLDEN / "codec.safetensors")
    del stored["decoder.model.6.conv.bias"]
    stored["decoder.model.9.bias"] = torch.ones(1)
    save_file(stored, tmp_path / "codec.safetensors")
    with pytest.raises(WeightsError, match=r"1 missing \(decoder.model.6.conv.bias\); 1 unexpected"):
        load_codec(tmp_path, device="cpu", part="decode")


def test_other_parts_do_not_exist():
    with pytest.raises(ConfigError, match="part must be"):
        load_codec(GOLDEN, device="cpu", part="encode")  # type: ignore[arg-type]
