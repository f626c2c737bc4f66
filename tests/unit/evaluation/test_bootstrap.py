import numpy as np
import pytest

from lungfish.evaluation.bootstrap import FEWEST_CLIPS, Estimate, estimate


def test_a_mean_and_a_rate_with_intervals_around_them():
    values = [float(number % 7) for number in range(40)]
    mean = estimate(values)
    assert mean is not None
    assert mean.value == pytest.approx(np.mean(values))
    assert mean.low < mean.value < mean.high
    assert mean.clips == 40
    rate = estimate([1, 3], [10, 2])
    assert rate is not None
    assert rate.value == pytest.approx(4 / 12)
    assert (rate.low, rate.high) == (pytest.approx(0.1), pytest.approx(1.5))


def test_the_interval_is_that_of_a_normal_mean_and_narrows_with_the_root_of_the_clips():
    draws = np.random.default_rng(0).normal(5, 2, size=400)
    few, many = estimate(list(draws[:100])), estimate(list(draws))
    assert few is not None
    assert many is not None
    expected = 2 * 1.96 * draws.std() / np.sqrt(len(draws))
    assert many.high - many.low == pytest.approx(expected, rel=0.1)
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(2, rel=0.3)


def test_the_draws_depend_on_the_seed_only():
    values = list(range(12))
    assert estimate(values) == estimate(values)
    assert estimate(values) != estimate(values, seed=1)


def test_small_weights_are_not_rounded_up():
    """Compute seconds, not only words: clips of 1 s in 1 ms each are a thousand times real time in every draw."""
    speed = estimate([1.0] * 5, [0.001] * 5)
    assert speed is not None
    assert (speed.value, speed.low, speed.high) == pytest.approx((1000, 1000, 1000))


def test_clips_without_words_make_no_rate_of_their_own():
    rate = estimate([2, 0], [0, 4])  # a quarter of the draws has no words at all
    assert rate is not None
    assert rate.value == pytest.approx(0.5)
    assert np.isfinite([rate.low, rate.high]).all()
    assert estimate([]) is None
    assert estimate([3, 1], [0, 0]) is None


@pytest.mark.parametrize(("low", "high", "sign"), [(0.1, 0.2, 1), (-0.2, -0.1, -1), (-0.1, 0.1, 0), (0.0, 0.1, 0)])
def test_a_sign_needs_the_whole_interval_on_one_side(low, high, sign):
    assert Estimate((low + high) / 2, low, high, FEWEST_CLIPS).sign == sign


def test_a_handful_of_clips_shows_nothing():
    few, enough = estimate([1.0] * (FEWEST_CLIPS - 1)), estimate([1.0] * FEWEST_CLIPS)
    assert few is not None
    assert enough is not None
    assert (few.sign, enough.sign) == (0, 1)
