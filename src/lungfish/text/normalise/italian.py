"""The Italian reader: what Italian knows that the European machine does not.

Numbers are one word; "uno" agrees only by itself ("un cane", "una casa"); sovereigns, centuries and chapters take ordinals.
"""

from __future__ import annotations

import functools
import re

from lungfish.text.normalise import european, plain_numbers
from lungfish.text.normalise.english_context import after
from lungfish.text.normalise.english_words import is_roman, roman_value
from lungfish.text.normalise.european_language import GAP, Language, Noun, apart, pairs_of
from lungfish.text.normalise.european_romance import half_rule
from lungfish.text.normalise.italian_words import (
    ABBREVIATIONS,
    DOLLAR,
    EURO,
    FEMININE,
    FORMS,
    FRANC,
    FUNCTION_WORDS,
    KINGS,
    MASCULINE_IN_A,
    MAY_END,
    MONTHS,
    NEED_NUMBER,
    NUMBERED,
    ORDINALS,
    POUND,
    QUEENS,
    SCALES,
    UNITS,
    US,
    YEN,
)
from lungfish.text.normalise.rules import Rule, RuleReader
from lungfish.text.normalise.word_lists import word_set
from lungfish.text.traced import TracedText

_IMPURE = re.compile("s[^aeiou]|z|gn|ps|pn|x|y")  # "uno studente"


def cardinal(number: int, gender: str = "") -> str:
    """ "uno" alone, "un" and "una" in front of nouns."""
    if number == 1 and gender:
        return "una" if gender == "f" else "un"
    words = plain_numbers.number_words(number, "it") or str(number)
    words = re.sub(r"(milion[ei]|miliard[oi]|bilion[ei]) e ", r"\1 ", words)
    words = words.replace("dicotto", "diciotto")
    return re.sub(r"(?<=[a-z])tre(?![a-zé])", "tré", words)


def ordinal(number: int, gender: str = "m") -> str:
    """ "primo", "ventunesimo", "terza"."""
    if number <= 10:
        words = ORDINALS[number]
    else:
        words = plain_numbers.number_words(number, "it", "ordinal") or cardinal(number)
    return words[:-1] + "a" if gender == "f" and words.endswith("o") else words


def _date(day: int, month: int, year_number: int | None, text: str) -> str:
    words = f"{'primo' if day == 1 else cardinal(day)} {MONTHS[month - 1]}"
    return words if year_number is None else f"{words} {cardinal(year_number)}"


def _clock(hour: int, minute: int, second: int | None, marked: bool) -> str:
    words = "una" if hour == 1 else cardinal(hour)
    if not minute and second is None:
        return f"{words} in punto"
    words += f" e {cardinal(minute)}"
    if second is not None:
        words += f" e {cardinal(second, 'm')} {'secondo' if second == 1 else 'secondi'}"
    return words


def _fraction(whole: int | None, top: int, bottom: int) -> str:
    name = "mezzo" if bottom == 2 else ordinal(bottom)
    if bottom == 2 and top == 1 and whole is not None:
        return f"{cardinal(whole)} e mezzo"
    if bottom == 2 and top == 1:
        return "mezzo"
    words = f"{cardinal(top, 'm')} {name[:-1] + 'i' if top > 1 else name}"
    return words if whole is None else f"{cardinal(whole)} e {words}"


def noun_gender(word: str) -> str:
    """ "f" or "m", by the ending."""
    if word in MASCULINE_IN_A:
        return "m"
    if word in FEMININE or word.endswith(("a", "zione", "sione", "tà", "tù", "trice")) or word == "ore":
        return "f"
    return "m"


def _gender(rest: str, number: int) -> str:
    if number != 1:
        return ""
    found = re.match(rf"{GAP}([^\W\d_]{{2,30}})(?!\w)", rest)
    if found is None or not found[1].islower() or found[1] in FUNCTION_WORDS or found[1] in MONTHS:
        return ""
    return noun_gender(found[1])


def _roman(value: int, words: list[str], rest: str) -> str | None:
    previous = words[-1] if words else ""
    if previous in KINGS or previous in QUEENS:
        return ordinal(value, "f" if previous in QUEENS else "m")
    if previous.lower() in NUMBERED:
        return ordinal(value, NUMBERED[previous.lower()])
    following = re.match(rf"{GAP}([a-zà-ú]{{3,20}}|Guerra|Olimpiade)(?!\w)", rest)
    if following and following[1].lower() in (
        "secolo",
        "guerra",
        "olimpiade",
        "edizione",
        "legislatura",
        "capitolo",
        "canto",
    ):
        return ordinal(value, noun_gender(following[1].lower()) if following[1].lower() != "olimpiade" else "f")
    return None


def _own_rules() -> list[Rule]:
    def ordinal_words(match: re.Match[str]) -> str | None:
        if match["mark"] == "°" and not re.match(rf"{GAP}[a-z]{{4}}", after(match, 8)):
            return None
        return apart(match, ordinal(int(match["number"]), "f" if match["mark"] in ("ª", "a") else "m"))

    def first(match: re.Match[str]) -> str:
        return apart(match, "primo")

    def decade(match: re.Match[str]) -> str:
        return cardinal(int(match["number"]))

    def hour(match: re.Match[str]) -> str:
        if int(match["hour"]) == 1:
            return apart(match, "un'ora")
        return apart(match, f"{cardinal(int(match['hour']), 'f')} {'ora' if match['hour'] in ('1', '01') else 'ore'}")

    def at_time(match: re.Match[str]) -> str | None:
        return (
            apart(match, _clock(int(match["hour"]), int(match["minute"]), None, True))
            if int(match["hour"]) < 25
            else None
        )

    def centuries(match: re.Match[str]) -> str | None:
        if not is_roman(match["first"]) or not is_roman(match["last"]):
            return None
        return f"{ordinal(roman_value(match['first']))} e {ordinal(roman_value(match['last']))}"

    def one(match: re.Match[str]) -> str | None:
        noun = match["noun"]
        if noun in FUNCTION_WORDS or noun in MONTHS or noun in UNITS:
            return None
        if noun_gender(noun) == "f":
            return "un'" if noun[0] in "aeiouh" else "una "
        return "uno " if _IMPURE.match(noun) else "un "

    months = "|".join(MONTHS)
    return [
        half_rule(
            cardinal,
            noun_gender,
            ("e mezzo", "e mezza"),
            "or[ae]|ann[oi]|giorn[oi]|settiman[ae]|mes[ei]|litr[oi]|chil[oi]",
        ),
        Rule("one", re.compile(rf"(?<![\w.,:/-])1{GAP}(?=(?P<noun>[a-zàèéìòù]{{2,30}})(?!\w))"), one, "1"),
        Rule("ordinal", re.compile(r"(?<![\w.,])(?P<number>[0-9]{1,4})(?P<mark>[ºª°])(?![\w°])"), ordinal_words, "0-9"),
        Rule("first", re.compile(rf"(?<![\w.,/-])1(?={GAP}(?:{months})(?!\w))"), first, "1"),
        Rule("decade", re.compile(r"(?<!\w)['’](?P<number>[1-9][0-9])(?![\w'’])"), decade, "'’"),
        Rule(
            "time",
            re.compile(r"(?<=ore )(?P<hour>[0-2]?[0-9])[.,](?P<minute>[0-5][0-9])(?!\w|[.,][0-9])"),
            at_time,
            "0-9",
        ),
        Rule("time", re.compile(rf"(?<![\w.,:/-])(?P<hour>[0-2]?[0-9]){GAP}?h(?![\w/]|{GAP}[0-9])"), hour, "0-9"),
        Rule(
            "roman",
            re.compile(rf"(?<![\w.’'-])(?P<first>[IVX]{{1,5}}){GAP}e{GAP}(?P<last>[IVX]{{1,5}})(?={GAP}secolo)"),
            centuries,
            "IVX",
        ),
    ]


LANGUAGE = Language(
    cardinal=cardinal,
    year=cardinal,
    minus="meno",
    plus="più",
    point="punto",
    comma="virgola",
    percent="per cento",
    permille="per mille",
    month_names=MONTHS,
    month_forms=FORMS,
    date=_date,
    date_cues=word_set("il l dal al del dell all dall lunedì martedì mercoledì giovedì venerdì sabato domenica"),
    clock=_clock,
    clock_unit="h",
    units=UNITS,
    square=lambda noun: Noun(f"{noun.one} quadrato", f"{noun.many} quadrati", noun.gender),
    cubic=lambda noun: Noun(f"{noun.one} cubo", f"{noun.many} cubi", noun.gender),
    scales=SCALES,
    currencies={
        "€": EURO,
        "EUR": EURO,
        "$": DOLLAR,
        "US$": US,
        "USD": US,
        "£": POUND,
        "GBP": POUND,
        "CHF": FRANC,
        "¥": YEN,
        "JPY": YEN,
    },
    money=lambda whole, cents, currency: (
        f"{whole} e {cardinal(cents, 'm')} {currency.cent.one if cents == 1 else currency.cent.many}"
    ),
    per="al",
    of=lambda noun: " di ",
    fraction=_fraction,
    out_of="su",
    to="a",
    score="a",
    gender=_gender,
    marks=pairs_of("""
.=punto; /=barra; -=trattino; _=trattino basso; @=chiocciola; :=due punti; ?=punto interrogativo; &=e; #=cancelletto
%=per cento; +=più; ~=tilde; ,=virgola; !=punto esclamativo; *=asterisco; $=dollaro
""")
    | {"=": "uguale"},
    symbols=pairs_of("""
&=e; +=più; <=minore di; >=maggiore di; ≠=diverso da; ≈=circa; ≤=minore o uguale a; ≥=maggiore o uguale a
±=più o meno
×=per; ÷=diviso; *=per; /=diviso; :=a; ~=circa; #=numero; @=chiocciola; %=per cento; °=gradi; §§=paragrafi
§=paragrafo
→=a; ∞=infinito; ©=copyright; ®=marchio registrato; ™=marchio; №=numero; €=euro; £=sterline; $=dollari
""")
    | {"=": "uguale"},
    abbreviations={short: words for short, words in ABBREVIATIONS.items() if short not in NEED_NUMBER},
    stop_may_end=MAY_END,
    starters=r"[«\"“]?[A-ZÀ-Ú]",
    roman=_roman,
    numbered={"sec.": "secolo", "p.": "pagina", "pp.": "pagine", "n.": "numero", "nn.": "numeri", "N.": "numero"},
    own=tuple(_own_rules()),
)


@functools.cache
def reader() -> RuleReader:
    """The rules."""
    return european.reader(LANGUAGE)


def read(text: TracedText) -> TracedText:
    """`text` as it is said."""
    return reader().read_until_stable(text)
