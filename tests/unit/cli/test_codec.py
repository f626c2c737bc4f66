from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile

from lungfish.audio.files import read_waveform
from lungfish.checkpoint.codec import save_codec
from lungfish.cli.main import run
from tests.toy import toy_codec


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("codec")
    save_codec(toy_codec(), folder)
    return str(folder)


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    path = tmp_path / "clip.flac"
    time = np.arange(44_100) / 44_100
    soundfile.write(path, np.stack([0.3 * np.sin(2000 * time), 0.1 * np.sin(3000 * time)], 1), 44_100)
    return path


def test_there_and_back(model: str, clip: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    codes, out = tmp_path / "codes.npy", tmp_path / "out.wav"
    assert run(["codec", "encode", str(clip), "-o", str(codes), "--model", model, "--device", "cpu", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row == {"path": str(codes), "num_codebooks": 4, "frames": 32, "seconds_audio": 1.024}
    values = np.load(codes)
    assert values.shape == (4, 32)  # 8000 samples in frames of 256
    assert values.dtype == np.int64
    assert run(["codec", "decode", str(codes), "-o", str(out), "--model", model, "--device", "cpu"]) == 0
    assert "4 x 32 codes" in capsys.readouterr().out
    waveform, rate = read_waveform(out)
    assert (waveform.shape[1], rate) == (32 * 256, 8000)


def test_the_codec_file_itself_will_do(model: str, clip: Path, tmp_path: Path) -> None:
    outputs = [tmp_path / "a.npy", tmp_path / "b.npy"]
    for output, name in zip(outputs, (model, f"{model}/codec.safetensors"), strict=True):
        assert run(["codec", "encode", str(clip), "-o", str(output), "--model", name, "--device", "cpu"]) == 0
    assert outputs[0].read_bytes() == outputs[1].read_bytes()


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        (np.full((4, 5), 32), "out of range"),
        (np.full((4, 5), -1), "out of range"),
        (np.zeros((5, 5), int), "codes must be"),
        (np.zeros((4, 0), int), "at least one frame"),
        (np.zeros(4, int), "at least one frame"),
        (np.zeros((4, 5)), "must be integers"),
        (np.full((4, 5), 2**64 - 1, np.uint64), "out of range"),
        (np.array([{}], dtype=object), "not a .npy file"),
        (b"text", "not a .npy file"),
        (b"", "not a .npy file"),
        (None, "no such file"),
    ],
)
def test_bad_codes_are_one_line(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], codes: object, expected: str
) -> None:
    path, old = tmp_path / "codes.npy", tmp_path / "old.wav"
    old.write_bytes(b"old")
    if isinstance(codes, bytes):
        path.write_bytes(codes)
    elif codes is not None:
        np.save(path, codes, allow_pickle=True)  # type: ignore[arg-type]
    assert run(["codec", "decode", str(path), "-o", str(old), "--model", model, "--device", "cpu"]) == 2
    captured = capsys.readouterr()
    assert expected in captured.err
    assert captured.err.count("\n") == 1
    assert old.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (["absent.wav"], 2, "no such file"),
        (["clip.flac", "-o", "absent/codes.npy"], 1, "does not exist"),
        (["clip.flac", "-o", "."], 1, "is a folder"),
        (["clip.flac", "-o", "/dev/full"], 1, "no space left"),
        (["clip.flac", "--model", "absent"], 1, "no such checkpoint folder"),
        (["clip.flac", "--model", "."], 1, "neither codec.safetensors nor codec.pth"),
        (["clip.flac", "--dtype", "int3"], 2, "dtype must be one of"),
    ],
)
def test_bad_encoding_is_one_line(
    model: str,
    clip: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    expected: str,
) -> None:
    monkeypatch.chdir(clip.parent)
    assert run(["codec", "encode", "--model", model, "--device", "cpu", *arguments]) == code
    captured = capsys.readouterr()
    assert expected in captured.err
    assert captured.err.count("\n") == 1
    assert sorted(path.name for path in clip.parent.iterdir()) == ["clip.flac"]
