"""Tiny language models with random weights large enough that everything fed to them matters."""

from __future__ import annotations

from typing import Any

import torch

from lungfish.lm.config import DualARConfig
from lungfish.lm.model import DualAR
from lungfish.lm.prompt import Prompt

SEMANTIC_BEGIN = 40
CODES = 24
BOOKS = 4


def small_config(**changes: Any) -> DualARConfig:
    """40 text tokens, then 24 semantic ones; id 3 ends an utterance. `changes` override."""
    values: dict[str, Any] = {
        "vocab_size": 70,
        "dim": 24,
        "num_layers": 2,
        "num_heads": 4,
        "num_kv_heads": 2,
        "head_dim": 8,
        "ffn_dim": 32,
        "qk_norm": True,
        "max_seq_len": 128,
        "codebook_size": CODES,
        "num_codebooks": BOOKS,
        "semantic_begin_id": SEMANTIC_BEGIN,
        "semantic_end_id": SEMANTIC_BEGIN + CODES - 1,
        "im_end_id": 3,
        "fast_dim": 16,
        "fast_num_layers": 2,
        "fast_num_heads": 2,
        "fast_num_kv_heads": 1,
        "fast_head_dim": 8,
        "fast_ffn_dim": 24,
        "initializer_range": 0.4,
    }
    return DualARConfig(**values | changes)


def small_model(seed: int = 0, **changes: Any) -> DualAR:
    """In eval mode, without gradients; the end is unlikely."""
    torch.manual_seed(seed)
    model = DualAR(small_config(**changes)).eval().requires_grad_(False)
    if model.config.tie_word_embeddings:
        model.slow.embeddings.weight[model.config.im_end_id] = 0
    return model


def columns(length: int, seed: int = 0, batch: int = 1, config: DualARConfig | None = None) -> torch.Tensor:
    """Random columns [batch, 1 + K, length]: text in the first half, frames in the second."""
    config = config or small_config()
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(config.codebook_size, (batch, 1 + config.num_codebooks, length), generator=generator)
    ids[:, 0] = ids[:, 1] + config.semantic_begin_id
    half = length // 2
    ids[:, 0, :half] = torch.randint(4, config.semantic_begin_id, (batch, half), generator=generator)
    ids[:, 1:, :half] = 0
    return ids


def small_prompt(length: int = 12, seed: int = 0, config: DualARConfig | None = None) -> Prompt:
    return Prompt(columns(length, seed, config=config)[0], torch.arange(length))
