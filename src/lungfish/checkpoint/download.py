"""Checkpoints from the Hugging Face hub into the cache, once their licence is accepted.

    offer = look_up("owner/name")     what there is: files, sizes, licence; nothing is written
    pull(offer, accepted=ID)          fetched, resumed where it stopped, hashes checked, pinned to one commit

A file lies under its final name only when its hash is right; until then it is a `.incomplete` that the next try goes on
with. Offline mode, tokens, proxies and another endpoint are the hub library's business, by its own variables.
"""

from __future__ import annotations

import contextlib
import dataclasses
import errno
import fnmatch
import hashlib
import io
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from lungfish.checkpoint.atomic import write_atomically
from lungfish.checkpoint.hub import hub_dir, is_hub_name, storage_of, write_record
from lungfish.checkpoint.licence import (
    MAX_TEXT_BYTES,
    UNSTATED,
    Licence,
    from_card,
    is_licence_file,
    recognise,
    stated_licence,
    strictest,
)
from lungfish.errors import CheckpointError, ConfigError, DownloadError, LicenceError, LungfishError, OutputError

RESERVE_BYTES = 100_000_000  # of disk that stay free
_WANTED = ("*.json", "*.safetensors", "*.pth", "*.tiktoken", "README.md", "NOTICE*")
_PART = ".incomplete"
_READ_BYTES = 1 << 20


@dataclass(frozen=True)
class RemoteFile:
    """A file on the hub. `digest` is its SHA-256 where it is stored as a large file, else its git object id."""

    name: str
    size: int
    digest: str

    def matches(self, path: Path) -> bool:
        """Whether `path` holds just these bytes."""
        with path.open("rb") as file:
            return path.stat().st_size == self.size and self.hash(file) == self.digest

    def hash(self, file: IO[bytes]) -> str:
        """Of what is left in an open file, in the way that `digest` is made."""
        if len(self.digest) == 64:
            running = hashlib.sha256()
        else:
            running = hashlib.sha1(b"blob %d\0" % self.size, usedforsecurity=False)
        while chunk := file.read(_READ_BYTES):
            running.update(chunk)
        return running.hexdigest()


@dataclass(frozen=True)
class Offer:
    """What the hub has under a name.

    Attributes:
        revision: as asked for.
        commit: that it stands for; what is fetched is of this commit.
        files: those that a checkpoint needs.
        licence: by the checkpoint's own text, else by its card.
        licence_text: the text; None where there is none.
        missing_bytes: still to be fetched.
        free_bytes: on the disk of the cache.
    """

    name: str
    revision: str
    commit: str
    files: tuple[RemoteFile, ...]
    licence: Licence
    licence_text: str | None
    missing_bytes: int
    free_bytes: int

    @property
    def total_bytes(self) -> int:
        return sum(file.size for file in self.files)


def look_up(name: str, revision: str | None = None) -> Offer:
    """What the hub has. Nothing is written.

    Args:
        name: OWNER/NAME.
        revision: branch, tag or commit; None is the main branch.

    Raises:
        ConfigError: not a name.
        CheckpointError: it is no checkpoint.
        DownloadError: no such name or revision, not allowed in, or no way to reach the hub.
    """
    if not is_hub_name(name):
        raise ConfigError(f"{name}: not a name on the hub, which has the form OWNER/NAME")
    if revision is not None and (not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_./-]*", revision) or ".." in revision):
        raise ConfigError(f"{revision!r}: not a revision; give a branch, a tag or a commit")
    from huggingface_hub import HfApi

    with _hub_errors(name, revision):
        about = HfApi().model_info(name, revision=revision, files_metadata=True)
    commit = about.sha or ""
    if not re.fullmatch(r"[0-9a-f]{40}", commit):
        raise DownloadError(f"{name}: the hub does not say which commit {revision or 'main'} is")
    known = [_remote_file(name, entry) for entry in about.siblings or () if _is_wanted(entry.rfilename)]
    files = tuple(sorted(known, key=lambda file: (file.size, file.name)))
    if not any(fnmatch.fnmatch(file.name, pattern) for file in files for pattern in ("*.safetensors", "*.pth")):
        raise CheckpointError(f"{name}: has no weights that could be loaded (safetensors or pth); not a checkpoint")
    texts = [(file, _read_text(name, commit, file)) for file in files if is_licence_file(file.name)]
    if texts:
        found = [dataclasses.replace(recognise(text), link=_page(name, commit, file.name)) for file, text in texts]
        licence = strictest(found)
        text = texts[found.index(licence)][1]
    else:
        stated = stated_licence(about.card_data.to_dict()) if about.card_data is not None else ""
        licence, text = from_card(stated) if stated else UNSTATED, None
        licence = dataclasses.replace(licence, link=licence.link or _page(name, commit, ""))
    blobs = storage_of(name) / "blobs"
    missing = sum(file.size - _have(blobs, file) for file in {file.digest: file for file in files}.values())
    return Offer(name, revision or "main", commit, files, licence, text, missing, _free_bytes(blobs))


def check_room(offer: Offer) -> None:
    """Raises:
    OutputError: the disk has no room for what is to be fetched.
    """
    if offer.missing_bytes and offer.missing_bytes + RESERVE_BYTES > offer.free_bytes:
        raise OutputError(
            f"{offer.name}: needs {offer.missing_bytes / 1e9:.2f} GB more, {offer.free_bytes / 1e9:.2f} GB are free under"
            f" {hub_dir()}; make room, or set LUNGFISH_CACHE to another disk"
        )


def pull(offer: Offer, accepted: str | None = None) -> Path:
    """Fetch what is missing and record it.

    Args:
        offer: from `look_up`.
        accepted: id of the licence that the user accepts.

    Returns:
        Folder of the snapshot.

    Raises:
        LicenceError: that is not this checkpoint's licence; nothing is fetched.
        DownloadError: cut off (the next try goes on from there), or bytes that do not have the announced hash.
        OutputError: the disk is full, or the cache cannot be written.
    """
    check_licence(offer, accepted)
    check_room(offer)
    storage = storage_of(offer.name)
    snapshot = storage / "snapshots" / offer.commit
    try:
        for file in offer.files:
            _link(_fetched(offer, file, storage), snapshot / file.name)
        if offer.revision != offer.commit:
            reference = storage / "refs" / offer.revision
            write_atomically(reference, lambda part: part.write_text(offer.commit, encoding="utf-8"))
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise OutputError(
                f"{offer.name}: the disk is full; make room and pull again, it goes on from here"
            ) from error
        raise OutputError(f"{storage}: cannot be written ({error.strerror or error})") from error
    record = {
        "revision": offer.revision,
        "commit": offer.commit,
        "accepted_licence": accepted,
        "licence": offer.licence.to_dict(),
        "files": {file.name: {"size": file.size, "digest": file.digest} for file in offer.files},
    }
    write_record(offer.name, record)
    return snapshot


def check_licence(offer: Offer, accepted: str | None) -> None:
    """Raises:
    LicenceError: `accepted` is not the id of the offer's licence.
    """
    if accepted == offer.licence.id:
        return
    theirs = f"{offer.name} is under {offer.licence.name}: {offer.licence.link}"
    if accepted is None:
        raise LicenceError(f"{theirs}; nothing was fetched; accept it with --accept-licence {offer.licence.id}")
    raise LicenceError(f"{theirs}; its id is {offer.licence.id}, not {accepted}; nothing was fetched")


# --- the hub --------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _hub_errors(name: str, revision: str | None) -> Iterator[None]:
    """What the hub library raises, as one line. Its log, which says the same in more lines, is silent meanwhile."""
    from huggingface_hub.errors import (
        GatedRepoError,
        OfflineModeIsEnabled,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )
    from huggingface_hub.utils import logging

    verbosity = logging.get_verbosity()
    logging.set_verbosity_error()
    try:
        yield
    except GatedRepoError as error:
        raise DownloadError(
            f"{name}: its owner lets in only whom they know; accept the terms on its page, then set HF_TOKEN"
        ) from error
    except RepositoryNotFoundError as error:
        raise DownloadError(f"{name}: no such name on the hub (or it is private, and HF_TOKEN is not set)") from error
    except RevisionNotFoundError as error:
        raise DownloadError(f"{name}: has no revision {revision} on the hub") from error
    except OfflineModeIsEnabled as error:
        raise DownloadError(f"{name}: offline mode is on (HF_HUB_OFFLINE), so the hub is not asked") from error
    except LungfishError:
        raise
    except Exception as error:  # whatever the hub's HTTP library of the day raises
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise
        reason = " ".join(str(error).split())[:160] or type(error).__name__
        raise DownloadError(f"{name}: the hub cannot be reached, or broke off ({reason}); try again") from error
    finally:
        logging.set_verbosity(verbosity)


def _is_wanted(name: str) -> bool:
    """Files of the checkpoint itself, not of folders inside of it; a name is never a way out of the cache."""
    if "/" in name or "\\" in name or name.startswith("."):
        return False
    return is_licence_file(name) or any(fnmatch.fnmatch(name, pattern) for pattern in _WANTED)


def _remote_file(name: str, entry: Any) -> RemoteFile:
    size = entry.lfs.size if entry.lfs is not None else entry.size
    digest = entry.lfs.sha256 if entry.lfs is not None else entry.blob_id
    if not isinstance(size, int) or not re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", digest or ""):
        raise DownloadError(f"{name}: the hub states no size or hash of {entry.rfilename}, so it could not be checked")
    return RemoteFile(entry.rfilename, size, digest)


def _page(name: str, commit: str, file: str) -> str:
    from huggingface_hub import constants

    return f"{constants.ENDPOINT}/{name}/blob/{commit}/{file}" if file else f"{constants.ENDPOINT}/{name}"


def _read_text(name: str, commit: str, file: RemoteFile) -> str:
    """A licence, into memory."""
    if file.size > MAX_TEXT_BYTES:
        raise DownloadError(f"{name}: {file.name} is {file.size} bytes long, which no licence is")
    buffer = io.BytesIO()
    _get(name, commit, file, buffer, 0, quiet=True)
    buffer.seek(0)
    if file.hash(buffer) != file.digest:
        raise DownloadError(f"{name}: {file.name} is not what the hub announces (its hash differs); try again")
    return buffer.getvalue().decode("utf-8", "replace")


def _get(name: str, commit: str, file: RemoteFile, into: IO[bytes], resume_size: int, *, quiet: bool = False) -> None:
    """Bytes of a file from `resume_size` on; a short break of the connection is bridged by the hub's library."""
    from huggingface_hub import hf_hub_url
    from huggingface_hub.file_download import http_get
    from huggingface_hub.utils import (
        are_progress_bars_disabled,
        build_hf_headers,
        disable_progress_bars,
        enable_progress_bars,
    )

    silence = quiet and not are_progress_bars_disabled()
    if silence:
        disable_progress_bars()
    try:
        with _hub_errors(name, commit):
            http_get(
                hf_hub_url(name, file.name, revision=commit),
                into,  # type: ignore[arg-type]
                resume_size=resume_size,
                headers={**build_hf_headers(), "Accept-Encoding": "identity"},
                expected_size=file.size,
                displayed_filename=file.name,
            )
    finally:
        if silence:
            enable_progress_bars()


def _fetched(offer: Offer, file: RemoteFile, storage: Path) -> Path:
    """The blob of a file, fetched if it is not there yet. Two processes at once wait for each other."""
    from huggingface_hub.utils import WeakFileLock

    blob = storage / "blobs" / file.digest
    lock = storage.parent / ".locks" / storage.name / f"{file.digest}.lock"
    for folder in (blob.parent, lock.parent):
        folder.mkdir(parents=True, exist_ok=True)
    with WeakFileLock(lock):
        if blob.is_file() and blob.stat().st_size == file.size:
            return blob
        part = blob.with_name(blob.name + _PART)
        if part.is_file() and part.stat().st_size > file.size:
            part.unlink()
        with part.open("ab") as into:
            _get(offer.name, offer.commit, file, into, into.tell())
            into.flush()
            os.fsync(into.fileno())
        if not file.matches(part):
            part.unlink()
            raise DownloadError(
                f"{offer.name}: {file.name} is not what the hub announces (its hash differs); thrown away, pull it again"
            )
        os.replace(part, blob)
    return blob


def _link(blob: Path, path: Path) -> None:
    """The blob under its name in the snapshot: a relative link; where those are not allowed a hard one, or a copy."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and path.stat().st_size == blob.stat().st_size:
        return
    path.unlink(missing_ok=True)
    try:
        path.symlink_to(os.path.relpath(blob, path.parent))
    except (OSError, NotImplementedError):
        try:
            os.link(blob, path)
        except OSError:
            write_atomically(path, lambda part: shutil.copyfile(blob, part))


def _have(blobs: Path, file: RemoteFile) -> int:
    for path in (blobs / file.digest, blobs / (file.digest + _PART)):
        if path.is_file():
            return min(path.stat().st_size, file.size)
    return 0


def _free_bytes(path: Path) -> int:
    while not path.exists():
        path = path.parent
    return shutil.disk_usage(path).free
