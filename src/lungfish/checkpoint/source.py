"""Where a checkpoint is looked at without downloading it: a folder, one file, a web address, or a name on the hub.

A `Source` answers which files there are and opens them for their headers. Nothing is written to disk.
"""

from __future__ import annotations

import posixpath
import re
import urllib.parse
from collections.abc import Callable, Iterable
from pathlib import Path

from lungfish.checkpoint.header_file import MAX_READ_BYTES, HeaderFile, open_local
from lungfish.checkpoint.remote_file import open_remote
from lungfish.errors import CheckpointError, DownloadError

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_FILE_SUFFIXES = (".safetensors", ".pth", ".pt", ".bin", ".ckpt")


class Source:
    """Args:
    label: what the user called it.
    find: name of a file -> the file, None where there is none.
    focus: the one file that was asked for; None for a whole checkpoint.
    folder: on this disk, where it is.
    pinned: the exact revision that is looked at, on the hub.
    """

    def __init__(
        self,
        label: str,
        find: Callable[[str], HeaderFile | None],
        *,
        focus: str | None = None,
        folder: Path | None = None,
        pinned: str | None = None,
    ) -> None:
        self.label, self.focus, self.folder, self.pinned = label, focus, folder, pinned
        self._find = find
        self._known: dict[str, HeaderFile | None] = {}

    def file(self, name: str) -> HeaderFile | None:
        """The file of this name, at its start; None where there is none.

        Raises:
            CheckpointError: it cannot be read.
        """
        if name not in self._known:
            self._known[name] = self._find(name)
        found = self._known[name]
        if found is not None:
            found.seek(0)
        return found

    def has(self, name: str) -> bool:
        return self.file(name) is not None

    def first(self, names: Iterable[str]) -> str | None:
        """The first of `names` that exists."""
        return next((name for name in names if self.has(name)), None)

    def read(self, name: str) -> bytes | None:
        """A whole (small) file."""
        found = self.file(name)
        if found is None:
            return None
        if found.size > MAX_READ_BYTES // 4:
            raise CheckpointError(f"{self.label}: {name} is {found.size >> 20} MiB long, which it cannot be; damaged?")
        return found.read()


def open_source(where: str, revision: str | None = None, endpoint: str | None = None) -> Source:
    """Args:
        where: a folder, a file, an http(s) address of either, or OWNER/NAME on the hub.
        revision: branch, tag or commit, on the hub.
        endpoint: another hub than the default one.

    Raises:
        CheckpointError: no such folder or file.
        DownloadError: it cannot be reached, or is not there.
    """
    if where.startswith(("http://", "https://")):
        return _web(where)
    path = Path(where).expanduser()
    if path.is_dir():
        return Source(where, lambda name: _inside(path, name), folder=path)
    if path.exists():
        return Source(where, lambda name: _inside(path.parent, name), focus=path.name, folder=path.parent)
    if not _HUB_NAME.fullmatch(where):
        raise CheckpointError(f"{where}: no such folder or file, and not a name on the hub (OWNER/NAME)")
    return _hub(where, revision, endpoint)


def _inside(folder: Path, name: str) -> HeaderFile | None:
    path = folder / name
    return open_local(path) if path.is_file() else None


def _web(address: str) -> Source:
    parts = urllib.parse.urlsplit(address)
    if not parts.path.endswith(_FILE_SUFFIXES):
        parts = parts._replace(path=parts.path.rstrip("/") + "/")
    base, focus = posixpath.split(parts.path)

    def find(name: str) -> HeaderFile | None:
        return open_remote(parts._replace(path=posixpath.join(base, urllib.parse.quote(name))).geturl())

    return Source(address, find, focus=urllib.parse.unquote(focus) or None)


def _hub(name: str, revision: str | None, endpoint: str | None) -> Source:
    from huggingface_hub import HfApi, hf_hub_url
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError, RevisionNotFoundError
    from huggingface_hub.utils import build_hf_headers

    try:
        about = HfApi(endpoint=endpoint).model_info(name, revision=revision)
    except GatedRepoError as error:
        raise DownloadError(f"{name}: its owner on the hub must let you in first; accept its terms there") from error
    except RepositoryNotFoundError as error:
        raise DownloadError(f"{name}: no such folder, and no such name on the hub") from error
    except RevisionNotFoundError as error:
        raise DownloadError(f"{name}: has no revision {revision} on the hub") from error
    except Exception as error:  # whatever the hub's HTTP library of the day raises
        cached = _cached(name, revision)
        if cached is None:
            reason = " ".join(str(error).split())[:160]
            raise DownloadError(f"{name}: no such folder, and the hub cannot be asked ({reason})") from error
        return Source(name, lambda file: _inside(cached, file), folder=cached, pinned=cached.name)
    present = {sibling.rfilename for sibling in about.siblings or ()}
    headers = {key: value for key, value in build_hf_headers().items() if isinstance(value, str)}

    def find(file: str) -> HeaderFile | None:
        if file not in present:
            return None
        return open_remote(hf_hub_url(name, file, revision=about.sha, endpoint=endpoint), headers)

    return Source(name, find, pinned=about.sha)


def _cached(name: str, revision: str | None) -> Path | None:
    """A downloaded snapshot, for when there is no network."""
    from huggingface_hub import snapshot_download

    from lungfish.config.env import cache_dir

    try:
        return Path(snapshot_download(name, revision=revision, cache_dir=cache_dir() / "hub", local_files_only=True))
    except (OSError, ValueError, RuntimeError):
        return None
