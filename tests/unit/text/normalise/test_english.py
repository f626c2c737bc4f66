"""English readings: the table, and what holds for every text."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lungfish.text.normalise.english import read, reader
from lungfish.text.normalise.english_numbers import (
    BRITISH,
    cardinal,
    fraction,
    make_ordinal,
    name_number,
    ordinal,
    run_of_digits,
    spelled_digits,
    year,
)
from lungfish.text.traced import TracedText

TABLE = Path(__file__).parents[3] / "data" / "readings_en.tsv"
CASES = [
    tuple(line.split("\t"))
    for line in TABLE.read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
MIN_CASES = 180
# Stretches of the table and symbols, to be thrown together: worse than what anybody writes.
FRAGMENTS = sorted({word for _, text, _ in CASES for word in (text, *text.split())})
SYMBOLS = " \n.,;:!?-–—−+=<>~#@&%°'\"’“”()[]{}/\\^*_|$€£¥²³½©™→§0123456789aAbIVXLCDMSsmkx"


def say(text: str, *, british: bool = False) -> str:
    return read(TracedText.of(text), british=british).text


def squeeze(text: str) -> str:
    return " ".join(text.split())


def test_table_is_large_and_of_many_kinds() -> None:
    assert len(CASES) >= MIN_CASES
    assert len({kind for kind, _, _ in CASES}) >= 25
    assert len({text for _, text, _ in CASES}) == len(CASES)


@pytest.mark.parametrize(("kind", "text", "reading"), CASES, ids=[f"{kind}: {text}" for kind, text, _ in CASES])
def test_readings(kind: str, text: str, reading: str) -> None:
    assert squeeze(say(text)) == squeeze(reading)


@pytest.mark.parametrize("text", [text for _, text, _ in CASES])
def test_one_reading_is_enough(text: str) -> None:
    once = reader().read(TracedText.of(text)).text
    assert reader().read(TracedText.of(once)).text == once


@pytest.mark.parametrize("text", [text for _, text, _ in CASES])
def test_offsets_point_at_what_was_read(text: str) -> None:
    done = read(TracedText.of(text, offset=7))
    at, lost = 7, ""
    for start, end in dict.fromkeys(zip(done.starts, done.ends, strict=True)):  # each stretch once, in order
        assert at <= start < end
        lost += text[at - 7 : start - 7]
        at = end
    lost += text[at - 7 :]
    assert re.fullmatch(r"( ?\[[0-9, -]+\])?", lost), "stretches touch: only citations are dropped"


def test_words_that_are_left_alone_keep_their_own_offsets() -> None:
    done = read(TracedText.of("pay $5 now"))
    assert done.text == "pay five dollars now"
    assert done.span_of(4, 16) == (4, 6)
    assert done.span_of(17, 20) == (7, 10)


@given(st.text(max_size=60))
def test_any_text_is_read_without_digits_left(text: str) -> None:
    done = say(text)
    assert not re.search("[0-9]", done)
    assert say(done) == done


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(FRAGMENTS) | st.sampled_from(SYMBOLS), max_size=8), st.sampled_from(["", " "]))
def test_reading_a_read_text_changes_nothing(pieces: list[str], between: str) -> None:
    done = say(between.join(pieces))
    assert not re.search("[0-9]", done)
    assert say(done) == done


@given(st.text(alphabet=st.characters(categories=["Lo", "Ll"], exclude_characters="π"), max_size=40))
def test_plain_words_are_left_alone(text: str) -> None:
    assert say(text) == text


def test_texts_that_broke_other_systems(shared: Path) -> None:
    rows = {row["id"]: row for row in json.loads((shared / "inputs" / "texts.json").read_text(encoding="utf-8"))}
    expected = {
        "numbers-coordinates": "The probe moved to minus four thousand, minus four thousand, then four thousand and four "
        "thousand, about twenty-eight point two eight times faster than before.",
        "digits-in-words": "one, two, three. One hundred one. One hundred one. One thousand eighty-four. One thousand "
        "eighty-four.",
        "money-and-dates": "On January third nineteen ninety-nine it cost one thousand two hundred dollars and fifty cents, "
        "that is fifty percent of Doctor Lee's budget.",
        "years": "In ten ninety-seven, in two thousand one, and again in two thousand nine.",
        "angle-brackets": "Spend less than one hundred exp > and keep two out of fifty H P.",
        "lone-bracket": "An array a[zero] and a lone [ here.",
        "url": "Visit w w w dot example dot org slash docs or mail me at a dot b at example dot org.",
    }
    for name, reading in expected.items():
        assert say(rows[name]["text"]) == reading
    for name in ("legal-repeats", "single-letter", "hesitations", "em-dash-run", "code-switch", "long-no-punctuation"):
        assert say(rows[name]["text"]) == rows[name]["text"]


def test_british_style_turns_days_and_adds_and() -> None:
    assert say("12/01/2026", british=True) == "the twelfth of January twenty twenty-six"
    assert say("January 3, 1999", british=True) == "January the third nineteen ninety-nine"
    assert say("101 and 1,084", british=True) == "one hundred and one and one thousand and eighty-four"
    assert say("12/01/2026") != say("12/01/2026", british=True)


@pytest.mark.parametrize(
    "text",
    [
        "In 1999 people danced. 1500 people danced. In 2000 cases.",
        "Is it 1984? It is 1,984. Over 1984 of them. A total of 1984.",
    ],
)
def test_years_and_quantities_differ(text: str) -> None:
    done = say(text)
    assert "nineteen" in done
    assert "thousand" in done


def test_full_stop_of_an_abbreviation_at_the_end_of_a_sentence_is_kept() -> None:
    assert say("Made by Acme Inc. It works.") == "Made by Acme Incorporated. It works."
    assert say("Made by Acme Inc. in Ohio.") == "Made by Acme Incorporated in Ohio."
    assert say("Made in the U.S. army depots.") == "Made in the U S army depots."
    assert say("Made in the U.S.\nNext.") == "Made in the U S.\nNext."


def test_reading_behind_a_sentence_begins_with_a_capital() -> None:
    assert say("Gone. 5 left. 6 right.") == "Gone. Five left. Six right."


class TestNumbers:
    def test_cardinals_up_to_the_last_name_and_beyond(self) -> None:
        assert cardinal("0") == "zero"
        assert cardinal("000") == "zero"
        assert cardinal("1000001") == "one million one"
        assert cardinal("1000001", BRITISH) == "one million and one"
        assert cardinal("1" + "0" * 33) == "one decillion"
        assert cardinal("9" * 37).count("nine") == 37

    @given(st.integers(0, 10**15))
    def test_cardinals_agree_with_num2words(self, number: int) -> None:
        from num2words import num2words

        british = num2words(number).replace(",", "")
        assert cardinal(str(number), BRITISH) == british
        assert cardinal(str(number)) == british.replace(" and ", " ")

    @given(st.integers(1, 10**9))
    def test_ordinals_agree_with_num2words(self, number: int) -> None:
        from num2words import num2words

        theirs = num2words(number, to="ordinal").replace(",", "").replace(" and ", " ")
        assert ordinal(str(number)) == theirs

    def test_ordinal_of_a_round_number(self) -> None:
        assert make_ordinal("twenty") == "twentieth"

    @given(st.text(alphabet="0123456789", min_size=1, max_size=60))
    def test_no_digit_is_lost(self, digits: str) -> None:
        assert len(spelled_digits(digits).replace(",", "").split()) == len(digits)

    def test_codes_are_read_digit_by_digit(self) -> None:
        assert run_of_digits("007") == "zero zero seven"
        assert run_of_digits("1234567890123") == spelled_digits("1234567890123")
        assert run_of_digits("1000000000000000") == "one quadrillion"

    def test_years_names_and_fractions(self) -> None:
        assert [year(n) for n in (1000, 1900, 1905, 2000, 2009, 2010)] == [
            "one thousand",
            "nineteen hundred",
            "nineteen oh five",
            "two thousand",
            "two thousand nine",
            "twenty ten",
        ]
        assert [name_number(n) for n in ("7", "101", "747", "4090", "12345", "05")] == [
            "seven",
            "one oh one",
            "seven forty-seven",
            "forty ninety",
            "one two three four five",
            "zero five",
        ]
        assert fraction(1, 2) == "one half"
        assert fraction(3, 2) == "three halves"
        assert fraction(2, 21) == "two twenty-firsts"


HOSTILE = [
    "1",
    "1-",
    "1.",
    "123,",
    "a/b.",
    "A.",
    "a.",
    "+1 ",
    "[1",
    '5"',
    "1/2 ",
    "http://",
    "&/",
    "1x",
    "'9",
    "½",
    "(555) ",
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_rule_attempts_grow_with_the_text_and_no_faster(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def characters_matched(length: int) -> int:
        total = 0
        machine = reader()
        first = type(machine)._first

        def counted(self, source: str, place: int):
            nonlocal total
            match, words = first(self, source, place)
            total += 1 + (match.end() - match.start() if match else 0)
            return match, words

        with monkeypatch.context() as patch:
            patch.setattr(type(machine), "_first", counted)
            machine.read(TracedText.of((unit * length)[:length]))
        return total

    assert characters_matched(2000) <= 2.5 * characters_matched(1000) + 50


@pytest.mark.slow
@pytest.mark.parametrize("unit", [*HOSTILE, "It was the best of times in 1859, said Mr. Lee. ", "a", " ", "M"])
def test_time_grows_with_the_text_and_no_faster(unit: str) -> None:
    def seconds(length: int) -> float:
        text, best = TracedText.of((unit * length)[:length]), float("inf")
        for _ in range(3):
            began = time.process_time()
            read(text)
            best = min(best, time.process_time() - began)
        return best

    seconds(100)
    assert seconds(40_000) <= 2.5 * seconds(20_000) + 0.01
