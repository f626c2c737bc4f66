"""Packed audio: many clips in one int16 file with an index, for training that reads random crops.

A pack is a folder: `audio.i16` (mono, little-endian, one clip after the other) and `index.jsonl` (one row per clip:
id, voice, text, offset_samples, num_samples). It grows by appending; a clip whose row is missing does not exist, so an
interrupted append loses nothing and the next one overwrites the orphaned samples. A copy for travelling may hold 8-bit
mu-law bytes instead (`audio.u8`, half the size); reading needs no audio library.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from lungfish.errors import DataError

AUDIO_NAME, MULAW_NAME, INDEX_NAME, META_NAME = "audio.i16", "audio.u8", "index.jsonl", "pack.json"
TRANSCRIPTS_NAME = "transcripts.tsv"
RECORDING_SUFFIXES = (".wav", ".flac", ".ogg", ".opus", ".mp3")
_MU = 255.0
_SILENCE = 0.01  # of full scale, short-time RMS
_WINDOW_S, _LEAD_S, _TAIL_S = 0.01, 0.06, 0.16


@dataclass(frozen=True)
class Clip:
    """One clip of a pack. `voice` is the bundled voice's name, `text` its transcript."""

    id: str
    voice: str
    text: str
    offset_samples: int
    num_samples: int


@dataclass(frozen=True)
class SourceClip:
    """A recording to be packed."""

    id: str
    voice: str
    text: str
    path: Path


class AudioPack:
    """Read access to a pack; `waveform(clip)` gives float32 samples [S] in -1..1."""

    def __init__(self, folder: Path) -> None:
        meta = folder / META_NAME
        if not meta.is_file():
            raise DataError(f"{folder} is no audio pack ({META_NAME} is missing); make one with `lungfish data pack`")
        self.folder = folder
        self.sample_rate: int = json.loads(meta.read_text())["sample_rate"]
        self.clips = _read_index(folder)
        self._mulaw = (folder / MULAW_NAME).is_file()
        name, kind = (MULAW_NAME, "u1") if self._mulaw else (AUDIO_NAME, "<i2")
        self._audio = np.memmap(folder / name, dtype=kind, mode="r")

    @property
    def hours(self) -> float:
        return sum(clip.num_samples for clip in self.clips) / self.sample_rate / 3600

    def waveform(self, clip: Clip) -> np.ndarray:
        samples = self._audio[clip.offset_samples : clip.offset_samples + clip.num_samples]
        return mulaw_decode(samples) if self._mulaw else samples.astype(np.float32) / 32768


def mulaw_encode(samples: np.ndarray) -> np.ndarray:
    """float samples in -1..1 -> uint8, logarithmic steps (about 38 dB of signal to noise for speech)."""
    compressed = np.sign(samples) * np.log1p(_MU * np.abs(samples)) / np.log1p(_MU)
    return np.rint((compressed + 1) * 127.5).astype(np.uint8)


def mulaw_decode(encoded: np.ndarray) -> np.ndarray:
    """uint8 -> float32 samples; inverse of `mulaw_encode`."""
    compressed = encoded.astype(np.float32) / 127.5 - 1
    return (np.sign(compressed) * np.expm1(np.abs(compressed) * np.log1p(_MU)) / _MU).astype(np.float32)


def copy_as_mulaw(source: AudioPack, folder: Path, max_bytes: int) -> int:
    """Copy clips in the pack's order while they fit `max_bytes`, as mu-law; returns how many.

    Raises:
        DataError: not even one clip fits.
    """
    folder.mkdir(parents=True)
    rows, end = [], 0
    with (folder / MULAW_NAME).open("wb") as audio:
        for clip in source.clips:
            if end + clip.num_samples > max_bytes:
                break
            audio.write(mulaw_encode(source.waveform(clip)).tobytes())
            rows.append(json.dumps({**asdict(clip), "offset_samples": end}, ensure_ascii=False) + "\n")
            end += clip.num_samples
    if not rows:
        raise DataError(f"{max_bytes} bytes hold no clip of {source.folder}; allow more")
    (folder / INDEX_NAME).write_text("".join(rows), encoding="utf-8")
    (folder / META_NAME).write_text(json.dumps({"sample_rate": source.sample_rate}))
    return len(rows)


def _read_index(folder: Path) -> list[Clip]:
    path = folder / INDEX_NAME
    if not path.is_file():
        return []
    clips = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            clips.append(Clip(**json.loads(line)))
        except (ValueError, TypeError) as error:
            raise DataError(f"{path} line {number} is damaged ({error}); delete the pack and make it again") from error
    return clips


def trim_silence(samples: np.ndarray, sample_rate: int) -> np.ndarray:
    """Cut silence at both ends down to 60 ms before and 160 ms after the speech; samples [S] -> [S']."""
    window = max(1, int(_WINDOW_S * sample_rate))
    usable = len(samples) // window * window
    levels = np.sqrt(np.square(samples[:usable]).reshape(-1, window).mean(1))
    loud = np.flatnonzero(levels > _SILENCE)
    if not len(loud):
        return samples
    start = max(0, loud[0] * window - int(_LEAD_S * sample_rate))
    stop = min(len(samples), (loud[-1] + 1) * window + int(_TAIL_S * sample_rate))
    return samples[start:stop]


def append_clips(
    folder: Path, sources: Iterable[SourceClip], sample_rate: int = 22_050, trim: bool = True
) -> Iterator[Clip]:
    """Resample and append every source that the pack lacks; yields each clip once it is safely in the pack.

    Args:
        folder: the pack; made when absent.
        sources: recordings; those whose id is already packed are skipped.
        sample_rate: of the pack, in Hz; must equal an existing pack's.
        trim: cut silence at both ends.

    Raises:
        DataError: the pack has another sample rate.
        AudioError: a recording cannot be read.
    """
    import soxr  # reading a pack needs no audio library: it may happen where none is installed

    from lungfish.audio.files import read_waveform

    folder.mkdir(parents=True, exist_ok=True)
    meta = folder / META_NAME
    if meta.is_file():
        have_rate = json.loads(meta.read_text())["sample_rate"]
        if have_rate != sample_rate:
            raise DataError(f"{folder} holds {have_rate} Hz audio, not {sample_rate}; choose another folder")
    else:
        meta.write_text(json.dumps({"sample_rate": sample_rate}))
    packed = _read_index(folder)
    known = {clip.id for clip in packed}
    end = max((clip.offset_samples + clip.num_samples for clip in packed), default=0)
    audio_path = folder / AUDIO_NAME
    audio_path.touch()
    with audio_path.open("r+b") as audio, (folder / INDEX_NAME).open("a", encoding="utf-8") as index:
        audio.truncate(end * 2)
        audio.seek(end * 2)
        for source in sources:
            if source.id in known:
                continue
            waveform, rate = read_waveform(source.path)
            samples = np.asarray(waveform, dtype=np.float32).reshape(-1)
            samples = soxr.resample(samples, rate, sample_rate) if rate != sample_rate else samples
            if trim:
                samples = trim_silence(samples, sample_rate)
            audio.write((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
            audio.flush()
            clip = Clip(source.id, source.voice, source.text, end, len(samples))
            index.write(json.dumps(asdict(clip), ensure_ascii=False) + "\n")
            index.flush()
            end += len(samples)
            known.add(source.id)
            yield clip


def sources_from_manifest(manifest: Path, audio_folder: Path, voices: dict[str, str]) -> list[SourceClip]:
    """Rows of a teacher's manifest (tab-separated; file, voice, ..., text, seconds) as sources.

    Args:
        manifest: with or without a header line; 4 columns (file, teacher voice, text, seconds) or 5 (file, voice,
            teacher voice, text, seconds).
        audio_folder: where the files lie.
        voices: teacher voice -> our voice name.

    Raises:
        DataError: a row has the wrong number of columns or names an unknown teacher voice.
    """
    sources = []
    for number, line in enumerate(manifest.read_text(encoding="utf-8").splitlines(), 1):
        columns = line.split("\t")
        if columns[0] == "file":
            continue
        if len(columns) not in (4, 5) or columns[-3] not in voices:
            raise DataError(f"{manifest} line {number}: expected file, voice, text, seconds separated by tabs")
        clip_id = Path(columns[0]).stem
        sources.append(SourceClip(clip_id, voices[columns[-3]], columns[-2], audio_folder / columns[0]))
    return sources


def sources_from_folder(folder: Path, voice: str = "") -> list[SourceClip]:
    """Every recording under `folder`, in the order of the paths, as sources.

    Args:
        folder: searched with all its subfolders; a `transcripts.tsv` (file TAB text) beside recordings gives their texts,
            the others have none (a codec learns from sound alone).
        voice: name for all of them; without it, each folder's own name.

    Raises:
        DataError: no recording, or two of the same name.
    """
    texts: dict[Path, str] = {}
    for table in sorted(folder.rglob(TRANSCRIPTS_NAME)):
        for number, line in enumerate(table.read_text(encoding="utf-8").splitlines(), 1):
            name, tab, text = line.partition("\t")
            if not tab:
                raise DataError(f"{table} line {number}: expected file and text separated by a tab")
            texts[table.parent / name] = text
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in RECORDING_SUFFIXES)
    names = [path.stem for path in paths]
    twice = sorted({name for name in names if names.count(name) > 1})
    if not paths or twice:
        what = f"has {twice[0]} more than once" if twice else f"has no recording ({', '.join(RECORDING_SUFFIXES)})"
        raise DataError(f"{folder} {what}")
    return [SourceClip(path.stem, voice or path.parent.name, texts.get(path, ""), path) for path in paths]
