"""The speaker encoder: whose voice a clip is, as a unit vector; voices are alike where vectors point the same way.

GE2E through the package resemblyzer, which carries its weights. As its authors use it: quiet clips are made louder and long
silences cut before the encoder listens. Deterministic, on the CPU.
Source: Wan et al. 2018, "Generalized End-to-End Loss for Speaker Verification".
"""

from __future__ import annotations

import warnings

import numpy as np
import soxr

from lungfish.errors import DependencyError

SAMPLE_RATE = 16_000
_NO_DEPS = "resemblyzer==0.1.4 distillmos==0.9.1 xls-r-sqa==0.1.0"
INSTALL = f"pip install webrtcvad-wheels librosa 'scipy<2' && pip install --no-deps {_NO_DEPS}"
"""Both small judges at once, as dev/judges.sh does it; without the dependencies that they name, because those bring builds
of torchaudio that need not load."""
_TARGET_DBFS = -30
_VAD_WINDOW = SAMPLE_RATE * 30 // 1000
_MIN_LEVEL = 1e-5


class SpeakerEncoder:
    """Loaded once.

    Raises:
        DependencyError: resemblyzer is not installed.
    """

    name = "resemblyzer 0.1.4, GE2E"

    def __init__(self) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it imports from names that scipy has moved
                from resemblyzer import VoiceEncoder, audio  # pyright: ignore[reportMissingImports]
        except ImportError as error:
            raise DependencyError(f"speaker similarity needs resemblyzer: {INSTALL} ({error})") from error
        self._audio = audio
        self._model = VoiceEncoder("cpu", verbose=False).eval()

    def embed(self, waveform: np.ndarray, sample_rate: int) -> np.ndarray:
        """Samples [S] in -1..1 -> unit vector [256] float32.

        Args:
            waveform: any length; the clip counts as a whole, with a window of 1.6 s moving over it.
            sample_rate: in Hz; resampled as needed.
        """
        samples = np.clip(np.asarray(waveform, dtype=np.float32).reshape(-1), -1, 1)
        if sample_rate != SAMPLE_RATE:
            samples = np.clip(soxr.resample(samples, sample_rate, SAMPLE_RATE), -1, 1)
        vector = self._model.embed_utterance(self._prepare(samples))
        return np.asarray(vector, dtype=np.float32)

    def _prepare(self, samples: np.ndarray) -> np.ndarray:
        """Louder where quiet, without long silences; all of it where no voice is found."""
        if len(samples) < _VAD_WINDOW or np.abs(samples).max() < _MIN_LEVEL:
            return samples
        louder = self._audio.normalize_volume(samples, _TARGET_DBFS, increase_only=True)
        voiced = self._audio.trim_long_silences(np.clip(louder, -1, 1))
        return voiced if len(voiced) else louder


def similarity(first: np.ndarray, second: np.ndarray) -> float:
    """Cosine of two vectors [D], 0 if one of them is 0. Two clips of one speaker have about 0.87, two speakers 0.5."""
    one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    lengths = np.linalg.norm(one) * np.linalg.norm(other)
    return float(one @ other / lengths) if lengths else 0.0
