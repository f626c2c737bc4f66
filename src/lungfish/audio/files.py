"""Audio files: any clip in as one mono waveform, a waveform out in one of five formats.

Reading trusts the content, never the name. Writing is all or nothing: the bytes go to a temporary file in the same folder,
which replaces the target in one step, so that an existing file is either the old one or the new one.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
import tempfile
from pathlib import Path

import numpy as np
import soundfile
import torch
from torch import Tensor

from lungfish.audio.resample import resample
from lungfish.errors import AudioError, DependencyError, OutputError

STDOUT = "-"

# Suffix -> libsndfile's container, its encoding, and the sample rates it takes (None: any).
_FORMATS: dict[str, tuple[str, str, tuple[int, ...] | None]] = {
    ".wav": ("WAV", "PCM_16", None),
    ".flac": ("FLAC", "PCM_16", None),
    ".mp3": ("MP3", "MPEG_LAYER_III", (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000)),
    ".ogg": ("OGG", "VORBIS", None),
    ".opus": ("OGG", "OPUS", (8000, 12000, 16000, 24000, 48000)),
}
_BLOCK_FRAMES = 1 << 15  # libvorbis overflows its stack on one huge write
_MAX_CLIP_BYTES = 1 << 30


def read_waveform(source: str | Path | bytes, *, min_s: float = 0.0) -> tuple[Tensor, int]:
    """Decode a clip to mono.

    Args:
        source: a file, or the bytes of one. Formats are told by content: wav, flac, mp3, ogg, opus, aiff and more; m4a,
            aac, webm and video files when the `av` extra is installed.
        min_s: shortest clip that is any use to the caller, in seconds.

    Returns:
        waveform [1, S] float32 (channels averaged), and its sample rate in Hz.

    Raises:
        AudioError: missing, unreadable, not audio, empty, shorter than `min_s`, or with samples that are not numbers.
        DependencyError: only the `av` extra can read it, and it is not installed.
    """
    name = "the clip" if isinstance(source, bytes) else str(source)
    content = source if isinstance(source, bytes) else _read_bytes(Path(source))
    if not content:
        raise AudioError(f"{name}: the file is empty")
    samples, sample_rate = _decode(content, name)
    if samples.shape[0] == 0:
        raise AudioError(f"{name}: holds no audio")
    if not np.isfinite(samples).all():
        raise AudioError(f"{name}: has samples that are not numbers (NaN or infinite); export it again")
    seconds = samples.shape[0] / sample_rate
    if seconds < min_s:
        raise AudioError(f"{name}: is {seconds:.2f} s long, at least {min_s:g} s are needed")
    mono = samples.mean(axis=1, dtype=np.float32)
    return torch.from_numpy(np.ascontiguousarray(mono))[None], sample_rate


def _read_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise AudioError(f"{path}: is a folder, an audio file is needed")
        if path.exists() and not path.is_file():
            raise AudioError(f"{path}: is not a regular file")
        if path.stat().st_size > _MAX_CLIP_BYTES:
            raise AudioError(f"{path}: is larger than 1 GiB; cut it into clips first")
        return path.read_bytes()
    except FileNotFoundError as error:
        raise AudioError(f"{path}: no such file") from error
    except OSError as error:
        raise AudioError(f"{path}: cannot be read ({error.strerror})") from error


def _decode(content: bytes, name: str) -> tuple[np.ndarray, int]:
    """Samples [S, C] float32 and the sample rate."""
    try:
        with soundfile.SoundFile(io.BytesIO(content)) as file:
            return file.read(dtype="float32", always_2d=True), file.samplerate
    except (soundfile.SoundFileError, ValueError) as error:
        reason = str(error).rstrip(".").split(": ", 1)[-1]
    try:
        import av
    except ImportError as error:
        if _looks_like_video_container(content):
            raise DependencyError(
                f"{name}: this format needs PyAV: pip install 'lungfish[av]', or convert it to wav, flac, mp3 or ogg"
            ) from error
        raise AudioError(f"{name}: is not audio that can be read ({reason})") from error
    try:
        return _decode_with_av(content)
    except (av.FFmpegError, ValueError, EOFError) as error:
        raise AudioError(f"{name}: is not audio that can be read ({reason})") from error


def _looks_like_video_container(content: bytes) -> bool:
    """ISO media (m4a, mp4, mov), Matroska/WebM, or raw AAC."""
    return content[4:8] == b"ftyp" or content[:4] == b"\x1aE\xdf\xa3" or content[:2] in (b"\xff\xf1", b"\xff\xf9")


def _decode_with_av(content: bytes) -> tuple[np.ndarray, int]:
    import av

    blocks: list[np.ndarray] = []
    with av.open(io.BytesIO(content), "r") as container:
        if not container.streams.audio:
            raise ValueError("no audio stream")
        stream = container.streams.audio[0]
        sample_rate = stream.rate
        to_float = av.AudioResampler(format="fltp", rate=sample_rate)
        for frame in container.decode(stream):
            blocks.extend(block.to_ndarray() for block in to_float.resample(frame))
        blocks.extend(block.to_ndarray() for block in to_float.resample(None))
    if not blocks:
        raise ValueError("no audio frames")
    return np.concatenate(blocks, axis=1).T.astype(np.float32), sample_rate


def check_output(path: str | Path) -> None:
    """Refuse at once, before minutes of work, a target that `write_waveform` could not write.

    Raises:
        OutputError: unknown suffix, a folder, or a folder that does not exist or cannot be written to.
    """
    if str(path) == STDOUT:
        return
    check_target(path)
    _suffix_format(Path(path))


def check_target(path: str | Path) -> None:
    """Refuse at once a file that `write_atomic` could not write.

    Raises:
        OutputError: a folder, or a folder that does not exist or cannot be written to.
    """
    path = Path(path)
    if path.is_dir():
        raise OutputError(f"{path}: is a folder; name a file in it")
    if not path.parent.is_dir():
        raise OutputError(f"{path}: the folder {path.parent} does not exist")
    if not os.access(path if _is_device(path) else path.parent, os.W_OK):
        raise OutputError(f"{path}: no permission to write there")


def _suffix_format(path: Path) -> tuple[str, str, tuple[int, ...] | None]:
    if _is_device(path):
        return _FORMATS[".wav"]
    try:
        return _FORMATS[path.suffix.lower()]
    except KeyError:
        known = ", ".join(_FORMATS)
        raise OutputError(f"{path}: the suffix chooses the format; it must be one of {known}") from None


def _is_device(path: Path) -> bool:
    """Exists and is neither file nor folder: a device or a pipe, which is written to and never replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()


def encode_waveform(waveform: Tensor, sample_rate: int, suffix: str = ".wav") -> bytes:
    """A whole audio file in memory.

    Args:
        waveform: [C, S] float32 in -1..1; what is outside is clipped.
        sample_rate: in Hz. mp3 and opus know a few rates only; the next higher one is used for others.
        suffix: .wav, .flac, .mp3, .ogg or .opus.
    """
    container, encoding, rates = _FORMATS[suffix.lower()]
    if rates is not None and sample_rate not in rates:
        wanted = min((rate for rate in rates if rate > sample_rate), default=rates[-1])
        waveform, sample_rate = resample(waveform, sample_rate, wanted), wanted
    samples = np.ascontiguousarray(waveform.detach().cpu().float().clamp(-1, 1).numpy().T)  # [S, C]
    buffer = io.BytesIO()
    with soundfile.SoundFile(
        buffer, "w", samplerate=sample_rate, channels=samples.shape[1], format=container, subtype=encoding
    ) as file:
        for begin in range(0, samples.shape[0], _BLOCK_FRAMES):
            file.write(samples[begin : begin + _BLOCK_FRAMES])
    return buffer.getvalue()


def write_waveform(path: str | Path, waveform: Tensor, sample_rate: int) -> None:
    """Write a waveform; the suffix of `path` chooses wav, flac, mp3, ogg or opus, and "-" is wav on standard output.

    Args:
        path: the target. An existing file is replaced in one step, or left as it was.
        waveform: [C, S] float32 in -1..1.
        sample_rate: in Hz.

    Raises:
        OutputError: a folder, unknown suffix, missing folder, no permission, full disk, or the reader of a pipe is gone.
    """
    if str(path) == STDOUT:
        _write_stdout(encode_waveform(waveform, sample_rate))
        return
    path = Path(path)
    check_output(path)
    suffix = ".wav" if _is_device(path) else path.suffix
    write_atomic(path, encode_waveform(waveform, sample_rate, suffix))


def _write_stdout(content: bytes) -> None:
    try:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except BrokenPipeError as error:
        raise OutputError("standard output was closed before all the audio was written") from error
    except OSError as error:
        raise OutputError(f"standard output: {_reason(error)}") from error


def write_atomic(path: str | Path, content: bytes) -> None:
    """Write a file so that others see the old content or the new one, nothing between; devices are written to directly.

    Raises:
        OutputError: it cannot be written; nothing is left behind.
    """
    path = Path(path)
    try:
        if _is_device(path):
            path.write_bytes(content)
            return
        target = path.resolve()  # through a symbolic link, which stays
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.chmod(temporary, mode)
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise
    except OSError as error:
        raise OutputError(f"{path}: {_reason(error)}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _reason(error: OSError) -> str:
    reasons = {
        errno.ENOSPC: "no space left on the device; nothing was written",
        errno.EISDIR: "is a folder",
        errno.ENOENT: "its folder does not exist",
        errno.EACCES: "no permission to write there",
        errno.EROFS: "the file system is read-only",
        errno.EPIPE: "the reader closed the pipe",
    }
    return reasons.get(error.errno or 0, f"cannot be written ({error.strerror})")
