"""Scripts: who speaks, what is a name and what is not, and that nothing else is lost."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lungfish.errors import TextError
from lungfish.text.parts import Part, Tag, Turn, Words
from lungfish.text.script import parse_script
from tests.work import lines_run

VOICES = {"Anna": "coral", "Ben": "marlin", "Jean-Luc O'Neil": "coral", "小明": "marlin", "सीमा": "coral", "Two": "2"}
KNOWN = ("coral", "marlin")


def parse(source: str) -> list[Part]:
    return parse_script(source, VOICES, KNOWN).parts


def shown(source: str) -> list[str]:
    return [show(part) for part in parse(source)]


def show(part: Part) -> str:
    if isinstance(part, Words):
        return part.text.text
    if isinstance(part, Tag):
        return f"[{part.name}]"
    assert isinstance(part, Turn)
    return f"<{part.speaker if part.voice is None else part.voice}>"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("", []),
        ("Only words.", ["Only words."]),
        ("ANNA: Hi.\nBEN: Ho.", ["<coral>", "Hi.", "<marlin>", "Ho."]),
        ("Once.\n\nanna: Hi.\nIt is late.\n\nBen:\tHo.", ["Once.", "<coral>", "Hi.\nIt is late.", "<marlin>", "Ho."]),
        ("Marlin: Hi.", ["<marlin>", "Hi."]),
        ("ANNA:\r\nHi.\r\nBEN: Ho.\rANNA:", ["<coral>", "Hi.", "<marlin>", "Ho.", "<coral>"]),
        ("\ufeffANNA: Hi.", ["<coral>", "Hi."]),
        ("  ANNA : Hi.", ["<coral>", "Hi."]),
        ("jean-luc  O'Neil: Hi.", ["<coral>", "Hi."]),
        ("小明：你好。", ["<marlin>", "你好。"]),
        ("सीमा: नमस्ते", ["<coral>", "नमस्ते"]),
        ("BEN (very  tired): Ho.", ["<marlin>", "[very tired]", "Ho."]),
        ("TWO: Hi.\nSpeaker 3: Ho.\n4: Ha.", ["<2>", "Hi.", "<3>", "Ho.", "<4>", "Ha."]),
        ("Once. <|speaker:0|>Hi.<|speaker:1|> Ho.", ["Once.", "<0>", "Hi.", "<1>", "Ho."]),
        ("<|speaker:0|><|speaker:1|>Ho.\nANNA: Hi.", ["<0>", "<1>", "Ho.", "<coral>", "Hi."]),
        ("<|speaker:x|> <|im_end|>", ["<|speaker:x|> <|im_end|>"]),
    ],
)
def test_turns(source: str, expected: list[str]) -> None:
    assert shown(source) == expected


@pytest.mark.parametrize(
    "words",
    [
        "https://example.com is an address",
        "12:30 is a time",
        "a:b",
        ": a",
        "- Anna: a",
        "Well, he said: a",
        "x" * 41 + ": a",
        "A [b]: c",
        "_Anna_: a",
    ],
)
def test_what_is_no_name(words: str) -> None:
    assert shown(words) == [words]
    assert shown(f"ANNA: a\n{words}") == ["<coral>", f"a\n{words}"]


def test_forty_characters_are_a_name() -> None:
    (turn, words) = parse_script("x" * 40 + ": a", {"X" * 40: "coral"}, ()).parts
    assert isinstance(turn, Turn)
    assert turn.voice == "coral"
    assert show(words) == "a"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("Note: this", r"line 1: nobody knows who 'Note' is; known: anna, ben, coral"),
        ("ANNA: a\r\n\r\nEVE: b", "line 3: .*'EVE'"),
        ("ANNA: a\rb\n\nEVE (sad): b", "line 4: .*'EVE'"),
    ],
)
def test_unknown_names_are_errors_with_their_line(source: str, message: str) -> None:
    with pytest.raises(TextError, match=message) as caught:
        parse(source)
    assert "\n" not in str(caught.value)


def test_where_nobody_is_known_the_error_says_so_and_long_lists_are_cut() -> None:
    with pytest.raises(TextError, match="known: nobody"):
        parse_script("EVE: a", {}, ())
    with pytest.raises(TextError, match=r"v11, \.\.\."):
        parse_script("EVE: a", {}, tuple(f"v{number:02}" for number in range(30)))


def test_given_names_go_before_the_checkpoints() -> None:
    (turn, _) = parse_script("CORAL: a", {"coral": "marlin"}, KNOWN).parts
    assert isinstance(turn, Turn)
    assert turn.voice == "marlin"


def test_spans_point_at_what_was_written() -> None:
    source = "\ufeffé.\n  ANNA (so  sad): ö.\n<|speaker:12|>ü"
    spans = [part.text.span if isinstance(part, Words) else (part.start, part.end) for part in parse(source)]
    assert [source[start:end] for start, end in spans] == [
        "\ufeffé.", "ANNA (so  sad):", "so  sad", "ö.", "<|speaker:12|>", "ü",
    ]  # fmt: skip


_PIECES = [
    "ANNA: ",
    "Ben (x): ",
    "EVE: ",
    "小明：",
    "<|speaker:1|>",
    ":",
    " ",
    "\n",
    "\r",
    "a",
    "é",
    "12:30",
    "\ufeff",
    "(",
    ")",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=14).map("".join) | st.text(max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_gives_parts_in_order_or_a_text_error(source: str) -> None:
    try:
        parts = parse(source)
    except TextError as error:
        assert "\n" not in str(error)  # noqa: PT017
        return
    covered = [False] * len(source)
    begins = []
    for part in parts:
        start, end = part.text.span if isinstance(part, Words) else (part.start, part.end)
        assert 0 <= start <= end <= len(source)
        begins.append(start)
        covered[start:end] = [True] * (end - start)
        if isinstance(part, Words):
            assert source[start:end] == part.text.text
    assert all(before <= after for before, after in itertools.pairwise(begins))
    assert all(
        used or character.isspace() or character == "\ufeff" for used, character in zip(covered, source, strict=True)
    )


@pytest.mark.parametrize("unit", ["ANNA: a\n", "<|speaker:1|>a", "a b c d e f g h i\n", "Well (a) \r\n", "a" * 50])
def test_work_is_linear(unit: str) -> None:
    def work(count: int) -> int:
        return lines_run(lambda: parse(unit * count))

    assert work(1600) <= 2.5 * work(800)
