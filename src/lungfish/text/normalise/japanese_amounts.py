"""Amounts in Japanese: money, percent, fractions, units, ranges, codes and plain numbers."""

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
from lungfish.text.normalise.japanese_numbers import cardinal, digit_by_digit, number_words
from lungfish.text.normalise.japanese_units import CURRENCIES, CURRENCY, PER, RATE, SCALE, UNIT, UNITS
from lungfish.text.normalise.rules import Rule

_SIGNS = {"-": "マイナス", "−": "マイナス", "–": "マイナス", "—": "マイナス", "±": "プラスマイナス", "+": "プラス"}
_PER = {"%": "パーセント", "％": "パーセント", "‰": "パーミル"}
_LETTERS_BEFORE = re.compile(r"[A-Za-z][-‐]?$")
_LONG_CODE = 3


def _signed(sign: str | None, words: str) -> str:
    return (_SIGNS[sign] if sign else "") + words


def _amount(match: re.Match[str]) -> str:
    """The amount that group `number` (to group `last`) holds, with its scale."""
    words = number_words(match["number"], match["scale"])
    if match["last"]:
        words += "から" + number_words(match["last"], match["scale"])
    return _signed(match["sign"], words + (match["scale"] or ""))


def _money(match: re.Match[str]) -> str:
    name, written = CURRENCIES[match["symbol"]], match["number"]
    whole, _, places = written.partition(".")
    if match["last"] or match["scale"]:
        return _amount(match) + name
    if places and not places.strip("0"):
        written = whole
    elif len(places) == 2 and name.endswith("ドル"):
        cents = f"{cardinal(places)}セント"
        whole = plain(whole)
        return _signed(match["sign"], f"{cardinal(whole)}{name}{cents}" if whole.strip("0") else cents)
    return _signed(match["sign"], number_words(written) + name)


def _percent(match: re.Match[str]) -> str:
    words = number_words(match["number"])
    if match["last"]:
        words += "から" + number_words(match["last"])
    return _signed(match["sign"], words + _PER[match["mark"]])


def _unit(match: re.Match[str]) -> str:
    name = UNITS[match["unit"]]
    if name.startswith("華氏"):
        return "華氏" + _amount(match) + "度"
    return _amount(match) + name


def _rate(match: re.Match[str]) -> str:
    return PER[match["per"]] + _amount(match) + UNITS[match["rate"]]


def _fraction(match: re.Match[str]) -> str:
    whole = f"{cardinal(match['whole'])}と" if match["whole"] else ""
    return f"{whole}{cardinal(match['bottom'])}分の{cardinal(match['top'])}"


def _vulgar(match: re.Match[str]) -> str:
    top, bottom = vulgar(match["mark"])
    whole = f"{cardinal(match['whole'])}と" if match["whole"] else ""
    return f"{whole}{cardinal(str(bottom))}分の{cardinal(str(top))}"


def _ratio(match: re.Match[str]) -> str:
    return f"{number_words(match['a'])}対{number_words(match['b'])}"


def _range(match: re.Match[str]) -> str | None:
    a, b = match["a"], match["b"]
    if is_code(a.partition(".")[0]) or is_code(b.partition(".")[0]) or float(plain(a)) >= float(plain(b)):
        return None
    scale = match["scale"]
    return f"{number_words(a, scale)}から{number_words(b, scale)}{scale or ''}"


def _version(match: re.Match[str]) -> str:
    return "点".join(number_words(part) for part in match["parts"].split("."))


def _number(match: re.Match[str]) -> str:
    written = match["number"]
    whole, point, _ = written.partition(".")
    if _LETTERS_BEFORE.search(before(match)) and not match["sign"]:
        long = not point and len(whole) >= _LONG_CODE and "," not in whole and not whole.endswith("000")
        return digit_by_digit(whole) if long else number_words(written)
    scale = re.match("[万億兆]", after(match, 1))
    return _signed(match["sign"], number_words(written, scale and scale.group()))


def rules() -> list[Rule]:
    """Rules for amounts; the last takes every number that is left."""
    sign, number = rf"(?P<sign>{SIGN})?", rf"{BEGIN}(?P<number>{NUMBER})"
    to, scale = rf"(?:{TO}(?P<last>{NUMBER}))?", rf"(?:{GAP}?(?P<scale>{SCALE}))?"
    first = "0-9+±−–—-"
    return [
        Rule(
            "money",
            re.compile(rf"{sign}(?<![A-Za-z])(?P<symbol>{CURRENCY}){GAP}?(?P<number>{NUMBER}){to}{scale}(?:円|ドル)?"),
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
