"""The part of SSML 1.1 that means something to a voice.

    p, s                       pauses between paragraphs and sentences
    break                      time="500ms" or "1.5s", or strength
    sub alias                  the alias is read
    say-as interpret-as        see `normalise/say_as.py`
    emphasis, prosody          what they ask of their words; `directions.py` makes tags of it
    voice name                 a turn
    phoneme alphabet ph        ipa, x-sampa or arpabet
    lang xml:lang              also xml:lang of any element

Other elements keep their text, with a warning, as do attributes that say nothing here. Documents with a type declaration,
entities of their own or processing instructions are refused, as are those too large or too deep; nothing is ever fetched.
Invariant: words know the characters of the source that they stand for.
Source: W3C, "Speech Synthesis Markup Language 1.1", 2010.
"""

from __future__ import annotations

import dataclasses
import html
import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from xml.parsers import expat

from lungfish.errors import TextError
from lungfish.text.ipa import to_symbols
from lungfish.text.normalise.say_as import KINDS
from lungfish.text.parts import Parsed, Part, Pause, Pronunciation, TextWarning, Turn, Words
from lungfish.text.traced import TracedText

MAX_CHARACTERS = 10_000_000
MAX_DEPTH = 32
MAX_PAUSE_S = 60.0
_STRENGTHS = ("none", "x-weak", "weak", "medium", "strong", "x-strong")
_LEVELS = ("strong", "moderate", "none", "reduced")
_START = re.compile(
    r"\ufeff?\s{0,1000}(?:<\?xml[^<>]{0,200}\?>\s{0,1000})?(?:<!--.{0,2000}?-->\s{0,1000}){0,4}<speak[\s>/]", re.DOTALL
)
_TIME = re.compile(r"\+?(?P<number>[0-9]{1,6}(?:\.[0-9]{1,6})?|\.[0-9]{1,6})(?P<unit>ms|s)")
_RATE = re.compile(
    r"x-slow|slow|medium|fast|x-fast|default|[+-]?[0-9]{1,4}(?:\.[0-9]{1,4})?%|[0-9]{1,2}(?:\.[0-9]{1,4})?"
)
_PITCH = re.compile(r"x-low|low|medium|high|x-high|default|[+-]?[0-9]{1,4}(?:\.[0-9]{1,4})?(?:Hz|st|%)", re.IGNORECASE)
_VOLUME = re.compile(
    r"silent|x-soft|soft|medium|loud|x-loud|default|[+-]?[0-9]{1,3}(?:\.[0-9]{1,4})?(?:dB)?", re.IGNORECASE
)
_KNOWN: Mapping[str, frozenset[str]] = {
    "speak": frozenset(["version", "xmlns", "onlangfailure", "xmlns:xsi", "xsi:schemaLocation", "xmlns:mstts"]),
    "p": frozenset(),
    "s": frozenset(),
    "break": frozenset(["time", "strength"]),
    "sub": frozenset(["alias"]),
    "say-as": frozenset(["interpret-as", "format", "detail"]),
    "emphasis": frozenset(["level"]),
    "prosody": frozenset(["rate", "pitch", "volume"]),
    "voice": frozenset(["name"]),
    "phoneme": frozenset(["alphabet", "ph"]),
    "lang": frozenset(),
}
_EVERYWHERE = frozenset(["xml:lang", "xml:space", "xml:base", "id", "xml:id"])


def is_ssml(source: str) -> bool:
    """Whether `source` begins with <speak>, after a byte order mark, an XML declaration, comments and blanks if any."""
    return _START.match(source) is not None


def parse_ssml(source: str) -> Parsed:
    """Typed parts of an SSML document.

    Raises:
        TextError: not well formed, not allowed, or a value that means nothing; says line and column.
    """
    if len(source) > MAX_CHARACTERS:
        raise TextError(f"SSML of {len(source)} characters is too long, {MAX_CHARACTERS} at most; split it")
    return _Reader(source).read()


@dataclass(frozen=True)
class _Frame:
    """An open element: its name, how its words are to be said, and what its end brings."""

    name: str
    style: Words
    voice: str | None
    text_from: int | None = None  # of a sub or phoneme: where its own text begins
    symbols: tuple[str, ...] = ()
    alias: str | None = None


class _Reader:
    def __init__(self, source: str) -> None:
        self._source = source
        self._parts: list[Part] = []
        self._warnings: list[TextWarning] = []
        self._stack: list[_Frame] = []
        self._at = self._at_byte = 0  # a place in characters, and in bytes of UTF-8
        self._bytes = source.encode()
        self._skipped = 0  # bytes before what expat sees
        parser = expat.ParserCreate(encoding="utf-8")
        parser.buffer_text = False
        parser.StartElementHandler = self._open
        parser.EndElementHandler = self._close
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = lambda *_: self._refuse(
            "a document type (<!DOCTYPE>) is not allowed; remove it"
        )
        parser.EntityDeclHandler = lambda *_: self._refuse(
            "entities of your own are not allowed; write the text itself"
        )
        parser.ProcessingInstructionHandler = lambda *_: self._refuse(
            "processing instructions (<?...?>) are not allowed"
        )
        self._parser = parser

    def read(self) -> Parsed:
        data = self._bytes.removeprefix(b"\xef\xbb\xbf")
        self._skipped = len(self._bytes) - len(data)
        data = data.lstrip()
        self._skipped = len(self._bytes) - len(data)
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            line, column = self._line_column(self._character(self._parser.ErrorByteIndex))
            raise TextError(f"SSML, line {line}, column {column}: {reason}") from error
        return Parsed(_merged(self._parts), self._warnings)

    # --- where we are ------------------------------------------------------------------------------------------------

    def _character(self, byte: int) -> int:
        """Place in characters of the source of a place in bytes of what expat sees; places rise."""
        byte = max(byte, 0) + self._skipped
        if byte >= self._at_byte:
            self._at += len(self._bytes[self._at_byte : byte].decode("utf-8", "ignore"))
            self._at_byte = byte
            return self._at
        return len(self._bytes[:byte].decode("utf-8", "ignore"))

    def _here(self) -> int:
        return self._character(self._parser.CurrentByteIndex)

    def _line_column(self, at: int) -> tuple[int, int]:
        return self._source.count("\n", 0, at) + 1, at - self._source.rfind("\n", 0, at)

    def _refuse(self, message: str) -> None:
        line, column = self._line_column(self._here())
        raise TextError(f"SSML, line {line}, column {column}: {message}")

    def _warn(self, message: str) -> None:
        here = self._here()
        self._warnings.append(TextWarning(message, here, here + 1))

    # --- elements ----------------------------------------------------------------------------------------------------

    def _open(self, name: str, given: dict[str, str]) -> None:
        here = self._here()
        if len(self._stack) >= MAX_DEPTH:
            self._refuse(f"elements are more than {MAX_DEPTH} deep; nest less")
        if not self._stack and name != "speak":
            self._refuse(f"the document must begin with <speak>, not <{name}>")
        if self._stack and self._stack[-1].name in ("sub", "phoneme", "break"):
            self._refuse(f"<{self._stack[-1].name}> holds no elements; take <{name}> out")
        before = self._stack[-1] if self._stack else _Frame("", Words(TracedText.of("")), None)
        frame = dataclasses.replace(before, name=name, text_from=None, symbols=(), alias=None)
        if name not in _KNOWN:
            self._warn(f"<{name}> means nothing here; its text was kept")
        else:
            for attribute in given:
                if attribute not in _KNOWN[name] and attribute not in _EVERYWHERE:
                    self._warn(f"the attribute {attribute!r} of <{name}> means nothing here and was left out")
        if given.get("xml:lang"):
            frame = dataclasses.replace(frame, style=dataclasses.replace(frame.style, language=given["xml:lang"]))
        handler = getattr(self, f"_open_{name.replace('-', '_')}", None) if name in _KNOWN else None
        self._stack.append(frame if handler is None else handler(frame, given, here))

    def _close(self, name: str) -> None:
        frame = self._stack.pop()
        here = self._here()
        if frame.text_from is not None:
            self._close_given(frame, here)
        elif name in ("p", "s"):
            self._parts.append(Pause(None, "paragraph" if name == "p" else "sentence", here, here))
        elif name == "voice" and self._stack and self._stack[-1].voice != frame.voice:
            self._parts.append(Turn(None if self._stack[-1].voice else 0, self._stack[-1].voice, here, here))

    def _open_break(self, frame: _Frame, given: dict[str, str], here: int) -> _Frame:
        seconds: float | None = None
        strength = given.get("strength", "medium")
        if strength not in _STRENGTHS:
            self._refuse(f"strength={strength!r} must be one of {', '.join(_STRENGTHS)}")
        if "time" in given:
            match = _TIME.fullmatch(given["time"].strip())
            if match is None:
                self._refuse(f"time={given['time']!r} must be such as 500ms or 1.5s")
            else:
                seconds = float(match["number"]) / (1000 if match["unit"] == "ms" else 1)
                if seconds > MAX_PAUSE_S:
                    self._refuse(f"a break of {seconds:g} s is too long, {MAX_PAUSE_S:g} s at most")
        end = self._source.find(">", here) + 1
        self._parts.append(Pause(seconds, strength, here, end))
        return frame

    def _open_p(self, frame: _Frame, given: dict[str, str], here: int) -> _Frame:
        self._separate("paragraph", here)
        return frame

    def _open_s(self, frame: _Frame, given: dict[str, str], here: int) -> _Frame:
        self._separate("sentence", here)
        return frame

    def _separate(self, strength: str, here: int) -> None:
        """A pause before an element, where there are words in front of it."""
        last = self._parts[-1] if self._parts else None
        if isinstance(last, Words) and last.text.text.strip():
            self._parts.append(Pause(None, strength, here, here))

    def _open_sub(self, frame: _Frame, given: dict[str, str], here: int) -> _Frame:
        if not given.get("alias", "").strip():
            self._refuse('<sub> needs alias="what to read"')
        return dataclasses.replace(frame, text_from=here, alias=given["alias"])

    def _open_phoneme(self, frame: _Frame, given: dict[str, str], here: int) -> _Frame:
        if not given.get("ph", "").strip():
            self._refuse('<phoneme> needs ph="sounds"')
        try:
            symbols = to_symbols(given["ph"], given.get("alphabet", "ipa"))
        except TextError as error:
            self._refuse(str(error))
            raise
        return dataclasses.replace(frame, text_from=here, symbols=symbols)

    def _open_say_as(self, frame: _Frame, given: dict[str, str], here: int) -> _Frame:
        kind = given.get("interpret-as", "").strip().lower()
        if kind not in KINDS:
            self._refuse(f"interpret-as={kind!r} must be one of {', '.join(KINDS)}")
        style = dataclasses.replace(frame.style, say_as=kind, say_as_format=given.get("format") or None)
        return dataclasses.replace(frame, style=style)

    def _open_emphasis(self, frame: _Frame, given: dict[str, str], here: int) -> _Frame:
        level = given.get("level", "moderate")
        if level not in _LEVELS:
            self._refuse(f"level={level!r} must be one of {', '.join(_LEVELS)}")
        return dataclasses.replace(frame, style=dataclasses.replace(frame.style, emphasis=level))

    def _open_prosody(self, frame: _Frame, given: dict[str, str], here: int) -> _Frame:
        asked = {}
        for name, grammar in (("rate", _RATE), ("pitch", _PITCH), ("volume", _VOLUME)):
            value = given.get(name)
            if value is None:
                continue
            if grammar.fullmatch(value.strip()) is None:
                self._refuse(
                    f"{name}={value!r} is not understood; write a word such as medium, or a change such as +10%"
                )
            asked[name] = value.strip()
        return dataclasses.replace(frame, style=dataclasses.replace(frame.style, **asked))

    def _open_voice(self, frame: _Frame, given: dict[str, str], here: int) -> _Frame:
        name = given.get("name", "").strip()
        if not name:
            self._refuse('<voice> needs name="a voice of the checkpoint"')
        self._parts.append(Turn(None, name, here, here))
        return dataclasses.replace(frame, voice=name)

    # --- words -------------------------------------------------------------------------------------------------------

    def _text(self, data: str) -> None:
        if not self._stack:
            return
        if self._stack[-1].text_from is not None:
            return
        here = self._here()
        if self._source.startswith(data, here):
            text = TracedText.of(data, here)
        else:  # an entity, a character reference, a line end that XML made one
            end = self._source.find(";", here) + 1 if self._source[here : here + 1] == "&" else here + len(data)
            text = TracedText.standing_for(data, here, max(end, here + 1))
        self._parts.append(dataclasses.replace(self._stack[-1].style, text=text))

    def _close_given(self, frame: _Frame, here: int) -> None:
        assert frame.text_from is not None
        begin = self._source.find(">", frame.text_from) + 1
        written = " ".join(_plain(self._source[begin:here]).split())
        if frame.symbols:
            self._parts.append(Pronunciation(written, frame.symbols, begin, max(here, begin)))
        elif frame.alias is not None:
            self._parts.append(dataclasses.replace(frame.style, text=TracedText.standing_for(frame.alias, begin, here)))


def _merged(parts: list[Part]) -> list[Part]:
    """Neighbouring words that are to be said alike, joined."""
    made: list[Part] = []
    for (is_words, *_), group in itertools.groupby(parts, _manner):
        run = list(group)
        if is_words:
            words = [part for part in run if isinstance(part, Words)]
            made.append(dataclasses.replace(words[0], text=TracedText.joined(part.text for part in words)))
        else:
            made += run
    return made


def _manner(part: Part) -> tuple[object, ...]:
    if not isinstance(part, Words):
        return (False,)
    return (True, part.language, part.say_as, part.say_as_format, part.emphasis, part.rate, part.pitch, part.volume)


def _plain(markup: str) -> str:
    return html.unescape(re.sub(r"<!--.*?-->|<!\[CDATA\[|\]\]>", "", markup, flags=re.DOTALL))
