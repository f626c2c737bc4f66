"""The dilated residual unit that encoder and decoder stages of the modified DAC share.

Source: spec/codec.md 3.4; Kumar et al. 2023, "High-Fidelity Audio Compression with Improved RVQGAN", here causal.
"""

from __future__ import annotations

from torch import Tensor, nn

from lungfish.nn.causal_conv import CausalConv1d
from lungfish.nn.snake import Snake
from lungfish.nn.streaming import State, new_state, step

DILATIONS = (1, 3, 9)


class ResidualUnit(nn.Module):
    """x + conv1(snake(conv7_dilated(snake(x))))."""

    def __init__(self, channels: int, dilation: int) -> None:
        super().__init__()
        self.block = nn.Sequential(
            Snake(channels),
            CausalConv1d(channels, channels, kernel=7, dilation=dilation),
            Snake(channels),
            CausalConv1d(channels, channels, kernel=1),
        )

    def forward(self, x: Tensor) -> Tensor:
        """x [B, channels, L] -> [B, channels, L]."""
        return x + self.block(x)

    def new_state(self, batch: int) -> State:
        return new_state(self.block, batch)

    def step(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """`forward` of the next chunk (nn/streaming.py)."""
        y, state = step(self.block, x, state)
        return x + y, state
