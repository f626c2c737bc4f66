from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lungfish.text.sentences import split_pieces, split_sentences

WITHOUT_SPACE = re.compile(r"\s+")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Dr. Lee met Mr. J. Smith at 5 p.m. in St. Ives.", ["Dr. Lee met Mr. J. Smith at 5 p.m. in St. Ives."]),
        ("It cost $1,200.50 today. Really?", ["It cost $1,200.50 today.", "Really?"]),
        ('"Go!" he said. "Now."', ['"Go!" he said.', '"Now."']),
        ("He left... and came back. Then slept.", ["He left... and came back.", "Then slept."]),
        ("A title\n\nA paragraph.", ["A title", "A paragraph."]),
        ("今日は。元気？", ["今日は。", "元気？"]),
        ("no end", ["no end"]),
        ("It was I. You knew.", ["It was I.", "You knew."]),
        ("", []),
        (" \n ", []),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert split_sentences(text) == expected


def texts(text: str, limit: int) -> list[str]:
    return [piece.text for piece in split_pieces(text, lambda part: len(part) <= limit)]


def test_short_sentences_share_a_piece() -> None:
    assert texts("Oh. Yes. This one is a good deal longer than thirty characters.", 200) == [
        "Oh. Yes. This one is a good deal longer than thirty characters."
    ]
    assert texts("Oh. Yes. This one is a good deal longer than thirty characters.", 60) == [
        "Oh. Yes.",
        "This one is a good deal longer than thirty characters.",
    ]


def test_a_long_sentence_breaks_at_clauses_then_words() -> None:
    sentence = "the first clause is here, the second clause is there; and a third one without any mark at all"
    assert texts(sentence, 50) == [
        "the first clause is here,",
        "the second clause is there;",
        "and a third one without any mark at all",
    ]
    assert texts(sentence, 30)[2:] == ["and a third one without any", "mark at all"]
    ends = [
        piece.ends_sentence
        for piece in split_pieces(sentence + ". Next sentence of enough length.", lambda p: len(p) <= 50)
    ]
    assert ends == [False, False, True, True]


def test_sixty_repetitions_are_all_kept() -> None:
    text = " ".join(["and the road went on past the mill"] * 60)
    pieces = texts(text, 150)
    assert " ".join(pieces) == text
    assert all(len(piece) <= 150 for piece in pieces)


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet=st.sampled_from("ab I.,;!?()-— \n\t…。”'0"), max_size=120), st.integers(1, 40))
def test_nothing_is_lost_and_everything_fits(text: str, limit: int) -> None:
    pieces = texts(text, limit)
    assert "".join(WITHOUT_SPACE.sub("", piece) for piece in pieces) == WITHOUT_SPACE.sub("", text)
    assert all(0 < len(piece) <= limit and piece == piece.strip() for piece in pieces)
