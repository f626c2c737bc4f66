"""The shipped English pronunciation lexicon (CMUdict, BSD) and the endings that it leaves out.

A pronunciation is a tuple of ARPAbet symbols with stress digits on vowels, ("HH", "AH0", "L", "OW1"). A word that the
lexicon lacks is tried without its ending (possessive, plural, past, -ing, -ly, -ness), without its prefix, and as two
known halves of a compound; what is still unknown returns None and is spelled by the caller.
"""

from __future__ import annotations

import functools
import lzma
from importlib import resources

VOWELS = frozenset(["AA", "AE", "AH", "AO", "AW", "AY", "EH", "ER", "EY", "IH", "IY", "OW", "OY", "UH", "UW"])
CONSONANTS = frozenset(
    [
        "B",
        "CH",
        "D",
        "DH",
        "F",
        "G",
        "HH",
        "JH",
        "K",
        "L",
        "M",
        "N",
        "NG",
        "P",
        "R",
        "S",
        "SH",
        "T",
        "TH",
        "V",
        "W",
        "Y",
        "Z",
        "ZH",
    ]
)

_VOICELESS = frozenset(["P", "T", "K", "F", "TH"])
_SIBILANT = frozenset(["S", "Z", "SH", "ZH", "CH", "JH"])
_MIN_COMPOUND_PART = 4
_PREFIXES: dict[str, tuple[str, ...]] = {
    "un": ("AH2", "N"),
    "non": ("N", "AA2", "N"),
    "re": ("R", "IY2"),
    "mis": ("M", "IH2", "S"),
    "over": ("OW2", "V", "ER0"),
    "under": ("AH2", "N", "D", "ER0"),
}

Pronunciation = tuple[str, ...]


@functools.cache
def _entries() -> dict[str, str]:
    packed = resources.files("lungfish.text").joinpath("lexicon_en.xz").read_bytes()
    pairs = (line.split(" ", 1) for line in lzma.decompress(packed).decode().splitlines())
    return dict(pairs)  # type: ignore[arg-type]


def lookup(word: str) -> Pronunciation | None:
    """The lexicon's first pronunciation of `word` (any case), or None."""
    found = _entries().get(word.lower())
    return tuple(found.split()) if found else None


def pronounce(word: str) -> Pronunciation | None:
    """`lookup`, then the word without its ending, then a compound of two known words; else None."""
    word = word.lower()
    return lookup(word) or _with_ending(word) or _with_prefix(word) or _compound(word)


def _plural(stem: Pronunciation) -> Pronunciation:
    last = stem[-1]
    if last in _SIBILANT:
        return (*stem, "IH0", "Z")
    return (*stem, "S" if last in _VOICELESS else "Z")


def _past(stem: Pronunciation) -> Pronunciation:
    last = stem[-1]
    if last in ("T", "D"):
        return (*stem, "IH0", "D")
    return (*stem, "T" if last in _VOICELESS or last in ("S", "SH", "CH") else "D")


def _stems(word: str, ending: str) -> list[str]:
    """Spellings that `word` may have had before `ending` was added: walk+ed, bake+d, stop(p)+ed, carr(y)i+ed."""
    base = word.removesuffix(ending)
    stems = [base, base + "e"]
    if len(base) > 2 and base[-1] == base[-2]:
        stems.append(base[:-1])
    if base.endswith("i"):
        stems.append(base[:-1] + "y")
    return stems


def _with_ending(word: str) -> Pronunciation | None:
    if word.endswith(("'s", "’s")):
        stem = pronounce(word[:-2])
        return _plural(stem) if stem else None
    if word.endswith("'"):
        return pronounce(word[:-1])
    rules = (
        ("es", _plural),
        ("s", _plural),
        ("ed", _past),
        ("ing", lambda stem: (*stem, "IH0", "NG")),
        ("ly", lambda stem: (*stem, "L", "IY0")),
        ("ness", lambda stem: (*stem, "N", "AH0", "S")),
        ("less", lambda stem: (*stem, "L", "AH0", "S")),
        ("ment", lambda stem: (*stem, "M", "AH0", "N", "T")),
        ("er", lambda stem: (*stem, "ER0")),
    )
    for ending, add in rules:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            for stem in _stems(word, ending):
                found = lookup(stem)
                if found:
                    return add(found)
    return None


def _with_prefix(word: str) -> Pronunciation | None:
    for prefix, sounds in _PREFIXES.items():
        if word.startswith(prefix):
            rest = word.removeprefix(prefix)
            found = (lookup(rest) or _with_ending(rest)) if len(rest) > 3 else None
            if found:
                return (*sounds, *found)
    return None


def _compound(word: str) -> Pronunciation | None:
    for cut in range(len(word) - _MIN_COMPOUND_PART, _MIN_COMPOUND_PART - 1, -1):
        first, second = lookup(word[:cut]), lookup(word[cut:])
        if first and second:
            return (*first, *(symbol.replace("1", "2") for symbol in second))
    return None
