"""What a clip may sound like without being another clip: other loudness, other phase. For codec training."""

from __future__ import annotations

import math
import random

import numpy as np

_CEILING = 0.99


def augment(samples: np.ndarray, rng: random.Random, gain_db: tuple[float, float], phase: bool) -> np.ndarray:
    """A random gain, and all frequencies turned by one random angle; turned down where it would clip.

    Args:
        samples: [S] in -1..1.
        rng: decides.
        gain_db: least and most, in dB.
        phase: turn the phase too.

    Returns:
        [S] float32.
    """
    samples = samples * 10 ** (rng.uniform(*gain_db) / 20)
    if phase:
        samples = turn_phase(samples, rng.uniform(-math.pi, math.pi))
    peak = float(np.abs(samples).max(initial=0.0))
    return (samples * min(1.0, _CEILING / max(peak, _CEILING))).astype(np.float32)


def turn_phase(samples: np.ndarray, angle: float) -> np.ndarray:
    """Every frequency of samples [S] shifted by `angle` radians: the ear hears no difference, a waveform loss does."""
    spectrum = np.fft.rfft(samples)
    spectrum[1:] *= np.exp(1j * angle)
    return np.fft.irfft(spectrum, len(samples))
