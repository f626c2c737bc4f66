"""What both codecs share: their rates, encoding in steps, and knowing whether the encoding side is there.

Samples are gathered to whole code frames here, so the layers below see multiples of hop_length only.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lungfish.codec.stream_state import EncodeState
from lungfish.errors import AudioError, PartError
from lungfish.nn.streaming import State


class StreamingCodec(nn.Module):
    """Base of the codecs; a subclass has a module `encoder` and the members that raise here. Contract: codec/protocol.py."""

    @property
    def sample_rate(self) -> int:
        raise NotImplementedError

    @property
    def hop_length(self) -> int:
        raise NotImplementedError

    @property
    def codebook_sizes(self) -> list[int]:
        raise NotImplementedError

    @property
    def frame_rate(self) -> float:
        return self.sample_rate / self.hop_length

    @property
    def num_codebooks(self) -> int:
        return len(self.codebook_sizes)

    def _new_encode_layers(self, batch: int) -> State:
        raise NotImplementedError

    def _encode_frames(self, waveform: Tensor, layers: State) -> tuple[Tensor, State]:
        """waveform [B, 1, t * hop_length], t > 0 -> (codes [B, K, t], layers)."""
        raise NotImplementedError

    @property
    def can_encode(self) -> bool:
        """Whether the encoding side is there."""
        return "encoder" in self._modules

    def new_encode_state(self, batch: int = 1) -> EncodeState:
        """The start of `batch` streams of samples.

        Raises:
            PartError: loaded for decoding only.
        """
        self._need_encoder()
        return EncodeState(self._new_encode_layers(batch), self._no_samples(batch))

    @torch.no_grad()
    def encode_step(self, waveform: Tensor, state: EncodeState) -> Tensor:
        """`encode` of the next samples: waveform [B, 1, s], s >= 0 -> codes [B, K, t] of the frames now complete, t >= 0.

        Raises:
            AudioError: misshapen waveform.
            StreamError: another batch, or a stream that has ended.
            PartError: loaded for decoding only.
        """
        self._need_encoder()
        if waveform.dim() != 3 or waveform.shape[1] != 1:
            raise AudioError(f"codec input must be [batch, 1, samples], got {list(waveform.shape)}")
        state.check(waveform.shape[0])
        joined = torch.cat((state.pending, waveform.to(state.pending.dtype)), dim=-1)
        whole = joined.shape[-1] - joined.shape[-1] % self.hop_length
        if whole:
            codes, state.layers = self._encode_frames(joined[..., :whole], state.layers)
        else:
            codes = torch.zeros(state.batch, self.num_codebooks, 0, dtype=torch.int64, device=joined.device)
        state.pending = joined[..., whole:].clone()
        return codes

    def encode_flush(self, state: EncodeState) -> Tensor:
        """Ends the streams -> codes [B, K, 0 or 1] of the samples that wait, zeros after them.

        Raises:
            StreamError: they have ended before.
            PartError: loaded for decoding only.
        """
        missing = -state.pending.shape[-1] % self.hop_length
        codes = self.encode_step(nn.functional.pad(state.pending[..., :0], (0, missing)), state)
        state.ended = True
        return codes

    def _no_samples(self, batch: int) -> Tensor:
        return next(self.parameters()).new_zeros(batch, 1, 0)

    def _need_encoder(self) -> None:
        if not self.can_encode:
            raise PartError("this codec was loaded for decoding only; load it whole to encode")
