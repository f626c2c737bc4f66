"""Typed parts in, prompt tensors out.

Text is text: only a `ControlPart` becomes a control token, so nothing that a user writes can steer the conversation.
Every part is tokenised on its own and the results are joined, never the strings. Three styles:

    chat        S2: system, user and assistant messages; several batches share one `Conversation`
    interleave  S1: references and text one after the other
    phonemes    the small checkpoints: symbols, then audio from a fixed position on

Source: spec/lm.md 6.2, 6.3, 6.6. We differ: control tokens in user text stay text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from lungfish.errors import CodesError, TextError, VoiceError
from lungfish.lm.config import DualARConfig
from lungfish.text.phonemes import BOUNDARY, token_name
from lungfish.text.speakers import SPEAKER_TAG
from lungfish.text.tokenizer import Tokenizer

ANY_VOICE = "any"
_SYSTEM = "convert the provided text to speech"
_SYSTEM_WITH_REFERENCE = _SYSTEM + " reference to the following:\n\nText:\n"


@dataclass(frozen=True)
class TextPart:
    """Plain text; special tokens in it are spelled, not obeyed."""

    text: str


@dataclass(frozen=True)
class ControlPart:
    """One control token by its name, such as `<|im_end|>`."""

    name: str


@dataclass(frozen=True)
class PhonemePart:
    """Symbols out of `lungfish.text.phonemes.SYMBOLS`."""

    symbols: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class CodesPart:
    """Audio as codes [K, T]."""

    codes: Tensor


Part = TextPart | ControlPart | PhonemePart | CodesPart


@dataclass(frozen=True, eq=False)
class Prompt:
    """Attributes:
    ids: [1 + K, L] int64; row 0 token ids, rows 1.. codes, 0 where there are none.
    positions: [L] int64 rotary positions, rising, possibly with a gap.
    """

    ids: Tensor
    positions: Tensor


@dataclass(frozen=True, eq=False)
class Reference:
    """A clip to sound like.

    Attributes:
        text: its transcript.
        codes: [K, T].
        symbols: the transcript in phonemes, for the phonemes style.
    """

    text: str
    codes: Tensor
    symbols: tuple[str, ...] = ()


def voice_token(name: str) -> str:
    """The added token that names a voice of a phoneme checkpoint."""
    return f"<|voice:{name}|>"


def encode_parts(parts: Sequence[Part], tokenizer: Tokenizer, config: DualARConfig) -> Tensor:
    """Columns [1 + K, L] of parts, each tokenised alone.

    Raises:
        CodesError: codes of the wrong shape or out of range.
        TokenizerError: a control token or phoneme that the tokenizer does not have.
    """
    columns = [_encode(part, tokenizer, config) for part in parts]
    return torch.cat(columns, dim=1) if columns else torch.zeros(1 + config.num_codebooks, 0, dtype=torch.long)


def contiguous(ids: Tensor) -> Prompt:
    """A prompt whose positions count 0, 1, 2..."""
    return Prompt(ids, torch.arange(ids.shape[1]))


def _encode(part: Part, tokenizer: Tokenizer, config: DualARConfig) -> Tensor:
    if isinstance(part, CodesPart):
        codes = checked_codes(part.codes, config)
        return torch.cat((codes[:1] + config.semantic_begin_id, codes))
    if isinstance(part, TextPart):
        row = tokenizer.encode_text(part.text)
    elif isinstance(part, PhonemePart):
        row = [tokenizer.token_id(token_name(symbol)) for symbol in part.symbols]
    else:
        row = [tokenizer.token_id(part.name)]
    ids = torch.zeros(1 + config.num_codebooks, len(row), dtype=torch.long)
    ids[0] = torch.tensor(row, dtype=torch.long)
    return ids


def checked_codes(codes: Tensor, config: DualARConfig) -> Tensor:
    """`codes` [K, T] as int64 on the CPU.

    Raises:
        CodesError: another number of codebooks, or entries out of range.
    """
    if codes.dim() != 2 or codes.shape[0] != config.num_codebooks:
        raise CodesError(f"codes must be [{config.num_codebooks}, frames], got {list(codes.shape)}")
    if codes.is_floating_point() or codes.is_complex():
        raise CodesError(f"codes must be integers, got {codes.dtype}")
    codes = codes.to("cpu", torch.long)
    if codes.numel() and (int(codes.min()) < 0 or int(codes.max()) >= config.codebook_size):
        raise CodesError(f"codes must be from 0 to {config.codebook_size - 1}")
    return codes


class Conversation:
    """An S2 chat: a system message (with references or not), then a user and an assistant message per batch of text.

    Args:
        tokenizer, config: of the model.
        references: clips to sound like, in speaker order; those without text or codes are left out.
    """

    def __init__(self, tokenizer: Tokenizer, config: DualARConfig, references: Sequence[Reference] = ()) -> None:
        self._tokenizer, self._config = tokenizer, config
        used = [clip for clip in references if clip.text and clip.codes.numel()]
        self._history = self._encode(*_message("system", *_system_parts(used)))

    def ask(self, *said: str | Part) -> Prompt:
        """Add a user message and return the prompt for its answer.

        Args:
            said: the message's text, or its parts in order.

        Raises:
            TextError: empty text.
        """
        parts = [TextPart(part) if isinstance(part, str) else part for part in said]
        if not any(not isinstance(part, TextPart) or part.text.strip() for part in parts):
            raise TextError("the text is empty: give it at least one word")
        self._history = torch.cat((self._history, self._encode(*_message("user", *parts))), dim=1)
        return contiguous(torch.cat((self._history, self._encode(*_ANSWER)), dim=1))

    def reply(self, codes: Tensor) -> None:
        """Add the answer [K, T] to the history."""
        answer = self._encode(*_ANSWER, CodesPart(codes), *_END_OF_MESSAGE)
        self._history = torch.cat((self._history, answer), dim=1)

    def _encode(self, *parts: Part) -> Tensor:
        return encode_parts(parts, self._tokenizer, self._config)


_END_OF_MESSAGE = (ControlPart("<|im_end|>"), TextPart("\n"))
_ANSWER = (ControlPart("<|im_start|>"), TextPart("assistant\n"), ControlPart("<|voice|>"))


def _message(role: str, *body: Part) -> tuple[Part, ...]:
    return (ControlPart("<|im_start|>"), TextPart(f"{role}\n"), *body, *_END_OF_MESSAGE)


def _system_parts(references: Sequence[Reference]) -> tuple[Part, ...]:
    if not references:
        return (TextPart(_SYSTEM),)
    said = "\n".join(_tagged(clip.text, index) for index, clip in enumerate(references))
    codes = torch.cat([clip.codes for clip in references], dim=1)
    return (TextPart(_SYSTEM_WITH_REFERENCE), TextPart(said), TextPart("\n\nSpeech:\n"), CodesPart(codes))


def _tagged(text: str, speaker: int) -> str:
    return text if re.search(SPEAKER_TAG, text) else f"<|speaker:{speaker}|>{text}"


def interleave_prompt(
    text: str, tokenizer: Tokenizer, config: DualARConfig, references: Sequence[Reference] = ()
) -> Prompt:
    """The S1 form: references and text one after the other, always speaker 0. Source: spec/lm.md 6.6."""
    if not text.strip():
        raise TextError("the text is empty: give it at least one word")
    speaker = TextPart("<|speaker:0|>")
    parts: list[Part] = [ControlPart("<|interleave|>")]
    for clip in references:
        parts += [speaker, TextPart(clip.text), CodesPart(clip.codes), ControlPart("<|im_end|>")]
    parts += [speaker, TextPart(text)]
    return contiguous(encode_parts(parts, tokenizer, config))


def text_positions(length: int, config: DualARConfig) -> Tensor:
    """Positions [length] of a phoneme prompt's text: 0, then `symbol_stride` apart, rounded down."""
    return (torch.arange(length, dtype=torch.float64) * config.symbol_stride).long()


def text_room(config: DualARConfig) -> int:
    """Tokens of text that fit before the audio of a phoneme prompt."""
    return math.ceil((config.audio_start or 0) / config.symbol_stride)


def phoneme_prompt(
    symbols: Sequence[str],
    tokenizer: Tokenizer,
    config: DualARConfig,
    voice: str | None = None,
    reference: Reference | None = None,
) -> Prompt:
    """The prompt of a phoneme checkpoint.

    `<|im_start|> voice symbols <|im_end|>` at `text_positions`, then `<|audio_start|>` at `config.audio_start`. With a
    reference its symbols come first and its codes follow the start as already spoken: the model goes on in that voice.

    Args:
        symbols: what to say.
        voice: one of `config.voices`; None leaves it open, which suits a reference.
        reference: clip with `symbols` and `codes`.

    Raises:
        VoiceError: the checkpoint has no such voice.
        TextError: no symbols, or more than fit before `audio_start`.
    """
    if voice is not None and voice not in config.voices:
        raise VoiceError(f"no voice named {voice!r}; this model has {', '.join(config.voices) or 'none'}")
    if not symbols:
        raise TextError("the text is empty: give it at least one word")
    spoken = (*reference.symbols, BOUNDARY, *symbols) if reference is not None else tuple(symbols)
    text = encode_parts(
        (
            ControlPart("<|im_start|>"),
            ControlPart(voice_token(voice or ANY_VOICE)),
            PhonemePart(spoken),
            ControlPart("<|im_end|>"),
        ),
        tokenizer,
        config,
    )
    start, room = config.audio_start or 0, text_room(config)
    if text.shape[1] > room:
        raise TextError(f"text of {text.shape[1]} symbols is too long for one go, the limit is {room}: split it")
    heard = (CodesPart(reference.codes),) if reference is not None else ()
    audio = encode_parts((ControlPart("<|audio_start|>"), *heard), tokenizer, config)
    positions = torch.cat((text_positions(text.shape[1], config), start + torch.arange(audio.shape[1])))
    return Prompt(torch.cat((text, audio), dim=1), positions)
