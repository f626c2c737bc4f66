"""Dates and times of the European languages: day before month, hours up to twenty-four."""

from __future__ import annotations

import re

from lungfish.text.normalise.english_context import after, before
from lungfish.text.normalise.european_language import BEGIN, GAP, Language, apart, either
from lungfish.text.normalise.rules import Rule

_REACH = 40
_MONTH_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_BESIDE_DAY = re.compile(rf"[0-9](?:\.|[ºª°]|er)?{GAP}(?:de{GAP})?$")
_END = r"(?![^\W_]|[.,:/-][0-9])"


def is_day(day: int, month: int) -> bool:
    """Whether the calendar has it."""
    return 1 <= month <= 12 and 1 <= day <= _MONTH_LENGTHS[month - 1]


def rules(language: Language) -> list[Rule]:
    """Rules for dates and times."""

    def iso(match: re.Match[str]) -> str | None:
        day, month = int(match["day"]), int(match["month"])
        if not is_day(day, month):
            return None
        words = language.date(day, month, int(match["year"]), before(match, _REACH))
        if match["hour"]:
            words += ", " + language.clock(int(match["hour"]), int(match["minute"]), None, True)
        return apart(match, words)

    def numeric(match: re.Match[str]) -> str | None:
        day, month = int(match["day"]), int(match["month"])
        if not is_day(day, month):
            return None
        return apart(match, language.date(day, month, int(match["year"]), before(match, _REACH)))

    def short(match: re.Match[str]) -> str | None:
        day, month = int(match["day"]), int(match["month"])
        cue = re.search(r"([^\W\d_]{1,12})['’ \u00a0]?$", before(match, 14))
        if not is_day(day, month) or cue is None or cue[1].lower() not in language.date_cues:
            return None
        return apart(match, language.date(day, month, None, before(match, _REACH)))

    def clock(match: re.Match[str]) -> str | None:
        hour, minute, second = int(match["hour"]), int(match["minute"] or 0), match["second"]
        if hour > 24:
            return None
        marked = bool(match["unit"])
        return apart(match, language.clock(hour, minute, int(second) if second else None, marked))

    def abbreviated(match: re.Match[str]) -> str | None:
        left = _BESIDE_DAY.search(before(match, 12))
        year_follows = re.match(rf"{GAP}[12][0-9]{{3}}", after(match, 6)) is not None
        if not left and not year_follows:
            return None
        name = language.month_names[language.month_forms[match["month"].lower()] - 1]
        if language.month_of:
            name = f"{language.month_of} {name}" if left and "de" not in left[0] else name
            name = f"{name} {language.month_of}" if year_follows else name
        return name + ("." if match.group().endswith(".") and not after(match).strip() else "")

    unit = rf"(?:{GAP}?(?P<unit>{language.clock_unit})(?!\w))"
    months = either(language.month_forms)
    return [
        Rule(
            "ISO date",
            re.compile(
                r"(?<![\w.-])(?P<year>[12][0-9]{3})-(?P<month>0[1-9]|1[0-2])-(?P<day>[0-3][0-9])"
                r"(?:[T ](?P<hour>[01][0-9]|2[0-3]):(?P<minute>[0-5][0-9])(?::[0-5][0-9](?:\.[0-9]{1,9})?)?"
                r"(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?(?![\w]|-[0-9])"
            ),
            iso,
            "0-9",
        ),
        Rule(
            "date",
            re.compile(
                r"(?<![\w/.-])(?P<day>[0-9]{1,2})(?P<mark>[/.-])(?P<month>[0-9]{1,2})(?P=mark)"
                rf"(?P<year>[12][0-9]{{3}}|[0-9]{{2}}){_END}"
            ),
            numeric,
            "0-9",
        ),
        Rule("date", re.compile(rf"(?<![\w/.-])(?P<day>[0-9]{{1,2}})/(?P<month>[0-9]{{1,2}}){_END}"), short, "0-9"),
        Rule(
            "time",
            re.compile(
                rf"{BEGIN}(?<![\w:])(?P<hour>[0-2]?[0-9]):(?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9]))?"
                rf"(?![0-9:]|[.,][0-9]){unit}?"
            ),
            clock,
            "0-9",
        ),
        Rule(
            "time",
            re.compile(
                rf"{BEGIN}(?<![\w:])(?P<hour>[0-2]?[0-9])(?P<second>){GAP}?(?P<unit>h){GAP}?(?P<minute>[0-5][0-9])(?!\w)"
            ),
            clock,
            "0-9",
        ),
        Rule(
            "time",
            re.compile(
                rf"{BEGIN}(?<![\w:])(?P<hour>[0-2]?[0-9])\.(?P<minute>[0-5][0-9])(?P<second>){GAP}?"
                rf"(?P<unit>{language.clock_unit})(?!\w)"
            ),
            clock,
            "0-9",
        ),
        Rule(
            "month",
            re.compile(rf"(?<!\w)(?P<month>{months})(?:\.(?!\w)|(?={GAP}(?:de{GAP})?[12][0-9]{{3}}))", re.IGNORECASE),
            abbreviated,
        ),
    ]
