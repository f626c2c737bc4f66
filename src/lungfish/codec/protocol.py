"""What every codec is to the rest of the package: waveform in, codes out, and back.

`ModifiedDAC` (codec/dac.py) and `SpectralCodec` (codec/spectral.py) both satisfy this. Nothing outside `codec/`,
`checkpoint/` and `training/` needs to know which one it holds.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from torch import Tensor

from lungfish.codec.stream_state import DecodeState, EncodeState


@runtime_checkable
class Codec(Protocol):
    """A neural audio codec at inference.

    Invariant: encoding is causal (codes of frame t depend on samples before (t + 1) * hop_length only), so clips may be
    padded on the right with zeros to share a batch; the codes inside each clip's own length do not change.

    In steps: whatever the chunks, the outputs of the steps and of one flush, side by side, are what the whole utterance
    gives, up to float rounding. All memory of a stream is in its state (codec/stream_state.py) and does not grow; one codec
    serves any number of streams in any order. The streams of one state step together, equally far, each from its own
    position; `join_states` puts streams together, `StreamState.select` parts them.
    """

    @property
    def sample_rate(self) -> int:
        """Hz, of every waveform that goes in or comes out."""
        ...

    @property
    def hop_length(self) -> int:
        """Samples per code frame."""
        ...

    @property
    def frame_rate(self) -> float:
        """Code frames per second: sample_rate / hop_length."""
        ...

    @property
    def num_codebooks(self) -> int:
        """K, rows of a code frame; row 0 is the semantic book."""
        ...

    @property
    def codebook_sizes(self) -> list[int]:
        """Entries per book, K of them."""
        ...

    @property
    def can_encode(self) -> bool:
        """False where only the decoding side was loaded; encoding then raises PartError."""
        ...

    def encode(self, waveform: Tensor, lengths: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Codes of a batch of clips.

        Args:
            waveform: [B, 1, S] float32 at `sample_rate`, shorter clips padded on the right with zeros.
            lengths: [B] samples of each clip; S for all when absent.

        Returns:
            codes [B, K, T] int64 with T = ceil(S / hop_length), and code_lengths [B] int64, ceil(lengths / hop_length).
            Codes at or beyond a clip's code length have no meaning.
        """
        ...

    def decode(self, codes: Tensor) -> Tensor:
        """Waveform of a batch of code frames.

        Args:
            codes: [B, K', T] integers, 1 <= K' <= K, T >= 1; never modified.

        Returns:
            [B, 1, T * hop_length] float32 in -1..1.

        Raises:
            CodesError: wrong shape or type, no frames, or a code out of range.
        """
        ...

    def new_decode_state(self, batch: int = 1) -> DecodeState:
        """The start of `batch` streams of code frames."""
        ...

    def decode_step(self, codes: Tensor, state: DecodeState) -> Tensor:
        """Waveform of the next code frames, as far as it is complete.

        Args:
            codes: [B, K', t] integers, t >= 1; never modified.
            state: of B streams; brought up to date.

        Returns:
            [B, 1, n] float32 in -1..1, a tensor of its own. n = t * hop_length, less what the decoder holds back in the
            first step: nothing in the modified DAC, three STFT hops in the spectral codec.

        Raises:
            CodesError: as `decode`; the state is as before.
            StreamError: another batch, or a stream that has ended.
        """
        ...

    def decode_flush(self, state: DecodeState) -> Tensor:
        """Ends the streams -> [B, 1, n], what was held back.

        Raises:
            StreamError: they have ended before.
        """
        ...

    def new_encode_state(self, batch: int = 1) -> EncodeState:
        """The start of `batch` streams of samples.

        Raises:
            PartError: loaded for decoding only.
        """
        ...

    def encode_step(self, waveform: Tensor, state: EncodeState) -> Tensor:
        """Codes of the frames that the next samples complete; the rest waits in the state.

        Args:
            waveform: [B, 1, s], s >= 0; never modified.
            state: of B streams; brought up to date.

        Returns:
            [B, K, t] int64, t >= 0.

        Raises:
            AudioError: misshapen waveform; the state is as before.
            StreamError: another batch, or a stream that has ended.
            PartError: loaded for decoding only.
        """
        ...

    def encode_flush(self, state: EncodeState) -> Tensor:
        """Ends the streams -> codes [B, K, 0 or 1] of the samples that wait, zeros after them.

        Raises:
            StreamError: they have ended before.
            PartError: loaded for decoding only.
        """
        ...
