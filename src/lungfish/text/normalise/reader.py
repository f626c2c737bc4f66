"""Which reader reads which language, and `normalise`, the only thing that other code calls.

A language is a BCP 47 tag; only its first subtag and, for English and Portuguese, its region count. Languages without a
reader have their numbers read by num2words if it knows them, and are left alone if not.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable

from lungfish.text.normalise import plain_numbers
from lungfish.text.traced import TracedText

_MODULES = {
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "ja": "japanese",
    "ko": "korean",
    "pt": "portuguese",
    "ru": "russian",
    "zh": "chinese",
}
_THREE_LETTERS = {
    "deu": "de", "ger": "de", "eng": "en", "spa": "es", "fra": "fr", "fre": "fr", "ita": "it", "jpn": "ja", "kor": "ko",
    "por": "pt", "rus": "ru", "zho": "zh", "chi": "zh", "cmn": "zh",
}  # fmt: skip
_BRITISH_REGIONS = frozenset(["gb", "uk", "au", "nz", "ie", "in", "za", "sg", "hk", "mt", "ng", "ke"])


def languages() -> tuple[str, ...]:
    """Languages with a reader of their own."""
    return tuple(sorted(_MODULES))


def split_tag(language: str) -> tuple[str, str]:
    """ "en-GB" or "eng_gb" -> ("en", "gb"); the region is "" where none is given. Scripts are skipped: "zh-Hant-TW"."""
    first, *others = re.split("[-_]", language.strip().lower())
    region = next((part for part in others if len(part) == 2), "")
    return _THREE_LETTERS.get(first, first), region


def is_british(region: str) -> bool:
    """Whether English of this region puts the day first and "and" into numbers."""
    return region in _BRITISH_REGIONS


@functools.cache
def _read(first: str, region: str) -> Callable[[TracedText], TracedText]:
    if first == "en":
        from lungfish.text.normalise import english

        return functools.partial(english.read, british=is_british(region))
    if first == "pt":
        from lungfish.text.normalise import portuguese

        return functools.partial(portuguese.read, european=region not in ("", "br"))
    if first in _MODULES:
        return importlib.import_module(f"lungfish.text.normalise.{_MODULES[first]}").read
    regional = f"{first}_{region.upper()}"
    tag = regional if region and plain_numbers.supported(regional) else first
    return functools.partial(plain_numbers.read, language=tag)


def normalise(
    text: TracedText, language: str, say_as: str | None = None, say_as_format: str | None = None
) -> TracedText:
    """Everything in `text` that is not words, in words.

    Args:
        text: what was written, cleaned.
        language: "en", "en-GB", "pt-BR", ...
        say_as: how to read it, one of `say_as.KINDS`; None: as it looks.
        say_as_format: refines say_as, such as "dmy" for a date.

    Returns:
        The reading; what a reader does not know stays as it is.

    Raises:
        TextError: `say_as` is none of the kinds.
    """
    first, region = split_tag(language)
    read = _read(first, region)
    if say_as is None:
        return read(text)
    from lungfish.text.normalise import say_as as told

    return told.read(text, first, is_british(region), say_as, say_as_format, read)
