"""Scripts: lines of `NAME: words`, or `<|speaker:N|>` turns, as turns of voices.

    ANNA: Good morning.
    It is late.              still Anna
    BEN (tired): Is it?      a direction in brackets after a name becomes a tag
    <|speaker:1|>No.         speaker 1, as is the name "Speaker 1", or 1

A name is 1 to 40 letters, digits, blanks, - _ ' or . at the beginning of a line, with a colon and a blank (or the line's
end) behind it, or with the wide colon of Chinese and Japanese; addresses (https://) and times (12:30) are none. Names are
looked up in any case. Text before the first name is kept, spoken by whoever was asked for; a name's own letters are not
spoken. Invariant: every other character but blanks at the ends of a turn is in some part. Work is linear in the source.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from lungfish.errors import TextError
from lungfish.text.parts import Parsed, Part, Tag, Turn, Words
from lungfish.text.traced import TracedText

_TURN = re.compile(
    r"(?:\A\ufeff?|(?<=[\r\n]))[ \t\u3000]{0,16}(?P<name>[^\W_][^:：()<>\r\n]{0,39}?)[ \t]{0,4}"
    r"(?:\((?P<direction>[^()\r\n]{1,80})\)[ \t]{0,4})?(?P<colon>:(?=\s|\Z)|：)[ \t]{0,16}"
    r"|<\|speaker:(?P<number>[0-9]{1,6})\|>"
)
_NAME_MARKS = frozenset(" \t-_'’.")
_SPEAKER = re.compile(r"(?:speaker[ _:]?)?(?P<number>[0-9]{1,6})", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n|\r|\n")
_SHOWN = 12


def parse_script(source: str, voices: Mapping[str, str], known_voices: Sequence[str]) -> Parsed:
    """Turns and words.

    Args:
        source: the script.
        voices: name -> one of the checkpoint's voices, or a speaker's number.
        known_voices: the checkpoint's; a name may be one of them.

    Raises:
        TextError: a name whom nobody knows; says the line and who is known.
    """
    table = {_key(voice): voice for voice in known_voices} | {_key(name): voice for name, voice in voices.items()}
    text = TracedText.of(source)
    parts: list[Part] = []
    done, line, counted = 0, 1, 0
    for match in _TURN.finditer(source):
        name = match["name"]
        if name is not None and not _is_name(name):
            continue
        _add(parts, text[done : match.start()])
        done = match.end()
        if name is None:
            parts.append(Turn(int(match["number"]), None, *match.span()))
            continue
        line += sum(1 for _ in _LINE_END.finditer(source, counted, match.start("name")))
        counted = match.start("name")
        parts.append(_turn(_voice(name, table, line), match.start("name"), match.end("colon")))
        if match["direction"] is not None and match["direction"].strip():
            parts.append(Tag(" ".join(match["direction"].split()), *match.span("direction")))
    _add(parts, text[done:])
    return Parsed(parts)


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", " ".join(name.split()).casefold())


def _is_name(name: str) -> bool:
    return all(sign.isalnum() or sign in _NAME_MARKS or unicodedata.category(sign)[0] == "M" for sign in name)


def _voice(name: str, table: Mapping[str, str], line: int) -> str:
    found = table.get(_key(name))
    if found is not None:
        return found
    if _SPEAKER.fullmatch(name):
        return name
    known = sorted(table)
    listed = ", ".join(known[:_SHOWN]) + (", ..." if len(known) > _SHOWN else "")
    raise TextError(
        f"line {line}: nobody knows who {name!r} is; known: {listed or 'nobody'} (--speaker NAME=VOICE); if it is no name, "
        "let the line go on from the one before"
    )


def _turn(voice: str, start: int, end: int) -> Turn:
    number = _SPEAKER.fullmatch(voice)
    return Turn(None, voice, start, end) if number is None else Turn(int(number["number"]), None, start, end)


def _add(parts: list[Part], text: TracedText) -> None:
    text = text.strip()
    if text.text.strip("\ufeff"):
        parts.append(Words(text))
