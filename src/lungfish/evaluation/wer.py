"""Word error rate of synthetic speech: have rows spoken, have them recognised, compare.

Texts are spelled alike first (Whisper's English normaliser). Two rates: of the whole corpus, and with each clip's errors
capped at its number of words, since a recogniser may write without end on what it does not understand. The 95 % interval
is a bootstrap over clips. Rows are LJSpeech sentences (public domain) that no training of this project has seen.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path

import numpy as np

from lungfish.audio.files import read_waveform
from lungfish.errors import DataError, DependencyError
from lungfish.judges.recogniser import Recogniser

SECONDS_PER_CHARACTER = {"coral": 0.0645, "marlin": 0.0718}
"""Of the teacher voices in the training corpus, silence included: sum of seconds over sum of characters."""
_MAX_LENGTH_RATIO = 2.0
_RESAMPLES = 2000


@dataclass(frozen=True)
class Row:
    """A sentence to be spoken."""

    id: str
    text: str


@dataclass(frozen=True)
class SpokenRow:
    """One clip and what was heard.

    Attributes:
        seconds_audio: length of the clip.
        seconds_wall: compute time of the synthesis; 0 for recordings.
        too_long: longer than twice the length expected from the teacher's pace.
        words, errors: of the normalised texts; errors may exceed words.
    """

    id: str
    voice: str
    text: str
    heard: str
    seconds_audio: float
    seconds_wall: float
    too_long: bool
    words: int
    errors: int


@dataclass(frozen=True)
class WerResult:
    """`wer` over the corpus, `wer_capped` per clip, `interval` 95 % of `wer_capped`, `rtf` over all clips."""

    wer: float
    wer_capped: float
    interval: tuple[float, float]
    rtf: float
    too_long: int
    rows: list[SpokenRow]

    def summary(self) -> dict[str, object]:
        return {key: value for key, value in asdict(self).items() if key != "rows"} | {"clips": len(self.rows)}


def held_out_rows(count: int, path: Path | None = None, seed: int = 0) -> list[Row]:
    """`count` rows of the shipped held-out sentences (or of `path`: id TAB text), chosen by `seed`.

    Raises:
        DataError: the file is not of that form, or has fewer rows.
    """
    source = path or resources.files("lungfish.evaluation").joinpath("held_out.tsv")
    try:
        lines = source.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read as sentences (lines of: id TAB text)") from error
    pairs = [line.split("\t") for line in lines if line]
    if any(len(pair) < 2 for pair in pairs):
        raise DataError(f"{path}: every line must be: id TAB text")
    if not 0 < count <= len(pairs):
        raise DataError(f"{len(pairs)} sentences are there; ask for 1 to {len(pairs)}, not {count}")
    rows = [Row(pair[0], pair[1]) for pair in pairs]
    return sorted(random.Random(seed).sample(rows, count), key=lambda row: row.id)


def count_errors(reference: str, heard: str) -> tuple[int, int]:
    """Words in the normalised reference, and substitutions + deletions + insertions against it.

    Raises:
        DependencyError: jiwer or whisper-normalizer is not installed.
    """
    try:
        import jiwer
        from whisper_normalizer.english import EnglishTextNormalizer
    except ImportError as error:
        raise DependencyError("word error rates need jiwer and whisper-normalizer: pip install 'lungfish[eval]'") from error
    normalise = EnglishTextNormalizer()
    wanted, got = normalise(reference), normalise(heard)
    words = len(wanted.split())
    if not words:
        return 0, len(got.split())
    if not got:
        return words, words
    output = jiwer.process_words(wanted, got)
    return words, output.substitutions + output.deletions + output.insertions


def judge(
    row: Row, voice: str, waveform: np.ndarray, sample_rate: int, seconds_wall: float, recogniser: Recogniser
) -> SpokenRow:
    """Listen to one clip: samples [S] in -1..1."""
    heard = recogniser.transcribe(waveform, sample_rate)
    words, errors = count_errors(row.text, heard)
    seconds = len(waveform) / sample_rate
    pace = SECONDS_PER_CHARACTER.get(voice, max(SECONDS_PER_CHARACTER.values()))
    too_long = seconds > _MAX_LENGTH_RATIO * pace * len(row.text)
    return SpokenRow(row.id, voice, row.text, heard, seconds, seconds_wall, too_long, words, errors)


def summarise(rows: Sequence[SpokenRow], seed: int = 0) -> WerResult:
    """Rates over rows that were judged; at least one row with a word in it."""
    words = np.array([row.words for row in rows], dtype=float)
    errors = np.array([row.errors for row in rows], dtype=float)
    capped = np.minimum(errors, words)
    draws = np.random.default_rng(seed).integers(len(rows), size=(_RESAMPLES, len(rows)))
    rates = capped[draws].sum(1) / words[draws].sum(1)
    low, high = np.quantile(rates, [0.025, 0.975])
    return WerResult(
        wer=float(errors.sum() / words.sum()),
        wer_capped=float(capped.sum() / words.sum()),
        interval=(float(low), float(high)),
        rtf=sum(row.seconds_wall for row in rows) / sum(row.seconds_audio for row in rows),
        too_long=sum(row.too_long for row in rows),
        rows=list(rows),
    )


def evaluate_speaker(
    speak: Callable[[str, str, int], tuple[np.ndarray, int, float]],
    rows: Sequence[Row],
    voices: Sequence[str],
    recogniser: Recogniser,
    on_row: Callable[[SpokenRow], object] | None = None,
) -> WerResult:
    """Have every row spoken, the voices taking turns.

    Args:
        speak: (text, voice, seed) -> samples [S], sample rate, compute seconds.
        rows: what to say.
        voices: names.
        recogniser: who listens.
        on_row: called with each result.
    """
    results = []
    for number, row in enumerate(rows):
        voice = voices[number % len(voices)]
        waveform, rate, seconds = speak(row.text, voice, number)
        results.append(judge(row, voice, waveform, rate, seconds, recogniser))
        if on_row is not None:
            on_row(results[-1])
    return summarise(results)


def evaluate_recordings(
    folder: Path, rows: Sequence[Row], voices: Sequence[str], recogniser: Recogniser
) -> WerResult | None:
    """The same rows from clips named `*_ID.wav|flac|ogg` in `folder`; None when it has none of them."""
    results = []
    for number, row in enumerate(rows):
        found = sorted(path for path in folder.glob(f"*_{row.id}.*") if path.suffix in (".wav", ".flac", ".ogg"))
        if found:
            waveform, rate = read_waveform(found[0])
            samples = np.asarray(waveform, dtype=np.float32).reshape(-1)
            results.append(judge(row, voices[number % len(voices)], samples, rate, 0.0, recogniser))
    return summarise(results) if results else None
