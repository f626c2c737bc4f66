import math

import pytest
import torch

from lungfish.evaluation.spectrograms import HOP, N_FFT, draw_spectrograms, spectrogram_db

RATE = 8000


def tone(frequency, level=0.5):
    return level * torch.sin(2 * math.pi * frequency * torch.arange(RATE) / RATE)


def test_a_tone_is_a_line_at_its_frequency():
    picture = spectrogram_db(tone(1000))
    assert picture.shape == (N_FFT // 2 + 1, RATE // HOP + 1)
    assert set(picture[:, 5:-5].argmax(0).tolist()) == {1000 * N_FFT // RATE}


def test_half_the_level_is_6_db_less():
    difference = spectrogram_db(tone(1000)).max() - spectrogram_db(tone(1000, 0.25)).max()
    assert float(difference) == pytest.approx(20 * math.log10(2), abs=1e-3)


def test_clips_shorter_than_a_window_are_padded():
    assert spectrogram_db(torch.ones(10)).isfinite().all()


def test_the_first_waveform_sets_the_scale_of_all(tmp_path):
    pytest.importorskip("matplotlib", reason="pictures need matplotlib")
    from matplotlib.image import imread

    loud, quiet = tone(1000), tone(1000, 0.005)
    draw_spectrograms(tmp_path / "a.png", {"loud": loud, "quiet": quiet}, RATE)
    draw_spectrograms(tmp_path / "b.png", {"quiet": quiet, "loud": loud}, RATE)
    first, second = (imread(tmp_path / name) for name in ("a.png", "b.png"))
    assert first.shape == second.shape
    half = first.shape[0] // 2
    assert first[:half].mean() != pytest.approx(first[half:].mean(), abs=0.003)
    draw_spectrograms(tmp_path / "c.png", {"loud": loud, "quiet": loud}, RATE)
    assert imread(tmp_path / "c.png")[half:].mean() != pytest.approx(first[half:].mean(), abs=0.003)
