"""Make training speech: a teacher speaks a list of sentences into a folder of clips with a manifest.

Clips are named VOICE_SENTENCE.flac, 24 kHz mono. Stopping at any moment costs at most the clip in hand: a clip appears
whole or not at all, what is there is not spoken again whoever made it, and a clip that a kill left without its manifest
row gets one. The teacher is an argument (`data/kokoro.py` is the one we use); nothing here needs its packages.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from lungfish.data.kokoro import SAMPLE_RATE, VOICES
from lungfish.data.sentence_list import SentenceRow, read_sentences
from lungfish.errors import DataError, OutputError, TextError

MANIFEST = "manifest.tsv"
HEADER = "file\tvoice\tteacher_voice\ttext\tseconds\n"
HELD_OUT_ROWS = 200
"""Last rows of a sentence file, kept for evaluation."""


class Speaker(Protocol):
    """Anything that speaks: `speak(text, voice)` -> float32 samples [S] at SAMPLE_RATE; TextError if it cannot."""

    def speak(self, text: str, voice: str) -> np.ndarray: ...


@dataclass(frozen=True)
class Task:
    """One clip to make."""

    sentence_id: str
    text: str
    teacher_voice: str

    @property
    def file_name(self) -> str:
        return f"{self.teacher_voice}_{self.sentence_id}.flac"


@dataclass(frozen=True)
class Made:
    """What became of a task: a clip of `seconds`, or none for the reason in `skipped`."""

    task: Task
    seconds: float = 0.0
    skipped: str = ""


def plan(
    sentences: Path,
    voices: Sequence[str],
    shard: tuple[int, int] = (0, 1),
    seed: int = 0,
    held_out: int = HELD_OUT_ROWS,
) -> list[Task]:
    """What to speak, in which order.

    Args:
        sentences: lines of: id TAB text.
        voices: teacher voices, which take turns.
        shard: (number, count): every count-th task from number on, so that several processes share the work.
        seed: of the order.
        held_out: last rows of the file, which training never sees.

    Raises:
        DataError: the file is not of that form.
    """
    rows = read_sentences(sentences)
    chosen = rows[: max(0, len(rows) - held_out)]
    random.Random(seed).shuffle(chosen)
    return assign_voices(chosen, voices)[shard[0] :: shard[1]]


def assign_voices(rows: Sequence[SentenceRow], voices: Sequence[str]) -> list[Task]:
    """Tasks of rows, the voices taking turns."""
    return [Task(row.id, row.text, voices[index % len(voices)]) for index, row in enumerate(rows)]


def remaining(tasks: Sequence[Task], folder: Path, known: frozenset[str] = frozenset()) -> list[Task]:
    """Tasks whose sentence has no clip in `folder`, by any voice, and is not in `known`."""
    done = {row_id for path in folder.glob("*.flac") for _, row_id in _splits(path.name)} | known
    return [task for task in tasks if task.sentence_id not in done]


def teach(
    speaker: Speaker, tasks: Sequence[Task], output: Path, manifest: str = MANIFEST, known: frozenset[str] = frozenset()
) -> Iterator[Made]:
    """Speak every task whose clip is not there; yields once clip and manifest row are written.

    Args:
        speaker: the teacher.
        tasks: see `plan`.
        output: folder of clips and manifest; made when absent.
        manifest: name of the manifest in it; processes that share a folder use one each.
        known: sentence ids that another folder already holds.

    Raises:
        OutputError: the folder cannot be written.
    """
    import soundfile

    try:
        output.mkdir(parents=True, exist_ok=True)
        _adopt_clips(tasks, output, manifest)
        with (output / manifest).open("a", encoding="utf-8") as rows:
            for task in remaining(tasks, output, known):
                try:
                    samples = speaker.speak(task.text, task.teacher_voice)
                except TextError as error:
                    yield Made(task, skipped=str(error))
                    continue
                _write_clip(output / task.file_name, samples)
                seconds = len(samples) / SAMPLE_RATE
                rows.write(_row(task, seconds))
                rows.flush()
                yield Made(task, seconds)
    except (OSError, soundfile.LibsndfileError) as error:
        raise OutputError(f"{output}: cannot be written ({error}); choose another --output or make room") from error


def run(
    speaker: Speaker,
    tasks: Sequence[Task],
    output: Path,
    manifest: str = MANIFEST,
    max_minutes: float | None = None,
    known: frozenset[str] = frozenset(),
    clock: Callable[[], float] | None = None,
) -> list[Made]:
    """`teach` with a progress bar, warnings of what was skipped, and a time limit.

    Args:
        speaker, tasks, output, manifest, known: see `teach`.
        max_minutes: stop after the clip that passes it.
        clock: seconds; for tests.
    """
    import time

    from tqdm import tqdm

    now = clock or time.monotonic
    stop = None if max_minutes is None else now() + 60 * max_minutes
    made: list[Made] = []
    seconds = 0.0
    done = len(tasks) - len(remaining(tasks, output, known))
    with tqdm(total=len(tasks), initial=done, unit="clip") as bar:
        for one in teach(speaker, tasks, output, manifest, known):
            made.append(one)
            seconds += one.seconds
            if one.skipped:
                bar.write(f"{one.task.sentence_id} is skipped: {one.skipped}")
            bar.set_postfix(hours=f"{seconds / 3600:.2f}", refresh=False)
            bar.update()
            if stop is not None and now() > stop:
                break
    return made


def known_sentences(manifest: Path) -> frozenset[str]:
    """Sentence ids of a manifest, whose clips are named VOICE_SENTENCE.

    Raises:
        DataError: it cannot be read.
    """
    return frozenset(sentence_id for name in _listed(manifest) for _, sentence_id in _splits(name))


def _splits(file_name: str) -> Iterator[tuple[str, str]]:
    """What VOICE_SENTENCE may mean as (voice, sentence id): both may hold underscores."""
    pieces = Path(file_name).stem.split("_")
    for first in range(1, len(pieces)):
        yield "_".join(pieces[:first]), "_".join(pieces[first:])


def _row(task: Task, seconds: float) -> str:
    voice = VOICES.get(task.teacher_voice, task.teacher_voice)
    return f"{task.file_name}\t{voice}\t{task.teacher_voice}\t{task.text}\t{seconds:.2f}\n"


def _write_clip(path: Path, samples: np.ndarray) -> None:
    import soundfile

    part = path.with_name(f".{path.name}.part")
    try:
        soundfile.write(part, samples, SAMPLE_RATE, subtype="PCM_16", format="FLAC")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _adopt_clips(tasks: Sequence[Task], output: Path, manifest: str) -> None:
    """Make our manifest whole: a header, no half last row, and a row for every clip of ours that no manifest lists."""
    path = output / manifest
    if path.exists():
        content = path.read_bytes()
        os.truncate(path, content.rfind(b"\n") + 1)
    listed = {name for other in output.glob("manifest*.tsv") for name in _listed(other)}
    texts = {task.sentence_id: task.text for task in tasks}
    with path.open("a", encoding="utf-8") as rows:
        if not rows.tell():
            rows.write(HEADER)
        for clip in sorted(output.glob("*.flac")):
            meaning = next(((voice, row_id) for voice, row_id in _splits(clip.name) if row_id in texts), None)
            if meaning is None or clip.name in listed:
                continue
            voice, row_id = meaning
            seconds = _seconds(clip)
            if seconds:
                rows.write(_row(Task(row_id, texts[row_id], voice), seconds))
            else:
                clip.unlink()  # cut off while it was written: to be spoken again


def _listed(manifest: Path) -> list[str]:
    """Names of the clips of a manifest."""
    try:
        lines = manifest.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise DataError(f"{manifest}: cannot be read as a manifest ({error.strerror})") from error
    names = (line.split("\t", 1)[0] for line in lines)
    return [name for name in names if name != "file"]


def _seconds(clip: Path) -> float:
    """Length of a clip, 0 if it is not whole."""
    import soundfile

    try:
        with soundfile.SoundFile(clip) as file:
            file.seek(max(0, file.frames - 1))
            return file.frames / file.samplerate if len(file.read()) else 0.0
    except soundfile.LibsndfileError:
        return 0.0
