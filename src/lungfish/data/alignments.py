"""Sidecar of a packed shard: for every frame of every sentence, which phone of the transcript it speaks.

`NAME.alignments.safetensors` beside `NAME.protos` holds `position` float16 [all frames] and `offset` int64 [sentences + 1],
in the shard's order of sentences. Packed shards themselves keep the published format (spec/system.md 6).
"""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

from lungfish.checkpoint.atomic import write_atomically
from lungfish.errors import DataError


def alignments_path(shard: Path) -> Path:
    return shard.with_suffix(".alignments.safetensors")


def write_alignments(shard: Path, positions: list[np.ndarray]) -> None:
    """positions: one [T] array per sentence of `shard`."""
    offset = np.cumsum([0, *(len(position) for position in positions)])
    joined = np.concatenate([np.zeros(0), *positions]).astype(np.float16)
    tensors = {"position": joined, "offset": offset.astype(np.int64)}
    write_atomically(alignments_path(shard), lambda part: save_file(tensors, part))


def read_alignments(shard: Path) -> list[np.ndarray]:
    """One float32 [T] array per sentence of `shard`.

    Raises:
        DataError: the sidecar is missing.
    """
    path = alignments_path(shard)
    if not path.is_file():
        raise DataError(f"{path} is missing; make shards and alignments together with `lungfish data codes`")
    tensors = load_file(path)
    offset, position = tensors["offset"], tensors["position"].astype(np.float32)
    return [position[a:b] for a, b in itertools.pairwise(offset)]
