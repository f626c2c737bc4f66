"""How verbs put numbers for people."""

from __future__ import annotations


def size(nbytes: float) -> str:
    """A number of bytes for people: powers of 1000, three digits."""
    value, units = nbytes, ["B", "kB", "MB", "GB", "TB"]
    while value >= 1000 and len(units) > 1:
        value /= 1000
        units.pop(0)
    return f"{value:.0f} B" if units[0] == "B" else f"{value:.3g} {units[0]}"
