"""Opus as a yardstick: a clip through libopus at a given rate and back, by PyAV, in memory.

Mono at 48 kHz, variable bit rate, tuned for speech, frames of 60 ms, which serve it best at these rates. libopus takes
6 kbit/s so and chooses narrow band (4 kHz) by itself; a wider band cannot be had at that rate. The Ogg container carries the
encoder's delay and the clip's length, and the decoder takes off both: what comes back has the input's length and is aligned
within 0.2 ms (the phase of Opus' own filters).
Source: RFC 6716 (Opus), RFC 7845 (Ogg encapsulation).
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import torch
from torch import Tensor

from lungfish.audio.resample import resample
from lungfish.errors import DependencyError

SAMPLE_RATE = 48_000
OPTIONS = {"application": "voip", "vbr": "on", "frame_duration": "60"}


@dataclass(frozen=True)
class OpusFile:
    """Attributes:
    content: the Ogg file.
    packet_bytes: what Opus itself took of it, without the container.
    """

    content: bytes
    packet_bytes: int


def require_av() -> None:
    """Refuse before the work.

    Raises:
        DependencyError: PyAV is not installed.
    """
    try:
        import av  # noqa: F401
    except ImportError as error:
        raise DependencyError("rows of Opus need PyAV: pip install 'lungfish[av]'") from error


def encode_opus(waveform: Tensor, sample_rate: int, bit_rate: int) -> OpusFile:
    """samples [S] float32 in -1..1 -> Opus at `bit_rate` bit/s.

    Raises:
        DependencyError: PyAV is not installed.
    """
    require_av()
    import av

    samples = resample(waveform[None], sample_rate, SAMPLE_RATE).clamp(-1, 1).numpy().astype(np.float32)
    buffer, packet_bytes = io.BytesIO(), 0
    with av.open(buffer, "w", format="ogg") as container:
        stream = container.add_stream("libopus", rate=SAMPLE_RATE, layout="mono", options=OPTIONS)
        stream.bit_rate = bit_rate
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(samples), format="flt", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = SAMPLE_RATE, 0, Fraction(1, SAMPLE_RATE)
        for piece in (frame, None):
            for packet in stream.encode(piece):
                packet_bytes += packet.size
                container.mux(packet)
    return OpusFile(buffer.getvalue(), packet_bytes)


def decode_opus(content: bytes, sample_rate: int) -> Tensor:
    """An Ogg Opus file -> samples [S] float32 at `sample_rate`.

    Raises:
        DependencyError: PyAV is not installed.
    """
    require_av()
    import av

    with av.open(io.BytesIO(content), "r") as container:
        blocks = [frame.to_ndarray() for frame in container.decode(audio=0)]
    waveform = torch.from_numpy(np.concatenate(blocks, axis=1).astype(np.float32))
    return resample(waveform, SAMPLE_RATE, sample_rate)[0]
