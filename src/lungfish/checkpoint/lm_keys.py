"""Names of language-model tensors: released S2 files and flat files on one side, our modules on the other.

    S2 on disk                              flat                        ours
    text_model.model.X                      X                           slow.X
    text_model.lm_head.weight               output.weight               slow.output.weight
    audio_decoder.codebook_embeddings.X     codebook_embeddings.X       slow.codebook_embeddings.X
    audio_decoder.X                         fast_X                      fast.X

Source: spec/lm.md 2.1, 2.2. We differ: the untied head is mapped, prefixes are removed at the front of a name only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor

from lungfish.errors import WeightsError

_SLOW, _FAST = "text_model.model.", "audio_decoder."
_SLOW_HEAD, _HEAD = "text_model.lm_head.weight", "slow.output.weight"
_TABLE = "codebook_embeddings."
_SKIPPED_S2 = ("audio_encoder.",)  # hears audio; not part of the text-to-codes model
_SKIPPED_FLAT = ("audio_",)
_SAVED_CACHES = (".kv_cache.k_cache", ".kv_cache.v_cache")


def to_ours(stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Tensors under our names; names that nobody knows keep theirs, for the strict check to refuse."""
    if any(name.startswith((_SLOW, _FAST, "text_model.")) for name in stored):
        return {_from_s2(name): tensor for name, tensor in stored.items() if not name.startswith(_SKIPPED_S2)}
    kept = {
        name: tensor
        for name, tensor in stored.items()
        if not name.endswith(_SAVED_CACHES) and not name.startswith(_SKIPPED_FLAT)
    }
    return {_from_flat(name): tensor for name, tensor in _fuse(kept).items()}


def to_s2(name: str) -> str:
    """The released spelling of one of our names."""
    if name == _HEAD:
        return _SLOW_HEAD
    part, _, rest = name.partition(".")
    return (_FAST if part == "fast" or rest.startswith(_TABLE) else _SLOW) + rest


def unwrap_flat(raw: Any, where: str) -> dict[str, Tensor]:
    """The named tensors of a `model.pth`, whatever wraps them.

    Raises:
        WeightsError: something else than named tensors.
    """
    if isinstance(raw, Mapping) and isinstance(raw.get("state_dict"), Mapping):
        raw = raw["state_dict"]
    if not isinstance(raw, Mapping) or not raw or not all(isinstance(value, Tensor) for value in raw.values()):
        raise WeightsError(f"{where}: holds no named tensors")
    return {str(name).removeprefix("model."): tensor for name, tensor in raw.items()}


def _from_s2(name: str) -> str:
    if name == _SLOW_HEAD:
        return _HEAD
    if name.startswith(_SLOW):
        return "slow." + name.removeprefix(_SLOW)
    if name.startswith(_FAST):
        rest = name.removeprefix(_FAST)
        return ("slow." if rest.startswith(_TABLE) else "fast.") + rest
    return name


def _from_flat(name: str) -> str:
    return "fast." + name.removeprefix("fast_") if name.startswith("fast_") else "slow." + name


def _fuse(stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Join split `wq`, `wk`, `wv` (weights and biases) into `wqkv`."""
    fused = dict(stored)
    for name in stored:
        prefix, found, kind = name.rpartition(".wq.")
        parts = [f"{prefix}.{part}.{kind}" for part in ("wq", "wk", "wv")]
        if found and all(part in stored for part in parts):
            fused[f"{prefix}.wqkv.{kind}"] = torch.cat([fused.pop(part) for part in parts])
    return fused
