"""Frame features of a frozen speech model: what semantic codes are taught to carry.

Two kinds of model: `whisper` (the encoder of a converted Whisper, through faster-whisper; a folder or a name as for the
recogniser) and `transformers` (any speech encoder of that library by name or folder, at a hidden layer of one's choice;
w2v-BERT 2.0 at layer 16 is what S2's codec was taught by). Features are deterministic, in float32.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
import soxr

from lungfish.errors import CheckpointError, DependencyError
from lungfish.judges.recogniser import locate_model

SAMPLE_RATE = 16_000
_WHISPER_WINDOW_S = 28.0  # its positions end at 30 s
_MIN_SAMPLES = 800


class SpeechFeatures(Protocol):
    """Attributes:
    name: of the model and layer, as written into what is made with it.
    rate_hz: features per second.
    """

    name: str
    rate_hz: float

    def extract(self, waveform: np.ndarray, sample_rate: int) -> np.ndarray:
        """samples [S] in -1..1 -> features [ceil(seconds * rate_hz), D] float32, up to rounding of the length."""
        ...


class WhisperFeatures:
    """Output of a Whisper encoder: 50 a second, 512 wide for `base`.

    Args:
        model: a Whisper size or a folder with a converted model.
        threads: CPU threads.

    Raises:
        DependencyError: faster-whisper is not installed.
        CheckpointError: no such model.
    """

    rate_hz = 50.0

    def __init__(self, model: str = "base", threads: int = 1) -> None:
        try:
            from faster_whisper import WhisperModel
        except ImportError as error:
            raise DependencyError("Whisper features need faster-whisper: pip install 'lungfish[eval]'") from error
        found = locate_model(model)
        try:
            self._model = WhisperModel(found, device="cpu", compute_type="int8", cpu_threads=threads)
        except (ValueError, RuntimeError, OSError) as error:
            raise CheckpointError(f"no Whisper {model!r}: give a size or a folder with a converted model") from error
        self.name = f"whisper:{Path(found).name}"

    def extract(self, waveform: np.ndarray, sample_rate: int) -> np.ndarray:
        samples = _at_16_khz(waveform, sample_rate)
        window = int(_WHISPER_WINDOW_S * SAMPLE_RATE)
        parts = [self._window(samples[start : start + window]) for start in range(0, len(samples), window)]
        return np.concatenate(parts)

    def _window(self, samples: np.ndarray) -> np.ndarray:
        count = -(-len(samples) * 50 // SAMPLE_RATE)
        # An even number of mel columns (10 ms each), a few more than the samples fill.
        mels = self._model.feature_extractor(samples, padding=_MIN_SAMPLES)
        mels = mels[:, : mels.shape[1] // 2 * 2]
        return np.asarray(self._model.encode(mels), dtype=np.float32)[0, :count]


class TransformersFeatures:
    """Hidden states of a speech encoder of the library transformers.

    Args:
        model: name on the hub or a folder.
        layer: index into the hidden states; 0 is the input of the first layer.

    Raises:
        DependencyError: transformers is not installed.
        CheckpointError: no such model, or it has no such layer.
    """

    def __init__(self, model: str = "facebook/w2v-bert-2.0", layer: int = 16) -> None:
        try:
            from transformers import AutoFeatureExtractor, AutoModel  # pyright: ignore[reportMissingImports]
        except ImportError as error:
            raise DependencyError("features of such a model need transformers: pip install transformers") from error
        try:
            self._extractor = AutoFeatureExtractor.from_pretrained(model)
            self._model: Any = AutoModel.from_pretrained(model).eval()
        except (OSError, ValueError) as error:
            raise CheckpointError(f"no speech model {model!r}: give a name on the hub or a folder") from error
        layers = self._model.config.num_hidden_layers
        if not 0 <= layer <= layers:
            raise CheckpointError(f"{model} has hidden states 0 to {layers}, not {layer}")
        self.name, self._layer = f"{Path(model).name}:{layer}", layer
        probe = self._hidden(np.zeros(2 * SAMPLE_RATE, np.float32))
        self.rate_hz = float(round(len(probe) / 2))

    def extract(self, waveform: np.ndarray, sample_rate: int) -> np.ndarray:
        return self._hidden(_at_16_khz(waveform, sample_rate))

    def _hidden(self, samples: np.ndarray) -> np.ndarray:
        import torch

        inputs = self._extractor(samples, sampling_rate=SAMPLE_RATE, return_tensors="pt")
        with torch.inference_mode():
            states = self._model(**inputs, output_hidden_states=True).hidden_states
        return states[self._layer][0].float().numpy()


def speech_features(kind: Literal["whisper", "transformers"], model: str, layer: int, threads: int) -> SpeechFeatures:
    """The feature model that a config asks for."""
    return WhisperFeatures(model, threads) if kind == "whisper" else TransformersFeatures(model, layer)


def _at_16_khz(waveform: np.ndarray, sample_rate: int) -> np.ndarray:
    samples = np.asarray(waveform, dtype=np.float32).reshape(-1)
    samples = soxr.resample(samples, sample_rate, SAMPLE_RATE) if sample_rate != SAMPLE_RATE else samples
    return np.pad(samples, (0, max(0, _MIN_SAMPLES - len(samples))))
