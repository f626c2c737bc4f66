"""Codes on disk: a .npy file of integers [K, T]."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from lungfish.audio.files import write_atomic
from lungfish.errors import CodesError


def load_codes(path: str | Path) -> Tensor:
    """Read codes.

    Returns:
        [K, T] int64. Whether they are in range is for the codec to say.

    Raises:
        CodesError: no such file, not a .npy file, or not integers [K, T] with at least one frame.
    """
    try:
        values = np.load(path, allow_pickle=False)
    except FileNotFoundError as error:
        raise CodesError(f"{path}: no such file") from error
    except (OSError, ValueError, EOFError) as error:
        raise CodesError(f"{path}: is not a .npy file of codes") from error
    if not isinstance(values, np.ndarray) or not np.issubdtype(values.dtype, np.integer):
        raise CodesError(f"{path}: codes must be integers [K, T]")
    if values.ndim == 3 and values.shape[0] == 1:
        values = values[0]
    if values.ndim != 2 or values.size == 0:
        raise CodesError(f"{path}: codes must be [K, T] with at least one frame, got {list(values.shape)}")
    if values.dtype == np.uint64 and values.max() > np.iinfo(np.int64).max:
        raise CodesError(f"{path}: a code is out of range")
    return torch.from_numpy(values.astype(np.int64))


def save_codes(path: str | Path, codes: Tensor) -> None:
    """Write codes [K, T] as int64; an existing file is replaced whole or not at all.

    Raises:
        OutputError: it cannot be written.
    """
    buffer = io.BytesIO()
    np.save(buffer, codes.cpu().numpy().astype(np.int64), allow_pickle=False)
    write_atomic(path, buffer.getvalue())
