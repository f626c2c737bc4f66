"""Figures that are codes or parts of words in Russian: ordinals with endings, compounds, phones, scores, addresses."""

from __future__ import annotations

import re

from lungfish.text.normalise.east_asian import WEB, alternatives, web_pieces
from lungfish.text.normalise.rules import Rule
from lungfish.text.normalise.russian_amounts import BEGIN
from lungfish.text.normalise.russian_context import GAP, next_word, previous_word
from lungfish.text.normalise.russian_numbers import cardinal, digit_by_digit, ordinal, prefix

# Ending that is written behind a figure -> case and gender of the ordinal.
_ENDINGS = {
    "ый": "nm", "ой": "nm", "ий": "nm", "й": "nm", "ая": "nf", "яя": "nf", "ья": "nf", "я": "nf", "ое": "nn",
    "ье": "nn", "е": "nn",
    "ого": "gm", "его": "gm", "го": "gm", "ому": "dm", "ему": "dm", "му": "dm", "ым": "im", "им": "im", "ом": "pm",
    "ем": "pm",
    "м": "pm", "ых": "gp", "их": "gp", "х": "gp", "ую": "af", "ю": "af", "ые": "np", "ие": "np", "ыми": "ip",
    "ими": "ip",
}  # fmt: skip
_CARDINAL_ENDINGS = {"ти": "g", "мя": "i", "ью": "i", "ёх": "g", "ух": "g", "ём": "d", "рех": "g", "рём": "d"}
# Nouns that figures number rather than count where they stand in the singular: 5 класс, на 3 этаже.
_ORDERED = {
    "класс": "m",
    "этаж": "m",
    "курс": "m",
    "том": "m",
    "сезон": "m",
    "тур": "m",
    "раздел": "m",
    "мест": "n",
    "глав": "f",
    "сери": "f",
}
_MARKS = {
    ".": "точка",
    "/": "слэш",
    "@": "собака",
    "-": "дефис",
    "_": "подчёркивание",
    ":": "двоеточие",
    "?": "вопрос",
    "=": "равно",
    "&": "и",
}


def _ending(match: re.Match[str]) -> str | None:
    number, ending = int(match["number"]), match["ending"]
    if 2 <= number <= 4 and ending == "х":
        return cardinal(number, "g")  # 2-х: двух
    if 3 <= number <= 4 and ending == "м" and previous_word(match) in ("к", "по"):
        return cardinal(number, "d")
    if ending in _CARDINAL_ENDINGS:
        return cardinal(number, _CARDINAL_ENDINGS[ending])
    case, gender = _ENDINGS[ending]
    noun = next_word(match)
    decade = number % 10 == 0 and number >= 20
    if ending == "е" and (noun in ("годы", "места", "классы") or (decade and noun.endswith(("ы", "и")))):
        gender = "p"
    if ending == "х" and previous_word(match) in ("в", "на", "о"):
        case = "p"
    if ending == "й" and re.search("[иы]$", noun):
        case, gender = "g", "f"  # 1-й степени
    if ending == "м" and previous_word(match) not in ("в", "во", "на", "о", "об", "при"):
        case = "i" if previous_word(match) in ("с", "над", "под", "перед", "за") else "p"
    return ordinal(number, case, gender)


def _place(match: re.Match[str]) -> str:
    root, ending = match["root"], match["end"]
    case = "n" if ending in ("", "о", "а", "я", "ь") else "p"
    return ordinal(int(match["number"]), case, _ORDERED[root])


def _compound(match: re.Match[str]) -> str:
    return prefix(int(match["number"]))


def _pair(digits: str) -> str:
    """A few digits of a phone number: "45" -> "сорок пять", "05" -> "ноль пять"."""
    zeros, rest = len(digits) - len(digits.lstrip("0")), digits.lstrip("0")
    return " ".join([*["ноль"] * zeros, *([cardinal(int(rest))] if rest else [])])


def _phone(match: re.Match[str]) -> str | None:
    groups = re.findall("[0-9]+", match.group())
    if not 7 <= sum(map(len, groups)) <= 15:
        return None
    words = []
    for group in groups:
        odd = len(group) % 2 if len(group) > 3 else len(group)
        first = 3 if odd == 1 and len(group) > 3 else odd
        pieces = [group[:first], *re.findall("[0-9]{2}", group[first:])]
        words += [_pair(piece) for piece in pieces if piece]
    return ("плюс " if match.group().startswith("+") else "") + ", ".join(words)


def _chain(match: re.Match[str]) -> str:
    return " дефис ".join(digit_by_digit(p) if p[0] == "0" else cardinal(int(p)) for p in match.group().split("-"))


def _ratio(match: re.Match[str]) -> str:
    return f"{cardinal(int(match['a']))} — {cardinal(int(match['b']))}"


def _web(match: re.Match[str]) -> str:
    pieces = [
        digit_by_digit(p) if p.isdigit() else _MARKS.get(p, p if p.isalpha() else "") for p in web_pieces(match.group())
    ]
    return " ".join(piece for piece in pieces if piece)


def address_rules() -> list[Rule]:
    """Rules for addresses and phones, which come before all others."""
    area = r"(?:\+[0-9]{1,3}|8)[ -]?\(?[0-9]{3}\)?"
    return [
        Rule("web", WEB, _web, "A-Za-z0-9"),
        Rule(
            "phone",
            re.compile(rf"(?<![\w.,+-]){area}[ -]?[0-9]{{2,3}}(?:[ -]?[0-9]{{2,4}}){{1,3}}(?![\w]|[.,-][0-9])"),
            _phone,
            "+8",
        ),
        Rule("phone", re.compile(r"(?<![\w.,+-])[0-9]{2,3}-[0-9]{2}-[0-9]{2}(?![\w]|[.,-][0-9])"), _phone, "0-9"),
    ]


def rules() -> list[Rule]:
    """The other rules, which come before those of amounts."""
    endings = alternatives([*_ENDINGS, *_CARDINAL_ENDINGS])
    return [
        Rule(
            "ordinal",
            re.compile(rf"{BEGIN}(?P<number>[0-9]{{1,6}})[-‑](?P<ending>{endings})(?![а-яё])"),
            _ending,
            "0-9",
        ),
        Rule("compound", re.compile(rf"{BEGIN}(?P<number>[1-9][0-9]{{0,5}})[-‑](?=[а-яё]{{4}})"), _compound, "0-9"),
        Rule(
            "place",
            re.compile(
                rf"{BEGIN}(?P<number>[0-9]{{1,3}})(?={GAP}(?P<root>{alternatives(_ORDERED)})(?P<end>(?:(?<=мест)[ое]|(?<=глав)[ае]|(?<=сери)[яи]"
                r"|(?<!мест)(?<!глав)(?<!сери)е?))(?!\w))"
            ),
            _place,
            "0-9",
        ),
        Rule("chain", re.compile(r"(?<![0-9])(?<![0-9]-)[0-9]{1,5}(?:-[0-9]{1,5}){2,5}(?!-?[0-9])"), _chain, "0-9"),
        Rule(
            "ratio", re.compile(rf"{BEGIN}(?P<a>[0-9]{{1,3}}):(?P<b>[0-9]{{1,3}})(?![0-9]|[:.,][0-9])"), _ratio, "0-9"
        ),
    ]
