"""Packed frame features: what a frozen speech model makes of every clip of an audio pack, made once, read at random.

A folder: `features.f16` (float16 rows, one clip after the other), `index.jsonl` (id, offset_frames, num_frames; a clip
without a row does not exist, so an interrupted run loses nothing) and `features.json` (model, rate, width, mean and
deviation of every dimension). Reading needs neither the model nor an audio library.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import numpy as np

from lungfish.checkpoint.atomic import write_atomically
from lungfish.data.audio_pack import AudioPack, Clip
from lungfish.errors import DataError

FEATURES_NAME, INDEX_NAME, META_NAME = "features.f16", "index.jsonl", "features.json"
_LEAST_DEVIATION = 1e-3


class Extractor(Protocol):
    """`judges.speech_features.SpeechFeatures`, as far as it is needed here."""

    name: str
    rate_hz: float

    def extract(self, waveform: np.ndarray, sample_rate: int) -> np.ndarray: ...


class FeaturePack:
    """Read access. `frames(id, count, frame_rate)` gives standardised features, averaged over each frame.

    Raises:
        DataError: no such pack.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / META_NAME
        if not path.is_file():
            raise DataError(f"{folder} is no feature pack ({META_NAME} is missing); make one: `lungfish data features`")
        meta = json.loads(path.read_text(encoding="utf-8"))
        self.name, self.rate_hz, self.dim = str(meta["model"]), float(meta["rate_hz"]), int(meta["dim"])
        self._mean = np.asarray(meta["mean"], np.float32)
        self._deviation = np.maximum(np.asarray(meta["deviation"], np.float32), _LEAST_DEVIATION)
        self._rows = _read_index(folder)
        self._features = np.memmap(folder / FEATURES_NAME, dtype="<f2", mode="r").reshape(-1, self.dim)

    def __contains__(self, clip_id: str) -> bool:
        return clip_id in self._rows

    def frames(self, clip_id: str, count: int, frame_rate: float) -> np.ndarray:
        """Features of a clip at another rate.

        Args:
            clip_id: of the audio pack.
            count: T, frames wanted; the last feature is repeated where they reach further.
            frame_rate: frames per second.

        Returns:
            [T, D] float32, each dimension with mean 0 and deviation 1 over the pack.

        Raises:
            DataError: the clip has no features.
        """
        if clip_id not in self._rows:
            raise DataError(f"clip {clip_id} has no features; run `lungfish data features` again")
        offset, length = self._rows[clip_id]
        values = self._features[offset : offset + length].astype(np.float32)
        return resample_frames((values - self._mean) / self._deviation, self.rate_hz, count, frame_rate)


def resample_frames(features: np.ndarray, rate_hz: float, count: int, frame_rate: float) -> np.ndarray:
    """Mean of [N, D] features at `rate_hz` over each of `count` frames at `frame_rate` -> [count, D].

    Exact for fractional spans: the integral of the features, held over their duration, divided by the span.
    """
    integral = np.concatenate((np.zeros((1, features.shape[1])), np.cumsum(features, axis=0, dtype=np.float64)))
    edges = np.arange(count + 1) * (rate_hz / frame_rate)
    whole = np.minimum(edges.astype(np.int64), len(features))
    rest = np.minimum(edges, len(features)) - whole
    nearest = np.minimum(whole, len(features) - 1)
    at_edges = integral[whole] + rest[:, None] * features[nearest]
    spans = np.diff(np.minimum(edges, len(features)))
    mean = np.diff(at_edges, axis=0) / np.maximum(spans, 1e-9)[:, None]
    mean[spans < 1e-6] = features[-1]
    return mean.astype(np.float32)


def _read_index(folder: Path) -> dict[str, tuple[int, int]]:
    path = folder / INDEX_NAME
    if not path.is_file():
        return {}
    rows = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            rows[row["id"]] = (int(row["offset_frames"]), int(row["num_frames"]))
        except (ValueError, TypeError, KeyError) as error:
            raise DataError(f"{path} line {number} is damaged; delete the pack and make it again") from error
    return rows


def extract_features(packs: list[AudioPack], extractor: Extractor, folder: Path) -> Iterator[Clip]:
    """Append the features of every clip that `folder` lacks; yields each clip once it is safely there.

    Mean and deviation are of all that is there, brought up to date at the end (or where the caller stops).

    Raises:
        DataError: the folder holds features of another model.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / META_NAME
    if path.is_file():
        have = json.loads(path.read_text(encoding="utf-8"))["model"]
        if have != extractor.name:
            raise DataError(f"{folder} holds features of {have}, not of {extractor.name}; choose another folder")
    rows = _read_index(folder)
    end = max((offset + count for offset, count in rows.values()), default=0)
    features_path = folder / FEATURES_NAME
    features_path.touch()
    dim = 0
    try:
        with features_path.open("r+b") as features, (folder / INDEX_NAME).open("a", encoding="utf-8") as index:
            for pack in packs:
                for clip in pack.clips:
                    if clip.id in rows:
                        continue
                    values = extractor.extract(pack.waveform(clip), pack.sample_rate)
                    dim = values.shape[1]
                    features.truncate(end * dim * 2)
                    features.seek(end * dim * 2)
                    features.write(values.astype("<f2").tobytes())
                    features.flush()
                    row = {"id": clip.id, "offset_frames": end, "num_frames": len(values)}
                    index.write(json.dumps(row, ensure_ascii=False) + "\n")
                    index.flush()
                    end += len(values)
                    rows[clip.id] = (row["offset_frames"], len(values))
                    yield clip
    finally:
        if dim and end:
            _write_meta(folder, extractor, dim, end)


def _write_meta(folder: Path, extractor: Extractor, dim: int, frames: int) -> None:
    values = np.memmap(folder / FEATURES_NAME, dtype="<f2", mode="r", shape=(frames, dim))
    step = max(1, frames // 200_000)  # a sample is enough for two moments
    sample = values[::step].astype(np.float64)
    meta = {
        "model": extractor.name,
        "rate_hz": extractor.rate_hz,
        "dim": dim,
        "mean": [round(float(x), 6) for x in sample.mean(0)],
        "deviation": [round(float(x), 6) for x in sample.std(0)],
    }
    write_atomically(folder / META_NAME, lambda part: part.write_text(json.dumps(meta), encoding="utf-8"))
