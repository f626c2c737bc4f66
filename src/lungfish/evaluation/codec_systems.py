"""What a clip is sent through: nothing, a codec with all its books or fewer, or Opus; timed, and aligned with its input.

Invariant: what comes out has the length and the sample rate of what went in, whatever rate the system works at.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import torch
from torch import Tensor, nn

from lungfish.audio.resample import resample
from lungfish.codec.protocol import Codec
from lungfish.errors import ConfigError
from lungfish.evaluation.opus import decode_opus, encode_opus, require_av

CEILING = "original"


@dataclass(frozen=True)
class Passage:
    """A clip after it went through a system.

    Attributes:
        system: name of the row in the table.
        waveform: [S] float32 on the CPU.
        encode_s, decode_s: compute time; 0 for the ceiling. Resampling is in neither, except Opus' own.
        bit_rate: in bit/s; None for the ceiling.
        codes: [K, T] of a codec with all its books, else None.
        book_sizes: entries of each book of such codes.
    """

    system: str
    waveform: Tensor
    encode_s: float = 0.0
    decode_s: float = 0.0
    bit_rate: float | None = None
    codes: Tensor | None = None
    book_sizes: tuple[int, ...] = ()


class System(Protocol):
    @property
    def names(self) -> Sequence[str]:
        """Of the rows that `run` gives, in their order."""
        ...

    def run(self, waveform: Tensor, sample_rate: int) -> list[Passage]:
        """Send samples [S] through."""
        ...


class Ceiling:
    """No codec: what the judges make of the recordings themselves."""

    names = (CEILING,)

    def run(self, waveform: Tensor, sample_rate: int) -> list[Passage]:
        return [Passage(CEILING, waveform)]


class CodecSystem:
    """A codec with all its books, and with the first few of them.

    Args:
        codec: with its encoder.
        name: of the row with all books.
        books: numbers of books that get a row of their own beside it.

    Raises:
        ConfigError: more books than the codec has, or none.
    """

    def __init__(self, codec: Codec, name: str = "codec", books: Sequence[int] = ()) -> None:
        wrong = [count for count in books if not 1 <= count <= codec.num_codebooks]
        if wrong:
            raise ConfigError(f"the codec has {codec.num_codebooks} books; ask for 1 to that many, not {wrong[0]}")
        self._codec = codec
        fewer = sorted({count for count in books if count < codec.num_codebooks}, reverse=True)
        self._counts = {name: codec.num_codebooks}
        self._counts |= {f"{name}, {count} book{'s' if count > 1 else ''}": count for count in fewer}

    @property
    def names(self) -> Sequence[str]:
        return list(self._counts)

    def run(self, waveform: Tensor, sample_rate: int) -> list[Passage]:
        codec = self._codec
        samples = resample(waveform[None], sample_rate, codec.sample_rate)
        assert isinstance(codec, nn.Module)
        parameter = next(codec.parameters())
        samples = samples[None].to(parameter.device, parameter.dtype)
        passages: list[Passage] = []
        with torch.inference_mode():
            start = time.perf_counter()
            codes = codec.encode(samples)[0].cpu()
            encode_s = time.perf_counter() - start
            for name, count in self._counts.items():
                start = time.perf_counter()
                decoded = codec.decode(codes[:, :count].to(parameter.device)).cpu()
                decode_s = time.perf_counter() - start
                output = resample(decoded[0, :, : samples.shape[-1]].float(), codec.sample_rate, sample_rate)[0]
                passage = Passage(name, fit(output, len(waveform)), encode_s, decode_s, codec_bit_rate(codec, count))
                if count == codec.num_codebooks:
                    passage = replace(passage, codes=codes[0], book_sizes=tuple(codec.codebook_sizes))
                passages.append(passage)
        return passages


class OpusSystem:
    """Args:
    bit_rate: asked of libopus, in bit/s; the row says what it really took, without the container.

    Raises:
        DependencyError: PyAV is not installed.
    """

    def __init__(self, bit_rate: int) -> None:
        require_av()
        self._bit_rate = bit_rate
        self.names = (f"opus {bit_rate / 1000:g} kbit/s",)

    def run(self, waveform: Tensor, sample_rate: int) -> list[Passage]:
        start = time.perf_counter()
        file = encode_opus(waveform, sample_rate, self._bit_rate)
        middle = time.perf_counter()
        output = decode_opus(file.content, sample_rate)
        decode_s = time.perf_counter() - middle
        bit_rate = file.packet_bytes * 8 * sample_rate / len(waveform)
        return [Passage(self.names[0], fit(output, len(waveform)), middle - start, decode_s, bit_rate)]


def codec_bit_rate(codec: Codec, books: int) -> float:
    """Bits per second of the first `books` books: log2 of their sizes, times the frame rate."""
    return sum(math.log2(size) for size in codec.codebook_sizes[:books]) * codec.frame_rate


def fit(waveform: Tensor, length: int) -> Tensor:
    """[S] cut, or padded with zeros, to `length`: resampling there and back may differ by a sample."""
    return nn.functional.pad(waveform[:length], (0, max(0, length - len(waveform))))
