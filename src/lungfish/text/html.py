"""HTML to words: tags go, blocks become lines, entities become characters, what is not for reading goes with its tags.

Only names that HTML knows are tags; anything else in angle brackets is text. An entity for < or > comes out with blanks
around it, so that it is never taken for a tag afterwards. Written by hand, since parsers lose the place of every character.
Work is linear in the text.
"""

from __future__ import annotations

import html
import re

from lungfish.text.traced import TracedText

_BLOCKS = frozenset(
    [
        "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "div", "dl", "dt",
        "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr",
        "html", "li", "main", "nav", "ol", "option", "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead",
        "title", "tr", "ul",
    ]
)  # fmt: skip
_INLINE = frozenset(
    [
        "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "button", "cite", "code", "data", "del", "dfn", "em", "font", "i",
        "ins", "kbd", "label", "link", "mark", "meta", "o", "q", "rb", "ruby", "s", "samp", "select", "small", "span",
        "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "img", "input", "br", "td", "th", "base", "col",
        "colgroup", "source", "track", "area", "map", "picture", "audio", "video",
    ]
)  # fmt: skip
_UNREAD = frozenset(
    ["script", "style", "template", "noscript", "svg", "math", "object", "iframe", "textarea", "rt", "rp"]
)
_TAG = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9]{0,15})(?P<rest>(?:[\s/][^<>]{0,4000})?)>")
_START = re.compile(r"<(?:!--|![A-Za-z]|\?[A-Za-z]|/?[A-Za-z])")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ALT = re.compile(r"\balt\s{0,4}=\s{0,4}(?:\"([^\"]{0,1000})\"|'([^']{0,1000})')", re.IGNORECASE)
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^\s<>]{1,2000}|[^\s<>@]{1,64}@[^\s<>@]{1,255})>")


def html_to_words(text: TracedText) -> TracedText:
    """`text` without HTML; a text without tags and entities comes back as it is."""
    if "<" in text.text:
        text = _without_tags(text.sub(_AUTOLINK, lambda match: match[1].removeprefix("mailto:")))
    return text.sub(_ENTITY, _character)


def _character(match: re.Match[str]) -> str | None:
    found = html.unescape(match.group())
    if found == match.group():
        return None
    return f" {found} " if found in "<>" else found


def _without_tags(text: TracedText) -> TracedText:
    source = text.text
    parts, done, place = [], 0, 0
    unclosed: set[str] = set()  # endings that do not come any more
    while (start := _START.search(source, place)) is not None:
        begin = start.start()
        end, words = _markup(source, begin, unclosed)
        if end == begin:
            place = begin + 1
            continue
        parts += [text[done:begin], TracedText.standing_for(words, *text.span_of(begin, end))]
        done = place = end
    if not parts:
        return text
    return TracedText.joined([*parts, text[done:]])


def _markup(source: str, begin: int, unclosed: set[str]) -> tuple[int, str]:
    """Where the markup at `begin` ends, and what is read for it; `begin` where it is none."""
    if source.startswith("<!--", begin):
        end = _after("-->", source, begin + 4, unclosed)
        return (end, " ") if end else (begin, "")
    if source[begin + 1] in "!?":
        end = source.find(">", begin, begin + 4000) + 1
        return (end, " ") if end else (begin, "")
    tag = _TAG.match(source, begin)
    name = tag["name"].lower() if tag else ""
    if tag is None or name not in _BLOCKS | _INLINE | _UNREAD:
        return begin, ""
    if name in _UNREAD and not tag["close"] and not tag["rest"].endswith("/"):
        end = _after(f"</{name}>", source, tag.end(), unclosed)
        return end or tag.end(), " "
    return tag.end(), _read(name, tag)


def _after(ending: str, source: str, place: int, unclosed: set[str]) -> int:
    """Behind the next `ending`, or 0."""
    if ending in unclosed:
        return 0
    found = re.compile(re.escape(ending), re.IGNORECASE).search(source, place)
    if found is None:
        unclosed.add(ending)
        return 0
    return found.end()


def _read(name: str, tag: re.Match[str]) -> str:
    if name == "li":
        return "" if tag["close"] else "\n- "  # an item as Markdown writes it
    if name in _BLOCKS:
        return "\n\n" if name not in ("tr", "dt", "dd", "option") else "\n"
    if name == "br":
        return "\n"
    if name in ("td", "th"):
        return ", " if tag["close"] else " "
    if name in ("img", "area"):
        alt = _ALT.search(tag["rest"])
        return f" {alt[1] or alt[2] or ''} " if alt else " "
    return ""
