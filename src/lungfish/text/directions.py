"""SSML's emphasis and prosody as tags: what a parent element asks of its words becomes a direction in front of them.

The bounds are where a listener notices: 15 % of rate, two semitones of pitch, four decibels.
"""

from __future__ import annotations

import math
import re

from lungfish.text.parts import Part, Tag, Words

_RATE_WORDS = {"x-slow": 0.6, "slow": 0.8, "medium": 1.0, "default": 1.0, "fast": 1.25, "x-fast": 1.5}
_PITCH_WORDS = {"x-low": -6.0, "low": -3.0, "medium": 0.0, "default": 0.0, "high": 3.0, "x-high": 6.0}
_VOLUME_WORDS = {
    "silent": -60.0,
    "x-soft": -10.0,
    "soft": -5.0,
    "medium": 0.0,
    "default": 0.0,
    "loud": 5.0,
    "x-loud": 10.0,
}
_LEAST_RATE, _LEAST_SEMITONES, _LEAST_DB = 0.15, 2.0, 4.0
_AVERAGE_HZ = 160.0
_EMPHASIS = {"strong": "emphasis", "moderate": "emphasis"}


def directed(parts: list[Part]) -> list[Part]:
    """Parts with tags in front of every stretch of words that is to be spoken in another way than the one before."""
    made: list[Part] = []
    before: tuple[str, ...] = ()
    for part in parts:
        if isinstance(part, Words):
            wanted = tags_for(part)
            start = part.text.span[0]
            made += [Tag(name, start, start) for name in wanted if name not in before]
            before = wanted
        made.append(part)
    return made


def tags_for(words: Words) -> tuple[str, ...]:
    """Names of tags, out of the project's table and "emphasis"."""
    found = []
    if words.emphasis in _EMPHASIS:
        found.append(_EMPHASIS[words.emphasis])
    rate = rate_factor(words.rate)
    if abs(rate - 1) >= _LEAST_RATE:
        found.append("fast" if rate > 1 else "slow")
    semitones = pitch_semitones(words.pitch)
    if abs(semitones) >= _LEAST_SEMITONES:
        found.append("high pitch" if semitones > 0 else "low pitch")
    decibels = volume_db(words.volume)
    if abs(decibels) >= _LEAST_DB:
        found.append("shout" if decibels > 0 else "soft")
    return tuple(found)


def rate_factor(rate: str | None) -> float:
    """ "slow", "80%", "+20%" or "1.5" -> factor of the ordinary pace."""
    if rate is None:
        return 1.0
    if rate in _RATE_WORDS:
        return _RATE_WORDS[rate]
    number = _number(rate)
    if not rate.endswith("%"):
        return number
    return 1 + number / 100 if rate[0] in "+-" else number / 100


def pitch_semitones(pitch: str | None) -> float:
    """ "high", "+2st", "-10%", "+20Hz" or "180Hz" -> semitones above the ordinary pitch."""
    if pitch is None:
        return 0.0
    if pitch in _PITCH_WORDS:
        return _PITCH_WORDS[pitch]
    number, relative = _number(pitch), pitch[0] in "+-"
    if pitch.endswith("st"):
        return number
    if pitch.endswith("%"):
        factor = 1 + number / 100
    else:
        factor = (_AVERAGE_HZ + number) / _AVERAGE_HZ if relative else number / _AVERAGE_HZ
    return 12 * math.log2(factor) if factor > 0 else 0.0


def volume_db(volume: str | None) -> float:
    """ "loud", "+6dB" or "50" (of 100) -> decibels above the ordinary level."""
    if volume is None:
        return 0.0
    if volume in _VOLUME_WORDS:
        return _VOLUME_WORDS[volume]
    number = _number(volume)
    if volume.lower().endswith("db"):
        return number
    if volume[0] in "+-":
        number = 100 + number
    return 20 * math.log10(number / 100) if number > 0 else _VOLUME_WORDS["silent"]


def _number(text: str) -> float:
    found = re.search(r"[-+]?[0-9]{1,6}(?:\.[0-9]{1,6})?", text)
    return float(found.group()) if found else 0.0
