"""A hub of one checkpoint on localhost: metadata, files by range, and all the ways in which one can fail."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
import urllib.parse
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

NAME = "someone/some-voice"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


class FakeHub:
    """Attributes:
    files: name -> bytes; *.safetensors and *.pth are large files, with a SHA-256.
    card: metadata of the model card.
    revisions: names of the one commit.
    cut: file -> bytes after which the connection breaks; then the file is refused until it is taken out of here.
    lies: file -> bytes that are sent instead.
    gated: files are refused.
    asked: (path, Range header) of what was asked for.
    """

    def __init__(self, files: dict[str, bytes], card: dict[str, Any] | None = None) -> None:
        self.files, self.card = files, card
        self.revisions = ["main", COMMIT]
        self.cut: dict[str, int] = {}
        self.lies: dict[str, bytes] = {}
        self.gated = False
        self.asked: list[tuple[str, str | None]] = []
        self.endpoint = ""
        self._broken: set[str] = set()

    def fetched(self) -> list[str]:
        """Names of the files that were asked for."""
        return [path.rpartition("/")[2] for path, _ in self.asked if "/resolve/" in path]

    def metadata(self) -> dict[str, Any]:
        siblings = []
        for name, content in self.files.items():
            header = b"blob %d\0" % len(content)
            entry: dict[str, Any] = {
                "rfilename": name,
                "size": len(content),
                "blobId": hashlib.sha1(header + content).hexdigest(),
            }
            if name.endswith((".safetensors", ".pth")):
                digest = hashlib.sha256(content).hexdigest()
                entry["lfs"] = {"sha256": digest, "size": len(content), "pointerSize": 134}
            siblings.append(entry)
        return {"id": NAME, "modelId": NAME, "sha": COMMIT, "tags": [], "siblings": siblings, "cardData": self.card}

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        path = urllib.parse.unquote(urllib.parse.urlsplit(request.path).path)
        self.asked.append((path, request.headers.get("Range")))
        parts = path.strip("/").split("/")
        if parts[:2] == ["api", "models"]:
            if "/".join(parts[2:4]) != NAME:
                self._send(request, 404, b"", {"X-Error-Code": "RepoNotFound"})
            elif len(parts) > 4 and "/".join(parts[5:]) not in self.revisions:
                self._send(request, 404, b"", {"X-Error-Code": "RevisionNotFound"})
            else:
                self._send(request, 200, json.dumps(self.metadata()).encode(), {"Content-Type": "application/json"})
            return
        file = parts[-1]
        if self.gated:
            self._send(request, 403, b"", {"X-Error-Code": "GatedRepo"})
        elif file not in self.files or parts[3] != COMMIT:
            self._send(request, 404, b"", {"X-Error-Code": "EntryNotFound"})
        elif file in self.cut and file in self._broken:
            self._send(request, 503, b"", {})
        else:
            self._file(request, file)

    def _file(self, request: BaseHTTPRequestHandler, file: str) -> None:
        content = self.lies.get(file, self.files[file])
        begin = 0
        headers = {}
        if request.headers.get("Range"):
            begin = int(request.headers["Range"].removeprefix("bytes=").split("-")[0])
            headers["Content-Range"] = f"bytes {begin}-{len(content) - 1}/{len(content)}"
        body = content[begin:]
        if file in self.cut:
            self._broken.add(file)
            self._send(request, 200, body[: self.cut[file]], {"Content-Length": str(len(body))})
            request.close_connection = True
            return
        self._send(request, 206 if begin else 200, body, headers)

    @staticmethod
    def _send(request: BaseHTTPRequestHandler, status: int, body: bytes, headers: dict[str, str]) -> None:
        request.send_response(status)
        for name, value in ({"Content-Length": str(len(body))} | headers).items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body)


@contextlib.contextmanager
def serve(hub: FakeHub) -> Iterator[FakeHub]:
    """The hub, answering at `hub.endpoint`; also as a proxy, for it does not care which host was asked for."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            with contextlib.suppress(ConnectionError):
                hub.answer(self)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    hub.endpoint = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
