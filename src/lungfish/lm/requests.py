"""From prepared text to what the model is asked, one request per segment.

A request is made when the one before it is answered, since a chat remembers what it has said. Three styles, as in
`lm/prompt.py`. Who speaks: a turn's own voice; else, of a phoneme checkpoint, speaker 0 is who was asked for (the voice or
the reference) and the others are its further voices in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from torch import Tensor

from lungfish.errors import TextError
from lungfish.lm.config import DualARConfig
from lungfish.lm.prompt import (
    ControlPart,
    Conversation,
    Part,
    Prompt,
    Reference,
    TextPart,
    interleave_prompt,
    phoneme_prompt,
    text_room,
)
from lungfish.text.parts import Pronunciation, Turn
from lungfish.text.pipeline import PreparedText
from lungfish.text.planning import Segment, plan_phonemes, plan_text
from lungfish.text.tokenizer import Tokenizer

_FRAME = 3  # tokens of a phoneme prompt that are not text: the start, the voice, the end
_LEAST_SYMBOLS = 24  # that must remain for the text beside a reference
_FRAMES_PER_SYMBOL, _SPARE_FRAMES = 2.0, 24  # twice what speech needs: no runaway, no cut
_LEAST_FRAMES_PER_SYMBOL = 0.6  # half of what ordinary speech takes: a draw that ends before has not said it all
_NO_LIMIT = 1 << 30
_HISTORY_RESERVE = 0.5  # share of the context that a dialogue's history may fill before it starts anew


def _forget(codes: Tensor) -> None:
    """Segments that do not hear each other."""


@dataclass(frozen=True, eq=False)
class Request:
    """Attributes:
    segment: what is to be said.
    prompt: what the model is given; None where the segment is a silence.
    least_frames, most_frames: that its text can take.
    reply: to be called with the codes [K, T] of the answer.
    """

    segment: Segment
    prompt: Prompt | None
    least_frames: int = 1
    most_frames: int = _NO_LIMIT
    reply: Callable[[Tensor], None] = _forget


def plan_requests(
    prepared: PreparedText,
    tokenizer: Tokenizer,
    config: DualARConfig,
    voice: str | None = None,
    reference: Reference | None = None,
) -> tuple[list[Segment], Iterator[Request]]:
    """Segments, and as many requests.

    Args:
        prepared: the text.
        tokenizer, config: of the model.
        voice: who speaks where the text does not say; one of the checkpoint's voices.
        reference: clip to sound like, in place of a voice.

    Raises:
        TextError: nothing to speak, or a reference whose text leaves no room for it.
    """
    segments = plan_segments(prepared, config, reference)
    if config.prompt_style == "phonemes":
        return segments, (_phoneme_request(one, tokenizer, config, voice, reference) for one in segments)
    references = () if reference is None else (reference,)
    if config.prompt_style == "chat":
        return segments, _chat_requests(segments, tokenizer, config, references)
    return segments, (
        Request(one, interleave_prompt(one.text, tokenizer, config, references) if one.stretches else None)
        for one in segments
    )


def plan_segments(prepared: PreparedText, config: DualARConfig, reference: Reference | None = None) -> list[Segment]:
    """What is spoken in one go, see `text/planning.py`.

    Raises:
        TextError: nothing to speak, or a reference whose text leaves no room for it.
    """
    if config.prompt_style == "phonemes":
        return plan_phonemes(prepared.parts, _room(config, reference))
    return plan_text(prepared.parts)


def chat_parts(stretches: Sequence[str | Pronunciation]) -> list[Part]:
    """A segment as prompt parts: only a pronunciation brings control tokens, its sounds in ARPAbet without stress."""
    parts: list[Part] = []
    for stretch in stretches:
        if isinstance(stretch, str):
            parts.append(TextPart(stretch))
            continue
        sounds = " ".join(symbol for symbol in stretch.symbols if symbol.isalpha())
        parts += [ControlPart("<|phoneme_start|>"), TextPart(sounds), ControlPart("<|phoneme_end|>")]
    return parts


def speaker_of(
    turn: Turn | None, config: DualARConfig, voice: str | None, reference: Reference | None
) -> tuple[str | None, Reference | None]:
    """The voice or the reference that says a phoneme checkpoint's turn."""
    if turn is None:
        return voice, reference
    if turn.voice is not None:
        return turn.voice, None
    others = [name for name in config.voices if name != voice]
    if turn.speaker == 0 or turn.speaker is None or not others:
        return voice, reference
    ring = [None, *others]
    chosen = ring[turn.speaker % len(ring)]
    return (voice, reference) if chosen is None else (chosen, None)


def _room(config: DualARConfig, reference: Reference | None) -> int:
    room = text_room(config) - _FRAME - (0 if reference is None else len(reference.symbols) + 1)
    if reference is not None and room < _LEAST_SYMBOLS:
        raise TextError("the reference text is too long for this checkpoint; use a shorter clip")
    return room


def _phoneme_request(
    segment: Segment, tokenizer: Tokenizer, config: DualARConfig, voice: str | None, reference: Reference | None
) -> Request:
    if not segment.symbols:
        return Request(segment, None)
    speaker, clip = speaker_of(segment.turn, config, voice, reference)
    count = len(segment.symbols)
    return Request(
        segment,
        phoneme_prompt(segment.symbols, tokenizer, config, speaker, clip),
        least_frames=int(_LEAST_FRAMES_PER_SYMBOL * count),
        most_frames=int(_FRAMES_PER_SYMBOL * count) + _SPARE_FRAMES,
    )


def _chat_requests(
    segments: Sequence[Segment], tokenizer: Tokenizer, config: DualARConfig, references: tuple[Reference, ...]
) -> Iterator[Request]:
    conversation = Conversation(tokenizer, config, references)
    for number, segment in enumerate(segments):
        if not segment.stretches:
            yield Request(segment, None)
            continue
        parts = chat_parts(segment.stretches)
        prompt = conversation.ask(*parts)
        if number and prompt.ids.shape[1] > _HISTORY_RESERVE * config.max_seq_len:
            conversation = Conversation(tokenizer, config, references)
            prompt = conversation.ask(*parts)
        yield Request(segment, prompt, reply=conversation.reply)
