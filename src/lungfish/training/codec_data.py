"""Batches for codec training: clips of one or more audio packs, augmented, with phones and speech features where known.

Batch number i depends on the seed and i alone. A batch comes from one pack, its clips are neighbours in length.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lungfish.data.audio_pack import AudioPack, Clip
from lungfish.data.feature_pack import FeaturePack
from lungfish.data.split import is_validation
from lungfish.errors import DataError
from lungfish.text.phonemes import phones_only, to_phonemes
from lungfish.training.augment import augment
from lungfish.training.phone_head import PHONE_INDEX

_LENGTH_POOL = 32  # clips drawn per batch, of which neighbours in length are kept
_VALIDATION_CLIPS = 24


@dataclass
class CodecBatch:
    """Attributes:
    waveform: [B, 1, S], zeros behind each clip.
    frames: [B] code frames of each clip.
    labels: phone indices of each clip; none where there is no transcript.
    features: [B, T, F] targets of book 0, 0 where there are none; absent without a feature pack.
    taught: [B, T] whether there is a target.
    """

    waveform: Tensor
    frames: Tensor
    labels: list[Tensor]
    features: Tensor | None = None
    taught: Tensor | None = None

    def valid(self, hop: int) -> Tensor:
        """[B, T], False on padding."""
        return torch.arange(self.waveform.shape[-1] // hop, device=self.frames.device) < self.frames[:, None]

    def to(self, device: torch.device) -> CodecBatch:
        moved = {name: value.to(device) for name, value in vars(self).items() if isinstance(value, Tensor)}
        return CodecBatch(**{**vars(self), **moved, "labels": [labels.to(device) for labels in self.labels]})


def clip_labels(clip: Clip) -> list[int]:
    """Phone indices of a clip's transcript; none without one."""
    return [PHONE_INDEX[phone] for phone in phones_only(to_phonemes(clip.text))] if clip.text else []


def padded(waveforms: Sequence[np.ndarray], hop: int) -> tuple[Tensor, Tensor]:
    """Waveforms side by side, [B, 1, S] with S a multiple of `hop`, and their lengths in frames [B]."""
    frames = torch.tensor([-(-len(samples) // hop) for samples in waveforms])
    waveform = torch.zeros(len(waveforms), 1, int(frames.max()) * hop)
    for row, samples in enumerate(waveforms):
        waveform[row, 0, : len(samples)] = torch.from_numpy(samples)
    return waveform, frames


class CodecData:
    """Training and validation clips.

    Args:
        packs: the first is what the codec is for; the others make it hear more.
        features: what teaches book 0, or None.
        sample_rate: of the codec, in Hz.
        hop: samples per code frame.
        clips_per_batch: B.
        more_share: share of batches out of the packs behind the first.
        clip_frames: clips longer than this are cut to a random stretch, without their transcript; None: whole clips.
        gain_db, turn_phase: see `augment`.
        seed: of the batches.

    Raises:
        DataError: a pack of another sample rate, or too few clips.
    """

    def __init__(
        self,
        packs: Sequence[AudioPack],
        features: FeaturePack | None,
        *,
        sample_rate: int,
        hop: int,
        clips_per_batch: int,
        more_share: float = 0.5,
        clip_frames: int | None = None,
        gain_db: tuple[float, float] = (0.0, 0.0),
        turn_phase: bool = False,
        seed: int = 0,
    ) -> None:
        self.packs, self.features = tuple(packs), features
        self._hop, self._frame_rate, self._seed = hop, sample_rate / hop, seed
        self._clips_per_batch, self._more_share, self._clip_frames = clips_per_batch, more_share, clip_frames
        self._gain_db, self._turn_phase = gain_db, turn_phase
        self.training: list[list[Clip]] = []
        self.validation: list[list[Clip]] = []
        for pack in self.packs:
            if pack.sample_rate != sample_rate:
                raise DataError(f"{pack.folder} holds {pack.sample_rate} Hz audio, the codec wants {sample_rate}")
            self.training.append([clip for clip in pack.clips if not is_validation(clip.id)])
            self.validation.append([clip for clip in pack.clips if is_validation(clip.id)][:_VALIDATION_CLIPS])
            if len(self.training[-1]) < clips_per_batch:
                raise DataError(f"{pack.folder} has {len(self.training[-1])} training clips, too few for one batch")

    def batch(self, number: int) -> CodecBatch:
        """Batch `number` of the run."""
        rng = random.Random(f"{self._seed}-{number}")
        which = rng.randrange(1, len(self.packs)) if len(self.packs) > 1 and rng.random() < self._more_share else 0
        clips = self.training[which]
        pool = rng.sample(clips, min(_LENGTH_POOL, len(clips)))
        pool.sort(key=lambda clip: clip.num_samples)
        first = rng.randrange(len(pool) - self._clips_per_batch + 1)
        chosen = pool[first : first + self._clips_per_batch]
        starts, waveforms = [], []
        for clip in chosen:
            samples = self.packs[which].waveform(clip)
            start, samples = self._cut(samples, rng)
            starts.append(start)
            waveforms.append(augment(samples, rng, self._gain_db, self._turn_phase))
        waveform, frames = padded(waveforms, self._hop)
        whole = [start is None for start in starts]
        labels = [clip_labels(clip) if kept else [] for clip, kept in zip(chosen, whole, strict=True)]
        batch = CodecBatch(waveform, frames, [torch.tensor(one, dtype=torch.long) for one in labels])
        if self.features is not None:
            self._teach(batch, chosen, [start or 0 for start in starts], self.features)
        return batch

    def _cut(self, samples: np.ndarray, rng: random.Random) -> tuple[int | None, np.ndarray]:
        """A stretch of at most `clip_frames`, and the frame at which it starts; None where nothing was cut."""
        frames = -(-len(samples) // self._hop)
        if self._clip_frames is None or frames <= self._clip_frames:
            return None, samples
        start = rng.randrange(frames - self._clip_frames + 1)
        return start, samples[start * self._hop : (start + self._clip_frames) * self._hop]

    def _teach(self, batch: CodecBatch, clips: list[Clip], starts: list[int], features: FeaturePack) -> None:
        longest = int(batch.frames.max())
        batch.features = torch.zeros(len(clips), longest, features.dim)
        batch.taught = torch.zeros(len(clips), longest, dtype=torch.bool)
        for row, (clip, start) in enumerate(zip(clips, starts, strict=True)):
            if clip.id in features:
                count = int(batch.frames[row])
                targets = features.frames(clip.id, start + count, self._frame_rate)[start:]
                batch.features[row, :count] = torch.from_numpy(targets)
                batch.taught[row, :count] = True
