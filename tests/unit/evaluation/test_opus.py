import sys

import pytest
import torch

from lungfish.errors import DependencyError
from lungfish.evaluation import opus
from lungfish.evaluation.opus import decode_opus, encode_opus, require_av

RATE = 24_000


@pytest.fixture(scope="module")
def sweep():
    """2 s from 150 Hz to 1.5 kHz, faded in and out: a tune that even 6 kbit/s carries."""
    time = torch.arange(2 * RATE) / RATE
    window = torch.hann_window(2 * RATE, periodic=False)
    return 0.4 * torch.sin(2 * torch.pi * (150 * time + 337 * time.square())) * window


@pytest.fixture
def av():
    return pytest.importorskip("av", reason="Opus needs the extra `av`")


def roundtrip(waveform, bit_rate, rate=RATE):
    return decode_opus(encode_opus(waveform, rate, bit_rate).content, rate)


@pytest.mark.parametrize("bit_rate", [6_000, 12_000])
def test_the_clip_comes_back_with_its_length_in_its_place(av, sweep, bit_rate):
    back = roundtrip(sweep, bit_rate)
    assert abs(len(back) - len(sweep)) <= 1
    count = min(len(back), len(sweep))
    spectra = torch.fft.rfft(torch.stack((sweep[:count], back[:count])), n=4 * RATE)
    correlation = torch.fft.irfft(spectra[0].conj() * spectra[1])
    lag = int(correlation.argmax())
    assert min(lag, 4 * RATE - lag) <= 0.0005 * RATE


def test_the_bit_rate_turns_size_and_likeness(av, sweep):
    noisy = sweep + 0.05 * torch.randn(len(sweep), generator=torch.Generator().manual_seed(0))
    files = [encode_opus(noisy, RATE, bit_rate) for bit_rate in (6_000, 12_000, 48_000)]
    sizes = [file.packet_bytes for file in files]
    assert sizes == sorted(sizes)
    assert sizes[0] * 8 / 2 < 9_000 < sizes[1] * 8 / 2 < 18_000
    errors = [float((decode_opus(file.content, RATE)[: len(noisy)] - noisy).square().mean()) for file in files]
    assert errors[2] < errors[0]


def test_the_container_is_not_counted(av, sweep):
    file = encode_opus(sweep, RATE, 12_000)
    assert 0 < file.packet_bytes < len(file.content)
    assert file.content[:4] == b"OggS"
    assert b"OpusHead" in file.content[:64]


def test_the_options_arrive(av, sweep, monkeypatch):
    """Frames of 20 ms instead of 60: three times as many packets, which the table of the Ogg pages shows."""
    long = encode_opus(sweep, RATE, 12_000)
    monkeypatch.setattr(opus, "OPTIONS", opus.OPTIONS | {"frame_duration": "20"})
    short = encode_opus(sweep, RATE, 12_000)
    assert len(short.content) - short.packet_bytes > len(long.content) - long.packet_bytes


def test_loud_and_very_short_clips_pass(av):
    assert roundtrip(3 * torch.ones(100), 12_000).abs().max() <= 1.5
    assert torch.isfinite(roundtrip(torch.zeros(1), 6_000)).all()


def test_without_pyav_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(DependencyError, match=r"lungfish\[av\]"):
        require_av()
    with pytest.raises(DependencyError, match="PyAV"):
        encode_opus(torch.zeros(100), RATE, 6_000)
    with pytest.raises(DependencyError, match="PyAV"):
        decode_opus(b"", RATE)
