"""Long text into pieces that can be said in one go: at sentences first, then clauses, then words, then anywhere.

A piece never ends inside a tag in brackets, inside a number (3.14, 1 000, 12:30) or before a mark that belongs to the letter
or word in front of it. Sentences are never joined here; what is too long for one go is cut into as few pieces as greedy
packing finds. Invariants: no piece is empty; together they hold every character but blanks at their ends, in order. `fits`
is called a number of times that grows with the number of pieces, on stretches not much longer than a piece: work is linear.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lungfish.text.sentences import sentence_spans
from lungfish.text.traced import TracedText

_CLAUSE = re.compile(
    r"(?<=[,;:])[\"'”’»)\]]{0,3}\s{1,8}(?![0-9])"
    r"|(?<=[、；：，—–…])\s{0,8}(?![0-9\s])"
    r"|\s{1,8}(?=[(—–«“]|- )"
    r"|(?<=[)»”])\s{1,8}"
)
_BLANK = re.compile(r"(?<![0-9])\s{1,8}|\s{1,8}(?![0-9])")
_ANYWHERE = re.compile(r"(?<=[^0-9])(?<![0-9][.,:])(?=[^\s])|(?<=[0-9])(?=[^0-9.,:\s])")
_TAG = re.compile(r"\[[^\[\]\n]{1,82}\]")
_TAG_CHARACTERS = 90
_FIRST_TRY = 64


@dataclass(frozen=True, eq=False)
class Piece:
    """Attributes:
    text: what is said in one go.
    ends: what ends with it: "paragraph", "sentence", "clause", "word" or "part" (of a word).
    """

    text: TracedText
    ends: str


def split(text: TracedText, fits: Callable[[str], bool]) -> list[Piece]:
    """Pieces of `text` that each fit.

    Args:
        text: anything.
        fits: whether a stretch can be said in one go; where it holds it must hold for every shorter one. A single character
            is taken even if it does not.
    """
    return [
        piece
        for start, end, ends in sentence_spans(text.text)
        if (sentence := text[start:end].strip()).text
        for piece in _fit(sentence, fits, ends)
    ]


def _fit(sentence: TracedText, fits: Callable[[str], bool], ends: str) -> Iterator[Piece]:
    begin, length = 0, len(sentence)
    while begin < length:
        limit = _limit(sentence.text, begin, fits)
        if limit is None:
            yield Piece(sentence[begin:].strip(), ends)
            return
        cut, kind = _cut(sentence.text, begin, limit, fits)
        piece = sentence[begin:cut].strip()
        if piece.text:
            yield Piece(piece, kind if cut < length else ends)
        begin = cut


def _limit(text: str, begin: int, fits: Callable[[str], bool]) -> int | None:
    """A place not far behind the last at which text[begin:place] fits; None where all the rest does."""
    size = _FIRST_TRY
    while begin + size < len(text):
        if not fits(text[begin : begin + size].strip()):
            return begin + size
        size *= 2
    return None if fits(text[begin:].strip()) else len(text)


def _cut(text: str, begin: int, limit: int, fits: Callable[[str], bool]) -> tuple[int, str]:
    """Where to cut so that the stretch from `begin` fits, and what ends there."""
    tags = [match.span() for match in _TAG.finditer(text, begin, min(len(text), limit + _TAG_CHARACTERS))]
    first = limit
    for pattern, kind in ((_CLAUSE, "clause"), (_BLANK, "word"), (_ANYWHERE, "part")):
        places = [place for place in _places(pattern, text, begin, limit) if not _inside(place, tags)]
        first = places[0] if places else limit
        # The first that does not fit; those before it do.
        number = bisect_left(places, True, key=lambda place: not fits(text[begin:place].strip()))
        if number:
            return places[number - 1], kind
    return first, "part"


def _places(pattern: re.Pattern[str], text: str, begin: int, limit: int) -> list[int]:
    """Places at which a piece may end, before `limit`."""
    ends = (match.end() for match in pattern.finditer(text, begin + 1, limit))
    return [place for place in ends if begin < place < len(text) and not _belongs_to_before(text[place])]


def _belongs_to_before(character: str) -> bool:
    """Combining marks, joiners and closing punctuation."""
    return (
        unicodedata.category(character) in ("Mn", "Me", "Mc", "Cf", "Pe", "Pf")
        or character in ".,;:!?…。、，！？；：ー々"
    )


def _inside(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start < place < end for start, end in spans)
