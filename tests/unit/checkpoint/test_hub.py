from __future__ import annotations

from pathlib import Path

import huggingface_hub
import pytest

from lungfish.checkpoint.hub import locate_checkpoint
from lungfish.errors import CheckpointError


def test_a_path_is_itself(tmp_path: Path) -> None:
    assert locate_checkpoint(tmp_path) == tmp_path
    assert locate_checkpoint(str(tmp_path)) == tmp_path


def test_a_hub_name_is_downloaded_into_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, Path]] = []

    def download(name: str, *, cache_dir: Path, allow_patterns: list[str]) -> str:
        asked.append((name, cache_dir))
        assert not any(pattern.endswith((".py", ".pkl")) for pattern in allow_patterns)
        return str(tmp_path)

    monkeypatch.setenv("LUNGFISH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    assert locate_checkpoint("someone/some-voice") == tmp_path
    assert asked == [("someone/some-voice", tmp_path / "cache" / "hub")]


def test_what_is_nowhere_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUNGFISH_CACHE", str(tmp_path))
    for name in (tmp_path / "absent", str(tmp_path / "absent"), "absent", "a/b/c", "../absent"):
        with pytest.raises(CheckpointError, match="no such checkpoint folder"):
            locate_checkpoint(name)
    with pytest.raises(CheckpointError, match="cannot be had from the hub") as caught:
        locate_checkpoint("no-such-owner/no-such-name")  # HF_HUB_OFFLINE is set for the tests
    assert "\n" not in str(caught.value)
