"""Convolutions that never look ahead.

Invariant: output i depends on inputs up to (i + 1) * stride - 1 only, and the zeros are inserted at each layer's own
input. Layout [B, C, L]. Source: spec/codec.md 3.1, 3.2.
"""

from __future__ import annotations

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


class CausalConvTranspose1d(nn.Module):
    """Transposed convolution cut on the right to exactly L * stride samples."""

    def __init__(self, in_channels: int, out_channels: int, kernel: int, stride: int) -> None:
        super().__init__()
        self.conv = nn.ConvTranspose1d(in_channels, out_channels, kernel, stride=stride)
        self.cut = kernel - stride

    def forward(self, x: Tensor) -> Tensor:
        """x [B, in_channels, L] -> [B, out_channels, L * stride]."""
        y = self.conv(x)
        return y[..., : y.shape[-1] - self.cut] if self.cut else y
