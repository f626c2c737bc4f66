"""The gated feed-forward of every transformer here: w2( silu(w1 x) * w3 x ), no biases."""

from __future__ import annotations

from torch import Tensor, nn


class SwiGLU(nn.Module):
    """Args:
    dim: input and output width.
    ffn_dim: inner width.
    """

    def __init__(self, dim: int, ffn_dim: int) -> None:
        super().__init__()
        self.w1 = nn.Linear(dim, ffn_dim, bias=False)
        self.w3 = nn.Linear(dim, ffn_dim, bias=False)
        self.w2 = nn.Linear(ffn_dim, dim, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        """x [..., dim] -> [..., dim]."""
        return self.w2(nn.functional.silu(self.w1(x)) * self.w3(x))
