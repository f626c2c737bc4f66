"""What SSML's elements have left behind, in order: neighbouring words joined, pauses and turns where they say something.

A pause between sentences or paragraphs stands between words only, once, the strongest of those that meet there, and gives
way to a break. A turn made by the end of a <voice> goes where nobody speaks before the next. Invariant: no words are lost.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Iterable, Sequence

from lungfish.text.parts import Part, Pause, Pronunciation, Turn, Words
from lungfish.text.traced import TracedText

_BOUNDARIES = ("sentence", "paragraph")
_TURN = re.compile(r"(?<=<)(?=\|speaker:[0-9])")


def in_order(parts: Iterable[Part]) -> list[Part]:
    """`parts`, as the elements made them, as a listener should hear them."""
    return [piece for part in _settled(_joined(parts)) for piece in _cut(part)]


def _joined(parts: Iterable[Part]) -> list[Part]:
    """Neighbouring words that are to be said alike as one."""
    made: list[Part] = []
    for style, group in itertools.groupby(parts, _style):
        run = list(group)
        if style is None:
            made += run
        else:
            words = [part for part in run if isinstance(part, Words)]
            made.append(dataclasses.replace(words[0], text=TracedText.joined(part.text for part in words)))
    return made


def _style(part: Part) -> tuple[str | None, ...] | None:
    if not isinstance(part, Words):
        return None
    return part.language, part.say_as, part.say_as_format, part.emphasis, part.rate, part.pitch, part.volume


def _settled(parts: Sequence[Part]) -> list[Part]:
    kept: list[Part | None] = []
    boundary: int | None = None  # place of a pause that waits for words behind it
    back: int | None = None  # place of a turn that does
    may_pause = False  # there have been words, and no break since
    for part in parts:
        if isinstance(part, Pause) and part.strength in _BOUNDARIES:
            if not may_pause:
                continue
            if boundary is not None:
                if part.strength == "paragraph":
                    kept[boundary] = part
                continue
            boundary = len(kept)
        elif isinstance(part, Pause):
            _drop(kept, boundary)
            boundary, may_pause = None, False
        elif isinstance(part, Turn):
            _drop(kept, back)
            back = len(kept) if part.start == part.end else None
        elif _is_spoken(part):
            boundary, back, may_pause = None, None, True
        kept.append(part)
    _drop(kept, boundary)
    _drop(kept, back)
    return [part for part in kept if part is not None]


def _drop(kept: list[Part | None], at: int | None) -> None:
    if at is not None:
        kept[at] = None


def _is_spoken(part: Part) -> bool:
    return isinstance(part, Pronunciation) or (isinstance(part, Words) and bool(part.text.text.strip()))


def _cut(part: Part) -> list[Part]:
    """Words cut behind each < of what looks like a turn: escaped, it is text, and no later stage may find a turn in it."""
    if not isinstance(part, Words) or "<|speaker:" not in part.text.text:
        return [part]
    return [dataclasses.replace(part, text=text) for text in part.text.split(_TURN)]
