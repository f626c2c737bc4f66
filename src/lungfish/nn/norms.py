"""RMSNorm in the two roundings that the S2 family uses, and the per-channel layer scale.

Invariant: in float32 both norms are the same function; they differ in bfloat16 and float16 only.
Source: spec/lm.md 3.3 (two roundings in block norms, one in the query and key norms).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


class RMSNorm(nn.Module):
    """Block norm: normalise in float32, round to the input type, then multiply by the weight (a second rounding).

    Args:
        dim: width of the last axis.
        eps: added to the mean square.
    """

    def __init__(self, dim: int, eps: float) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x: Tensor) -> Tensor:
        """x [..., dim] -> [..., dim], same dtype."""
        if x.dtype is torch.float32:
            return nn.functional.rms_norm(x, (x.shape[-1],), self.weight, self.eps)
        wide = x.float()
        wide = wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + self.eps)
        return wide.to(x.dtype) * self.weight


class HeadNorm(nn.Module):
    """Query or key norm over one head: everything in float32, one rounding at the end.

    Args:
        head_dim: width of one head; the weight is shared by all heads.
        eps: added to the mean square.
    """

    def __init__(self, head_dim: int, eps: float) -> None:
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(head_dim))

    def forward(self, x: Tensor) -> Tensor:
        """x [..., head_dim] -> [..., head_dim], same dtype."""
        y = nn.functional.rms_norm(x.float(), (x.shape[-1],), self.weight.float(), self.eps)
        return y.to(x.dtype)


class LayerScale(nn.Module):
    """Per-channel gain on a residual branch (`gamma [dim]`)."""

    def __init__(self, dim: int, initial: float = 1e-2) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.full((dim,), initial))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.gamma
