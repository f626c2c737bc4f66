"""From prepared parts to segments: what is spoken in one go, by whom, and how long the silence after it is.

    plan_phonemes   for checkpoints that read symbols: sentences, very short ones joined, each within the checkpoint's room
    plan_text       for checkpoints that read text: turns of a dialogue together, as much in one go as reads well

Invariants: everything that is said lies in exactly one segment, in order; a segment never reaches over a pause that was
asked for; its span of the source holds all its words. A pronunciation is one private-use character while a text is split, so
that no split can fall into it (cleaning leaves no such characters in what people type).
Source: spec/lm.md 6.4 for the grouping of turns.
"""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from lungfish.errors import TextError
from lungfish.text.parts import Part, Pause, Pronunciation, Tag, Turn, Words
from lungfish.text.phonemes import BOUNDARY, PAUSES, to_phonemes
from lungfish.text.speakers import MAX_TURNS
from lungfish.text.splitter import Piece, split
from lungfish.text.traced import TracedText

PAUSE_S = {
    "none": 0.0,
    "x-weak": 0.0,
    "weak": 0.1,
    "medium": 0.25,
    "strong": 0.5,
    "x-strong": 1.0,
    "sentence": 0.15,
    "paragraph": 0.4,
}
PIECE_BYTES = 300  # of text in one go, where the checkpoint reads text
_SHORT_CHARACTERS = 30  # a sentence that is better spoken together with the next one
_FIRST_PLACEHOLDER, _MOST_PLACEHOLDERS = 0xF0000, 0xFFFD


@dataclass(frozen=True)
class Segment:
    """Attributes:
    stretches: words, and words with given sounds, in order; empty for a silence.
    start, end: span of the source, in characters.
    pause_s: silence after it; behind the last segment only if it was `asked` for.
    asked: the pause is one that the text asks for.
    turn: who speaks, as the text says; None: whoever was asked for.
    symbols: of a phoneme checkpoint; () for others.
    """

    stretches: tuple[str | Pronunciation, ...]
    start: int
    end: int
    pause_s: float = 0.0
    asked: bool = False
    turn: Turn | None = None
    symbols: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The words alone."""
        return "".join(part if isinstance(part, str) else part.text for part in self.stretches)


@dataclass
class _Run:
    """Words of one speaker up to a pause. `given`: pronunciations, by the number of their placeholder."""

    turn: Turn | None
    texts: list[TracedText] = field(default_factory=list)
    given: list[Pronunciation] = field(default_factory=list)
    pause_s: float | None = None

    def add(self, pronunciation: Pronunciation) -> None:
        if len(self.given) == _MOST_PLACEHOLDERS:
            raise TextError(
                f"more than {_MOST_PLACEHOLDERS} pronunciations without a pause between them; split the text"
            )
        sign = chr(_FIRST_PLACEHOLDER + len(self.given))
        self.given.append(pronunciation)
        self.texts.append(TracedText.standing_for(sign, pronunciation.start, pronunciation.end))

    def stretches(self, text: str) -> tuple[str | Pronunciation, ...]:
        """`text` with its placeholders filled in."""
        made: list[str | Pronunciation] = []
        begin = 0
        for at, character in enumerate(text):
            if not _is_placeholder(character):
                continue
            if at > begin:
                made.append(text[begin:at])
            made.append(self.given[ord(character) - _FIRST_PLACEHOLDER])
            begin = at + 1
        return (*made, text[begin:]) if begin < len(text) else tuple(made)


def plan_phonemes(parts: Sequence[Part], room: int) -> list[Segment]:
    """Segments with symbols.

    Args:
        parts: from `prepare_text`; tags have become pauses or are gone.
        room: most symbols in one go.

    Raises:
        TextError: nothing in it can be spoken.
    """
    segments: list[Segment] = []
    for run in _runs(parts):

        def symbols_of(text: str, run: _Run = run) -> tuple[str, ...]:
            return _symbols(run.stretches(text))

        pieces = split(TracedText.joined(run.texts), lambda text: len(symbols_of(text)) <= room)
        made = []
        for text, ends in _short_ones_joined(pieces, lambda text: len(symbols_of(text)) <= room):
            symbols = symbols_of(text.text)
            if symbols:
                made.append(_segment(run, text, ends, symbols))
        segments += _closed(made, run)
    return _checked(segments, "in English")


def plan_text(parts: Sequence[Part], piece_bytes: int = PIECE_BYTES) -> list[Segment]:
    """Segments of text, a turn under its `<|speaker:N|>`, tags in brackets.

    Args:
        parts: from `prepare_text`.
        piece_bytes: most UTF-8 bytes in one go.

    Raises:
        TextError: nothing in it can be spoken.
    """
    turns: list[Segment] = []
    for run in _runs(parts):
        text = TracedText.joined(run.texts)

        def fits(words: str, run: _Run = run) -> bool:
            return len("".join(map(_shown, run.stretches(words))).encode()) <= piece_bytes

        whole = text.strip()
        pieces = [(whole, "sentence")] if fits(whole.text) else _packed(split(text, fits), fits)
        made = [_tagged(_segment(run, piece, ends, ())) for piece, ends in pieces if _speakable(piece.text)]
        turns += _closed(made, run)
    return _checked(_grouped(turns, piece_bytes), "")


def _runs(parts: Iterable[Part]) -> Iterator[_Run]:
    run = _Run(None)
    for part in parts:
        if isinstance(part, Words):
            run.texts.append(part.text)
        elif isinstance(part, Pronunciation):
            run.add(part)
        elif isinstance(part, Tag):
            run.texts.append(TracedText.standing_for(f"[{part.name}]", part.start, part.end))
        elif isinstance(part, Pause):
            seconds = PAUSE_S[part.strength] if part.seconds is None else part.seconds
            if seconds:
                run.pause_s = seconds
                yield run
                run = _Run(run.turn)
        else:
            yield run
            run = _Run(part)
    yield run


def _segment(run: _Run, text: TracedText, ends: str, symbols: tuple[str, ...]) -> Segment:
    pause_s = PAUSE_S.get(ends, 0.0)
    start, end = text.span
    return Segment(run.stretches(text.text), start, end, pause_s, turn=run.turn, symbols=symbols)


def _closed(segments: list[Segment], run: _Run) -> list[Segment]:
    """A run's segments, its own pause behind the last; a pause with no words before it is a segment of silence."""
    if run.pause_s is None:
        return segments
    if not segments:
        return [Segment((), 0, 0, run.pause_s, asked=True, turn=run.turn)]
    return [*segments[:-1], dataclasses.replace(segments[-1], pause_s=run.pause_s, asked=True)]


def _checked(segments: list[Segment], how: str) -> list[Segment]:
    if not any(segment.stretches for segment in segments):
        how = f" {how}" if how else ""
        raise TextError(f"nothing in the text can be spoken{how}: give it at least one word or number")
    return segments


def _short_ones_joined(pieces: Sequence[Piece], fits: Callable[[str], bool]) -> Iterator[tuple[TracedText, str]]:
    """Sentences of a few words together with what follows them, where both fit and no paragraph ends between."""
    waiting: TracedText | None = None
    ends = "sentence"
    for piece in pieces:
        text = piece.text
        if waiting is not None:
            joined = TracedText.joined((waiting, _blank_after(waiting), text))
            if fits(joined.text):
                text = joined
            else:
                yield waiting, ends
        ends = piece.ends
        if ends == "sentence" and len(text) < _SHORT_CHARACTERS:
            waiting = text
        else:
            yield text, ends
            waiting = None
    if waiting is not None:
        yield waiting, ends


def _packed(pieces: Sequence[Piece], fits: Callable[[str], bool]) -> Iterator[tuple[TracedText, str]]:
    """As many pieces in one go as fit; a paragraph ends one."""
    held: TracedText | None = None
    ends = "sentence"
    for piece in pieces:
        joined = piece.text if held is None else TracedText.joined((held, _blank_after(held), piece.text))
        if held is not None and not fits(joined.text):
            yield held, ends
            joined = piece.text
        held, ends = joined, piece.ends
        if ends == "paragraph":
            yield held, ends
            held = None
    if held is not None:
        yield held, ends


def _blank_after(text: TracedText) -> TracedText:
    last = text.text[-1:]
    unspaced = bool(last) and unicodedata.east_asian_width(last) in "WF"
    return TracedText.standing_for("" if unspaced else " ", text.span[1], text.span[1])


def _grouped(turns: Sequence[Segment], piece_bytes: int) -> list[Segment]:
    """Turns of a dialogue joined by newlines, up to `MAX_TURNS` and `piece_bytes`; a pause or a voice ends a group."""
    groups: list[list[Segment]] = []
    used = 0
    for segment in turns:
        size = len("".join(map(_shown, segment.stretches)).encode())
        before = groups[-1] if groups else []
        may_join = (
            bool(before)
            and len(before) < MAX_TURNS
            and used + size <= piece_bytes
            and segment.turn is not None
            and before[-1].turn is not segment.turn
            and _is_dialogue(segment)
            and _is_dialogue(before[-1])
            and bool(segment.stretches)
            and not before[-1].asked
        )
        if may_join:
            before.append(segment)
            used += size
        else:
            groups.append([segment])
            used = size
    return [_joined(group) for group in groups]


def _is_dialogue(segment: Segment) -> bool:
    return segment.turn is None or segment.turn.voice is None


def _joined(group: Sequence[Segment]) -> Segment:
    stretches: list[str | Pronunciation] = []
    for segment in group:
        stretches += [*(["\n"] if stretches else []), *segment.stretches]
    return dataclasses.replace(
        group[0],
        stretches=tuple(stretches),
        end=max(one.end for one in group),
        pause_s=group[-1].pause_s,
        asked=group[-1].asked,
    )


def _tagged(segment: Segment) -> Segment:
    if segment.turn is None or segment.turn.speaker is None:
        return segment
    return dataclasses.replace(segment, stretches=(f"<|speaker:{segment.turn.speaker}|>", *segment.stretches))


def _shown(stretch: str | Pronunciation) -> str:
    return stretch if isinstance(stretch, str) else " ".join(stretch.symbols)


def _speakable(text: str) -> bool:
    return any(unicodedata.category(character)[0] in "LN" or _is_placeholder(character) for character in text)


def _is_placeholder(character: str) -> bool:
    return _FIRST_PLACEHOLDER <= ord(character) < _FIRST_PLACEHOLDER + _MOST_PLACEHOLDERS


def _symbols(stretches: Iterable[str | Pronunciation]) -> tuple[str, ...]:
    """Symbols of a segment, () where nothing can be spoken; words are parted by boundaries."""
    made: list[str] = []
    for stretch in stretches:
        if isinstance(stretch, Pronunciation):
            made += [*([BOUNDARY] if made and made[-1] != BOUNDARY else []), *stretch.symbols]
            continue
        marks, words = _leading_marks(stretch) if made else ((), stretch)
        made += [mark for mark in marks if made[-1] not in PAUSES]
        try:
            symbols = to_phonemes(words)
        except TextError:
            continue
        made += [*([BOUNDARY] if made else []), *symbols]
    return tuple(made)


def _leading_marks(text: str) -> tuple[tuple[str, ...], str]:
    """Pause marks that follow a pronunciation, and the rest."""
    rest = text.lstrip(" \"')’”")
    length = len(rest) - len(rest.lstrip("".join(PAUSES)))
    return tuple(rest[:length]), rest[length:]
