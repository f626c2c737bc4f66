"""The Russian reader: numbers that agree with what they count, ordinals in dates and years, money, units, times.

Whole numbers come from num2words in the nominative; one and two take the gender of what follows where that is known (одна
книга, две минуты), and units and currencies take the form that their number asks for (один рубль, два рубля, пять рублей).
Other cases than the nominative are not attempted, except in dates, whose months and years stand in the genitive.
"""

from __future__ import annotations

import functools
import re

from lungfish.text.normalise.plain_numbers import number_words
from lungfish.text.normalise.rules import Rule, RuleReader
from lungfish.text.traced import TracedText

_MONTHS = (
    "января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября", "октября", "ноября", "декабря",
)  # fmt: skip
# singular, with 2 to 4, with 5 and more, gender
_NOUNS = {
    "руб": ("рубль", "рубля", "рублей", "m"), "₽": ("рубль", "рубля", "рублей", "m"), "коп": ("копейка", "копейки", "копеек", "f"),
    "$": ("доллар", "доллара", "долларов", "m"), "€": ("евро", "евро", "евро", "m"), "£": ("фунт", "фунта", "фунтов", "m"),
    "%": ("процент", "процента", "процентов", "m"), "кг": ("килограмм", "килограмма", "килограммов", "m"),
    "г": ("грамм", "грамма", "граммов", "m"), "км": ("километр", "километра", "километров", "m"), "м": ("метр", "метра", "метров", "m"),
    "см": ("сантиметр", "сантиметра", "сантиметров", "m"), "мм": ("миллиметр", "миллиметра", "миллиметров", "m"),
    "л": ("литр", "литра", "литров", "m"), "мл": ("миллилитр", "миллилитра", "миллилитров", "m"), "т": ("тонна", "тонны", "тонн", "f"),
    "ч": ("час", "часа", "часов", "m"), "мин": ("минута", "минуты", "минут", "f"), "сек": ("секунда", "секунды", "секунд", "f"),
    "км/ч": ("километр в час", "километра в час", "километров в час", "m"), "°C": ("градус", "градуса", "градусов", "m"),
    "ГБ": ("гигабайт", "гигабайта", "гигабайт", "m"), "МБ": ("мегабайт", "мегабайта", "мегабайт", "m"),
    "м²": ("квадратный метр", "квадратных метра", "квадратных метров", "m"),
}  # fmt: skip
_SCALES = {
    "тыс": ("тысяча", "тысячи", "тысяч", "f"),
    "млн": ("миллион", "миллиона", "миллионов", "m"),
    "млрд": ("миллиард", "миллиарда", "миллиардов", "m"),
}
_FEMININE = re.compile(
    r" {1,2}(?:минут|секунд|книг|тысяч|недел|штук|копе|тонн|девоч|женщин|комнат|страниц|машин|рук|ног|кошк|собак|чашк|бутыл)"
)
_NEUTER = re.compile(r" {1,2}(?:окно|окна|яблок|мест|письм|дерев|слов|лет\b|числ|яйц|озер)")
_ABBREVIATIONS = {
    "т. е.": "то есть", "т.е.": "то есть", "и т. д.": "и так далее", "и т.д.": "и так далее", "и т. п.": "и тому подобное",
    "и т.п.": "и тому подобное", "т. к.": "так как", "т.к.": "так как", "др.": "другие", "ул.": "улица", "пр.": "проспект", "д.": "дом",
    "кв.": "квартира", "стр.": "страница", "г-н": "господин", "г-жа": "госпожа", "напр.": "например", "тел.": "телефон", "им.": "имени",
}  # fmt: skip
_NUMBER = r"[0-9]{1,3}(?:[ \u00a0][0-9]{3}){1,4}(?![0-9])|[0-9]{1,15}"
_DECIMAL = rf"(?:{_NUMBER})(?:[.,][0-9]{{1,4}}(?![0-9]|[.,][0-9]))?"
_PLACES = {
    1: ("десятая", "десятых"),
    2: ("сотая", "сотых"),
    3: ("тысячная", "тысячных"),
    4: ("десятитысячная", "десятитысячных"),
}


def form(number: int, forms: tuple[str, ...]) -> str:
    """The form of a noun after a number: рубль, рубля, рублей."""
    last, two = number % 10, number % 100
    if last == 1 and two != 11:
        return forms[0]
    return forms[1] if 2 <= last <= 4 and not 12 <= two <= 14 else forms[2]


def cardinal(number: int, gender: str = "m") -> str:
    """Nominative; `gender` m, f or n is that of what is counted."""
    words = number_words(number, "ru") or str(number)
    if gender == "f":
        words = re.sub(r"\bодин$", "одна", re.sub(r"\bдва$", "две", words))
    return re.sub(r"\bодин$", "одно", words) if gender == "n" else words


def _genitive(number: int, ending: str = "ого") -> str:
    """An ordinal in the genitive (двадцать четвёртого), or, with "ое", in the neuter nominative."""
    words = number_words(number, "ru", "ordinal") or str(number)
    head, _, last = words.rpartition(" ")
    if last.endswith("третий"):
        last = last[:-2] + ("ьего" if ending == "ого" else "ье")
    else:
        last = re.sub(r"(?:ый|ой|ий)$", ending, last)
    return f"{head} {last}".strip()


def _value(text: str) -> tuple[int, str]:
    whole, _, places = re.sub(r"[ \u00a0]", "", text).replace(",", ".").partition(".")
    return int(whole), places


def _amount(text: str, noun: tuple[str, ...] | None = None) -> str:
    whole, places = _value(text)
    if not places:
        return cardinal(whole) if noun is None else f"{cardinal(whole, noun[3])} {form(whole, noun)}"
    part = int(places)
    one = part % 10 == 1 and part % 100 != 11
    integral = "целая" if whole % 10 == 1 and whole % 100 != 11 else "целых"
    words = f"{cardinal(whole, 'f')} {integral} {cardinal(part, 'f')} {_PLACES[len(places)][0 if one else 1]}"
    return words if noun is None else f"{words} {noun[1]}"


def _date(match: re.Match[str]) -> str | None:
    day, month, year = int(match["day"]), int(match["month"]), match["year"]
    if not (1 <= day <= 31 and 1 <= month <= 12):
        return None
    words = f"{_genitive(day, 'ое')} {_MONTHS[month - 1]}"
    return f"{words} {_genitive(int(year))} года" if year else words


def _day(match: re.Match[str]) -> str | None:
    day = int(match["day"])
    if not 1 <= day <= 31:
        return None
    words = f"{_genitive(day, 'ое')} {match['month']}"
    return f"{words} {_genitive(int(match['year']))} года" if match["year"] else words


def _year(match: re.Match[str]) -> str:
    ending = {"год": "ый", "году": "ом", "года": "ого", "г.": "ый"}[match["noun"]]
    number = int(match["year"])
    noun = {"г.": "год"}.get(match["noun"], match["noun"])
    if ending == "ый":
        return f"{number_words(number, 'ru', 'ordinal')} {noun}"
    return f"{_locative(number) if ending == 'ом' else _genitive(number)} {noun}"


def _locative(number: int) -> str:
    return re.sub(r"его$", "ем", re.sub(r"ого$", "ом", _genitive(number)))


def _clock(match: re.Match[str]) -> str | None:
    hour, minute = int(match["hour"]), int(match["minute"])
    if hour > 24 or minute > 59:
        return None
    words = f"{cardinal(hour)} {form(hour, _NOUNS['ч'])}"
    return f"{words} {cardinal(minute, 'f')} {form(minute, _NOUNS['мин'])}" if minute else words


def _money(match: re.Match[str]) -> str:
    whole, places = _value(match["amount"])
    noun = _NOUNS[match["sign"]]
    small = ("цент", "цента", "центов", "m") if match["sign"] in "$€" else _NOUNS["коп"]
    words = f"{cardinal(whole, noun[3])} {form(whole, noun)}"
    if not places:
        return words
    part = int(places.ljust(2, "0")[:2])
    return f"{words} {cardinal(part, small[3])} {form(part, small)}" if part else words


def _unit(match: re.Match[str]) -> str:
    return ("минус " if match["minus"] else "") + _amount(match["amount"], _NOUNS[match["unit"]])


def _scaled(match: re.Match[str]) -> str:
    noun = _SCALES[match["scale"]]
    _, places = _value(match["amount"])
    return f"{_amount(match['amount'])} {noun[1]}" if places else _amount(match["amount"], noun)


def _phone(match: re.Match[str]) -> str:
    groups = re.findall("[0-9]+", match.group())
    words = []
    for group in groups:
        zeros = len(group) - len(group.lstrip("0"))
        rest = group.lstrip("0")
        words.append(" ".join([*["ноль"] * zeros, *([cardinal(int(rest))] if rest else [])]))
    return ("плюс " if match.group()[0] == "+" else "") + ", ".join(words)


def _plain(match: re.Match[str]) -> str:
    gender = (
        "f" if _FEMININE.match(match.string, match.end()) else "n" if _NEUTER.match(match.string, match.end()) else "m"
    )
    whole, places = _value(match["amount"])
    return _amount(match["amount"]) if places else cardinal(whole, gender)


def _alternatives(words: object) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))  # type: ignore[call-overload]


@functools.cache
def reader() -> RuleReader:
    """All rules in order."""
    begin, end = r"(?<![\w.,])", r"(?!\w)"
    months = "|".join(_MONTHS)
    return RuleReader(
        [
            Rule("phone", re.compile(r"(?<!\w)(?:\+7|8)[ -]?\(?[0-9]{3}\)?[ -]?[0-9]{3}[ -]?[0-9]{2}[ -]?[0-9]{2}(?!\w)"), _phone, "+8"),
            Rule("date", re.compile(rf"{begin}(?P<day>[0-9]{{1,2}})\.(?P<month>[0-9]{{1,2}})\.(?P<year>[0-9]{{4}}){end}(?: ?года| ?г\.(?=[ ,;)]{{1,2}}[а-яё,])| ?г(?=\.))?"), _date, "0-9"),
            Rule("date", re.compile(rf"{begin}(?P<year>[0-9]{{4}})-(?P<month>[0-9]{{2}})-(?P<day>[0-9]{{2}}){end}"), _date, "0-9"),
            Rule("day", re.compile(rf"{begin}(?P<day>[0-9]{{1,2}}) (?P<month>{months}){end}(?: (?P<year>[0-9]{{4}}){end}(?: ?года| ?г\.(?=[ ,;)]{{1,2}}[а-яё,])| ?г(?=\.))?)?"), _day, "0-9"),
            Rule("year", re.compile(rf"{begin}(?P<year>[12][0-9]{{3}}) ?(?P<noun>года|году|год|г\.){end}"), _year, "0-9"),
            Rule("clock", re.compile(rf"{begin}(?P<hour>[0-9]{{1,2}}):(?P<minute>[0-9]{{2}})(?![\w:])"), _clock, "0-9"),
            Rule("money", re.compile(rf"(?P<sign>[$€£₽]) ?(?P<amount>{_DECIMAL})"), _money, "$€£₽"),
            Rule("money", re.compile(rf"{begin}(?P<amount>{_DECIMAL}) ?(?P<sign>[$€£₽]|руб|коп)(?:\.(?=[ ,;)]{{1,2}}[а-яё]))?{end}"), _money, "0-9"),
            Rule("scaled", re.compile(rf"{begin}(?P<amount>{_DECIMAL}) ?(?P<scale>тыс|млн|млрд){end}\.?"), _scaled, "0-9"),
            Rule("unit", re.compile(rf"(?<![\w.,])(?P<minus>[-−])?(?P<amount>{_DECIMAL}) ?(?P<unit>{_alternatives(_NOUNS)})(?![\w/²])"), _unit, "0-9−-"),
            Rule("range", re.compile(rf"{begin}(?P<from>[0-9]{{1,9}}) ?[–—-] ?(?=[0-9]{{1,9}}(?![0-9-]))"), lambda m: f"{cardinal(int(m['from']))} — ", "0-9"),
            Rule("fraction", re.compile(rf"{begin}1/2{end}"), lambda m: "одна вторая", "1"),
            Rule("ordinal", re.compile(rf"{begin}(?P<number>[0-9]{{1,4}})-(?:й|ый|ий){end}"), lambda m: number_words(int(m["number"]), "ru", "ordinal"), "0-9"),
            Rule("ordinal", re.compile(rf"{begin}(?P<number>[0-9]{{1,4}})-(?:м|ом|ем){end}"), lambda m: _locative(int(m["number"])), "0-9"),
            Rule("ordinal", re.compile(rf"{begin}(?P<number>[0-9]{{1,4}})-(?:го|ого){end}"), lambda m: _genitive(int(m["number"])), "0-9"),
            Rule("ordinal", re.compile(rf"{begin}(?P<number>[0-9]{{1,4}})-(?:е|ое){end}"), lambda m: _genitive(int(m["number"]), "ое"), "0-9"),
            Rule("number sign", re.compile(r"№ ?(?=[0-9])"), lambda m: "номер ", "№"),
            Rule("negative", re.compile(rf"(?<![\w)])[-−](?P<amount>{_DECIMAL})(?![\w])"), lambda m: f"минус {_amount(m['amount'])}", "−-"),
            Rule("code", re.compile(rf"{begin}0[0-9]{{1,30}}{end}"), lambda m: " ".join(cardinal(int(digit)) for digit in m.group()), "0"),
            Rule("number", re.compile(rf"{begin}(?P<amount>{_DECIMAL}){end}"), _plain, "0-9"),
            Rule("digits", re.compile(r"[0-9]{1,64}"), lambda m: " ".join(cardinal(int(digit)) for digit in m.group()), "0-9"),
            Rule("abbreviation", re.compile(rf"(?<!\w)(?:{_alternatives(_ABBREVIATIONS)})(?=[ ,;)]|$)"), lambda m: _ABBREVIATIONS[m.group()], "а-я"),
            Rule("symbol", re.compile("[%&]"), lambda m: "процент" if m.group() == "%" else "и", "%&"),
        ],
        re.compile(r"[0-9$€£₽№+%&−-]|(?<!\w)(?:[иткд]\.? |[тдк]\.|др|ул|пр|кв|стр|г-|напр|тел|им)"),
    )  # fmt: skip


def read(text: TracedText) -> TracedText:
    """`text` as it is said."""
    return reader().read_until_stable(text)
