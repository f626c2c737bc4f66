"""Places in an SSML document: from the bytes that expat counts to the characters of the source, to lines and columns.

Invariant: asked about rising places, all answers together take time linear in the source.
"""

from __future__ import annotations

import re

from lungfish.errors import TextError

_LEAD = re.compile(r"[\ufeff\s]*+")
_TAG = re.compile(r"<(?:[^\"'>]++|\"[^\"]*+\"|'[^']*+')*+>")
_LINE_END = re.compile(r"\r\n|\r|\n")


class Places:
    """Of one document.

    Attributes:
        data: UTF-8 for expat, which wants neither blanks nor a byte order mark in front.

    Raises:
        TextError: the source is not valid Unicode.
    """

    def __init__(self, source: str) -> None:
        lead = _LEAD.match(source)
        assert lead is not None
        self._source = source
        self._at_byte, self._at = 0, lead.end()  # the same place in `data` and in the source
        try:
            self.data = source[lead.end() :].encode()
        except UnicodeEncodeError as error:
            raise TextError("the SSML is not valid Unicode; save it as UTF-8") from error

    def character(self, byte: int) -> int:
        """Place in the source of a place in `data`; not before the last one that was asked for."""
        if byte > self._at_byte:
            self._at += len(self.data[self._at_byte : byte].decode("utf-8", "ignore"))
            self._at_byte = byte
        return self._at

    def tag_end(self, begin: int) -> int:
        """Where the tag ends that begins at character `begin`."""
        found = _TAG.match(self._source, begin)
        return found.end() if found else begin

    def error(self, message: str, at: int) -> TextError:
        """`message` under the line and column, from 1, of character `at`."""
        line, begin = 1, 0
        for match in _LINE_END.finditer(self._source, 0, at):
            line, begin = line + 1, match.end()
        return TextError(f"SSML, line {line}, column {at - begin + 1}: {message}")
