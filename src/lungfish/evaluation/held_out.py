"""Sentences that no training of this project has seen: the last 200 rows of LJSpeech, in `held_out.tsv` (id TAB text).

Source: The LJ Speech Dataset, Keith Ito and Linda Johnson, 2017, https://keithito.com/LJ-Speech-Dataset/; texts and
normalised spelling are in the public domain (here the Warren Commission's report of 1964).
"""

from __future__ import annotations

import random
from importlib import resources
from pathlib import Path

from lungfish.data.sentence_list import SentenceRow, read_sentences
from lungfish.errors import DataError

ROWS = 60
"""How many are asked for by default; with fewer, the interval is too wide for claims."""


def held_out_rows(count: int = ROWS, path: Path | None = None, seed: int = 0) -> list[SentenceRow]:
    """`count` rows in the order of their ids.

    Args:
        count: how many.
        path: own sentences instead (id TAB text).
        seed: of the choice; the default is the choice of all published figures.

    Raises:
        DataError: the file is not of that form, or has fewer rows.
    """
    rows = read_sentences(path or resources.files("lungfish.evaluation").joinpath("held_out.tsv"))
    if not 0 < count <= len(rows):
        raise DataError(f"{len(rows)} sentences are there; ask for 1 to {len(rows)}, not {count}")
    return sorted(random.Random(seed).sample(rows, count), key=lambda row: row.id)
