"""Word lists as one writes them: words parted by blanks."""

from __future__ import annotations


def word_list(words: str) -> tuple[str, ...]:
    """ "one two" -> ("one", "two")."""
    return tuple(words.split())


def word_set(words: str) -> frozenset[str]:
    """The words, for membership."""
    return frozenset(words.split())
