"""Is this installation able to speak? One check per thing that has gone wrong for somebody.

A failed check says what to do. Only what speech cannot do without is essential; the rest is a warning or a fact.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

import torch

from lungfish.config.env import cache_dir
from lungfish.errors import CheckpointError, LungfishError

Status = Literal["ok", "warning", "failed"]
_ESSENTIAL = (
    "torch",
    "numpy",
    "safetensors",
    "tokenizers",
    "huggingface_hub",
    "soundfile",
    "soxr",
    "pydantic",
    "PyYAML",
)
_OPTIONAL = {"av": "av", "lightning": "train", "faster-whisper": "eval"}  # package -> extra
_FORMATS = ("WAV", "FLAC", "OGG", "MP3")
_SENTENCE = "Hello from a lungfish."
_LOW_DISK_BYTES = 2 << 30
_SILENCE = 1e-4


@dataclass(frozen=True)
class Check:
    """One line of the report. `detail` says what was found, and what to do where it is not in order."""

    name: str
    status: Status
    detail: str


def examine(speak: bool = True) -> list[Check]:
    """Run all checks; none of them raises.

    Args:
        speak: also say a sentence with the bundled voice (or, where there is none, with a tiny random model).
    """
    checks: list[tuple[str, Callable[[], Iterator[Check]]]] = [
        ("system", _system),
        ("packages", _packages),
        ("torch", _torch),
        ("gpu", _gpu),
        ("audio", _audio),
        ("disk", _disk),
    ]
    if speak:
        checks.append(("speech", _speech))
    return [check for name, run in checks for check in _guarded(name, run)]


def _guarded(name: str, run: Callable[[], Iterator[Check]]) -> list[Check]:
    try:
        return list(run())
    except (LungfishError, OSError, RuntimeError, ValueError, ImportError, AttributeError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        return [Check(name, "failed", f"{type(error).__name__}: {reason}")]


def _system() -> Iterator[Check]:
    yield Check("lungfish", "ok", f"{metadata.version('lungfish')} in {Path(__file__).parents[1]}")
    supported = sys.version_info >= (3, 11)
    detail = f"{platform.python_version()} on {platform.platform(terse=True)}, {platform.machine()}"
    yield Check(
        "python", "ok" if supported else "failed", detail if supported else f"{detail}; 3.11 or newer is needed"
    )


def _packages() -> Iterator[Check]:
    for name in _ESSENTIAL:
        try:
            yield Check(name, "ok", metadata.version(name))
        except metadata.PackageNotFoundError:
            yield Check(name, "failed", f"not installed; pip install {name}")
    for name, extra in _OPTIONAL.items():
        found = importlib.util.find_spec(name.replace("-", "_")) is not None
        yield Check(name, "ok", metadata.version(name) if found else f"not installed (lungfish[{extra}])")


def _torch() -> Iterator[Check]:
    build = f"CUDA {torch.version.cuda}" if torch.version.cuda else "CPU build"
    if torch.version.hip:
        build = f"ROCm {torch.version.hip}"
    yield Check("torch build", "ok", f"{torch.__version__}, {build}")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    capability = torch.backends.cpu.get_cpu_capability()
    yield Check("cpu", "ok", f"{cores} cores, torch uses {capability} and {torch.get_num_threads()} threads")
    if cores and torch.get_num_threads() > cores:
        yield Check("threads", "warning", f"more threads than the {cores} cores there are; set OMP_NUM_THREADS={cores}")
    left = torch.ones(8, 8) @ torch.ones(8, 8)
    yield Check("arithmetic", "ok" if bool((left == 8).all()) else "failed", "a matrix product is what it should be")


def _gpu() -> Iterator[Check]:
    if torch.cuda.is_available():
        for index in range(torch.cuda.device_count()):
            free, total = torch.cuda.mem_get_info(index)
            name = torch.cuda.get_device_name(index)
            yield Check(f"gpu {index}", "ok", f"{name}, {free / 1e9:.1f} of {total / 1e9:.1f} GB free")
    elif torch.backends.mps.is_available() or torch.xpu.is_available():
        yield Check("gpu", "ok", "mps" if torch.backends.mps.is_available() else "xpu")
    elif torch.version.cuda:
        yield Check("gpu", "warning", "torch is a CUDA build but finds no GPU; check the driver (nvidia-smi)")
    else:
        yield Check("gpu", "ok", "none; the CPU speaks")


def _audio() -> Iterator[Check]:
    import soundfile

    formats = soundfile.available_formats()
    missing = [name for name in _FORMATS if name not in formats]
    detail = f"libsndfile {soundfile.__libsndfile_version__}: {', '.join(_FORMATS)}"
    if missing:
        detail = f"libsndfile {soundfile.__libsndfile_version__} lacks {', '.join(missing)}; install a newer soundfile"
    yield Check("audio files", "failed" if "WAV" in missing else "warning" if missing else "ok", detail)


def _disk() -> Iterator[Check]:
    folder = cache_dir()
    existing = next(path for path in (folder, *folder.parents) if path.is_dir())
    free = shutil.disk_usage(existing).free
    used = _size(folder)
    writable = os.access(existing, os.W_OK)
    detail = f"{folder}, {used / 1e9:.2f} GB in it, {free / 1e9:.1f} GB free"
    if not writable:
        detail += "; not writable, set LUNGFISH_CACHE to a folder that is"
    elif free < _LOW_DISK_BYTES:
        detail += "; too little for a checkpoint, set LUNGFISH_CACHE to a larger disk"
    yield Check("cache", "ok" if writable and free >= _LOW_DISK_BYTES else "warning", detail)
    with tempfile.NamedTemporaryFile() as file:
        yield Check("temporary files", "ok", str(Path(file.name).parent))


def _size(folder: Path) -> int:
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            path = Path(root, name)
            if not path.is_symlink():
                total += path.stat().st_size if path.exists() else 0
    return total


def _speech() -> Iterator[Check]:
    from lungfish.voices.library import bundled_folder

    try:
        folder = bundled_folder()
    except CheckpointError:
        yield Check("voice", "warning", "no bundled voice here; say needs --model")
        yield _babble()
        return
    yield Check("voice", "ok", f"bundled, {_size(folder) / 1e6:.0f} MB")
    from lungfish.api import TTS

    began = time.perf_counter()
    tts = TTS.load(folder, device="cpu")
    loaded = time.perf_counter() - began
    speech = tts.say(_SENTENCE, seed=1)
    peak = float(speech.waveform.abs().max())
    heard = bool(torch.isfinite(speech.waveform).all()) and peak > _SILENCE
    detail = f"{speech.seconds_audio:.2f} s of audio, RTF {speech.rtf:.2f}, loaded in {loaded:.1f} s"
    yield Check("speech", "ok" if heard else "failed", detail if heard else f"{detail}, but nothing can be heard")


def _babble() -> Check:
    """A tiny model with random weights through the same code: prompt, frames, waveform."""
    from lungfish.codec.spectral import SpectralCodec, SpectralCodecConfig
    from lungfish.lm.config import DualARConfig
    from lungfish.lm.generate import generate
    from lungfish.lm.model import DualAR
    from lungfish.lm.prompt import Prompt
    from lungfish.lm.sampling import SamplingParams

    books, frames = (32, 32), 8
    shape: dict[str, Any] = {
        "dim": 32,
        "num_heads": 2,
        "num_kv_heads": 1,
        "head_dim": 16,
        "ffn_dim": 64,
        "num_layers": 1,
    }
    config = DualARConfig(
        vocab_size=64,
        codebook_size=books[0],
        num_codebooks=len(books),
        semantic_begin_id=32,
        semantic_end_id=63,
        im_end_id=1,
        max_seq_len=64,
        **shape,
        **{f"fast_{name}": value for name, value in shape.items()},
    )
    widths: dict[str, Any] = {
        "dim": 16,
        "ffn_dim": 32,
        "code_ffn_dim": 32,
        "codebook_sizes": books,
        "encoder_blocks": 1,
    }
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = DualAR(config).eval()
        codec = SpectralCodec(SpectralCodecConfig(**widths, decoder_blocks=1)).eval()
    prompt = Prompt(
        torch.cat((torch.arange(2, 10)[None], torch.zeros(len(books), 8, dtype=torch.long))), torch.arange(8)
    )
    result = generate(model, prompt, SamplingParams(seed=0, max_new_frames=frames), codec_sizes=books)
    waveform = codec.decode(result.codes[None]) if result.codes.shape[1] else torch.zeros(1, 1, 1)
    heard = bool(torch.isfinite(waveform).all()) and float(waveform.abs().max()) > _SILENCE
    detail = f"a random model makes {result.codes.shape[1]} frames"
    return Check("speech", "ok" if heard else "failed", detail if heard else f"{detail}, but no sound")
