"""Recipe of a phoneme Dual-AR: S2's two losses, and helps that exist in training only.

    slow loss     cross-entropy of the semantic code (or the end) of each next frame, over the admissible rows
    fast loss     cross-entropy of the codes of a random share of the frames, teacher-forced along depth
    guide         one attention head of some layers is pulled to the symbol that each frame speaks
    phones        a linear head on the slow hidden state names the phone of the next frame
    corruption    some input frames are blanked or replaced, so that the text must be listened to
    crops         many clips are cut to a few words: short sequences align first, and no sentence is learnt by heart
    spelling      some words come as letters, some clips without the voice's name

The audio starts at a fixed position, which makes the guide's diagonal almost a constant rotary offset. The shipped weights
are a moving average over the steps. Source: spec/lm.md 3.6; Tachibana et al. 2018 (guided attention).
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import lightning as L
import numpy as np
import torch
from pydantic import Field
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from lungfish.lm.config import DualARConfig
from lungfish.lm.model import DualAR
from lungfish.lm.prompt import text_room
from lungfish.lm.sampling import SamplingParams
from lungfish.text.tokenizer import Tokenizer
from lungfish.training.lm_data import IGNORE, Batcher, LMBatch, Utterance, draw_batch, load_utterances
from lungfish.training.phone_error import PhoneReader, phone_error_rate
from lungfish.training.phone_head import PHONES
from lungfish.training.phoneme_tokenizer import write_phoneme_tokenizer
from lungfish.training.run import RunConfig, WorkPath, numbered_loader, scheduled

LISTENING = SamplingParams(temperature=0.5, top_p=0.9, top_k=25, fast_temperature=0.35, ras=False)
_VALIDATION_BATCHES, _VALIDATION_CLIPS = 5, 60


class LMTrainingConfig(RunConfig):
    """Keys of a language-model config (`configs/voice_lm.yaml` explains them)."""

    codes: WorkPath = Field(description="folder of packed codes")
    voices: tuple[str, ...] = ("coral", "marlin")
    codebook_sizes: tuple[int, ...] = (1024, 1024, 1024, 1024)
    codec_codebooks: int | None = Field(default=None, description="books of the codec, when it has more")
    audio_start: int = Field(default=256, gt=8, description="position of the first audio token")
    symbol_stride: float = Field(default=1.25, ge=1, description="positions that a symbol takes: frames per symbol")
    model: dict[str, Any] = Field(default_factory=dict, description="DualARConfig fields")
    start_from: WorkPath | None = Field(
        default=None, description="checkpoint folder or Lightning checkpoint to start from"
    )
    tokens_per_batch: int = Field(default=2000, gt=0)
    dropout: float = Field(default=0.1, ge=0, lt=1)
    corruption: float = Field(default=0.2, ge=0, le=1)
    crop_share: float = Field(default=0.7, ge=0, le=1, description="clips cut to a run of words")
    crop_words: tuple[int, int] = (2, 8)
    spell: float = Field(default=0.03, ge=0, le=1)
    any_voice: float = Field(default=0.1, ge=0, le=1)
    fast_fraction: float = Field(default=0.2, gt=0, le=1)
    guide_layers: tuple[int, ...] = (1, 2)
    guide_weight: float = Field(default=0.3, ge=0)
    guide_width: float = Field(default=1.5, gt=0, description="standard deviation in symbols")
    phone_weight: float = Field(default=0.3, ge=0)
    average_decay: float = Field(default=0.999, ge=0, lt=1)
    listen_with: WorkPath | None = Field(
        default=None, description="codec checkpoint whose phoneme head reads generated speech"
    )
    listen_clips: int = Field(default=8, gt=0)
    listen_every: int = Field(default=1000, gt=0, description="steps; a multiple of validate_every")
    reload_every: int = Field(default=1000, gt=0, description="look for new shards after this many steps")


def voice_lm_config(config: LMTrainingConfig, tokenizer: Any) -> DualARConfig:
    """The model config of a phoneme checkpoint with `tokenizer`."""
    size = config.codebook_sizes[0]
    return DualARConfig(
        **{
            "vocab_size": tokenizer.get_vocab_size(),
            "dim": 256,
            "num_layers": 5,
            "num_heads": 4,
            "num_kv_heads": 4,
            "head_dim": 64,
            "ffn_dim": 640,
            "rope_base": 10_000.0,
            "norm_eps": 1e-6,
            "max_seq_len": 2048,
            "qk_norm": True,
            "codebook_size": size,
            "num_codebooks": len(config.codebook_sizes),
            "semantic_begin_id": tokenizer.token_to_id("<|semantic:0|>"),
            "semantic_end_id": tokenizer.token_to_id(f"<|semantic:{size - 1}|>"),
            "scale_codebook_embeddings": True,
            "norm_fast_input": True,
            "fast_dim": 192,
            "fast_num_layers": 2,
            "fast_num_heads": 3,
            "fast_num_kv_heads": 3,
            "fast_head_dim": 64,
            "fast_ffn_dim": 512,
            "fast_qk_norm": False,
            "im_end_id": tokenizer.token_to_id("<|im_end|>"),
            "pad_id": tokenizer.token_to_id("<|pad|>"),
            "prompt_style": "phonemes",
            "audio_start": config.audio_start,
            "symbol_stride": config.symbol_stride,
            "voices": config.voices,
            "codec_codebooks": config.codec_codebooks,
            "initializer_range": 0.03,
            "dropout": config.dropout,
            **config.model,
        }
    )


def guide_loss(attention: Tensor, batch: LMBatch, width: float) -> tuple[Tensor, Tensor]:
    """How far one head is from looking at the symbol that each frame speaks.

    Args:
        attention: [B, L, L] softmax map.
        batch: where the audio queries are and which symbol each speaks.
        width: standard deviation of the tolerance, in symbols.

    Returns:
        mean of -log(weighted attention mass), and the mean mass (detached).
    """
    frames = batch.symbol_position.shape[1]
    index = torch.arange(frames, device=attention.device)
    spoken = index < batch.num_frames[:, None]
    query = (batch.text_length[:, None] + index).clamp(max=attention.shape[1] - 1)
    rows = attention.gather(1, query[..., None].expand(-1, -1, attention.shape[2]))
    keys = torch.arange(attention.shape[2], device=attention.device)
    weight = torch.exp(-((keys - batch.symbol_position[..., None]) ** 2) / (2 * width**2))
    weight = weight * (keys < batch.text_length[:, None])[:, None]
    mass = (rows * weight).sum(-1)[spoken]
    return -torch.log(mass + 1e-4).mean(), mass.detach().mean()


class LMRecipe(L.LightningModule):
    """Lightning module around a `DualAR`; `averaged` is what ships."""

    def __init__(self, config: LMTrainingConfig) -> None:
        super().__init__()
        self.config = config
        config.output.mkdir(parents=True, exist_ok=True)
        self.tokenizer = write_phoneme_tokenizer(config.output, list(config.voices), config.codebook_sizes[0])
        model_config = voice_lm_config(config, self.tokenizer)
        torch.manual_seed(config.seed)
        self.model = DualAR(model_config)
        self.phone_head = nn.Linear(model_config.dim, 1 + len(PHONES))
        self.batcher = Batcher(self.tokenizer.token_to_id, model_config)
        self.averaged = DualAR(model_config).requires_grad_(False)
        if config.start_from is not None:
            self._start_from(config.start_from)
        self.averaged.load_state_dict(self.model.state_dict())
        # In a tuple, so that the reader is no part of the recipe's state.
        self._readers = (PhoneReader(config.listen_with),) if config.listen_with is not None else ()
        self.step_metrics: dict[str, float] = {}
        self.training_set: list[Utterance] = []
        self.validation_set: list[Utterance] = []
        self._load_data()

    def _start_from(self, path: Path) -> None:
        if path.is_dir():
            from lungfish.checkpoint.lm import load_dual_ar

            self.model.load_state_dict(load_dual_ar(path, device="cpu", dtype="float32").state_dict())
            return
        state = torch.load(path, weights_only=False, map_location="cpu")["state_dict"]
        self.load_state_dict(state)

    def _load_data(self) -> None:
        self.training_set, self.validation_set = load_utterances(self.config.codes, len(self.config.codebook_sizes))
        room = text_room(self.model.config) - 3  # the start, the voice, the end
        self.training_set = [u for u in self.training_set if u.num_symbols <= room]
        first_variants = {u.text: u for u in reversed(self.validation_set)}
        self.validation_set = list(first_variants.values())[:_VALIDATION_CLIPS]

    def configure_optimizers(self) -> Any:
        trained = [*self.model.named_parameters(), *self.phone_head.named_parameters()]
        decayed = [p for _, p in trained if p.dim() > 1]
        plain = [p for _, p in trained if p.dim() <= 1]
        groups = [{"params": decayed, "weight_decay": self.config.weight_decay}, {"params": plain, "weight_decay": 0.0}]
        optimizer = torch.optim.AdamW(groups, lr=self.config.learning_rate, betas=(0.9, 0.95), fused=True)
        return scheduled(optimizer, self.config)

    def train_dataloader(self) -> Any:
        return numbered_loader(self.make_batch, self.trainer)

    def transfer_batch_to_device(self, batch: LMBatch, device: torch.device, dataloader_idx: int) -> LMBatch:
        return batch.to(device)

    def make_batch(self, number: int) -> LMBatch:
        rng = random.Random(f"{self.config.seed}-{number}")
        chosen = draw_batch(
            self.training_set, rng, self.config.tokens_per_batch, self.config.crop_share, self.config.crop_words
        )
        return self.batcher.batch(chosen, rng, spell=self.config.spell, any_voice=self.config.any_voice)

    def training_step(self, batch: LMBatch, batch_idx: int) -> Tensor:
        config = self.config
        if self.global_step and self.global_step % config.reload_every == 0:
            self._load_data()
        parts = self.losses(self.model, batch, config.corruption, config.fast_fraction)
        loss = parts["slow"] + parts["fast"] + config.guide_weight * parts["guide"]
        loss = loss + config.phone_weight * parts["phone"]
        self.step_metrics = {name: value.item() for name, value in parts.items()}
        return loss

    def optimizer_step(self, *arguments: Any, **keywords: Any) -> None:
        """One step, then the moving average: before any callback saves a checkpoint."""
        super().optimizer_step(*arguments, **keywords)
        # A short memory first, so that the average never drags the random start along.
        decay = min(self.config.average_decay, 1 - 10 / (10 + self.trainer.global_step))
        with torch.no_grad():
            torch._foreach_lerp_(list(self.averaged.parameters()), list(self.model.parameters()), 1 - decay)

    def corrupt(self, embedded: Tensor, batch: LMBatch, share: float) -> Tensor:
        """Blank or exchange a share of the audio frames' embeddings [B, L, D]."""
        begin, end = self.batcher.semantic_begin, self.batcher.semantic_begin + self.config.codebook_sizes[0]
        audio = (batch.ids[:, 0] >= begin) & (batch.ids[:, 0] < end)
        hit = audio & (torch.rand(audio.shape, device=embedded.device) < share)
        frames = embedded[audio]
        other = frames[torch.randint(len(frames), (int(hit.sum()),), device=embedded.device)]
        blank = torch.rand(len(other), 1, device=embedded.device) < 0.5
        return embedded.masked_scatter(hit[..., None], torch.where(blank, 0.0, other))

    def losses(self, model: DualAR, batch: LMBatch, corruption: float, fast_fraction: float) -> dict[str, Tensor]:
        """Every loss of a batch, each a scalar; `mass` and `accuracy` are measurements."""
        embedded = model.embed(batch.ids)
        if corruption:
            embedded = self.corrupt(embedded, batch, corruption)
        out = model.forward_train(
            batch.ids,
            batch.labels,
            positions=batch.positions,
            embedded=embedded,
            fast_fraction=fast_fraction,
            map_layers=self.config.guide_layers,
        )
        slow = cross_entropy(out.token_logits, out.token_targets)
        accuracy = (out.token_logits.argmax(-1) == out.token_targets).float().mean()
        rows, times = out.token_index[out.token_targets > 0].unbind(1)  # frames, not ends
        phone_scores = self.phone_head(model.norm(out.hidden[rows, times]))
        phone = cross_entropy(phone_scores, batch.phones[batch.phones != IGNORE])
        # Depth 0 would score the semantic code once more; generation never reads it.
        fast = cross_entropy(out.codebook_logits[:, 1:].flatten(0, 1), out.codebook_targets[:, 1:].flatten())
        guides = [guide_loss(attention, batch, self.config.guide_width) for attention in out.maps]
        guide = torch.stack([loss for loss, _ in guides]).mean() if guides else slow.new_zeros(())
        mass = torch.stack([mass for _, mass in guides]).mean() if guides else slow.new_zeros(())
        return {"slow": slow, "fast": fast, "guide": guide, "phone": phone, "mass": mass, "accuracy": accuracy}

    def validate(self) -> dict[str, float]:
        """Losses of the averaged model on held-out clips, and how much worse the slow loss is with the wrong text."""
        averaged, rng = self.averaged.eval(), random.Random(0)
        rows: list[dict[str, float]] = []
        ordered = sorted(self.validation_set, key=lambda u: u.num_frames)
        size = max(2, -(-len(ordered) // _VALIDATION_BATCHES))
        for first in range(0, len(ordered) - 1, size):
            utterances = ordered[first : first + size]
            batch = self.batcher.batch(utterances, rng).to(self.device)
            true = self.losses(averaged, batch, 0.0, 1.0)
            swapped = [*utterances[1:], utterances[0]]
            wrong_batch = self.batcher.batch(utterances, rng, texts=swapped).to(self.device)
            wrong = self.losses(averaged, wrong_batch, 0.0, 0.1)
            row = {name: value.item() for name, value in true.items()}
            rows.append({**row, "text_dependence": wrong["slow"].item() - row["slow"]})
        metrics = {name: float(np.mean([row[name] for row in rows])) for name in rows[0]} if rows else {}
        for reader in self._readers if self.global_step % self.config.listen_every == 0 else ():
            tokenizer, clips = Tokenizer.load(self.config.output), self.validation_set[: self.config.listen_clips]
            metrics |= phone_error_rate(averaged, tokenizer, reader, clips, LISTENING)
        return metrics
