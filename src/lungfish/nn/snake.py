"""Snake activation with one learnt frequency per channel: x + sin(alpha x)^2 / (alpha + 1e-9).

Source: spec/codec.md 3.3; Ziyin et al. 2020, "Neural Networks Fail to Learn Periodic Functions and How to Fix It".
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Snake(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.alpha = nn.Parameter(torch.ones(1, channels, 1))

    def forward(self, x: Tensor) -> Tensor:
        """x [B, channels, L] -> [B, channels, L]."""
        return x + torch.sin(self.alpha * x).square() / (self.alpha + 1e-9)
