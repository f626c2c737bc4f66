"""Descript's multi-scale mel distance: seven resolutions from 32 to 2048 samples, L1 of decadic log-mels.

A filter narrower than a bin can fall between two bins and see nothing; such a filter takes the bin next to its middle, so
that every mel measures something. Source: spec/codec.md 5; Kumar et al. 2023.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from lungfish.codec.mel import mel_filters

_SCALES = ((32, 5), (64, 10), (128, 20), (256, 40), (512, 80), (1024, 160), (2048, 320))  # window, mels
_FLOOR = 1e-5


class MultiScaleMelLoss(nn.Module):
    """Args: sample_rate: of the waveforms, in Hz."""

    def __init__(self, sample_rate: int) -> None:
        super().__init__()
        for n_fft, num_mels in _SCALES:
            self.register_buffer(f"window_{n_fft}", torch.hann_window(n_fft), persistent=False)
            filters = filled_filters(n_fft, num_mels, sample_rate)
            self.register_buffer(f"filters_{n_fft}", filters, persistent=False)

    def forward(self, generated: Tensor, target: Tensor) -> Tensor:
        """[B, S] twice -> scalar, the sum over the scales; short waveforms are padded with silence."""
        short = _SCALES[-1][0] - generated.shape[-1]
        if short > 0:
            generated, target = (nn.functional.pad(one, (0, short)) for one in (generated, target))
        total = generated.new_zeros(())
        for n_fft, _ in _SCALES:
            window, filters = self.get_buffer(f"window_{n_fft}"), self.get_buffer(f"filters_{n_fft}")
            fake, real = (
                torch.stft(one, n_fft, n_fft // 4, window=window, return_complex=True) for one in (generated, target)
            )
            # The root of a square has no gradient at 0.
            fake = torch.sqrt(fake.real.square() + fake.imag.square() + 1e-10)
            total = (
                total
                + ((filters @ fake).clamp(min=_FLOOR).log10() - (filters @ real.abs()).clamp(min=_FLOOR).log10())
                .abs()
                .mean()
            )
        return total


def filled_filters(n_fft: int, num_mels: int, sample_rate: int) -> Tensor:
    """Triangular filters [num_mels, n_fft / 2 + 1] none of which is empty."""
    filters = mel_filters(n_fft, num_mels, sample_rate).clone()
    top = 2595 * math.log10(1 + sample_rate / 2 / 700)
    edges_hz = 700 * (10 ** (torch.linspace(0, top, num_mels + 2) / 2595) - 1)
    bins = (edges_hz * n_fft / sample_rate).round().long().clamp(0, n_fft // 2)
    for row in torch.nonzero(filters.sum(1) <= 0)[:, 0].tolist():
        filters[row, bins[row + 1]] = 100.0 / (edges_hz[row + 2] - edges_hz[row])
    return filters
