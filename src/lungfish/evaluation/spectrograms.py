"""One clip after several systems, as pictures: log magnitudes over time and frequency, on one scale, as PNG."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor

from lungfish.checkpoint.atomic import write_atomically
from lungfish.errors import DependencyError

N_FFT, HOP = 1024, 256
RANGE_DB = 80.0
"""Below the loudest point of the first waveform; what is quieter is drawn alike."""
_FLOOR = 1e-9


def require_matplotlib() -> None:
    """Refuse before the work.

    Raises:
        DependencyError: matplotlib is not installed.
    """
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise DependencyError("spectrograms need matplotlib: pip install matplotlib") from error


def spectrogram_db(waveform: Tensor) -> Tensor:
    """[S] -> magnitudes [N_FFT / 2 + 1, frames] in dB, 0 for a bin of magnitude 1."""
    samples = torch.nn.functional.pad(waveform.float(), (0, max(0, N_FFT - len(waveform))))
    magnitude = torch.stft(samples, N_FFT, HOP, window=torch.hann_window(N_FFT), return_complex=True).abs()
    return 20 * magnitude.clamp(min=_FLOOR).log10()


def draw_spectrograms(path: Path, waveforms: Mapping[str, Tensor], sample_rate: int) -> None:
    """One panel per waveform, below each other.

    Args:
        path: of the PNG, replaced whole.
        waveforms: title -> samples [S]; the first one sets the scale for all.
        sample_rate: of all, in Hz.

    Raises:
        DependencyError: matplotlib is not installed.
        OutputError: not writable.
    """
    require_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    pictures = {title: spectrogram_db(waveform) for title, waveform in waveforms.items()}
    top = float(next(iter(pictures.values())).max())
    figure = Figure(figsize=(9, 1.9 * len(pictures) + 0.3), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(pictures), 1, squeeze=False, sharex=True)[:, 0]
    for axis, (title, picture) in zip(axes, pictures.items(), strict=True):
        extent = (0.0, len(waveforms[title]) / sample_rate, 0.0, sample_rate / 2000)
        axis.imshow(picture, origin="lower", aspect="auto", extent=extent, vmin=top - RANGE_DB, vmax=top, cmap="magma")
        axis.set_title(title, fontsize=9, loc="left")
        axis.set_ylabel("kHz", fontsize=8)
    axes[-1].set_xlabel("s", fontsize=8)
    write_atomically(path, lambda part: figure.savefig(part, dpi=100, format="png"))
