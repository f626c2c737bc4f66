import math

import pytest
import torch

from lungfish.codec.mel import mel_filters
from lungfish.evaluation.spectral_distance import MEL_BANDS, MEL_FLOOR, MEL_N_FFT, mel_distance, stft_distance

RATE = 16_000


@pytest.fixture
def noise():
    return 0.1 * torch.randn(RATE, generator=torch.Generator().manual_seed(0))


def test_equal_waveforms_have_no_distance(noise):
    assert mel_distance(noise, noise, RATE) == 0
    assert stft_distance(noise, noise) == 0


def test_more_noise_is_farther(noise):
    other = torch.randn(RATE, generator=torch.Generator().manual_seed(1))
    steps = [noise + level * other for level in (0.01, 0.05, 0.2)]
    for distance in (lambda x: mel_distance(x, noise, RATE), lambda x: stft_distance(x, noise)):
        found = [distance(step) for step in steps]
        assert found == sorted(found)
        assert found[0] > 0


def test_mel_distance_of_a_gain_is_its_logarithm(noise):
    assert mel_distance(2 * noise, noise, RATE) == pytest.approx(math.log(2), rel=1e-4)
    assert mel_distance(noise, 2 * noise, RATE) == pytest.approx(math.log(2), rel=1e-4)


def test_stft_distance_of_a_gain_is_convergence_and_its_logarithm(noise):
    assert stft_distance(2 * noise, noise) == pytest.approx(1 + math.log(2), rel=1e-3)
    assert stft_distance(noise / 2, noise) == pytest.approx(0.5 + math.log(2), rel=1e-2)


def test_what_lies_below_the_floors_is_equal():
    silence, murmur = torch.zeros(RATE), torch.full((RATE,), 1e-9)
    assert mel_distance(silence, murmur, RATE) == 0
    assert stft_distance(silence, murmur) == 0


def test_the_sample_rate_turns_the_bands():
    tone = 0.3 * torch.sin(2 * math.pi * 0.1 * torch.arange(RATE))
    changed = tone + 0.1 * torch.sin(2 * math.pi * 0.4 * torch.arange(RATE))
    assert mel_distance(changed, tone, 8000) != pytest.approx(mel_distance(changed, tone, 44_100), rel=0.01)


def test_clips_shorter_than_a_window_are_padded():
    short = 0.1 * torch.ones(100)
    assert mel_distance(short, short, RATE) == stft_distance(short, short) == 0
    assert mel_distance(short, torch.zeros(100), RATE) > 0


def test_against_the_definition(noise):
    """Another way to the same figure: frames by hand, a discrete Fourier transform of each."""
    target = noise.roll(3) * torch.linspace(0.5, 1, RATE)
    half = MEL_N_FFT // 2
    logs = []
    for waveform in (noise, target):
        padded = torch.nn.functional.pad(waveform[None], (half, half), mode="reflect")[0]
        frames = padded.unfold(0, MEL_N_FFT, 256) * torch.hann_window(MEL_N_FFT)
        mels = torch.fft.rfft(frames).abs() @ mel_filters(MEL_N_FFT, MEL_BANDS, RATE).T
        logs.append(mels.clamp(min=MEL_FLOOR).log())
    assert mel_distance(noise, target, RATE) == pytest.approx(float((logs[0] - logs[1]).abs().mean()), rel=1e-4)
