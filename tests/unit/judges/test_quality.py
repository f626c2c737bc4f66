"""The real judge on real speech; the weights come with the package."""

import importlib
import sys
from types import ModuleType

import numpy as np
import pytest

from lungfish.audio.files import read_waveform
from lungfish.errors import DependencyError
from lungfish.judges import quality
from lungfish.judges.quality import SAMPLE_RATE, QualityJudge


@pytest.fixture(scope="module")
def judge():
    try:
        return QualityJudge()
    except DependencyError as error:
        pytest.skip(f"dev/judges.sh installs it: {error}")


@pytest.fixture(scope="module")
def speech(shared):
    """3 s of a reader, and their rate."""
    waveform, rate = read_waveform(sorted((shared / "speech" / "ljspeech").glob("*.flac"))[0])
    return waveform[0, : 3 * rate].numpy(), rate


def test_noise_makes_speech_worse_by_degrees(judge, speech):
    samples, rate = speech
    noise = np.random.default_rng(0).standard_normal(len(samples)).astype(np.float32)
    scores = [judge.score(samples + level * noise, rate) for level in (0, 0.005, 0.05)]
    assert scores == sorted(scores, reverse=True)
    assert 1 <= scores[2] < 2.5 < 3.5 < scores[0] <= 5
    assert judge.score(samples, rate) == scores[0]


def test_the_sample_rate_is_heeded(judge, speech):
    samples, rate = speech
    doubled = np.interp(np.arange(2 * len(samples)) / 2, np.arange(len(samples)), samples)
    assert judge.score(doubled, 2 * rate) == pytest.approx(judge.score(samples, rate), abs=0.2)
    assert judge.score(samples, rate // 3) < judge.score(samples, rate) - 0.2


@pytest.mark.parametrize("samples", [np.zeros(0), np.zeros(10), np.zeros((1, SAMPLE_RATE))])
def test_clips_with_nothing_in_them_have_a_score_too(judge, samples):
    assert np.isfinite(judge.score(samples, SAMPLE_RATE))


def test_long_clips_pass(judge, speech):
    samples, rate = speech
    assert judge.score(np.tile(samples, 4), rate) == pytest.approx(judge.score(samples, rate), abs=1)


def test_without_the_package_the_way_to_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distillmos", None)
    with pytest.raises(DependencyError, match=r"distillmos==0\.9\.1") as caught:
        QualityJudge()
    assert "\n" not in str(caught.value)


def test_a_torchaudio_that_does_not_load_is_stood_in_for_and_gone_again(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "torchaudio"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(quality, "_loads", lambda: False)
    with quality._torchaudio_or_stand_in():
        assert importlib.import_module("torchaudio.transforms") is sys.modules["torchaudio.transforms"]
    assert "torchaudio" not in sys.modules
    assert "torchaudio.transforms" not in sys.modules


def test_a_torchaudio_that_is_there_stays(monkeypatch):
    real = ModuleType("torchaudio")
    monkeypatch.setitem(sys.modules, "torchaudio", real)
    with quality._torchaudio_or_stand_in():
        assert sys.modules["torchaudio"] is real
    assert sys.modules["torchaudio"] is real
