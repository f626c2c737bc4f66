"""Rotary positions with interleaved pairs (2m, 2m+1), and the bfloat16-rounded table that released weights expect.

Invariant: angles are float32, cosine and sine are rounded to bfloat16 once and used in float32 arithmetic; the result
takes the input's type. "Fixing" the rounding moves a released model's output (spec/lm.md 8.1, spec/codec.md 3.6).
"""

from __future__ import annotations

import torch
from torch import Tensor


def rope_table(positions: Tensor, head_dim: int, base: float) -> Tensor:
    """Cosine and sine for integer positions.

    Args:
        positions: [...] integers, absolute positions.
        head_dim: width of one head (even).
        base: theta; frequency m is base ** (-2m / head_dim).

    Returns:
        [..., head_dim / 2, 2] float32 holding bfloat16-rounded (cos, sin).
    """
    exponents = torch.arange(0, head_dim, 2, device=positions.device)[: head_dim // 2].float() / head_dim
    frequencies = 1.0 / (base**exponents)
    angles = positions.float()[..., None] * frequencies
    return torch.stack((angles.cos(), angles.sin()), dim=-1).to(torch.bfloat16).float()


def apply_rope(x: Tensor, table: Tensor) -> Tensor:
    """Rotate every head.

    Args:
        x: [B, L, heads, head_dim].
        table: [L, head_dim / 2, 2] or [B, L, head_dim / 2, 2] from `rope_table`.

    Returns:
        Same shape and type as `x`.
    """
    pairs = x.float().unflatten(-1, (-1, 2))
    table = table.unsqueeze(-3)  # broadcast over heads
    cos, sin = table[..., 0], table[..., 1]
    even, odd = pairs[..., 0], pairs[..., 1]
    rotated = torch.stack((even * cos - odd * sin, odd * cos + even * sin), dim=-1)
    return rotated.flatten(-2).to(x.dtype)
