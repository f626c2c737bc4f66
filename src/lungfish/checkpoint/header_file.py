"""A file of which only headers are wanted: reads small windows on demand, and refuses to be talked into reading it all.

Damaged and hostile files claim absurd lengths; every byte that is fetched counts against `MAX_READ_BYTES`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from lungfish.errors import CheckpointError, WeightsError

MAX_READ_BYTES = 256 << 20
WINDOW_BYTES = 64 << 10


class HeaderFile:
    """What `zipfile` and the header readers need of a file: read, seek, tell.

    Args:
        name: for messages.
        size: in bytes.
        fetch: (offset, length) -> exactly these bytes, or more after them; asked for nothing beyond `size`.
    """

    def __init__(self, name: str, size: int, fetch: Callable[[int, int], bytes]) -> None:
        self.name, self.size = name, size
        self._fetch = fetch
        self._position = self._begin = self.bytes_read = 0
        self._window = b""

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self.size}[whence]
        if start + offset < 0:
            raise OSError(f"{self.name}: seek before the start")
        self._position = start + offset
        return self._position

    def read(self, count: int = -1) -> bytes:
        """At most `count` bytes, fewer only at the end of the file; everything that is left for a negative count.

        Raises:
            WeightsError: more than headers ever need.
            CheckpointError: the file cannot be read.
        """
        left = max(0, self.size - self._position)
        count = left if count < 0 else min(count, left)
        if count == 0:
            return b""
        begin = self._position - self._begin
        if begin < 0 or begin + count > len(self._window):
            self._load(count)
            begin = self._position - self._begin
        self._position += count
        return self._window[begin : begin + count]

    def _load(self, count: int) -> None:
        """Put `count` bytes from the position on into the window, and what lies around them."""
        begin = max(0, min(self._position, self.size - WINDOW_BYTES))
        length = max(self._position + count, min(begin + WINDOW_BYTES, self.size)) - begin
        self.bytes_read += length
        if self.bytes_read > MAX_READ_BYTES:
            raise WeightsError(f"{self.name}: its headers claim more than {MAX_READ_BYTES >> 20} MiB; damaged?")
        window = self._fetch(begin, length)
        if len(window) < length:
            raise CheckpointError(f"{self.name}: ends early, fetch it again")
        self._begin, self._window = begin, window


def open_local(path: Path) -> HeaderFile:
    """A file on disk.

    Raises:
        CheckpointError: absent or unreadable.
    """

    def fetch(offset: int, length: int) -> bytes:
        try:
            with path.open("rb") as file:
                file.seek(offset)
                return file.read(length)
        except OSError as error:
            raise CheckpointError(f"{path}: cannot be read ({error.strerror})") from error

    try:
        size = path.stat().st_size
    except OSError as error:
        raise CheckpointError(f"{path}: cannot be read ({error.strerror})") from error
    return HeaderFile(path.name, size, fetch)
