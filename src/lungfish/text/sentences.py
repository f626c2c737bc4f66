"""Long text into pieces that are spoken one at a time: at sentence ends first, then at clauses, then between words.

Invariant: pieces hold every character of the text but the whitespace between them, in order. Planning with prosody in mind
(paragraph pauses, dialogue) belongs to the text pipeline to come.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

_ABBREVIATIONS = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "st",
        "sr",
        "jr",
        "vs",
        "no",
        "fig",
        "vol",
        "ed",
        "gen",
        "col",
        "capt",
        "lt",
        "sgt",
        "rev",
        "hon",
        "mt",
        "ft",
        "dept",
        "approx",
        "inc",
        "ltd",
        "co",
        "etc",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "e.g",
        "i.e",
        "cf",
        "a.m",
        "p.m",
        "u.s",
        "u.k",
    ]
)
# A sentence ends at . ! ? or … with its closing quotes and brackets, before whitespace; or at a CJK full stop.
_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？]+[」』”’]*|\n\s*\n")
_CLAUSE = re.compile(r"(?<=[,;:—–、；：，])\s*|\s+(?=[(—–-])|(?<=\))\s+")
_SPACE = re.compile(r"\s+")
_SHORT_CHARACTERS = 30


@dataclass(frozen=True)
class Piece:
    """A stretch of text that is spoken in one go. `ends_sentence` says whether a pause belongs after it."""

    text: str
    ends_sentence: bool


def split_sentences(text: str) -> list[str]:
    """Sentences of `text`, stripped, none empty. Abbreviations, initials and decimals do not end one."""
    sentences, begin = [], 0
    for match in _END.finditer(text):
        if match.group()[0] in ".!?…" and _goes_on(text[begin : match.start()], match.group(), text[match.end() :]):
            continue
        sentences.append(text[begin : match.end()].strip())
        begin = match.end()
    sentences.append(text[begin:].strip())
    return [sentence for sentence in sentences if sentence]


def _goes_on(before: str, mark: str, after: str) -> bool:
    """Whether the sentence goes on behind `mark`: a small letter follows, or the mark belongs to an abbreviation."""
    if after.lstrip()[:1].islower():
        return True
    if mark[0] != ".":
        return False
    word = re.search(r"[\w.]*$", before)
    assert word is not None
    spelled = word.group()
    initial = len(spelled) == 1 and spelled.isupper() and spelled != "I"
    return initial or spelled.lower() in _ABBREVIATIONS


def split_pieces(text: str, fits: Callable[[str], bool]) -> list[Piece]:
    """Pieces of `text` that each fit.

    Args:
        text: anything; whitespace is squeezed.
        fits: whether a stretch can be spoken in one go. True for a single character at least.

    Returns:
        Pieces in order; very short sentences share a piece with the next one where both fit.
    """
    pieces: list[Piece] = []
    for sentence in _join_short([_SPACE.sub(" ", sentence) for sentence in split_sentences(text)], fits):
        parts = list(_fit(sentence, fits))
        pieces += [Piece(part, ends_sentence=part is parts[-1]) for part in parts]
    return pieces


def _join_short(sentences: list[str], fits: Callable[[str], bool]) -> Iterator[str]:
    waiting = ""
    for sentence in sentences:
        joined = f"{waiting} {sentence}" if waiting else sentence
        if waiting and not fits(joined):
            yield waiting
            joined = sentence
        if len(joined) < _SHORT_CHARACTERS:
            waiting = joined
        else:
            yield joined
            waiting = ""
    if waiting:
        yield waiting


def _fit(text: str, fits: Callable[[str], bool]) -> Iterator[str]:
    """`text` in as few pieces as greedy packing finds: whole, else of clauses, else of words, else cut in half."""
    if fits(text):
        yield text
        return
    for boundary in (_CLAUSE, _SPACE):
        parts = [part for part in boundary.split(text) if part.strip()]
        if len(parts) > 1:
            yield from _pack(parts, text, fits)
            return
    middle = max(1, len(text) // 2)
    if len(text) == 1:
        yield text
        return
    yield from _fit(text[:middle], fits)
    yield from _fit(text[middle:], fits)


def _pack(parts: Iterable[str], text: str, fits: Callable[[str], bool]) -> Iterator[str]:
    """Neighbouring `parts` of `text` (with what stands between them) joined for as long as they fit."""
    begin = end = position = 0
    for part in parts:
        first = text.index(part, position)
        last = position = first + len(part)
        if end > begin and not fits(text[begin:last]):
            yield from _fit(text[begin:end].strip(), fits)
            begin = first
        end = last
    yield from _fit(text[begin:].strip(), fits)
