"""The recogniser: what was said in a clip, by Whisper through faster-whisper.

A model is a folder with a converted model, or a name. A name means the folder `whisper-NAME` of the cache if there is one
(`dev/whisper-offline.sh` makes it where no hub can be reached), else what faster-whisper fetches under that name.
Decoding is deterministic: the same clip is heard the same each time.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soxr

from lungfish.config.env import cache_dir
from lungfish.errors import CheckpointError, DependencyError

SAMPLE_RATE = 16_000
_TOKENS_PER_SECOND, _SPARE_TOKENS, _WINDOW_S = 12, 24, 30  # Whisper repeats itself on noise: cap what it may write
_MIN_S = 0.1
_MODEL_FILES = ("model.bin", "config.json", "tokenizer.json")


class Recogniser:
    """Whisper on the CPU in int8.

    Args:
        model: a name ("base") or a folder.
        language: of the speech, or None to let Whisper tell.
        beam_size: 1 is greedy.
        threads: CPU threads; 0 leaves the choice to the library.

    Raises:
        DependencyError: faster-whisper is not installed.
        CheckpointError: no such model.
    """

    def __init__(
        self, model: str | Path = "base", language: str | None = "en", beam_size: int = 5, threads: int = 0
    ) -> None:
        try:
            from faster_whisper import WhisperModel
        except ImportError as error:
            raise DependencyError("a recogniser needs faster-whisper: pip install 'lungfish[eval]'") from error
        found = locate_model(str(model))
        self.name, self.language, self.beam_size = Path(found).name, language, beam_size
        try:
            self._model = WhisperModel(found, device="cpu", compute_type="int8", cpu_threads=threads)
        except (ValueError, RuntimeError, OSError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise CheckpointError(
                f"no recogniser {str(model)!r}: give a Whisper size or a folder; without a network, run "
                f"dev/whisper-offline.sh and ask for 'base' ({reason[:200]})"
            ) from error

    def transcribe(self, waveform: np.ndarray, sample_rate: int) -> str:
        """Text of one clip; empty when nothing was heard.

        Args:
            waveform: float samples [S] in -1..1.
            sample_rate: in Hz; resampled as needed.
        """
        samples = np.asarray(waveform, dtype=np.float32).reshape(-1)
        if sample_rate != SAMPLE_RATE:
            samples = soxr.resample(samples, sample_rate, SAMPLE_RATE)
        seconds = len(samples) / SAMPLE_RATE
        if seconds < _MIN_S:
            return ""
        segments, _ = self._model.transcribe(
            samples,
            language=self.language,
            beam_size=self.beam_size,
            temperature=0.0,  # its default draws anew, at random, where it is unsure
            condition_on_previous_text=False,
            without_timestamps=True,
            max_new_tokens=token_cap(seconds),
        )
        return " ".join(segment.text.strip() for segment in segments)


def token_cap(seconds: float) -> int:
    """Tokens that Whisper may write about a window of 30 s: well over what the fastest speaker says."""
    return int(min(seconds, _WINDOW_S) * _TOKENS_PER_SECOND) + _SPARE_TOKENS


def locate_model(model: str) -> str:
    """The folder that `model` means, or the name itself when faster-whisper is to find it.

    Raises:
        CheckpointError: a folder that holds no converted model.
    """
    prepared = cache_dir() / f"whisper-{model}"
    folder = Path(model).expanduser()
    if not folder.is_dir():
        return str(prepared) if (prepared / _MODEL_FILES[0]).is_file() else model
    missing = [name for name in _MODEL_FILES if not (folder / name).is_file()]
    if missing:
        raise CheckpointError(f"{folder} is no converted Whisper model: it lacks {', '.join(missing)}")
    return str(folder)
