"""Numbers in languages that have no reader of their own, through num2words: whole numbers, signs and decimals.

num2words is wrong about signs and decimals in some languages, so those are taken only where the parts are found again in
the whole; otherwise the sign or mark stays as it is written. Codes (leading zero, over 15 digits) are read digit by digit.
"""

from __future__ import annotations

import functools
import re
from decimal import Decimal

from lungfish.text.normalise.rules import Rule, RuleReader
from lungfish.text.traced import TracedText

_MAX_DIGITS = 15
_NUMBER = re.compile(
    r"(?P<sign>(?<![\w)\]])[-−])?(?<![0-9])(?P<whole>[0-9]{1,3}(?:[.,\u00a0\u202f][0-9]{3}){1,4}(?![0-9])|[0-9]++)"
    r"(?:(?P<mark>[.,])(?P<places>[0-9]{1,6})(?![0-9]|[.,][0-9]))?"
)
_STARTS = re.compile(r"[0-9]|[-−](?=[0-9])")
_UNREADABLE = (NotImplementedError, ArithmeticError, LookupError, ValueError, TypeError, AttributeError)


def supported(language: str) -> bool:
    """Whether num2words knows `language` ("nl", "pt_BR")."""
    from num2words import CONVERTER_CLASSES

    return language in CONVERTER_CLASSES


@functools.lru_cache(maxsize=4096)
def number_words(number: int | Decimal, language: str, kind: str = "cardinal") -> str | None:
    """`number` in words, or None where num2words cannot.

    Args:
        number: what to say.
        language: as in `supported`.
        kind: "cardinal" or "ordinal".
    """
    from num2words import num2words

    try:
        return num2words(number, lang=language, to=kind)
    except _UNREADABLE:
        return None


def digit_words(digits: str, language: str) -> str | None:
    """Digit by digit, or None."""
    words = [number_words(int(digit), language) for digit in digits]
    return None if None in words else " ".join(word for word in words if word)


@functools.cache
def reader(language: str) -> RuleReader:
    """The one rule, for a language that is `supported`."""

    def read(match: re.Match[str]) -> str | None:
        digits = re.sub(r"[^0-9]", "", match["whole"])
        code = len(digits) > _MAX_DIGITS or (len(digits) > 1 and digits[0] == "0")
        words = digit_words(digits, language) if code else number_words(int(digits), language)
        if words is None:
            return None
        if match["places"]:
            words = _with_places(words, digits, match["mark"], match["places"], language)
        if match["sign"]:
            words = _with_sign(words, match["sign"], digits, language)
        return _apart(match, words)

    return RuleReader([Rule("number", _NUMBER, read)], _STARTS)


def _with_places(words: str, whole: str, mark: str, places: str, language: str) -> str:
    last = number_words(int(places[-1]), language)
    if len(whole) <= _MAX_DIGITS and places[-1] != "0":
        found = number_words(Decimal(f"{whole}.{places}"), language)
        if found and last and found.startswith(words) and found.endswith(last):
            return found
    return f"{words}{mark} {digit_words(places, language) or places}"


def _with_sign(words: str, sign: str, digits: str, language: str) -> str:
    number = int(digits[:_MAX_DIGITS])
    positive, negative = number_words(number, language), number_words(-number, language)
    if number and positive and negative and negative != positive and negative.endswith(positive):
        return negative.removesuffix(positive) + words
    return sign + words


def _apart(match: re.Match[str], words: str) -> str:
    left, right = match.string[match.start() - 1 : match.start()], match.string[match.end() : match.end() + 1]
    return f"{' ' if left.isalnum() else ''}{words}{' ' if right.isalnum() else ''}"


def read(text: TracedText, language: str) -> TracedText:
    """`text` with its numbers in words; unchanged where num2words does not know the language."""
    return reader(language).read(text) if supported(language) else text
