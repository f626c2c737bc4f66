"""How far a waveform is from the one it should be, in the spectral domain. 0 is equal; lower is closer.

`mel_distance`: mean absolute difference of natural-log mels, 80 bands from 0 Hz to half the sample rate, n_fft 1024, hop
256, floor 1e-3: the distance that training reports (training/spectral_loss.py) and by which a codec is trained here.

`stft_distance`: at three resolutions (n_fft, hop, window) = (512, 50, 240), (1024, 120, 600) and (2048, 240, 1200), spectral
convergence ||real - fake|| / ||real|| plus mean absolute difference of natural-log magnitudes, floor sqrt(1e-7); the mean.
Source: Yamamoto et al. 2020, "Parallel WaveGAN".

Both depend on the sample rate at which they are taken: compare figures of one rate only.
"""

from __future__ import annotations

import torch
from torch import Tensor

from lungfish.codec.mel import mel_filters

MEL_N_FFT, MEL_HOP, MEL_BANDS, MEL_FLOOR = 1024, 256, 80, 1e-3
RESOLUTIONS = ((512, 50, 240), (1024, 120, 600), (2048, 240, 1200))
_POWER_FLOOR = 1e-7
_MIN_SAMPLES = 2048


def mel_distance(generated: Tensor, target: Tensor, sample_rate: int) -> float:
    """Log-mel L1 of two waveforms.

    Args:
        generated: [S] float32.
        target: [S].
        sample_rate: of both, in Hz.
    """
    filters = mel_filters(MEL_N_FFT, MEL_BANDS, sample_rate)
    fake, real = (
        (filters @ _magnitude(waveform, MEL_N_FFT, MEL_HOP, MEL_N_FFT)).clamp(min=MEL_FLOOR).log()
        for waveform in (generated, target)
    )
    return float((fake - real).abs().mean())


def stft_distance(generated: Tensor, target: Tensor) -> float:
    """Spectral convergence + log magnitude of two waveforms [S], the mean over three resolutions."""
    total = 0.0
    for n_fft, hop, window in RESOLUTIONS:
        fake, real = (
            _magnitude(waveform, n_fft, hop, window).clamp(min=_POWER_FLOOR**0.5) for waveform in (generated, target)
        )
        total += float((real - fake).norm() / real.norm() + (real.log() - fake.log()).abs().mean())
    return total / len(RESOLUTIONS)


def _magnitude(waveform: Tensor, n_fft: int, hop: int, window: int) -> Tensor:
    """[S] -> [n_fft / 2 + 1, frames]; what is too short for the longest window is padded with zeros."""
    samples = torch.nn.functional.pad(waveform.float(), (0, max(0, _MIN_SAMPLES - len(waveform))))
    return torch.stft(samples, n_fft, hop, window, torch.hann_window(window), return_complex=True).abs()
