"""Another loudness, another phase, the same clip."""

import math
import random

import numpy as np
import pytest

from lungfish.training.augment import augment, turn_phase


@pytest.fixture
def speech():
    return (0.1 * np.random.default_rng(0).standard_normal(5001)).clip(-1, 1).astype(np.float32)


def test_the_gain_is_within_its_bounds_and_turns_the_loudness(speech):
    for seed in range(5):
        louder = augment(0.01 * speech, random.Random(seed), (6.0, 6.0), phase=False)
        assert np.allclose(louder, 0.01 * speech * 10 ** (6 / 20), atol=1e-6)
    assert np.array_equal(augment(speech, random.Random(0), (0.0, 0.0), phase=False), speech)


def test_what_would_clip_is_turned_down(speech):
    loud = augment(speech, random.Random(0), (30.0, 30.0), phase=True)
    assert np.abs(loud).max() == pytest.approx(0.99, abs=1e-4)
    assert loud.dtype == np.float32


def test_the_phase_turns_and_the_magnitudes_stay(speech):
    turned = turn_phase(speech, 1.0)
    assert len(turned) == len(speech)
    before, after = np.fft.rfft(speech)[1:-1], np.fft.rfft(turned)[1:-1]
    assert np.allclose(np.abs(before), np.abs(after), rtol=1e-4)
    assert np.allclose(after / before, np.exp(1j), atol=1e-3)


def test_half_a_turn_is_the_waveform_upside_down(speech):
    mean = speech.mean()
    assert np.allclose(turn_phase(speech, math.pi) - mean, -(speech - mean), atol=1e-4)


def test_silence_stays_silence():
    assert not augment(np.zeros(100, np.float32), random.Random(0), (-3.0, 3.0), phase=True).any()
