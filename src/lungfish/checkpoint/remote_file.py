"""Parts of a file by HTTP range requests, so that headers of many gigabytes cost kilobytes.

A server that ignores ranges is read from the start as far as needed, up to `MAX_SKIP_BYTES`; beyond that it is an error.
Proxies of the environment are honoured. An access token is sent to the host that was named and to no other.
"""

from __future__ import annotations

import http.client
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import IO, Any

from lungfish.checkpoint.header_file import WINDOW_BYTES, HeaderFile
from lungfish.errors import DownloadError

TIMEOUT_S = 30
MAX_SKIP_BYTES = 64 << 20
_CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)")
_SCHEMES = ("http", "https")


class _SameHostOnly(urllib.request.HTTPRedirectHandler):
    """Follows redirects; authorization stays behind when the host changes."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        request = super().redirect_request(req, fp, code, msg, headers, newurl)
        if request is not None and _origin(req.full_url) != _origin(newurl):
            request.headers = {
                name: value for name, value in request.headers.items() if name.lower() != "authorization"
            }
        return request


def _origin(url: str) -> tuple[str, str]:
    parts = urllib.parse.urlsplit(url)
    return parts.scheme, parts.netloc


class _Remote:
    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self.url, self.headers = url, dict(headers)
        self._opener = urllib.request.build_opener(_SameHostOnly)

    def fetch(self, offset: int, length: int) -> bytes:
        return self.get(offset, length)[0]

    def get(self, offset: int, length: int) -> tuple[bytes, int]:
        """Up to `length` bytes from `offset` on, and the size of the whole file."""
        request = urllib.request.Request(self.url, headers=self.headers)
        request.add_header("Range", f"bytes={offset}-{offset + length - 1}")
        request.add_header("Accept-Encoding", "identity")
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as response:
                return self._body(response, offset, length)
        except urllib.error.HTTPError as error:
            if error.code == 416:
                return b"", 0  # nothing there: an empty file
            raise DownloadError(f"{self.url}: the server says {error.code} {error.reason}") from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            raise DownloadError(f"{self.url}: cannot be reached ({reason})") from error

    def _body(self, response: Any, offset: int, length: int) -> tuple[bytes, int]:
        if response.status == 206:
            found = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", "").strip())
            if found is None or int(found[1]) != offset:
                raise DownloadError(f"{self.url}: the server answered with another part than was asked for")
            return response.read(length), int(found[3])
        size = response.headers.get("Content-Length", "")
        if not size.isdigit():
            raise DownloadError(f"{self.url}: the server does not say how long the file is")
        if offset + length > MAX_SKIP_BYTES and offset + length > WINDOW_BYTES:
            raise DownloadError(
                f"{self.url}: the server does not serve parts of files (no HTTP ranges); download it and inspect the file"
            )
        return response.read(offset + length)[offset:], int(size)


def open_remote(url: str, headers: Mapping[str, str] | None = None) -> HeaderFile | None:
    """A file on a web server; None where the server says that there is none.

    Args:
        url: http or https.
        headers: to send along, such as an authorization.

    Raises:
        DownloadError: not reachable, refused, or the answer makes no sense.
    """
    if urllib.parse.urlsplit(url).scheme not in _SCHEMES:
        raise DownloadError(f"{url}: only http and https addresses can be read")
    remote = _Remote(url, headers or {})
    try:
        _, size = remote.get(0, WINDOW_BYTES)
    except DownloadError as error:
        if isinstance(error.__cause__, urllib.error.HTTPError) and error.__cause__.code in (404, 410):
            return None
        raise
    return HeaderFile(url.rpartition("/")[2] or url, size, remote.fetch)
