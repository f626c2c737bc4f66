"""Only our own voice is ever in the repository, the wheel or the source archive: no weights of anybody else."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest

from lungfish.checkpoint.licence import read_licence

CHECKOUT = Path(__file__).parents[2]
SUFFIXES = {
    ".safetensors",
    ".pth",
    ".pt",
    ".bin",
    ".ckpt",
    ".onnx",
    ".gguf",
    ".npz",
    ".npy",
    ".h5",
    ".pb",
    ".tflite",
    ".pkl",
}
VOICE = "src/lungfish/voices/bundled/"
OURS = {VOICE + "model.safetensors", VOICE + "codec.safetensors"}
GOLDEN = "tests/golden/"  # random numbers in the released formats, no voice
GOLDEN_BYTES = 4_000_000
LARGE_BYTES = 500_000
LARGE = {"src/lungfish/text/lexicon_en.xz"}


def shipped() -> list[str]:
    """All files of the checkout that git has, or would take; the wheel is made of those under src/lungfish."""
    if not (CHECKOUT / ".git").exists():
        pytest.skip("not a checkout")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=CHECKOUT, capture_output=True, check=True).stdout.decode()
    return [name for name in listed.split("\0") if name and (CHECKOUT / name).is_file()]


def test_no_weights_but_our_own() -> None:
    for name in shipped():
        if Path(name).suffix.lower() in SUFFIXES and name not in OURS:
            assert name.startswith(GOLDEN), f"{name}: weights that are not the bundled voice"
            assert (CHECKOUT / name).stat().st_size < GOLDEN_BYTES, f"{name}: too large for a golden bundle"


def test_nothing_large_under_another_name() -> None:
    for name in shipped():
        if not name.startswith(GOLDEN) and (CHECKOUT / name).stat().st_size > LARGE_BYTES:
            assert name in OURS | LARGE, f"{name}: large; are those weights?"


def test_no_weights_but_our_own_in_a_built_wheel() -> None:
    for wheel in (CHECKOUT / "build" / "dist").glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                assert Path(name).suffix.lower() not in SUFFIXES or f"src/{name}" in OURS, f"{wheel.name}: {name}"


def test_the_bundled_voice_is_not_under_another_licence() -> None:
    licence = read_licence(CHECKOUT / VOICE)
    assert licence is None or licence.commercial_use is True
