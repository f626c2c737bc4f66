"""Speaker turns: cut a dialogue at its `<|speaker:N|>` tags and group the turns into batches.

Invariant: nothing that was written is lost; a text without tags is one batch, as it is.
Source: spec/lm.md 6.4. We differ: text before the first tag is kept, as a turn of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

SPEAKER_TAG = r"<\|speaker:\d+\|>"
DEFAULT_CHUNK_BYTES = 200
MAX_TURNS = 5

_NEXT_TAG = re.compile(f"(?={SPEAKER_TAG})")


def split_turns(text: str) -> list[str]:
    """Turns in order, each stripped: a tag with the text up to the next tag, and what precedes the first tag if anything.

    A text without tags is returned whole and unchanged.
    """
    if re.search(SPEAKER_TAG, text) is None:
        return [text]
    return [turn.strip() for turn in _NEXT_TAG.split(text) if turn.strip()]


def group_turns(turns: Sequence[str], chunk_bytes: int = DEFAULT_CHUNK_BYTES, max_turns: int = MAX_TURNS) -> list[str]:
    """Join turns by newlines into batches.

    Args:
        turns: from `split_turns`.
        chunk_bytes: a batch grows to at most this many UTF-8 bytes, newlines not counted; a longer turn stays whole.
        max_turns: most turns in a batch.
    """
    batches: list[list[str]] = []
    used = 0
    for turn in turns:
        size = len(turn.encode("utf-8", "surrogatepass"))
        if not batches or len(batches[-1]) >= max_turns or used + size > chunk_bytes:
            batches.append([])
            used = 0
        batches[-1].append(turn)
        used += size
    return ["\n".join(batch) for batch in batches]


def plan_batches(text: str, chunk_bytes: int = DEFAULT_CHUNK_BYTES) -> list[str]:
    """The batches in which a text is spoken."""
    return group_turns(split_turns(text), chunk_bytes)
