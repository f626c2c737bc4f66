"""Samples and batches for training a phoneme Dual-AR: packed codes and alignments in, padded tensors out.

A sample is `<|im_start|> voice symbols... <|im_end|> <|audio_start|> frames...`; text counts positions from 0, audio from
the checkpoint's `audio_start`, whatever the length of the text. Labels follow spec/lm.md 3.6: the label of a position is
the frame after it, and `<|im_end|>` after the last one; nothing before `<|audio_start|>` has a label.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from lungfish.data.alignments import read_alignments
from lungfish.data.protos import read_shard
from lungfish.data.split import is_validation
from lungfish.errors import DataError
from lungfish.lm.config import DualARConfig
from lungfish.lm.prompt import ANY_VOICE, text_positions, voice_token
from lungfish.text.phonemes import BOUNDARY, LETTERS, SYMBOLS, phones_only, to_phonemes, token_name
from lungfish.training.phone_head import PHONE_INDEX

IGNORE = -100
_LEAST_FRAMES = 4


@dataclass(frozen=True)
class Utterance:
    """One training clip.

    Attributes:
        voice: name of the voice.
        text: its transcript.
        words: symbols of each word with the pause marks that follow it.
        spellings: letters of each word followed by the same marks.
        codes: [K, T] int16.
        phone_position: [T] float32, which phone of the transcript each frame speaks.
    """

    voice: str
    text: str
    words: tuple[tuple[str, ...], ...]
    spellings: tuple[tuple[str, ...], ...]
    codes: np.ndarray
    phone_position: np.ndarray

    @property
    def num_symbols(self) -> int:
        return sum(len(word) + 1 for word in self.words) - 1

    @property
    def num_frames(self) -> int:
        return self.codes.shape[1]


def split_words(symbols: list[str]) -> tuple[tuple[str, ...], ...]:
    """Symbols without boundaries, grouped by word."""
    groups: list[list[str]] = [[]]
    for symbol in symbols:
        if symbol == BOUNDARY:
            groups.append([])
        else:
            groups[-1].append(symbol)
    return tuple(tuple(group) for group in groups)


class _EveryWord(frozenset[str]):
    """A set that contains every word: `to_phonemes(text, spell=_EveryWord())` spells the whole text."""

    def __contains__(self, word: object) -> bool:
        return True


def make_utterance(voice: str, text: str, codes: np.ndarray, phone_position: np.ndarray) -> Utterance:
    return Utterance(
        voice,
        text,
        split_words(to_phonemes(text)),
        split_words(to_phonemes(text, spell=_EveryWord())),
        codes.astype(np.int16),
        phone_position.astype(np.float32),
    )


def load_utterances(folder: Path, books: int | None = None) -> tuple[list[Utterance], list[Utterance]]:
    """Training and validation utterances of every shard in `folder` (`*.protos` with `*.alignments.safetensors`).

    Args:
        folder: of packed codes.
        books: keep this many, the first; all without it.

    Raises:
        DataError: no shard, a shard without its alignments, or with fewer books.
    """
    shards = sorted(folder.glob("*.protos"))
    if not shards:
        raise DataError(f"{folder} has no .protos shard; make some with `lungfish data codes`")
    training: list[Utterance] = []
    validation: list[Utterance] = []
    for shard in shards:
        alignments = iter(read_alignments(shard))
        for record in read_shard(shard):
            for sentence in record.sentences:
                if books is not None and len(sentence.semantics) < books:
                    raise DataError(f"{shard} has {len(sentence.semantics)} books of codes, {books} are asked for")
                codes = np.asarray(sentence.semantics[:books])
                utterance = make_utterance(record.name, sentence.texts[0], codes, next(alignments))
                (validation if is_validation(sentence.texts[0]) else training).append(utterance)
    return training, validation


def arrange(utterance: Utterance, spelled: list[bool]) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Symbols of an utterance with some words spelled, and where each frame is in them.

    Args:
        utterance: the clip.
        spelled: one flag per word.

    Returns:
        symbols, position [T] float32 (fractional index into symbols), phone label [T] int64 (`PHONE_INDEX`).
    """
    symbols: list[str] = []
    where: list[float] = []
    labels: list[int] = []
    for index, (word, spelling) in enumerate(zip(utterance.words, utterance.spellings, strict=True)):
        if index:
            symbols.append(BOUNDARY)
        phones = phones_only(list(word))
        start = len(symbols)
        if spelled[index]:
            letters = sum(symbol in LETTERS for symbol in spelling)
            where.extend(start + (k + 0.5) / len(phones) * letters - 0.5 for k in range(len(phones)))
            symbols.extend(spelling)
        else:
            where.extend(start + i for i, symbol in enumerate(word) if symbol in PHONE_INDEX)
            symbols.extend(word)
        labels.extend(PHONE_INDEX[phone] for phone in phones)
    grid = np.arange(len(where))
    position = np.interp(utterance.phone_position, grid, np.asarray(where, dtype=np.float32)).astype(np.float32)
    nearest = np.clip(np.rint(utterance.phone_position).astype(int), 0, len(labels) - 1)
    return symbols, position, np.asarray(labels, dtype=np.int64)[nearest]


@dataclass
class LMBatch:
    """Tensors of one step, right-padded.

    Attributes:
        ids: [B, 1 + K, L] int64.
        positions: [B, L] int64.
        labels: [B, 1 + K, L] int64, IGNORE where there is none.
        text_length: [B] positions before `<|audio_start|>`.
        num_frames: [B].
        symbol_position: [B, T] float32, position in the sequence of the symbol that frame t speaks.
        phones: [B, T] int64 phone labels, IGNORE on padding.
    """

    ids: Tensor
    positions: Tensor
    labels: Tensor
    text_length: Tensor
    num_frames: Tensor
    symbol_position: Tensor
    phones: Tensor

    def to(self, device: torch.device) -> LMBatch:
        return LMBatch(**{name: value.to(device) for name, value in vars(self).items()})


class Batcher:
    """Turns utterances into batches. `token_id` maps a token's name to its id."""

    def __init__(self, token_id: Callable[[str], int | None], config: DualARConfig) -> None:
        def known(name: str) -> int:
            found = token_id(name)
            if found is None:
                raise DataError(f"the tokenizer has no token {name}; name the voice in the config's `voices`")
            return found

        self._symbol_ids = {symbol: known(token_name(symbol)) for symbol in SYMBOLS}
        self._voice_id = lambda name: known(voice_token(name))
        self._im_start, self._im_end = known("<|im_start|>"), known("<|im_end|>")
        self._audio_start_id = known("<|audio_start|>")
        self._pad = known("<|pad|>")
        self._config = config
        self.audio_start, self.semantic_begin = config.audio_start or 0, config.semantic_begin_id
        self.num_codebooks = config.num_codebooks

    def text_ids(self, symbols: list[str], voice: str) -> list[int]:
        body = [self._symbol_ids[symbol] for symbol in symbols]
        return [self._im_start, self._voice_id(voice), *body, self._im_end]

    def batch(
        self,
        utterances: list[Utterance],
        rng: random.Random,
        spell: float = 0.0,
        any_voice: float = 0.0,
        texts: list[Utterance] | None = None,
    ) -> LMBatch:
        """Args:
        utterances: the clips.
        rng: decides what is spelled.
        spell: share of words spelled by letters.
        any_voice: share of clips whose voice token is the nameless one.
        texts: take the text from these instead (to measure how much the model listens to it).
        """
        rows = []
        for index, utterance in enumerate(utterances):
            source = texts[index] if texts else utterance
            symbols, where, phones = arrange(source, [rng.random() < spell for _ in source.words])
            if texts:
                where, phones = np.zeros(utterance.num_frames, np.float32), np.zeros(utterance.num_frames, np.int64)
            voice = ANY_VOICE if rng.random() < any_voice else utterance.voice
            rows.append((self.text_ids(symbols, voice), where + 2, phones, utterance.codes.astype(np.int64)))
        length = max(len(text) + 1 + codes.shape[1] for text, _, _, codes in rows)
        frames = max(codes.shape[1] for *_, codes in rows)
        count = len(rows)
        ids = torch.zeros(count, 1 + self.num_codebooks, length, dtype=torch.long)
        ids[:, 0] = self._pad
        labels = torch.full_like(ids, IGNORE)
        positions = torch.zeros(count, length, dtype=torch.long)
        symbol_position = torch.zeros(count, frames)
        phone_labels = torch.full((count, frames), IGNORE)
        for row, (text, where, phones, codes) in enumerate(rows):
            start, total = len(text), codes.shape[1]
            ids[row, 0, :start] = torch.tensor(text)
            ids[row, 0, start] = self._audio_start_id
            columns = torch.from_numpy(codes)
            ids[row, 1:, start + 1 : start + 1 + total] = columns
            ids[row, 0, start + 1 : start + 1 + total] = columns[0] + self.semantic_begin
            labels[row, :, start : start + total] = ids[row, :, start + 1 : start + 1 + total]
            labels[row, 0, start + total] = self._im_end
            positions[row, :start] = text_positions(start, self._config)
            positions[row, start:] = self.audio_start + torch.arange(length - start)
            symbol_position[row, :total] = torch.from_numpy(where)
            phone_labels[row, :total] = torch.from_numpy(phones)
        return LMBatch(
            ids,
            positions,
            labels,
            torch.tensor([len(text) for text, *_ in rows]),
            torch.tensor([codes.shape[1] for *_, codes in rows]),
            symbol_position,
            phone_labels,
        )


def crop(utterance: Utterance, first: int, last: int) -> Utterance:
    """Words first to last - 1 of an utterance with the frames that speak them; the whole when too little is left."""
    counts = [len(phones_only(list(word))) for word in utterance.words]
    before, inside = sum(counts[:first]), sum(counts[first:last])
    spoken = (utterance.phone_position >= before - 0.5) & (utterance.phone_position < before + inside - 0.5)
    if inside < 2 or spoken.sum() < _LEAST_FRAMES:
        return utterance
    return Utterance(
        utterance.voice,
        utterance.text,
        utterance.words[first:last],
        utterance.spellings[first:last],
        utterance.codes[:, spoken],
        np.clip(utterance.phone_position[spoken] - before, 0, inside - 1),
    )


def random_crop(utterance: Utterance, rng: random.Random, words: tuple[int, int]) -> Utterance:
    """A run of `words` (fewest, most) words somewhere in the utterance."""
    total = len(utterance.words)
    count = min(total, rng.randint(*words))
    first = rng.randint(0, total - count)
    return crop(utterance, first, first + count)


def draw_batch(
    utterances: list[Utterance],
    rng: random.Random,
    max_tokens: int,
    crop_share: float = 0.0,
    crop_words: tuple[int, int] = (2, 8),
    pool: int = 96,
) -> list[Utterance]:
    """Neighbours in length out of a random pool, as many as fit `max_tokens` padded tokens (at least one).

    `crop_share` of the pool are cut to a run of `crop_words` words: short sequences teach alignment first.
    """
    drawn = rng.sample(utterances, min(pool, len(utterances)))
    drawn = [random_crop(u, rng, crop_words) if rng.random() < crop_share else u for u in drawn]
    drawn.sort(key=lambda u: u.num_frames + u.num_symbols)
    first = rng.randrange(len(drawn))
    chosen: list[Utterance] = []
    for utterance in reversed(drawn[: first + 1]):
        longest = max(u.num_frames + u.num_symbols + 4 for u in [*chosen, utterance])
        if chosen and longest * (len(chosen) + 1) > max_tokens:
            break
        chosen.append(utterance)
    return chosen
