"""What is told about a codec: results of clips, and the rows of the table made from them.

Means are over clips, each with its 95 % interval (evaluation/bootstrap.py); the word error rate is errors over words of all
clips. A figure that nobody could judge is None, never 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from lungfish.evaluation.bootstrap import Estimate, estimate

METRICS = {"mel": -1, "stft": -1, "wer": -1, "similarity": 1, "mos": 1}
"""Name of a column -> 1 where more is better, -1 where less is."""


@dataclass(frozen=True)
class ClipResult:
    """One clip after one system.

    Attributes:
        seconds_audio: length of the clip.
        words, errors, heard: of the transcript; None without one.
        similarity: cosine to the original's voice.
        encode_s, decode_s: compute time.
        bit_rate: in bit/s; None for the ceiling.
    """

    system: str
    clip: str
    seconds_audio: float
    mel: float
    stft: float
    words: int | None
    errors: int | None
    heard: str | None
    similarity: float | None
    mos: float | None
    encode_s: float
    decode_s: float
    bit_rate: float | None


@dataclass(frozen=True)
class BookUse:
    """One codebook over all frames of all clips.

    Attributes:
        size: entries.
        used: entries chosen at least once.
        perplexity: exp of the entropy of the choices: entries in use, were all used alike.
        frames: how many were counted; few of them limit both.
    """

    size: int
    used: int
    perplexity: float
    frames: int


@dataclass(frozen=True)
class SystemResult:
    """One row of the table.

    Attributes:
        metrics: `METRICS` -> estimate; None where nobody could judge.
        bit_rate: in bit/s over all clips; None for the ceiling.
        encode_speed, decode_speed: audio seconds over compute seconds, so 10 is ten times real time; None for the ceiling.
        books: of a codec with all its books, else empty.
    """

    name: str
    metrics: dict[str, Estimate | None]
    bit_rate: float | None
    encode_speed: Estimate | None
    decode_speed: Estimate | None
    books: list[BookUse]


@dataclass(frozen=True)
class PairedDifference:
    """`system` less `baseline`, clip by clip."""

    system: str
    baseline: str
    metrics: dict[str, Estimate | None]

    def verdict(self, metric: str) -> str:
        """better or worse where the interval does not hold 0, else unclear; empty where nobody could judge."""
        found = self.metrics[metric]
        return "" if found is None else ("unclear", "better", "worse")[found.sign * METRICS[metric]]


@dataclass(frozen=True)
class CodecReport:
    """Attributes:
    sample_rate: at which all was compared, in Hz.
    clips, transcribed: how many, and how many of them with a transcript.
    """

    sample_rate: int
    clips: int
    transcribed: int
    seconds_audio: float
    systems: list[SystemResult]
    paired: list[PairedDifference]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, with the verdicts."""
        facts = asdict(self)
        for row, pair in zip(facts["paired"], self.paired, strict=True):
            row["verdicts"] = {metric: pair.verdict(metric) for metric in METRICS}
        return facts


def summarise_system(name: str, results: Sequence[ClipResult], books: Sequence[BookUse]) -> SystemResult:
    """The row of one system from its clips."""
    lengths = [result.seconds_audio for result in results]
    bits = [result.bit_rate * result.seconds_audio for result in results if result.bit_rate is not None]
    return SystemResult(
        name=name,
        metrics={metric: _mean(metric, results) for metric in METRICS},
        bit_rate=sum(bits) / sum(lengths) if bits else None,
        encode_speed=estimate(lengths, [result.encode_s for result in results]),
        decode_speed=estimate(lengths, [result.decode_s for result in results]),
        books=list(books),
    )


def paired_difference(results: Sequence[ClipResult], baseline: Sequence[ClipResult]) -> PairedDifference:
    """The first system less the second, from the same clips in the same order."""
    pairs = list(zip(results, baseline, strict=True))
    metrics = {}
    for metric in METRICS:
        differences = [
            None
            if (ours := _value(metric, first)) is None or (theirs := _value(metric, second)) is None
            else ours - theirs
            for first, second in pairs
        ]
        metrics[metric] = _estimate(metric, differences, results)
    return PairedDifference(results[0].system, baseline[0].system, metrics)


def book_use(counts: np.ndarray) -> BookUse:
    """Of one book: counts [C] of its entries, not all 0."""
    share = counts[counts > 0] / counts.sum()
    return BookUse(len(counts), len(share), float(np.exp(-(share * np.log(share)).sum())), int(counts.sum()))


def _mean(metric: str, results: Sequence[ClipResult]) -> Estimate | None:
    return _estimate(metric, [_value(metric, result) for result in results], results)


def _value(metric: str, result: ClipResult) -> float | None:
    """What is summed over clips: errors, for the word error rate."""
    return getattr(result, "errors" if metric == "wer" else metric)


def _estimate(metric: str, values: Sequence[float | None], results: Sequence[ClipResult]) -> Estimate | None:
    judged = [(value, result.words or 0) for value, result in zip(values, results, strict=True) if value is not None]
    weights = [float(words) for _, words in judged] if metric == "wer" else None
    return estimate([value for value, _ in judged], weights)
