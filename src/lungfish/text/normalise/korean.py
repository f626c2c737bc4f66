"""The Korean reader: dates, times, phones and addresses here, amounts in `korean_amounts`.

Hours are native up to twelve (다섯 시 삼십 분), codes and phone numbers are read figure by figure with 공 for zero. A blank
stands between a number and what it counts, but months are words (삼월, 유월, 시월). Reading a text that was read changes
nothing.
"""

from __future__ import annotations

import functools
import re

from lungfish.text.normalise import korean_amounts
from lungfish.text.normalise.east_asian import (
    BEGIN,
    CHAIN,
    DASH,
    DATE,
    GAP,
    MONTH,
    TIME,
    TIMES,
    WEB,
    after,
    alternatives,
    before,
    is_afternoon,
    web_pieces,
)
from lungfish.text.normalise.korean_amounts import apart
from lungfish.text.normalise.korean_numbers import cardinal, digit_by_digit, native
from lungfish.text.normalise.rules import Rule, RuleReader
from lungfish.text.traced import TracedText

_STARTS = re.compile(
    r"[0-9½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞$€£¥￥₩￦₽₹№%％‰℃℉&@+±×÷=≈<>≤≥→]|[-–—−](?=[0-9$€£¥￥₩])"
    r"|(?<=[가-힣℃%％A-Za-z])[~〜～](?=[0-9$€£₩])|제(?= ?[0-9])|(?<![A-Za-z0-9])[A-Za-z]"
)
_CALLS = re.compile(r"(?:전화|번호|휴대폰|연락처|TEL|Tel|팩스|문의|신고)(?:번호)?(?:는|은|로|로는)?[\"“:. ]{0,3}$")
_EMERGENCY = re.compile(r"(?:에|로|으로)? ?(?:신고|전화|구급|소방|상황실|에 연락)")
_MARKS = {
    ".": "점", "/": "슬래시", "@": "골뱅이", "-": "하이픈", "_": "밑줄", ":": "콜론", "?": "물음표", "=": "등호", "&": "앤드",
    "#": "샵", "%": "퍼센트", "+": "플러스", "~": "물결",
}  # fmt: skip
_SYMBOLS = {
    "&": "앤드", "+": "더하기", "×": "곱하기", "÷": "나누기", "=": "이퀄", "≈": "약", "≤": "이하", "≥": "이상", "→": "에서",
    "±": "플러스마이너스", "℃": "도", "℉": "도", "%": "퍼센트", "％": "퍼센트", "‰": "퍼밀", "<": "보다 작다", ">": "보다 크다",
}  # fmt: skip
_SYMBOL_MARKS = "&+×÷=≈≤≥→±℃℉%％‰"
_MONTHS = {6: "유월", 10: "시월"}
_NAMES = {
    "2D": "투디",
    "3D": "쓰리디",
    "4D": "포디",
    "3G": "쓰리지",
    "4G": "포지",
    "5G": "파이브지",
    "4K": "포케이",
    "8K": "에이트케이",
}
_NOON = 12
_CLOSED = "013678"  # figures whose words end in a consonant


def _month_name(digits: str) -> str:
    return _MONTHS.get(int(digits)) or cardinal(digits) + "월"


def _date(match: re.Match[str]) -> str:
    return apart(match, f"{cardinal(match['year'])} 년 {_month_name(match['month'])} {cardinal(match['day'])} 일")


def _month(match: re.Match[str]) -> str:
    return apart(match, f"{cardinal(match['year'])} 년 {_month_name(match['month'])}")


def _month_alone(match: re.Match[str]) -> str:
    return apart(match, _month_name(match["month"]))


def _clock(hour: str, minute: str, second: str | None = None) -> str:
    words = (native(int(hour)) if 1 <= int(hour) <= _NOON else cardinal(hour)) + " 시"
    if int(minute) or second:
        words += f" {cardinal(minute)} 분"
    return words + (f" {cardinal(second)} 초" if second else "")


def _time(match: re.Match[str]) -> str:
    words = _clock(match["hour"], match["minute"], match["second"])
    if match["half"] is not None:
        words = ("오후 " if is_afternoon(match["half"]) else "오전 ") + words
    return apart(match, words)


def _times(match: re.Match[str]) -> str:
    until = "" if after(match, 3).startswith(("까지", " 까지")) else "까지"
    words = f"{_clock(match['hour'], match['minute'])}부터 {_clock(match['hour2'], match['minute2'])}{until}"
    return apart(match, words)


def _phone(match: re.Match[str]) -> str:
    words = " ".join(digit_by_digit(group) for group in re.findall("[0-9]+", match.group()))
    return apart(match, ("플러스 " if match.group().startswith("+") else "") + words)


def _called(match: re.Match[str]) -> str | None:
    return _phone(match) if _CALLS.search(before(match, 16)) else None


def _emergency(match: re.Match[str]) -> str | None:
    return apart(match, digit_by_digit(match.group())) if _EMERGENCY.match(after(match)) else None


def _chain(match: re.Match[str]) -> str:
    parts = match["parts"].split("-")
    return apart(match, " 다시 ".join(digit_by_digit(part) if part[0] == "0" else cardinal(part) for part in parts))


def _web(match: re.Match[str]) -> str:
    pieces = [
        digit_by_digit(p) if p.isdigit() else _MARKS.get(p, p if p.isalpha() else "") for p in web_pieces(match.group())
    ]
    return apart(match, " ".join(piece for piece in pieces if piece))


def _numbered(match: re.Match[str]) -> str:
    return apart(match, "넘버 " + cardinal(match["number"]))


def _name(match: re.Match[str]) -> str:
    return apart(match, _NAMES[match.group()])


def _to(match: re.Match[str]) -> str:
    return "에서 "


def _symbol(match: re.Match[str]) -> str:
    words, attached = _SYMBOLS[match.group()], match.group() == "→"  # 서울→부산: 서울에서 부산
    left, right = before(match, 1), after(match, 1)
    if match.group() == "=" and left.isdigit():
        words, attached = ("은" if left in _CLOSED else "는"), True
    blank = not attached and left and not left.isspace()
    return f"{' ' if blank else ''}{words}{' ' if right and not right.isspace() else ''}"


def _minus(match: re.Match[str]) -> str:
    return " 빼기 "


def _rules() -> list[Rule]:
    separate = r"[- \u00a0]"
    return [
        Rule("web", WEB, _web, "A-Za-z0-9"),
        Rule("name", re.compile(rf"(?<![A-Za-z0-9.])(?:{alternatives(_NAMES)})(?![A-Za-z0-9])"), _name, "2-8"),
        Rule("date", DATE, _date, "0-9"),
        Rule("date", MONTH, _month, "0-9"),
        Rule(
            "date",
            re.compile(rf"{BEGIN}(?<![-/])(?P<month>1[0-2]|0?[1-9]){GAP}?월(?!드|급|세|평균)"),
            _month_alone,
            "0-9",
        ),
        Rule("time", TIMES, _times, "0-9"),
        Rule("time", TIME, _time, "0-9"),
        Rule(
            "phone",
            re.compile(rf"(?<![0-9A-Za-z])\+[0-9]{{1,3}}(?:{separate}?[0-9]{{1,11}}){{2,5}}(?![0-9])"),
            _phone,
            "+",
        ),
        Rule(
            "phone",
            re.compile(
                rf"(?<![0-9.,-])(?:0[0-9]{{1,2}}(?:{DASH}|[)]|{GAP})[0-9]{{3,4}}(?:{DASH}|{GAP})[0-9]{{4}}|01[016789][0-9]{{7,8}}"
                r"|1[5-8][0-9]{2}-[0-9]{4})(?![0-9]|[.,-][0-9])"
            ),
            _phone,
            "01",
        ),
        Rule(
            "phone",
            re.compile(rf"(?<![0-9.,-])[0-9]{{3,12}}(?:{separate}[0-9]{{3,8}}){{0,3}}(?![0-9])"),
            _called,
            "0-9",
        ),
        Rule("phone", re.compile(rf"{BEGIN}11[2-9](?![0-9.,:/-])"), _emergency, "1"),
        Rule("number", re.compile(rf"(?:No\.?|NO\.?|№){GAP}?(?P<number>[0-9]{{1,9}})(?![0-9])"), _numbered, "N№"),
        Rule(
            "minus",
            re.compile(rf"(?<=[0-9영일이삼사오육칠팔구십백천]){DASH}(?=[0-9]{{1,9}}{GAP}?[=＝])"),
            _minus,
            "–—−-",
        ),
        Rule("chain", CHAIN, _chain, "0-9"),
        *korean_amounts.rules(),
        Rule("to", re.compile(r"(?<=[가-힣℃%％A-Za-z])[~〜～](?=[0-9$€£₩])"), _to, "~〜～"),
        Rule("compared", re.compile(rf"(?<![<>])[<>](?={GAP}?[0-9])"), _symbol, "<>"),
        Rule("symbol", re.compile(f"[{_SYMBOL_MARKS}]"), _symbol, _SYMBOL_MARKS),
    ]


@functools.cache
def reader() -> RuleReader:
    """The rules."""
    return RuleReader(_rules(), _STARTS)


def read(text: TracedText) -> TracedText:
    """`text` as it is said."""
    return reader().read_until_stable(text)
