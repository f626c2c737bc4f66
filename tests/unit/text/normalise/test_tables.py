"""Readings of every language but English: the tables, and what holds for every text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lungfish.text.normalise.reader import languages, normalise
from lungfish.text.traced import TracedText
from tests.work import lines_run

DATA = Path(__file__).parents[3] / "data"
LANGUAGES = ("de", "es", "fr", "it", "ja", "ko", "pt", "ru", "zh")


def table(language: str) -> list[list[str]]:
    """[kind, text, reading] of a language."""
    lines = (DATA / f"readings_{language}.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


TABLES = {language: table(language) for language in LANGUAGES}
CASES = [(language, text, reading) for language, rows in TABLES.items() for _, text, reading in rows]
FRAGMENTS = sorted({word for _, text, _ in CASES for word in text.split()})
SYMBOLS = " \n.,;:!?-–—−+=~@&%°'\"()[]{}/\\*_|$€£¥₩№0123456789aAkmgXVI年月日時点년월일시분원개г"


def say(text: str, language: str) -> str:
    return normalise(TracedText.of(text), language).text


def test_every_language_with_a_reader_has_a_table() -> None:
    assert set(languages()) == {"en", *LANGUAGES}
    assert sum(map(len, TABLES.values())) >= 400
    for rows in TABLES.values():
        assert len(rows) >= 34
        assert len({kind for kind, _, _ in rows}) >= 12
        assert len({text for _, text, _ in rows}) == len(rows)


@pytest.mark.parametrize(("language", "text", "reading"), CASES)
def test_readings(language: str, text: str, reading: str) -> None:
    assert say(text, language) == reading
    assert say(reading, language) == reading


@pytest.mark.parametrize("language", LANGUAGES)
@given(st.lists(st.sampled_from(FRAGMENTS) | st.text(st.sampled_from(SYMBOLS), max_size=8), max_size=6).map(" ".join))
@settings(max_examples=40, deadline=None)
def test_any_text_is_read_and_keeps_its_offsets(language: str, text: str) -> None:
    done = normalise(TracedText.of(text, offset=3), language)
    before = 3
    for start, end in zip(done.starts, done.ends, strict=True):
        assert before <= start <= end <= 3 + len(text)
        before = start


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("unit", ["1", "1.", "1 ", "a1-", "€1 ", "12:", "1/", "+", "I"])
def test_work_is_linear(language: str, unit: str) -> None:
    def work(size: int) -> int:
        return lines_run(lambda: say((unit * size)[:size], language))

    work(50)
    assert work(2000) <= 2.5 * work(1000) + 300
