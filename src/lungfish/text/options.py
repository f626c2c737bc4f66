"""What a request asks of the text pipeline, and what a checkpoint can do with text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from lungfish.errors import ConfigError
from lungfish.text.pronounce import Lexicon
from lungfish.text.tags import FREE_TEXT, TagPolicy

FORMS = ("auto", "plain", "ssml", "script")
NORMALISE = ("auto", "on", "off")
EMOJI = ("drop", "name")


@dataclass(frozen=True)
class TextOptions:
    """Of one request.

    Attributes:
        form: "auto" takes what begins with <speak> for SSML and all else for plain text.
        normalise: read numbers, dates and abbreviations as words; "auto" is what suits the checkpoint.
        language: of the whole text ("de", "en-GB"); None: found out sentence by sentence.
        emoji: dropped, or read by their names.
        markup: take Markdown and HTML for markup, not for text.
        voices: for scripts, who speaks with which of the checkpoint's voices.
        lexicon: how words are to be pronounced.

    Raises:
        ConfigError: a word that is none of the choices.
    """

    form: Literal["auto", "plain", "ssml", "script"] = "auto"
    normalise: Literal["auto", "on", "off"] = "auto"
    language: str | None = None
    emoji: Literal["drop", "name"] = "drop"
    markup: bool = True
    voices: Mapping[str, str] = field(default_factory=dict)
    lexicon: Lexicon | None = None

    def __post_init__(self) -> None:
        for name, choices in (("form", FORMS), ("normalise", NORMALISE), ("emoji", EMOJI)):
            if getattr(self, name) not in choices:
                raise ConfigError(f"{name} must be one of {', '.join(choices)}, not {getattr(self, name)!r}")


@dataclass(frozen=True)
class TextProfile:
    """Of one checkpoint.

    Attributes:
        tags: which tags it performs.
        normalise: whether text is to be normalised where a request leaves it to "auto".
        languages: that it speaks; () any.
        voices: its own; () none.
        phonemes: it reads phoneme symbols, not text.
    """

    tags: TagPolicy = FREE_TEXT
    normalise: bool = False
    languages: tuple[str, ...] = ()
    voices: tuple[str, ...] = ()
    phonemes: bool = False
