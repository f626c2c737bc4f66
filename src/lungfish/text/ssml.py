"""The part of SSML 1.1 that means something to a voice.

    p, s                       pauses between paragraphs and sentences
    break                      time="500ms" or "1.5s", or strength; takes the place of a pause between sentences
    sub alias                  the alias is read
    say-as interpret-as        see `normalise/say_as.py`
    emphasis, prosody          what they ask of their words; `directions.py` makes tags of it
    voice name                 a turn; what follows its end is spoken by whoever spoke before
    phoneme alphabet ph        ipa, x-sampa or arpabet
    lang xml:lang              also xml:lang of any element

Other elements keep their text, with a warning, as do attributes that say nothing here. Documents with a type declaration,
entities of their own or processing instructions are refused, as are those too large or too deep; nothing is ever fetched.
Invariants: every character knows those of the source that it stands for (&amp; is one character for five); nothing in the
text becomes a speaker's turn. Work is linear in the source.
Source: W3C, "Speech Synthesis Markup Language 1.1", 2010.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeVar
from xml.parsers import expat

from lungfish.errors import TextError
from lungfish.text import ssml_values as values
from lungfish.text.ipa import to_symbols
from lungfish.text.parts import Parsed, Part, Pause, Pronunciation, TextWarning, Turn, Words
from lungfish.text.ssml_order import in_order
from lungfish.text.ssml_places import Places
from lungfish.text.traced import TracedText

MAX_CHARACTERS = 10_000_000
MAX_DEPTH = 32
MAX_WARNINGS = 100
_SHOWN = 40  # characters of a name in messages
_START = re.compile(
    r"(?:[\ufeff\s]++|<\?(?:[^?]++|\?(?!>))*+\?>|<!--(?:[^-]++|-(?!->))*+-->)*+(?:<speak[\s/>]|<!DOCTYPE\s++speak[\s\[>])"
)
_REFUSED = {
    "StartDoctypeDeclHandler": "a document type (<!DOCTYPE>) is not allowed; remove it",
    "EntityDeclHandler": "entities of your own are not allowed; write the text itself",
    "ExternalEntityRefHandler": "entities of your own are not allowed; write the text itself",
    "ProcessingInstructionHandler": "processing instructions (<?...?>) are not allowed; remove this one",
}
_ADVICE = {
    expat.errors.XML_ERROR_UNDEFINED_ENTITY: "only &amp; &lt; &gt; &quot; &apos; and numbers such as &#233; are known",
    expat.errors.XML_ERROR_TAG_MISMATCH: "close elements in the order in which they were opened, the last one first",
    expat.errors.XML_ERROR_INVALID_TOKEN: "write < as &lt; and & as &amp;, values in quotes, and no control characters",
    expat.errors.XML_ERROR_NO_ELEMENTS: "the text ends too early; close every element, </speak> last",
    expat.errors.XML_ERROR_UNCLOSED_TOKEN: "the text ends within a tag or comment; close it",
    expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT: "nothing may stand behind </speak>",
}
_Value = TypeVar("_Value")


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
    """An open element: its name, how its words are to be said and by whom, and what is said in place of its text."""

    name: str
    style: Words
    voice: str | None = None
    alias: str | None = None
    symbols: tuple[str, ...] = ()

    def styled(self, **asked: str | None) -> _Frame:
        return dataclasses.replace(self, style=dataclasses.replace(self.style, **asked))  # type: ignore[arg-type]


class _Reader:
    def __init__(self, source: str) -> None:
        self._source = source
        self._places = Places(source)
        self._parts: list[Part] = []
        self._warnings: list[TextWarning] = []
        self._stack: list[_Frame] = []
        self._texts: list[TracedText] = []  # of the innermost element, since the last tag
        self._literal = False  # within <![CDATA[ ]]>
        self._parser = parser = expat.ParserCreate(encoding="utf-8")
        parser.buffer_text = False  # each piece of text where it stands
        parser.StartElementHandler, parser.EndElementHandler = self._open, self._close
        parser.CharacterDataHandler = self._text
        parser.StartCdataSectionHandler, parser.EndCdataSectionHandler = self._begin_literal, self._end_literal
        for handler, message in _REFUSED.items():
            setattr(parser, handler, lambda *_, message=message: self._refuse(message))

    def read(self) -> Parsed:
        try:
            self._parser.Parse(self._places.data, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            at = self._places.character(self._parser.ErrorByteIndex)
            raise self._places.error(f"{reason}: {_ADVICE.get(reason, 'correct it')}", at) from error
        return Parsed(in_order(self._parts), self._warnings)

    def _here(self) -> int:
        return self._places.character(self._parser.CurrentByteIndex)

    def _refuse(self, message: str) -> NoReturn:
        raise self._places.error(message, self._here())

    def _checked(self, check: Callable[..., _Value], *written: str | None) -> _Value:
        try:
            return check(*written)
        except TextError as error:
            self._refuse(str(error))

    def _warn(self, message: str) -> None:
        if len(self._warnings) > MAX_WARNINGS:
            return
        if len(self._warnings) == MAX_WARNINGS:
            message = "from here on, too, there is what means nothing; further warnings were left out"
        here = self._here()
        self._warnings.append(TextWarning(message, here, self._places.tag_end(here)))

    # --- elements ----------------------------------------------------------------------------------------------------

    def _open(self, name: str, given: dict[str, str]) -> None:
        self._flush()
        if len(self._stack) >= MAX_DEPTH:
            self._refuse(f"elements are more than {MAX_DEPTH} deep; nest less")
        if not self._stack and name != "speak":
            self._refuse(f"the document must begin with <speak>, not <{name[:_SHOWN]}>")
        outer = self._stack[-1] if self._stack else _Frame("", Words(TracedText.of("")))
        if outer.name in ("sub", "phoneme", "break"):
            self._refuse(f"<{outer.name}> holds no elements; take <{name[:_SHOWN]}> out")
        self._warn_of(name, given)
        frame = dataclasses.replace(outer, name=name)
        if "xml:lang" in given:
            frame = frame.styled(language=self._checked(values.language, given["xml:lang"]))
        elif name == "lang":
            self._refuse('<lang> needs xml:lang="a language"')
        opened = _OPENED.get(name)
        self._stack.append(opened(self, frame, given) if opened else frame)

    def _warn_of(self, name: str, given: Mapping[str, str]) -> None:
        if name not in values.ELEMENTS:
            self._warn(f"<{name[:_SHOWN]}> means nothing here; its text was kept")
            return
        for attribute in given:
            if values.means_nothing(name, attribute):
                self._warn(f"the attribute {attribute[:_SHOWN]!r} of <{name}> means nothing here and was left out")

    def _close(self, name: str) -> None:
        frame, here = self._stack[-1], self._here()
        if frame.alias is not None or frame.symbols:
            self._close_given(frame, here)
        self._flush()
        self._stack.pop()
        if name in ("p", "s"):
            self._boundary(frame, {})
        elif name == "voice":
            before = self._stack[-1].voice
            self._parts.append(Turn(0 if before is None else None, before, here, here))

    def _boundary(self, frame: _Frame, given: Mapping[str, str]) -> _Frame:
        here = self._here()
        self._parts.append(Pause(None, "paragraph" if frame.name == "p" else "sentence", here, here))
        return frame

    def _break(self, frame: _Frame, given: Mapping[str, str]) -> _Frame:
        strength = self._checked(values.break_strength, given.get("strength", "medium"))
        seconds = self._checked(values.break_seconds, given["time"]) if "time" in given else None
        here = self._here()
        self._parts.append(Pause(seconds, strength, here, self._places.tag_end(here)))
        return frame

    def _sub(self, frame: _Frame, given: Mapping[str, str]) -> _Frame:
        if not given.get("alias", "").strip():
            self._refuse('<sub> needs alias="what to read"')
        return dataclasses.replace(frame, alias=given["alias"])

    def _phoneme(self, frame: _Frame, given: Mapping[str, str]) -> _Frame:
        if not given.get("ph", "").strip():
            self._refuse('<phoneme> needs ph="sounds"')
        return dataclasses.replace(frame, symbols=self._checked(to_symbols, given["ph"], given.get("alphabet", "ipa")))

    def _say_as(self, frame: _Frame, given: Mapping[str, str]) -> _Frame:
        form = given.get("format", "").strip() or None
        kind = self._checked(values.say_as_kind, given.get("interpret-as", ""), form)
        return frame.styled(say_as=kind, say_as_format=form)

    def _emphasis(self, frame: _Frame, given: Mapping[str, str]) -> _Frame:
        return frame.styled(emphasis=self._checked(values.emphasis_level, given.get("level", "moderate")))

    def _prosody(self, frame: _Frame, given: Mapping[str, str]) -> _Frame:
        checks = (("rate", values.rate), ("pitch", values.pitch), ("volume", values.volume))
        return frame.styled(**{name: self._checked(check, given[name]) for name, check in checks if name in given})

    def _voice(self, frame: _Frame, given: Mapping[str, str]) -> _Frame:
        name = " ".join(given.get("name", "").split())
        if not name:
            self._refuse('<voice> needs name="a voice of the checkpoint"')
        here = self._here()
        self._parts.append(Turn(None, name, here, self._places.tag_end(here)))
        return dataclasses.replace(frame, voice=name)

    # --- words -------------------------------------------------------------------------------------------------------

    def _begin_literal(self) -> None:
        self._literal = True

    def _end_literal(self) -> None:
        self._literal = False

    def _text(self, data: str) -> None:
        here = self._here()
        if self._source[here] == "&" and not self._literal:  # &amp; or &#233;
            self._texts.append(TracedText.standing_for(data, here, self._source.index(";", here) + 1))
        elif self._source[here] == "\r":  # XML makes a line feed of it
            end = here + (2 if self._source.startswith("\r\n", here) else 1)
            self._texts.append(TracedText.standing_for(data, here, end))
        else:
            self._texts.append(TracedText.of(data, here))

    def _flush(self) -> None:
        if self._texts:
            self._parts.append(dataclasses.replace(self._stack[-1].style, text=TracedText.joined(self._texts)))
            self._texts = []

    def _close_given(self, frame: _Frame, here: int) -> None:
        written = TracedText.joined(self._texts).strip()
        start, end = written.span if written.text else (here, here)
        self._texts = [TracedText.standing_for(frame.alias, start, end)] if frame.alias is not None else []
        if frame.symbols:
            self._parts.append(Pronunciation(" ".join(written.text.split()), frame.symbols, start, end))


_OPENED: Mapping[str, Callable[[_Reader, _Frame, Mapping[str, str]], _Frame]] = {
    "p": _Reader._boundary,
    "s": _Reader._boundary,
    "break": _Reader._break,
    "sub": _Reader._sub,
    "phoneme": _Reader._phoneme,
    "say-as": _Reader._say_as,
    "emphasis": _Reader._emphasis,
    "prosody": _Reader._prosody,
    "voice": _Reader._voice,
}
