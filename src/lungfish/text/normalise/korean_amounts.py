"""Amounts in Korean: money, percent, fractions, units, counters, ranges, codes and plain numbers.

A blank stands between a number and what it counts ("세 개", "오천 원"), none between a number and a particle ("삼은").
"""

from __future__ import annotations

import re

from lungfish.text.normalise.east_asian import (
    BEGIN,
    FRACTION,
    GAP,
    NOT_MORE,
    NUMBER,
    RATIO,
    SIGN,
    TO,
    VERSION,
    VULGAR,
    VULGAR_FRACTION,
    after,
    before,
    is_code,
    plain,
    vulgar,
)
from lungfish.text.normalise.korean_numbers import cardinal, digit_by_digit, native, number_words
from lungfish.text.normalise.korean_units import (
    COUNTER,
    CURRENCIES,
    CURRENCY,
    PARTICLE,
    PER,
    RATE,
    SCALE,
    SCALES_OF_HEAT,
    UNIT,
    UNITS,
    native_up_to,
)
from lungfish.text.normalise.rules import Rule

_SIGNS = {
    "-": "마이너스 ",
    "−": "마이너스 ",
    "–": "마이너스 ",
    "—": "마이너스 ",
    "±": "플러스마이너스 ",
    "+": "플러스 ",
}
_PER = {"%": "퍼센트", "％": "퍼센트", "‰": "퍼밀"}
_LETTERS_BEFORE = re.compile(r"[A-Za-z][-‐]?$")
_SCALE_FOLLOWS = re.compile("[십백천만억조]")
_LONG_CODE = 3


def apart(match: re.Match[str], words: str) -> str:
    """`words`, with blanks where they touch letters or figures that belong to something else."""
    left, right = before(match, 1), after(match, 1)
    if left and (left.isalnum() and left != "제"):
        words = " " + words
    if right.isalnum() and not PARTICLE.match(match.string, match.end()) and not _SCALE_FOLLOWS.match(right):
        words += " "
    return words


def _amount(match: re.Match[str]) -> str:
    """The amount that group `number` (to group `last`) holds, with its scale, without its sign."""
    words = number_words(match["number"])
    if match["last"]:
        words += "에서 " + number_words(match["last"])
    scale = match["scale"] or ""
    return scale if scale in ("만", "천", "백", "십") and words == "일" else words + scale


def _sign(match: re.Match[str]) -> str:
    return _SIGNS[match["sign"]] if match["sign"] else ""


def _money(match: re.Match[str]) -> str:
    name = CURRENCIES[match["symbol"]]
    whole, _, places = match["number"].partition(".")
    if match["last"] or match["scale"]:
        words = f"{_amount(match)} {name}"
    elif places and not places.strip("0"):
        words = f"{number_words(whole)} {name}"
    elif len(places) == 2 and name.endswith("달러"):
        cents = f"{cardinal(places)} 센트"
        words = f"{cardinal(plain(whole))} {name} {cents}" if plain(whole).strip("0") else cents
    else:
        words = f"{_amount(match)} {name}"
    return apart(match, _sign(match) + words)


def _scaled(match: re.Match[str]) -> str:
    return apart(match, _sign(match) + _amount(match))


def _percent(match: re.Match[str]) -> str:
    words = number_words(match["number"])
    if match["last"]:
        words += "에서 " + number_words(match["last"])
    return apart(match, f"{_sign(match)}{words} {_PER[match['mark']]}")


def _unit(match: re.Match[str]) -> str:
    unit, sign = match["unit"], _sign(match)
    if unit in SCALES_OF_HEAT:
        sign = "영하 " if sign.startswith("마이너스") else SCALES_OF_HEAT[unit] + sign
    return apart(match, f"{sign}{_amount(match)} {UNITS[unit]}")


def _rate(match: re.Match[str]) -> str:
    return apart(match, f"{PER[match['per']]} {_amount(match)} {UNITS[match['rate']]}")


def _fraction(match: re.Match[str]) -> str:
    whole = f"{cardinal(match['whole'])}와 " if match["whole"] else ""
    return apart(match, f"{whole}{cardinal(match['bottom'])}분의 {cardinal(match['top'])}")


def _vulgar(match: re.Match[str]) -> str:
    top, bottom = vulgar(match["mark"])
    whole = f"{cardinal(match['whole'])}와 " if match["whole"] else ""
    return apart(match, f"{whole}{cardinal(str(bottom))}분의 {cardinal(str(top))}")


def _ratio(match: re.Match[str]) -> str:
    return apart(match, f"{number_words(match['a'])} 대 {number_words(match['b'])}")


def _counted(match: re.Match[str]) -> str | None:
    """A native number and its counter, or two: "세 개", "세 개에서 다섯 개"."""
    counter, limit = match["counter"], native_up_to(match["counter"], after(match))
    written = [match["number"]] if match["last"] is None else [match["number"], match["last"]]
    if any(is_code(each) or not 1 <= int(each) <= limit for each in written):
        return None
    words = [("첫" if counter == "번째" and each == "1" else native(int(each))) + " " + counter for each in written]
    joined = "에서 ".join(words)
    return joined if before(match, 1) in ("", " ", "\n") or not before(match, 1).isalnum() else " " + joined


def _ordinal(match: re.Match[str]) -> str:
    return apart(match, "제" + cardinal(match["number"]))


def _range(match: re.Match[str]) -> str | None:
    a, b = match["a"], match["b"]
    if is_code(a.partition(".")[0]) or is_code(b.partition(".")[0]) or float(plain(a)) >= float(plain(b)):
        return None
    return apart(match, f"{number_words(a)}에서 {number_words(b)}{match['scale'] or ''}")


def _version(match: re.Match[str]) -> str:
    return apart(match, " 점 ".join(number_words(part) for part in match["parts"].split(".")))


def _number(match: re.Match[str]) -> str:
    written, sign = match["number"], _sign(match)
    whole, point, _ = written.partition(".")
    if _LETTERS_BEFORE.search(before(match)) and not sign:
        long = not point and len(whole) >= _LONG_CODE and "," not in whole and not whole.endswith("000")
        return apart(match, digit_by_digit(whole) if long else number_words(written))
    if sign.startswith("마이너스") and re.match(" ?도(?![가-힣])", after(match)):
        sign = "영하 "
    return apart(match, sign + number_words(written))


def rules() -> list[Rule]:
    """Rules for amounts; the last takes every number that is left."""
    sign, number = rf"(?P<sign>{SIGN})?", rf"{BEGIN}(?P<number>{NUMBER})"
    to, scale = rf"(?:{TO}(?P<last>{NUMBER}))?", rf"(?:{GAP}?(?P<scale>{SCALE}))?"
    first = "0-9+±−–—-"
    return [
        Rule(
            "money",
            re.compile(rf"{sign}(?<![A-Za-z])(?P<symbol>{CURRENCY}){GAP}?(?P<number>{NUMBER}){to}{scale}"),
            _money,
            "$€£¥￥₩￦₽₹A-Z+±−–—-",
        ),
        Rule(
            "money",
            re.compile(rf"{sign}{number}{to}{scale}{GAP}?(?P<symbol>{CURRENCY})(?![A-Za-z0-9])"),
            _money,
            first,
        ),
        Rule(
            "percent",
            re.compile(rf"{sign}{number}(?:[%％]?{TO}(?P<last>{NUMBER}))?{GAP}?(?P<mark>[%％‰])"),
            _percent,
            first,
        ),
        Rule("rate", re.compile(rf"{sign}{number}{to}{scale}{GAP}?{RATE}"), _rate, first),
        Rule("unit", re.compile(rf"{sign}{number}{to}{scale}{GAP}?{UNIT}"), _unit, first),
        Rule("ordinal", re.compile(rf"제{GAP}?(?P<number>[0-9]{{1,9}})(?![0-9.,])"), _ordinal, "제"),
        Rule(
            "counted",
            re.compile(
                rf"{BEGIN}(?<![-−/:])(?P<number>[0-9]{{1,2}})(?:(?:{COUNTER})?{TO}(?P<last>[0-9]{{1,2}}))?{GAP}?(?P<counter>{COUNTER})"
            ),
            _counted,
            "0-9",
        ),
        Rule("scaled", re.compile(rf"{sign}{number}{to}{GAP}?(?P<scale>{SCALE})"), _scaled, first),
        Rule("fraction", VULGAR_FRACTION, _vulgar, f"0-9{VULGAR}"),
        Rule("fraction", FRACTION, _fraction, "0-9"),
        Rule("ratio", RATIO, _ratio, "0-9"),
        Rule("version", VERSION, _version, "0-9"),
        Rule("range", re.compile(rf"{BEGIN}(?P<a>{NUMBER}){TO}(?P<b>{NUMBER}){NOT_MORE}(?!-){scale}"), _range, "0-9"),
        Rule("number", re.compile(rf"{sign}(?P<number>{NUMBER})(?!\.[0-9])"), _number, first),
        Rule("number", re.compile(r"(?P<sign>(?!))?(?P<number>[0-9]++)"), _number, "0-9"),
    ]
