"""The two codecs behind one training interface: latents to quantized with gradients, quantized to waveform.

    SpectralTraining   books follow moving averages; the decoder is trained on short crops of whole clips
    DacTraining        books are trained by gradient (commitment and codebook losses); weight norm and gradient
                       checkpointing come off before anything ships; the decoder sees whole clips, since its attention
                       looks further back than a crop reaches

What is learnt beside the codec itself (averages, usage counts) is state of these modules, saved with a checkpoint, never
shipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from lungfish.codec.config import MODIFIED_DAC, CodecConfig
from lungfish.codec.dac import ModifiedDAC
from lungfish.codec.spectral import SpectralCodec, SpectralCodecConfig
from lungfish.training.codebook import CodebookAverages, quantize_for_training
from lungfish.training.dac_quantizer import CodebookUsage, quantize_dac_for_training
from lungfish.training.dac_setup import plain_state_dict, prepare_for_training


@dataclass(frozen=True)
class Quantization:
    """Attributes:
    quantized: [B, D, T].
    semantic: [B, T, D], output of book 0 alone.
    commitment: scalar, how far the encoder is from its rows.
    codebook: scalar, how far the rows are from the encoder; None where rows follow averages.
    """

    quantized: Tensor
    semantic: Tensor
    commitment: Tensor
    codebook: Tensor | None


class TrainableCodec(Protocol):
    """What `training/codec.py` needs of a codec.

    Plain classes: a recipe registers `codec` and `books` under names of its own.

    Attributes:
        codec: the module in training.
        books: what is learnt beside it, one module with a `perplexity()` per book.
        optimizer: of the codec; a row that is moved by hand loses its moments there. None: there is none yet.
    """

    codec: Any
    books: nn.ModuleList
    optimizer: torch.optim.Optimizer | None

    @property
    def latent_dim(self) -> int: ...

    @property
    def crops_decoder(self) -> bool:
        """Whether the decoder may be trained on crops of a clip."""
        ...

    def quantize(self, waveform: Tensor, valid: Tensor, books_used: Tensor, update: bool) -> Quantization:
        """waveform [B, 1, S], valid [B, T], books_used [B] -> what the books make of it; `update`: move or count them."""
        ...

    def decode(self, quantized: Tensor) -> Tensor:
        """[B, D, T] -> waveform [B, 1, S], with gradients."""
        ...

    def semantic(self, codes: Tensor) -> Tensor:
        """Semantic codes [B, T] -> output of book 0 [B, T, D]."""
        ...

    def plain(self) -> dict[str, Tensor]:
        """State dict of the codec as it ships."""
        ...


class SpectralTraining:
    """See `TrainableCodec`. `books`: the moving averages."""

    crops_decoder = True

    def __init__(self, config: SpectralCodecConfig, decay: float) -> None:
        self.codec = SpectralCodec(config)
        self.books = nn.ModuleList(CodebookAverages(book, decay) for book in self.codec.books)  # type: ignore[arg-type]
        self.optimizer: torch.optim.Optimizer | None = None

    @property
    def latent_dim(self) -> int:
        return self.codec.config.dim

    def quantize(self, waveform: Tensor, valid: Tensor, books_used: Tensor, update: bool) -> Quantization:
        latents = self.codec.encoder(waveform)
        quantized, semantic, commitment = quantize_for_training(
            self.codec.books, self.books, latents, valid, books_used, update=update
        )
        return Quantization(quantized, semantic, commitment, None)

    def decode(self, quantized: Tensor) -> Tensor:
        return self.codec.decoder(quantized)

    def semantic(self, codes: Tensor) -> Tensor:
        return self.codec.books[0].decode(codes)  # type: ignore[operator]

    def plain(self) -> dict[str, Tensor]:
        return self.codec.state_dict()


class DacTraining:
    """See `TrainableCodec`. `books`: usage counts, which revive dead rows."""

    crops_decoder = False

    def __init__(self, config: CodecConfig, weight_norm: bool, checkpointing: bool, seed: int) -> None:
        self.codec = ModifiedDAC(config)
        prepare_for_training(self.codec, weight_norm=weight_norm, checkpointing=checkpointing, seed=seed)
        self.books = nn.ModuleList(CodebookUsage(size) for size in self.codec.codebook_sizes)
        self.optimizer: torch.optim.Optimizer | None = None

    @property
    def latent_dim(self) -> int:
        return self.codec.config.latent_dim

    def quantize(self, waveform: Tensor, valid: Tensor, books_used: Tensor, update: bool) -> Quantization:
        latents = self.codec.latents(waveform)
        made = quantize_dac_for_training(
            self.codec.quantizer,
            latents,
            valid,
            books_used,
            usage=list(self.books) if update else None,  # type: ignore[arg-type]
            optimizer=self.optimizer,
        )
        return Quantization(made.quantized, made.semantic.transpose(1, 2), made.commitment, made.codebook)

    def decode(self, quantized: Tensor) -> Tensor:
        return self.codec.synthesise(quantized)

    def semantic(self, codes: Tensor) -> Tensor:
        return self.codec.quantizer.semantic_quantizer.value(codes[:, None]).transpose(1, 2)

    def plain(self) -> dict[str, Tensor]:
        return plain_state_dict(self.codec)


def trainable_codec(
    model: dict[str, Any], *, codebook_decay: float, weight_norm: bool, checkpointing: bool, seed: int
) -> SpectralTraining | DacTraining:
    """The codec that a training config's `model` block describes, ready to be trained.

    Raises:
        ConfigError: fields that no codec can be built from.
    """
    torch.manual_seed(seed)
    if model.get("type") == MODIFIED_DAC:
        return DacTraining(CodecConfig.from_dict(model), weight_norm, checkpointing, seed)
    return SpectralTraining(SpectralCodecConfig.from_dict(model), codebook_decay)
