"""Amounts in Chinese: money, percent, fractions, units, ranges, codes and plain numbers.

两 stands where a speaker counts ("两个", "两点", "两千"), 二 where figures number or follow a point ("第二", "二楼").
"""

from __future__ import annotations

import re

from lungfish.text.normalise.chinese_numbers import cardinal, digit_by_digit, number_words
from lungfish.text.normalise.chinese_units import (
    CURRENCIES,
    CURRENCY,
    MEASURES,
    PER,
    RATE,
    SCALE,
    UNIT,
    UNITS,
)
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
from lungfish.text.normalise.rules import Rule

_SIGNS = {"-": "负", "−": "负", "–": "负", "—": "负", "±": "正负", "+": "正"}
_MEASURE = re.compile(rf"{GAP}?[多余几来]?(?:{MEASURES})")
_NUMBERS_THINGS = re.compile(rf"(?:第|初|周|星期|礼拜|卷|图|表|[A-Za-z][-‐]?){GAP}?$")
_PER = {"%": "百分之", "％": "百分之", "‰": "千分之"}
_LETTERS_BEFORE = re.compile(r"[A-Za-z][-‐]?$")
_LONG_CODE = 3


def _counted(written: str, follows: str, leads: str) -> str:
    """A number in front of `follows` and behind `leads`."""
    order = _NUMBERS_THINGS.search(leads) is not None
    if written == "2" and not order and _MEASURE.match(follows):
        return "两"
    return number_words(written, order=order)


def _signed(sign: str | None, words: str) -> str:
    return (_SIGNS[sign] if sign else "") + words


def _amount(match: re.Match[str], name: str) -> str:
    """The amount that group `number` (to group `last`) holds, in front of the measure or unit `name`."""
    scale = match["scale"] or ""
    words = _counted(match["number"], scale or name, "")
    if match["last"]:
        words += "到" + _counted(match["last"], scale or name, "")
    return words + scale


def _money(match: re.Match[str]) -> str:
    places = match["number"].partition(".")[2]
    name = CURRENCIES[match["symbol"]]
    if places and not places.strip("0") and not match["last"]:
        return _signed(match["sign"], _counted(match["number"].split(".")[0], name, "") + (match["scale"] or "") + name)
    words = _amount(match, name)
    if len(places) == 2 and places[1] == "0" and not match["last"] and not match["scale"]:
        words = words[:-1]  # 12.50: 十二点五
    return _signed(match["sign"], words + name)


def _percent(match: re.Match[str]) -> str:
    name = _PER[match["mark"]]
    words = (
        "百分之百"
        if match["number"] == "100" and name == "百分之"
        else name + number_words(match["number"], order=True)
    )
    if match["last"]:
        words += "到" + name + number_words(match["last"], order=True)
    return _signed(match["sign"], words)


def _unit(match: re.Match[str]) -> str:
    name = UNITS[match["unit"]]
    words = _amount(match, name) + name
    if name in ("摄氏度", "华氏度") and match["sign"] and match["sign"] in "-−–—":
        return "零下" + words
    return _signed(match["sign"], words)


def _rate(match: re.Match[str]) -> str:
    name = UNITS.get(match["rate"], match["rate"])
    return _signed(match["sign"], PER[match["per"]] + _amount(match, name) + name)


def _fraction(match: re.Match[str]) -> str:
    whole = f"{cardinal(match['whole'], order=True)}又" if match["whole"] else ""
    top, bottom = (cardinal(match[name], order=True) for name in ("top", "bottom"))
    return f"{whole}{bottom}分之{top}"


def _vulgar(match: re.Match[str]) -> str:
    top, bottom = vulgar(match["mark"])
    whole = f"{cardinal(match['whole'], order=True)}又" if match["whole"] else ""
    return f"{whole}{cardinal(str(bottom))}分之{cardinal(str(top))}"


def _ratio(match: re.Match[str]) -> str:
    return f"{number_words(match['a'], order=True)}比{number_words(match['b'], order=True)}"


def _range(match: re.Match[str]) -> str | None:
    a, b = match["a"], match["b"]
    if is_code(a.partition(".")[0]) or is_code(b.partition(".")[0]) or float(plain(a)) >= float(plain(b)):
        return None
    if match["scale"]:
        return f"{_counted(a, match['scale'], '')}到{_counted(b, match['scale'], '')}{match['scale']}"
    follows, leads = after(match), before(match)
    return f"{_counted(a, follows, leads)}到{_counted(b, follows, leads)}"


def _version(match: re.Match[str]) -> str:
    parts = match["parts"].split(".")
    if len(parts) == 4:
        return "点".join(digit_by_digit(part, one="幺") for part in parts)
    return "点".join(number_words(part, order=True) for part in parts)


def _number(match: re.Match[str]) -> str:
    written, leads = match["number"], before(match)
    whole, point, _ = written.partition(".")
    if _LETTERS_BEFORE.search(leads) and not match["sign"]:
        long = not point and len(whole) >= _LONG_CODE and "," not in whole and not whole.endswith("000")
        return digit_by_digit(whole) if long else number_words(written, order=True)
    words = _counted(written, after(match), leads)
    if match["sign"] in ("-", "−") and re.match("(?:摄氏)?度", after(match)):
        return "零下" + words
    return _signed(match["sign"], words)


def rules() -> list[Rule]:
    """Rules for amounts; the last takes every number that is left."""
    sign, number = rf"(?P<sign>{SIGN})?", rf"{BEGIN}(?P<number>{NUMBER})"
    to, scale = rf"(?:{TO}(?P<last>{NUMBER}))?", rf"(?:{GAP}?(?P<scale>{SCALE}))?"
    first = "0-9+±−–—-"
    return [
        Rule(
            "money",
            re.compile(rf"{sign}(?<![A-Za-z])(?P<symbol>{CURRENCY}){GAP}?(?P<number>{NUMBER}){to}{scale}(?:美?元)?"),
            _money,
            "$€£¥￥₩₽₹A-Z+±−–—-",
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
        Rule("fraction", VULGAR_FRACTION, _vulgar, f"0-9{VULGAR}"),
        Rule("fraction", FRACTION, _fraction, "0-9"),
        Rule("ratio", RATIO, _ratio, "0-9"),
        Rule("version", VERSION, _version, "0-9"),
        Rule("range", re.compile(rf"{BEGIN}(?P<a>{NUMBER}){TO}(?P<b>{NUMBER}){NOT_MORE}(?!-){scale}"), _range, "0-9"),
        Rule("number", re.compile(rf"{sign}(?P<number>{NUMBER})(?!\.[0-9])"), _number, first),
        Rule("number", re.compile(r"(?P<sign>(?!))?(?P<number>[0-9]++)"), _number, "0-9"),
    ]
