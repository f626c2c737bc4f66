"""Years, eras and decades in English.

When is a number a year? Four digits without a separator, 1000 to 2099, are one ("twelve oh four" for a room is said
the same way), unless they count something: a unit, a plural noun ("1500 ships", "1500 small ships") or one of
`_QUANTITY_BEFORE` ("over 1500", "a total of 1500") says so. "In", "since", "during" or a month before 1901..2099 outweighs
a plural noun ("In 1999 people danced"). With AD, BC, CE or BCE any number is a year.
"""

from __future__ import annotations

import re

from lungfish.text.normalise.english_context import (
    GAP,
    after,
    apart,
    before,
    character_before,
    counts_things,
    previous_word,
    with_stop,
)
from lungfish.text.normalise.english_dates import MONTHS
from lungfish.text.normalise.english_numbers import Style, cardinal, make_plural, two_digit_year, two_digits, year
from lungfish.text.normalise.rules import Rule
from lungfish.text.normalise.word_lists import word_set

_QUANTITY_BEFORE = word_set(
    "about approximately roughly nearly almost over under than least most only exactly some another every all these those "
    "my his her our their your many few up times plus minus costs cost weighs totaling totalling"
)
_MEASURES = word_set(
    "total population maximum minimum sum number distance average height length weight group crowd team crew army force "
    "price cost range set series list score limit capacity budget sample batch altitude depth speed"
)
_YEAR_BEFORE = word_set("in since during until till circa year summer winter spring autumn fall")
_DECADE_BEFORE = word_set("the his her their my our your mid early late")


def reads_as_year(match: re.Match[str]) -> bool:
    """Whether the four plain digits that `match` took are a year; the rule is in the module's docstring."""
    digits = match.group()
    if len(digits) != 4 or not digits.isdigit() or not "1000" <= digits <= "2099":
        return False
    if character_before(match) in ("-", "−", "+", "#") and not _joins_numbers(match):
        return False
    rest = re.sub(r"^(?:[ ]?[-–—][ ]?| (?:to|or|and) )[0-9][0-9,.]{0,9}", "", after(match))
    previous = previous_word(match).lower()
    if previous in _QUANTITY_BEFORE:
        return False
    if previous == "of":
        words = before(match).split()
        if len(words) > 1 and words[-2].lower() in _MEASURES:
            return False
    if counts_things(rest):
        strong = previous in _YEAR_BEFORE or previous.title() in MONTHS
        return strong and digits > "1900"
    return True


def _joins_numbers(match: re.Match[str]) -> bool:
    return re.search(r"[0-9a-z)][-]$", before(match, 2)) is not None


def rules(style: Style) -> list[Rule]:
    """Rules for years that show what they are; bare ones belong to `english_quantities`, which asks `reads_as_year`."""

    def era(match: re.Match[str]) -> str:
        letters = " ".join(match["era"].replace(".", ""))
        return apart(match, with_stop(match, f"{era_year(match['year'])} {letters}"))

    def era_first(match: re.Match[str]) -> str:
        return f"A D {era_year(match['year'])}"

    def era_year(digits: str) -> str:
        digits = digits.replace(",", "")
        return year(int(digits), style) if len(digits) <= 4 else cardinal(digits, style)

    def decade(match: re.Match[str]) -> str:
        tens = int(match["year"])
        if tens % 100:
            return apart(match, make_plural(year(tens, style)))
        return apart(
            match, f"{two_digits(tens // 100)} hundreds" if tens % 1000 else f"{two_digits(tens // 1000)} thousands"
        )

    def short_decade(match: re.Match[str]) -> str | None:
        marked = match["mark"] or character_before(match) in ("-", "–")
        if not marked and previous_word(match).lower() not in _DECADE_BEFORE:
            return None
        return make_plural(two_digits(int(match["tens"])))

    def short_year(match: re.Match[str]) -> str:
        return two_digit_year(match["year"])

    def year_pair(match: re.Match[str]) -> str | None:
        first, second, mark = match["a"], match["b"], match["mark"]
        follows = (int(first) + 1) % 100 == int(second)
        if not "1000" <= first <= "2099" or not (follows or (mark != "/" and first[2:] < second)):
            return None
        if mark != "/" and counts_things(after(match)):
            return None
        joint = " " if mark == "/" else " to "
        return apart(match, year(int(first), style) + joint + two_digit_year(second))

    def circa(match: re.Match[str]) -> str:
        return "circa "

    return [
        Rule("decade", re.compile(r"(?<![\w.,])(?P<year>[12][0-9]{2}0)['’]?s(?!\w)"), decade, "0-9"),
        Rule(
            "decade",
            re.compile(r"(?<![\w.,])(?P<mark>['’‘]?)(?P<tens>[2-9]0)['’]?s(?!\w)"),
            short_decade,
            "0-9'’‘",
        ),
        Rule("year", re.compile(r"(?<!\w)['’‘](?P<year>[0-9]{2})(?![\w'’\"”]|[.,:][0-9])"), short_year, "'’‘"),
        Rule(
            "era",
            re.compile(
                rf"(?<![\w.,])(?P<year>[0-9]{{1,4}}|[0-9]{{1,3}},[0-9]{{3}}){GAP}?"
                r"(?P<era>B\.C\.E\.|B\.C\.|A\.D\.|C\.E\.|BCE|BC|AD|CE)(?![^\W_])"
            ),
            era,
            "0-9",
        ),
        Rule(
            "era", re.compile(rf"(?<!\w)A\.?D\.?{GAP}(?P<year>[1-9][0-9]{{0,3}})(?![^\W_]|[.,:][0-9])"), era_first, "A"
        ),
        Rule(
            "years",
            re.compile(
                rf"(?<![\w.,-])(?P<a>[12][0-9]{{3}})(?P<mark>{GAP}?[-–—]{GAP}?|/)(?P<b>[0-9]{{2}})(?!\w|[-.,:/%][0-9]|%)"
            ),
            year_pair,
            "0-9",
        ),
        Rule("circa", re.compile(rf"(?<!\w)ca?\.{GAP}?(?=[0-9]{{3,4}}(?![0-9]|[.,][0-9]))"), circa, "c"),
    ]
