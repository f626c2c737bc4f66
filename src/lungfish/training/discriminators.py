"""What tells a codec's output from recordings, in training only: multi-period and multi-band spectrogram discriminators.

    PeriodDiscriminator   looks at every p-th sample together: 2-D convolutions over [S / p, p]
    BandDiscriminator     looks at the complex spectrogram, each band of frequencies through convolutions of its own

Each returns its feature maps, the last of which are its verdicts, large for what it takes for a recording. All see the
waveform without its mean, scaled to a peak of 0.8, so loudness gives nothing away. What peaks below 0.01 is scaled as if it
peaked there: silence stays quiet, and its gradient bounded (Descript's grows with one over the peak). The defaults are
Descript's; small widths make versions that a CPU can train. Source: spec/codec.md 5; Kumar et al. 2023.
"""

from __future__ import annotations

import itertools

import torch
from pydantic import Field, model_validator
from torch import Tensor, nn
from torch.nn.utils.parametrizations import weight_norm

from lungfish.config.loader import StrictModel
from lungfish.errors import ConfigError

_SLOPE = 0.1
_PEAK = 0.8
_QUIETEST_PEAK = 0.01


class DiscriminatorConfig(StrictModel):
    """Sizes, in samples whatever the sample rate, as Descript's; the defaults are those of the full-size recipe."""

    periods: tuple[int, ...] = Field(default=(2, 3, 5, 7, 11), description="in samples, one discriminator each")
    period_channels: tuple[int, ...] = Field(default=(32, 128, 512, 1024, 1024), description="widths of a stack")
    windows: tuple[int, ...] = Field(default=(2048, 1024, 512), description="in samples, one discriminator each")
    bands: tuple[tuple[float, float], ...] = Field(
        default=((0.0, 0.1), (0.1, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0)),
        description="from and to, as shares of the half sample rate, in rising order; gaps go unheard",
    )
    band_channels: int = Field(default=32, gt=0, description="width of a band's stack")

    @model_validator(mode="after")
    def _usable(self) -> DiscriminatorConfig:
        if not self.periods and not self.windows:
            raise ValueError("give at least one period or window")
        if any(period < 1 for period in self.periods) or any(width < 1 for width in self.period_channels):
            raise ValueError("periods and period_channels must be 1 or more")
        if self.periods and len(self.period_channels) < 2:
            raise ValueError("period_channels needs at least two widths")
        if any(window < 32 or window % 4 for window in self.windows):
            raise ValueError("windows must be multiples of 4, 32 or more")
        if self.windows and not self.bands:
            raise ValueError("give at least one band")
        if any(not 0 <= low < high <= 1 for low, high in self.bands):
            raise ValueError("a band goes from a lower to a higher share, within 0 and 1")
        if any(before[1] > after[0] for before, after in itertools.pairwise(self.bands)):
            raise ValueError("bands must be in rising order and must not overlap")
        return self


class PeriodDiscriminator(nn.Module):
    """Args: period: in samples. channels: of the strided convolutions, the last of which has stride 1."""

    def __init__(self, period: int, channels: tuple[int, ...]) -> None:
        super().__init__()
        self.period = period
        widths = (1, *channels)
        self.layers = nn.ModuleList(
            weight_norm(nn.Conv2d(before, after, (5, 1), (1 if number == len(channels) - 1 else 3, 1), (2, 0)))
            for number, (before, after) in enumerate(itertools.pairwise(widths))
        )
        self.verdict = weight_norm(nn.Conv2d(channels[-1], 1, (3, 1), padding=(1, 0)))

    def forward(self, waveform: Tensor) -> list[Tensor]:
        """[B, 1, S] -> feature maps [B, C, S', period]."""
        missing = self.period - waveform.shape[-1] % self.period
        padded = nn.functional.pad(
            waveform, (0, missing), mode="reflect" if waveform.shape[-1] > missing else "constant"
        )
        x = padded.unflatten(-1, (-1, self.period))
        return _maps(x, self.layers, self.verdict)


class BandDiscriminator(nn.Module):
    """Args: window: of the spectrogram, in samples. bands, channels: see `DiscriminatorConfig`.

    Raises:
        ConfigError: a band without a bin.
    """

    def __init__(self, window: int, bands: tuple[tuple[float, float], ...], channels: int) -> None:
        super().__init__()
        self.window_samples = window
        self.window: Tensor
        self.register_buffer("window", torch.hann_window(window), persistent=False)
        bins = window // 2 + 1
        self.bands = [(int(low * bins), int(high * bins)) for low, high in bands]
        if any(low >= high for low, high in self.bands):
            raise ConfigError(f"a window of {window} samples is too short for bands this narrow; widen them")
        self.stacks = nn.ModuleList(
            nn.ModuleList(
                [
                    weight_norm(nn.Conv2d(2, channels, (3, 9), padding=(1, 4))),
                    *(weight_norm(nn.Conv2d(channels, channels, (3, 9), (1, 2), (1, 4))) for _ in range(3)),
                    weight_norm(nn.Conv2d(channels, channels, (3, 3), padding=(1, 1))),
                ]
            )
            for _ in bands
        )
        self.verdict = weight_norm(nn.Conv2d(channels, 1, (3, 3), padding=(1, 1)))

    def forward(self, waveform: Tensor) -> list[Tensor]:
        """[B, 1, S] -> feature maps [B, C, frames, bins'], those of the first band first, the verdicts last."""
        short = self.window_samples - waveform.shape[-1]
        samples = nn.functional.pad(waveform[:, 0], (0, max(0, short)))
        spectrum = torch.stft(
            samples, self.window_samples, self.window_samples // 4, window=self.window, return_complex=True
        )
        image = torch.view_as_real(spectrum).permute(0, 3, 2, 1)  # [B, 2, frames, bins]
        maps, ends = [], []
        for (low, high), stack in zip(self.bands, self.stacks, strict=True):
            x = image[..., low:high]
            for layer in stack:  # type: ignore[union-attr]
                x = nn.functional.leaky_relu(layer(x), _SLOPE)
                maps.append(x)
            ends.append(x)
        return [*maps, self.verdict(torch.cat(ends, dim=-1))]


class Discriminators(nn.Module):
    """All of a config's discriminators.

    Args:
        config: sizes.
        sample_rate: of the waveforms, in Hz; only said for the record, since all sizes are in samples.

    Raises:
        ConfigError: a band too narrow for a window.
    """

    def __init__(self, config: DiscriminatorConfig, sample_rate: int) -> None:
        super().__init__()
        self.sample_rate = sample_rate
        self.each = nn.ModuleList(
            [
                *(PeriodDiscriminator(period, config.period_channels) for period in config.periods),
                *(BandDiscriminator(window, config.bands, config.band_channels) for window in config.windows),
            ]
        )

    def forward(self, waveform: Tensor) -> list[list[Tensor]]:
        """[B, 1, S] -> per discriminator its feature maps, the verdicts last."""
        waveform = waveform - waveform.mean(dim=-1, keepdim=True)
        peak = waveform.abs().amax(dim=-1, keepdim=True).clamp(min=_QUIETEST_PEAK)
        waveform = _PEAK * waveform / peak
        return [discriminator(waveform) for discriminator in self.each]


def _maps(x: Tensor, layers: nn.ModuleList, verdict: nn.Module) -> list[Tensor]:
    maps = []
    for layer in layers:
        x = nn.functional.leaky_relu(layer(x), _SLOPE)
        maps.append(x)
    return [*maps, verdict(x)]
