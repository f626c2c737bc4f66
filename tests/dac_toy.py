"""Tiny modified DACs for training tests."""

from __future__ import annotations

from typing import Any

from lungfish.codec.config import CodecConfig, TransformerConfig

TINY_DAC = CodecConfig(
    sample_rate=22_050,
    encoder_dim=4,
    encoder_strides=(4, 8, 8),
    latent_dim=32,
    encoder_transformer_stage=2,
    encoder_transformer=TransformerConfig(1, 32, 2, 16, 48, window=16),
    codebook_dim=4,
    semantic_codebook_size=32,
    num_residual_codebooks=3,
    residual_codebook_size=16,
    quantizer_transformer=TransformerConfig(1, 32, 2, 16, 48, window=6),
    decoder_dim=32,
    decoder_strides=(8, 8, 4),
)
"""21.5 frames a second, for the toy corpus (speech_toy.py)."""

SMALLEST_DAC = CodecConfig(
    sample_rate=1000,
    encoder_dim=4,
    encoder_strides=(2, 2),
    latent_dim=16,
    encoder_transformer_stage=1,
    encoder_transformer=TransformerConfig(1, 16, 2, 8, 24, window=6),
    downsample_factors=(2,),
    codebook_dim=3,
    semantic_codebook_size=12,
    num_residual_codebooks=3,
    residual_codebook_size=8,
    quantizer_transformer=TransformerConfig(2, 16, 2, 8, 24, window=4),
    decoder_dim=16,
    decoder_strides=(2, 2),
)
"""8 samples a frame."""


def dac_run(**changes: Any) -> dict[str, Any]:
    """Fields of a `CodecTrainingConfig` of a short run with adversaries; `output` and `pack` are missing."""
    values: dict[str, Any] = {
        "model": TINY_DAC.to_dict(),
        "max_steps": 6,
        "warmup_steps": 2,
        "learning_rate": 1e-3,
        "clips_per_batch": 2,
        "clip_frames": 12,
        "reconstruction": "mel",
        "quantizer_dropout": 0.5,
        "checkpointing": True,
        "average_decay": 0.9,
        "adversaries": {
            "periods": (2,),
            "period_channels": (2, 2),
            "windows": (128,),
            "bands": ((0.0, 1.0),),
            "band_channels": 2,
        },
        "log_every": 2,
        "validate_every": 6,
        "save_every": 3,
        "accelerator": "cpu",
    }
    return values | changes
