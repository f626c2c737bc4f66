"""Where a codec's training starts from: an earlier run's checkpoint, or a codec that shipped.

What the start cannot have may be missing: further books, heads and discriminators of its own, moving averages. Everything
else must fit, or nothing is loaded.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from lungfish.checkpoint.codec import load_codec
from lungfish.codec.dac import ModifiedDAC
from lungfish.codec.spectral import SpectralCodec
from lungfish.errors import TrainingError
from lungfish.training.dac_setup import prepare_for_training

if TYPE_CHECKING:
    from lungfish.training.codec import CodecRecipe

_OWN = ("semantic_head.", "discriminators.", "averaged.")
_SHOWN = 5


def start_codec_from(recipe: CodecRecipe, path: Path) -> None:
    """Load what `path` has into `recipe`.

    Args:
        recipe: just made.
        path: a Lightning checkpoint of `CodecRecipe`, or the folder of a shipped codec.

    Raises:
        TrainingError: weights are missing or of other shapes.
    """
    if path.is_dir():
        state, may_miss = _shipped_state(path, recipe.config.weight_norm), (*_OWN, "phone_head.")
    else:
        state, may_miss = _run_state(path), _OWN
    own = recipe.state_dict()
    # A start has fewer heads or more than this run needs.
    state = {name: value for name, value in state.items() if name in own or not name.startswith(_OWN)}
    known = sum(name.startswith("averages.") and name.endswith(".counts") for name in state)
    new_books = tuple(
        f"{part}.{k}." for part in ("codec.books", "averages") for k in range(known, len(recipe.averages))
    )
    missing = [name for name in own if name not in state and not name.startswith((*new_books, *may_miss))]
    other = [name for name, value in state.items() if name not in own or own[name].shape != value.shape]
    if missing or other:
        names = sorted(missing + other)
        raise TrainingError(f"{path} does not fit this config: {', '.join(names[:_SHOWN])} ({len(names)} in all)")
    recipe.load_state_dict(own | state)


def _run_state(path: Path) -> dict[str, Tensor]:
    """Weights of a run, its moving average in place of the last step's where it has one."""
    state = torch.load(path, weights_only=False, map_location="cpu")["state_dict"]
    averaged = {
        f"codec.{name.removeprefix('averaged.')}": value
        for name, value in state.items()
        if name.startswith("averaged.")
    }
    return {name: value for name, value in state.items() if not name.startswith("averaged.")} | averaged


def _shipped_state(folder: Path, weight_norm: bool) -> dict[str, Tensor]:
    """A shipped codec's weights; averages start from the rows of its books."""
    codec = load_codec(folder, device="cpu", dtype="float32")
    if isinstance(codec, ModifiedDAC):
        prepare_for_training(codec, weight_norm, checkpointing=False, seed=None)
    state: dict[str, Tensor] = {f"codec.{name}": value for name, value in codec.state_dict().items()}  # type: ignore[union-attr]
    if isinstance(codec, SpectralCodec):
        for k, book in enumerate(codec.books):
            rows: Tensor = book.codebook.weight.detach()  # type: ignore[union-attr]
            state[f"averages.{k}.counts"] = torch.ones(len(rows))
            state[f"averages.{k}.sums"] = rows.clone()
            state[f"averages.{k}.started"] = torch.ones((), dtype=torch.bool)
    return state
