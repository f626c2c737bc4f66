"""The recogniser: what was said in a clip, by Whisper through faster-whisper.

A model is a name that faster-whisper knows (fetched from its hub) or a folder with a converted model (used as it is).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import soxr

from lungfish.errors import CheckpointError, DependencyError

SAMPLE_RATE = 16_000
_TOKENS_PER_SECOND, _SPARE_TOKENS = 12, 24  # Whisper repeats itself on noise: cap what it may write


class Recogniser:
    """Args:
        model: a name ("base") or a folder.
        language: of the speech, or None to let Whisper tell.
        beam_size: 1 is greedy.
        threads: CPU threads; 0 leaves the choice to the library.

    Raises:
        DependencyError: faster-whisper is not installed.
        CheckpointError: no such model.
    """

    def __init__(self, model: str = "base", language: str | None = "en", beam_size: int = 5, threads: int = 0) -> None:
        try:
            from faster_whisper import WhisperModel
        except ImportError as error:
            raise DependencyError("a recogniser needs faster-whisper: pip install 'lungfish[eval]'") from error
        self.name, self.language, self.beam_size = Path(model).name, language, beam_size
        try:
            self._model = WhisperModel(model, device="cpu", compute_type="int8", cpu_threads=threads)
        except (ValueError, RuntimeError, OSError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise CheckpointError(f"no recogniser {model!r}: give a Whisper size or a folder ({reason})") from error

    def transcribe(self, waveform: np.ndarray, sample_rate: int) -> str:
        """Text of one clip.

        Args:
            waveform: float samples [S] in -1..1.
            sample_rate: in Hz; resampled as needed.
        """
        samples = np.asarray(waveform, dtype=np.float32).reshape(-1)
        if sample_rate != SAMPLE_RATE:
            samples = soxr.resample(samples, sample_rate, SAMPLE_RATE)
        seconds = len(samples) / SAMPLE_RATE
        segments, _ = self._model.transcribe(
            samples,
            language=self.language,
            beam_size=self.beam_size,
            condition_on_previous_text=False,
            without_timestamps=True,
            max_new_tokens=int(min(seconds, 30) * _TOKENS_PER_SECOND) + _SPARE_TOKENS,
        )
        return " ".join(segment.text.strip() for segment in segments)
