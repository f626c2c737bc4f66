"""The text of a verb: its argument, standard input, or a file."""

from __future__ import annotations

import sys
from pathlib import Path

from lungfish.errors import ConfigError, TextError


def read_text(verb: str, text: str | None, file: Path | None) -> str:
    """The text that was given.

    Raises:
        ConfigError: neither or both were given.
        TextError: it cannot be read, or is not UTF-8.
    """
    if (text is None) == (file is None):
        raise ConfigError(f"{verb} needs a TEXT, or - for standard input, or --file FILE, and only one of them")
    try:
        if file is not None:
            return file.read_text(encoding="utf-8-sig")
        if text == "-":
            return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TextError(f"{file or 'standard input'}: is not UTF-8 text") from error
    except OSError as error:
        raise TextError(f"{file or 'standard input'}: cannot be read ({error.strerror})") from error
    assert text is not None
    return text
