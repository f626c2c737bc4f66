"""Values of SSML's attributes: each function takes what was written and gives what `parts.py` holds.

Invariant: what comes back is in small letters and is read by `directions.py` and `normalise/say_as.py` as it is meant;
anything else is a TextError that quotes the value and says what may stand there. The caller adds the place.
Source: W3C, "Speech Synthesis Markup Language 1.1", 2010, 3.1.1, 3.1.9, 3.2; "SSML 1.0 say-as attribute values", 2005.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lungfish.errors import TextError
from lungfish.text.directions import rate_factor
from lungfish.text.normalise import say_as
from lungfish.text.traced import TracedText

MAX_PAUSE_S = 60.0
ELEMENTS: Mapping[str, frozenset[str]] = {
    "speak": frozenset(["version", "onlangfailure"]),
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
_EVERYWHERE = re.compile(r"xml:(?:lang|space|base|id)|id|xmlns(?::.*)?|xsi:.*", re.DOTALL)
_STRENGTHS = ("none", "x-weak", "weak", "medium", "strong", "x-strong")
_LEVELS = ("strong", "moderate", "none", "reduced")
_KIND_ALIASES = {"number": "cardinal", "verbatim": "characters"}
_SLOWEST, _FASTEST = 0.1, 10.0
_SHOWN = 40  # characters of a value in an error

_NUMBER = r"[0-9]{1,6}(?:\.[0-9]{1,6})?"
_TIME = re.compile(r"\+?(?P<number>[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})(?P<unit>ms|s)")
_RATE = re.compile(rf"x-slow|slow|medium|fast|x-fast|default|[+-]?{_NUMBER}%|{_NUMBER}")
_PITCH = re.compile(rf"x-low|low|medium|high|x-high|default|[+-]?{_NUMBER}(?:hz|st|%)")
_VOLUME = re.compile(rf"silent|x-soft|soft|medium|loud|x-loud|default|[+-]?{_NUMBER}(?:db|%)?")
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,8}")


def means_nothing(element: str, attribute: str) -> bool:
    """Whether `attribute` of one of `ELEMENTS` is one that nothing is made of."""
    return attribute not in ELEMENTS[element] and _EVERYWHERE.fullmatch(attribute) is None


def break_seconds(written: str) -> float:
    """ "500ms", "2s" or "+1.5s" -> seconds, `MAX_PAUSE_S` at most."""
    match = _TIME.fullmatch(written.strip().lower())
    if match is None:
        raise TextError(f"time={_shown(written)} is no length of a break: write such as 500ms or 1.5s")
    seconds = float(match["number"]) / (1000 if match["unit"] == "ms" else 1)
    if seconds > MAX_PAUSE_S:
        raise TextError(f"a break of {seconds:g} s is too long: {MAX_PAUSE_S:g} s at most")
    return seconds


def break_strength(written: str) -> str:
    """One of SSML's six strengths."""
    return _choice("strength", written, _STRENGTHS)


def emphasis_level(written: str) -> str:
    """One of SSML's four levels."""
    return _choice("level", written, _LEVELS)


def rate(written: str) -> str:
    """A word, "80%", "+20%", or a factor such as "1.5"; a tenth to ten times the ordinary pace."""
    value = _checked("rate", written, _RATE, "slow, medium, fast, 80%, +20% or 1.5")
    if not _SLOWEST <= rate_factor(value) <= _FASTEST:
        raise TextError(f"rate={_shown(written)} is out of reach: {_SLOWEST:g} to {_FASTEST:g} times the ordinary pace")
    return value


def pitch(written: str) -> str:
    """A word, "+2st", "-10%", "+20Hz" or "180Hz"."""
    return _checked("pitch", written, _PITCH, "low, medium, high, +2st, -10% or 180Hz")


def volume(written: str) -> str:
    """A word, "+6dB", "-10%", or a number out of 100."""
    return _checked("volume", written, _VOLUME, "soft, medium, loud, +6dB or 50")


def say_as_kind(written: str, form: str | None) -> str:
    """One of `say_as.KINDS`; `form` is the format that it is read with, checked too."""
    kind = written.strip().lower()
    kind = _KIND_ALIASES.get(kind, kind)
    try:
        say_as.read(TracedText.of(""), "en", False, kind, form, lambda text: text)
    except TextError as error:
        raise TextError(f"interpret-as={_shown(written)}: {error}") from error
    return kind


def language(written: str) -> str | None:
    """A BCP 47 tag as it is written; None where it is empty, which undoes a parent's."""
    value = written.strip()
    if value and _LANGUAGE.fullmatch(value) is None:
        raise TextError(f"xml:lang={_shown(written)} is no language: write such as en, de or en-GB")
    return value or None


def _choice(name: str, written: str, choices: Sequence[str]) -> str:
    value = written.strip().lower()
    if value not in choices:
        raise TextError(f"{name}={_shown(written)} is not known: write one of {', '.join(choices)}")
    return value


def _checked(name: str, written: str, grammar: re.Pattern[str], examples: str) -> str:
    value = written.strip().lower()
    if grammar.fullmatch(value) is None:
        raise TextError(f"{name}={_shown(written)} is not understood: write such as {examples}")
    return value


def _shown(written: str) -> str:
    return repr(written if len(written) <= _SHOWN else written[: _SHOWN - 1] + "…")
