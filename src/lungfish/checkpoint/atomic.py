"""Files that are replaced whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path

from safetensors import SafetensorError

from lungfish.errors import OutputError


def write_atomically(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` make a temporary file beside `path`, then put it in place; whatever fails, `path` stays as it was.

    Args:
        path: the final file; its folder is made if absent.
        write: gets the temporary path and creates that file.

    Raises:
        OutputError: not writable, or the disk is full.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.touch()
            mode = part.stat().st_mode  # as the umask has it; some writers make private files
            write(part)
            part.chmod(mode)
            with part.open("rb+") as written:
                os.fsync(written.fileno())
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)
    except (OSError, SafetensorError) as error:
        raise OutputError(f"{path}: cannot be written ({error})") from error
