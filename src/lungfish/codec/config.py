"""Geometry of the modified DAC. Defaults are the released 44.1 kHz codec.

Invariant: a `CodecConfig` that exists is consistent; every mistake is a ConfigError at construction. The spectral codec
has its own config (codec/spectral_config.py). Source: spec/codec.md 1.1; "modified" = Descript DAC made causal, with
windowed transformers and a semantic book.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lungfish.errors import ConfigError

MODIFIED_DAC = "modified_dac"


def _positive(config: object, *names: str) -> None:
    for name in names:
        if getattr(config, name) < 1:
            raise ConfigError(f"codec: {name} must be at least 1, got {getattr(config, name)}")


def _check_keys(raw: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    unknown = sorted(set(raw) - set(known))
    if unknown:
        raise ConfigError(f"codec config: {where} has unknown keys {', '.join(unknown)}")


def _value(raw: Mapping[str, Any], key: str, where: str) -> Any:
    if key not in raw:
        raise ConfigError(f"codec config: {where} lacks {key}")
    return raw[key]


def _section(raw: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    value = _value(raw, key, where)
    if not isinstance(value, Mapping):
        raise ConfigError(f"codec config: {where}.{key} must be a section of its own, got {value!r}")
    return value


def _integer(raw: Mapping[str, Any], key: str, where: str) -> int:
    value = _value(raw, key, where)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError(f"codec config: {where}.{key} must be a whole number, got {value!r}")
    return value


def _integers(raw: Mapping[str, Any], key: str, where: str) -> tuple[int, ...]:
    value = _value(raw, key, where)
    if not isinstance(value, list) or any(isinstance(item, bool) or not isinstance(item, int) for item in value):
        raise ConfigError(f"codec config: {where}.{key} must be a list of whole numbers, got {value!r}")
    return tuple(value)


def _real(raw: Mapping[str, Any], key: str, where: str) -> float:
    value = _value(raw, key, where)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConfigError(f"codec config: {where}.{key} must be a number, got {value!r}")
    return float(value)


@dataclass(frozen=True)
class TransformerConfig:
    """One window-limited transformer. Spec: spec/codec.md 3.6.

    Attributes:
        dim: width of input and output.
        window: keys that a query sees: itself and the window - 1 before it.
    """

    num_layers: int
    dim: int
    num_heads: int
    head_dim: int
    ffn_dim: int
    window: int
    rope_base: float = 10_000.0
    norm_eps: float = 1e-5

    def __post_init__(self) -> None:
        _positive(self, "num_layers", "dim", "num_heads", "head_dim", "ffn_dim", "window")
        if self.head_dim % 2:
            raise ConfigError(f"codec transformer: head_dim must be even, got {self.head_dim}")
        if not self.rope_base > 0 or not self.norm_eps > 0:
            raise ConfigError("codec transformer: rope_base and norm_eps must be above 0")

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any], where: str) -> TransformerConfig:
        """`raw` uses the names of the config file (n_layer, n_head, intermediate_size ...)."""
        names = ("n_layer", "dim", "n_head", "head_dim", "intermediate_size", "window")
        _check_keys(raw, (*names, "rope_base", "norm_eps"), where)
        integers = [_integer(raw, name, where) for name in names]
        return cls(*integers, rope_base=_real(raw, "rope_base", where), norm_eps=_real(raw, "norm_eps", where))

    def to_dict(self) -> dict[str, Any]:
        return {
            "n_layer": self.num_layers,
            "dim": self.dim,
            "n_head": self.num_heads,
            "head_dim": self.head_dim,
            "intermediate_size": self.ffn_dim,
            "window": self.window,
            "rope_base": self.rope_base,
            "norm_eps": self.norm_eps,
        }


@dataclass(frozen=True)
class CodecConfig:
    """The whole modified DAC.

    Attributes:
        sample_rate: Hz.
        encoder_dim: channels after the first convolution; each encoder stage doubles them.
        encoder_strides: one per encoder stage.
        latent_dim: width D of everything between encoder and decoder.
        encoder_transformer_stage: index (from 0) of the encoder stage that ends in a transformer.
        downsample_factors: further strides between encoder and quantizer.
        codebook_dim: width of the lookup space.
        semantic_codebook_size: entries of book 0.
        residual_codebook_size: entries of each of the `num_residual_codebooks` others.
        quantizer_transformer: shape of both the pre and the post transformer (two instances).
        decoder_dim: channels after the first decoder convolution; each stage halves them.
    """

    sample_rate: int = 44_100
    encoder_dim: int = 64
    encoder_strides: tuple[int, ...] = (2, 4, 8, 8)
    latent_dim: int = 1024
    encoder_transformer_stage: int = 3
    encoder_transformer: TransformerConfig = TransformerConfig(4, 1024, 16, 64, 3072, window=512)
    downsample_factors: tuple[int, ...] = (2, 2)
    codebook_dim: int = 8
    semantic_codebook_size: int = 4096
    num_residual_codebooks: int = 9
    residual_codebook_size: int = 1024
    quantizer_transformer: TransformerConfig = TransformerConfig(8, 1024, 16, 64, 3072, window=128)
    decoder_dim: int = 1536
    decoder_strides: tuple[int, ...] = (8, 8, 4, 2)

    def __post_init__(self) -> None:
        _positive(self, "sample_rate", "encoder_dim", "latent_dim", "codebook_dim", "decoder_dim")
        _positive(self, "semantic_codebook_size", "num_residual_codebooks", "residual_codebook_size")
        for name in ("encoder_strides", "downsample_factors", "decoder_strides"):
            values = getattr(self, name)
            if not values or min(values) < 1:
                raise ConfigError(f"codec: {name} must be whole numbers of at least 1, got {list(values)}")
        if math.prod(self.encoder_strides) != math.prod(self.decoder_strides):
            raise ConfigError("codec: encoder and decoder strides must have the same product")
        if self.decoder_dim % 2 ** len(self.decoder_strides):
            raise ConfigError(f"codec: decoder channels {self.decoder_dim} cannot be halved at every decoder stage")
        stage = self.encoder_transformer_stage
        if not 0 <= stage < len(self.encoder_strides):
            raise ConfigError(f"codec: the encoder has no stage {stage} to put its transformer after")
        width = self.encoder_dim * 2 ** (stage + 1)
        if self.encoder_transformer.dim != width:
            raise ConfigError(f"codec: the encoder's transformer must be {width} wide, as its stage is")
        if self.quantizer_transformer.dim != self.latent_dim:
            raise ConfigError(f"codec: the quantizer's transformers must be {self.latent_dim} wide, as the latents are")

    @property
    def encoder_hop(self) -> int:
        """Samples per encoder latent (512 in the released codec)."""
        return math.prod(self.encoder_strides)

    @property
    def hop_length(self) -> int:
        """Samples per code frame (2048 in the released codec)."""
        return self.encoder_hop * math.prod(self.downsample_factors)

    @property
    def codebook_sizes(self) -> list[int]:
        return [self.semantic_codebook_size] + [self.residual_codebook_size] * self.num_residual_codebooks

    @classmethod
    def s2(cls) -> CodecConfig:
        """The released full-size codec: 44.1 kHz, 10 books, 21.53 frames a second."""
        return cls()

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> CodecConfig:
        """Read the JSON form (sections encoder, quantizer, decoder).

        Every geometry key must be there and no section may hold an unknown one, so that a misspelling is found; further
        keys beside the sections (seed, licence ...) are notes and are ignored.

        Raises:
            ConfigError: a key missing, unknown, of the wrong type, or inconsistent.
        """
        if raw.get("type", MODIFIED_DAC) != MODIFIED_DAC:
            raise ConfigError(f'codec config: type must be "{MODIFIED_DAC}", got {raw["type"]!r}')
        encoder, quantizer, decoder = (_section(raw, name, "codec") for name in ("encoder", "quantizer", "decoder"))
        _check_keys(encoder, ("base_channels", "strides", "latent_dim", "transformer"), "encoder")
        books = ("semantic_codebook_size", "n_residual_codebooks", "residual_codebook_size")
        _check_keys(quantizer, ("dim", "downsample_factors", "codebook_dim", *books, "transformer"), "quantizer")
        _check_keys(decoder, ("channels", "strides"), "decoder")
        transformer = dict(_section(encoder, "transformer", "encoder"))
        stage = _integer(transformer, "after_stage", "encoder.transformer")
        del transformer["after_stage"]
        config = cls(
            sample_rate=_integer(raw, "sample_rate", "codec"),
            encoder_dim=_integer(encoder, "base_channels", "encoder"),
            encoder_strides=_integers(encoder, "strides", "encoder"),
            latent_dim=_integer(encoder, "latent_dim", "encoder"),
            encoder_transformer_stage=stage,
            encoder_transformer=TransformerConfig.from_dict(transformer, "encoder.transformer"),
            downsample_factors=_integers(quantizer, "downsample_factors", "quantizer"),
            codebook_dim=_integer(quantizer, "codebook_dim", "quantizer"),
            semantic_codebook_size=_integer(quantizer, "semantic_codebook_size", "quantizer"),
            num_residual_codebooks=_integer(quantizer, "n_residual_codebooks", "quantizer"),
            residual_codebook_size=_integer(quantizer, "residual_codebook_size", "quantizer"),
            quantizer_transformer=TransformerConfig.from_dict(
                _section(quantizer, "transformer", "quantizer"), "quantizer.transformer"
            ),
            decoder_dim=_integer(decoder, "channels", "decoder"),
            decoder_strides=_integers(decoder, "strides", "decoder"),
        )
        derived = {"hop_length": config.encoder_hop, "frame_length": config.hop_length}
        if _integer(quantizer, "dim", "quantizer") != config.latent_dim:
            raise ConfigError("codec config: quantizer.dim must equal encoder.latent_dim")
        for name, value in derived.items():
            if name in raw and raw[name] != value:
                raise ConfigError(f"codec config: {name} is {raw[name]!r}, but the strides multiply to {value}")
        return config

    def to_dict(self) -> dict[str, Any]:
        """The JSON form that `from_dict` reads."""
        return {
            "type": MODIFIED_DAC,
            "sample_rate": self.sample_rate,
            "hop_length": self.encoder_hop,
            "frame_length": self.hop_length,
            "encoder": {
                "base_channels": self.encoder_dim,
                "strides": list(self.encoder_strides),
                "latent_dim": self.latent_dim,
                "transformer": {
                    "after_stage": self.encoder_transformer_stage,
                    **self.encoder_transformer.to_dict(),
                },
            },
            "quantizer": {
                "dim": self.latent_dim,
                "downsample_factors": list(self.downsample_factors),
                "codebook_dim": self.codebook_dim,
                "semantic_codebook_size": self.semantic_codebook_size,
                "n_residual_codebooks": self.num_residual_codebooks,
                "residual_codebook_size": self.residual_codebook_size,
                "transformer": self.quantizer_transformer.to_dict(),
            },
            "decoder": {"channels": self.decoder_dim, "strides": list(self.decoder_strides)},
        }
