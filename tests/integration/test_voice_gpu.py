"""Dry run on a CPU of what trains the voice on a lent GPU: pack, train from scratch, join, and go on from there."""

import subprocess
import sys

import pytest
import torch

pytest.importorskip("lightning", reason="training needs the extra `train`")

from lungfish.errors import DataError
from lungfish.training import voice_gpu
from speech_toy import TINY_CODEC, make_toy_pack

CODEC = {
    "model": TINY_CODEC,
    "max_steps": 6,
    "warmup_steps": 2,
    "clips_per_batch": 4,
    "crop_frames": 6,
    "threads": 1,
}
LM = {
    "codebook_sizes": (32, 16),
    "audio_start": 96,
    "model": {"dim": 32, "num_layers": 2, "num_heads": 2, "num_kv_heads": 2, "head_dim": 16, "ffn_dim": 32}
    | {"fast_dim": 16, "fast_num_layers": 1, "fast_num_heads": 1, "fast_num_kv_heads": 1, "fast_head_dim": 16}
    | {"fast_ffn_dim": 32},
    "guide_layers": (1,),
    "max_steps": 6,
    "warmup_steps": 2,
    "tokens_per_batch": 300,
    "threads": 1,
}


def test_pack_train_join_and_resume(tmp_path):
    work = tmp_path / "voice"
    make_toy_pack(work, count=40)
    voice_gpu.pack(work, tmp_path / "data.tar", max_mb=5)
    assert (tmp_path / "data.tar").stat().st_size < 6e6
    out = tmp_path / "out"
    voice_gpu.train(tmp_path / "data.tar", out, minutes=5, accelerator="cpu", codec_changes=CODEC, lm_changes=LM)
    assert {p.name for p in out.iterdir()} >= {"codec-00.safetensors", "lm-00.safetensors", "lm-metrics.jsonl"}
    voice_gpu.join(out, work)
    for name in ("codec", "lm"):
        (work / name / "checkpoints").mkdir(parents=True)
        (work / f"gpu-{name}.ckpt").rename(work / name / "checkpoints" / "last.ckpt")
    voice_gpu.pack(work, tmp_path / "again.tar", max_mb=5)
    changes = {**LM, "max_steps": 2}
    voice_gpu.train(tmp_path / "again.tar", tmp_path / "more", 5, "cpu", {**CODEC, "max_steps": 2}, changes)
    first, more = voice_gpu.read_shards(out, "codec"), voice_gpu.read_shards(tmp_path / "more", "codec")
    moved = {key for key in first if not torch.equal(first[key], more[key])}
    assert moved
    assert all(key.startswith("codec.decoder.") for key in moved)


def test_shards_stay_small_and_come_back_whole(tmp_path):
    state = {f"t{i}": torch.randn(1000 + i) for i in range(20)} | {"count": torch.tensor(7)}
    paths = voice_gpu.write_shards(state, tmp_path, "x", limit=16_384)
    assert len(paths) > 2
    assert all(path.stat().st_size <= 16_384 for path in paths)
    back = voice_gpu.read_shards(tmp_path, "x")
    assert back["count"] == 7
    for key, value in state.items():
        assert torch.allclose(back[key].float(), value.float(), atol=2e-3)
    with pytest.raises(DataError, match="lm-00"):
        voice_gpu.read_shards(tmp_path, "lm")


def test_nothing_that_trains_there_imports_an_audio_library():
    code = (
        "import sys; import lungfish.training.voice_gpu; "
        "found = {'soundfile', 'soxr', 'av'} & set(sys.modules); sys.exit(', '.join(found) or 0)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
