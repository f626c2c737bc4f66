"""Numbers in Japanese, in kanji: a voice reads those as people do (一人, 二十日), which no spelling in kana could.

num2words writes 千万 and 億 without 一 ("万" for 10000) beside other slips, so this is own code.
"""

from __future__ import annotations

from lungfish.text.normalise.east_asian import below_ten_thousand, is_code, plain

DIGITS = "零一二三四五六七八九"
_MYRIADS = ("", "万", "億", "兆")
_POWERS = ((1000, "千"), (100, "百"), (10, "十"))


def digit_by_digit(digits: str) -> str:
    """ "203" -> "二零三"."""
    return "".join(DIGITS[int(digit)] for digit in digits)


def _group(number: int, myriad: str) -> str:
    words = ""
    for power, name in _POWERS:
        digit = number // power % 10
        if digit:
            plain_one = digit == 1 and not (power == 1000 and myriad)
            words += ("" if plain_one else DIGITS[digit]) + name
    ones = number % 10
    return words + (DIGITS[ones] if ones else "")


def cardinal(digits: str) -> str:
    """A quantity: "1234" -> "千二百三十四"; leading zeros do not count, more than 16 digits are read one by one."""
    digits = digits.lstrip("0") or "0"
    if is_code(digits):
        return digit_by_digit(digits)
    groups = below_ten_thousand(digits)
    words = ""
    for index, group in enumerate(groups):
        myriad = _MYRIADS[len(groups) - 1 - index]
        if group:
            words += _group(group, myriad or words) + myriad
    return words or "零"


def number_words(written: str, scale: str | None = None) -> str:
    """Any number as it stands in a text: "1,234.5"; a code such as "007" digit by digit; 1000 in front of 万 is 一千."""
    whole, point, places = plain(written).partition(".")
    if whole == "1000" and not point and scale:
        return "一千"
    if not point:
        return digit_by_digit(whole) if is_code(whole) else cardinal(whole)
    return f"{cardinal(whole)}点{digit_by_digit(places)}"
