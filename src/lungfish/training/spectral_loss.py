"""Distances between two waveforms in the spectral domain, at three resolutions.

Per resolution: L1 of log-mels + 0.3 L1 of log magnitudes + 0.5 L1 of linear magnitudes over the mean magnitude.
Source: Kumar et al. 2023 (multi-scale mel); Yamamoto et al. 2020 (multi-resolution STFT).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lungfish.codec.mel import mel_filters

_RESOLUTIONS = ((512, 128, 40), (1024, 256, 80), (2048, 512, 100))  # n_fft, hop, mels


class SpectralLoss(nn.Module):
    """Args: sample_rate: of the waveforms, in Hz."""

    def __init__(self, sample_rate: int) -> None:
        super().__init__()
        for n_fft, _, num_mels in _RESOLUTIONS:
            self.register_buffer(f"window_{n_fft}", torch.hann_window(n_fft), persistent=False)
            self.register_buffer(f"filters_{n_fft}", mel_filters(n_fft, num_mels, sample_rate), persistent=False)

    def forward(self, generated: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
        """[B, S] twice -> (loss, natural-log mel L1 at n_fft 1024, detached)."""
        total = generated.new_zeros(())
        mel_distance = total
        for n_fft, hop, _ in _RESOLUTIONS:
            window, filters = self.get_buffer(f"window_{n_fft}"), self.get_buffer(f"filters_{n_fft}")
            fake = torch.stft(generated, n_fft, hop, window=window, return_complex=True)
            fake = torch.sqrt(fake.real.square() + fake.imag.square() + 1e-7)
            real = torch.stft(target, n_fft, hop, window=window, return_complex=True).abs()
            mel = ((filters @ fake).clamp(min=1e-3).log() - (filters @ real).clamp(min=1e-3).log()).abs().mean()
            magnitude = (torch.log(fake + 3e-3) - torch.log(real + 3e-3)).abs().mean()
            linear = (fake - real).abs().mean() / real.mean().clamp(min=1e-3)
            total = total + mel + 0.3 * magnitude + 0.5 * linear
            if n_fft == 1024:
                mel_distance = mel.detach()
        return total / len(_RESOLUTIONS), mel_distance
