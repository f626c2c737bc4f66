"""Recipe of the spectral codec: whole utterances through the encoder, short crops through the decoder.

Losses: spectral distance of the decoded crop + commitment + CTC of the phoneme head on book 0, which makes that book
semantic. `train: decoder` freezes encoder and books, so that codes already extracted stay valid while the decoder
improves. Whole utterances are needed for CTC; crops keep the decoder's share of the cost small.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Literal

import lightning as L
import numpy as np
import torch
from pydantic import Field
from torch import Tensor, nn

from lungfish.codec.spectral import SpectralCodec, SpectralCodecConfig
from lungfish.data.audio_pack import AudioPack, Clip
from lungfish.data.split import is_validation
from lungfish.errors import DataError, TrainingError
from lungfish.text.phonemes import phones_only, to_phonemes
from lungfish.training.codebook import CodebookAverages, quantize_for_training
from lungfish.training.phone_head import PHONE_INDEX, PhoneHead, best_path_phones, edit_distance
from lungfish.training.run import RunConfig, WorkPath, numbered_loader, scheduled
from lungfish.training.spectral_loss import SpectralLoss

_LENGTH_POOL = 32  # clips drawn per batch, of which neighbours in length are kept
_VALIDATION_CLIPS = 24


class CodecTrainingConfig(RunConfig):
    """Keys of a codec config (`configs/voice_codec.yaml` explains them)."""

    pack: WorkPath = Field(description="folder of packed audio")
    model: dict[str, Any] = Field(default_factory=dict, description="SpectralCodecConfig fields")
    train: Literal["all", "decoder"] = "all"
    start_from: WorkPath | None = Field(default=None, description="checkpoint of an earlier codec run")
    clips_per_batch: int = Field(default=4, gt=0)
    crop_frames: int = Field(default=26, gt=1)
    gain_db: tuple[float, float] = (-4.0, 2.0)
    quantizer_dropout: float = Field(default=0.3, ge=0, le=1)
    commitment_weight: float = Field(default=0.5, ge=0)
    phone_weight: float = Field(default=0.3, ge=0)
    codebook_decay: float = Field(default=0.985, gt=0, lt=1)


@dataclass
class CodecBatch:
    """waveform [B, 1, S], frames [B] code frames of each clip, labels: phone indices of each clip."""

    waveform: Tensor
    frames: Tensor
    labels: list[Tensor]


def clip_labels(clip: Clip) -> list[int]:
    """Phone indices of a clip's transcript."""
    return [PHONE_INDEX[phone] for phone in phones_only(to_phonemes(clip.text))]


def _collate(pack: AudioPack, clips: list[Clip], gains: list[float], hop: int) -> CodecBatch:
    frames = [-(-clip.num_samples // hop) for clip in clips]
    waveform = torch.zeros(len(clips), 1, max(frames) * hop)
    for row, (clip, gain) in enumerate(zip(clips, gains, strict=True)):
        waveform[row, 0, : clip.num_samples] = torch.from_numpy(pack.waveform(clip)) * gain
    return CodecBatch(waveform, torch.tensor(frames), [torch.tensor(clip_labels(clip)) for clip in clips])


def load_codec_run(config: CodecTrainingConfig) -> CodecRecipe:
    """The recipe with the weights of its run's last checkpoint, in evaluation mode.

    Raises:
        TrainingError: the run has no checkpoint yet.
    """
    path = config.output / "checkpoints" / "last.ckpt"
    if not path.is_file():
        raise TrainingError(f"{path} does not exist; train the codec first with `lungfish train codec`")
    recipe = CodecRecipe(config)
    recipe.load_state_dict(torch.load(path, weights_only=False, map_location="cpu")["state_dict"])
    return recipe.eval()


class CodecRecipe(L.LightningModule):
    """Lightning module around a `SpectralCodec`; `codec` is what ships."""

    def __init__(self, config: CodecTrainingConfig) -> None:
        super().__init__()
        self.config = config
        model = SpectralCodecConfig.from_dict(config.model)
        torch.manual_seed(config.seed)
        self.codec = SpectralCodec(model)
        self.averages = nn.ModuleList(CodebookAverages(book, config.codebook_decay) for book in self.codec.books)  # type: ignore[arg-type]
        self.phone_head = PhoneHead(model.dim)
        self.spectral_loss = SpectralLoss(model.sample_rate)
        self.step_metrics: dict[str, float] = {}
        if config.start_from is not None:
            state = torch.load(config.start_from, weights_only=False, map_location="cpu")["state_dict"]
            self.load_state_dict(state)
        self.pack = AudioPack(config.pack)
        if self.pack.sample_rate != model.sample_rate:
            raise DataError(
                f"{config.pack} holds {self.pack.sample_rate} Hz audio, the codec wants {model.sample_rate}"
            )
        self.training_clips = [clip for clip in self.pack.clips if not is_validation(clip.id)]
        self.validation_clips = [clip for clip in self.pack.clips if is_validation(clip.id)][:_VALIDATION_CLIPS]
        if len(self.training_clips) < config.clips_per_batch:
            raise DataError(f"{config.pack} has {len(self.training_clips)} training clips, too few for one batch")

    def configure_optimizers(self) -> Any:
        if self.config.train == "decoder":
            self.requires_grad_(False)
            self.codec.decoder.requires_grad_(True)
            parameters = list(self.codec.decoder.parameters())
        else:
            parameters = [p for p in self.parameters() if p.requires_grad]
        optimizer = torch.optim.AdamW(
            parameters, lr=self.config.learning_rate, betas=(0.8, 0.98), weight_decay=self.config.weight_decay
        )
        return scheduled(optimizer, self.config)

    def train_dataloader(self) -> Any:
        return numbered_loader(self.make_batch, self.trainer)

    def transfer_batch_to_device(self, batch: CodecBatch, device: torch.device, dataloader_idx: int) -> CodecBatch:
        return CodecBatch(batch.waveform.to(device), batch.frames.to(device), [x.to(device) for x in batch.labels])

    def make_batch(self, number: int) -> CodecBatch:
        """Batch `number` of the run: neighbours in length out of a random pool, each at a random gain."""
        rng = random.Random(f"{self.config.seed}-{number}")
        pool = rng.sample(self.training_clips, min(_LENGTH_POOL, len(self.training_clips)))
        pool.sort(key=lambda clip: clip.num_samples)
        first = rng.randrange(len(pool) - self.config.clips_per_batch + 1)
        clips = pool[first : first + self.config.clips_per_batch]
        gains = [10 ** (rng.uniform(*self.config.gain_db) / 20) for _ in clips]
        return _collate(self.pack, clips, gains, self.codec.hop_length)

    def training_step(self, batch: CodecBatch, batch_idx: int) -> Tensor:
        config, codec = self.config, self.codec
        batch_size, device = len(batch.frames), batch.waveform.device
        frozen = config.train == "decoder"
        valid = torch.arange(batch.waveform.shape[-1] // codec.hop_length, device=device) < batch.frames[:, None]
        dropped = torch.rand(batch_size, device=device) < config.quantizer_dropout
        some = torch.randint(1, codec.num_codebooks + 1, (batch_size,), device=device)
        books_used = torch.where(dropped, some, torch.full_like(some, codec.num_codebooks))
        with torch.set_grad_enabled(not frozen):
            latents = codec.encoder(batch.waveform)
            quantized, semantic, commitment = quantize_for_training(
                codec.books, self.averages, latents, valid, books_used, update=not frozen
            )
        generated, target = self._crops(batch, quantized)
        spectral, mel = self.spectral_loss(generated, target)
        loss = spectral
        self.step_metrics = {"spectral": spectral.item(), "mel": mel.item()}
        if not frozen:
            phone = self._phone_loss(semantic, batch)
            loss = loss + config.commitment_weight * commitment + config.phone_weight * phone
            self.step_metrics |= {"commitment": commitment.item(), "phone": phone.item()}
        return loss

    def _crops(self, batch: CodecBatch, quantized: Tensor) -> tuple[Tensor, Tensor]:
        """One random crop per clip, decoded, and its target, without the first code frame: [B, S'] twice."""
        hop = self.codec.hop_length
        length = min(self.config.crop_frames, int(batch.frames.min()))
        codes, targets = [], []
        for row in range(len(batch.frames)):
            start = int(torch.randint(int(batch.frames[row]) - length + 1, ()))
            codes.append(quantized[row, :, start : start + length])
            targets.append(batch.waveform[row, 0, start * hop : (start + length) * hop])
        # The crop lacks the decoder's past at its start and the overlapping frames at its end.
        generated = self.codec.decoder(torch.stack(codes))[:, 0, hop:-hop]
        return generated, torch.stack(targets)[:, hop:-hop]

    def _phone_loss(self, semantic: Tensor, batch: CodecBatch) -> Tensor:
        log_probs = self.phone_head(semantic).transpose(0, 1)
        readings = batch.frames * (log_probs.shape[0] // semantic.shape[1])
        lengths = torch.tensor([len(labels) for labels in batch.labels], device=semantic.device)
        return nn.functional.ctc_loss(log_probs, torch.cat(batch.labels), readings, lengths, zero_infinity=True)

    def validate(self) -> dict[str, float]:
        """Mel distance with all books and with book 0, phone error rate of book 0, perplexities."""
        mels, mels_semantic, errors, phones = [], [], 0, 0
        for clip in self.validation_clips:
            batch = _collate(self.pack, [clip], [1.0], self.codec.hop_length)
            waveform = batch.waveform.to(self.device)
            codes, _ = self.codec.encode(waveform)
            for books, kept in ((self.codec.num_codebooks, mels), (1, mels_semantic)):
                decoded = self.codec.decoder(self.codec.dequantize(codes[:, :books]))
                kept.append(float(self.spectral_loss(decoded[:, 0], waveform[:, 0])[1]))
            read = best_path_phones(self.phone_head(self.codec.books[0].decode(codes[:, 0]))[0])  # type: ignore[operator]
            labels = batch.labels[0].tolist()
            errors += min(len(labels), edit_distance(read, labels))
            phones += len(labels)
        perplexities = {f"perplexity_{k}": average.perplexity() for k, average in enumerate(self.averages)}  # type: ignore[operator]
        mean = {"mel": float(np.mean(mels)), "mel_semantic_only": float(np.mean(mels_semantic))}
        return {**mean, "phone_error_rate": errors / max(1, phones), **perplexities}
