"""The French reader: what French knows that the European machine does not.

Numbers as in France ("soixante-dix", "vingt et un"); sovereigns take cardinals but for the first; centuries are ordinals.
"""

from __future__ import annotations

import functools
import re

from lungfish.text.normalise import european, plain_numbers
from lungfish.text.normalise.english_context import after
from lungfish.text.normalise.english_words import is_roman, roman_value
from lungfish.text.normalise.european_language import GAP, Currency, Language, Noun, apart, pairs_of
from lungfish.text.normalise.french_words import (
    ABBREVIATIONS,
    CENT,
    DOLLAR,
    EURO,
    FEMININE,
    FORMS,
    FRANC,
    FUNCTION_WORDS,
    MAY_END,
    MONTHS,
    NUMBERED,
    POUND,
    QUEENS,
    RULERS,
    SCALES,
    STARTERS,
    UNITS,
    YEN,
)
from lungfish.text.normalise.rules import Rule, RuleReader
from lungfish.text.normalise.word_lists import word_set
from lungfish.text.traced import TracedText

_FEMININE_ENDINGS = ("tion", "sion", "ance", "ence", "ette", "elle", "té", "ure", "esse", "ade", "ité")


def cardinal(number: int, gender: str = "") -> str:
    """ "vingt et un", in front of a feminine noun "vingt et une"."""
    words = plain_numbers.number_words(number, "fr") or str(number)
    if gender == "f" and (words == "un" or words.endswith((" un", "-un"))):
        words += "e"
    return words


def ordinal(number: int, gender: str = "m") -> str:
    """ "premier", "première", "vingt et unième"."""
    if number == 1:
        return "première" if gender == "f" else "premier"
    words = cardinal(number)
    if words.endswith(("vingts", "cents", "millions", "milliards")):
        words = words[:-1]
    if words.endswith("cinq"):
        return words + "uième"
    if words.endswith("neuf"):
        return words[:-1] + "vième"
    return words.removesuffix("e") + "ième"


def _date(day: int, month: int, year_number: int | None, text: str) -> str:
    words = f"{'premier' if day == 1 else cardinal(day)} {MONTHS[month - 1]}"
    return words if year_number is None else f"{words} {cardinal(year_number)}"


def _clock(hour: int, minute: int, second: int | None, marked: bool) -> str:
    words = f"{cardinal(hour, 'f')} {'heure' if hour < 2 else 'heures'}"
    if minute or second is not None:
        words += f" {cardinal(minute, 'f' if minute % 10 == 1 else '')}"
    if second is not None:
        words += f" et {cardinal(second, 'f')} {'seconde' if second < 2 else 'secondes'}"
    return words


def _fraction(whole: int | None, top: int, bottom: int) -> str:
    if bottom == 2 and top == 1:
        return "un demi" if whole is None else f"{cardinal(whole)} et demi"
    name = {2: "demi", 3: "tiers", 4: "quart"}.get(bottom) or ordinal(bottom)
    words = f"{cardinal(top)} {name}{'s' if top > 1 and name[-1] != 's' else ''}"
    return words if whole is None else f"{cardinal(whole)} et {words}"


def _gender(rest: str, number: int) -> str:
    found = re.match(rf"{GAP}([^\W\d_]{{2,30}})(?!\w)", rest)
    if found is None or number % 10 != 1 or found[1] in FUNCTION_WORDS or not found[1].islower():
        return ""
    word = found[1] if found[1] in FEMININE else found[1].removesuffix("s")
    return "f" if word in FEMININE or word.endswith(_FEMININE_ENDINGS) else "m"


def _roman(value: int, words: list[str], rest: str) -> str | None:
    previous = words[-1] if words else ""
    if previous in RULERS or (previous in NUMBERED and value):
        return cardinal(value, "f" if previous in QUEENS else "")
    return None


def _own_rules() -> list[Rule]:
    def ordinal_words(match: re.Match[str]) -> str:
        number, suffix = int(match["number"]), match["suffix"]
        if suffix.startswith("nd"):
            words = "seconde" if "e" in suffix else "second"
        else:
            words = ordinal(number, "f" if suffix in ("re", "ère", "res", "ères") else "m")
        return apart(match, words + ("s" if suffix.endswith("s") else ""))

    def roman_ordinal(match: re.Match[str]) -> str | None:
        if not is_roman(match["roman"]):
            return None
        words = ordinal(roman_value(match["roman"]), "f" if match["suffix"] in ("re", "ère") else "m")
        if match["suffix"].endswith("s"):
            words += "s"
        if not match["century"]:
            return words
        return f"{words} siècle{'' if after(match).strip() else '.'}"

    def hour(match: re.Match[str]) -> str | None:
        value = int(match["hour"])
        return apart(match, _clock(value, 0, None, True)) if value <= 24 else None

    def first(match: re.Match[str]) -> str:
        return apart(match, "premier")

    def half(match: re.Match[str]) -> str:
        return apart(match, f"{cardinal(int(match['whole']), 'f')}{match['noun']} et demie")

    suffix = r"(?P<suffix>ères|ère|ers|er|res|re|ndes|nde|nds|nd|èmes|ème|emes|eme|es|e|ᵉ)"
    months = "|".join((*MONTHS, *FORMS))
    return [
        Rule("ordinal", re.compile(rf"(?<![\w.,])(?P<number>[0-9]{{1,4}}){suffix}(?!\w)"), ordinal_words, "0-9"),
        Rule(
            "ordinal",
            re.compile(
                r"(?<![\w.’'-])(?P<roman>(?![LCDM][^IVXLCDM])[IVXLCDM]{1,7})(?P<suffix>ers|er|ère|re|èmes|ème|es|e|ᵉ)(?!\w)"
                rf"(?P<century>{GAP}s\.)?"
            ),
            roman_ordinal,
            "IVXLCDM",
        ),
        Rule("first", re.compile(rf"(?<![\w.,/-])1(?={GAP}(?:{months})(?!\w))"), first, "1"),
        Rule("time", re.compile(rf"(?<![\w.,:/-])(?P<hour>[0-2]?[0-9]){GAP}?h(?![\w/]|{GAP}[0-9])"), hour, "0-9"),
        Rule(
            "half",
            re.compile(
                rf"(?<![\w.,:/-])(?P<whole>[1-9][0-9]?){GAP}?(?:½|1/2)(?P<noun>{GAP}(?:heure|année|journée|tasse|bouteille)s?)(?!\w)"
            ),
            half,
            "1-9",
        ),
    ]


def _of(noun: str) -> str:
    return " d'" if noun[:1].lower() in "aeiouyhéèê" and not noun.startswith(("y", "h")) else " de "


LANGUAGE = Language(
    cardinal=cardinal,
    year=cardinal,
    minus="moins",
    plus="plus",
    point="point",
    comma="virgule",
    percent="pour cent",
    permille="pour mille",
    singular_below_two=True,
    phone_pairs=True,
    month_names=MONTHS,
    month_forms=FORMS,
    date=_date,
    date_cues=word_set("le du au dès lundi mardi mercredi jeudi vendredi samedi dimanche"),
    clock=_clock,
    clock_unit="h|heures?",
    units=UNITS,
    square=lambda noun: Noun(f"{noun.one} carré", f"{noun.many} carrés", noun.gender),
    cubic=lambda noun: Noun(f"{noun.one} cube", f"{noun.many} cubes", noun.gender),
    scales=SCALES,
    currencies={
        "€": EURO,
        "EUR": EURO,
        "$": DOLLAR,
        "US$": Currency(Noun("dollar américain", "dollars américains"), CENT),
        "USD": Currency(Noun("dollar américain", "dollars américains"), CENT),
        "£": POUND,
        "GBP": POUND,
        "CHF": FRANC,
        "¥": YEN,
        "JPY": YEN,
    },
    money=lambda whole, cents, currency: f"{whole} {cardinal(cents)}",
    per="par",
    of=_of,
    fraction=_fraction,
    out_of="sur",
    to="à",
    score="à",
    gender=_gender,
    marks=pairs_of("""
.=point; /=barre oblique; -=tiret; _=tiret bas; @=arobase; :=deux-points; ?=point d'interrogation; &=et; #=dièse
%=pour cent; +=plus; ~=tilde; ,=virgule; !=point d'exclamation; *=étoile; $=dollar
""")
    | {"=": "égale"},
    symbols=pairs_of("""
&=et; +=plus; <=inférieur à; >=supérieur à; ≠=différent de; ≈=environ; ≤=inférieur ou égal à; ≥=supérieur ou égal à
±=plus ou moins; ×=fois; ÷=divisé par; *=fois; /=sur; :=à; ~=environ; #=numéro; @=arobase; %=pour cent; °=degrés
§§=paragraphes; §=paragraphe; →=vers; ∞=infini; ©=copyright; ®=marque déposée; ™=marque; №=numéro; €=euros; £=livres
$=dollars
""")
    | {"=": "égale"},
    abbreviations=ABBREVIATIONS,
    stop_may_end=MAY_END,
    starters=STARTERS,
    roman=_roman,
    numbered={"p.": "page", "pp.": "pages", "t.": "tome", "N°": "numéro", "No": "numéro", "no": "numéro"},
    own=tuple(_own_rules()),
)


@functools.cache
def reader() -> RuleReader:
    """The rules."""
    return european.reader(LANGUAGE)


def read(text: TracedText) -> TracedText:
    """`text` as it is said."""
    return reader().read_until_stable(text)
