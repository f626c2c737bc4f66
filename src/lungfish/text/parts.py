"""What a text consists of once it has been understood: a list of typed parts, each of which knows where it came from.

Parsers (SSML, scripts, tags) make these; cleaning and normalising rewrite the words in them and leave the rest alone;
prompts are made from them. Nothing in a user's words becomes another kind of part later on.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lungfish.text.traced import TracedText


@dataclass(frozen=True, eq=False)
class Words:
    """Plain text.

    Attributes:
        text: the words.
        language: "en", "de", ... as told; None where it is to be found out.
        say_as: how the words are to be read ("cardinal", "ordinal", "characters", "date", "time", "telephone"); None: as
            they come.
        emphasis, rate, pitch, volume: as an SSML parent asked for; None: nothing asked.
    """

    text: TracedText
    language: str | None = None
    say_as: str | None = None
    say_as_format: str | None = None
    emphasis: str | None = None
    rate: str | None = None
    pitch: str | None = None
    volume: str | None = None


@dataclass(frozen=True)
class Tag:
    """An inline direction such as [whisper]; only text to a free-text checkpoint.

    Attributes:
        name: what stands in the brackets, blanks squeezed.
        start, end: its span of the source.
    """

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Turn:
    """From here on another speaks.

    Attributes:
        speaker: the N of `<|speaker:N|>`, or None where `voice` says who.
        voice: a voice's name, or None.
        start, end: its span of the source; empty where nothing was written for it.
    """

    speaker: int | None
    voice: str | None
    start: int
    end: int


@dataclass(frozen=True)
class Pause:
    """Silence of `seconds`, or a break between sentences or paragraphs of which only the `strength` is known.

    Attributes:
        seconds: exact length, or None.
        strength: "none", "x-weak", "weak", "medium", "strong", "x-strong", "sentence" or "paragraph".
        start, end: its span of the source.
    """

    seconds: float | None
    strength: str
    start: int
    end: int


@dataclass(frozen=True)
class Pronunciation:
    """Words with their sounds given.

    Attributes:
        text: the words, for checkpoints that read text.
        symbols: out of `lungfish.text.phonemes.SYMBOLS`.
        start, end: its span of the source.
    """

    text: str
    symbols: tuple[str, ...]
    start: int
    end: int


Part = Words | Tag | Turn | Pause | Pronunciation


@dataclass(frozen=True)
class TextWarning:
    """Something that was left out or read in another way than written.

    Attributes:
        message: one line that says what and why.
        start, end: the span of the source.
    """

    message: str
    start: int
    end: int


@dataclass
class Parsed:
    """Attributes:
    parts: in the order of the source.
    warnings: what a listener should know.
    """

    parts: list[Part] = field(default_factory=list)
    warnings: list[TextWarning] = field(default_factory=list)
