"""Lists of sentences to be spoken: text files with lines of `id TAB text`. Ids name files, so they are checked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path

from lungfish.errors import DataError

_ID = re.compile(r"[\w.-]+")


@dataclass(frozen=True)
class SentenceRow:
    """One sentence. `id` holds letters, digits, `_`, `-` and `.` only."""

    id: str
    text: str


def read_sentences(path: Path | Traversable) -> list[SentenceRow]:
    """The rows of a sentence file, in its order; empty lines are skipped.

    Raises:
        DataError: it cannot be read, or a line is not of that form, or an id occurs twice.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read as sentences (UTF-8 lines of: id TAB text)") from error
    rows: dict[str, SentenceRow] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) != 2 or not columns[1]:
            raise DataError(f"{path} line {number}: expected id TAB text")
        if not _ID.fullmatch(columns[0]):
            raise DataError(f"{path} line {number}: the id {columns[0]!r} must be of letters, digits, _, - and .")
        if columns[0] in rows:
            raise DataError(f"{path} line {number}: the id {columns[0]} is there already")
        rows[columns[0]] = SentenceRow(*columns)
    return list(rows.values())
