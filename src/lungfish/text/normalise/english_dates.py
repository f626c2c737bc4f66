"""Dates in English.

12/01/2026 is December first; day first in British style or where the first number cannot be a month. With full stops
between them the day always comes first. Names of months and weekdays are written out.
"""

from __future__ import annotations

import re

from lungfish.text.normalise.english_context import (
    GAP,
    after,
    apart,
    counts_things,
    next_word,
    previous_word,
    with_stop,
)
from lungfish.text.normalise.english_numbers import Style, make_ordinal, two_digit_year, two_digits, year
from lungfish.text.normalise.english_times import time_words
from lungfish.text.normalise.rules import Rule
from lungfish.text.normalise.word_lists import word_list, word_set

MONTHS = word_list("January February March April May June July August September October November December")
WEEKDAYS = word_list("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY = r"(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)"
_DAY = r"(?:3[01]|[12][0-9]|0?[1-9])"
_SUFFIX = r"(?:st|nd|rd|th)?"
_YEAR = r"[1-9][0-9]{3}"
_NO_MORE = r"(?![0-9%]|[.,:/][0-9]|[^\W\d_])"
# Words, names or codes as well when in small letters.
_AMBIGUOUS_MONTHS = ("may", "march", "mar", "jan", "dec", "sep", "jun")

_DATE_BEFORE = word_set("on until dated due through")


def month_name(written: str) -> str:
    """ "sept" -> "September"."""
    short = written[:3].lower()
    return next(name for name in MONTHS if name.lower().startswith(short))


def day_name(written: str) -> str:
    """ "Thurs" -> "Thursday"."""
    return next(name for name in WEEKDAYS if name.startswith(written[:3]))


def day_ordinal(day: int) -> str:
    """ "third"."""
    return make_ordinal(two_digits(day))


def date_words(
    day: int | None, month: int | None, number: int | str | None, style: Style, *, day_first: bool | None = None
) -> str:
    """A date: "December first twenty twenty-six", day first "the first of December twenty twenty-six".

    Args:
        day, month: None: not said.
        number: the year; a string of two digits for a year without its century.
        style: British says the day first.
        day_first: overrides the style.
    """
    first = style.british if day_first is None else day_first
    parts = []
    if month and day:
        name, nth = MONTHS[month - 1], day_ordinal(day)
        parts.append(f"the {nth} of {name}" if first else f"{name} {nth}")
    elif month:
        parts.append(MONTHS[month - 1])
    elif day:
        parts.append(f"the {day_ordinal(day)}")
    if isinstance(number, str):
        parts.append(two_digit_year(number))
    elif number is not None:
        parts.append(year(number, style))
    return " ".join(parts)


def rules(style: Style) -> list[Rule]:
    """Rules for dates."""

    def month_day(match: re.Match[str]) -> str | None:
        written, suffix = match["month"], match["suffix"]
        if written.islower() and written in _AMBIGUOUS_MONTHS:
            return None
        rest = after(match)
        if match["year"] is None and not suffix and written.lower() in ("may", "march") and counts_things(rest):
            return None
        name = month_name(written)
        days = day_ordinal(int(match["day"]))
        if match["last"]:
            days += " to " + day_ordinal(int(match["last"]))
        words = f"{name} the {days}" if style.british else f"{name} {days}"
        if match["year"]:
            words += " " + year(int(match["year"]), style)
        return words

    def day_month(match: re.Match[str]) -> str | None:
        if not match["month"][0].isupper():
            return None
        if match["year"] is None and match["month"].lower() in ("may", "march") and next_word(after(match)).islower():
            return None
        days = day_ordinal(int(match["day"]))
        if match["last"]:
            days += " to " + day_ordinal(int(match["last"]))
        article = "" if previous_word(match).lower() == "the" else "the "
        words = f"{article}{days} of {month_name(match['month'])}"
        return f"{words} {year(int(match['year']), style)}" if match["year"] else with_stop(match, words)

    def month_year(match: re.Match[str]) -> str | None:
        written = match["month"]
        if written.islower() and written in _AMBIGUOUS_MONTHS:
            return None
        if written.lower() in ("may", "march") and counts_things(after(match)):
            return None
        return f"{month_name(written)} {year(int(match['year']), style)}"

    def iso(match: re.Match[str]) -> str:
        words = date_words(int(match["day"]), int(match["month"]), int(match["year"]), style)
        if match["hour"]:
            second = int(match["second"]) if match["second"] and int(match["second"]) else None
            time = time_words(int(match["hour"]), int(match["minute"]), second=second, places=match["places"] or "")
            words += f", {time}"
        zone = match["zone"]
        if zone == "Z":
            words += " U T C"
        elif zone:
            sign = "plus" if zone[0] == "+" else "minus"
            hours, minutes = int(zone[1:3]), int(zone[-2:])
            words += f" U T C {sign} {two_digits(hours)}" + (f" {two_digits(minutes)}" if minutes else "")
        return apart(match, words)

    def numeric(match: re.Match[str]) -> str | None:
        first, second, mark, written = int(match["a"]), int(match["b"]), match["mark"], match["year"]
        if mark != "/" and len(written) == 2:
            return None
        day_first = mark == "." or style.british or first > 12
        day, month = (first, second) if day_first and second <= 12 else (second, first)
        if not (1 <= month <= 12 and 1 <= day <= 31):
            return None
        return apart(match, date_words(day, month, int(written) if len(written) == 4 else written, style))

    def slashed(match: re.Match[str]) -> str | None:
        first, second = match["a"], match["b"]
        padded = first[0] == "0" or second[0] == "0"
        if not padded and previous_word(match).lower() not in _DATE_BEFORE:
            return None
        day_first = style.british or int(first) > 12
        day, month = (int(first), int(second)) if day_first else (int(second), int(first))
        if not (1 <= month <= 12 and 1 <= day <= 31):
            return None
        return date_words(day, month, None, style)

    def weekday(match: re.Match[str]) -> str:
        return day_name(match["day"])

    def span_of_names(match: re.Match[str]) -> str:
        name = day_name if match["a"][:3] in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun") else month_name
        return f"{name(match['a'])} to {name(match['b'])}"

    def month_alone(match: re.Match[str]) -> str:
        return with_stop(match, month_name(match["month"]))

    to = rf"(?:{GAP}?[-–—]{GAP}?(?P<last>{_DAY}){_SUFFIX})?"
    after_day = rf"(?:,?{GAP}(?P<year>{_YEAR})(?![^\W_]|[.,:][0-9]|-[0-9]))?"
    short_month = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
    return [
        Rule(
            "ISO date",
            re.compile(
                r"(?<![\w.-])(?P<year>[12][0-9]{3})(?P<mark>[-/.])(?P<month>0[1-9]|1[0-2])(?P=mark)"
                r"(?P<day>0[1-9]|[12][0-9]|3[01])"
                r"(?:T(?P<hour>[01][0-9]|2[0-3]):(?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9])(?:\.(?P<places>[0-9]{1,9}))?)?"
                r"(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2})?)?(?![\w]|[-/.][0-9])"
            ),
            iso,
            "0-9",
        ),
        Rule(
            "date",
            re.compile(
                r"(?<![\w/.-])(?P<a>[0-9]{1,2})(?P<mark>[/.-])(?P<b>[0-9]{1,2})(?P=mark)"
                r"(?P<year>[12][0-9]{3}|[0-9]{2})(?![\w/]|[.-][0-9])"
            ),
            numeric,
            "0-9",
        ),
        Rule("date", re.compile(r"(?<![\w/.-])(?P<a>[0-9]{1,2})/(?P<b>[0-9]{1,2})(?![\w/]|[.-][0-9])"), slashed, "0-9"),
        Rule(
            "day and month",
            re.compile(
                rf"(?<![\w.,:/$€£-])(?P<day>{_DAY}){_SUFFIX}{to}{GAP}(?:of{GAP})?(?P<month>{MONTH})(?!\w)\.?{after_day}",
                re.IGNORECASE,
            ),
            day_month,
            "0-9",
        ),
        Rule(
            "month and day",
            re.compile(
                rf"(?<!\w)(?P<month>{MONTH})\.?{GAP}(?P<day>{_DAY})(?P<suffix>{_SUFFIX}){to}{_NO_MORE}{after_day}",
                re.IGNORECASE,
            ),
            month_day,
            "A-Za-z",
        ),
        Rule(
            "month and year",
            re.compile(rf"(?<!\w)(?P<month>{MONTH})\.?,?{GAP}(?P<year>[12][0-9]{{3}}){_NO_MORE}", re.IGNORECASE),
            month_year,
            "A-Za-z",
        ),
        Rule(
            "names",
            re.compile(
                rf"(?<!\w)(?P<a>{_WEEKDAY}|{short_month})\.?(?:[-–]|{GAP}[-–—]{GAP})(?P<b>{_WEEKDAY}|{short_month})(?!\w)(?:\.(?=[,;:)]|{GAP}[a-z0-9]))?"
            ),
            span_of_names,
            "A-Z",
        ),
        Rule(
            "weekday", re.compile(rf"(?<!\w)(?P<day>Mon|Tues?|Wed|Thu(?:rs?)?|Fri)\.(?=[,;:]?{GAP})"), weekday, "MTWF"
        ),
        Rule(
            "weekday",
            re.compile(rf"(?<!\w)(?P<day>{_WEEKDAY})\.?(?=,{GAP}(?:[0-9]{{1,2}}{GAP}|{short_month}))"),
            weekday,
            "MTWFS",
        ),
        Rule("month", re.compile(r"(?<!\w)(?P<month>Jan|Feb|Apr|Aug|Sept?|Oct|Nov|Dec)\.(?!\w)"), month_alone, "A-Z"),
    ]
