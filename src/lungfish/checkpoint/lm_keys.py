"""Names of language-model tensors: released S2 files and flat files on one side, our modules on the other.

    S2 on disk                              flat                        ours
    text_model.model.X                      X                           slow.X
    text_model.lm_head.weight               output.weight               slow.output.weight
    audio_decoder.codebook_embeddings.X     codebook_embeddings.X       slow.codebook_embeddings.X
    audio_decoder.X                         fast_X                      fast.X

Flat names may all begin with `model.`. Left out on purpose: what hears audio, and caches that were saved by accident. Three
projections `wq`, `wk`, `wv` become one `wqkv`, weights and biases alike.

Source: spec/lm.md 2.1, 2.2. We differ: the untied head is mapped, biases are joined too, prefixes are removed at the front
of a name only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from lungfish.errors import WeightsError

_SLOW, _FAST = "text_model.model.", "audio_decoder."
_SLOW_HEAD, _HEAD = "text_model.lm_head.weight", "slow.output.weight"
_TABLE = "codebook_embeddings."
_WRAPPER = "model."
_SAVED_CACHES = (".kv_cache.k_cache", ".kv_cache.v_cache")
_SPLIT = (".wq.", ".wk.", ".wv.")


def sources(stored: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Our names, and the stored tensors (one, or three to be joined) that each is made of; in the order of `stored`.

    Names that nobody knows keep theirs, for the strict check to refuse.

    Raises:
        WeightsError: one tensor under two names.
    """
    names = list(stored)
    rename = _from_s2 if any(name.startswith((_SLOW, _FAST, "text_model.")) for name in names) else _from_flat
    plan: dict[str, tuple[str, ...]] = {}
    for name in names:
        ours = None if name.endswith(_SAVED_CACHES) else rename(name)
        if ours is None:
            continue
        if ours in plan:
            raise WeightsError(f"{plan[ours][0]} and {name} are two names of one tensor; the file is not sound")
        plan[ours] = (name,)
    return _join(plan)


def to_ours(stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """`sources` carried out.

    Raises:
        WeightsError: also where the parts of a projection do not fit together.
    """
    return {ours: join(ours, [stored[part] for part in parts]) for ours, parts in sources(stored).items()}


def join(ours: str, parts: Sequence[Tensor]) -> Tensor:
    """The tensor that the parts make: rows of one below those of the other.

    Raises:
        WeightsError: they differ in type, or in shape behind the first axis.
    """
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    if any(part.dim() == 0 or part.shape[1:] != first.shape[1:] or part.dtype != first.dtype for part in parts):
        kinds = ", ".join(f"{list(part.shape)} {str(part.dtype).removeprefix('torch.')}" for part in parts)
        raise WeightsError(f"the parts of {ours} do not fit together: {kinds}")
    return torch.cat(list(parts))


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
    names = [str(name) for name in raw]
    if names[0].startswith(_WRAPPER):
        names = [name.removeprefix(_WRAPPER) for name in names]
    if len(set(names)) != len(names):
        raise WeightsError(f"{where}: holds tensors with and without the prefix {_WRAPPER} under one name")
    return dict(zip(names, raw.values(), strict=True))


def _from_s2(name: str) -> str | None:
    if name.startswith("audio_encoder."):
        return None
    if name == _SLOW_HEAD:
        return _HEAD
    if name.startswith(_SLOW):
        return "slow." + name.removeprefix(_SLOW)
    if name.startswith(_FAST):
        rest = name.removeprefix(_FAST)
        return ("slow." if rest.startswith(_TABLE) else "fast.") + rest
    return name


def _from_flat(name: str) -> str | None:
    if any(part.startswith("audio_") for part in name.split(".")):
        return None
    return "fast." + name.removeprefix("fast_") if name.startswith("fast_") else "slow." + name


def _join(plan: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Make one entry `wqkv` out of `wq`, `wk` and `wv`; incomplete sets stay as they are."""
    joined: dict[str, tuple[str, ...]] = {}
    used: set[str] = set()
    for name, parts in plan.items():
        split = next((split for split in _SPLIT if split in name), None)
        siblings = [name.replace(split, other) for other in _SPLIT] if split else []
        if name in used:
            continue
        whole = name.replace(split, ".wqkv.") if split else name
        if siblings and whole not in plan and all(sibling in plan for sibling in siblings):
            used.update(siblings)
            joined[whole] = tuple(part for sibling in siblings for part in plan[sibling])
        else:
            joined[name] = parts
    return joined
