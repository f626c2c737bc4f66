import sys

import numpy as np
import pytest
import soundfile

from lungfish.data.sentence_list import SentenceRow
from lungfish.errors import DataError, DependencyError
from lungfish.evaluation import wer
from lungfish.evaluation.wer import (
    SECONDS_PER_CHARACTER,
    SpokenRow,
    count_errors,
    evaluate_recordings,
    evaluate_wer,
    find_recordings,
    is_too_long,
    summarise,
)

RATE = 16_000
ROWS = [SentenceRow(f"L-{number}", f"sentence number {number}") for number in range(4)]


class Parrot:
    """Hears what it is told to."""

    def __init__(self, answers):
        self.answers = iter(answers)

    def transcribe(self, waveform, sample_rate):
        return next(self.answers)


@pytest.fixture
def judged():
    pytest.importorskip("jiwer", reason="word error rates need the extra `eval`")
    pytest.importorskip("whisper_normalizer", reason="word error rates need the extra `eval`")


def spoken(words, errors, seconds=1.0, wall=0.5, voice="coral", too_long=False):
    return SpokenRow("x", voice, "t", "h", seconds, wall, too_long, words, errors)


def test_errors_are_counted_on_normalised_texts(judged):
    assert count_errors("Mr. Smith's colour, 21!", "mister smith is color twenty one")[1] == 0
    assert count_errors("red green blue black", "red grin blue") == (4, 2)
    assert count_errors("red", "red red red") == (1, 2)
    assert count_errors("yes", "") == (1, 1)
    assert count_errors("...", "noise here") == (0, 2)
    assert count_errors("it was late", "It was late...") == (3, 0)
    assert count_errors("--", "") == (0, 0)


def test_capping_and_the_intervals():
    result = summarise([spoken(10, 30, voice="marlin"), spoken(10, 0), spoken(10, 1, too_long=True)])
    assert result.wer == pytest.approx(31 / 30)
    assert result.wer_capped == pytest.approx(11 / 30)
    assert result.by_voice == {"coral": pytest.approx(1 / 20), "marlin": 3.0}
    assert result.wer_interval[0] < result.wer < result.wer_interval[1]
    assert 0 <= result.wer_capped_interval[0] < result.wer_capped < result.wer_capped_interval[1] <= 1
    assert (result.rtf, result.too_long) == (pytest.approx(0.5), 1)
    assert result.summary()["clips"] == 3
    assert "rows" not in result.summary()


def test_the_interval_narrows_with_clips_and_depends_on_nothing_but_the_seed():
    few, many = ([spoken(10, number % 3) for number in range(count)] for count in (12, 240))
    widths = [np.ptp(summarise(rows).wer_interval) for rows in (few, many)]
    assert widths[1] < widths[0] / 2
    assert summarise(few) == summarise(few)


def test_clips_without_words_and_without_sound():
    result = summarise([spoken(0, 2), spoken(4, 4, seconds=0.0, wall=0.0), spoken(4, 0, seconds=0.0, wall=0.0)])
    assert result.wer == pytest.approx(6 / 8)
    assert summarise([spoken(4, 4, seconds=0.0)]).rtf == 0
    with pytest.raises(DataError, match="no words"):
        summarise([spoken(0, 0)])
    with pytest.raises(DataError, match="no words"):
        summarise([])


def test_voices_take_turns_and_each_row_has_its_seed(judged):
    asked, seen = [], []

    def speak(text, voice, seed):
        asked.append((text, voice, seed))
        return np.zeros(RATE // 2, np.float32), RATE, 0.1

    answers = [row.text for row in ROWS[:3]] + ["something else"]
    result = evaluate_wer(speak, ROWS, ("coral", "marlin"), Parrot(answers), 7, seen.append)
    assert asked == [(row.text, ("coral", "marlin")[n % 2], 7 + n) for n, row in enumerate(ROWS)]
    assert [row.errors for row in result.rows] == [0, 0, 0, 3]
    assert seen == result.rows
    assert result.rtf == pytest.approx(0.2)


def test_a_clip_of_twice_the_expected_length_is_counted():
    text = "ten letter"
    for voice, pace in {**SECONDS_PER_CHARACTER, "another": max(SECONDS_PER_CHARACTER.values())}.items():
        assert not is_too_long(text, voice, 1.99 * pace * len(text))
        assert is_too_long(text, voice, 2.01 * pace * len(text))


def test_the_pace_is_that_of_the_corpus(shared):
    seconds, characters = dict.fromkeys(SECONDS_PER_CHARACTER, 0.0), dict.fromkeys(SECONDS_PER_CHARACTER, 0)
    for line in (shared / "corpus" / "manifest.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        _, voice, _, text, length = line.split("\t")
        seconds[voice] += float(length)
        characters[voice] += len(text)
    for voice, pace in SECONDS_PER_CHARACTER.items():
        assert pace == pytest.approx(seconds[voice] / characters[voice], abs=5e-5)


def test_recordings_are_found_by_id_and_keep_their_voice(judged, tmp_path):
    with pytest.raises(DataError, match=r"of 0 of the 2 sentences.*--only-held-out --rows 2"):
        find_recordings(tmp_path, ROWS[:2])
    soundfile.write(tmp_path / "am_michael_L-0.flac", np.zeros(RATE), RATE)
    soundfile.write(tmp_path / "somebody_L-1.wav", np.zeros(RATE), RATE)
    soundfile.write(tmp_path / "somebody_L-11.wav", np.zeros(RATE), RATE)
    found = find_recordings(tmp_path, ROWS[:2])
    assert [path.name for _, path in found] == ["am_michael_L-0.flac", "somebody_L-1.wav"]
    result = evaluate_recordings(found, Parrot(["sentence number zero", "sentence"]))
    assert [(row.voice, row.errors, row.seconds_audio) for row in result.rows] == [("marlin", 0, 1), ("somebody", 2, 1)]
    with pytest.raises(DataError, match="of 2 of the 4"):
        find_recordings(tmp_path, ROWS)


@pytest.mark.parametrize("missing", ["jiwer", "whisper_normalizer.english"])
def test_without_the_packages_the_extra_is_named(missing, monkeypatch):
    pytest.importorskip("jiwer", reason="word error rates need the extra `eval`")
    wer._normaliser.cache_clear()
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(DependencyError, match=r"lungfish\[eval\]"):
        count_errors("a", "b")
