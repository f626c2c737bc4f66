"""A toy corpus for training tests: every phone is a tone, so that a tiny model can learn to read and speak it."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from lungfish.data.audio_pack import SourceClip, append_clips
from lungfish.text.phonemes import phones_only, to_phonemes
from lungfish.training.phone_head import PHONE_INDEX
from lungfish.training.run import fit

RATE = 22_050
TINY_CODEC = {
    "dim": 32,
    "ffn_dim": 48,
    "code_ffn_dim": 48,
    "encoder_blocks": 1,
    "encoder_code_blocks": 1,
    "decoder_code_blocks": 1,
    "decoder_blocks": 1,
    "codebook_sizes": [32, 16],
}
"""SpectralCodecConfig fields."""
_WORDS = ["see", "you", "go", "my", "two", "key", "she", "day", "low", "tea", "row", "who", "may", "bay"]


def toy_clip(text: str, seed: int) -> np.ndarray:
    """Samples [S] of `text`: 90 ms of two tones per phone."""
    rng = np.random.default_rng(seed)
    time = np.arange(int(0.09 * RATE)) / RATE
    pieces = []
    for phone in phones_only(to_phonemes(text)):
        index = PHONE_INDEX[phone]
        pieces.append(0.2 * np.sin(2 * np.pi * (150 + 60 * index) * time) + 0.1 * np.sin(2 * np.pi * 90 * index * time))
    silence = np.zeros(int(0.05 * RATE))
    samples = np.concatenate([silence, *pieces, silence])
    return (samples + 0.002 * rng.standard_normal(len(samples))).astype(np.float32)


def make_toy_pack(folder: Path, count: int = 60) -> Path:
    """A pack of `count` short clips of two voices; returns its folder."""
    rng = random.Random(0)
    clips = folder / "clips"
    clips.mkdir(parents=True)
    sources = []
    for number in range(count):
        text = " ".join(rng.choices(_WORDS, k=rng.randint(3, 6)))
        path = clips / f"clip{number}.wav"
        soundfile.write(path, toy_clip(text, number), RATE)
        sources.append(SourceClip(f"clip{number}", ("coral", "marlin")[number % 2], text, path))
    list(append_clips(folder / "pack", sources))
    return folder / "pack"


def stopped_and_resumed(recipe: type[Any], config: Any, stop_at: int = 8) -> Any:
    """Train a recipe, break off before batch `stop_at`, and finish with a fresh one from the run's checkpoint."""

    class Stop(Exception):
        pass

    first = recipe(config)
    make = first.make_batch

    def make_or_stop(number: int) -> Any:
        if number == stop_at:
            raise Stop
        return make(number)

    first.make_batch = make_or_stop
    with contextlib.suppress(Stop):
        fit(first, config)
    assert 0 < first.trainer.global_step < config.max_steps
    second = recipe(config)
    fit(second, config)
    return second
