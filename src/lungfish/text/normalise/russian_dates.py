"""Dates, years, decades, centuries and times in Russian.

A day in a sentence stands in the genitive (он приехал пятого марта), alone or behind "сегодня" and "на" in the nominative
(сегодня пятое марта). A year takes the case of the word behind it, "г." that of the preposition in front.
"""

from __future__ import annotations

import re

from lungfish.text.normalise.rules import Rule
from lungfish.text.normalise.russian_amounts import BEGIN, TO
from lungfish.text.normalise.russian_context import GAP, after, before, case_before, ends_sentence, previous_word
from lungfish.text.normalise.russian_numbers import cardinal, ordinal
from lungfish.text.normalise.russian_units import HOUR, MONTHS
from lungfish.text.normalise.word_lists import word_set

_NOMINATIVE_BEFORE = word_set(
    "сегодня завтра вчера послезавтра позавчера это на за по через будет дата наступило наступит"
)
_IN = word_set("в во на о об")
_OF = word_set(
    "с со до от после около из начала конца середины осени весны лета зимы начале конце середине осенью весной летом зимой"
)
_MONTH_WORD = re.compile(r"^(?:январ|феврал|март|апрел|ма[йяею]|июн|июл|август|сентябр|октябр|ноябр|декабр)")
# The form of "год" and of its plural -> case and gender of the ordinal in front.
_YEAR_WORDS = {
    "год": ("n", "m"), "года": ("g", "m"), "году": ("p", "m"), "годом": ("i", "m"), "годе": ("p", "m"),
    "годы": ("n", "m"),
    "годов": ("g", "m"), "годам": ("d", "m"), "годами": ("i", "m"), "годах": ("p", "m"),
}  # fmt: skip
_CENTURY_WORDS = {
    "век": "n",
    "века": "g",
    "веку": "d",
    "веком": "i",
    "веке": "p",
    "веков": "g",
    "веках": "p",
    "векам": "d",
}
_CENTURY_FORMS = {"n": "век", "g": "века", "d": "веку", "p": "веке"}
_YEAR_FORMS = {"n": "год", "g": "года", "d": "году", "p": "году"}
_ROMAN = re.compile(r"M{0,3}(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})")
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def roman_value(numeral: str) -> int | None:
    """Value of a roman numeral, None if it is not well formed."""
    if not numeral or not _ROMAN.fullmatch(numeral):
        return None
    total = highest = 0
    for letter in reversed(numeral):
        value = _VALUES[letter]
        total += value if value >= highest else -value
        highest = max(highest, value)
    return total


def case_of_short(match: re.Match[str]) -> str:
    """The case of a word that is written as "г." or "в.": by the preposition, else as what belongs to the noun in front."""
    word = previous_word(match)
    if word in _IN:
        return "p"
    if word in ("к", "ко"):
        return "d"
    if word in _OF or _MONTH_WORD.match(word):
        return "g"
    if not word or word in _NOMINATIVE_BEFORE:
        return "n"
    return "g"


def _stop(match: re.Match[str]) -> str:
    return "." if ends_sentence(match) else ""


def _day_case(match: re.Match[str]) -> str:
    word = previous_word(match)
    case = case_before(match)
    if case != "n":
        return case
    if word in _NOMINATIVE_BEFORE or re.match(rf"{GAP}[—–-]", after(match, 2)):
        return "n"
    alone = not before(match, 3).strip(' \n"«(') and not after(match, 3).strip(' \n.!?"»)')
    return "n" if alone or before(match, 2).endswith((": ", "— ")) else "g"


def _date_words(match: re.Match[str], month: int) -> str | None:
    day, year = int(match["day"]), match["year"]
    if not (1 <= day <= 31 and 1 <= month <= 12):
        return None
    words = f"{ordinal(day, _day_case(match), 'n')} {MONTHS[month - 1]}"
    if match["first"]:
        words = f"{ordinal(int(match['first']), _day_case(match), 'n')} — {words}"
    return f"{words} {ordinal(int(year), 'g')} года{_stop(match)}" if year else words


def _date(match: re.Match[str]) -> str | None:
    return _date_words(match, MONTHS.index(match["month"]) + 1)


def _figures(match: re.Match[str]) -> str | None:
    return _date_words(match, int(match["month"]))


def _year(match: re.Match[str]) -> str | None:
    word, year = match["word"].strip(), int(match["year"])
    if word == "г.":
        case = case_of_short(match)
        return f"{ordinal(year, case)} {_YEAR_FORMS[case]}{_stop(match)}"
    case, gender = _YEAR_WORDS[word]
    if word == "году" and previous_word(match) in ("к", "ко"):
        case = "d"
    if word in ("годы", "годов", "годам", "годами", "годах"):
        gender = "p"
    return f"{ordinal(year, case, gender)} {word}"


def _years(match: re.Match[str]) -> str:
    word = match["word"].strip()
    if word in ("гг.", "гг"):
        case = "p" if previous_word(match) in _IN else "g" if previous_word(match) in _OF else "n"
        name = {"p": "годах", "g": "годов", "n": "годы"}[case]
    else:
        case, name = _YEAR_WORDS[word][0], word
    return f"{ordinal(int(match['a']), case)} — {ordinal(int(match['b']), case)} {name}{_stop(match)}"


def _from_to(match: re.Match[str]) -> str:
    name = match["word"].strip()
    name = {"г.": "год", "гг.": "годы"}.get(name, name)
    last = "n" if match["to"] == "по" else "g"
    return f"{ordinal(int(match['a']), 'g')} {match['to']} {ordinal(int(match['b']), last)} {name}{_stop(match)}"


def _in_year(match: re.Match[str]) -> str | None:
    return ordinal(int(match["year"]), "p") if previous_word(match) in ("в", "во") else None


def _century(match: re.Match[str]) -> str | None:
    values, word = ([roman_value(match[name]) for name in ("a", "b") if match[name]], match["word"].strip())
    if None in values:
        return None
    if word in ("в.", "вв.", "в", "вв"):
        case = case_of_short(match)
        if len(values) > 1:
            name = {"n": "века", "g": "веков", "p": "веках", "d": "векам"}[case]
        else:
            name = _CENTURY_FORMS[case]
    else:
        name = word
        case = "n" if word == "века" and len(values) > 1 else _CENTURY_WORDS[word]
    return " — ".join(ordinal(value, case) for value in values if value) + f" {name}{_stop(match)}"


def _time(match: re.Match[str]) -> str:
    hour, minute, case = int(match["hour"]), match["minute"], case_before(match)
    if minute == "00":
        words = f"{cardinal(hour, case)} {HOUR.behind(hour, case)}"
    else:
        zero = cardinal(0, case) + " " if minute[0] == "0" else ""
        words = f"{cardinal(hour, case)} {zero}{cardinal(int(minute), case)}"
    second = match["second"]
    return f"{words} {cardinal(int(second), case)}" if second else words


def _dotted_time(match: re.Match[str]) -> str | None:
    return _time(match) if previous_word(match) in ("в", "во", "с", "до", "к", "около") else None


def rules() -> list[Rule]:
    """Rules for dates and times."""
    months, year_word = ("|".join(MONTHS), "|".join(sorted(_YEAR_WORDS, key=len, reverse=True)))
    clock = r"(?:[01]?[0-9]|2[0-4])"
    year_behind = rf"(?:,?{GAP}(?P<year>[12][0-9]{{3}})(?![0-9]|[.,][0-9])(?:{GAP}?(?:года|г\.?)(?!\w))?)?"
    year = r"(?P<year>[12][0-9]{3})"
    return [
        Rule(
            "date",
            re.compile(
                rf"{BEGIN}(?:(?P<first>[0-9]{{1,2}}){TO})?(?P<day>[0-9]{{1,2}}){GAP}(?P<month>{months})(?!\w){year_behind}"
            ),
            _date,
            "0-9",
        ),
        Rule(
            "date",
            re.compile(
                rf"{BEGIN}(?P<first>(?!))?(?P<day>[0-3]?[0-9])\.(?P<month>[01]?[0-9])\.{year}(?![0-9]|\.[0-9])(?:{GAP}?(?:года|г\.?)(?!\w))?"
            ),
            _figures,
            "0-9",
        ),
        Rule(
            "date",
            re.compile(rf"{BEGIN}(?P<first>(?!))?{year}-(?P<month>[01][0-9])-(?P<day>[0-3][0-9])(?![0-9]|-[0-9])"),
            _figures,
            "0-9",
        ),
        Rule(
            "date",
            re.compile(
                rf"{BEGIN}(?P<first>(?!))?(?P<day>[0-3][0-9])\.(?P<month>[01][0-9])\.(?P<year>[0-9]{{2}})(?![0-9]|\.[0-9])"
            ),
            _figures,
            "0-9",
        ),
        Rule(
            "years",
            re.compile(
                rf"{BEGIN}(?P<a>[12][0-9]{{3}}){GAP}(?P<to>по|до){GAP}(?P<b>[12][0-9]{{3}}){GAP}?(?P<word>{year_word}|гг?\.)(?!\w)"
            ),
            _from_to,
            "0-9",
        ),
        Rule(
            "years",
            re.compile(
                rf"{BEGIN}(?P<a>[12][0-9]{{3}}){TO}(?P<b>[12][0-9]{{3}}){GAP}?(?P<word>{year_word}|гг\.?)(?!\w)"
            ),
            _years,
            "0-9",
        ),
        Rule("year", re.compile(rf"{BEGIN}{year}{GAP}?(?P<word>{year_word}|г\.)(?!\w)"), _year, "0-9"),
        Rule(
            "year",
            re.compile(
                rf"{BEGIN}(?P<year>[0-9]{{1,4}}){GAP}?(?P<word>{year_word}|г\.)(?={GAP}(?:до{GAP})?н\.{GAP}?э\.)"
            ),
            _year,
            "0-9",
        ),
        Rule(
            "year",
            re.compile(rf"{BEGIN}(?P<year>(?:19|20)[0-9]{{2}})(?=[.,;!?)]?(?:\s|$))(?!\s[а-я])"),
            _in_year,
            "0-9",
        ),
        Rule(
            "century",
            re.compile(
                r"(?<![\w.-])(?P<a>[IVXLC]{1,6})(?:[ ]?[-–—][ ]?(?P<b>[IVXLC]{1,6}))?[ \u00a0]"
                rf"(?P<word>{'|'.join(sorted(_CENTURY_WORDS, key=len, reverse=True))}|вв?\.)(?!\w)"
            ),
            _century,
            "IVXLC",
        ),
        Rule(
            "time",
            re.compile(
                rf"{BEGIN}(?P<hour>{clock}):(?P<minute>[0-5][0-9])(?::(?P<second>[0-5][0-9]))?(?![0-9]|[:.][0-9])"
            ),
            _time,
            "0-9",
        ),
        Rule(
            "time",
            re.compile(
                rf"{BEGIN}(?P<hour>{clock})\.(?P<minute>[0-5][0-9])(?P<second>(?!))?(?![0-9]|[:.,%][0-9]|{GAP}?[%°])"
            ),
            _dotted_time,
            "0-9",
        ),
    ]
