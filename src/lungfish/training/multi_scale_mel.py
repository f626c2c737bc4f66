"""Descript's multi-scale mel distance: seven resolutions from 32 to 2048 samples, L1 of decadic log-mels.

Windows are in samples, whatever the sample rate; the mels span 0 Hz to half of it. Each filter has unit area over its bins,
so that the floor of 1e-5 is one level within a scale: white noise below about -101 dB counts as silence at the longest
window, below -47 dB at the shortest (at 44.1 kHz).
A filter narrower than a bin can fall between two bins and see nothing; it takes the bin next to its middle. Source:
spec/codec.md 5; Kumar et al. 2023; triangles of codec/mel.py.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lungfish.codec.mel import mel_filters

_SCALES = ((32, 5), (64, 10), (128, 20), (256, 40), (512, 80), (1024, 160), (2048, 320))  # window, mels
_FLOOR = 1e-5
_FINER = 16  # bins in place of one, to find the middle of a filter


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
            total = total + (self._log_mel(generated, n_fft) - self._log_mel(target, n_fft)).abs().mean()
        return total

    def _log_mel(self, waveform: Tensor, n_fft: int) -> Tensor:
        """[B, S] -> log10 [B, mels, frames]."""
        window, filters = self.get_buffer(f"window_{n_fft}"), self.get_buffer(f"filters_{n_fft}")
        spectrum = torch.stft(waveform, n_fft, n_fft // 4, window=window, return_complex=True)
        # The root of a square has no gradient at 0.
        magnitude = torch.sqrt(spectrum.real.square() + spectrum.imag.square() + 1e-10)
        return (filters @ magnitude).clamp(min=_FLOOR).log10()


def filled_filters(n_fft: int, num_mels: int, sample_rate: int) -> Tensor:
    """Triangular filters [num_mels, n_fft / 2 + 1] none of which is empty; each sums to n_fft / sample_rate (unit area)."""
    filters = mel_filters(n_fft, num_mels, sample_rate).clone()
    middles = mel_filters(n_fft * _FINER, num_mels, sample_rate).argmax(dim=1).float().div(_FINER).round().long()
    for row in torch.nonzero(filters.sum(dim=1) <= 0)[:, 0].tolist():
        filters[row, middles[row]] = 1.0
    return filters / filters.sum(dim=1, keepdim=True) * (n_fft / sample_rate)
