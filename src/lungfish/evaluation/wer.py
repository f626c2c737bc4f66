"""Word error rate of synthetic speech: have rows spoken, have them recognised, compare.

Texts are spelled alike first (Whisper's English normaliser). Two rates: of the whole corpus, and with each clip's errors
capped at its number of words, since a recogniser may write without end on what it does not understand. The 95 % intervals
are a bootstrap over clips. A figure means little without the same of real recordings of the same rows beside it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from lungfish.audio.files import read_waveform
from lungfish.data.kokoro import VOICES
from lungfish.data.sentence_list import SentenceRow
from lungfish.errors import DataError, DependencyError
from lungfish.evaluation.bootstrap import estimate

SECONDS_PER_CHARACTER = {"coral": 0.0645, "marlin": 0.0718}
"""Pace of the teacher, silence included: seconds over characters of 795 (coral) and 403 (marlin) LJSpeech sentences."""
MAX_LENGTH_RATIO = 2.0
_SUFFIXES = (".wav", ".flac", ".ogg", ".mp3", ".opus")


class Listener(Protocol):
    """Anything that writes down what it hears; `judges.recogniser.Recogniser` is one."""

    def transcribe(self, waveform: np.ndarray, sample_rate: int) -> str: ...


Speak = Callable[[str, str, int], tuple[np.ndarray, int, float]]
"""(text, voice, seed) -> samples [S] in -1..1, sample rate in Hz, compute seconds."""


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
    """Rates over a set of clips.

    Attributes:
        wer: errors over words of the whole corpus, with its 95 % interval.
        wer_capped: the same with each clip's errors capped at its words.
        by_voice: `wer` of each voice's clips.
        rtf: compute seconds over audio seconds; 0 for recordings.
        too_long: how many clips are too long.
    """

    wer: float
    wer_interval: tuple[float, float]
    wer_capped: float
    wer_capped_interval: tuple[float, float]
    by_voice: dict[str, float]
    rtf: float
    too_long: int
    rows: list[SpokenRow]

    def summary(self) -> dict[str, object]:
        """All but the rows, which become their number."""
        facts: dict[str, object] = asdict(self)
        del facts["rows"]
        return facts | {"clips": len(self.rows)}


@functools.cache
def _normaliser() -> Callable[[str], str]:
    try:
        from whisper_normalizer.english import EnglishTextNormalizer
    except ImportError as error:
        raise DependencyError("word error rates need whisper-normalizer: pip install 'lungfish[eval]'") from error
    return EnglishTextNormalizer()


def count_errors(reference: str, heard: str) -> tuple[int, int]:
    """Words in the normalised reference, and substitutions + deletions + insertions against it.

    Raises:
        DependencyError: jiwer or whisper-normalizer is not installed.
    """
    try:
        import jiwer
    except ImportError as error:
        raise DependencyError("word error rates need jiwer: pip install 'lungfish[eval]'") from error
    wanted, got = _words(reference), _words(heard)
    if not wanted or not got:
        return len(wanted), max(len(wanted), len(got))
    output = jiwer.process_words(" ".join(wanted), " ".join(got))
    return len(wanted), output.substitutions + output.deletions + output.insertions


def _words(text: str) -> list[str]:
    """Normalised words; what the normaliser leaves of an ellipsis, a bare ".", is none."""
    return [word for word in _normaliser()(text).split() if any(map(str.isalnum, word))]


def is_too_long(text: str, voice: str, seconds: float) -> bool:
    """Whether a clip is longer than twice what the teacher's pace gives; unknown voices get the slower pace."""
    pace = SECONDS_PER_CHARACTER.get(voice, max(SECONDS_PER_CHARACTER.values()))
    return seconds > MAX_LENGTH_RATIO * pace * len(text)


def judge(
    row: SentenceRow, voice: str, waveform: np.ndarray, sample_rate: int, seconds_wall: float, recogniser: Listener
) -> SpokenRow:
    """Listen to one clip: samples [S] in -1..1."""
    heard = recogniser.transcribe(waveform, sample_rate)
    words, errors = count_errors(row.text, heard)
    seconds = len(waveform) / sample_rate
    too_long = is_too_long(row.text, voice, seconds)
    return SpokenRow(row.id, voice, row.text, heard, seconds, seconds_wall, too_long, words, errors)


def summarise(rows: Sequence[SpokenRow], seed: int = 0) -> WerResult:
    """Rates over rows that were judged; `seed` is the bootstrap's.

    Raises:
        DataError: there is no word to be heard in them.
    """
    words = [row.words for row in rows]
    plain = estimate([row.errors for row in rows], words, seed)
    capped = estimate([min(row.errors, row.words) for row in rows], words, seed)
    if plain is None or capped is None:
        raise DataError("the sentences have no words to score; give others")
    seconds_audio = sum(row.seconds_audio for row in rows)
    voices = sorted({row.voice for row in rows})
    return WerResult(
        wer=plain.value,
        wer_interval=(plain.low, plain.high),
        wer_capped=capped.value,
        wer_capped_interval=(capped.low, capped.high),
        by_voice={voice: _rate([row for row in rows if row.voice == voice]) for voice in voices},
        rtf=sum(row.seconds_wall for row in rows) / seconds_audio if seconds_audio else 0.0,
        too_long=sum(row.too_long for row in rows),
        rows=list(rows),
    )


def _rate(rows: Sequence[SpokenRow]) -> float:
    return sum(row.errors for row in rows) / max(1, sum(row.words for row in rows))


def evaluate_wer(
    speak: Speak,
    rows: Sequence[SentenceRow],
    voices: Sequence[str],
    recogniser: Listener,
    seed: int = 0,
    on_row: Callable[[SpokenRow], object] | None = None,
) -> WerResult:
    """Have every row spoken, the voices taking turns, row n with seed + n.

    Args:
        speak: the voice under test.
        rows: what to say.
        voices: names.
        recogniser: who listens.
        seed: of the synthesis.
        on_row: called with each result as it comes.
    """
    results = []
    for number, row in enumerate(rows):
        voice = voices[number % len(voices)]
        waveform, rate, seconds = speak(row.text, voice, seed + number)
        results.append(judge(row, voice, waveform, rate, seconds, recogniser))
        if on_row is not None:
            on_row(results[-1])
    return summarise(results)


def find_recordings(folder: Path, rows: Sequence[SentenceRow]) -> list[tuple[SentenceRow, Path]]:
    """The clip `VOICE_ID.wav|flac|ogg|mp3|opus` of every row.

    Raises:
        DataError: rows have none; a rate over other rows could not be compared.
    """
    files = sorted(path for path in folder.glob("*") if path.suffix.lower() in _SUFFIXES)
    found = [(row, path) for row in rows for path in [_clip_of(row, files)] if path is not None]
    if len(found) < len(rows):
        raise DataError(
            f"{folder} has recordings (*_ID.flac) of {len(found)} of the {len(rows)} sentences; make the others with "
            f"`lungfish data teach --only-held-out --rows {len(rows)} --output {folder}`"
        )
    return found


def _clip_of(row: SentenceRow, files: Sequence[Path]) -> Path | None:
    return next((path for path in files if path.stem.endswith(f"_{row.id}")), None)


def evaluate_recordings(
    recordings: Sequence[tuple[SentenceRow, Path]],
    recogniser: Listener,
    on_row: Callable[[SpokenRow], object] | None = None,
) -> WerResult:
    """The same of recordings, such as the teacher's; see `find_recordings`.

    Raises:
        AudioError: a recording cannot be read.
    """
    results = []
    for row, path in recordings:
        waveform, rate = read_waveform(path)
        name = path.stem.removesuffix(f"_{row.id}")
        results.append(judge(row, VOICES.get(name, name), waveform[0].numpy(), rate, 0.0, recogniser))
        if on_row is not None:
            on_row(results[-1])
    return summarise(results)
