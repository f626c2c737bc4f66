"""Checkpoints of the hub that are on this disk: where they lie, which are whole, and how they go.

Layout: that of the hub's own cache (blobs by hash, snapshots by commit), which other programs read too, plus one record
that names the commit, its files and the licence that was accepted. What fetches them: checkpoint/download.py.
"""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lungfish.checkpoint.atomic import write_atomically
from lungfish.checkpoint.licence import Licence
from lungfish.config.env import cache_dir
from lungfish.errors import CheckpointError, ConfigError, OutputError

_HUB_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*/[A-Za-z0-9][A-Za-z0-9_.-]*")
_RECORD = "lungfish.json"
_PREFIX = "models--"


@dataclass(frozen=True)
class Pulled:
    """A checkpoint in the cache.

    Attributes:
        folder: of the snapshot; None while it is not complete.
        disk_bytes: of all that lies there under this name.
    """

    name: str
    revision: str | None
    commit: str | None
    licence: Licence | None
    folder: Path | None
    disk_bytes: int


def is_hub_name(name: str) -> bool:
    """Whether it has the form OWNER/NAME."""
    return _HUB_NAME.fullmatch(name) is not None


def locate_checkpoint(name: str | Path) -> Path:
    """The folder (or single file) that `name` stands for: a path as it is, OWNER/NAME as it was pulled.

    Raises:
        CheckpointError: no such path, and nothing of that name was pulled.
    """
    path = Path(name).expanduser()
    if path.exists():
        return path
    if isinstance(name, Path) or not is_hub_name(name):
        raise CheckpointError(f"{name}: no such checkpoint folder")
    pulled = find_pulled(name)
    if pulled is None or pulled.folder is None:
        have = "not completely here" if pulled is not None else "no such folder"
        raise CheckpointError(
            f"{name}: {have}; if it is a name on the hub, get it with `lungfish model pull {name}`, which shows its licence"
        )
    return pulled.folder


def hub_dir() -> Path:
    """Where pulled checkpoints lie, in the layout of the hub's cache."""
    return cache_dir() / "hub"


def find_pulled(name: str) -> Pulled | None:
    """What lies in the cache under this name, whole or not; None where nothing does."""
    storage = storage_of(name)
    if not is_hub_name(name) or not storage.is_dir():
        return None
    unfinished = Pulled(name, None, None, None, None, _disk_bytes(storage))
    try:
        raw = json.loads((storage / _RECORD).read_text(encoding="utf-8"))
        commit, files = raw["commit"], raw["files"]
        folder = storage / "snapshots" / commit
        whole = all((folder / file).stat().st_size == entry["size"] for file, entry in files.items())
        licence = Licence.from_dict(raw["licence"])
        return dataclasses.replace(
            unfinished, revision=raw["revision"], commit=commit, licence=licence, folder=folder if whole else None
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, ConfigError):
        return unfinished


def list_pulled() -> list[Pulled]:
    """All that was pulled, by name."""
    names = sorted(path.name for path in hub_dir().glob(f"{_PREFIX}*--*") if path.is_dir())
    found = (find_pulled(name.removeprefix(_PREFIX).replace("--", "/", 1)) for name in names)
    return [pulled for pulled in found if pulled is not None]


def remove(name: str) -> int:
    """Delete what was pulled under this name.

    Returns:
        Bytes that are free again.

    Raises:
        CheckpointError: nothing of that name is here.
        OutputError: it cannot be deleted.
    """
    pulled = find_pulled(name)
    if pulled is None:
        raise CheckpointError(f"{name}: was not pulled; `lungfish model list` shows what was")
    storage = storage_of(name)
    try:
        (storage / _RECORD).unlink(missing_ok=True)  # first: half of a checkpoint must not look like one
        shutil.rmtree(storage)
    except OSError as error:
        raise OutputError(f"{storage}: cannot be deleted ({error.strerror or error})") from error
    shutil.rmtree(hub_dir() / ".locks" / storage.name, ignore_errors=True)
    return pulled.disk_bytes


def storage_of(name: str) -> Path:
    """The folder of a name in the cache; it may not exist."""
    return hub_dir() / (_PREFIX + name.replace("/", "--"))


def write_record(name: str, record: Mapping[str, Any]) -> None:
    """Say that a checkpoint is whole: `revision`, `commit`, `files` (size and digest by name), `licence`."""
    text = json.dumps({"name": name, **record}, indent=1, ensure_ascii=False) + "\n"
    write_atomically(storage_of(name) / _RECORD, lambda part: part.write_text(text, encoding="utf-8"))


def _disk_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
