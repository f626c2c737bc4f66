"""Between sample rates, whole clips at once. Invariant: equal rates give the input back, untouched."""

from __future__ import annotations

import numpy as np
import soxr
import torch
from torch import Tensor


def resample(waveform: Tensor, from_hz: int, to_hz: int) -> Tensor:
    """Band-limited resampling on the CPU (soxr, high quality).

    Args:
        waveform: [C, S] float32.
        from_hz: its sample rate.
        to_hz: the wanted one.

    Returns:
        [C, about S * to_hz / from_hz] float32 on the CPU.
    """
    if from_hz == to_hz:
        return waveform
    samples = np.ascontiguousarray(waveform.detach().cpu().numpy().T, dtype=np.float32)  # [S, C]
    return torch.from_numpy(np.ascontiguousarray(soxr.resample(samples, from_hz, to_hz, quality="HQ").T))
