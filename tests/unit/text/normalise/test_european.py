"""German, French, Spanish, Italian and Portuguese readings: the tables, and what holds for every text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lungfish.text.normalise import french, german, italian, portuguese, spanish
from lungfish.text.normalise.european_language import NUMBER, parts
from lungfish.text.normalise.reader import normalise
from lungfish.text.normalise.rules import RuleReader
from lungfish.text.traced import TracedText

LANGUAGES = ("de", "fr", "es", "it", "pt")
READERS = {"de": german, "fr": french, "es": spanish, "it": italian, "pt": portuguese}
DATA = Path(__file__).parents[3] / "data"
CASES = [
    (language, *line.split("\t"))
    for language in LANGUAGES
    for line in (DATA / f"readings_{language}.tsv").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
MIN_CASES = 35
MIN_KINDS = 18
FRAGMENTS = sorted({word for _, _, text, _ in CASES for word in (text, *text.split())})
SYMBOLS = " \n.,;:!?-–—−+=<>~#@&%°'\"’“”„«»()[]{}/\\^*_|$€£¥²³½ºª©→§0123456789aAbIVXLCDMhmkx"


def say(text: str, language: str) -> str:
    return normalise(TracedText.of(text), language).text


def once(text: str, language: str) -> str:
    return READERS[language].reader().read(TracedText.of(text)).text


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_are_large_and_of_many_kinds(language: str) -> None:
    rows = [case for case in CASES if case[0] == language]
    assert len(rows) >= MIN_CASES
    assert len({kind for _, kind, _, _ in rows}) >= MIN_KINDS
    assert len({text for _, _, text, _ in rows}) == len(rows)


@pytest.mark.parametrize(
    ("language", "text", "reading"),
    [(language, text, reading) for language, _, text, reading in CASES],
    ids=[f"{language} {kind}: {text}" for language, kind, text, _ in CASES],
)
def test_readings(language: str, text: str, reading: str) -> None:
    assert say(text, language) == reading


@pytest.mark.parametrize(("language", "text"), [(language, text) for language, _, text, _ in CASES])
def test_one_reading_is_enough(language: str, text: str) -> None:
    read = once(text, language)
    assert once(read, language) == read


@pytest.mark.parametrize(("language", "text"), [(language, text) for language, _, text, _ in CASES])
def test_offsets_go_forward_and_leave_nothing_out(language: str, text: str) -> None:
    done = normalise(TracedText.of(text, offset=7), language)
    at = 7
    for start, end in dict.fromkeys(zip(done.starts, done.ends, strict=True)):  # each stretch once, in order
        assert start == at
        assert end > start
        at = end
    assert at == 7 + len(text)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(FRAGMENTS) | st.sampled_from(SYMBOLS), max_size=8),
    st.sampled_from(["", " "]),
    st.sampled_from(LANGUAGES),
)
def test_no_fragments_break_a_reader_and_no_digit_is_left(pieces: list[str], between: str, language: str) -> None:
    done = say(between.join(pieces), language)
    assert not re.search("[0-9]", done)
    assert say(done, language) == done


@settings(deadline=None)
@given(st.text(max_size=60), st.sampled_from(LANGUAGES))
def test_no_text_breaks_a_reader_and_no_digit_is_left(text: str, language: str) -> None:
    done = say(text, language)
    assert not re.search("[0-9]", done)
    assert say(done, language) == done


def test_regions_of_portuguese() -> None:
    assert say("16 km por 1.000.000.000", "pt") == "dezesseis quilômetros por um bilhão"
    assert say("16 km por 1.000.000.000", "pt-BR") == "dezesseis quilômetros por um bilhão"
    assert say("16 km por 1.000.000.000", "pt-PT") == "dezasseis quilómetros por mil milhões"
    assert say("0,99 €", "pt-PT") == "noventa e nove cêntimos"


def test_numbers_are_taken_apart_as_they_are_written() -> None:
    assert re.fullmatch(NUMBER, "1.234,56")
    assert parts("1.234,56") == ("1234", ",", "56")
    assert parts("1 234") == ("1234", "", "")
    assert parts("1'234.5") == ("1234", ".", "5")
    assert parts("1,234.56") == ("1234", ".", "56")
    assert parts("1,234,567") == ("1234567", "", "")
    assert parts("0.500") == ("0", ".", "500")


def test_german_cardinals_agree() -> None:
    assert german.cardinal(1) == "eins"
    assert german.cardinal(1, "m") == german.cardinal(1, "n") == "ein"
    assert german.cardinal(1, "f") == "eine"
    assert german.cardinal(101_000) == "hunderteintausend"
    assert german.cardinal(101_000_000) == "hunderteine Millionen"


def test_romance_cardinals_agree() -> None:
    assert [french.cardinal(n) for n in (70, 71, 80, 81, 91, 99)] == [
        "soixante-dix",
        "soixante et onze",
        "quatre-vingts",
        "quatre-vingt-un",
        "quatre-vingt-onze",
        "quatre-vingt-dix-neuf",
    ]
    assert french.cardinal(81, "f") == "quatre-vingt-une"
    assert french.cardinal(11, "f") == "onze"
    assert spanish.cardinal(31_000_000) == "treinta y un millones"
    assert spanish.cardinal(1_000_500, "f") == "un millón quinientas"
    assert spanish.cardinal(200_000_200, "f") == "doscientos millones doscientas"
    assert italian.cardinal(1_000_023) == "un milione ventitré"
    assert portuguese.cardinal(1_000_202, "f") == "um milhão duzentas e duas"


def test_ordinals_that_num2words_gets_wrong() -> None:
    assert spanish.ordinal(11) == "undécimo"
    assert spanish.ordinal(13, "f") == "decimotercera"
    assert french.ordinal(200) == "deux centième"
    assert french.ordinal(9) == "neuvième"
    assert french.ordinal(25) == "vingt-cinquième"
    assert italian.ordinal(23) == "ventitreesimo"


HOSTILE = [
    "1",
    "1-",
    "1.",
    "123,",
    "1 000 ",
    "a/b.",
    "A.",
    "a.",
    "+1 ",
    "1/2 ",
    "http://",
    "&/",
    "1x",
    "½",
    "1. ",
    "XI. ",
    "0 1",
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("unit", HOSTILE)
def test_rule_attempts_grow_with_the_text_and_no_faster(
    language: str, unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def characters_matched(length: int) -> int:
        total = 0
        first = RuleReader._first

        def counted(self: RuleReader, source: str, place: int) -> tuple[re.Match[str] | None, str | None]:
            nonlocal total
            match, words = first(self, source, place)
            total += 1 + (match.end() - match.start() if match else 0)
            return match, words

        with monkeypatch.context() as patch:
            patch.setattr(RuleReader, "_first", counted)
            READERS[language].reader().read(TracedText.of((unit * length)[:length]))
        return total

    assert characters_matched(2000) <= 2.5 * characters_matched(1000) + 50
