"""Means and rates over clips with their 95 % interval: clips are drawn with replacement, 2000 times (Efron 1979).

Of two systems on the same clips, the interval of the paired difference is that of the clips' differences; where it does not
hold 0, one is better than chance explains. Deterministic: the interval depends on values, their order and the seed only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 2000
FEWEST_CLIPS = 6
"""Of fewer no verdict is given: five that agree do so by chance one time in sixteen, and their interval does not show it."""


@dataclass(frozen=True)
class Estimate:
    """A mean or a rate.

    Attributes:
        value: over all clips.
        low, high: ends of its 95 % interval.
        clips: how many it is from.
    """

    value: float
    low: float
    high: float
    clips: int

    @property
    def sign(self) -> int:
        """1 or -1 where the whole interval is above or below 0; 0 otherwise, and of fewer than `FEWEST_CLIPS` clips."""
        return 0 if self.clips < FEWEST_CLIPS else int(self.low > 0) - int(self.high < 0)


def estimate(values: Sequence[float], weights: Sequence[float] | None = None, seed: int = 0) -> Estimate | None:
    """Sum of `values` over sum of `weights`, one of each per clip.

    Args:
        values: what is averaged, or counted (errors); or differences of such, between two systems.
        weights: 1 each when absent, which makes it a mean; words of each clip, for an error rate. Not negative.
        seed: of the draws.

    Returns:
        None where there is nothing to average.
    """
    upper = np.asarray(values, dtype=float)
    lower = np.ones_like(upper) if weights is None else np.asarray(weights, dtype=float)
    if not lower.sum():
        return None
    draws = np.random.default_rng(seed).integers(len(upper), size=(RESAMPLES, len(upper)))
    uppers, lowers = upper[draws].sum(1), lower[draws].sum(1)
    possible = lowers > 0  # a draw of clips without words has no rate
    low, high = np.quantile(uppers[possible] / lowers[possible], [0.025, 0.975])
    return Estimate(float(upper.sum() / lower.sum()), float(low), float(high), len(upper))
