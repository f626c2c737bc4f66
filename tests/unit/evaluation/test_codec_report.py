import numpy as np
import pytest
import soundfile
import torch

from lungfish.errors import AudioError, ConfigError
from lungfish.evaluation.clips import EvalClip
from lungfish.evaluation.codec_report import Judges, evaluate_codec
from lungfish.evaluation.codec_systems import Ceiling, CodecSystem, Passage
from tests.toy import toy_codec

RATE = 8000
TEXT = "red green blue black"


class Damping:
    """Halves what it is given, and says that it took a second to do so; remembers what it was given."""

    names = ("damping",)

    def __init__(self, factor=0.5):
        self.factor, self.lengths = factor, []

    def run(self, waveform, sample_rate):
        self.lengths.append((len(waveform), sample_rate))
        return [Passage("damping", self.factor * waveform, 1.0, 2.0, 100.0)]


class Ears:
    """Hears one word less in what is quiet."""

    def transcribe(self, waveform, sample_rate):
        return TEXT if np.abs(waveform).max() > 0.3 else TEXT.rsplit(" ", 1)[0]


class Voice:
    def embed(self, waveform, sample_rate):
        return np.array([1.0, np.abs(waveform).max()])


class Quality:
    def score(self, waveform, sample_rate):
        return 1 + float(np.abs(waveform).max())


@pytest.fixture
def clips(tmp_path):
    """Two of 2 s at 16 kHz, the second without a transcript."""
    found = []
    for number, text in enumerate([TEXT, None]):
        path = tmp_path / f"{number}.wav"
        soundfile.write(path, 0.4 * np.sin(0.05 * (1 + number) * np.arange(32_000)), 16_000)
        found.append(EvalClip(f"c/{number}.wav", path, text))
    return found


def values(row):
    return {metric: found and found.value for metric, found in row.metrics.items()}


def test_every_system_is_judged_against_the_original(clips):
    pytest.importorskip("jiwer", reason="word error rates need the extra `eval`")
    pytest.importorskip("whisper_normalizer", reason="word error rates need the extra `eval`")
    system, seen = Damping(), []
    report = evaluate_codec(
        clips,
        [Ceiling(), system],
        RATE,
        Judges(Ears(), Voice(), Quality()),
        [("damping", "original")],
        lambda result, waveform: seen.append((result, waveform)),
    )
    assert (report.sample_rate, report.clips, report.transcribed) == (RATE, 2, 1)
    assert report.seconds_audio == pytest.approx(4.0)
    original, damped = report.systems
    expected = {"mel": 0, "stft": 0, "wer": 0, "similarity": pytest.approx(1), "mos": pytest.approx(1.4, abs=0.02)}
    assert values(original) == expected
    assert values(damped)["wer"] == pytest.approx(1 / 4)
    assert values(damped)["mel"] > 0.1  # type: ignore[operator]
    assert values(damped)["similarity"] == pytest.approx((1 + 0.08) / np.sqrt(1.16 * 1.04), abs=0.01)
    assert values(damped)["mos"] == pytest.approx(1.2, abs=0.01)
    assert damped.encode_speed is not None
    assert damped.decode_speed is not None
    assert (damped.encode_speed.value, damped.decode_speed.value) == (pytest.approx(2), pytest.approx(1))
    assert damped.bit_rate == pytest.approx(100)
    assert [(result.system, result.clip) for result, _ in seen] == [
        (name, clip.id) for clip in clips for name in ("original", "damping")
    ]
    assert torch.equal(seen[1][1], 0.5 * seen[0][1])
    (pair,) = report.paired
    assert pair.metrics["mos"] is not None
    assert pair.metrics["mos"].value == pytest.approx(-0.2, abs=0.01)


def test_clips_come_at_the_rate_of_the_comparison_after_a_second_to_warm_up(clips):
    system = Damping()
    evaluate_codec(clips, [system], RATE, Judges())
    assert system.lengths == [(RATE, RATE), (2 * RATE, RATE), (2 * RATE, RATE)]


def test_columns_without_a_judge_stay_empty(clips):
    report = evaluate_codec(clips, [Damping()], RATE, Judges())
    assert [metric for metric, found in report.systems[0].metrics.items() if found is None] == [
        "wer",
        "similarity",
        "mos",
    ]


def test_the_books_in_use_are_counted_over_all_clips(clips):
    codec = toy_codec((32, 16))
    seen = []

    class Counting(CodecSystem):
        def run(self, waveform, sample_rate):
            passages = super().run(waveform, sample_rate)
            seen.append(passages[0].codes)
            return passages

    report = evaluate_codec(clips, [Counting(codec, "codec", [1])], RATE, Judges())
    whole, fewer = report.systems
    codes = torch.cat([codes for codes in seen[1:] if codes is not None], dim=1)  # the first is the warm-up
    assert [book.size for book in whole.books] == [32, 16]
    assert [book.used for book in whole.books] == [len(row.unique()) for row in codes]
    assert {book.frames for book in whole.books} == {codes.shape[1]}
    assert all(1 <= book.perplexity <= book.used + 1e-9 for book in whole.books)
    assert fewer.books == []


def test_what_cannot_be_measured(clips, tmp_path):
    with pytest.raises(ConfigError, match="no clips"):
        evaluate_codec([], [Ceiling()], RATE, Judges())
    with pytest.raises(ConfigError, match="one name"):
        evaluate_codec(clips, [Ceiling(), Ceiling()], RATE, Judges())
    (tmp_path / "bad.wav").write_text("no sound")
    with pytest.raises(AudioError, match=r"bad\.wav"):
        evaluate_codec([EvalClip("bad", tmp_path / "bad.wav", None)], [Ceiling()], RATE, Judges())
