"""Markdown to words: marks go, a link keeps its text and loses its address, headings, items and rows end like sentences.

Marks count only where Markdown would take them for marks and nobody would take them for anything else: 5 * 3, 2*3*4,
snake_case and _names stay. Code keeps its words. Written by hand, since parsers lose the place of every character.
Patterns look at bounded stretches of one line, so work is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from lungfish.text.traced import TracedText

_LINE_RULES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"^[ ]{0,3}(?:`{3,}|~{3,})[^\n`]{0,80}$", re.MULTILINE), ""),  # fences
    (
        re.compile(
            r"^[ ]{0,3}\[[^\[\]\n^][^\[\]\n]{0,198}\]:[ \t]{1,8}(?:<|#|/|[a-z]{2,10}:)[^\n]{1,2000}$", re.MULTILINE
        ),
        "",
    ),  # addresses of links
    (
        re.compile(
            r"^[ ]{0,8}\|?[ ]{0,8}:?-{2,}:?[ ]{0,8}(?:\|[ ]{0,8}:?-{2,}:?[ ]{0,8})++\|?[ ]{0,8}$\n?", re.MULTILINE
        ),
        "",
    ),
    (
        re.compile(
            r"^[ ]{0,3}(?:(?:-[ ]{0,3}){3,200}|(?:\*[ ]{0,3}){3,200}|(?:_[ ]{0,3}){3,200}|={3,200})$", re.MULTILINE
        ),
        "\n",
    ),
    (re.compile(r"\\$", re.MULTILINE), ""),  # hard line breaks
    (re.compile(r"^[ ]{0,3}(?:>[ ]{0,3}){1,20}", re.MULTILINE), ""),  # quotes
    (
        re.compile(r"^[ ]{0,3}#{1,6}[ \t]{1,8}([^\n]{1,1000}?)[ \t#]{0,16}$", re.MULTILINE),
        lambda m: f"\n{_ended(m[1])}\n\n",
    ),
    (
        re.compile(r"^[ \t]{0,24}(?:[-*+•◦▪‣][ \t]{1,8}(?:\[[ xX]\][ \t]{1,8})?)([^\n]{1,2000})$", re.MULTILINE),
        lambda m: _ended(m[1]),
    ),
    (re.compile(r"^[ \t]{0,24}([0-9]{1,3}[.)][ \t]{1,8}[^\n]{1,2000})$", re.MULTILINE), lambda m: _ended(m[1])),
    (re.compile(r"^[ ]{0,8}\|([^\n]{1,4000})\|[ ]{0,8}$", re.MULTILINE), lambda m: _row(m[1])),
)
_TARGET = r"\([^()\s]{0,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,500})?(?:\s{1,4}\"[^\"\n]{0,200}\")?\)"
_SPAN_RULES: tuple[tuple[re.Pattern[str], int | None], ...] = (
    (re.compile(rf"!?\[([^\[\]\n]{{0,500}})\]{_TARGET}"), 1),
    (re.compile(r"!?\[([^\[\]\n]{1,500})\]\[[^\[\]\n]{0,200}\]"), 1),
    (re.compile(r"\[\^[^\[\]\s]{1,40}\]:?"), None),
    (re.compile(r"(?<=[\w.,;:!?)\"'])\[[0-9]{1,3}\](?![(\w])"), None),  # footnotes
    (re.compile(r"(`{1,3})(?!`)([^`\n]{1,600})(?<!`)\1(?!`)"), 2),
    (re.compile(r"(?<![\w*\\])(\*{1,3})(?=[^\s*])([^*\n]{1,600})(?<=[^\s*\\])\1(?![\w*])"), 2),
    (re.compile(r"(?<=[^\W\d_])(\*{1,3})([^\W\d_]{2,40})\1(?=[^\W\d_])"), 2),
    (re.compile(r"(?<![\w*\\])(\*{1,3})(?=[^\s*])([^*\n]{1,600})(?<=[^\s*\\])\1(?=[^\W\d_])"), 2),
    (re.compile(r"(?<![\w\\])(_{1,3})(?=[^\s_])([^_\n]{1,600})(?<=[^\s_\\])\1(?!\w)"), 2),
    (re.compile(r"(?<!~)~~(?=[^\s~])([^~\n]{1,600})(?<=[^\s~])~~(?!~)"), 1),
    (
        re.compile(r"(?<![\w*])\*{2,3}(?=\w)|(?<=[\w.,;:!?)])\*{2,3}(?![\w*])|(?<=[^\W\d_])\*(?![\w*])"),
        None,
    ),  # marks without a partner
    (re.compile(r"\\+([!-/:-@\[-`{-~])"), 1),  # escapes
)
_ENDS = ".!?…:;,。！？：；，—"


def markdown_to_words(text: TracedText) -> TracedText:
    """`text` without Markdown; lines stay lines."""
    for pattern, replacement in _LINE_RULES:
        text = text.sub(pattern, replacement)
    for pattern, kept in _SPAN_RULES:
        text = text.sub(pattern, "") if kept is None else text.unwrap(pattern, kept)
    return text


def _ended(line: str) -> str:
    """A line that is a sentence of its own."""
    line = line.rstrip()
    bare = line.rstrip("\"'”’)]*_`")
    return line if not bare or bare[-1] in _ENDS else f"{line}."


def _row(cells: str) -> str:
    """ "a | b" as "a, b."."""
    words = [cell.strip() for cell in cells.replace("\\|", " ").split("|")]
    return _ended(", ".join(word for word in words if word))
