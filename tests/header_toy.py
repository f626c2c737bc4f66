"""Files that are all header (the tensors are holes), and a web server on this machine that hands them out."""

from __future__ import annotations

import contextlib
import functools
import json
import math
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from lungfish.checkpoint.headers import DTYPES, ITEM_BYTES


def safetensors_header(tensors: Mapping[str, tuple[str, tuple[int, ...]]]) -> tuple[dict[str, Any], int]:
    """The JSON header for names -> (type as in the file, shape), and the bytes of data it describes."""
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    end = 0
    for name, (dtype, shape) in tensors.items():
        begin, end = end, end + math.prod(shape) * ITEM_BYTES[DTYPES[dtype]]
        header[name] = {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}
    return header, end


def write_hollow(path: Path, tensors: Mapping[str, tuple[str, tuple[int, ...]]]) -> Path:
    """A safetensors file of any size that takes no room on disk."""
    header, data = safetensors_header(tensors)
    text = json.dumps(header).encode()
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        file.truncate(8 + len(text) + data)
    return path


class _Handler(SimpleHTTPRequestHandler):
    """As the base class; with `ranges`, also parts of files. Counts what it sends in `sent`."""

    ranges = True
    sent: list[int]
    seen: list[dict[str, str]]

    def do_GET(self) -> None:
        self.seen.append(dict(self.headers))
        path = Path(self.translate_path(self.path))
        found = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if not self.ranges or found is None or not path.is_file():
            if path.is_file():
                self.sent.append(path.stat().st_size)
            super().do_GET()
            return
        size = path.stat().st_size
        begin, end = int(found[1]), min(int(found[2]), size - 1)
        if begin >= size:
            self.send_error(416)
            return
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {begin}-{end}/{size}")
        self.send_header("Content-Length", str(end - begin + 1))
        self.end_headers()
        with path.open("rb") as file:
            file.seek(begin)
            self.wfile.write(file.read(end - begin + 1))
        self.sent.append(end - begin + 1)

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def copyfile(self, source: Any, outputfile: Any) -> None:
        with contextlib.suppress(ConnectionError):  # a client that has read enough
            super().copyfile(source, outputfile)


class Served:
    """Attributes:
    url: of the folder, without a slash at its end.
    sent: bytes of each answer.
    seen: headers of each request.
    """

    def __init__(self, url: str, sent: list[int], seen: list[dict[str, str]]) -> None:
        self.url, self.sent, self.seen = url, sent, seen


@contextmanager
def serve(folder: Path, *, ranges: bool = True, handler: type[_Handler] = _Handler) -> Iterator[Served]:
    """Serve `folder` on localhost."""
    sent: list[int] = []
    seen: list[dict[str, str]] = []
    chosen = type("Handler", (handler,), {"ranges": ranges, "sent": sent, "seen": seen})
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(chosen, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield Served(f"http://127.0.0.1:{server.server_address[1]}", sent, seen)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


Handler = _Handler
