"""Text that remembers where each of its characters came from, however often it has been rewritten.

Every stage between what a person typed and what a model reads is a rewrite: cleaning, reading numbers, splitting. A
`TracedText` carries, for every character, the span of the source that it stands for, so that timestamps, warnings and a
page that highlights what is being spoken can point at the original. Invariant: spans never go backwards.

All operations are linear in the length of the text, except that `sub` also pays for its callback.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

_KIND = "q"  # 64-bit offsets


@dataclass(frozen=True, eq=False)
class TracedText:
    """Attributes:
    text: what it says now.
    starts, ends: for every character the half-open span of the source, in characters, that it stands for.
    """

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of(cls, source: str, offset: int = 0) -> TracedText:
        """`source` itself, every character standing for itself; `offset` is where it lies in a larger text."""
        return cls(
            source,
            array(_KIND, range(offset, offset + len(source))),
            array(_KIND, range(offset + 1, offset + len(source) + 1)),
        )

    @classmethod
    def standing_for(cls, text: str, start: int, end: int) -> TracedText:
        """New words for the span start..end of the source: every character stands for the whole span."""
        return cls(text, array(_KIND, [start]) * len(text), array(_KIND, [end]) * len(text))

    @classmethod
    def joined(cls, parts: Iterable[TracedText]) -> TracedText:
        """Parts side by side, in order, nothing between them."""
        texts: list[str] = []
        starts, ends = array(_KIND), array(_KIND)
        for part in parts:
            texts.append(part.text)
            starts.extend(part.starts)
            ends.extend(part.ends)
        return cls("".join(texts), starts, ends)

    def __len__(self) -> int:
        return len(self.text)

    def __str__(self) -> str:
        return self.text

    def __getitem__(self, piece: slice) -> TracedText:
        return TracedText(self.text[piece], self.starts[piece], self.ends[piece])

    @property
    def span(self) -> tuple[int, int]:
        """Where all of it lies in the source; (0, 0) when empty."""
        return (self.starts[0], self.ends[-1]) if self.text else (0, 0)

    def span_of(self, start: int, end: int) -> tuple[int, int]:
        """Span of the source for characters start..end of this text; an empty stretch has an empty span."""
        if start < end:
            return self.starts[start], self.ends[end - 1]
        at = self.starts[start] if start < len(self.text) else (self.ends[-1] if self.text else 0)
        return at, at

    def sub(self, pattern: re.Pattern[str], replacement: str | Callable[[re.Match[str]], str | None]) -> TracedText:
        """`re.sub` that keeps track.

        Args:
            pattern: searched from left to right; what it replaces is not looked at again.
            replacement: literal text (no backreferences), or a function of the match; None leaves the match as it is.

        Returns:
            The new text; characters of a replacement stand for the whole match, those equal to the match's own text
            keep their origins.
        """
        texts: list[str] = []
        starts, ends = array(_KIND), array(_KIND)
        done = 0
        for match in pattern.finditer(self.text):
            new = replacement if isinstance(replacement, str) else replacement(match)
            if new is None or new == match.group():
                continue
            begin, stop = match.span()
            texts += [self.text[done:begin], new]
            starts.extend(self.starts[done:begin])
            ends.extend(self.ends[done:begin])
            if new:
                first, last = self.span_of(begin, stop)
                starts.extend(array(_KIND, [first]) * len(new))
                ends.extend(array(_KIND, [last]) * len(new))
            done = stop
        if not done and not texts:
            return self
        texts.append(self.text[done:])
        starts.extend(self.starts[done:])
        ends.extend(self.ends[done:])
        return TracedText("".join(texts), starts, ends)

    def unwrap(self, pattern: re.Pattern[str], group: int) -> TracedText:
        """Every match of `pattern` replaced by its `group`, whose characters keep their origins."""
        parts, done = [], 0
        for match in pattern.finditer(self.text):
            parts += [self[done : match.start()], self[match.start(group) : match.end(group)]]
            done = match.end()
        return TracedText.joined([*parts, self[done:]]) if parts else self

    def strip(self) -> TracedText:
        """Without white space at both ends."""
        begin = len(self.text) - len(self.text.lstrip())
        return self[begin : max(begin, len(self.text.rstrip()))]

    def split(self, pattern: re.Pattern[str]) -> list[TracedText]:
        """The stretches between the matches of `pattern`, empty ones too."""
        parts, begin = [], 0
        for match in pattern.finditer(self.text):
            parts.append(self[begin : match.start()])
            begin = match.end()
        return [*parts, self[begin:]]
