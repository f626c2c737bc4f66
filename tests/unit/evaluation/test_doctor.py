from __future__ import annotations

from pathlib import Path

import pytest

from lungfish.errors import CheckpointError
from lungfish.evaluation import doctor
from lungfish.evaluation.doctor import Check, examine
from tests.toy import write_toy_checkpoint


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUNGFISH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def no_voice() -> Path:
    raise CheckpointError("none")


def by_name(checks: list[Check]) -> dict[str, Check]:
    return {check.name: check for check in checks}


def test_without_a_voice_a_random_model_speaks(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lungfish.voices.library.bundled_folder", no_voice)
    checks = by_name(examine())
    assert checks["voice"].status == "warning"
    assert checks["speech"] == Check("speech", "ok", "a random model makes 8 frames")
    assert not [check for check in checks.values() if check.status == "failed"]
    assert {"python", "torch", "torch build", "cpu", "gpu", "audio files", "cache", "temporary files"} <= set(checks)


def test_a_bundled_voice_speaks(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_toy_checkpoint(tmp_path / "voice")
    monkeypatch.setattr("lungfish.voices.library.bundled_folder", lambda: folder)
    checks = by_name(examine())
    assert checks["voice"].status == "ok"
    assert "s of audio, RTF" in checks["speech"].detail


def test_a_broken_voice_fails(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_toy_checkpoint(tmp_path / "voice")
    (folder / "codec.safetensors").write_bytes(b"damage")
    monkeypatch.setattr("lungfish.voices.library.bundled_folder", lambda: folder)
    failed = [check for check in examine() if check.status == "failed"]
    assert [check.name for check in failed] == ["speech"]
    assert "WeightsError" in failed[0].detail


def test_a_full_disk_and_a_missing_package_are_named(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.mkdir()
    (cache / "file").write_bytes(bytes(30_000_000))
    monkeypatch.setattr(doctor, "_LOW_DISK_BYTES", 1 << 60)
    monkeypatch.setattr(doctor, "_ESSENTIAL", ("no-such-package",))
    monkeypatch.setattr(doctor, "_FORMATS", ("WAV", "NOSUCH"))
    checks = by_name(examine(speak=False))
    assert checks["cache"].status == "warning"
    assert "0.03 GB in it" in checks["cache"].detail
    assert "LUNGFISH_CACHE" in checks["cache"].detail
    assert checks["no-such-package"] == Check("no-such-package", "failed", "not installed; pip install no-such-package")
    assert checks["audio files"].status == "warning"
    assert "lacks NOSUCH" in checks["audio files"].detail
