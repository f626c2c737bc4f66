"""`lungfish eval wer` with a voice that speaks tones and a recogniser that reads minds."""

import json
from importlib import resources

import numpy as np
import pytest
import soundfile
import torch

from lungfish.api import TTS, Speech
from lungfish.cli.main import run
from lungfish.data.sentence_list import read_sentences
from lungfish.judges import recogniser

pytest.importorskip("jiwer", reason="word error rates need the extra `eval`")
pytest.importorskip("whisper_normalizer", reason="word error rates need the extra `eval`")

RATE = 8000


class FakeTTS:
    voices = ("coral", "marlin")

    def __init__(self):
        self.said = []

    def say(self, text, voice=None, seed=None):
        self.said.append((text, voice, seed))
        return Speech(torch.zeros(1, RATE), RATE, torch.zeros(4, 8, dtype=torch.int64), "stop", 0.25, 100.0)


@pytest.fixture
def tts(monkeypatch):
    """The fake voice; the recogniser hears what was said last without its last word, or the teacher perfectly."""
    fake = FakeTTS()

    class Ears:
        def __init__(self, model, beam_size):
            self.name = model

        def transcribe(self, waveform, sample_rate):
            return fake.said[-1][0].rsplit(" ", 1)[0] if sample_rate == RATE else "red green blue black"

    monkeypatch.setattr(TTS, "load", classmethod(lambda cls, *_, **__: fake))
    monkeypatch.setattr(recogniser, "Recogniser", Ears)
    return fake


@pytest.fixture
def sentences(tmp_path):
    path = tmp_path / "s.tsv"
    path.write_text("a\tred green blue black\nb\tred green blue black\n")
    return path


def test_the_model_and_the_teacher_beside_it(tts, sentences, tmp_path, capsys):
    clips = tmp_path / "clips"
    clips.mkdir()
    for name in ("af_heart_a", "am_michael_b"):
        soundfile.write(clips / f"{name}.flac", np.zeros(RATE), 2 * RATE)
    out = tmp_path / "rows.jsonl"
    arguments = ["eval", "wer", "--sentences", str(sentences), "--rows", "2", "--seed", "5"]
    assert run([*arguments, "--teacher-audio", str(clips), "--output", str(out), "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert (line["wer"], line["rtf"], line["clips"], line["too_long"]) == (0.25, 0.25, 2, 0)
    assert (line["recogniser"], line["beam_size"], line["seed"]) == ("base", 5, 5)
    assert (line["teacher"]["wer"], line["teacher"]["by_voice"]) == (0, {"coral": 0, "marlin": 0})
    assert [(voice, seed) for _, voice, seed in tts.said] == [("coral", 5), ("marlin", 6)]
    rows = [json.loads(row) for row in out.read_text().splitlines()]
    assert [(row["speaker"], row["id"], row["errors"]) for row in rows] == [
        ("model", "a", 1),
        ("model", "b", 1),
        ("teacher", "a", 0),
        ("teacher", "b", 0),
    ]


def test_prose_and_chosen_voices(tts, sentences, capsys):
    assert run(["eval", "wer", "--sentences", str(sentences), "--rows", "2", "--voices", "marlin"]) == 0
    shown = capsys.readouterr().out
    assert "WER 25.0%" in shown
    assert "marlin 25.0%" in shown
    assert "RTF 0.25" in shown
    assert "teacher" not in shown
    assert {voice for _, voice, _ in tts.said} == {"marlin"}


def test_the_shipped_rows_are_the_default(tts):
    assert run(["eval", "wer", "--rows", "3"]) == 0
    shipped = {row.text for row in read_sentences(resources.files("lungfish.evaluation").joinpath("held_out.tsv"))}
    assert len(tts.said) == 3
    assert {text for text, *_ in tts.said} <= shipped


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--voices", "coral,shark"], "no voice 'shark': this model has coral, marlin"),
        (["--teacher-audio", "nowhere"], "of 0 of the 2 sentences"),
        (["--output", "no/folder/rows.jsonl"], "cannot be written"),
        (["--rows", "3"], "ask for 1 to 2"),
    ],
)
def test_mistakes_are_one_line_before_anything_is_said(arguments, expected, tts, sentences, capsys):
    assert run(["eval", "wer", "--sentences", str(sentences), "--rows", "2", *arguments]) != 0
    shown = capsys.readouterr().err
    assert expected in shown
    assert "\n" not in shown.strip()
    assert tts.said == []
