"""A checkpoint's name -> its folder: a path as it is, OWNER/NAME from the Hugging Face hub into the cache."""

from __future__ import annotations

import re
from pathlib import Path

from lungfish.config.env import cache_dir
from lungfish.errors import CheckpointError

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_WANTED = ["*.json", "*.safetensors", "*.pth", "*.tiktoken", "README.md", "LICENSE*"]


def locate_checkpoint(name: str | Path) -> Path:
    """The folder (or single file) that `name` stands for; downloads at most once.

    Raises:
        CheckpointError: no such path, and no such name on the hub (or no way to reach it).
    """
    path = Path(name).expanduser()
    if path.exists():
        return path
    if isinstance(name, Path) or not _HUB_NAME.fullmatch(name):
        raise CheckpointError(f"{name}: no such checkpoint folder")
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, cache_dir=cache_dir() / "hub", allow_patterns=_WANTED))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        reason = " ".join(str(error).split())[:160]
        raise CheckpointError(f"{name}: no such folder, and it cannot be had from the hub ({reason})") from error
