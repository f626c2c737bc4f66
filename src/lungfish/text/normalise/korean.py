"""The Korean reader: Sino-Korean numbers, native ones before the counters that ask for them, 만 by 만.

Dates, minutes, money, percentages and units take Sino-Korean numbers (이천이십사 년, 삼십 분); hours, ages and most things that are
counted take native ones up to 99 (세 개, 다섯 시). A blank stands between a number and its counter. Telephone numbers are read
digit by digit, with 공 for 0.
"""

from __future__ import annotations

import functools
import re

from lungfish.text.normalise.rules import Rule, RuleReader
from lungfish.text.traced import TracedText

_DIGITS = "영일이삼사오육칠팔구"
_PLACES = ("", "십", "백", "천")
_GROUPS = ("", "만", "억", "조")
_TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_ONES = ("", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉")
_MOST_NATIVE = 99
_NATIVE = (
    "시간", "개월", "가지", "군데", "그루", "마리", "사람", "송이", "자루", "켤레", "번째", "개", "명", "분", "살", "시", "번", "권", "대", "잔",
    "병", "장", "채", "척", "벌", "줄", "곳", "달",
)  # fmt: skip
_SINO = (
    "퍼센트", "번지", "페이지", "킬로미터", "센티미터", "미터", "킬로그램", "그램", "리터", "달러", "유로", "개국", "주년", "학년", "세기", "년대",
    "년", "월", "일", "분", "초", "원", "층", "호", "회", "세", "인분", "배", "도", "위", "점", "인", "동", "쪽", "주", "엔", "만", "억", "조", "천", "백",
)  # fmt: skip
_UNITS = {
    "km/h": "시속 {} 킬로미터", "km": "{} 킬로미터", "cm": "{} 센티미터", "mm": "{} 밀리미터", "m": "{} 미터", "kg": "{} 킬로그램",
    "g": "{} 그램", "mg": "{} 밀리그램", "L": "{} 리터", "l": "{} 리터", "ml": "{} 밀리리터", "%": "{} 퍼센트", "℃": "섭씨 {} 도",
    "°C": "섭씨 {} 도", "m²": "{} 제곱미터", "㎡": "{} 제곱미터", "GB": "{} 기가바이트", "MB": "{} 메가바이트",
}  # fmt: skip
_NUMBER = r"[0-9]{1,3}(?:,[0-9]{3}){1,4}(?![0-9])|[0-9]{1,16}"
_DECIMAL = rf"(?:{_NUMBER})(?:\.[0-9]{{1,9}}(?![0-9.]))?"


def sino(number: int) -> str:
    """Sino-Korean words, without blanks; below 10 ** 16."""
    if number == 0:
        return "영"
    words, group = [], 0
    while number:
        number, part = divmod(number, 10_000)
        if part:
            spelled = "".join(
                ("" if digit == "1" and place else _DIGITS[int(digit)]) + _PLACES[place]
                for place, digit in zip(range(len(str(part)) - 1, -1, -1), str(part), strict=True)
                if digit != "0"
            )
            words.append(("" if spelled == "일" and group == 1 else spelled) + _GROUPS[group])
        group += 1
    return "".join(reversed(words))


def native(number: int) -> str:
    """Native words as they stand before a counter, 1 to 99."""
    tens, ones = divmod(number, 10)
    if number == 20:
        return "스무"
    return _TENS[tens] + _ONES[ones]


def _plain(text: str) -> str:
    """A whole number or a decimal."""
    whole, _, places = text.replace(",", "").partition(".")
    words = sino(int(whole)) if len(whole) <= 16 else _each(whole)
    return f"{words} 점 {_each(places, '영')}" if places else words


def _each(digits: str, zero: str = "공") -> str:
    return "".join(zero if digit == "0" else _DIGITS[int(digit)] for digit in digits)


def _counted(match: re.Match[str]) -> str:
    number = int(match["number"].replace(",", ""))
    words = native(number) if 1 <= number <= _MOST_NATIVE else sino(number)
    return f"{words} {match['counter']}"


def _date(match: re.Match[str]) -> str | None:
    year, month, day = (int(match[name]) for name in ("year", "month", "day"))
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return f"{sino(year)} 년 {_month(month)} {sino(day)} 일"


def _month(month: int) -> str:
    return {6: "유월", 10: "시월"}.get(month, f"{sino(month)}월")


def _clock(match: re.Match[str]) -> str | None:
    hour, minute = int(match["hour"]), int(match["minute"])
    if hour > 24 or minute > 59:
        return None
    hours = native(hour) if 1 <= hour <= 12 else sino(hour)
    return f"{hours} 시" + (f" {sino(minute)} 분" if minute else "")


def _hour(match: re.Match[str]) -> str:
    hour = int(match["number"])
    return f"{native(hour) if 1 <= hour <= 12 else sino(hour)} 시"


def _money(match: re.Match[str]) -> str:
    return f"{_plain(match['amount'])} {'원' if match['sign'] in '₩￦' else '달러' if match['sign'] == '$' else '유로'}"


def _alternatives(words: object) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))  # type: ignore[call-overload]


@functools.cache
def reader() -> RuleReader:
    """All rules in order."""
    begin = r"(?<![0-9.,])"
    rules = [
        Rule(
            "phone",
            re.compile(r"(?<![0-9-])(?:\+82[ -]?)?0?[0-9]{1,3}-[0-9]{3,4}-[0-9]{4}(?![0-9-])"),
            lambda m: " ".join(_each(part) for part in re.findall("[0-9]+", m.group())),
            "0-9+",
        ),
        Rule("date", re.compile(rf"{begin}(?P<year>[0-9]{{4}})[-./](?P<month>[0-9]{{1,2}})[-./](?P<day>[0-9]{{1,2}})(?![0-9])"), _date),
        Rule("clock", re.compile(rf"{begin}(?P<hour>[0-9]{{1,2}}):(?P<minute>[0-9]{{2}})(?![0-9:])"), _clock, "0-9"),
        Rule("minutes", re.compile(r"(?<=시 )(?P<number>[0-9]{1,2}) ?분"), lambda m: f"{sino(int(m['number']))} 분", "0-9"),
        Rule("minutes", re.compile(r"(?<=시)(?P<number>[0-9]{1,2}) ?분"), lambda m: f" {sino(int(m['number']))} 분", "0-9"),
        Rule("hour", re.compile(rf"{begin}(?P<number>[0-9]{{1,2}}) ?시(?!간|대)"), _hour, "0-9"),
        Rule("month", re.compile(rf"{begin}(?P<number>1[0-2]|[1-9]) ?월"), lambda m: _month(int(m["number"])), "0-9"),
        Rule("minutes", re.compile(rf"{begin}(?P<number>[0-9]{{1,3}}) ?분(?=간|[ ,.에의이동]|$)"), lambda m: f"{sino(int(m['number']))} 분", "0-9"),
        Rule("fraction", re.compile(rf"{begin}(?P<top>[0-9]{{1,4}})/(?P<bottom>[1-9][0-9]{{0,3}})(?![0-9/])"),
             lambda m: f"{sino(int(m['bottom']))}분의 {sino(int(m['top']))}", "0-9"),
        Rule("range", re.compile(rf"{begin}(?P<number>[0-9]{{1,9}}) ?[~〜–] ?(?=[0-9])"), lambda m: f"{sino(int(m['number']))}에서 ", "0-9"),
        Rule("money", re.compile(rf"(?P<sign>[₩￦$€]) ?(?P<amount>{_DECIMAL})"), _money, "₩￦$€"),
        Rule("unit", re.compile(rf"{begin}(?P<amount>{_DECIMAL}) ?(?P<unit>{_alternatives(_UNITS)})(?![A-Za-z])"),
             lambda m: _UNITS[m["unit"]].format(_plain(m["amount"])).removeprefix("시속 " * m.string.endswith("시속 ", 0, m.start())), "0-9"),
        Rule("sino", re.compile(rf"{begin}제? ?(?P<amount>{_DECIMAL}) ?(?P<counter>{_alternatives(_SINO)})"),
             lambda m: f"{'제' if m.group()[0] == '제' else ''}{_plain(m['amount'])} {m['counter']}", "0-9제"),
        Rule("native", re.compile(rf"{begin}(?P<number>{_NUMBER}) ?(?P<counter>{_alternatives(_NATIVE)})"), _counted, "0-9"),
        Rule("negative", re.compile(rf"(?<![\w)])[-−](?P<amount>{_DECIMAL})"), lambda m: f"마이너스 {_plain(m['amount'])}", "−-"),
        Rule("code", re.compile(rf"{begin}0[0-9]{{1,30}}(?![0-9.])"), lambda m: _each(m.group()), "0"),
        Rule("number", re.compile(rf"{begin}(?P<amount>{_DECIMAL})"), lambda m: _plain(m["amount"]), "0-9"),
        Rule("number", re.compile(r"[0-9]{1,64}"), lambda m: _each(m.group()), "0-9"),
    ]  # fmt: skip
    return RuleReader(rules, re.compile(r"[0-9₩￦$€+−-]|제(?= ?[0-9])"))


def read(text: TracedText) -> TracedText:
    """`text` as it is said."""
    return reader().read_until_stable(text)
