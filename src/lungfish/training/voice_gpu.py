"""Train the bundled voice on a machine with a GPU and no network: one file in, small shards out, then resume.

    python -m lungfish.training.voice_gpu pack DATA.tar [--max-mb 40]        here: audio, codes and both runs in one file
    python -m lungfish.training.voice_gpu train DATA.tar OUT [--minutes 7]   there: decoder, then language model
    python -m lungfish.training.voice_gpu join OUT                           here: shards back into the cache's runs

Imports no audio library: audio travels as mu-law bytes, codes as packed shards. What comes back are the weights in
float16, split into files of at most 15 MiB; optimiser states stay behind and start anew. A run without a codec trains that
first, from scratch, and encodes the travelled audio.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tarfile
import tempfile
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from lungfish.config.env import cache_dir
from lungfish.data.audio_pack import AudioPack, copy_as_mulaw
from lungfish.errors import DataError
from lungfish.training.codec import CodecRecipe, CodecTrainingConfig
from lungfish.training.lm import LMRecipe, LMTrainingConfig
from lungfish.training.prepare_codes import encode_new_clips
from lungfish.training.run import fit

SHARD_BYTES = 15 * 2**20
_RUNS = ("codec", "decoder", "lm")
_CODEC_SHARE = 0.35  # of the minutes, when there is a codec to train


def pack(work: Path, archive: Path, max_mb: float) -> None:
    """Put audio (as much as fits), codes and the last checkpoints' weights of `work` into `archive`.

    Args:
        work: the voice's folder in the cache: pack, codes, codec, decoder, lm.
        archive: a tar file; replaced whole.
        max_mb: for the audio.
    """
    with tempfile.TemporaryDirectory(dir=archive.parent) as scratch:
        root = Path(scratch) / "voice"
        copy_as_mulaw(AudioPack(work / "pack"), root / "pack", int(max_mb * 1e6))
        if (work / "codes").is_dir():
            shutil.copytree(work / "codes", root / "codes")
        for run in _RUNS:
            checkpoint = work / run / "checkpoints" / "last.ckpt"
            if checkpoint.is_file():
                state = torch.load(checkpoint, map_location="cpu", weights_only=False)["state_dict"]
                half = {k: v.half() if v.is_floating_point() else v for k, v in state.items()}
                torch.save({"state_dict": half}, root / f"{run}.ckpt")
        part = Path(scratch) / "part.tar"
        with tarfile.open(part, "w") as tar:
            tar.add(root, "voice")
        part.replace(archive)


def write_shards(state: dict[str, torch.Tensor], folder: Path, name: str, limit: int = SHARD_BYTES) -> list[Path]:
    """Save tensors as float16 in files `name-00.safetensors`... of at most `limit` bytes (one tensor may be more)."""
    shards: list[dict[str, torch.Tensor]] = [{}]
    used = 0
    for key, value in state.items():
        tensor = (value.half() if value.is_floating_point() else value).contiguous().cpu()
        size = tensor.numel() * tensor.element_size() + 256
        if used + size > limit - 4096 and shards[-1]:
            shards.append({})
            used = 0
        shards[-1][key] = tensor
        used += size
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}-{number:02d}.safetensors" for number in range(len(shards))]
    for path, shard in zip(paths, shards, strict=True):
        save_file(shard, path)
    return paths


def read_shards(folder: Path, name: str) -> dict[str, torch.Tensor]:
    """Inverse of `write_shards`, in float32.

    Raises:
        DataError: no such shards.
    """
    paths = sorted(folder.glob(f"{name}-??.safetensors"))
    if not paths:
        raise DataError(f"{folder} has no {name}-00.safetensors; give the folder that the training wrote")
    merged = {key: value for path in paths for key, value in load_file(path).items()}
    return {key: value.float() if value.is_floating_point() else value for key, value in merged.items()}


def train(
    archive: Path,
    output: Path,
    minutes: float,
    accelerator: str = "auto",
    codec_changes: dict | None = None,
    lm_changes: dict | None = None,
) -> None:
    """Unpack, train codec or decoder, then the language model; write shards and metrics into `output`.

    Args:
        archive: made by `pack`.
        output: folder for shards (`codec-*.safetensors`, `lm-*.safetensors`) and metrics.
        minutes: wall time for all training.
        accelerator: as in a training config.
        codec_changes, lm_changes: fields over the defaults below, for other sizes.
    """
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        with tarfile.open(archive) as tar:
            tar.extractall(scratch, filter="data")
        root = Path(scratch) / "voice"
        known = next((root / f"{run}.ckpt" for run in ("decoder", "codec") if (root / f"{run}.ckpt").is_file()), None)
        codec_config = CodecTrainingConfig(
            **{
                "output": root / "codec-run",
                "pack": root / "pack",
                "train": "decoder" if known else "all",
                "start_from": known,
                "max_steps": 100_000,
                "max_minutes": minutes * _CODEC_SHARE,
                "learning_rate": 8e-4,
                "gradient_clip": 5.0,
                "clips_per_batch": 16,
                "threads": 0,
                "accelerator": accelerator,
                **(codec_changes or {}),
            }
        )
        codec = CodecRecipe(codec_config)
        fit(codec, codec_config)
        write_shards(codec.state_dict(), output, "codec")
        if not (root / "codes").is_dir():
            encode_new_clips(codec, root / "codes")
        start = root / "lm.ckpt"
        lm_config = LMTrainingConfig(
            **{
                "output": root / "lm-run",
                "codes": root / "codes",
                "start_from": start if start.is_file() else None,
                "max_steps": 1_000_000,
                "max_minutes": minutes * (1 - _CODEC_SHARE),
                "learning_rate": 1.5e-3,
                "schedule": "hold",
                "tokens_per_batch": 16_000,
                "threads": 0,
                "accelerator": accelerator,
                **(lm_changes or {}),
            }
        )
        language_model = LMRecipe(lm_config)
        fit(language_model, lm_config)
        write_shards(language_model.state_dict(), output, "lm")
        for run, config in (("codec", codec_config), ("lm", lm_config)):
            shutil.copyfile(config.output / "metrics.jsonl", output / f"{run}-metrics.jsonl")


def join(output: Path, work: Path) -> None:
    """Put the shards of `output` where the next runs start from: `work/gpu-{codec,lm}.ckpt`."""
    for name in ("codec", "lm"):
        torch.save({"state_dict": read_shards(output, name)}, work / f"gpu-{name}.ckpt")
        print(f"{work / f'gpu-{name}.ckpt'}: start a run from it with start_from={work / f'gpu-{name}.ckpt'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    packing = verbs.add_parser("pack")
    packing.add_argument("archive", type=Path)
    packing.add_argument("--max-mb", type=float, default=30)
    training = verbs.add_parser("train")
    training.add_argument("archive", type=Path)
    training.add_argument("output", type=Path)
    training.add_argument("--minutes", type=float, default=7)
    training.add_argument("--accelerator", default="auto")
    training.add_argument("--codec", type=json.loads, default={}, help="JSON over the codec's training config")
    training.add_argument("--lm", type=json.loads, default={}, help="JSON over the language model's training config")
    joining = verbs.add_parser("join")
    joining.add_argument("output", type=Path)
    args = parser.parse_args()
    work = cache_dir() / "voice"
    if args.verb == "pack":
        pack(work, args.archive, args.max_mb)
        print(f"{args.archive}: {args.archive.stat().st_size / 1e6:.1f} MB")
    elif args.verb == "train":
        train(args.archive, args.output, args.minutes, args.accelerator, args.codec, args.lm)
    else:
        join(args.output, work)


if __name__ == "__main__":
    main()
