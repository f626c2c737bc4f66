"""What every codec is to the rest of the package: waveform in, codes out, and back.

`ModifiedDAC` (codec/dac.py) and `SpectralCodec` (codec/spectral.py) both satisfy this. Nothing outside `codec/`,
`checkpoint/` and `training/` needs to know which one it holds.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from torch import Tensor


@runtime_checkable
class Codec(Protocol):
    """A neural audio codec at inference.

    Invariant: encoding is causal (codes of frame t depend on samples before (t + 1) * hop_length only), so clips may be
    padded on the right with zeros to share a batch; the codes inside each clip's own length do not change.
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
