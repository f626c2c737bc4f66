"""Numbers in Chinese: cardinals, digits, decimals.

Own code: cn2an writes 二百 and 二千 where a speaker says 两百 and 两千, and knows neither codes nor 幺.
"""

from __future__ import annotations

import re

from lungfish.text.normalise.east_asian import is_code, plain

DIGITS = "零一二三四五六七八九"
_POWERS = ((1000, "千"), (100, "百"), (10, "十"))
_MYRIAD, _HUNDRED_MILLION = 10**4, 10**8


def digit_by_digit(digits: str, *, one: str = "一") -> str:
    """ "2024" -> "二零二四"; `one` is 幺 in phone numbers."""
    return "".join(DIGITS[int(digit)] for digit in digits).replace("一", one)


def _below_myriad(number: int) -> str:
    words, skipped = "", False
    for power, name in _POWERS:
        digit = number // power % 10
        if digit:
            words += ("零" if skipped and words else "") + DIGITS[digit] + name
        skipped = not digit
    ones = number % 10
    if ones:
        words += ("零" if skipped and words else "") + DIGITS[ones]
    return words


def _words(number: int) -> str:
    for power, name in ((_HUNDRED_MILLION, "亿"), (_MYRIAD, "万")):
        high, low = divmod(number, power)
        if high:
            zero = "零" if low and low < power // 10 else ""
            return _words(high) + name + zero + (_words(low) if low else "")
    return _below_myriad(number)


def cardinal(digits: str, *, order: bool = False) -> str:
    """A quantity.

    Args:
        digits: without separators; leading zeros do not count, more than 16 digits are read one by one.
        order: it numbers and does not count: "二百" and not "两百"; 250 is 二百五十 in any case.
    """
    digits = digits.lstrip("0") or "0"
    if is_code(digits):
        return digit_by_digit(digits)
    words = _words(int(digits)) or "零"
    if words.startswith("一十"):
        words = words[1:]
    if not order and re.match("二(?:[千万亿]|百(?:$|[万亿]))", words):
        words = "两" + words[1:]
    return words


def number_words(written: str, *, order: bool = False) -> str:
    """Any number as it stands in a text: "1,234.5"; a code such as "007" digit by digit."""
    whole, point, places = plain(written).partition(".")
    if not point:
        return digit_by_digit(whole) if is_code(whole) else cardinal(whole, order=order)
    return f"{cardinal(whole, order=True)}点{digit_by_digit(places)}"
