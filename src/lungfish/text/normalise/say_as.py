"""Text whose kind is told (SSML's `say-as`): one function per kind, English in full.

Other languages read characters, digits, cardinals and ordinals through num2words, and everything else with their own
reader. A text that is not of the kind it is said to be is read as it looks.
Source: W3C, "SSML 1.0 say-as attribute values", and the kinds that speech services added to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from lungfish.errors import TextError
from lungfish.text.normalise import plain_numbers
from lungfish.text.normalise.english_amounts import NUMBER, number_words
from lungfish.text.normalise.english_codes import phone_words
from lungfish.text.normalise.english_dates import MONTHS, date_words, month_name
from lungfish.text.normalise.english_numbers import (
    AMERICAN,
    BRITISH,
    ONES,
    Style,
    cardinal,
    fraction,
    ordinal,
    spelled_digits,
    two_digits,
)
from lungfish.text.normalise.english_web import MARKS
from lungfish.text.normalise.english_words import is_roman, roman_value
from lungfish.text.traced import TracedText

KINDS = (
    "characters",
    "spell-out",
    "cardinal",
    "ordinal",
    "digits",
    "telephone",
    "date",
    "time",
    "fraction",
    "unit",
    "currency",
)
DATE_FORMATS = ("mdy", "dmy", "ymd", "ydm", "my", "ym", "md", "dm", "y", "m", "d")
_DIGITS = re.compile(r"[0-9]+")
_NUMBER = re.compile(rf"(?P<sign>(?<!\w)[-−])?(?P<number>{NUMBER})(?P<suffix>st|nd|rd|th)?(?!\w)")
_CHARACTER = re.compile(r"\S")
_BLANKS = re.compile(r"\s+")
_CHINESE_DIGITS = "零一二三四五六七八九"

Read = Callable[[TracedText], TracedText]


def read(text: TracedText, language: str, british: bool, kind: str, form: str | None, otherwise: Read) -> TracedText:
    """`text` read as `kind`.

    Args:
        text: what was written.
        language: the first subtag, "en".
        british: how English dates and numbers are said.
        kind: one of `KINDS`.
        form: of `DATE_FORMATS` for a date; other kinds need none.
        otherwise: reads what is not of the kind.

    Raises:
        TextError: an unknown kind, or an unknown format of a date.
    """
    kind = kind.strip().lower()
    if kind not in KINDS:
        raise TextError(f"cannot say text as {kind!r}: choose one of {', '.join(KINDS)}")
    if kind == "date":
        form = _date_format(form)
    style = BRITISH if british else AMERICAN
    if kind in ("characters", "spell-out"):
        return _characters(text, language)
    if kind in ("digits", "telephone") and language != "en":
        return text.sub(_DIGITS, lambda match: _digits(match.group(), language))
    if kind in ("cardinal", "ordinal") and language != "en":
        return otherwise(text.sub(_NUMBER, lambda match: _foreign_number(match, language, kind)))
    if language != "en":
        return otherwise(text)
    stripped = text.strip()
    words = _ENGLISH[kind](stripped.text, style, form)
    if words is None or not stripped.text:
        return otherwise(text)
    return TracedText.standing_for(words, *stripped.span)


def _date_format(form: str | None) -> str | None:
    if form is None or not form.strip():
        return None
    short = re.sub(r"(.)\1+", r"\1", form.strip().lower())  # "yyyymmdd"
    short = re.sub(r"[^a-z]", "", short)
    if short not in DATE_FORMATS:
        raise TextError(f"cannot read a date of format {form!r}: choose one of {', '.join(DATE_FORMATS)}")
    return short


def _characters(text: TracedText, language: str) -> TracedText:
    """Every character by its name, blanks between them."""

    def name(match: re.Match[str]) -> str:
        character = match.group()
        if character in "0123456789":
            words = _digits(character, language) or character
        elif language == "en" and character in MARKS:
            words = MARKS[character]
        else:
            words = character.upper() if len(character.upper()) == 1 else character
        return words if match.end() == len(text.text.rstrip()) else words + " "

    return text.sub(_BLANKS, " ").strip().sub(_CHARACTER, name).sub(_BLANKS, " ").strip()


def _digits(digits: str, language: str) -> str | None:
    if language == "en":
        return spelled_digits(digits)
    if language == "zh":
        return "".join(_CHINESE_DIGITS[int(digit)] for digit in digits)
    return plain_numbers.digit_words(digits, language) if plain_numbers.supported(language) else None


def _foreign_number(match: re.Match[str], language: str, kind: str) -> str | None:
    if match["sign"] or "." in match["number"] or not plain_numbers.supported(language):
        return None
    digits = re.sub("[^0-9]", "", match["number"])
    return plain_numbers.number_words(int(digits), language, kind) if len(digits) <= 15 else None


def _cardinal(text: str, style: Style, form: str | None) -> str | None:
    if is_roman(text):
        return cardinal(str(roman_value(text)), style)
    if not re.search("[0-9]", text):
        return None

    def words(match: re.Match[str]) -> str:
        written = match["number"]
        digits = re.sub("[^0-9]", "", written)
        said = number_words(written, style) if "." in written else cardinal(digits, style)
        return ("minus " if match["sign"] else "") + said

    return _NUMBER.sub(words, text)


def _ordinal(text: str, style: Style, form: str | None) -> str | None:
    if is_roman(text):
        return ordinal(str(roman_value(text)), style)
    if not _NUMBER.search(text) or "." in text:
        return None
    return _NUMBER.sub(lambda match: ordinal(re.sub("[^0-9]", "", match["number"]), style), text)


def _spelled(text: str, style: Style, form: str | None) -> str | None:
    if not _DIGITS.search(text):
        return None
    words = re.sub(r"(?<=[0-9])[.](?=[0-9])", " point ", text)
    words = _DIGITS.sub(lambda match: f" {spelled_digits(match.group())} ", words)
    return " ".join(re.sub(r"(?<![^\s])[-/:,](?![^\s])", " ", words).split())


def _telephone(text: str, style: Style, form: str | None) -> str | None:
    if not re.fullmatch(r"\+?[0-9()\s./\-\u00a0]{2,40}(?:,? ?(?:ext\.?|x) ?[0-9]{1,6})?", text, re.IGNORECASE):
        return None
    return phone_words(text, style)


def _date(text: str, style: Style, form: str | None) -> str | None:
    pieces = re.findall(r"[0-9]+|[A-Za-z]+", re.sub(r"(?<=[0-9])(?:st|nd|rd|th)\b", "", text))
    if form is None:
        form = (
            ("ymd" if pieces and len(pieces[0]) == 4 else "dmy" if style.british else "mdy")
            if len(pieces) == 3
            else None
        )
        if form is None or any(piece.isalpha() for piece in pieces):
            return None  # names of months are found by the ordinary rules
    if len(pieces) == 1 and len(pieces[0]) == 8 and len(form) == 3:  # 20261201
        sizes, at, cut = {"y": 4, "m": 2, "d": 2}, 0, []
        for part in form:
            cut.append(pieces[0][at : at + sizes[part]])
            at += sizes[part]
        pieces = cut
    if len(pieces) != len(form):
        return None
    return _date_of(dict(zip(form, pieces, strict=True)), style)


def _date_of(parts: dict[str, str], style: Style) -> str | None:
    day, month, year = parts.get("d"), parts.get("m"), parts.get("y")
    if month and month.isalpha():
        known = re.fullmatch(r"(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}", month)
        month = str(_MONTHS[month_name(month)]) if known else None
        if month is None:
            return None
    if any(part is not None and not part.isdigit() for part in (day, month, year)):
        return None
    if (month and not 1 <= int(month[:3]) <= 12) or (day and not 1 <= int(day[:3]) <= 31) or (year and len(year) > 4):
        return None
    number = None if year is None else year if len(year) == 2 else int(year)
    return date_words(int(day) if day else None, int(month) if month else None, number, style)


def _time(text: str, style: Style, form: str | None) -> str | None:
    found = re.fullmatch(r"(?:([0-9]{1,2})h ?)?([0-9]{1,2})['′] ?([0-9]{1,2})(?:[\"″]|'')", text)
    if found is None:
        return None
    words = []
    for digits, unit in zip(found.groups(), ("hour", "minute", "second"), strict=True):
        if digits:
            words.append(f"{two_digits(int(digits))} {unit}{'' if int(digits) == 1 else 's'}")
    return " and ".join([", ".join(words[:-1]), words[-1]])


def _fraction(text: str, style: Style, form: str | None) -> str | None:
    found = re.fullmatch(r"(?:([0-9]{1,9})(?:\+| ))?([0-9]{1,9})[/⁄]([0-9]{1,9})", text)
    if found is None or int(found[3]) == 0:
        return None
    top, bottom = int(found[2]), int(found[3])
    words = fraction(top, bottom, style) if bottom > 1 else f"{cardinal(found[2], style)} over {ONES[1]}"
    return f"{cardinal(found[1], style)} and {words}" if found[1] else words


def _as_it_looks(text: str, style: Style, form: str | None) -> str | None:
    return None


_MONTHS = {name: index for index, name in enumerate(MONTHS, 1)}
_ENGLISH: dict[str, Callable[[str, Style, str | None], str | None]] = {
    "cardinal": _cardinal,
    "ordinal": _ordinal,
    "digits": _spelled,
    "telephone": _telephone,
    "date": _date,
    "time": _time,
    "fraction": _fraction,
    "unit": _as_it_looks,
    "currency": _as_it_looks,
}
