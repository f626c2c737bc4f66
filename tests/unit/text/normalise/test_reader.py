"""The registry of languages, what `say_as` makes of a text, and languages that have no reader."""

from __future__ import annotations

import importlib.util

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lungfish.errors import TextError
from lungfish.text.normalise import plain_numbers
from lungfish.text.normalise.reader import is_british, languages, normalise, split_tag
from lungfish.text.normalise.say_as import DATE_FORMATS, KINDS
from lungfish.text.traced import TracedText


def say(text: str, language: str = "en", kind: str | None = None, form: str | None = None) -> str:
    return normalise(TracedText.of(text), language, kind, form).text


def test_languages_are_the_ten_that_are_promised() -> None:
    assert languages() == ("de", "en", "es", "fr", "it", "ja", "ko", "pt", "ru", "zh")


@pytest.mark.parametrize("language", [language for language in languages() if language != "en"])
def test_every_language_reads_in_its_own_words(language: str) -> None:
    from lungfish.text.normalise.reader import _MODULES

    if importlib.util.find_spec(f"lungfish.text.normalise.{_MODULES[language]}") is None:
        pytest.skip("not written yet")
    done = say("12", language)
    assert done not in ("", "12", "twelve")


@pytest.mark.parametrize(
    ("tag", "parts"),
    [
        ("en", ("en", "")),
        ("en-GB", ("en", "gb")),
        ("pt_BR", ("pt", "br")),
        ("zh-Hant-TW", ("zh", "tw")),
        ("eng", ("en", "")),
        ("deu-AT", ("de", "at")),
        ("tlh", ("tlh", "")),
    ],
)
def test_tags_are_taken_apart(tag: str, parts: tuple[str, str]) -> None:
    assert split_tag(tag) == parts


def test_regions_of_english() -> None:
    assert say("101 on 2/1/2003", "en-GB") == "one hundred and one on the second of January two thousand and three"
    assert (
        say("101 on 2/1/2003", "en-US")
        == say("101 on 2/1/2003", "en")
        == ("one hundred one on February first two thousand three")
    )
    assert is_british("au")
    assert not is_british("us")


SAID = [
    ("characters", None, "A-1 b", "A dash one B"),
    ("characters", None, "hello", "H E L L O"),
    ("spell-out", None, "B2B", "B two B"),
    ("cardinal", None, "1999", "one thousand nine hundred ninety-nine"),
    ("cardinal", None, "-5", "minus five"),
    ("cardinal", None, "XIV", "fourteen"),
    ("cardinal", None, "007", "seven"),
    ("ordinal", None, "3", "third"),
    ("ordinal", None, "21st", "twenty-first"),
    ("ordinal", None, "XIV", "fourteenth"),
    ("digits", None, "1999", "one nine nine nine"),
    ("digits", None, "12.5", "one two point five"),
    ("telephone", None, "5551234", "five five five one two three four"),
    ("telephone", None, "(555) 123-4567", "five five five, one two three, four five six seven"),
    ("telephone", None, "+1 555 0199", "plus one, five five five, zero one nine nine"),
    ("date", None, "01/02/2003", "January second two thousand three"),
    ("date", "mdy", "01/02/2003", "January second two thousand three"),
    ("date", "dmy", "01/02/2003", "February first two thousand three"),
    ("date", "ymd", "2003-05-04", "May fourth two thousand three"),
    ("date", "yyyymmdd", "20030504", "May fourth two thousand three"),
    ("date", "ym", "2003-05", "May two thousand three"),
    ("date", "my", "5/2003", "May two thousand three"),
    ("date", "md", "5/4", "May fourth"),
    ("date", "dm", "5/4", "April fifth"),
    ("date", "y", "1905", "nineteen oh five"),
    ("date", "dmy", "3 Jan 99", "January third ninety-nine"),
    ("date", None, "Jan 3, 1999", "January third nineteen ninety-nine"),
    ("time", None, "2:30pm", "two thirty P M"),
    ("time", None, "1'21\"", "one minute and twenty-one seconds"),
    ("fraction", None, "2/50", "two fiftieths"),
    ("fraction", None, "3+1/2", "three and one half"),
    ("unit", None, "10km", "ten kilometers"),
    ("currency", None, "$5.20", "five dollars and twenty cents"),
]


@pytest.mark.parametrize(("kind", "form", "text", "reading"), SAID)
def test_said_as(kind: str, form: str | None, text: str, reading: str) -> None:
    assert say(text, "en", kind, form) == reading


def test_every_kind_is_tried_and_turns_something() -> None:
    assert {kind for kind, _, _, _ in SAID} == set(KINDS)
    assert len({say("1/2/2003", "en", kind) for kind in KINDS}) > 3


def test_a_text_of_another_kind_is_read_as_it_looks() -> None:
    for kind in KINDS[2:]:
        assert say("no such thing", "en", kind) == "no such thing"
    assert say("13/13/2003", "en", "date", "dmy") == say("13/13/2003")


def test_unknown_kinds_and_formats_are_refused_by_name() -> None:
    with pytest.raises(TextError, match=r"'yodel'.*characters.*currency"):
        say("5", "en", "yodel")
    with pytest.raises(TextError, match=r"'qqq'.*mdy.*ymd"):
        say("5", "en", "date", "qqq")
    with pytest.raises(TextError, match="'yodel'"):
        say("5", "nl", "yodel")


@given(st.text(max_size=30), st.sampled_from(KINDS), st.sampled_from([None, *DATE_FORMATS]))
def test_no_text_breaks_a_kind(text: str, kind: str, form: str | None) -> None:
    done = normalise(TracedText.of(text), "en", kind, form)
    assert len(done.starts) == len(done.text)
    assert all(0 <= start <= end <= len(text) for start, end in zip(done.starts, done.ends, strict=True))


def test_kinds_in_other_languages() -> None:
    assert say("12", "nl", "cardinal") == "twaalf"
    assert say("3", "nl", "ordinal") == "derde"
    assert say("12", "nl", "digits") == "één twee"
    assert say("AB 1", "nl", "characters") == "A B één"


def test_offsets_of_characters() -> None:
    done = normalise(TracedText.of("a1", offset=5), "en", "characters")
    assert done.text == "A one"
    assert done.span_of(0, 1) == (5, 6)
    assert done.span_of(2, 5) == (6, 7)


class TestPlainNumbers:
    def test_whole_numbers_decimals_signs_and_codes(self) -> None:
        assert say("ik heb 21 of 3,5", "nl") == "ik heb eenentwintig of drie komma vijf"
        assert say("-5", "nl") == "min vijf"
        assert say("1.234", "nl") == say("1234", "nl") == "duizendtweehonderdvierendertig"
        assert say("007", "nl") == "nul nul zeven"

    def test_where_num2words_is_wrong_the_mark_stays(self) -> None:
        assert say("-5", "vi") == "-năm"
        assert say("3,5", "tr") == "üç, beş"

    def test_unknown_languages_are_left_alone(self) -> None:
        text = TracedText.of("5 tlh 1.5")
        assert normalise(text, "tlh") is text
        assert normalise(text, "und").text == "5 tlh 1.5"

    @given(st.text(alphabet="0123456789.,- a", max_size=40), st.sampled_from(["nl", "pl", "tr", "cs", "ar", "vi"]))
    def test_no_text_breaks_them_and_no_digit_is_left(self, text: str, language: str) -> None:
        done = say(text, language)
        assert not any(character in "0123456789" for character in done)

    def test_regional_words(self) -> None:
        assert plain_numbers.supported("en_IN")
        assert not plain_numbers.supported("xx")
