"""A codec in numbers: clips through it, through a second codec and through Opus, beside the recordings themselves.

Per system: mel and STFT distance (evaluation/spectral_distance.py), word error rate (evaluation/wer.py), similarity of the
voice to the original's, quality (MOS), bit rate and speed. All systems are compared at one sample rate, and clips are never
cut. Figures of the judges mean little without the ceiling: what the same judges say about the recordings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from lungfish.audio.files import read_waveform
from lungfish.audio.resample import resample
from lungfish.errors import ConfigError
from lungfish.evaluation.clips import EvalClip
from lungfish.evaluation.codec_figures import (
    ClipResult,
    CodecReport,
    book_use,
    paired_difference,
    summarise_system,
)
from lungfish.evaluation.codec_systems import Passage, System
from lungfish.evaluation.spectral_distance import mel_distance, stft_distance
from lungfish.evaluation.wer import Listener, count_errors
from lungfish.judges.speaker import similarity


class SpeakerJudge(Protocol):
    """`judges.speaker.SpeakerEncoder` is one."""

    def embed(self, waveform: np.ndarray, sample_rate: int) -> np.ndarray: ...


class QualityScorer(Protocol):
    """`judges.quality.QualityJudge` is one."""

    def score(self, waveform: np.ndarray, sample_rate: int) -> float: ...


@dataclass(frozen=True)
class Judges:
    """Who listens; a column without its judge stays empty. The recogniser hears only clips with a transcript."""

    recogniser: Listener | None = None
    speaker: SpeakerJudge | None = None
    quality: QualityScorer | None = None


def evaluate_codec(
    clips: Sequence[EvalClip],
    systems: Sequence[System],
    sample_rate: int,
    judges: Judges,
    pairs: Iterable[tuple[str, str]] = (),
    on_result: Callable[[ClipResult, Tensor], object] | None = None,
) -> CodecReport:
    """Send every clip through every system and judge what comes out.

    Args:
        clips: at least one.
        systems: rows of the table, in its order.
        sample_rate: of the comparison, in Hz: that of the codec under test.
        judges: who listens.
        pairs: names of two rows each; the report has the first less the second.
        on_result: called with each result as it comes, and the waveform [S] that was judged.

    Raises:
        AudioError: a clip cannot be read.
        ConfigError: no clips, or two rows of one name.
        DependencyError: what counts word errors is not installed.
    """
    names = [name for system in systems for name in system.names]
    if not clips or len(set(names)) < len(names):
        raise ConfigError("two rows of the table have one name" if clips else "there are no clips; give some")
    results: dict[str, list[ClipResult]] = {name: [] for name in names}
    counts: dict[str, list[Tensor]] = {name: [] for name in names}
    for number, clip in enumerate(clips):
        waveform, rate = read_waveform(clip.path)
        original = resample(waveform, rate, sample_rate)[0].contiguous()
        voice = judges.speaker.embed(original.numpy(), sample_rate) if judges.speaker is not None else None
        for system in systems:
            if number == 0:
                system.run(original[:sample_rate], sample_rate)  # the first call of anything is slow: not timed
            for passage in system.run(original, sample_rate):
                result = _judge(clip, passage, original, voice, sample_rate, judges)
                results[result.system].append(result)
                counts[result.system] = _count(counts[result.system], passage)
                if on_result is not None:
                    on_result(result, passage.waveform)
    rows = [
        summarise_system(name, found, [book_use(book.numpy()) for book in counts[name]])
        for name, found in results.items()
    ]
    return CodecReport(
        sample_rate=sample_rate,
        clips=len(clips),
        transcribed=sum(clip.text is not None for clip in clips),
        seconds_audio=sum(result.seconds_audio for result in results[names[0]]),
        systems=rows,
        paired=[paired_difference(results[first], results[second]) for first, second in pairs],
    )


def _judge(
    clip: EvalClip, passage: Passage, original: Tensor, voice: np.ndarray | None, sample_rate: int, judges: Judges
) -> ClipResult:
    """Compare one passage with its original [S], and have it judged."""
    samples = passage.waveform.numpy()
    words = errors = heard = alike = mos = None
    if clip.text is not None and judges.recogniser is not None:
        heard = judges.recogniser.transcribe(samples, sample_rate)
        words, errors = count_errors(clip.text, heard)
    if judges.speaker is not None and voice is not None:
        alike = similarity(judges.speaker.embed(samples, sample_rate), voice)
    if judges.quality is not None:
        mos = judges.quality.score(samples, sample_rate)
    return ClipResult(
        system=passage.system,
        clip=clip.id,
        seconds_audio=len(original) / sample_rate,
        mel=mel_distance(passage.waveform, original, sample_rate),
        stft=stft_distance(passage.waveform, original),
        words=words,
        errors=errors,
        heard=heard,
        similarity=alike,
        mos=mos,
        encode_s=passage.encode_s,
        decode_s=passage.decode_s,
        bit_rate=passage.bit_rate,
    )


def _count(counts: list[Tensor], passage: Passage) -> list[Tensor]:
    """Counts [C] per book, with those of one more clip."""
    if passage.codes is None:
        return counts
    found = [torch.bincount(row, minlength=size) for row, size in zip(passage.codes, passage.book_sizes, strict=True)]
    return [old + new for old, new in zip(counts, found, strict=True)] if counts else found
