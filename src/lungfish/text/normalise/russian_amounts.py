"""Amounts in Russian: money, percent, units, decimals, fractions, ranges, plain numbers, each in its case."""

from __future__ import annotations

import re

from lungfish.text.normalise.east_asian import VULGAR, vulgar
from lungfish.text.normalise.rules import Rule
from lungfish.text.normalise.russian_context import GAP, after, agreement, before, case_before, ends_sentence, next_word
from lungfish.text.normalise.russian_numbers import cardinal, decimal, digit_by_digit, fraction, prefix, run_of_digits
from lungfish.text.normalise.russian_units import (
    CURRENCIES,
    CURRENCY,
    PER_MILLE,
    PERCENT,
    PREFIX_CURRENCY,
    SCALE,
    SCALES,
    SMALL_MONEY,
    UNIT,
    UNITS,
    Noun,
)

BEGIN = r"(?<![0-9])(?<![0-9][.,])"
WHOLE = r"(?:[1-9][0-9]{0,2}(?:[ \u00a0\u202f][0-9]{3}){1,4}(?![0-9])|[0-9]++)"
NUMBER = rf"(?:{WHOLE}(?:[.,][0-9]{{1,9}}(?![0-9]))?)"
SIGN = r"(?:(?<![\w)\]%.])[-−+±]|(?<![\w)\]%.])[–—](?=[0-9]))"
TO = rf"(?:{GAP}?[-–—−]{GAP}?|\.\.\.?|…)"
_SIGNS = {"-": "минус ", "−": "минус ", "–": "минус ", "—": "минус ", "+": "плюс ", "±": "плюс-минус "}
_MAX_NAMED = 15
_FULL = {"й": "ый", "я": "ая", "е": "ое", "го": "ого", "му": "ому", "м": "ом", "х": "ых"}


def _apart(match: re.Match[str], words: str) -> str:
    """`words`, with blanks where they touch letters that belong to something else."""
    left, right = before(match, 1), after(match, 1)
    words += "." if ends_sentence(match) else ""
    return f"{' ' if left.isalnum() else ''}{words}{' ' if right.isalnum() else ''}"


def _sign(match: re.Match[str]) -> str:
    return _SIGNS[match["sign"]] if match["sign"] else ""


def split(written: str) -> tuple[str, str]:
    """A number's digits in front of and behind the point: "1 234,5" -> ("1234", "5")."""
    whole, _, places = re.sub(GAP, "", written).replace(".", ",").partition(",")
    return whole, places


def _words(written: str, case: str, gender: str) -> str:
    whole, places = split(written)
    if (whole, places) == ("1", "5"):
        return "полутора" if case not in "na" else "полторы" if gender == "f" else "полтора"
    return decimal(whole, places, case) if places else run_of_digits(whole, case, gender)


def _form(noun: Noun, written: str, case: str) -> str:
    whole, places = split(written)
    return noun.part if places else noun.behind(int(whole[-_MAX_NAMED:]), case)


def _of(match: re.Match[str], noun: Noun) -> str:
    """The amount of `noun` that groups `number`, `last` and `scale` hold, without its sign."""
    case, scale = case_before(match), SCALES.get(match["scale"] or "")
    counted = scale or noun
    words = _words(match["number"], case, counted.gender)
    if match["last"]:
        words += " — " + _words(match["last"], case, counted.gender)
    final = match["last"] or match["number"]
    if scale is None:
        return f"{words} {_form(noun, final, case)}"
    return f"{words} {_form(scale, final, case)} {noun.many}{noun.tail}"


def _money(match: re.Match[str]) -> str:
    noun = CURRENCIES[match["symbol"]]
    whole, places = split(match["number"])
    small = SMALL_MONEY.get(noun)
    if len(places) == 2 and small and not match["scale"] and not match["last"]:
        case, cents = case_before(match), int(places)
        words = f"{run_of_digits(whole, case, noun.gender)} {noun.behind(int(whole[-_MAX_NAMED:]), case)}"
        if cents:
            words += f" {cardinal(cents, case, small.gender)} {small.behind(cents, case)}"
        return _apart(match, _sign(match) + words)
    return _apart(match, _sign(match) + _of(match, noun))


def _percent(match: re.Match[str]) -> str:
    return _apart(match, _sign(match) + _of(match, PER_MILLE if match["mark"] == "‰" else PERCENT))


def _percent_adjective(match: re.Match[str]) -> str:
    ending = match["ending"]
    return _apart(match, f"{prefix(int(match['number']))}процентн{_FULL.get(ending, ending)}")


def _unit(match: re.Match[str]) -> str:
    return _apart(match, _sign(match) + _of(match, UNITS[match["unit"]]))


def _scaled(match: re.Match[str]) -> str:
    case, scale = case_before(match), SCALES[match["scale"]]
    words = _words(match["number"], case, scale.gender)
    if match["last"]:
        words += " — " + _words(match["last"], case, scale.gender)
    return _apart(match, f"{_sign(match)}{words} {_form(scale, match['last'] or match['number'], case)}")


def _fraction(match: re.Match[str]) -> str:
    words = fraction(int(match["top"]), int(match["bottom"]), case_before(match))
    whole = f"{cardinal(int(match['whole']), gender='f')} целых " if match["whole"] else ""
    return _apart(match, whole + words)


def _vulgar(match: re.Match[str]) -> str:
    words = fraction(*vulgar(match["mark"]))
    whole = f"{cardinal(int(match['whole']), gender='f')} целых " if match["whole"] else ""
    return _apart(match, whole + words)


def _version(match: re.Match[str]) -> str:
    return _apart(match, " точка ".join(run_of_digits(part) for part in match["parts"].split(".")))


def _range(match: re.Match[str]) -> str | None:
    (a, places), (b, more) = split(match["a"]), split(match["b"])
    if float(f"{a}.{places or 0}") >= float(f"{b}.{more or 0}") or (len(a) > 1 and a[0] == "0"):
        return None
    case, gender = agreement(match, int(b[-2:]))
    return _apart(match, f"{_words(match['a'], case, gender)} — {_words(match['b'], case, gender)}")


def _number(match: re.Match[str]) -> str:
    whole, places = split(match["number"])
    if places:
        case, noun = case_before(match), next_word(match)
        halved = (whole, places) == ("1", "5") and noun.endswith(("а", "я", "ы", "и")) and len(noun) > 2
        words = (
            _words(match["number"], case, "f" if noun[-1:] in "ыи" else "m") if halved else decimal(whole, places, case)
        )
        return _apart(match, _sign(match) + words)
    case, gender = agreement(match, int(whole[-2:]))
    return _apart(match, _sign(match) + run_of_digits(whole, case, gender))


def _digits(match: re.Match[str]) -> str:
    return _apart(
        match, digit_by_digit(match.group()) if len(match.group()) > _MAX_NAMED else run_of_digits(match.group())
    )


def rules() -> list[Rule]:
    """Rules for amounts; the last takes every number that is left."""
    sign, number = rf"(?P<sign>{SIGN})?", rf"{BEGIN}(?P<number>{NUMBER})"
    to, scale = rf"(?:{TO}(?P<last>{NUMBER}))?", rf"(?:{GAP}?(?P<scale>{SCALE})(?!\w))?"
    first = "0-9+±−–—-"
    endings = "ый|ая|ое|ого|ой|ому|ым|ом|ую|ые|ых|ыми|й|я|е|го|му|м|х"
    return [
        Rule(
            "money",
            re.compile(rf"{sign}(?<!\w)(?P<symbol>{PREFIX_CURRENCY}){GAP}?(?P<number>{NUMBER}){to}{scale}"),
            _money,
            "$€£¥￥₩₽₹₴₸A-Z+±−–—-",
        ),
        Rule("money", re.compile(rf"{sign}{number}{to}{scale}{GAP}?(?P<symbol>{CURRENCY})(?![\w])"), _money, first),
        Rule(
            "percent",
            re.compile(rf"{BEGIN}(?P<number>[0-9]{{1,5}}){GAP}?(?:%-?н|%-)(?P<ending>{endings})(?![а-яё])"),
            _percent_adjective,
            "0-9",
        ),
        Rule(
            "percent",
            re.compile(rf"{sign}{number}(?:{GAP}?%?{TO}(?P<last>{NUMBER}))?(?P<scale>(?!))?{GAP}?(?P<mark>[%‰])"),
            _percent,
            first,
        ),
        Rule("unit", re.compile(rf"{sign}{number}{to}{scale}{GAP}?{UNIT}"), _unit, first),
        Rule("scaled", re.compile(rf"{sign}{number}{to}{GAP}?(?P<scale>{SCALE})(?!\w)"), _scaled, first),
        Rule(
            "fraction",
            re.compile(rf"(?:(?<![0-9])(?P<whole>[0-9]{{1,4}}))?{GAP}?(?P<mark>[{VULGAR}])"),
            _vulgar,
            f"0-9{VULGAR}",
        ),
        Rule(
            "fraction",
            re.compile(
                rf"{BEGIN}(?<!/)(?:(?P<whole>[0-9]{{1,4}}){GAP})?(?P<top>[0-9]{{1,4}})[/⁄](?P<bottom>[2-9]|[1-9][0-9]{{1,3}})"
                r"(?![0-9/]|[.,:][0-9])"
            ),
            _fraction,
            "0-9",
        ),
        Rule(
            "version",
            re.compile(rf"{BEGIN}(?P<parts>[0-9]{{1,6}}(?:\.[0-9]{{1,6}}){{2,6}})(?!\.?[0-9])"),
            _version,
            "0-9",
        ),
        Rule(
            "range",
            re.compile(rf"{BEGIN}(?<![-/])(?P<a>{NUMBER}){TO}(?P<b>{NUMBER})(?![0-9]|[-/][0-9]|-[а-яё])"),
            _range,
            "0-9",
        ),
        Rule("number", re.compile(rf"{sign}(?P<number>{NUMBER})(?![.,][0-9])"), _number, first),
        Rule("number", re.compile(r"[0-9]++"), _digits, "0-9"),
    ]
