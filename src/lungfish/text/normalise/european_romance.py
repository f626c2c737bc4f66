"""What the Romance languages share: halves that stand behind the noun ("two hours and a half")."""

from __future__ import annotations

import re
from collections.abc import Callable

from lungfish.text.normalise.european_language import GAP, apart
from lungfish.text.normalise.rules import Rule


def half_rule(
    cardinal: Callable[[int, str], str], gender: Callable[[str], str], halves: tuple[str, str], nouns: str
) -> Rule:
    """The rule for "2½ horas", "2 1/2 ore".

    Args:
        cardinal: number, gender -> words.
        gender: noun -> "m" or "f".
        halves: what follows a masculine and a feminine noun, such as ("y medio", "y media").
        nouns: pattern of the nouns that are read so.
    """

    def read(match: re.Match[str]) -> str:
        which = gender(match["noun"])
        return apart(match, f"{cardinal(int(match['whole']), which)} {match['noun']} {halves[which == 'f']}")

    pattern = rf"(?<![\w.,:/-])(?P<whole>[1-9][0-9]?){GAP}?(?:½|(?<=[0-9] )1/2){GAP}(?P<noun>{nouns})(?!\w)"
    return Rule("half", re.compile(pattern), read, "1-9")
