"""Config of a short codec run on the toy corpus (speech_toy.py)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lungfish.training.codec_config import CodecTrainingConfig
from speech_toy import TINY_CODEC

ADVERSARIES = {
    "periods": (2, 3),
    "period_channels": (4, 4, 8),
    "windows": (256,),
    "bands": ((0.0, 0.25), (0.25, 1.0)),
    "band_channels": 4,
}
"""DiscriminatorConfig fields."""


def config(pack: Path, output: Path, **changes: Any) -> CodecTrainingConfig:
    """A run of 12 steps without adversaries."""
    values: dict[str, Any] = {
        "output": output,
        "pack": pack,
        "model": TINY_CODEC,
        "max_steps": 12,
        "warmup_steps": 2,
        "learning_rate": 2e-3,
        "gradient_clip": 5.0,
        "clips_per_batch": 2,
        "crop_frames": 6,
        "log_every": 4,
        "validate_every": 12,
        "save_every": 6,
        "accelerator": "cpu",
    }
    return CodecTrainingConfig(**{**values, **changes})
