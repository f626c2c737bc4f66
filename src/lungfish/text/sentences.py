"""Where sentences and paragraphs end.

A sentence ends at . ! ? or … with its closing quotes and brackets before white space, at a full stop of Chinese or Japanese,
and at an empty line. Abbreviations, initials and decimals end none, and what goes on in a small letter has not ended.
Invariant: spans cover the text, in order. Work is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_ABBREVIATIONS = frozenset([
    "mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "vs", "no", "fig", "vol", "ed", "gen", "col", "capt", "lt",
    "sgt", "rev", "hon", "mt", "ft", "dept", "approx", "inc", "ltd", "co", "etc", "jan", "feb", "mar", "apr", "jun",
    "jul", "aug", "sep", "sept", "oct", "nov", "dec", "e.g", "i.e", "cf", "a.m", "p.m", "u.s", "u.k",
])  # fmt: skip
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s|\Z)|[。！？]++[」』”’]*+|(?P<paragraph>\n[^\S\n]*+\n\s*+)")
_SPACE = re.compile(r"\s*+")
_LONGEST_WORD = 12  # characters of a word that may be an abbreviation
_WORD = re.compile(r"[\w.]*\Z")


def sentence_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, "sentence" or "paragraph") of each stretch up to a sentence's or a paragraph's end.

    A paragraph's end belongs to the sentence before it, unless there are only blanks before it.
    """
    begin, held = 0, None
    for match in _END.finditer(text):
        if match["paragraph"] is not None:
            start = held[0] if held is not None and not text[held[1] : match.start()].strip() else begin
            if held is not None and start == begin and held[0] != begin:
                yield held
            yield start, match.end(), "paragraph"
            begin, held = match.end(), None
            continue
        if match.group()[0] in ".!?…" and _goes_on(text, begin, match):
            continue
        if held is not None:
            yield held
        held = (begin, match.end(), "sentence")
        begin = match.end()
    if held is not None:
        yield held
    if text[begin:].strip():
        yield begin, len(text), "sentence"


def split_sentences(text: str) -> list[str]:
    """Sentences of `text`, stripped, none empty."""
    sentences = (text[start:end].strip() for start, end, _ in sentence_spans(text))
    return [sentence for sentence in sentences if sentence]


def _goes_on(text: str, begin: int, match: re.Match[str]) -> bool:
    """Whether the sentence goes on behind a mark: a small letter follows, or the mark belongs to an abbreviation."""
    space = _SPACE.match(text, match.end())
    assert space is not None
    if text[space.end() : space.end() + 1].islower():
        return "\n\n" not in space.group()
    if match.group()[0] != ".":
        return False
    word = _WORD.search(text[max(begin, match.start() - _LONGEST_WORD) : match.start()])
    assert word is not None
    spelled = word.group()
    initial = len(spelled) == 1 and spelled.isupper() and spelled != "I"
    return initial or spelled.lower() in _ABBREVIATIONS
