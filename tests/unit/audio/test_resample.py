from __future__ import annotations

import math

import pytest
import torch

from lungfish.audio.resample import resample


@pytest.mark.parametrize(("from_hz", "to_hz"), [(8000, 44_100), (44_100, 22_050), (96_000, 16_000), (22_050, 48_000)])
def test_a_tone_keeps_its_pitch_level_and_length(from_hz: int, to_hz: int) -> None:
    source = torch.sin(2 * math.pi * 440 * torch.arange(from_hz) / from_hz).expand(2, -1)
    result = resample(source, from_hz, to_hz)
    assert result.shape[0] == 2
    assert abs(result.shape[1] - to_hz) <= 1
    expected = torch.sin(2 * math.pi * 440 * torch.arange(result.shape[1]) / to_hz)
    inner = slice(to_hz // 10, -to_hz // 10)
    torch.testing.assert_close(result[0, inner], expected[inner], atol=5e-3, rtol=0)
    torch.testing.assert_close(result[0], result[1])


def test_nothing_above_half_the_new_rate_is_left() -> None:
    source = torch.sin(2 * math.pi * 15_000 * torch.arange(44_100) / 44_100)[None]
    assert resample(source, 44_100, 16_000)[:, 1000:-1000].abs().max() < 0.02


def test_equal_rates_return_the_input() -> None:
    source = torch.rand(1, 100)
    assert resample(source, 16_000, 16_000) is source
