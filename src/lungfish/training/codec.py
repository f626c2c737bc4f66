"""Recipe of a codec: reconstruction, books, semantics and adversaries.

    reconstruction   spectral distance of what comes back (or Descript's multi-scale mel)
    books            commitment, and the codebook loss where books are trained by gradient
    phones           CTC of a head on book 0, where a clip has a transcript
    distillation     a head on book 0 foretells the features of a frozen speech model
    adversaries      discriminators: least squares and feature matching (training/adversarial.py)

The first two make a codec, the next two make book 0 semantic, the last makes it sound natural. Heads and discriminators are
never shipped. One batch is one step: discriminators first, then the codec, each with its own optimizer, clipping and
schedule. Order, losses and gradients of a step depend on the config and the step's number alone, so a resumed run equals one
that was never stopped. `train: decoder` freezes encoder and books: codes already extracted stay valid while the decoder
improves. Source: spec/codec.md 5; Kumar et al. 2023; Défossez et al. 2024.
"""

from __future__ import annotations

import copy
from typing import Any

import lightning as L
import numpy as np
import torch
from torch import Tensor, nn

from lungfish.data.audio_pack import AudioPack
from lungfish.data.feature_pack import FeaturePack
from lungfish.errors import TrainingError
from lungfish.training.adversarial import discriminator_step_loss, generator_step_losses
from lungfish.training.codec_config import CodecTrainingConfig
from lungfish.training.codec_data import CodecBatch, CodecData, clip_labels, padded
from lungfish.training.codec_start import start_codec_from
from lungfish.training.discriminators import Discriminators
from lungfish.training.distillation import SemanticHead, distillation_loss
from lungfish.training.multi_scale_mel import MultiScaleMelLoss
from lungfish.training.phone_head import PhoneHead, best_path_phones, edit_distance
from lungfish.training.run import learning_rate_at, numbered_loader
from lungfish.training.spectral_loss import SpectralLoss
from lungfish.training.trainable_codec import Quantization, trainable_codec

__all__ = ["CodecRecipe", "CodecTrainingConfig", "load_codec_run"]

_BETAS = (0.8, 0.98)


def load_codec_run(config: CodecTrainingConfig) -> CodecRecipe:
    """The recipe with the weights that its run's last checkpoint would ship, in evaluation mode.

    Raises:
        TrainingError: the run has no checkpoint yet.
    """
    path = config.output / "checkpoints" / "last.ckpt"
    if not path.is_file():
        raise TrainingError(f"{path} does not exist; train the codec first with `lungfish train codec`")
    recipe = CodecRecipe(config.model_copy(update={"start_from": None}))
    recipe.load_state_dict(torch.load(path, weights_only=False, map_location="cpu")["state_dict"])
    if recipe.averaged is not None:
        recipe.codec.load_state_dict(recipe.averaged.state_dict())
    return recipe.eval()


class CodecRecipe(L.LightningModule):
    """Lightning module around a codec in training. What ships is `averaged` where there is one, else `codec`.

    Attributes:
        codec: `SpectralCodec` or `ModifiedDAC`.
        averages: what the books remember between steps, one module per book.
        averaged: moving average of `codec`, or None.
        data: clips and batches.
    """

    def __init__(self, config: CodecTrainingConfig) -> None:
        super().__init__()
        self.automatic_optimization = False  # two optimizers
        self.config = config
        self.trained = trainable_codec(
            config.model,
            codebook_decay=config.codebook_decay,
            weight_norm=config.weight_norm,
            checkpointing=config.checkpointing,
            seed=config.seed,
        )
        self.codec, self.averages = self.trained.codec, self.trained.books
        rate = self.codec.sample_rate
        self.phone_head = PhoneHead(self.trained.latent_dim)
        self.features = FeaturePack(config.features) if config.features is not None else None
        self.semantic_head = (
            SemanticHead(self.trained.latent_dim, self.features.dim) if self.features is not None else None
        )
        self.discriminators = Discriminators(config.adversaries, rate) if config.adversaries is not None else None
        self.spectral_loss = SpectralLoss(rate)
        self.mel_loss = MultiScaleMelLoss(rate) if config.reconstruction == "mel" else None
        if config.start_from is not None:
            start_codec_from(self, config.start_from)
        if config.train == "decoder":
            self.requires_grad_(False)
            self.codec.decoder.requires_grad_(True)
            if self.discriminators is not None:
                self.discriminators.requires_grad_(True)
        self.averaged = copy.deepcopy(self.codec).requires_grad_(False) if config.average_decay else None
        self.data = CodecData(
            [AudioPack(folder) for folder in (config.pack, *config.more_packs)],
            self.features,
            sample_rate=rate,
            hop=self.codec.hop_length,
            clips_per_batch=config.clips_per_batch,
            more_share=config.more_share,
            clip_frames=config.clip_frames,
            gain_db=config.gain_db,
            turn_phase=config.turn_phase,
            seed=config.seed,
        )
        self.step_metrics: dict[str, float] = {}

    @property
    def pack(self) -> AudioPack:
        """The pack that the codec is for."""
        return self.data.packs[0]

    def configure_optimizers(self) -> Any:
        config = self.config
        judges = set(self.discriminators.parameters()) if self.discriminators is not None else set()
        made = [p for p in self.parameters() if p.requires_grad and p not in judges]
        groups = [(made, config.learning_rate)]
        if self.discriminators is not None:
            groups.append(
                (list(self.discriminators.parameters()), config.adversary_learning_rate or config.learning_rate)
            )
        optimizers = [
            torch.optim.AdamW(parameters, lr=rate, betas=_BETAS, weight_decay=config.weight_decay)
            for parameters, rate in groups
        ]
        schedulers = [
            torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: learning_rate_at(step, config))
            for optimizer in optimizers
        ]
        self.trained.optimizer = optimizers[0]
        return optimizers, schedulers

    def train_dataloader(self) -> Any:
        return numbered_loader(self.make_batch, self.trainer)

    def make_batch(self, number: int) -> CodecBatch:
        """Batch `number` of the run."""
        return self.data.batch(number)

    def transfer_batch_to_device(self, batch: CodecBatch, device: torch.device, dataloader_idx: int) -> CodecBatch:
        return batch.to(device)

    def training_step(self, batch: CodecBatch, batch_idx: int) -> None:
        generated, target, losses = self.forward_losses(batch)
        self.step_metrics = {}
        if self.discriminators is not None and self.global_step >= self.config.adversarial_from:
            judging = discriminator_step_loss(self.discriminators, target[:, None], generated[:, None])
            self._step(1, judging)
            adversarial = generator_step_losses(self.discriminators, target[:, None], generated[:, None])
            losses["adversarial"] = (self.config.adversarial_weight, adversarial.adversarial)
            losses["features"] = (self.config.feature_weight, adversarial.feature)
            self.step_metrics["discriminator"] = judging.item()
        self._step(0, torch.stack([weight * loss for weight, loss in losses.values()]).sum())
        self._average()
        self.step_metrics |= {name: loss.item() for name, (_, loss) in losses.items()}

    def forward_losses(self, batch: CodecBatch) -> tuple[Tensor, Tensor, dict[str, tuple[float, Tensor]]]:
        """A batch through the codec.

        Returns:
            generated and target [B, S'], and by name (weight, loss) of everything but the adversaries' part.
        """
        config, codec = self.config, self.codec
        count, device = len(batch.frames), batch.waveform.device
        frozen = config.train == "decoder"
        valid = batch.valid(codec.hop_length)
        dropped = torch.rand(count, device=device) < config.quantizer_dropout
        numbers = torch.tensor(config.dropout_books or range(1, codec.num_codebooks + 1), device=device)
        some = numbers[torch.randint(len(numbers), (count,), device=device)]
        books_used = torch.where(dropped, some, torch.full_like(some, codec.num_codebooks))
        with torch.set_grad_enabled(not frozen):
            made = self.trained.quantize(batch.waveform, valid, books_used, update=not frozen)
        generated, target = self._decoded(batch, made.quantized)
        spectral, mel = self.spectral_loss(generated, target)
        losses = {"mel": (0.0, mel)}
        if self.mel_loss is None:
            losses["spectral"] = (config.reconstruction_weight, spectral)
        else:
            losses["multi_scale_mel"] = (config.reconstruction_weight, self.mel_loss(generated, target))
        if not frozen:
            losses |= self._book_losses(batch, made, valid)
        return generated, target, losses

    def _decoded(self, batch: CodecBatch, quantized: Tensor) -> tuple[Tensor, Tensor]:
        """What comes back and what should: a random crop of each clip, or all of it; [B, S'] twice."""
        if not self.trained.crops_decoder:
            return self.trained.decode(quantized)[:, 0], batch.waveform[:, 0]
        hop = self.codec.hop_length
        length = min(self.config.crop_frames, int(batch.frames.min()))
        codes, targets = [], []
        for row in range(len(batch.frames)):
            start = int(torch.randint(int(batch.frames[row]) - length + 1, ()))
            codes.append(quantized[row, :, start : start + length])
            targets.append(batch.waveform[row, 0, start * hop : (start + length) * hop])
        # The crop lacks the decoder's past at its start and the overlapping frames at its end.
        return self.trained.decode(torch.stack(codes))[:, 0, hop:-hop], torch.stack(targets)[:, hop:-hop]

    def _book_losses(self, batch: CodecBatch, made: Quantization, valid: Tensor) -> dict[str, tuple[float, Tensor]]:
        config = self.config
        losses = {"commitment": (config.commitment_weight, made.commitment)}
        if made.codebook is not None:
            losses["codebook"] = (config.codebook_weight, made.codebook)
        if any(map(len, batch.labels)):
            losses["phone"] = (config.phone_weight, self._phone_loss(made.semantic, batch))
        if self.semantic_head is None or batch.features is None or batch.taught is None or not batch.taught.any():
            return losses
        predicted = self.semantic_head(made.semantic, valid)
        distillation, cosine = distillation_loss(predicted, batch.features, batch.taught)
        return losses | {"distillation": (config.distillation_weight, distillation), "cosine": (0.0, cosine)}

    def _phone_loss(self, semantic: Tensor, batch: CodecBatch) -> Tensor:
        """CTC over the clips that have a transcript."""
        rows = [row for row, labels in enumerate(batch.labels) if len(labels)]
        labels = [batch.labels[row] for row in rows]
        log_probs = self.phone_head(semantic[rows]).transpose(0, 1)
        readings = batch.frames[rows] * (log_probs.shape[0] // semantic.shape[1])
        lengths = torch.tensor([len(one) for one in labels], device=semantic.device)
        return nn.functional.ctc_loss(log_probs, torch.cat(labels), readings, lengths, zero_infinity=True)

    def _step(self, which: int, loss: Tensor) -> None:
        """One step of the codec's optimizer (0) or the discriminators' (1)."""
        optimizer = self.optimizers(use_pl_optimizer=False)
        optimizer = optimizer[which] if isinstance(optimizer, list) else optimizer
        optimizer.zero_grad()
        self.manual_backward(loss)
        nn.utils.clip_grad_norm_(optimizer.param_groups[0]["params"], self.config.gradient_clip)
        if which == 0:  # this one counts as the step of the run
            counted = self.optimizers()
            (counted[0] if isinstance(counted, list) else counted).step()
        else:
            optimizer.step()
        scheduler: Any = self.lr_schedulers()
        (scheduler[which] if isinstance(scheduler, list) else scheduler).step()

    @torch.no_grad()
    def _average(self) -> None:
        if self.averaged is None:
            return
        # A short memory first, so that the average never drags the start along.
        decay = min(self.config.average_decay, 1 - 10 / (10 + self.global_step))
        torch._foreach_lerp_(list(self.averaged.parameters()), list(self.codec.parameters()), 1 - decay)

    def validate(self) -> dict[str, float]:
        """Mel distances, phone error rate of book 0 where there are transcripts, perplexities, of what would ship.

        Distances of the first pack with all books, with the books of `dropout_books` and with book 0; of the others, whose
        names end in their pack's name, with all.
        """
        codec = self.averaged.eval() if self.averaged is not None else self.codec
        metrics: dict[str, float] = {}
        counts = sorted({1, *self.config.dropout_books, self.codec.num_codebooks})
        errors = phones = 0
        for pack, clips in zip(self.data.packs, self.data.validation, strict=True):
            distances: dict[int, list[float]] = {count: [] for count in counts}
            for clip in clips:
                waveform = padded([pack.waveform(clip)], self.codec.hop_length)[0].to(self.device)
                codes, _ = codec.encode(waveform)
                for count in counts if pack is self.pack else counts[-1:]:
                    decoded = codec.decode(codes[:, :count])
                    distances[count].append(float(self.spectral_loss(decoded[:, 0], waveform[:, 0])[1]))
                labels = clip_labels(clip)
                if labels:
                    heard = best_path_phones(self.phone_head(self.trained.semantic(codes[:, 0]))[0])
                    errors += min(len(labels), edit_distance(heard, labels))
                    phones += len(labels)
            for count in [count for count in counts if distances[count]]:
                name = "mel" if count == counts[-1] else f"mel_{count}"
                name = name if pack is self.pack else f"{name}_{pack.folder.name}"
                metrics[name] = float(np.mean(distances[count]))
        if phones:
            metrics["phone_error_rate"] = errors / phones
        perplexities = {f"perplexity_{k}": average.perplexity() for k, average in enumerate(self.averages)}  # type: ignore[operator]
        return metrics | perplexities
