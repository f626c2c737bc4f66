"""Convolutions that never look ahead.

Invariant: output i depends on inputs up to (i + 1) * stride - 1 only, and the zeros are inserted at each layer's own
input. Both also run in steps (nn/streaming.py); the state is the last few input columns, zeros at the start, which are
those same zeros. Layout [B, C, L]. Source: spec/codec.md 3.1, 3.2, 4.2.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


class CausalConv1d(nn.Module):
    """Left-padded convolution: out length ceil(L / stride).

    Left zeros: (kernel - 1) * dilation + 1 - stride; right zeros fill the last stride. The weight lives under `.conv`,
    which is the released spelling.
    """

    def __init__(
        self, in_channels: int, out_channels: int, kernel: int, stride: int = 1, dilation: int = 1, groups: int = 1
    ) -> None:
        super().__init__()
        self.conv = nn.Conv1d(in_channels, out_channels, kernel, stride=stride, dilation=dilation, groups=groups)
        self.stride = stride
        self.left = (kernel - 1) * dilation + 1 - stride

    def forward(self, x: Tensor) -> Tensor:
        """x [B, in_channels, L] -> [B, out_channels, ceil(L / stride)]."""
        right = -x.shape[-1] % self.stride
        return self.conv(nn.functional.pad(x, (self.left, right)))

    def new_state(self, batch: int) -> Tensor:
        """[B, in_channels, left]: the columns that come again before the next chunk."""
        return self.conv.weight.new_zeros(batch, self.conv.in_channels, self.left)

    def step(self, x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """x [B, in_channels, L], L a multiple of the stride -> ([B, out_channels, L / stride], state).

        Raises:
            ValueError: a chunk that ends inside a stride.
        """
        if x.shape[-1] % self.stride:
            raise ValueError(f"a chunk of {x.shape[-1]} columns ends inside a stride of {self.stride}")
        joined = torch.cat((state, x), dim=-1)
        return self.conv(joined), joined[..., joined.shape[-1] - self.left :].clone()


class CausalConvTranspose1d(nn.Module):
    """Transposed convolution cut on the right to exactly L * stride samples."""

    def __init__(self, in_channels: int, out_channels: int, kernel: int, stride: int) -> None:
        super().__init__()
        self.conv = nn.ConvTranspose1d(in_channels, out_channels, kernel, stride=stride)
        self.cut = kernel - stride
        self.stride = stride
        self.reach = -(-self.cut // stride)  # earlier input columns that an output sees

    def forward(self, x: Tensor) -> Tensor:
        """x [B, in_channels, L] -> [B, out_channels, L * stride]."""
        y = self.conv(x)
        return y[..., : y.shape[-1] - self.cut] if self.cut else y

    def new_state(self, batch: int) -> Tensor:
        """[B, in_channels, reach]: the last input columns, one where the kernel is two strides long."""
        return self.conv.weight.new_zeros(batch, self.conv.in_channels, self.reach)

    def step(self, x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """x [B, in_channels, L] -> ([B, out_channels, L * stride], state)."""
        joined = torch.cat((state, x), dim=-1)
        y = self.conv(joined)
        y = y[..., self.reach * self.stride : y.shape[-1] - self.cut]
        return y, joined[..., joined.shape[-1] - self.reach :].clone()
