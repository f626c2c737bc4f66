"""Causal ConvNeXt block: depthwise convolution, LayerNorm, two linears with GELU, per-channel gain, residual.

Source: spec/codec.md 3.5 (LayerNorm eps 1e-6, exact GELU); Liu et al. 2022, "A ConvNet for the 2020s".
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lungfish.nn.causal_conv import CausalConv1d


class ConvNeXt(nn.Module):
    """Args:
    dim: channels.
    ffn_dim: inner width, 4 * dim in the released codec.
    kernel: depthwise kernel.
    initial_scale: start of `gamma`; 1e-6 in the released codec's training.
    """

    def __init__(self, dim: int, ffn_dim: int, kernel: int = 7, initial_scale: float = 1e-6) -> None:
        super().__init__()
        self.dwconv = CausalConv1d(dim, dim, kernel, groups=dim)
        self.norm = nn.LayerNorm(dim, eps=1e-6)
        self.pwconv1 = nn.Linear(dim, ffn_dim)
        self.pwconv2 = nn.Linear(ffn_dim, dim)
        self.gamma = nn.Parameter(torch.full((dim,), initial_scale))

    def forward(self, x: Tensor) -> Tensor:
        """x [B, dim, L] -> [B, dim, L]."""
        return self._add_branch(x, self.dwconv(x))

    def new_state(self, batch: int) -> Tensor:
        """That of the depthwise convolution (nn/streaming.py)."""
        return self.dwconv.new_state(batch)

    def step(self, x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """`forward` of the next chunk -> ([B, dim, L], state)."""
        mixed, state = self.dwconv.step(x, state)
        return self._add_branch(x, mixed), state

    def _add_branch(self, x: Tensor, mixed: Tensor) -> Tensor:
        y = self.norm(mixed.transpose(1, 2))
        y = self.pwconv2(nn.functional.gelu(self.pwconv1(y)))
        return x + (self.gamma * y).transpose(1, 2)
