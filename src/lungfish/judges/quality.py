"""The quality judge: how good speech sounds, as a mean opinion score from 1 to 5 that no reference is needed for.

DistillMOS through the package distillmos, which carries its weights. Deterministic, on the CPU. The package imports
torchaudio for a command of its own; where torchaudio does not load, an empty stand-in takes its place during that import
and is gone afterwards.
Source: Stahl and Gamper 2025, "Distillation and Pruning for Scalable Self-Supervised Representation-Based Speech Quality
Assessment".
"""

from __future__ import annotations

import contextlib
import importlib
import io
import sys
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import soxr
import torch

from lungfish.errors import DependencyError
from lungfish.judges.speaker import INSTALL

SAMPLE_RATE = 16_000
_MIN_SAMPLES = 1600


class QualityJudge:
    """Loaded once.

    Raises:
        DependencyError: distillmos is not installed.
    """

    name = "DistillMOS 0.9.1"

    def __init__(self) -> None:
        try:
            with _torchaudio_or_stand_in():
                from distillmos import ConvTransformerSQAModel  # pyright: ignore[reportMissingImports]
        except ImportError as error:
            raise DependencyError(f"scores of speech quality need distillmos: {INSTALL} ({error})") from error
        with contextlib.redirect_stdout(io.StringIO()):  # it prints where its weights lie
            self._model = ConvTransformerSQAModel().eval()

    def score(self, waveform: np.ndarray, sample_rate: int) -> float:
        """Samples [S] in -1..1 -> 1 (bad) to 5 (excellent); the mean over windows of 7.7 s where it is longer.

        Args:
            waveform: what is shorter than a window is padded with zeros, as the model was trained.
            sample_rate: in Hz; resampled as needed.
        """
        samples = np.asarray(waveform, dtype=np.float32).reshape(-1)
        if sample_rate != SAMPLE_RATE:
            samples = soxr.resample(samples, sample_rate, SAMPLE_RATE)
        samples = np.pad(samples, (0, max(0, _MIN_SAMPLES - len(samples))))
        with torch.inference_mode():
            return float(self._model(torch.from_numpy(samples)[None]))


@contextlib.contextmanager
def _torchaudio_or_stand_in() -> Iterator[None]:
    """The real torchaudio if it loads; else empty modules of its name, until the end of the block."""
    before = {name: module for name, module in sys.modules.items() if _is_torchaudio(name)}
    if before.get("torchaudio") is not None or _loads():
        yield
        return
    for name in ("torchaudio", "torchaudio.transforms"):
        sys.modules[name] = ModuleType(name)
    try:
        yield
    finally:
        for name in [name for name in sys.modules if _is_torchaudio(name)]:
            del sys.modules[name]
        sys.modules.update(before)


def _is_torchaudio(name: str) -> bool:
    return name.split(".", 1)[0] == "torchaudio"


def _loads() -> bool:
    """Builds for another torch are importable in name only: their libraries do not load."""
    try:
        importlib.import_module("torchaudio")
    except (ImportError, OSError, RuntimeError):
        return False
    return True
