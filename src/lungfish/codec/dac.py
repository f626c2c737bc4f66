"""The modified DAC: encode and decode of whole utterances.

Strictly causal both ways: code frame t depends on samples before (t + 1) * hop_length only, and those samples of the
output on code frames up to t only. Source: spec/codec.md 0, 1.3, 3.8, 3.9.

On purpose unlike the reference: integer length arithmetic, one code length per clip, no work done in `encode` that is
thrown away, codes out of range are refused unless the caller asks for clamping, the caller's tensors are never written.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lungfish.codec.config import CodecConfig
from lungfish.codec.dac_decoder import DacDecoder
from lungfish.codec.dac_encoder import DacEncoder
from lungfish.codec.quantizer import DacQuantizer
from lungfish.errors import AudioError, CodesError


class ModifiedDAC(nn.Module):
    """A `Codec` (codec/protocol.py). Parameters carry the released names, weight norm folded into plain `weight`."""

    def __init__(self, config: CodecConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = DacEncoder(config)
        self.quantizer = DacQuantizer(config)
        self.decoder = DacDecoder(config)

    @property
    def sample_rate(self) -> int:
        return self.config.sample_rate

    @property
    def hop_length(self) -> int:
        """Samples per code frame."""
        return self.config.hop_length

    @property
    def frame_rate(self) -> float:
        return self.sample_rate / self.hop_length

    @property
    def num_codebooks(self) -> int:
        return len(self.config.codebook_sizes)

    @property
    def codebook_sizes(self) -> list[int]:
        return self.config.codebook_sizes

    @property
    def dtype(self) -> torch.dtype:
        return self.decoder.model[-1].conv.weight.dtype  # type: ignore[union-attr, return-value]

    def latents(self, waveform: Tensor) -> Tensor:
        """waveform [B, 1, S], padded here with zeros to whole frames -> latents [B, D, ceil(S / hop_length)]."""
        padded = nn.functional.pad(waveform, (0, -waveform.shape[-1] % self.hop_length))
        return self.quantizer.latents(self.encoder(padded))

    def synthesise(self, quantized: Tensor) -> Tensor:
        """quantized [B, D, T] -> waveform [B, 1, T * hop_length]."""
        return self.decoder(self.quantizer.decoder_latents(quantized))

    @torch.no_grad()
    def encode(
        self, waveform: Tensor, lengths: Tensor | None = None, n_quantizers: int | None = None
    ) -> tuple[Tensor, Tensor]:
        """Codes of a batch of clips.

        Args:
            waveform: [B, 1, S] float at `sample_rate`, shorter clips padded on the right with zeros.
            lengths: [B] samples of each clip; S for all when absent.
            n_quantizers: residual books to use, 1 up to all of them; the codes then have 1 + n_quantizers rows.

        Returns:
            codes [B, K, ceil(S / hop_length)] int64, code_lengths [B] int64.

        Raises:
            AudioError: waveform or lengths that do not fit.
            CodesError: n_quantizers out of range.
        """
        if waveform.dim() != 3 or waveform.shape[1] != 1 or waveform.shape[-1] == 0:
            raise AudioError(f"codec input must be [batch, 1, samples > 0], got {list(waveform.shape)}")
        samples, books = waveform.shape[-1], self.config.num_residual_codebooks
        if n_quantizers is not None and not 1 <= n_quantizers <= books:
            raise CodesError(f"n_quantizers must be 1..{books} residual books, got {n_quantizers}")
        if lengths is None:
            lengths = torch.full((waveform.shape[0],), samples, device=waveform.device)
        elif lengths.shape != waveform.shape[:1] or lengths.is_floating_point():
            raise AudioError(f"lengths must be {waveform.shape[0]} whole numbers, got {list(lengths.shape)}")
        elif bool(((lengths < 0) | (lengths > samples)).any()):
            raise AudioError(f"lengths must lie in 0..{samples} samples")
        latents = self.latents(waveform.to(self.dtype))
        return self.quantizer.quantize(latents, n_quantizers).codes, code_lengths(lengths, self.hop_length)

    @torch.no_grad()
    def decode(self, codes: Tensor, clamp: bool = False) -> Tensor:
        """Waveform of a batch of code frames.

        Args:
            codes: [B, K', T] integers, 1 <= K' <= K; never modified.
            clamp: bring codes beyond a book's size down to its last entry, as the reference does, instead of refusing.

        Returns:
            [B, 1, T * hop_length] float32 in -1..1.

        Raises:
            CodesError: wrong shape or type, no frames, or a code out of range (negative ones even with `clamp`).
        """
        return self.synthesise(self.quantizer.dequantize(self._checked(codes, clamp))).float()

    def _checked(self, codes: Tensor, clamp: bool) -> Tensor:
        """int64 codes in range; a copy where anything had to change."""
        if codes.dim() != 3 or not 1 <= codes.shape[1] <= self.num_codebooks or 0 in codes.shape:
            raise CodesError(f"codes must be [batch, 1..{self.num_codebooks}, frames > 0], got {list(codes.shape)}")
        if codes.is_floating_point() or codes.is_complex() or codes.dtype is torch.bool:
            raise CodesError(f"codes must be whole numbers, got {codes.dtype}")
        codes = codes.long()
        last = torch.tensor(self.codebook_sizes[: codes.shape[1]], device=codes.device)[None, :, None] - 1
        if bool((codes < 0).any()):
            raise CodesError("codes must not be negative")
        if clamp:
            return torch.minimum(codes, last)
        beyond = (codes > last).any(dim=2).any(dim=0)
        if bool(beyond.any()):
            row = int(beyond.nonzero()[0])
            raise CodesError(
                f"codes of book {row} reach {int(codes[:, row].max())}, but it has {self.codebook_sizes[row]} entries"
            )
        return codes


def code_lengths(lengths: Tensor, hop_length: int) -> Tensor:
    """Samples [B] -> code frames [B] int64: ceil in integers, exact at any length."""
    return (lengths.long() + (hop_length - 1)) // hop_length
