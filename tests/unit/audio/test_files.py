from __future__ import annotations

import io
import os
import struct
import sys
import wave
from pathlib import Path

import numpy as np
import pytest
import soundfile
import torch

from lungfish.audio.files import check_output, encode_waveform, read_waveform, write_atomic, write_waveform
from lungfish.errors import AudioError, DependencyError, OutputError

RATE = 22_050


def tone(seconds: float = 0.5, rate: int = RATE, channels: int = 1) -> np.ndarray:
    """[S, C] float32: 440 Hz at half of full scale, quieter in each further channel."""
    time = np.arange(int(seconds * rate)) / rate
    return np.stack([0.5 / (c + 1) * np.sin(2 * np.pi * 440 * time) for c in range(channels)], 1).astype(np.float32)


def file_bytes(samples: np.ndarray, rate: int = RATE, form: str = "WAV", subtype: str | None = None) -> bytes:
    buffer = io.BytesIO()
    soundfile.write(buffer, samples, rate, format=form, subtype=subtype)
    return buffer.getvalue()


def av_bytes(samples: np.ndarray, rate: int, container: str, codec: str) -> bytes:
    av = pytest.importorskip("av", reason="needs the av extra")
    buffer = io.BytesIO()
    with av.open(buffer, "w", format=container) as output:
        stream = output.add_stream(codec, rate=rate, layout="mono")
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(samples.T), format="fltp", layout="mono")
        frame.sample_rate = rate
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            output.mux(packet)
    return buffer.getvalue()


@pytest.mark.parametrize("rate", [8000, 16_000, 44_100, 48_000, 96_000])
def test_any_rate(rate: int) -> None:
    waveform, found = read_waveform(file_bytes(tone(rate=rate), rate))
    assert found == rate
    assert waveform.shape == (1, rate // 2)
    assert waveform.dtype is torch.float32


@pytest.mark.parametrize(
    ("form", "subtype"),
    [
        ("WAV", "PCM_U8"),
        ("WAV", "PCM_16"),
        ("WAV", "PCM_24"),
        ("WAV", "FLOAT"),
        ("WAV", "ULAW"),
        ("AIFF", "PCM_16"),
        ("FLAC", "PCM_24"),
        ("OGG", "VORBIS"),
        ("MP3", "MPEG_LAYER_III"),
    ],
)
def test_any_format_told_by_content_not_by_name(tmp_path: Path, form: str, subtype: str) -> None:
    path = tmp_path / "lies.flac"
    path.write_bytes(file_bytes(tone(1.0), RATE, form, subtype))
    waveform, rate = read_waveform(path)
    assert rate == RATE
    assert abs(waveform.shape[1] / RATE - 1) < 0.1
    assert waveform.square().mean().sqrt().item() == pytest.approx(0.5 / 2**0.5, rel=0.05)


def test_opus() -> None:
    waveform, rate = read_waveform(file_bytes(tone(1.0, 48_000), 48_000, "OGG", "OPUS"))
    assert (waveform.shape[1], rate) == (48_000, 48_000)


@pytest.mark.parametrize("channels", [2, 6])
def test_channels_are_averaged(channels: int) -> None:
    samples = tone(channels=channels)
    waveform, _ = read_waveform(file_bytes(samples, subtype="FLOAT"))
    np.testing.assert_allclose(waveform[0].numpy(), samples.mean(1), atol=1e-6)


def test_mp3_with_a_cover_picture() -> None:
    picture = b"\x00image/png\x00\x03\x00" + os.urandom(40_000)
    frame = b"APIC" + struct.pack(">I", len(picture)) + b"\x00\x00" + picture
    size = len(frame)
    header = b"ID3\x03\x00\x00" + bytes((size >> shift) & 0x7F for shift in (21, 14, 7, 0))
    waveform, rate = read_waveform(header + frame + file_bytes(tone(1.0), RATE, "MP3"))
    assert rate == RATE
    assert abs(waveform.shape[1] / RATE - 1) < 0.1


@pytest.mark.parametrize(("container", "codec"), [("mp4", "aac"), ("adts", "aac"), ("webm", "libopus")])
def test_m4a_aac_and_webm_need_the_av_extra(
    container: str, codec: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    content = av_bytes(tone(1.0, 48_000), 48_000, container, codec)
    waveform, rate = read_waveform(content)
    assert rate == 48_000
    assert abs(waveform.shape[1] / 48_000 - 1) < 0.1
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(DependencyError, match=r"pip install 'lungfish\[av\]'"):
        read_waveform(content)


def test_a_header_that_claims_too_much_and_a_cut_file_give_what_is_there() -> None:
    content = bytearray(file_bytes(tone()))
    content[40:44] = struct.pack("<I", 0x7FFFFFF0)
    assert read_waveform(bytes(content))[0].shape[1] == RATE // 2
    assert read_waveform(file_bytes(tone())[: 44 + RATE // 2])[0].shape[1] == RATE // 4


@pytest.mark.parametrize("form", ["FLAC", "MP3", "OGG"])
def test_a_cut_compressed_file_gives_audio_or_a_typed_error(form: str) -> None:
    content = file_bytes(tone(3.0), RATE, form)
    for share in (0.02, 0.3, 0.6, 0.95):
        try:
            waveform, _ = read_waveform(content[: int(share * len(content))])
        except AudioError:
            continue
        else:
            assert 0 < waveform.shape[1] <= 3.1 * RATE


@pytest.mark.parametrize("with_av", [True, False])
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "the file is empty"),
        (b"\x00" * 255, "is not audio"),
        (b"RIFF" + b"\x07" * 251, "is not audio"),
        (b"Just a text file about lungfish.\n" * 40, "is not audio"),
        (file_bytes(tone())[:20], "is not audio|holds no audio"),
        (file_bytes(tone(0.0)), "holds no audio"),
        (file_bytes(np.full((99, 1), np.nan, np.float32), subtype="FLOAT"), "not numbers"),
        (file_bytes(np.full((99, 1), np.inf, np.float32), subtype="FLOAT"), "not numbers"),
        (b"\x89PNG\r\n\x1a\n" + b"\x01" * 300, "is not audio"),
    ],
)
def test_what_is_no_audio_is_refused(
    content: bytes, expected: str, with_av: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if not with_av:
        monkeypatch.setitem(sys.modules, "av", None)
    path = tmp_path / "clip.wav"
    path.write_bytes(content)
    for source in (path, content):
        with pytest.raises(AudioError, match=expected) as caught:
            read_waveform(source)
        assert "\n" not in str(caught.value)


def test_too_short_missing_folder_and_device(tmp_path: Path) -> None:
    with pytest.raises(AudioError, match=r"is 0.30 s long, at least 1 s"):
        read_waveform(file_bytes(tone(0.3)), min_s=1.0)
    with pytest.raises(AudioError, match="no such file"):
        read_waveform(tmp_path / "absent.wav")
    with pytest.raises(AudioError, match="is a folder"):
        read_waveform(tmp_path)
    with pytest.raises(AudioError, match="not a regular file"):
        read_waveform("/dev/zero")


@pytest.mark.parametrize("suffix", [".wav", ".flac", ".mp3", ".ogg", ".opus", ".WAV"])
@pytest.mark.parametrize("rate", [21_533, 44_100])
def test_every_format_comes_back(tmp_path: Path, suffix: str, rate: int) -> None:
    path = tmp_path / f"out{suffix}"
    samples = torch.from_numpy(tone(2.0, rate).T.copy())
    write_waveform(path, samples, rate)
    back, found = read_waveform(path)
    assert abs(back.shape[1] / found - 2.0) < 0.1
    assert back.square().mean().sqrt().item() == pytest.approx(0.5 / 2**0.5, rel=0.05)
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_wav_is_exact_to_16_bits_and_clips() -> None:
    samples = torch.tensor([[0.0, 0.5, -0.5, 2.0, -2.0]])
    with wave.open(io.BytesIO(encode_waveform(samples, 8000))) as file:
        values = np.frombuffer(file.readframes(9), "<i2")
    assert (
        values.tolist() == [0, 16384, -16384, 32767, -32768]
        or np.abs(values - [0, 16384, -16384, 32767, -32768]).max() <= 1
    )


def test_a_long_ogg_does_not_overflow() -> None:
    assert len(encode_waveform(torch.zeros(1, 44_100 * 120), 44_100, ".ogg")) > 1000


def test_an_existing_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "real.wav", tmp_path / "link.wav"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_waveform(link, torch.zeros(1, 100), RATE)
    assert link.is_symlink()
    assert target.read_bytes()[:4] == b"RIFF"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_new_file_follows_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_waveform(tmp_path / "new.wav", torch.zeros(1, 100), RATE)
    finally:
        os.umask(before)
    assert (tmp_path / "new.wav").stat().st_mode & 0o777 == 0o640


def test_targets_that_cannot_be_written(tmp_path: Path) -> None:
    silence = torch.zeros(1, 100)
    for path, expected in (
        (tmp_path, "is a folder"),
        (tmp_path / "absent" / "out.wav", "does not exist"),
        (tmp_path / "out.xyz", r"must be one of \.wav, \.flac, \.mp3"),
        (tmp_path / "out", "the suffix chooses the format"),
    ):
        for attempt in (lambda path: write_waveform(path, silence, RATE), check_output):
            with pytest.raises(OutputError, match=expected):
                attempt(path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device_is_one_line_and_devices_are_never_replaced() -> None:
    with pytest.raises(OutputError, match="no space left"):
        write_waveform("/dev/full", torch.zeros(1, 99_999), RATE)
    write_waveform(os.devnull, torch.zeros(1, 100), RATE)
    assert Path("/dev/full").is_char_device()
    assert Path(os.devnull).is_char_device()


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_an_interrupted_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, failure: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.wav"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises((OutputError, KeyboardInterrupt)):
        write_atomic(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
