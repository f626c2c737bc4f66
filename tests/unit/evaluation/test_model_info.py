from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch

from lungfish.checkpoint.source import open_source
from lungfish.codec.config import CodecConfig
from lungfish.errors import CheckpointError
from lungfish.evaluation.model_info import CODEC_CHUNK_FRAMES, codec_cost, cost_table, model_info
from tests.toy import toy_codec, write_toy_checkpoint

GOLDEN = Path(__file__).parents[2] / "golden"


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_toy_checkpoint(tmp_path_factory.mktemp("toy") / "voice")


def test_memory_plan(toy: Path) -> None:
    info = model_info(open_source(str(toy)), "cpu", "bfloat16")
    assert info.dtype == torch.bfloat16
    language_model, codec = info.inspection.parts
    assert info.memory.language_model == 2 * language_model.total
    assert info.memory.codec == 4 * codec.total
    assert info.memory.kv_per_token == 2 * 2 * 1 * 16 * 2  # keys and values, layers, KV heads, width, bytes
    assert info.memory.kv_at_most == 512 * info.memory.kv_per_token
    assert info.memory.total == info.memory.language_model + info.memory.codec + info.memory.kv_at_most
    assert info.frame_rate == 31.25
    wide = model_info(open_source(str(toy)), "cpu", "float32").memory
    assert (wide.language_model, wide.codec) == (2 * info.memory.language_model, info.memory.codec)


def test_cost_of_the_ways_to_compute_it(toy: Path) -> None:
    info = model_info(open_source(str(toy)), "cpu")
    rows = {row.name: row.cost for row in cost_table(info, context=100)}
    assert rows["reference"].weights > rows["here"].weights
    assert rows["here, flattened"].parts["slow"].weights == 4 * rows["here"].parts["slow"].weights
    assert rows["here, at 86.13 Hz"].rtf(10) > rows["here"].rtf(10) > rows["here, at 12.5 Hz"].rtf(10)
    longer = {row.name: row.cost for row in cost_table(info, context=200)}
    assert longer["here"].bytes_per_frame() > rows["here"].bytes_per_frame()


def test_decoding_reads_the_decoding_half() -> None:
    released = codec_cost(CodecConfig.s2())
    assert 180e6 < released.weights * CODEC_CHUNK_FRAMES < 188e6  # "about 184 M"
    assert released.kv_bytes * CODEC_CHUNK_FRAMES == 2 * 8 * 16 * 64 * 128 * 4
    toy = toy_codec()
    decoding = sum(p.numel() for n, p in toy.named_parameters() if n.startswith("decoder.") or ".out_proj." in n)
    assert codec_cost(toy.config).weights == decoding // CODEC_CHUNK_FRAMES


def test_without_a_codec_or_a_model(toy: Path, tmp_path: Path) -> None:
    info = model_info(open_source(str(GOLDEN / "lm" / "s2_tiny")), "cpu")
    assert info.codec_config is None
    assert info.memory.codec == 0
    assert "codec" not in cost_table(info)[0].cost.parts
    with pytest.raises(CheckpointError, match="no language model"):
        model_info(open_source(str(GOLDEN / "codec")), "cpu")


def test_the_licence_of_the_folder(toy: Path, tmp_path: Path) -> None:
    assert model_info(open_source(str(toy)), "cpu").licence is None
    folder = Path(shutil.copytree(toy, tmp_path / "copy"))
    (folder / "LICENSE").write_text("Fish Audio Research License\n\nLast updated: 7 March 2026\n")
    licence = model_info(open_source(str(folder)), "cpu").licence
    assert licence is not None
    assert licence.attribution == "Built with Fish Audio"
    json.dumps(licence.to_dict())
