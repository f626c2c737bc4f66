"""Numbers in Korean: Sino-Korean for amounts, native for what is counted one by one.

Written as orthography asks: a blank behind 만, 억 and 조, none within ("십이만 삼천사백오십육"). num2words knows no native
numbers beside counters and no codes, so this is own code.
"""

from __future__ import annotations

from lungfish.text.normalise.east_asian import below_ten_thousand, is_code, plain

SINO = "영일이삼사오육칠팔구"
_CODE = "공일이삼사오육칠팔구"
_MYRIADS = ("", "만", "억", "조")
_POWERS = ((1000, "천"), (100, "백"), (10, "십"))
_NATIVE = ("", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉")
_BESIDE = ("", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉")  # in front of what they count
_TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")


def digit_by_digit(digits: str) -> str:
    """ "010" -> "공일공"."""
    return "".join(_CODE[int(digit)] for digit in digits)


def _group(number: int) -> str:
    words = ""
    for power, name in _POWERS:
        digit = number // power % 10
        if digit:
            words += ("" if digit == 1 else SINO[digit]) + name
    ones = number % 10
    return words + (SINO[ones] if ones else "")


def cardinal(digits: str) -> str:
    """Sino-Korean: "1234" -> "천이백삼십사"; leading zeros do not count, more than 16 digits are read one by one."""
    digits = digits.lstrip("0") or "0"
    if is_code(digits):
        return digit_by_digit(digits)
    groups = below_ten_thousand(digits)
    words = []
    for index, group in enumerate(groups):
        power = len(groups) - 1 - index
        if group:
            alone = power == 1 and group == 1 and not words  # 10000: 만, but 1억 is 일억
            words.append(("" if alone else _group(group)) + _MYRIADS[power])
    return " ".join(words) or SINO[0]


def native(number: int, *, beside: bool = True) -> str:
    """1..99 in native words; `beside` a counter: 한, 두, 세, 네, 스무."""
    tens, ones = divmod(number, 10)
    if beside and number == 20:
        return "스무"
    return _TENS[tens] + (_BESIDE if beside else _NATIVE)[ones]


def number_words(written: str) -> str:
    """Any number as it stands in a text: "1,234.5"; a code such as "007" digit by digit."""
    whole, point, places = plain(written).partition(".")
    if not point:
        return digit_by_digit(whole) if is_code(whole) else cardinal(whole)
    return f"{cardinal(whole)} 점 {decimals(places)}"


def decimals(places: str) -> str:
    """Digits behind the point: "05" -> "영오"."""
    return "".join(SINO[int(digit)] for digit in places)
