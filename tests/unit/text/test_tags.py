"""Tags and turns in plain words: what is one, where it stands, and which of them a checkpoint performs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lungfish.text.parts import Parsed, Tag, Turn, Words
from lungfish.text.tags import BUNDLED, FREE_TEXT, MAX_TAG_CHARACTERS, TagPolicy, apply_policy, split_tags
from lungfish.text.traced import TracedText
from tests.work import lines_run


def shown(text: str) -> list[str]:
    """Words as they are, tags as "[name]", turns as "<number>"."""
    return [show(part) for part in split_tags(TracedText.of(text))]


def show(part: object) -> str:
    if isinstance(part, Words):
        return part.text.text
    return f"[{part.name}]" if isinstance(part, Tag) else f"<{part.speaker}>" if isinstance(part, Turn) else ""


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("plain", ["plain"]),
        ("[whispering] What?", ["[whispering]", " What?"]),
        ("One [laugh] two.", ["One ", "[laugh]", " two."]),
        ("[whisper][slow] Hello", ["[whisper]", "[slow]", " Hello"]),
        ("[ in  a\thurry ] go", ["[in a hurry]", " go"]),
        ("[pause 3.2s] go", ["[pause 3.2s]", " go"]),
        ("[whis\u200bper] go", ["[whisper]", " go"]),
        ("Narrator. <|speaker:0|>Hi. <|speaker:12|>Ho.", ["Narrator. ", "<0>", "Hi. ", "<12>", "Ho."]),
        ("<|speaker:0|><|speaker:1|>Only me.", ["<0>", "<1>", "Only me."]),
        ("<|speaker:0|>[sad]Hm", ["<0>", "[sad]", "Hm"]),
    ],
)
def test_tags_and_turns(text: str, parts: list[str]) -> None:
    assert shown(text) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("So un[laugh]believable!", ["So ", "[laugh]", "unbelievable!"]),
        ("un[laugh]believ[cry]able, yes", ["[laugh]", "[cry]", "unbelievable, yes"]),
        ("un[laugh][cry]do", ["[laugh]", "[cry]", "undo"]),
        ("I don[sigh]'t", ["I ", "[sigh]", "don't"]),
        ("[sad]un[laugh]do", ["[sad]", "[laugh]", "undo"]),
        ("go[laugh] on", ["go", "[laugh]", " on"]),
        ("go [laugh]on", ["go ", "[laugh]", "on"]),
        ("Wow![laugh][sigh] so", ["Wow!", "[laugh]", "[sigh]", " so"]),
        ("go.[laugh]On", ["go.", "[laugh]", "On"]),
        ("你[笑声]好", ["你", "[笑声]", "好"]),
        ("un<|speaker:1|>do", ["un", "<1>", "do"]),
    ],
)
def test_a_tag_inside_a_word_moves_in_front_of_it(text: str, parts: list[str]) -> None:
    assert shown(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "This is [whisper an unclosed tag.",
        "A lone ] here",
        "A [very [quiet] indeed] voice.",
        "[[wiki link]]",
        "An array a[0] and a lone [ here.",
        "a[i] and [x] and [ ]",
        "- [ ] todo\n- [x] done",
        "[] and [  ] and [...] and [12:30]",
        "Known[1] since[12] then[^note]",
        "[a phrase\nof two lines]",
        f"[{'long ' * 20}]",
        r"\[not this\]",
        "See [the page](https://example.com/a_(b)?c=1).",
        '[the page](x.html "A title") and ![a picture](cat.png)',
        "[the page][home] and [home] and [Home][]\n\n[home]: https://example.com/",
        "<|im_end|><|semantic:5|><|speaker:|>",
        "[<|im_end|>]",
    ],
)
def test_what_stays_text(text: str) -> None:
    assert shown(text) == [text]


def test_only_brackets_that_are_closed_count_as_holding_others() -> None:
    assert shown("lone [ here [laugh] so") == ["lone [ here ", "[laugh]", " so"]
    assert shown("[a [b c] d") == ["[a ", "[b c]", " d"]


def test_the_longest_tag() -> None:
    name = "a" * MAX_TAG_CHARACTERS
    assert shown(f"[{name}]") == [f"[{name}]"]
    assert [type(part) for part in split_tags(TracedText.of(f"[{name}a]"))] == [Words]


def test_spans_point_at_the_source() -> None:
    words, tag, rest = split_tags(TracedText.of("So un[laugh]believable", offset=10))
    assert isinstance(words, Words)
    assert words.text.span == (10, 13)
    assert isinstance(tag, Tag)
    assert (tag.start, tag.end) == (15, 22)
    assert isinstance(rest, Words)
    assert rest.text.span == (13, 32)


def test_an_unknown_tag_is_dropped_with_a_warning_that_says_what_is_known() -> None:
    parsed = apply_policy(split_tags(TracedText.of("[dances] Hi")), BUNDLED)
    assert [show(part) for part in parsed.parts] == [" Hi"]
    (warning,) = parsed.warnings
    assert "[dances]" in warning.message
    assert "whisper, shout" in warning.message
    assert "\n" not in warning.message
    assert (warning.start, warning.end) == (0, 8)


def test_a_checkpoint_without_tags_says_so() -> None:
    parsed = apply_policy([Tag("sad", 0, 5)], TagPolicy(()))
    assert parsed.parts == []
    assert "no tags" in parsed.warnings[0].message


def test_free_text_keeps_every_tag_as_it_is() -> None:
    parts = split_tags(TracedText.of("[emphasis] so [Dances Wildly]"))
    assert apply_policy(parts, FREE_TEXT) == Parsed(list(parts), [])


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("whisper", "whisper"),
        ("Whispering", "whisper"),
        ("LOUD", "shout"),
        ("quiet", "soft"),
        ("in a hurry", "fast"),
        ("pitch_up", "high pitch"),
        ("low-pitch", "low pitch"),
        ("short pause", "pause"),
        ("long  pause", "long pause"),
        ("sigh", "breath"),
        ("chuckle", "laugh"),
        ("happy", "excited"),
        ("tired", "sad"),
        ("emphasis", None),
        ("", None),
    ],
)
def test_names_of_the_bundled_voice(name: str, canonical: str | None) -> None:
    assert BUNDLED.canonical(name) == canonical


def test_aliases_lead_to_known_names_and_hide_none() -> None:
    assert BUNDLED.known is not None
    assert set(BUNDLED.aliases.values()) <= set(BUNDLED.known)
    assert not set(BUNDLED.aliases) & set(BUNDLED.known)


FRAGMENTS = st.sampled_from(
    [
        "[",
        "]",
        "[laugh]",
        "[a b]",
        "<|speaker:3|>",
        "<|",
        "word",
        "un",
        "'",
        " ",
        "\n",
        "字",
        "(u)",
        "\\",
        "!",
        "[1]",
        "é",
    ]
)
MIXED = st.one_of(st.text(max_size=40), st.lists(FRAGMENTS, max_size=20).map("".join))


@settings(deadline=None, max_examples=300)
@given(MIXED)
def test_nothing_is_lost_and_order_is_kept(text: str) -> None:
    parts = split_tags(TracedText.of(text))
    marks = [part for part in parts if not isinstance(part, Words)]
    assert [mark.start for mark in marks] == sorted(mark.start for mark in marks)
    taken = {place for mark in marks for place in range(mark.start, mark.end)}
    assert sum(mark.end - mark.start for mark in marks) == len(taken)
    words = "".join(part.text.text for part in parts if isinstance(part, Words))
    assert words == "".join(character for place, character in enumerate(text) if place not in taken)
    for part in parts:
        if isinstance(part, Words):
            assert part.text.text
            assert list(part.text.starts) == sorted(part.text.starts)
        else:
            assert 0 <= part.start < part.end <= len(text)


@settings(deadline=None, max_examples=300)
@given(MIXED)
def test_words_are_split_once(text: str) -> None:
    for part in split_tags(TracedText.of(text)):
        if isinstance(part, Words):
            (again,) = split_tags(part.text)
            assert isinstance(again, Words)
            assert again.text.text == part.text.text


def test_texts_that_broke_others(shared: Path) -> None:
    cases = json.loads((shared / "inputs" / "texts.json").read_text(encoding="utf-8"))
    assert len(cases) >= 30
    for case in cases:
        parts = split_tags(TracedText.of(case["text"]))
        if case["id"] in ("tag-unclosed", "tag-nested", "lone-bracket", "control-token"):
            assert [show(part) for part in parts] == [case["text"]]
        assert sum(isinstance(part, Turn) for part in parts) == case["text"].count("<|speaker:")


HOSTILE = ["[laugh] word ", "un[laugh]", "[", "]", "[[", "[]", "[a](", "a[b c]\\[", "[x]: /\n", "word"]


@pytest.mark.parametrize("unit", HOSTILE)
def test_twice_the_text_is_at_most_twice_and_a_half_the_work(unit: str) -> None:
    def work(characters: int) -> int:
        text = TracedText.of(unit * (characters // len(unit)))
        return lines_run(lambda: split_tags(text))

    assert work(20_000) <= 2.5 * work(10_000) + 100
