"""The multi-scale mel distance."""

from __future__ import annotations

import pytest
import torch

from lungfish.training.multi_scale_mel import MultiScaleMelLoss, filled_filters


@pytest.mark.parametrize("rate", [16000, 22050, 44100])
@pytest.mark.parametrize(("window", "mels"), [(32, 5), (64, 10), (128, 20), (256, 40), (512, 80), (2048, 320)])
def test_every_mel_hears_something(rate: int, window: int, mels: int) -> None:
    filters = filled_filters(window, mels, rate)
    assert filters.shape == (mels, window // 2 + 1)
    assert (filters.sum(1) > 0).all()


def test_equal_is_zero_and_more_distortion_is_farther() -> None:
    torch.manual_seed(0)
    loss, target = MultiScaleMelLoss(22050), 0.1 * torch.randn(2, 8000)
    assert loss(target, target).item() == 0
    assert loss(torch.zeros(2, 8000), torch.zeros(2, 8000)).item() == 0
    noise = torch.randn(2, 8000)
    near, far = loss(target + 0.02 * noise, target), loss(target + 0.2 * noise, target)
    assert 0.01 < near.item() < far.item()


def test_a_quieter_copy_is_as_far_as_its_level_at_every_scale() -> None:
    torch.manual_seed(0)
    target = torch.randn(1, 20000)
    assert MultiScaleMelLoss(44100)(0.1 * target, target).item() == pytest.approx(
        7.0, rel=0.02
    )  # a decade, seven scales


@pytest.mark.parametrize("samples", [100, 5000])
def test_gradients_are_finite_on_silence_and_short_clips(samples: int) -> None:
    generated = torch.zeros(1, samples, requires_grad=True)
    MultiScaleMelLoss(22050)(generated, torch.randn(1, samples)).backward()
    assert generated.grad is not None
    assert torch.isfinite(generated.grad).all()


def test_the_rate_decides_where_the_mels_lie() -> None:
    assert not torch.equal(filled_filters(512, 80, 16000), filled_filters(512, 80, 44100))


@pytest.mark.parametrize("rate", [16000, 44100])
def test_white_noise_is_as_loud_in_every_mel(rate: int) -> None:
    for window, mels in ((32, 5), (512, 80), (2048, 320)):
        filters = filled_filters(window, mels, rate)
        torch.testing.assert_close(filters.sum(1), torch.full((mels,), window / rate))


def test_nothing_below_the_floor_counts() -> None:
    torch.manual_seed(0)
    noise = 1e-6 * torch.randn(1, 8000)
    assert MultiScaleMelLoss(22050)(noise, torch.zeros(1, 8000)).item() == 0
