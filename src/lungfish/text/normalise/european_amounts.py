"""Money, percentages, units, fractions, phone numbers, codes, ranges and plain numbers of the European languages."""

from __future__ import annotations

import re
import unicodedata

from lungfish.text.normalise.english_context import after, before, previous_word
from lungfish.text.normalise.european_language import (
    BEGIN,
    GAP,
    NUMBER,
    Currency,
    Language,
    Noun,
    apart,
    counted,
    either,
    is_singular,
    number_words,
    parts,
    spelled,
    whole_words,
)
from lungfish.text.normalise.rules import Rule

_VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5),
    "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
}  # fmt: skip
VULGAR = "".join(_VULGAR)
_RULERS = (2, 3, 4, 5, 6, 8, 16)
_LENGTHS = ("mm", "cm", "dm", "m", "km")
_CALLS = (
    r"(?i:\b(?:tel|telefon|telefono|telefone|teléfono|téléphone|tél|fax|handy|mobil|móvil|celular|cell|cellulare|telemóvel"
    r"|portable|chiamare|numéro|nummer|número|numero)\b)[^0-9]{0,12}$"
)


def money_words(language: Language, written: str, scale: str | None, currency: Currency) -> str:
    """An amount of money: "12,50" is said with its cents, "3 Mio." as millions of it."""
    if scale:
        return scaled_words(language, written, scale, currency.name.many)
    whole, mark, places = parts(written)
    if not mark or len(places) != 2:
        return counted(language, written, currency.name)
    cents = int(places)
    if not cents:
        return counted(language, whole, currency.name)
    if not whole.strip("0"):
        return counted(language, str(cents), currency.cent)
    return language.money(counted(language, whole, currency.name), cents, currency)


def scaled_words(language: Language, written: str, scale: str, noun: str = "") -> str:
    """ "3,2", "Mio.", "Euro" -> "drei Komma zwei Millionen Euro"."""
    words = counted(language, written, language.scales[scale])
    large = scale[:1].lower() in "mb" and not scale.lower().startswith("mil ")
    return f"{words}{language.of(noun) if large else ' '}{noun}" if noun else words


def unit_tables(language: Language) -> dict[str, Noun]:
    """All units with their squares and cubes."""
    table = dict(language.units)
    for length in _LENGTHS:
        for sign in ("²", "2"):
            table[length + sign] = language.square(table[length])
        for sign in ("³", "3"):
            table[length + sign] = language.cubic(table[length])
    return table


def _money_rules(language: Language) -> list[Rule]:
    signs = either(symbol for symbol in language.currencies if not symbol.isalpha())
    codes = either(symbol for symbol in language.currencies if symbol.isalpha())
    scale = rf"(?:{GAP}?(?P<scale>{either(language.scales)})(?![^\W_]))?"
    of = rf"(?:{GAP}(?:de|di)(?={GAP}))?"

    def money(match: re.Match[str]) -> str:
        currency = language.currencies[match["symbol"]]
        words = money_words(language, match["number"], match["scale"], currency)
        if match["last"]:
            first = number_words(language, match["number"], currency.name.gender)
            words = f"{first} {language.to} {money_words(language, match['last'], match['scale'], currency)}"
        if match["minus"]:
            words = f"{language.minus} {words}"
        return apart(match, words)

    def behind(match: re.Match[str]) -> str:
        return apart(
            match, money_words(language, match["number"], match["scale"], language.currencies[match["symbol"]])
        )

    return [
        Rule(
            "money",
            re.compile(
                rf"(?<![^\W_])(?P<symbol>{signs}|{codes}){GAP}?(?P<minus>[-−]?)(?P<number>{NUMBER})"
                rf"(?:{GAP}?[-–]{GAP}?(?:(?P=symbol){GAP}?)?(?P<last>{NUMBER}))?{scale}"
            ),
            money,
        ),
        Rule(
            "money",
            re.compile(
                rf"{BEGIN}(?P<number>{NUMBER})(?:,[-–—]{{1,2}})?{scale}{of}{GAP}?(?:(?P<symbol>{signs}(?![0-9])|(?:{codes})(?![\w])))"
            ),
            behind,
            "0-9",
        ),
    ]


def _unit_rules(language: Language) -> list[Rule]:
    table = unit_tables(language)
    per = rf"(?:/(?P<per>{either(table)})(?![^\W_]))?"

    def percent(match: re.Match[str]) -> str:
        name = language.percent if match["sign"] == "%" else language.permille
        return apart(match, f"{number_words(language, match['number'], 'm')} {name}")

    def unit(match: re.Match[str]) -> str:
        words = counted(language, match["number"], table[match["unit"]])
        return apart(match, words + (f" {language.per} {table[match['per']].one}" if match["per"] else ""))

    def scaled(match: re.Match[str]) -> str:
        words, scale = scaled_words(language, match["number"], match["scale"]), match["scale"]
        whole, mark, _ = parts(match["number"])
        if scale == "mil" and not mark:
            gender = language.gender(after(match), 1000 * int(whole[:12]))
            words = f"{number_words(language, match['number'], gender or 'm')} {scale}"
        return apart(match, words)

    end = r"(?![^\W_²³]|/[^\W_])"
    return [
        Rule("percent", re.compile(rf"{BEGIN}(?P<number>{NUMBER}){GAP}?(?P<sign>[%‰])"), percent, "0-9"),
        Rule(
            "unit",
            re.compile(rf"{BEGIN}(?P<number>{NUMBER}){GAP}?(?P<unit>{either(table)})(?![^\W_²³]){per}{end}"),
            unit,
            "0-9",
        ),
        Rule(
            "scale",
            re.compile(rf"{BEGIN}(?P<number>{NUMBER}){GAP}(?P<scale>{either(language.scales)})(?![^\W_])"),
            scaled,
            "0-9",
        ),
    ]


def _fraction_parts(written: str) -> tuple[int | None, int, int]:
    if written[-1] in _VULGAR:
        whole = re.sub("[^0-9]", "", written[:-1])
        return (int(whole) if whole else None, *_VULGAR[written[-1]])
    head, bottom = re.split("[/⁄]", written)
    pieces = re.split(GAP, head)
    return (int(pieces[0]) if len(pieces) > 1 else None), int(pieces[-1]), int(bottom)


def _fraction_rules(language: Language) -> list[Rule]:
    def vulgar(match: re.Match[str]) -> str:
        return apart(match, language.fraction(*_fraction_parts(match.group())))

    def fraction(match: re.Match[str]) -> str:
        whole, top, bottom = _fraction_parts(match.group())
        if bottom > 1 and (whole is not None or top == 1 or (bottom in _RULERS and top < bottom)) and bottom <= 100:
            return apart(match, language.fraction(whole, top, bottom))
        joint = language.out_of if top <= bottom else language.symbols["/"]
        pieces = [language.cardinal(top, ""), joint, language.cardinal(bottom, "")]
        if whole is not None:
            pieces.insert(0, language.cardinal(whole, ""))
        return apart(match, " ".join(pieces))

    number = rf"(?:[1-9][0-9]{{0,2}}{GAP})?[1-9][0-9]{{0,3}}[/⁄][1-9][0-9]{{0,3}}"
    return [
        Rule("fraction", re.compile(rf"{BEGIN}(?:[0-9]{{1,4}}{GAP}?)?[{VULGAR}]"), vulgar, f"0-9{VULGAR}"),
        Rule("fraction", re.compile(rf"{BEGIN}(?<![/⁄\w]){number}(?![\w/⁄]|[.,][0-9])"), fraction, "0-9"),
    ]


def _phone_rules(language: Language) -> list[Rule]:
    def group_words(digits: str) -> str:
        if language.phone_pairs and len(digits) == 2:
            return whole_words(language, digits)
        return spelled(language, digits)

    def phone(match: re.Match[str]) -> str | None:
        groups = re.findall("[0-9]+", match.group())
        total = sum(len(group) for group in groups)
        if not 7 <= total <= 16:
            return None
        words = ", ".join(group_words(group) for group in groups)
        return apart(match, (f"{language.plus} " if "+" in match.group() else "") + words)

    def called(match: re.Match[str]) -> str | None:
        return phone(match) if re.search(_CALLS, before(match, 40)) else None

    def version(match: re.Match[str]) -> str | None:
        if re.fullmatch(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+", match.group()):
            return None
        return apart(match, f" {language.point} ".join(whole_words(language, p) for p in match.group().split(".")))

    end = r"(?![\w]|[.,:/-][0-9]|[ \u00a0]?[%€$°])"
    return [
        Rule(
            "phone",
            re.compile(rf"(?<![\w+])\+[1-9][0-9]{{0,14}}(?:{GAP}?[ ./()-]{{0,2}}[0-9]{{1,8}}){{0,7}}(?!\w)"),
            phone,
            "+",
        ),
        Rule(
            "phone",
            re.compile(rf"(?<![\w.,+-])\(?0[0-9]{{1,5}}\)?(?:(?:{GAP}|[./-]|{GAP}/{GAP})[0-9]{{2,8}}){{1,5}}{end}"),
            phone,
            "0(",
        ),
        Rule(
            "phone",
            re.compile(
                rf"(?<![\w.,+-])(?:\([0-9]{{2,4}}\){GAP}?)?[0-9]{{2,12}}(?:(?:{GAP}|[./-])[0-9]{{2,8}}){{0,5}}{end}"
            ),
            called,
            "0-9(",
        ),
        Rule("version", re.compile(r"(?<![\w.,])[0-9]{1,6}(?:\.[0-9]{1,6}){2,6}(?![\w]|[.,][0-9])"), version, "0-9"),
    ]


def rules(language: Language) -> list[Rule]:
    """All rules for amounts but the last."""
    return [
        *_phone_rules(language),
        *_money_rules(language),
        *_unit_rules(language),
        *_fraction_rules(language),
    ]


def last_rules(language: Language) -> list[Rule]:
    """Rules for dashes between numbers, and for the numbers that nothing else wanted; no digit is left."""

    def dash(match: re.Match[str]) -> str | None:
        left = re.search(r"([0-9]+)(?:[%€$£°]|[ \u00a0]?(?:h|km|kg|m|cm))?([ \u00a0]?)$", before(match, 16))
        if left is None or bool(left[2]) != bool(match["gap"]):
            return None
        right = re.match("[0-9]+", after(match, 8))
        assert right is not None
        if match["gap"] and match["dash"] == "-" and re.match(r"[0-9.,]{1,12} ?=", after(match, 16)):
            return language.minus + match["gap"]
        falls = len(left[1]) <= 2 and len(right[0]) <= 2 and int(left[1]) > int(right[0]) and not match["gap"]
        words = language.score if falls else language.to
        return f"{words}{match['gap']}" if match["gap"] else f" {words} "

    def minus(match: re.Match[str]) -> str | None:
        left = match.string[match.start() - 1 : match.start()]
        return f"{language.minus} " if not left or left.isspace() or left in "([{<,;:=\"'“‘«„¿¡" else None

    def number(match: re.Match[str]) -> str:
        written = match.group()
        whole, mark, _ = parts(written)
        if not mark and written == whole and len(whole) == 4 and "1100" <= whole <= "2099" and _is_year(match):
            return apart(match, language.year(int(whole)))
        gender = language.gender(after(match), int(whole[:15])) if not mark else ""
        return apart(match, number_words(language, written, gender))

    def other_digits(match: re.Match[str]) -> str:
        digits = "".join(str(unicodedata.decimal(character)) for character in match.group())
        return apart(match, whole_words(language, digits))

    return [
        Rule("range", re.compile(rf"(?P<dash>[-–—])(?P<gap>{GAP}?)(?=[0-9])"), dash, "-–—"),
        Rule("minus", re.compile(r"[-−–](?=[0-9])"), minus, "-−–"),
        Rule("number", re.compile(rf"{BEGIN}{NUMBER}"), number, "0-9"),
        Rule("number", re.compile(r"[0-9]++"), number, "0-9"),
        Rule("number", re.compile(r"(?:(?![0-9])\d){1,64}"), other_digits, r"\d"),
    ]


def _is_year(match: re.Match[str]) -> bool:
    """Not where a capitalised or plural noun is counted; only German says years in a way of their own."""
    if re.match(rf"{GAP}[A-ZÄÖÜ][a-zäöüß]+", after(match)):
        return previous_word(match) in ("Jahr", "Jahre", "Jahres", "Jahren", "im", "seit", "bis", "ab", "um", "anno")
    return True


__all__ = ["is_singular", "last_rules", "money_words", "rules", "scaled_words"]
