import numpy as np
import pytest
import soundfile

pytest.importorskip("jiwer", reason="word error rates need the extra `eval`")
pytest.importorskip("whisper_normalizer", reason="word error rates need the extra `eval`")

from lungfish.errors import DataError
from lungfish.evaluation.wer import (
    SECONDS_PER_CHARACTER,
    Row,
    SpokenRow,
    count_errors,
    evaluate_recordings,
    evaluate_speaker,
    held_out_rows,
    summarise,
)

RATE = 16_000


class Parrot:
    """Hears what it is told to."""

    name = "parrot"

    def __init__(self, answers):
        self.answers = iter(answers)

    def transcribe(self, waveform, sample_rate):
        return next(self.answers)


def spoken(words, errors, seconds=1.0, wall=0.5):
    return SpokenRow("x", "coral", "t", "h", seconds, wall, False, words, errors)


def test_errors_are_counted_on_normalised_texts():
    assert count_errors("Mr. Smith's colour, 21!", "mister smith is color twenty one")[1] == 0
    assert count_errors("red green blue black", "red grin blue") == (4, 2)
    assert count_errors("yes", "") == (1, 1)
    assert count_errors("...", "noise here") == (0, 2)


def test_capping_and_the_interval():
    result = summarise([spoken(10, 30), spoken(10, 0), spoken(10, 1)])
    assert result.wer == pytest.approx(31 / 30)
    assert result.wer_capped == pytest.approx(11 / 30)
    assert 0 <= result.interval[0] < result.wer_capped < result.interval[1] <= 1
    assert result.rtf == pytest.approx(0.5)
    assert "rows" not in result.summary()


def test_voices_take_turns_and_each_row_has_its_seed():
    rows = held_out_rows(4)
    asked = []

    def speak(text, voice, seed):
        asked.append((voice, seed))
        return np.zeros(int(RATE * 0.06 * len(text)), np.float32), RATE, 0.1

    result = evaluate_speaker(speak, rows, ("coral", "marlin"), Parrot([row.text for row in rows]))
    assert asked == [("coral", 0), ("marlin", 1), ("coral", 2), ("marlin", 3)]
    assert result.wer == 0
    assert result.too_long == 0


def test_a_clip_of_twice_the_expected_length_is_counted():
    row = Row("a", "ten letter")
    seconds = 2.1 * SECONDS_PER_CHARACTER["coral"] * len(row.text)

    def speak(text, voice, seed):
        return np.zeros(int(RATE * seconds), np.float32), RATE, 0.1

    assert evaluate_speaker(speak, [row], ("coral",), Parrot(["ten letter"])).too_long == 1


def test_recordings_are_found_by_id(tmp_path):
    rows = held_out_rows(2)
    soundfile.write(tmp_path / f"af_heart_{rows[0].id}.flac", np.zeros(RATE), RATE)
    result = evaluate_recordings(tmp_path, rows, ("coral", "marlin"), Parrot([rows[0].text]))
    assert len(result.rows) == 1
    assert evaluate_recordings(tmp_path / "none", rows, ("coral",), Parrot([])) is None


def test_held_out_rows_are_fixed_and_checked(tmp_path, shared):
    assert held_out_rows(60) == held_out_rows(60)
    assert held_out_rows(60) != held_out_rows(60, seed=1)
    last = (shared / "corpus" / "sentences.tsv").read_text(encoding="utf-8").splitlines()[-200:]
    assert {row.id for row in held_out_rows(200)} == {line.split("\t")[0] for line in last}
    with pytest.raises(DataError, match="ask for 1 to 200"):
        held_out_rows(201)
    (tmp_path / "s.tsv").write_text("no tab\n")
    with pytest.raises(DataError, match="id TAB text"):
        held_out_rows(1, tmp_path / "s.tsv")
