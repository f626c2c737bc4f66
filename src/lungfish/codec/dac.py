"""The modified DAC: encode and decode, whole utterances or in steps.

Strictly causal both ways: code frame t depends on samples before (t + 1) * hop_length only, and those samples of the
output on code frames up to t only. Source: spec/codec.md 0, 1.3, 3.8, 3.9, 4.

Streaming (codec/stream_state.py). Latency: none beyond the frame itself; t frames in, t * hop_length samples out, and a
decoder has no tail. What a stream keeps at full size, in floats:

    decoding  post_module, 8 layers       127 keys and values x 1024, position      2,080,768
              upsample                    none; depthwise convolutions 2 x 6 x 1024    12,288
              decoder.model.0             6 x 1024                                      6,144
              stages, transposed          1 column: 1536, 768, 384, 192                 2,880
              stages, residual units      6 + 18 + 54 columns: 768, 384, 192, 96      112,320
              decoder.model.6             6 x 96                                          576
    encoding  block.0, block.6            6 x 1, 2 x 1024                               2,054
              stages, residual units      6 + 18 + 54 columns: 64, 128, 256, 512       74,880
              stages, strided             stride columns: 64, 128, 256, 512             6,784
              transformer, 4 layers       511 keys and values x 1024, position      4,186,112
              downsample                  none; depthwise convolutions 2 x 6 x 1024    12,288
              pre_module, 8 layers        127 keys and values x 1024, position      2,080,768
              samples that wait           up to 2047

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
from lungfish.codec.stream_state import DecodeState
from lungfish.codec.streaming_codec import StreamingCodec
from lungfish.errors import AudioError, CodesError
from lungfish.nn.streaming import State, new_state, step


class ModifiedDAC(StreamingCodec):
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
    def codebook_sizes(self) -> list[int]:
        return self.config.codebook_sizes

    @property
    def dtype(self) -> torch.dtype:
        return self.decoder.model[-1].conv.weight.dtype  # type: ignore[union-attr, return-value]

    def drop_encoder(self) -> None:
        """Leave what decoding needs: books, post_module, upsample, decoder. The rest of the parameters is gone."""
        if not self.can_encode:
            return
        del self.encoder, self.quantizer.downsample, self.quantizer.pre_module
        for book in (*self.quantizer.semantic_quantizer.books(), *self.quantizer.quantizer.books()):
            del book.in_proj

    def latents(self, waveform: Tensor) -> Tensor:
        """waveform [B, 1, S], padded here with zeros to whole frames -> latents [B, D, ceil(S / hop_length)]."""
        self._need_encoder()
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
            PartError: loaded for decoding only.
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

    def new_decode_state(self, batch: int = 1) -> DecodeState:
        """The start of `batch` streams of code frames."""
        return DecodeState(new_state(self._decoding(), batch), self._no_samples(batch))

    @torch.no_grad()
    def decode_step(self, codes: Tensor, state: DecodeState, clamp: bool = False) -> Tensor:
        """`decode` of the next frames: codes [B, K', t], t >= 1 -> waveform [B, 1, t * hop_length] float32.

        Raises:
            CodesError: as `decode`.
            StreamError: another batch, or a stream that has ended.
        """
        codes = self._checked(codes, clamp)
        state.check(codes.shape[0])
        waveform, state.layers = step(self._decoding(), self.quantizer.dequantize(codes), state.layers)
        return waveform.float()

    def decode_flush(self, state: DecodeState) -> Tensor:
        """Ends the streams -> [B, 1, 0]: this decoder holds nothing back.

        Raises:
            StreamError: they have ended before.
        """
        state.check(state.batch)
        state.ended = True
        return state.pending.float()

    def _encode_frames(self, waveform: Tensor, layers: State) -> tuple[Tensor, State]:
        latents, layers = step(self._encoding(), waveform, layers)
        return self.quantizer.quantize(latents).codes, layers

    def _new_encode_layers(self, batch: int) -> State:
        return new_state(self._encoding(), batch)

    def _encoding(self) -> tuple[nn.Module, ...]:
        return self.encoder, self.quantizer.downsample, self.quantizer.pre_module

    def _decoding(self) -> tuple[nn.Module, ...]:
        return self.quantizer.post_module, self.quantizer.upsample, self.decoder

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
