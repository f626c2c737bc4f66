"""Scripts: lines of `NAME: words`, or `<|speaker:N|>` turns, as turns of voices.

    ANNA: Good morning.
    It is late.              still Anna
    BEN (tired): Is it?      a direction in brackets after a name becomes a tag

A name is 1 to 40 letters, digits, blanks, - _ ' or . at the beginning of a line, with a colon and a blank (or the line's
end) behind it; addresses (https://) and times (12:30) are none. Names are looked up in any case. Text before the first name
is kept, spoken by whoever was asked for. A name's own letters are not spoken. Work is linear in the source.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lungfish.errors import TextError
from lungfish.text.parts import Parsed, Part, Tag, Turn, Words
from lungfish.text.traced import TracedText

_LINE = re.compile(
    r"^[ \t]{0,16}(?P<name>[^\W_][\w .'’-]{0,39}?)[ \t]{0,4}"
    r"(?:\((?P<direction>[^()\n]{1,80})\)[ \t]{0,4})?:(?=[ \t]|$)[ \t]{0,16}",
    re.MULTILINE,
)
_SPEAKER = re.compile(r"(?:speaker[ _:]?)?(?P<number>[0-9]{1,6})", re.IGNORECASE)
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
    table = {voice.casefold(): voice for voice in known_voices} | {name.casefold(): v for name, v in voices.items()}
    text = TracedText.of(source)
    parts: list[Part] = []
    done = line = counted = 0
    for match in _LINE.finditer(source):
        line += source.count("\n", counted, match.start())
        counted = match.start()
        voice = _voice(match["name"], table, line + 1)
        _add(parts, text[done : match.start()])
        parts.append(_turn(voice, match.start(), match.end("name")))
        if match["direction"] is not None:
            parts.append(Tag(" ".join(match["direction"].split()), *match.span("direction")))
        done = match.end()
    _add(parts, text[done:])
    return Parsed(parts)


def _voice(name: str, table: Mapping[str, str], line: int) -> str:
    found = table.get(" ".join(name.split()).casefold())
    if found is not None:
        return found
    if _SPEAKER.fullmatch(name):
        return name
    known = sorted(table)
    listed = ", ".join(known[:_SHOWN]) + (", ..." if len(known) > _SHOWN else "")
    raise TextError(f"line {line}: nobody knows who {name!r} is; known: {listed or 'nobody'} (--speaker NAME=VOICE)")


def _turn(voice: str, start: int, end: int) -> Turn:
    number = _SPEAKER.fullmatch(voice)
    return Turn(None, voice, start, end) if number is None else Turn(int(number["number"]), None, start, end)


def _add(parts: list[Part], text: TracedText) -> None:
    if text.text.strip():
        parts.append(Words(text.strip()))
