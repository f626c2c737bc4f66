"""Log-mel frames with causal framing: what the spectral codec's encoder hears, and what its losses compare.

Invariant: frame t sees samples up to (t + 1) * hop - 1 only. Source: triangular filters on the mel scale of
O'Shaughnessy (2595 log10(1 + f / 700)), each normalised to unit area.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn


def mel_filters(n_fft: int, num_mels: int, sample_rate: int) -> Tensor:
    """Filter bank [num_mels, n_fft / 2 + 1] over 0 Hz to half the sample rate."""
    top = 2595 * math.log10(1 + sample_rate / 2 / 700)
    edges_hz = 700 * (10 ** (torch.linspace(0, top, num_mels + 2) / 2595) - 1)
    bins_hz = torch.linspace(0, sample_rate / 2, n_fft // 2 + 1)
    low, centre, high = edges_hz[:-2, None], edges_hz[1:-1, None], edges_hz[2:, None]
    rising, falling = (bins_hz - low) / (centre - low), (high - bins_hz) / (high - centre)
    return torch.minimum(rising, falling).clamp(min=0) * (100.0 / (high - low))


class CausalLogMel(nn.Module):
    """waveform [B, 1, S] (S a multiple of hop) -> log-mel [B, num_mels, S / hop], scaled to about unit range."""

    def __init__(self, sample_rate: int, n_fft: int, hop: int, num_mels: int) -> None:
        super().__init__()
        self.n_fft, self.hop = n_fft, hop
        self.window: Tensor
        self.filters: Tensor
        self.register_buffer("window", torch.hann_window(n_fft), persistent=False)
        self.register_buffer("filters", mel_filters(n_fft, num_mels, sample_rate), persistent=False)

    def forward(self, waveform: Tensor) -> Tensor:
        return self._frames(nn.functional.pad(waveform[:, 0], (self.n_fft - self.hop, 0)))

    def new_state(self, batch: int) -> Tensor:
        """[B, n_fft - hop]: the samples that the next frame sees again (nn/streaming.py)."""
        return self.window.new_zeros(batch, self.n_fft - self.hop)

    def step(self, x: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """x [B, 1, S], S a multiple of hop -> (log-mel [B, num_mels, S / hop], state)."""
        joined = torch.cat((state, x[:, 0]), dim=-1)
        return self._frames(joined), joined[:, joined.shape[-1] - state.shape[-1] :].clone()

    def _frames(self, padded: Tensor) -> Tensor:
        frames = padded.unfold(1, self.n_fft, self.hop) * self.window
        mel = torch.fft.rfft(frames).abs() @ self.filters.T
        return (torch.log(mel.clamp(min=1e-3)) * 0.4 + 0.5).transpose(1, 2)
