"""The German reader: what German knows that the European machine does not.

Ordinals take their endings from the word in front ("am dritten", "der dritte", "dritter"); years from 1100 to 1999 are
said in hundreds; sovereigns are "der Vierzehnte".
"""

from __future__ import annotations

import functools

from lungfish.text.normalise import european, german_rules
from lungfish.text.normalise.european_language import Currency, Language, Noun, pairs_of
from lungfish.text.normalise.german_grammar import (
    cardinal,
    clock,
    date,
    fraction,
    gender,
    money,
    roman,
    year,
)
from lungfish.text.normalise.german_words import (
    ABBREVIATIONS,
    CENT,
    DOLLAR,
    EURO,
    FORMS,
    FRANC,
    MAY_END,
    MONTHS,
    POUND,
    SCALES,
    STARTERS,
    UNITS,
    YEN,
)
from lungfish.text.normalise.rules import RuleReader
from lungfish.text.normalise.word_lists import word_set
from lungfish.text.traced import TracedText

LANGUAGE = Language(
    cardinal=cardinal,
    year=year,
    minus="minus",
    plus="plus",
    point="Punkt",
    comma="Komma",
    percent="Prozent",
    permille="Promille",
    pairs=False,
    month_names=MONTHS,
    month_forms=FORMS,
    date=date,
    date_cues=word_set("am der dem den vom zum bis"),
    clock=clock,
    clock_unit="Uhr|h",
    units=UNITS,
    square=lambda noun: Noun("Quadrat" + noun.one.lower(), "Quadrat" + noun.many.lower(), noun.gender),
    cubic=lambda noun: Noun("Kubik" + noun.one.lower(), "Kubik" + noun.many.lower(), noun.gender),
    scales=SCALES,
    currencies={
        "€": EURO,
        "EUR": EURO,
        "$": DOLLAR,
        "US$": Currency(Noun("US-Dollar", "US-Dollar"), CENT),
        "USD": Currency(Noun("US-Dollar", "US-Dollar"), CENT),
        "£": POUND,
        "GBP": POUND,
        "CHF": FRANC,
        "¥": YEN,
        "Fr.": FRANC,
        "JPY": YEN,
    },
    money=money,
    per="pro",
    of=lambda noun: " ",
    fraction=fraction,
    out_of="von",
    to="bis",
    score="zu",
    gender=gender,
    marks=pairs_of("""
.=Punkt; /=Schrägstrich; -=Bindestrich; _=Unterstrich; @=at; :=Doppelpunkt; ?=Fragezeichen; &=und; #=Raute; %=Prozent
+=plus; ~=Tilde; ,=Komma; !=Ausrufezeichen; *=Stern; $=Dollar
""")
    | {"=": "gleich"},
    symbols=pairs_of("""
&=und; +=plus; <=kleiner als; >=größer als; ≠=ungleich; ≈=ungefähr; ≤=kleiner gleich; ≥=größer gleich; ±=plus minus
×=mal; ÷=geteilt durch; *=mal; /=durch; :=zu; ~=ungefähr; #=Nummer; @=at; %=Prozent; °=Grad; §§=Paragrafen; §=Paragraf
→=nach; ∞=unendlich; ©=Copyright; ®=eingetragene Marke; ™=Trademark; №=Nummer; €=Euro; £=Pfund; $=Dollar
""")
    | {"=": "gleich"},
    abbreviations=ABBREVIATIONS,
    stop_may_end=MAY_END,
    starters=STARTERS,
    roman=roman,
    numbered={"S.": "Seite", "Z.": "Zeile", "H.": "Heft", "Nr": "Nummer", "No.": "Nummer", "Kl.": "Klasse"},
    own=tuple(german_rules.rules()),
)


@functools.cache
def reader() -> RuleReader:
    """The rules."""
    return european.reader(LANGUAGE)


def read(text: TracedText) -> TracedText:
    """`text` as it is said."""
    return reader().read_until_stable(text)
