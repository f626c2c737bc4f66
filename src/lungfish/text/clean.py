"""Text as people paste it to text that can be read aloud: plain characters, no markup, no runs of marks or blanks.

    characters    invisible ones, blanks, fancy letters, accents, emoji, quotes (text/characters.py)
    markup        HTML (text/html.py), Markdown (text/markdown.py)
    marks         !!! is !, ?!?! is ?!, .... is …, --- is —; rules of ===, ***, ___ go
    lines         a paragraph ends with exactly one empty line. Other line breaks are blanks, since most were made to fill a
                  line; where a short line without a mark is followed by one that begins like a sentence (titles, verse,
                  addresses), a full stop goes in between

Cleaning is repeated until nothing changes (twice for ordinary text, a few times for markup within markup), so cleaning what
was cleaned changes nothing. Invariant: every character knows its origin. Work is linear in the text.
"""

from __future__ import annotations

import re
from typing import Literal

from lungfish.text.characters import plain_characters
from lungfish.text.html import html_to_words
from lungfish.text.markdown import markdown_to_words
from lungfish.text.traced import TracedText

_MOST_ROUNDS = 12
_SHORT_LINE = 45
_MARKS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?:[=_~#]{3,}|\*{3,}|\+{3,})"), " "),
    (re.compile(r"(?=[!?]{0,200}!)(?=[!?]{0,200}\?)[!?]{2,}"), "?!"),
    (re.compile(r"!{2,}"), "!"),
    (re.compile(r"\?{2,}"), "?"),
    (re.compile(r"！{2,}"), "！"),
    (re.compile(r"？{2,}"), "？"),
    (re.compile(r"。{2,}"), "。"),
    (re.compile(r"\.{3,}|…[.…]+|(?<!\.)\.…"), "…"),
    (re.compile(r"(?<![./\w])\.\.(?![./\w])|(?<=\w)\.\.(?=\s|$)"), "."),
    (re.compile(r",{2,}"), ","),
    (re.compile(r";{2,}"), ";"),
    (re.compile(r"[—–]{2,}|-{3,}|(?<=[\w\"'.,!?])-{2}(?=[\w\"'])|(?<=\s)--(?=\s)"), "—"),
)
_SPACES = re.compile(r"[ \t]{2,}|\t")
_LINE_EDGES = re.compile(r"[ \t]*\n[ \t]*")
_PARAGRAPH = re.compile(r"\n{3,}")
_BEFORE_MARK = re.compile(r"(?<=\S) +(?=[.,!?;…](?:\s|$))")
_LINE_BREAK = re.compile(r"(?<!\n)\n(?!\n)")
_BEGINS = re.compile(r"[\"'(\[]{0,3}[^\W\d_a-z]")
_UNSPACED = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")


def clean(
    text: TracedText, emoji: Literal["drop", "name"] = "drop", language: str | None = None, markup: bool = True
) -> TracedText:
    """`text` that can be read aloud.

    Args:
        text: words as typed, tags and turns already taken out.
        emoji: drop them, or name them.
        language: of their names.
        markup: take Markdown and HTML for markup, not for text.

    Returns:
        The words; one blank is kept at either end where there was any, for what stands beside them.
    """
    for _ in range(_MOST_ROUNDS):
        done = _once(text, emoji, language, markup)
        if done.text == text.text:
            break
        text = done
    return text


def _once(text: TracedText, emoji: Literal["drop", "name"], language: str | None, markup: bool) -> TracedText:
    text = plain_characters(text, emoji, language)
    if markup:
        text = markdown_to_words(html_to_words(text))
    for pattern, replacement in _MARKS:
        text = text.sub(pattern, replacement)
    text = text.sub(_SPACES, " ").sub(_LINE_EDGES, "\n").sub(_PARAGRAPH, "\n\n")
    return text.sub(_LINE_BREAK, _between_lines).sub(_SPACES, " ").sub(_BEFORE_MARK, "")


def _between_lines(match: re.Match[str]) -> str:
    """What stands for a line break within a paragraph."""
    source, at = match.string, match.start()
    if at == 0 or at + 1 == len(source):
        return " "
    before, after = source[at - 1], source[at + 1]
    short = at < _SHORT_LINE or source.rfind("\n", at - _SHORT_LINE, at) >= 0
    unspaced = bool(_UNSPACED.match(before) and _UNSPACED.match(after))
    if short and before.isalnum() and not after.islower() and _BEGINS.match(source, at + 1):
        return "。" if unspaced else ". "
    return "" if unspaced else " "
