"""What a codec knows about a stream between two steps; nothing else does.

    state = codec.new_decode_state()                  state = codec.new_encode_state()
    codec.decode_step(codes, state) -> waveform       codec.encode_step(waveform, state) -> codes
    codec.decode_flush(state) -> the rest             codec.encode_flush(state) -> the rest

Invariant: a step replaces the tensors of its state and never writes into them, so `copy.copy(state)` is a branch that
goes its own way, and a step that raises leaves the state as it was. Layers keep tensors of constant size; the samples
that wait (`pending`) are fewer than one code frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor

from lungfish.errors import StreamError
from lungfish.nn.streaming import State, map_state, state_tensors

_S = TypeVar("_S", bound="StreamState")


@dataclass
class StreamState:
    """One stream, or a batch of streams that step together; positions may differ, each row has its own.

    Attributes:
        layers: what the layers keep (nn/streaming.py).
        pending: [B, 1, n] samples that wait for the next step: the part of a code frame that an encoder has not used, or
            what a decoder has begun but not completed.
        ended: flushed; nothing can follow.
    """

    layers: State
    pending: Tensor
    ended: bool = False

    @property
    def batch(self) -> int:
        return self.pending.shape[0]

    @property
    def num_bytes(self) -> int:
        """Memory behind every tensor of this state."""
        return sum(tensor.untyped_storage().nbytes() for tensor in (self.pending, *state_tensors(self.layers)))

    def select(self: _S, rows: Sequence[int]) -> _S:
        """A state of some of the streams, in the order given; this one is left as it is."""
        index = torch.tensor(rows, device=self.pending.device)
        return type(self)(
            map_state(lambda tensor: tensor[index.to(tensor.device)], self.layers), self.pending[index], self.ended
        )

    def check(self, batch: int) -> None:
        """Raises StreamError unless `batch` streams may go on."""
        if self.ended:
            raise StreamError("this stream was flushed, nothing can follow; start another with a new state")
        if batch != self.batch:
            raise StreamError(f"the state is of {self.batch} streams, but {batch} came")


class DecodeState(StreamState):
    """Of `decode_step`."""


class EncodeState(StreamState):
    """Of `encode_step`."""


def join_states(states: Sequence[_S]) -> _S:
    """The streams of several states of one codec as one batch, which may be at different positions.

    Raises:
        StreamError: one has ended; or different numbers of samples wait in them, so that their next steps would not be
            equally long (an encoder's remainders differ; a spectral decoder's stream has not begun and another has).
    """
    for state in states:
        state.check(state.batch)
    waiting = sorted({state.pending.shape[-1] for state in states})
    if len(waiting) != 1:
        raise StreamError(f"streams in which {' and '.join(map(str, waiting))} samples wait cannot share a batch")
    layers = map_state(lambda *parts: torch.cat(parts), *(state.layers for state in states))
    return type(states[0])(layers, torch.cat([state.pending for state in states]))
