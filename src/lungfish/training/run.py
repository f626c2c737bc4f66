"""What every training run shares: where it writes, how it resumes, what it prints.

A run is a folder: `config.yaml` (as run), `metrics.jsonl` (one row per logged step), `checkpoints/last.ckpt` and plots.
Batch number i and the randomness of step i depend on the seed and i alone, so a run that was stopped and resumed ends in
the same weights as one that was not. Optimiser steps are Lightning's; nothing here knows a model.
"""

from __future__ import annotations

import json
import logging
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import lightning as L
import torch
import yaml
from lightning.pytorch.callbacks import ModelCheckpoint
from pydantic import AfterValidator, Field
from torch.utils.data import DataLoader, IterableDataset

from lungfish.config.env import cache_dir
from lungfish.config.loader import StrictModel
from lungfish.errors import TrainingError
from lungfish.training.plots import plot_metrics

METRICS_NAME = "metrics.jsonl"


def _in_cache(path: Path) -> Path:
    text = str(path)
    return cache_dir() / text.removeprefix("cache:") if text.startswith("cache:") else path


WorkPath = Annotated[Path, AfterValidator(_in_cache)]
"""A path in a training config; `cache:voice/pack` lies in the cache folder, outside any checkout."""


class RunConfig(StrictModel):
    """The keys that every training config has."""

    output: WorkPath = Field(description="folder of the run")
    seed: int = 0
    max_steps: int = Field(gt=0)
    learning_rate: float = Field(gt=0)
    schedule: Literal["cosine", "hold"] = Field(default="cosine", description="hold: constant after the warm-up")
    final_learning_rate: float = Field(default=0.05, ge=0, le=1, description="share of learning_rate left at the end")
    warmup_steps: int = Field(default=100, ge=0)
    weight_decay: float = Field(default=0.01, ge=0)
    gradient_clip: float = Field(default=1.0, gt=0)
    log_every: int = Field(default=50, gt=0)
    validate_every: int = Field(default=500, gt=0)
    save_every: int = Field(default=250, gt=0)
    threads: int = Field(default=1, ge=0, description="torch threads; 0 leaves torch's choice")
    devices: int = Field(default=1, gt=0, description="GPUs, or processes on a CPU; each takes batches of its own")
    accelerator: Literal["auto", "cpu", "cuda", "mps", "xpu"] = "auto"
    max_minutes: float | None = Field(default=None, gt=0, description="stop and save after this much wall time")


class NumberedBatches(IterableDataset):
    """Batches made on demand from their number; iteration starts at `start()` (the optimiser step after a resume)."""

    def __init__(self, make: Callable[[int], Any], start: Callable[[], int]) -> None:
        self._make, self._start = make, start

    def __iter__(self) -> Iterator[Any]:
        number = self._start()
        while True:
            yield self._make(number)
            number += 1


def numbered_loader(make: Callable[[int], Any], trainer: L.Trainer) -> DataLoader:
    """Batches for this process: with n processes, optimiser step s uses batches n s to n s + n - 1."""
    count, rank = trainer.world_size, trainer.global_rank
    batches = NumberedBatches(lambda step: make(step * count + rank), lambda: trainer.global_step)
    return DataLoader(batches, batch_size=None, num_workers=0)


class RunLog(L.Callback):
    """Averages what the module puts into `module.step_metrics`, prints a line with ETA, appends to metrics.jsonl.

    Validation is the module's `validate() -> dict`, called every `validate_every` steps and at the end.
    """

    def __init__(self, config: RunConfig) -> None:
        self._config = config
        self._sums: dict[str, float] = {}
        self._counts: dict[str, int] = {}
        self._begin = self._begin_cpu = 0.0
        self._first_step = 0

    def on_train_start(self, trainer: L.Trainer, pl_module: L.LightningModule) -> None:
        self._begin, self._begin_cpu, self._first_step = time.monotonic(), time.process_time(), trainer.global_step

    def on_train_batch_start(self, trainer: L.Trainer, pl_module: Any, batch: Any, batch_idx: int) -> None:
        # Dropout, crops and corruption of a step depend on its number alone: a resumed run repeats them.
        torch.manual_seed(
            self._config.seed * 1_000_003 + trainer.global_step * trainer.world_size + trainer.global_rank
        )

    def on_train_batch_end(self, trainer: L.Trainer, pl_module: Any, outputs: Any, batch: Any, batch_idx: int) -> None:
        for key, value in pl_module.step_metrics.items():
            self._sums[key] = self._sums.get(key, 0.0) + float(value)
            self._counts[key] = self._counts.get(key, 0) + 1
        step, config = trainer.global_step, self._config
        if step % config.log_every == 0:
            self._write(trainer, "train", {key: value / self._counts[key] for key, value in self._sums.items()})
            self._sums, self._counts = {}, {}
        if step % config.validate_every == 0:
            self._validate(trainer, pl_module)
        if config.max_minutes is not None and time.monotonic() - self._begin > 60 * config.max_minutes:
            trainer.should_stop = True

    def on_train_end(self, trainer: L.Trainer, pl_module: Any) -> None:
        if trainer.global_step % self._config.validate_every:
            self._validate(trainer, pl_module)

    def _validate(self, trainer: L.Trainer, pl_module: Any) -> None:
        if not trainer.is_global_zero:
            return
        pl_module.eval()
        with torch.no_grad():
            metrics = pl_module.validate()
        pl_module.train()
        self._write(trainer, "validation", metrics)
        plot_metrics(self._config.output)

    def _write(self, trainer: L.Trainer, kind: str, metrics: dict[str, float]) -> None:
        if not trainer.is_global_zero:
            return
        step, elapsed = trainer.global_step, time.monotonic() - self._begin
        done = max(1, step - self._first_step)
        row = {
            "kind": kind,
            "step": step,
            "seconds": round(elapsed, 1),
            "cpu_seconds": round(time.process_time() - self._begin_cpu, 1),
            **{key: round(float(value), 5) for key, value in metrics.items()},
        }
        with (self._config.output / METRICS_NAME).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        eta = elapsed / done * (self._config.max_steps - step)
        numbers = "  ".join(f"{key} {value:.4g}" for key, value in metrics.items())
        print(f"{kind:10s} {step:6d}/{self._config.max_steps}  eta {eta / 60:5.1f} min  {numbers}", flush=True)


def learning_rate_at(step: int, config: RunConfig) -> float:
    """Share of the peak: linear warm-up, then constant, or half a cosine down to `final_learning_rate`."""
    if step < config.warmup_steps:
        return (step + 1) / config.warmup_steps
    if config.schedule == "hold":
        return 1.0
    progress = min(1.0, (step - config.warmup_steps) / max(1, config.max_steps - config.warmup_steps))
    cosine = 0.5 * (1 + torch.cos(torch.tensor(torch.pi * progress)).item())
    return config.final_learning_rate + (1 - config.final_learning_rate) * cosine


def scheduled(optimizer: torch.optim.Optimizer, config: RunConfig) -> Any:
    """What `configure_optimizers` returns for `learning_rate_at`, stepped every batch."""
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: learning_rate_at(step, config))
    return {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler, "interval": "step"}}


def fit(module: L.LightningModule, config: RunConfig, resume: bool = True) -> None:
    """Train `module` to `config.max_steps`, from `checkpoints/last.ckpt` when there is one and `resume` is set.

    Raises:
        TrainingError: the output folder cannot be made, or the checkpoint belongs to another model.
    """
    if config.threads:
        torch.set_num_threads(config.threads)
    folder = config.output / "checkpoints"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (config.output / "config.yaml").write_text(yaml.safe_dump(json.loads(config.model_dump_json())))
    except OSError as error:
        raise TrainingError(f"cannot write to {config.output}: {error.strerror}; choose another `output`") from error
    last = folder / "last.ckpt"
    saver = ModelCheckpoint(
        folder,
        filename="last",
        every_n_train_steps=config.save_every,
        save_top_k=1,
        enable_version_counter=False,
        save_on_train_epoch_end=False,
    )
    L.seed_everything(config.seed, verbose=False)
    logging.getLogger("lightning.pytorch").setLevel(logging.WARNING)
    single = module.automatic_optimization
    trainer = L.Trainer(
        max_steps=config.max_steps,
        accelerator="gpu" if config.accelerator == "cuda" else config.accelerator,
        devices=config.devices,
        # A module with several optimizers clips by itself, and each of its losses leaves some weights out.
        strategy="auto" if config.devices == 1 else "ddp" if single else "ddp_find_unused_parameters_true",
        use_distributed_sampler=False,
        gradient_clip_val=config.gradient_clip if single else None,
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        callbacks=[RunLog(config), saver],
        num_sanity_val_steps=0,
        default_root_dir=config.output,
    )
    path = last if resume and last.is_file() else None
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=r"Checkpoint directory .* exists and is not empty")
            warnings.filterwarnings("ignore", message=r".*isinstance\(treespec, LeafSpec\)")
            warnings.filterwarnings("ignore", message=r".*does not have many workers")
            # With manual optimization Lightning saves the state after a step, which is what a resumed run needs.
            warnings.filterwarnings("ignore", message="Using ModelCheckpoint with manual optimization")
            trainer.fit(module, ckpt_path=str(path) if path else None, weights_only=False if path else None)
    except RuntimeError as error:
        if "Error(s) in loading state_dict" not in str(error):
            raise
        first = str(error).splitlines()[0]
        raise TrainingError(f"{last} does not fit this config ({first}); choose another `output`") from error
    trainer.save_checkpoint(last)
