"""What the European readers need to know about a language, and how its numbers are said.

Numbers come as Europeans write them: "1.234,56", "1 234,56", "1'234.56"; where a full stop or comma cannot part
thousands it is read as the decimal mark that it is. Invariant: no digit is ever lost, however long the number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from lungfish.text.normalise.english_context import after
from lungfish.text.normalise.rules import Rule

GAP = r"[ \u00a0\u202f\u2009]"
_THOUSANDS = (
    r"[1-9][0-9]{0,2}(?:\.[0-9]{3}){1,11}(?![0-9]|\.[0-9])"  # 1.234
    r"|[1-9][0-9]{0,2}(?:[\u00a0\u202f\u2009'’][0-9]{3}){1,11}(?![0-9])"  # 1 234 with a space that does not break
    r"|[1-9][0-9]{0,2}(?: [0-9]{3}){1,11}(?![0-9]| [0-9])"  # 1 234
)
_FOREIGN = (
    r"[1-9][0-9]{0,2}(?:,[0-9]{3}){1,11}\.[0-9]++(?![.,][0-9])"  # 1,234.56
    r"|[1-9][0-9]{0,2}(?:,[0-9]{3}){2,11}(?![0-9]|,[0-9])"  # 1,234,567
)
NUMBER = rf"(?:{_FOREIGN}|(?:{_THOUSANDS}|[0-9]++)(?:[.,][0-9]++)?)"
BEGIN = r"(?<![0-9])(?<![0-9][.,])"
_FOREIGN_NUMBER = re.compile(rf"({_FOREIGN})")
_NATIVE_NUMBER = re.compile(rf"(?P<whole>{_THOUSANDS}|[0-9]++)(?:(?P<mark>[.,])(?P<places>[0-9]++))?")
_MAX_DIGITS = 15
_MAX_PLACES = 2  # behind the mark, said as one number where the language does so
_CLOSING = ")]}%°€$£¥²³½¼¾&+=<>"


@dataclass(frozen=True)
class Noun:
    """Attributes:
    one, many: behind the number one and behind others.
    gender: "m", "f" or "n".
    """

    one: str
    many: str
    gender: str = "m"


@dataclass(frozen=True)
class Currency:
    """Attributes:
    name: of the money.
    cent: its hundredth part.
    """

    name: Noun
    cent: Noun


@dataclass(frozen=True)
class Language:
    """One European language.

    Attributes:
        cardinal: number and gender of what is counted ("" where nothing is) -> words.
        year: a year -> words.
        minus, point, comma, percent, permille, plus: their words.
        pairs: places behind the decimal mark are said as one number; else digit by digit.
        singular_below_two: 1.5 takes the singular too.
        month_names: January to December.
        month_forms: how months are also written, in small letters -> 1..12.
        date: day, month, year or None, the text in front -> words.
        date_cues: words in front of "3/10" that make it a date.
        clock: hour, minute, second or None, whether the unit was written -> words.
        clock_unit: pattern of what may follow a time, such as "Uhr".
        units, scales: symbol -> noun. `square`, `cubic`: a noun of length -> of area, of volume.
        currencies: sign or code -> currency. `money`: whole, cents, currency -> words.
        per: in front of what a unit is divided by.
        of: between "million" and the noun, given the noun.
        fraction: whole or None, numerator, denominator -> words.
        out_of, to, score: "7 (out of) 10", "5 (to) 10", "3 (to) 2".
        gender: the text behind a number, the number -> gender of what it counts, or "".
        marks: of web addresses. `symbols`: of prose.
        abbreviations: with their full stops -> words; in `stop_may_end` those that can end a sentence.
        roman: value, words in front, text behind -> words or None.
        month_of: what stands in front of a month and behind it, "de" or "".
        numbered: abbreviations that are read only in front of a number, such as "S." for a page.
        phone_pairs: groups of a phone number are said as numbers.
        own: rules that come before all others.
    """

    cardinal: Callable[[int, str], str]
    year: Callable[[int], str]
    minus: str
    point: str
    comma: str
    percent: str
    permille: str
    plus: str
    month_names: tuple[str, ...]
    month_forms: Mapping[str, int]
    date: Callable[[int, int, int | None, str], str]
    date_cues: frozenset[str]
    clock: Callable[[int, int, int | None, bool], str]
    clock_unit: str
    units: Mapping[str, Noun]
    square: Callable[[Noun], Noun]
    cubic: Callable[[Noun], Noun]
    scales: Mapping[str, Noun]
    currencies: Mapping[str, Currency]
    money: Callable[[str, int, Currency], str]
    per: str
    of: Callable[[str], str]
    fraction: Callable[[int | None, int, int], str]
    out_of: str
    to: str
    score: str
    gender: Callable[[str, int], str]
    marks: Mapping[str, str]
    symbols: Mapping[str, str]
    abbreviations: Mapping[str, str]
    stop_may_end: frozenset[str]
    starters: str
    roman: Callable[[int, list[str], str], str | None]
    pairs: bool = True
    singular_below_two: bool = False
    phone_pairs: bool = False
    month_of: str = ""
    numbered: Mapping[str, str] = field(default_factory=dict)
    own: tuple[Rule, ...] = field(default=())


def nouns(table: str) -> dict[str, Noun]:
    """ "km kilomètre/kilomètres m; °C degré_Celsius/degrés_Celsius m": symbols, one/many, gender; _ for a blank."""
    found = {}
    for entry in re.split(r"[;\n]+", table.strip()):
        symbols, rest = entry.strip().split(" ", 1)
        names, gender = rest.rsplit(" ", 1)
        one, _, many = names.replace("_", " ").partition("/")
        for symbol in symbols.split(","):
            found[symbol.replace("_", " ")] = Noun(one, many or one, gender)
    return found


def pairs_of(table: str) -> dict[str, str]:
    """ "Dr.=Doktor; z. B.=zum Beispiel" as a table."""
    entries = (entry.strip() for entry in re.split(r"[;\n]+", table.strip()))
    return dict(entry.split("=", 1) for entry in entries if entry)  # type: ignore[misc]


def either(symbols: Iterable[str]) -> str:
    """A pattern of any of them, the longest first."""
    return "|".join(re.escape(symbol) for symbol in sorted(symbols, key=len, reverse=True))


def parts(written: str) -> tuple[str, str, str]:
    """What `NUMBER` matched -> its digits, its decimal mark or "", the digits behind it."""
    if _FOREIGN_NUMBER.fullmatch(written):
        whole, mark, places = written.replace(",", "").partition(".")
        return whole, mark, places
    found = _NATIVE_NUMBER.fullmatch(written)
    assert found is not None
    return re.sub("[^0-9]", "", found["whole"]), found["mark"] or "", found["places"] or ""


def spelled(language: Language, digits: str) -> str:
    """Digit by digit."""
    return " ".join(language.cardinal(int(digit), "") for digit in digits)


def whole_words(language: Language, digits: str, gender: str = "") -> str:
    """A run of digits: a quantity, but digit by digit behind a leading zero or when longer than any name."""
    if len(digits) > _MAX_DIGITS or (len(digits) > 1 and digits[0] == "0"):
        return spelled(language, digits)
    return language.cardinal(int(digits), gender)


def number_words(language: Language, written: str, gender: str = "") -> str:
    """Any number that `NUMBER` matches, in front of a noun of `gender`."""
    whole, mark, places = parts(written)
    if not mark:
        return whole_words(language, whole, gender)
    zeros = places[: len(places) - len(places.lstrip("0"))]
    rest = places[len(zeros) :]
    if language.pairs and rest and len(rest) <= _MAX_PLACES:
        behind = f"{spelled(language, zeros)} {language.cardinal(int(rest), '')}".strip()
    else:
        behind = spelled(language, places)
    return f"{whole_words(language, whole)} {language.comma if mark == ',' else language.point} {behind}"


def is_singular(language: Language, written: str) -> bool:
    """Whether a noun behind the number stands in the singular."""
    whole, mark, _ = parts(written)
    if language.singular_below_two:
        return whole.lstrip("0") in ("", "1")
    return whole == "1" and not mark


def counted(language: Language, written: str, noun: Noun) -> str:
    """A number and its noun: "1", Kilometer -> "ein Kilometer"."""
    name = noun.one if is_singular(language, written) else noun.many
    return f"{number_words(language, written, noun.gender)} {name}"


def apart(match: re.Match[str], words: str) -> str:
    """`words`, with blanks where the match touches what is said as a word."""
    left = match.string[match.start() - 1 : match.start()]
    right = after(match, 1)
    if left and (left.isalnum() or left in _CLOSING):
        words = " " + words
    shared = match.group()[-1:] in _CLOSING and right.isdigit()  # the number that follows brings its own blank
    if right and not shared and (right.isalnum() or right in "([{"):
        words += " "
    return words
