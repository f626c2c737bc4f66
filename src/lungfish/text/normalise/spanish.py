"""The Spanish reader: what Spanish knows that the European machine does not.

"Uno" loses its end in front of a noun ("veintiún años"), hundreds agree ("doscientas personas"); sovereigns and centuries
take ordinals up to ten and cardinals above.
"""

from __future__ import annotations

import functools
import re

from lungfish.text.normalise import european, plain_numbers
from lungfish.text.normalise.english_context import after
from lungfish.text.normalise.european_language import GAP, Language, Noun, apart, pairs_of
from lungfish.text.normalise.european_romance import half_rule
from lungfish.text.normalise.rules import Rule, RuleReader
from lungfish.text.normalise.spanish_words import (
    ABBREVIATIONS,
    DOLLAR,
    EURO,
    FEMININE_WORDS,
    FORMS,
    FRANC,
    FUNCTION_WORDS,
    KINGS,
    MASCULINE_IN_A,
    MAY_END,
    MONTHS,
    NUMBERED,
    ONES,
    PESO,
    POUND,
    QUEENS,
    SCALES,
    TEENS,
    TENS,
    UNITS,
    US,
    YEN,
)
from lungfish.text.normalise.word_lists import word_set
from lungfish.text.traced import TracedText

_COUNTED = re.compile(rf"{GAP}([^\W\d_]{{2,30}})(?!\w)")


def cardinal(number: int, gender: str = "") -> str:
    """ "veintiuno" alone, "veintiún" and "veintiuna" in front of nouns."""
    words = plain_numbers.number_words(number, "es") or str(number)
    words = re.sub(r"veintiuno (?=mil)", "veintiún ", words)
    words = re.sub(r"(?<![a-z])uno (?=mil)", "un ", words)
    if gender == "m":
        words = re.sub(r"veintiuno$", "veintiún", words)
        words = re.sub(r"(?<![a-z])uno$", "un", words)
    elif gender == "f":
        found = re.fullmatch(r"(.*mill(?:ón|ones))?(.*)", words)
        assert found is not None
        tail = re.sub(r"uno$", "una", found[2]).replace("cientos", "cientas").replace("quinientos", "quinientas")
        words = (found[1] or "") + tail
    return words


def ordinal(number: int, gender: str = "m") -> str:
    """ "vigésimo primero", "vigésima primera"; a cardinal from a hundred on."""
    if number == 100:
        words = "centésimo"
    elif not 1 <= number < 100:
        return cardinal(number, gender)
    elif number < 10:
        words = ONES[number]
    elif number < 20:
        words = TEENS[number - 10]
    else:
        words = TENS[number // 10] + (f" {ONES[number % 10]}" if number % 10 else "")
    return re.sub(r"o\b", "a", words) if gender == "f" else words


def shortened(words: str) -> str:
    """ "primero" and "tercero" in front of a noun."""
    return re.sub(r"(primer|tercer)o$", r"\1", words)


def _date(day: int, month: int, year_number: int | None, text: str) -> str:
    words = f"{cardinal(day)} de {MONTHS[month - 1]}"
    return words if year_number is None else f"{words} de {cardinal(year_number)}"


def _clock(hour: int, minute: int, second: int | None, marked: bool) -> str:
    if not minute and second is None:
        return (
            f"{cardinal(hour, 'f')}{' horas' if hour != 1 else ' hora'}"
            if marked
            else f"{cardinal(hour, 'f')} en punto"
        )
    words = f"{cardinal(hour, 'f')} {'y ' if minute < 10 else ''}{cardinal(minute)}"
    if second is not None:
        words += f" y {cardinal(second, 'm')} {'segundo' if second == 1 else 'segundos'}"
    return words


def _fraction(whole: int | None, top: int, bottom: int) -> str:
    if bottom == 2:
        words = "medio" if top == 1 else f"{cardinal(top)} medios"
    else:
        if bottom <= 10:
            name = {3: "tercio"}.get(bottom) or _ORDINAL_PARTS[bottom]
        else:
            name = "centésimo" if bottom == 100 else re.sub(r"[aeo]$", "", cardinal(bottom).replace(" y ", "i")) + "avo"
            name = name.replace("sésavo", "saisavo")
        words = f"{cardinal(top, 'm')} {name}{'s' if top > 1 else ''}"
    return words if whole is None else f"{cardinal(whole)} y {words}"


_ORDINAL_PARTS = {4: "cuarto", 5: "quinto", 6: "sexto", 7: "séptimo", 8: "octavo", 9: "noveno", 10: "décimo"}


def _gender(rest: str, number: int) -> str:
    if number % 10 != 1 and number % 1000 < 200:
        return ""
    found = _COUNTED.match(rest)
    if found is None or not found[1].islower() or found[1] in FUNCTION_WORDS or found[1] in MONTHS:
        return ""
    word = found[1]
    if number > 1 and not word.endswith("s"):
        return "" if word not in ("mil",) else "m"
    return noun_gender(word)


def noun_gender(word: str) -> str:
    """ "f" or "m", by the ending."""
    single = re.sub(r"(?<=[aeo])s$", "", word)
    if single in MASCULINE_IN_A:
        return "m"
    if word in FEMININE_WORDS or single.endswith(("a", "ción", "cione", "sión", "sione", "dad", "dade", "tud", "tude")):
        return "f"
    return "m"


_FEMALE_PARTS = word_set("parte escena sección fase etapa guerra temporada")
_ORDINALS_TO = 10


def _roman(value: int, words: list[str], rest: str) -> str | None:
    previous = words[-1] if words else ""
    if previous in KINGS or previous in QUEENS or previous.lower() in ("siglo", "siglos"):
        return ordinal(value, "f" if previous in QUEENS else "m") if value <= _ORDINALS_TO else cardinal(value)
    if len(words) > 1 and words[-2].lower() in ("siglo", "siglos"):
        return cardinal(value)
    return cardinal(value) if previous in NUMBERED else None


def _own_rules() -> list[Rule]:
    def ordinal_words(match: re.Match[str]) -> str:
        feminine = match["mark"] in ("ª", "ra", "da", "ta", "ma", "va", "na", "a")
        words = ordinal(int(match["number"]), "f" if feminine else "m")
        noun = _COUNTED.match(after(match))
        counts = noun is not None and noun[1].islower() and noun[1] not in FUNCTION_WORDS and noun[1] not in MONTHS
        short = match["mark"] == "er" or (counts and not feminine)
        return apart(match, shortened(words) if short else words)

    def hours(match: re.Match[str]) -> str:
        return apart(
            match, f"{cardinal(int(match['hour']), 'f')} {'hora' if match['hour'] in ('1', '01') else 'horas'}"
        )

    return [
        half_rule(
            cardinal, noun_gender, ("y medio", "y media"), "horas?|años?|días?|semanas?|meses|kilos?|litros?|tazas?"
        ),
        Rule(
            "ordinal",
            re.compile(
                r"(?<![\w.,])(?P<number>[0-9]{1,4})\.?(?P<mark>[ºª]|er|ro|do|to|mo|vo|no|ra|da|ta|ma|va|na)(?![^\W_])(?!C)"
            ),
            ordinal_words,
            "0-9",
        ),
        Rule(
            "time",
            re.compile(rf"(?<![\w.,:/-])(?P<hour>[0-2]?[0-9]){GAP}?(?:h|hs|hrs)\.?(?![\w/]|{GAP}[0-9])"),
            hours,
            "0-9",
        ),
    ]


LANGUAGE = Language(
    cardinal=cardinal,
    year=cardinal,
    minus="menos",
    plus="más",
    point="punto",
    comma="coma",
    percent="por ciento",
    permille="por mil",
    month_names=MONTHS,
    month_forms=FORMS,
    date=_date,
    date_cues=word_set("el al del día lunes martes miércoles jueves viernes sábado domingo"),
    clock=_clock,
    clock_unit="horas|hrs|hs|h",
    units=UNITS,
    square=lambda noun: Noun(f"{noun.one} cuadrado", f"{noun.many} cuadrados", noun.gender),
    cubic=lambda noun: Noun(f"{noun.one} cúbico", f"{noun.many} cúbicos", noun.gender),
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
        "MXN": PESO,
    },
    money=lambda whole, cents, currency: (
        f"{whole} con {cardinal(cents, 'm')} {currency.cent.one if cents == 1 else currency.cent.many}"
    ),
    per="por",
    of=lambda noun: " de ",
    fraction=_fraction,
    out_of="sobre",
    to="a",
    score="a",
    gender=_gender,
    marks=pairs_of("""
.=punto; /=barra; -=guion; _=guion bajo; @=arroba; :=dos puntos; ?=signo de interrogación; &=y; #=almohadilla
%=por ciento; +=más; ~=tilde; ,=coma; !=signo de exclamación; *=asterisco; $=dólar
""")
    | {"=": "igual"},
    symbols=pairs_of("""
&=y; +=más; <=menor que; >=mayor que; ≠=distinto de; ≈=aproximadamente; ≤=menor o igual que; ≥=mayor o igual que
±=más menos; ×=por; ÷=dividido entre; *=por; /=entre; :=a; ~=aproximadamente; #=número; @=arroba; %=por ciento
°=grados
§§=párrafos; §=párrafo; →=a; ∞=infinito; ©=copyright; ®=marca registrada; ™=marca; №=número; €=euros; £=libras
$=dólares
""")
    | {"=": "igual a"},
    abbreviations=ABBREVIATIONS,
    stop_may_end=MAY_END,
    starters=r"[«\"“¿¡]{0,2}[A-ZÁÉÍÓÚÑ]",
    roman=_roman,
    month_of="de",
    numbered={"s.": "siglo", "S.": "siglo", "p.": "página", "pp.": "páginas", "t.": "tomo", "No.": "número"},
    own=tuple(_own_rules()),
)


@functools.cache
def reader() -> RuleReader:
    """The rules."""
    return european.reader(LANGUAGE)


def read(text: TracedText) -> TracedText:
    """`text` as it is said."""
    return reader().read_until_stable(text)
