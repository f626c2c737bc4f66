"""Keys of a codec training config; `configs/codec_full.yaml` and `configs/voice_codec.yaml` explain them by example."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from lungfish.training.discriminators import DiscriminatorConfig
from lungfish.training.run import RunConfig, WorkPath


class CodecTrainingConfig(RunConfig):
    """What `lungfish train codec` reads."""

    pack: WorkPath = Field(description="folder of packed audio")
    more_packs: tuple[WorkPath, ...] = Field(default=(), description="further packs; clips without text are welcome")
    more_share: float = Field(default=0.5, ge=0, le=1, description="share of batches out of `more_packs`")
    model: dict[str, Any] = Field(
        default_factory=dict, description="SpectralCodecConfig fields; with type: modified_dac, CodecConfig fields"
    )
    train: Literal["all", "decoder"] = Field(default="all", description="decoder: encoder and books stay as they are")
    start_from: WorkPath | None = Field(default=None, description="checkpoint of an earlier run, or a codec's folder")
    weight_norm: bool = Field(default=True, description="of a modified DAC's convolutions")
    checkpointing: bool = Field(default=False, description="recompute a modified DAC's activations, to save memory")

    clips_per_batch: int = Field(default=4, gt=0)
    clip_frames: int | None = Field(default=None, gt=1, description="longest stretch of a clip; none: whole clips")
    crop_frames: int = Field(default=26, gt=1, description="of each clip, through a spectral codec's decoder")
    gain_db: tuple[float, float] = (-4.0, 2.0)
    turn_phase: bool = Field(default=False, description="shift all frequencies of a clip by one random angle")

    quantizer_dropout: float = Field(default=0.3, ge=0, le=1, description="share of clips that use fewer books")
    dropout_books: tuple[int, ...] = Field(default=(), description="numbers of books to draw from; empty: any")
    commitment_weight: float = Field(default=0.5, ge=0)
    codebook_weight: float = Field(default=1.0, ge=0, description="for books that are trained by gradient")
    codebook_decay: float = Field(default=0.985, gt=0, lt=1, description="for books that follow averages")

    reconstruction: Literal["spectral", "mel"] = Field(default="spectral", description="mel: multi-scale, Descript's")
    reconstruction_weight: float = Field(default=1.0, gt=0)
    phone_weight: float = Field(default=0.3, ge=0, description="CTC on book 0, of clips with a transcript")
    features: WorkPath | None = Field(default=None, description="feature pack that teaches book 0")
    distillation_weight: float = Field(default=0.5, ge=0)

    adversaries: DiscriminatorConfig | None = Field(default=None, description="discriminators; none: no adversaries")
    adversarial_weight: float = Field(default=1.0, ge=0)
    feature_weight: float = Field(default=2.0, ge=0, description="matching of the discriminators' feature maps")
    adversarial_from: int = Field(default=0, ge=0, description="step at which they begin, to learn and to teach")
    adversary_learning_rate: float | None = Field(default=None, gt=0, description="none: learning_rate")

    average_decay: float = Field(default=0.0, ge=0, lt=1, description="of the weights that ship; 0: the last step's")
