from __future__ import annotations

from pathlib import Path

import pytest

from lungfish.config.env import cache_dir


def test_cache_dir(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LUNGFISH_CACHE", str(tmp_path))
    assert cache_dir() == tmp_path
    monkeypatch.setenv("LUNGFISH_CACHE", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_dir() == tmp_path / ".cache" / "lungfish"
