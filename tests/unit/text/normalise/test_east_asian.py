"""Chinese, Japanese and Korean readings: the tables, and what holds for every text."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lungfish.text.normalise.reader import normalise
from lungfish.text.traced import TracedText

MODULES = {"zh": "chinese", "ja": "japanese", "ko": "korean"}
DATA = Path(__file__).parents[3] / "data"


def table(language: str) -> list[tuple[str, str, str]]:
    """(kind, text, reading) of a language."""
    lines = (DATA / f"readings_{language}.tsv").read_text(encoding="utf-8").splitlines()
    rows = [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")]
    return [(kind, text, reading) for kind, text, reading in rows]


TABLES = {language: table(language) for language in MODULES}
CASES = [(language, *row) for language, rows in TABLES.items() for row in rows]
FRAGMENTS = sorted({word for _, _, text, _ in CASES for word in (text, *text.split())})
SYMBOLS = (
    " \n.,;:!?-–—−+=<>~〜@&%°'\"()[]{}/\\^*_|$€£¥₩²³½℃→№#0123456789aAkmgLNVo年月日時点分秒第两시분초원개명번제〇零一二"
)


def say(text: str, language: str) -> str:
    return normalise(TracedText.of(text), language).text


def squeeze(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("language", MODULES)
def test_tables_are_large_and_of_many_kinds(language: str) -> None:
    rows = TABLES[language]
    assert len(rows) >= 35
    assert len({kind for kind, _, _ in rows}) >= 12
    assert len({text for _, text, _ in rows}) == len(rows)


@pytest.mark.parametrize(("language", "kind", "text", "reading"), CASES, ids=[f"{c[0]} {c[1]}: {c[2]}" for c in CASES])
def test_readings(language: str, kind: str, text: str, reading: str) -> None:
    assert squeeze(say(text, language)) == squeeze(reading)
    assert say(reading, language) == reading


@pytest.mark.parametrize(("language", "text"), [(language, text) for language, _, text, _ in CASES])
def test_offsets_point_at_what_was_read(language: str, text: str) -> None:
    done = normalise(TracedText.of(text, offset=7), language)
    assert len(done.starts) == len(done.ends) == len(done.text)
    at = 7
    for start, end in dict.fromkeys(zip(done.starts, done.ends, strict=True)):  # each stretch once, in order
        assert at == start < end
        at = end
    assert at == 7 + len(text)


@settings(max_examples=300)
@given(
    st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.sampled_from(SYMBOLS), st.text(max_size=3)), max_size=8),
    st.sampled_from(sorted(MODULES)),
)
def test_no_text_breaks_a_reader_and_reading_twice_changes_nothing(pieces: list[str], language: str) -> None:
    once = say("".join(pieces), language)
    assert say(once, language) == once
    assert not any(character in "0123456789" for character in once)


@given(st.text(max_size=40), st.sampled_from(sorted(MODULES)))
def test_texts_without_figures_and_symbols_are_left_alone(text: str, language: str) -> None:
    words = "".join(character for character in text if character.isalpha() or character.isspace())
    words = "".join(character for character in words if not character.isascii())
    assert say(words, language) == words


class TestNumbers:
    @given(st.integers(0, 10**12))
    def test_chinese_cardinals_agree_with_cn2an_but_for_two(self, number: int) -> None:
        from cn2an import an2cn

        from lungfish.text.normalise.chinese_numbers import cardinal

        theirs = an2cn(number)
        assert cardinal(str(number), order=True).replace("零", "") == theirs.replace("零", "")
        assert cardinal(str(number)).replace("两", "二") == cardinal(str(number), order=True)

    def test_chinese_zeros_and_twos(self) -> None:
        from lungfish.text.normalise.chinese_numbers import cardinal, digit_by_digit, number_words

        assert cardinal("100001000") == "一亿零一千"
        assert cardinal("10010") == "一万零一十"
        assert cardinal("1000000000005") == "一万亿零五"
        assert cardinal("22222") == "两万二千二百二十二"
        assert cardinal("200", order=True) == "二百"
        assert digit_by_digit("110", one="幺") == "幺幺零"
        assert number_words("2,000.50") == "二千点五零"
        assert number_words("0") == "零"


HOSTILE = [
    "1",
    "1-",
    "1.",
    "123,",
    "1:",
    "a.",
    "a@",
    "+1 ",
    "1/2 ",
    "http://",
    "1x",
    "½",
    "-",
    "$",
    "1~",
    "1 ",
    "1年",
    "제",
    "0",
]


def work(language: str, text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Places that the rules are tried at and characters that they take."""
    reader = import_module(f"lungfish.text.normalise.{MODULES[language]}").reader()
    total = 0
    first: Callable = type(reader)._first

    def counted(self, source: str, place: int):
        nonlocal total
        match, words = first(self, source, place)
        total += 1 + (match.end() - match.start() if match else 0)
        return match, words

    with monkeypatch.context() as patch:
        patch.setattr(type(reader), "_first", counted)
        reader.read(TracedText.of(text))
    return total


@pytest.mark.parametrize("language", MODULES)
@pytest.mark.parametrize("unit", HOSTILE)
def test_work_grows_with_the_text_and_no_faster(language: str, unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    short, long = ((unit * length)[:length] for length in (1000, 2000))
    assert work(language, long, monkeypatch) <= 2.5 * work(language, short, monkeypatch) + 50
