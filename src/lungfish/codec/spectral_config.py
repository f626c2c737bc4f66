"""Config of the spectral codec (`"type": "spectral"` in codec.json)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from lungfish.errors import ConfigError


@dataclass(frozen=True)
class SpectralCodecConfig:
    """Geometry of a codec that hears log-mels and speaks through an inverse STFT.

    One code frame is four STFT hops: frame_length = 4 * hop samples.
    """

    sample_rate: int = 22_050
    n_fft: int = 1024
    hop: int = 256
    num_mels: int = 80
    dim: int = 256
    ffn_dim: int = 512
    code_ffn_dim: int = 1024
    encoder_blocks: int = 2
    encoder_code_blocks: int = 2
    decoder_code_blocks: int = 2
    decoder_blocks: int = 5
    codebook_dim: int = 8
    codebook_sizes: tuple[int, ...] = (1024, 1024, 1024, 1024)

    def __post_init__(self) -> None:
        if self.n_fft % self.hop or self.n_fft // self.hop != 4:
            raise ConfigError(f"spectral codec: n_fft must be 4 * hop, got {self.n_fft} and {self.hop}")
        if not self.codebook_sizes:
            raise ConfigError("spectral codec: codebook_sizes must name at least one codebook")

    @property
    def frame_length(self) -> int:
        return 4 * self.hop

    @classmethod
    def from_dict(cls, raw: dict[str, Any]) -> SpectralCodecConfig:
        """Raises ConfigError for keys that do not exist."""
        values = {key: value for key, value in raw.items() if key != "type"}
        unknown = sorted(set(values) - {field.name for field in fields(cls)})
        if unknown:
            raise ConfigError(f"spectral codec: unknown keys {', '.join(unknown)}")
        if "codebook_sizes" in values:
            values["codebook_sizes"] = tuple(values["codebook_sizes"])
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        return {"type": "spectral", **asdict(self), "codebook_sizes": list(self.codebook_sizes)}
