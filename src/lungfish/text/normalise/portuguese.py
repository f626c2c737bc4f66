"""The Portuguese reader, of Brazil or of Portugal: what Portuguese knows that the European machine does not.

The two differ in numbers (dezesseis, dezasseis; bilhão, mil milhões), cents (centavos, cêntimos) and a few units. Numbers
agree ("duas horas", "duzentas páginas"); sovereigns, centuries and chapters take ordinals up to ten, cardinals above.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Callable

from lungfish.text.normalise import european, plain_numbers
from lungfish.text.normalise.european_language import GAP, Language, Noun, apart, pairs_of
from lungfish.text.normalise.european_romance import half_rule
from lungfish.text.normalise.portuguese_words import (
    ABBREVIATIONS,
    CENTAVO,
    CENTIMO,
    EUROPEAN_SCALES,
    FEMININE,
    FORMS,
    FUNCTION_WORDS,
    KINGS,
    MASCULINE_IN_A,
    MAY_END,
    MONTHS,
    NUMBERED,
    QUEENS,
    SCALES,
    UNITS,
    currencies,
)
from lungfish.text.normalise.rules import Rule, RuleReader
from lungfish.text.normalise.word_lists import word_set
from lungfish.text.traced import TracedText

_COUNTED = re.compile(rf"{GAP}([^\W\d_]{{2,30}})(?!\w)")


def cardinal(number: int, gender: str = "", *, european: bool = False) -> str:
    """ "dois" alone and in front of masculine nouns, "duas" in front of feminine ones."""
    words = plain_numbers.number_words(number, "pt" if european else "pt_BR") or str(number)
    words = words.replace(",", "")
    if gender != "f":
        return words
    found = re.fullmatch(r"(.*lh(?:ão|ões))?(.*)", words)
    assert found is not None
    tail = re.sub(r"\bum\b(?! mil)", "uma", found[2])
    tail = re.sub(r"\bdois\b", "duas", tail)
    return (found[1] or "") + re.sub(r"(duz|trez|quatroc|quinh|seisc|setec|oitoc|novec)entos", r"\1entas", tail)


def ordinal(number: int, gender: str = "m") -> str:
    """ "vigésimo primeiro", "vigésima primeira"; a cardinal from a thousand on."""
    if not 1 <= number < 1000:
        return cardinal(number, gender)
    words = plain_numbers.number_words(number, "pt_BR", "ordinal") or cardinal(number)
    return re.sub(r"o\b", "a", words) if gender == "f" else words


def noun_gender(word: str) -> str:
    """ "f" or "m", by the ending."""
    single = word.removesuffix("s")
    if single in MASCULINE_IN_A:
        return "m"
    if (
        word in FEMININE
        or single.endswith(("a", "ção", "çõe", "são", "sõe", "dade", "tude", "gem"))
        or word.endswith("gens")
    ):
        return "f"
    return "m"


def _gender(rest: str, number: int) -> str:
    found = _COUNTED.match(rest)
    if found is None or not found[1].islower() or found[1] in FUNCTION_WORDS or found[1] in MONTHS:
        return ""
    if number > 1 and not found[1].endswith("s"):
        return ""
    return noun_gender(found[1])


_ORDINALS_TO = 10


def _roman(value: int, words: list[str], rest: str) -> str | None:
    previous = words[-1] if words else ""
    lower = previous.lower()
    if previous in KINGS or previous in QUEENS or lower in NUMBERED:
        feminine = previous in QUEENS or NUMBERED.get(lower) == "f"
        return ordinal(value, "f" if feminine else "m") if value <= _ORDINALS_TO else cardinal(value)
    if len(words) > 2 and words[-3].lower() == "séculos" and previous == "e":
        return cardinal(value)
    if previous == "Mundial":
        return ordinal(value, "f")
    following = re.match(rf"{GAP}(Guerra|guerra|Dinastia|dinastia|Edição|edição|Congresso|Bienal)", rest)
    return ordinal(value, "m" if following[1] == "Congresso" else "f") if following else None


def _own_rules(say: Callable[[int, str], str]) -> list[Rule]:
    def ordinal_words(match: re.Match[str]) -> str:
        words = ordinal(int(match["number"]), "f" if match["mark"] in ("ª", "a") else "m")
        return apart(match, words)

    def first(match: re.Match[str]) -> str:
        return apart(match, "primeiro")

    def hours(match: re.Match[str]) -> str:
        return apart(match, f"{say(int(match['hour']), 'f')} {'hora' if int(match['hour']) < 2 else 'horas'}")

    months = "|".join(MONTHS)
    kinds = "horas?|anos?|dias?|semanas?|meses|mês|quilos?|litros?|xícaras?|chávenas?"
    return [
        half_rule(say, noun_gender, ("e meio", "e meia"), kinds),
        Rule(
            "ordinal",
            re.compile(r"(?<![\w.,])(?P<number>[0-9]{1,4})\.?(?P<mark>[ºª]|°(?= [a-z]{4}))(?![\wC])"),
            ordinal_words,
            "0-9",
        ),
        Rule("first", re.compile(rf"(?<![\w.,/-])1(?={GAP}de{GAP}(?:{months})(?!\w))"), first, "1"),
        Rule(
            "time",
            re.compile(rf"(?<![\w.,:/-])(?P<hour>[0-2]?[0-9]){GAP}?h(?:rs|s)?(?![\w/]|{GAP}[0-9])"),
            hours,
            "0-9",
        ),
    ]


def _date(say: Callable[[int, str], str]) -> Callable[[int, int, int | None, str], str]:
    def words(day: int, month: int, year_number: int | None, text: str) -> str:
        done = f"{'primeiro' if day == 1 else say(day, '')} de {MONTHS[month - 1]}"
        return done if year_number is None else f"{done} de {say(year_number, '')}"

    return words


def _clock(say: Callable[[int, str], str]) -> Callable[[int, int, int | None, bool], str]:
    def words(hour: int, minute: int, second: int | None, marked: bool) -> str:
        if not minute and second is None:
            return f"{say(hour, 'f')} {'hora' if hour < 2 else 'horas'}"
        done = f"{say(hour, 'f')} e {say(minute, '')}"
        return done if second is None else f"{done} e {say(second, 'm')} {'segundo' if second < 2 else 'segundos'}"

    return words


def _fraction(say: Callable[[int, str], str]) -> Callable[[int | None, int, int], str]:
    def words(whole: int | None, top: int, bottom: int) -> str:
        if bottom == 2 and top == 1:
            return "meio" if whole is None else f"{say(whole, '')} e meio"
        if bottom <= 10 or bottom == 100:
            name = {2: "meio", 3: "terço"}.get(bottom) or ordinal(bottom)
            done = f"{say(top, 'm')} {name}{'s' if top > 1 else ''}"
        else:
            done = f"{say(top, 'm')} {say(bottom, '')} {'avos' if top > 1 else 'avo'}"
        return done if whole is None else f"{say(whole, '')} e {done}"

    return words


def language(european: bool = False) -> Language:
    """What is known of Portuguese.

    Args:
        european: of Portugal; else of Brazil.
    """
    say: Callable[[int, str], str] = functools.partial(cardinal, european=european)
    made = Language(
        cardinal=say,
        year=lambda number: say(number, ""),
        minus="menos",
        plus="mais",
        point="ponto",
        comma="vírgula",
        percent="por cento",
        permille="por mil",
        singular_below_two=True,
        month_names=MONTHS,
        month_forms=FORMS,
        date=_date(say),
        date_cues=word_set("em no dia do ao até desde segunda terça quarta quinta sexta sábado domingo"),
        clock=_clock(say),
        clock_unit="horas|hrs|hs|h",
        units=UNITS,
        square=lambda noun: Noun(f"{noun.one} quadrado", f"{noun.many} quadrados", noun.gender),
        cubic=lambda noun: Noun(f"{noun.one} cúbico", f"{noun.many} cúbicos", noun.gender),
        scales=SCALES,
        currencies=currencies(CENTAVO if not european else CENTIMO, "americano"),
        money=lambda whole, cents, currency: (
            f"{whole} e {say(cents, 'm')} {currency.cent.one if cents == 1 else currency.cent.many}"
        ),
        per="por",
        of=lambda noun: " de ",
        fraction=_fraction(say),
        out_of="de",
        to="a",
        score="a",
        gender=_gender,
        marks=pairs_of("""
.=ponto; /=barra; -=hífen; _=sublinhado; @=arroba; :=dois pontos; ?=ponto de interrogação; &=e; #=cerquilha
%=por cento; +=mais; ~=til; ,=vírgula; !=ponto de exclamação; *=asterisco; $=cifrão
""")
        | {"=": "igual"},
        symbols=pairs_of("""
&=e; +=mais; <=menor que; >=maior que; ≠=diferente de; ≈=aproximadamente; ≤=menor ou igual a; ≥=maior ou igual a
±=mais ou menos
×=vezes; ÷=dividido por; *=vezes; /=por; :=a; ~=aproximadamente; #=número; @=arroba; %=por cento; °=graus
§§=parágrafos
§=parágrafo; →=para; ∞=infinito; ©=copyright; ®=marca registrada; ™=marca; №=número; €=euros; £=libras; $=dólares
""")
        | {"=": "igual a"},
        abbreviations=ABBREVIATIONS,
        stop_may_end=MAY_END,
        starters=r"[«\"“]?[A-ZÁÉÍÓÚÂÊÔÃÕÇ]",
        roman=_roman,
        month_of="de",
        numbered={"p.": "página", "pp.": "páginas", "t.": "tomo", "No.": "número"},
        own=tuple(_own_rules(say)),
    )
    if not european:
        return made
    names = {
        **UNITS,
        **{s: Noun(n.one.replace("ô", "ó"), n.many.replace("ô", "ó"), n.gender) for s, n in UNITS.items()},
    }
    abbreviations = {**ABBREVIATIONS, "S. A.": "sociedade anónima", "cf.": "confronte"}
    symbols = {**made.symbols, "®": "marca registada"}
    return dataclasses.replace(made, units=names, scales=EUROPEAN_SCALES, abbreviations=abbreviations, symbols=symbols)


@functools.cache
def reader(european_portuguese: bool = False) -> RuleReader:
    """The rules, of Brazil or of Portugal."""
    return european.reader(language(european_portuguese))


def read(text: TracedText, *, european: bool = False) -> TracedText:
    """`text` as it is said in Brazil, or with `european` in Portugal."""
    return reader(european).read_until_stable(text)
