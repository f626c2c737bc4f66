import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from lungfish.errors import CheckpointError, DependencyError
from lungfish.judges.recogniser import SAMPLE_RATE, Recogniser, locate_model, token_cap


class FakeWhisper:
    """Takes the place of faster_whisper.WhisperModel; remembers what it was asked."""

    def __init__(self, model, **settings):
        if model == "absent":
            raise ValueError("Invalid\nmodel size")
        self.model, self.settings, self.asked = model, settings, []

    def transcribe(self, samples, **settings):
        self.asked.append((samples, settings))
        return iter([SimpleNamespace(text=" Hello"), SimpleNamespace(text=" there. ")]), None


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("LUNGFISH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def whisper(monkeypatch):
    module = ModuleType("faster_whisper")
    vars(module)["WhisperModel"] = FakeWhisper
    monkeypatch.setitem(sys.modules, "faster_whisper", module)


def make_model(folder, *names):
    folder.mkdir(parents=True)
    for name in names or ("model.bin", "config.json", "tokenizer.json"):
        (folder / name).write_text("")
    return folder


def test_every_knob_arrives(whisper):
    ears = Recogniser("base", language="de", beam_size=3, threads=2)
    fake = vars(ears)["_model"]
    assert fake.model == "base"
    assert fake.settings == {"device": "cpu", "compute_type": "int8", "cpu_threads": 2}
    assert ears.transcribe(np.zeros((1, 24_000)), 24_000) == "Hello there."
    samples, asked = fake.asked[0]
    assert (samples.shape, samples.dtype) == ((SAMPLE_RATE,), np.float32)
    assert (asked["language"], asked["beam_size"], asked["temperature"]) == ("de", 3, 0.0)
    assert asked["max_new_tokens"] == token_cap(1.0)


def test_what_is_too_short_to_hear_is_silence(whisper):
    ears = Recogniser()
    assert ears.transcribe(np.zeros(0), SAMPLE_RATE) == ""
    assert ears.transcribe(np.zeros(100), 48_000) == ""
    assert vars(ears)["_model"].asked == []


def test_the_token_cap_is_generous_and_fits_the_model():
    assert token_cap(2.0) > 2 * 8  # nobody speaks eight tokens a second
    assert token_cap(30.0) == token_cap(300.0) < 448 - 16  # Whisper's length less its prompt


def test_a_name_prefers_the_prepared_folder(cache, tmp_path):
    assert locate_model("base") == "base"
    folder = make_model(cache / "whisper-base")
    assert locate_model("base") == str(folder)
    assert locate_model(str(make_model(tmp_path / "own"))) == str(tmp_path / "own")


def test_what_cannot_be_used_says_what_to_do(whisper, tmp_path):
    with pytest.raises(CheckpointError, match=r"lacks config.json, tokenizer.json"):
        Recogniser(make_model(tmp_path / "half", "model.bin"))
    with pytest.raises(CheckpointError, match=r"no recogniser 'absent'.*whisper-offline\.sh.*Invalid model size"):
        Recogniser("absent")


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "faster_whisper", None)
    with pytest.raises(DependencyError, match=r"lungfish\[eval\]"):
        Recogniser()
