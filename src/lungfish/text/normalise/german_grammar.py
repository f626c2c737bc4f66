"""German numbers, endings, dates and times: what its reader and its own rules share."""

from __future__ import annotations

import re

from lungfish.text.normalise import plain_numbers
from lungfish.text.normalise.european_language import GAP, Currency
from lungfish.text.normalise.german_words import (
    EIN,
    EN,
    FEMININE,
    MASCULINE,
    MONTHS,
    NEUTER,
    NUMBERED,
    E,
)

_DATIVE = r"(?:in|an|auf|mit|von|aus|bei|nach|zu|seit|vor|während|wegen|unter|über|hinter|neben|zwischen|ab|gegenüber)"


_DER_DATIVE = re.compile(rf"(?<!\w)(?i:{_DATIVE}) (?:der|die|das)?$")


_GOVERNOR = re.compile(r"([^\W\d_]{1,20}) (?:[0-9]{1,4}\.(?: [^\W\d_]{1,20})?(?: (?:und|bis|oder|sowie|[-–]) |[-–]))?$")


_ONE = re.compile(r"eins$")


def cardinal(number: int, gender: str = "") -> str:
    """ "eins" alone, "ein" or "eine" in front of a noun."""
    words = plain_numbers.number_words(number, "de") or str(number)
    words = words.replace("einstausend", "eintausend").replace("eins Mil", "eine Mil").replace("eins Bil", "eine Bil")
    if words.startswith(("einhundert", "eintausend")):
        words = words.removeprefix("ein")
    if gender and number % 100 == 1:
        words = _ONE.sub("eine" if gender == "f" and number == 1 else "ein", words)
    return words


def year(number: int) -> str:
    """1999 neunzehnhundertneunundneunzig, 2024 zweitausendvierundzwanzig."""
    if not 1100 <= number <= 1999:
        return cardinal(number)
    return f"{cardinal(number // 100)}hundert{cardinal(number % 100) if number % 100 else ''}"


def ordinal_stem(number: int) -> str:
    """ "dritt", to which an ending is put."""
    words = plain_numbers.number_words(number, "de", "ordinal") or f"{cardinal(number)}ste"
    return words.removesuffix("e")


def noun_gender(word: str) -> str:
    """ "m", "f" or "n" of a noun, "" if unknown."""
    if word in MONTHS or word in MASCULINE:
        return "m"
    if word in FEMININE or word.endswith(("ung", "heit", "keit", "schaft", "tion", "liga", "klasse", "zeit")):
        return "f"
    if word in NEUTER or word.endswith(("chen", "lein", "jahr", "jahrhundert", "kind", "mal", "buch", "spiel")):
        return "n"
    return ""


def ordinal_ending(text: str, noun: str) -> str | None:
    """Of an ordinal behind `text` and in front of `noun`; None where nothing in front calls for one."""
    found = _GOVERNOR.search(text)
    word = found[1].lower() if found else ""
    if word == "der" and _DER_DATIVE.search(text[: found.start()] if found else ""):
        return "en"
    if word in EN:
        return "en"
    if word in E:
        return "e"
    strong = {"f": "e", "n": "es"}.get(noun_gender(noun), "er")
    return strong if word in EIN or word == "als" else None


def date(day: int, month: int, year_number: int | None, text: str) -> str:
    ending = ordinal_ending(text, MONTHS[month - 1]) or "er"
    words = f"{ordinal_stem(day)}{ending} {MONTHS[month - 1]}"
    if year_number is None:
        return words
    return f"{words} {year(year_number)}"


def clock(hour: int, minute: int, second: int | None, marked: bool) -> str:
    words = f"{cardinal(hour, 'm')} Uhr"
    if minute or second is not None:
        words += f" {cardinal(minute)}"
    if second is not None:
        words += f" und {cardinal(second, 'f')} {'Sekunde' if second == 1 else 'Sekunden'}"
    return words


def fraction(whole: int | None, top: int, bottom: int) -> str:
    if bottom == 2:
        if top == 1:
            return "ein halb" if whole is None else f"{cardinal(whole, 'm')}einhalb"
        words = f"{cardinal(top)} halbe"
    else:
        stem = ordinal_stem(bottom)
        words = f"{cardinal(top, 'n')} {stem[0].upper()}{stem[1:]}el"
    return words if whole is None else f"{cardinal(whole)} {words}"


def money(whole: str, cents: int, currency: Currency) -> str:
    return f"{whole} {cardinal(cents)}"


def gender(rest: str, number: int) -> str:
    found = re.match(rf"{GAP}([^\W\d_]{{2,30}})(?!\w)", rest)
    if found is None or number != 1:
        return ""
    word = found[1]
    return noun_gender(word) or ("m" if word[0].isupper() else "")


def roman(value: int, words: list[str], rest: str) -> str | None:
    previous = words[-1] if words else ""
    if previous in NUMBERED:
        return cardinal(value)
    return None
