"""Splitting: where pieces end, and what holds for every text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lungfish.text.sentences import sentence_spans, split_sentences
from lungfish.text.splitter import Piece, split
from lungfish.text.traced import TracedText


def pieces(text: str, limit: int = 1000) -> list[tuple[str, str]]:
    return [(piece.text.text, piece.ends) for piece in split(TracedText.of(text), lambda part: len(part) <= limit)]


def texts(text: str, limit: int = 1000) -> list[str]:
    return [words for words, _ in pieces(text, limit)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("“Go!” he said. She went.", ["“Go!” he said.", "She went."]),
        (
            "Dr. No met J. R. Smith at 3.14 p.m. today. He left.",
            ["Dr. No met J. R. Smith at 3.14 p.m. today.", "He left."],
        ),
        ("First line\n\nsecond line", ["First line", "second line"]),
        ("Wait... what? Yes.", ["Wait... what?", "Yes."]),
        ("今日は。明日は！", ["今日は。", "明日は！"]),
        ("她说：“你好。”然后走了。", ["她说：“你好。”", "然后走了。"]),
        ("   ", []),
        ("", []),
        ("no end", ["no end"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert texts(text) == expected
    assert split_sentences(text) == expected


def test_what_a_piece_ends() -> None:
    assert pieces("One. Two.\n\nThree. Four") == [
        ("One.", "sentence"),
        ("Two.", "paragraph"),
        ("Three.", "sentence"),
        ("Four", "sentence"),
    ]


def test_clauses_before_words_before_anywhere() -> None:
    text = "When the rain stopped, the children ran out; nobody saw the dog that slept"
    assert pieces(text, 45) == [
        ("When the rain stopped, the children ran out;", "clause"),
        ("nobody saw the dog that slept", "sentence"),
    ]
    assert pieces(text, 24)[:3] == [
        ("When the rain stopped,", "clause"),
        ("the children ran out;", "clause"),
        ("nobody saw the dog that", "word"),
    ]
    assert pieces("a" * 25, 10) == [("a" * 10, "part"), ("a" * 10, "part"), ("a" * 5, "sentence")]


@pytest.mark.parametrize("number", ["3.14159", "1,000,000", "12:30", "1 000 000", "10–20"])
def test_never_inside_a_number(number: str) -> None:
    for limit in range(11, 30):
        assert any(
            number in piece for piece in texts(f"we counted them all and it was {number} in the end of it", limit)
        )


@pytest.mark.parametrize("limit", range(14, 40))
def test_never_inside_a_tag(limit: int) -> None:
    assert any(
        "[soft voice]" in piece for piece in texts("they came back and [soft voice] said that it was over", limit)
    )


def test_marks_stay_with_their_letters() -> None:
    text = "e\u0301" * 40
    assert all(len(piece) % 2 == 0 for piece in texts(text, 7))


def test_a_character_is_taken_even_if_it_does_not_fit() -> None:
    assert texts("abc", 0) == ["a", "b", "c"]


@given(st.text(alphabet=st.sampled_from("ab .,;:!?…\n\t01“”()[]—。、あ\u0301é"), max_size=200), st.integers(1, 60))
@settings(max_examples=300, deadline=None)
def test_every_character_in_order_and_where_it_was(text: str, limit: int) -> None:
    found = split(TracedText.of(text), lambda part: len(part) <= limit)
    assert "".join("".join(piece.text.text.split()) for piece in found) == "".join(text.split())
    before = 0
    for piece in found:
        assert piece.text.text.strip() == piece.text.text != ""
        start, end = piece.text.span
        assert before <= start < end <= len(text)
        assert text[start:end] == piece.text.text
        before = end


@given(st.text(max_size=300))
@settings(max_examples=100, deadline=None)
def test_spans_cover_the_text(text: str) -> None:
    at = 0
    for start, end, _ in sentence_spans(text):
        assert not text[at:start].strip()
        at = end
    assert not text[at:].strip()


@pytest.mark.parametrize("unit", ["word ", "a", ". ", "...", "a, ", "あ", "\n", "[x y] ", "1,0", "(", "“Hi.” "])
def test_work_is_linear(unit: str) -> None:
    def work(size: int) -> int:
        seen = 0

        def fits(part: str) -> bool:
            nonlocal seen
            seen += len(part)
            return len(part) <= 100

        split(TracedText.of(unit * (size // len(unit))), fits)
        return seen

    assert work(40_000) <= 2.5 * work(20_000) + 1000


def test_a_piece_is_a_piece() -> None:
    piece = split(TracedText.of("One.", offset=7), lambda _: True)[0]
    assert isinstance(piece, Piece)
    assert piece.text.span == (7, 11)
