"""The French reader: what French knows that the European machine does not.

Numbers as in France ("soixante-dix", "vingt et un"); sovereigns take cardinals but for the first; centuries are ordinals.
"""

from __future__ import annotations

import functools
import re

from lungfish.text.normalise import european, plain_numbers
from lungfish.text.normalise.english_words import is_roman, roman_value
from lungfish.text.normalise.european_language import GAP, Currency, Language, Noun, apart, nouns, pairs_of
from lungfish.text.normalise.rules import Rule, RuleReader
from lungfish.text.normalise.word_lists import word_list, word_set
from lungfish.text.traced import TracedText

MONTHS = word_list("janvier février mars avril mai juin juillet août septembre octobre novembre décembre")
_FORMS = {
    "janv": 1, "jan": 1, "févr": 2, "fév": 2, "avr": 4, "juil": 7, "sept": 9, "oct": 10, "nov": 11, "déc": 12,
}  # fmt: skip
_FEMININE = word_set(
    "heure minute seconde semaine année fois personne femme fille page voiture maison chose place tonne livre voix pièce étoile "
    "ville école classe ligne langue nuit journée carte île part famille victime tasse bouteille étape vie"
)
_FEMININE_ENDINGS = ("tion", "sion", "ance", "ence", "ette", "elle", "té", "ure", "esse", "ade", "ité")
_FUNCTION_WORDS = word_set(
    "de du des à au aux et ou ni sur sous par pour en dans avec sans que qui dont où mais est sont a ont le la les un une pas "
    "plus moins fait donne égale janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
)


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
    if found is None or number % 10 != 1 or found[1] in _FUNCTION_WORDS or not found[1].islower():
        return ""
    word = found[1] if found[1] in _FEMININE else found[1].removesuffix("s")
    return "f" if word in _FEMININE or word.endswith(_FEMININE_ENDINGS) else "m"


_UNITS = nouns("""
mm millimètre/millimètres m; cm centimètre/centimètres m; dm décimètre/décimètres m; m mètre/mètres m
km kilomètre/kilomètres m; mg milligramme/milligrammes m; g gramme/grammes m; kg kilogramme/kilogrammes m; t tonne/tonnes f
ml,mL millilitre/millilitres m; cl,cL centilitre/centilitres m; dl décilitre/décilitres m; l,L litre/litres m
hl hectolitre/hectolitres m; ha hectare/hectares m; s,sec seconde/secondes f; ms milliseconde/millisecondes f
min,mn minute/minutes f; h heure/heures f; km/h kilomètre_heure/kilomètres_heure m; m/s mètre_par_seconde/mètres_par_seconde m
m/s² mètre_par_seconde_carrée/mètres_par_seconde_carrée m; kWh kilowattheure/kilowattheures m; MWh mégawattheure/mégawattheures m
W watt/watts m; kW kilowatt/kilowatts m; MW mégawatt/mégawatts m; GW gigawatt/gigawatts m; V volt/volts m; A ampère/ampères m
mAh milliampère-heure/milliampères-heure m; Hz hertz m; kHz kilohertz m; MHz mégahertz m; GHz gigahertz m; dB décibel/décibels m
ch cheval/chevaux m; N newton/newtons m; Nm newton-mètre/newtons-mètres m; J joule/joules m; kJ kilojoule/kilojoules m
kcal kilocalorie/kilocalories f; bar bar/bars m; hPa hectopascal/hectopascals m; Pa pascal/pascals m; Ω ohm/ohms m
°C,°_C,℃ degré_Celsius/degrés_Celsius m; °F,°_F degré_Fahrenheit/degrés_Fahrenheit m; ° degré/degrés m; K kelvin/kelvins m
ko,kB,KB kilooctet/kilooctets m; Mo,MB mégaoctet/mégaoctets m; Go,GB gigaoctet/gigaoctets m; To,TB téraoctet/téraoctets m
Mbit/s mégabit_par_seconde/mégabits_par_seconde m; Gbit/s gigabit_par_seconde/gigabits_par_seconde m; px pixel/pixels m
""")
_CENTIME, _CENT = Noun("centime", "centimes"), Noun("cent", "cents")
_EURO, _DOLLAR = Currency(Noun("euro", "euros"), _CENTIME), Currency(Noun("dollar", "dollars"), _CENT)
_POUND = Currency(Noun("livre", "livres", "f"), Noun("penny", "pence"))
_FRANC, _YEN = Currency(Noun("franc suisse", "francs suisses"), _CENTIME), Currency(Noun("yen", "yens"), _CENT)
_SCALES = nouns("""
M,million,millions million/millions m; Md,Mds,Mrd,milliard,milliards milliard/milliards m; k mille m; mille mille m
""")
_ABBREVIATIONS = pairs_of("""
M.=monsieur; MM.=messieurs; Mme=madame; Mmes=mesdames; Mlle=mademoiselle; Mlles=mesdemoiselles; Dr=docteur; Dr.=docteur; Pr=professeur
Me=maître; Mgr=monseigneur; St=saint; Ste=sainte; etc.=et cetera; c.-à-d.=c'est-à-dire; p. ex.=par exemple; av. J.-C.=avant Jésus-Christ
apr. J.-C.=après Jésus-Christ; ap. J.-C.=après Jésus-Christ; env.=environ; cf.=confer; tél.=téléphone; boul.=boulevard; bd=boulevard
av.=avenue; n°=numéro; nº=numéro; n°s=numéros; vol.=volume; chap.=chapitre; fig.=figure; éd.=édition; art.=article; max.=maximum
min.=minimum; hab.=habitants; s.v.p.=s'il vous plaît; svp=s'il vous plaît; qqch.=quelque chose; qqn=quelqu'un; N.B.=nota bene
P.-S.=post-scriptum; R.-V.=rendez-vous; RDV=rendez-vous; lun.=lundi; mar.=mardi; mer.=mercredi; jeu.=jeudi; ven.=vendredi; sam.=samedi; dim.=dimanche
""")
_MAY_END = word_set("etc. av.J.-C. apr.J.-C. ap.J.-C. hab. max. min. s.v.p.")
_STARTERS = r"[«\"“]?[A-ZÀ-Ý]"
_RULERS = word_set(
    "Louis Henri Charles François Philippe Napoléon Jean Jean-Paul Paul Pie Benoît Grégoire Léon Innocent Urbain Clément "
    "Alexandre Nicolas Pierre Georges Édouard Edouard Richard Guillaume Jacques Albert Frédéric Ferdinand Joseph François-Joseph "
    "Élisabeth Elisabeth Catherine Marie Isabelle Cléopâtre Constantin Ramsès Alphonse Gustave Léopold Baudouin Rodolphe "
    "Maximilien Otton Hassan Mohammed Mohamed Robert Hugues Boniface Sixte Félix Victor-Emmanuel Rainier Christian Pie"
)
_QUEENS = word_set("Élisabeth Elisabeth Catherine Marie Isabelle Cléopâtre")
_NUMBERED = word_set(
    "chapitre tome volume livre acte scène partie article titre annexe section phase niveau épisode saison groupe type classe "
    "planche figure guerre Chapitre Tome Volume Livre Acte Scène Partie Article Titre Annexe Section Guerre Phase"
)


def _roman(value: int, words: list[str], rest: str) -> str | None:
    previous = words[-1] if words else ""
    if previous in _RULERS or (previous in _NUMBERED and value):
        return cardinal(value, "f" if previous in _QUEENS else "")
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
        feminine = match["suffix"] in ("re", "ère")
        return ordinal(roman_value(match["roman"]), "f" if feminine else "m") + (
            "s" if match["suffix"].endswith("s") else ""
        )

    def hour(match: re.Match[str]) -> str | None:
        value = int(match["hour"])
        return apart(match, _clock(value, 0, None, True)) if value <= 24 else None

    def first(match: re.Match[str]) -> str:
        return apart(match, "premier")

    def half(match: re.Match[str]) -> str:
        return apart(match, f"{cardinal(int(match['whole']), 'f')}{match['noun']} et demie")

    suffix = r"(?P<suffix>ères|ère|ers|er|res|re|ndes|nde|nds|nd|èmes|ème|emes|eme|es|e|ᵉ)"
    months = "|".join((*MONTHS, *_FORMS))
    return [
        Rule("ordinal", re.compile(rf"(?<![\w.,])(?P<number>[0-9]{{1,4}}){suffix}(?!\w)"), ordinal_words, "0-9"),
        Rule("ordinal", re.compile(r"(?<![\w.’'-])(?P<roman>(?![LCDM][^IVXLCDM])[IVXLCDM]{1,7})(?P<suffix>ers|er|ère|re|èmes|ème|es|e|ᵉ)(?!\w)"), roman_ordinal, "IVXLCDM"),
        Rule("first", re.compile(rf"(?<![\w.,/-])1(?={GAP}(?:{months})(?!\w))"), first, "1"),
        Rule("time", re.compile(rf"(?<![\w.,:/-])(?P<hour>[0-2]?[0-9]){GAP}?h(?![\w/]|{GAP}[0-9])"), hour, "0-9"),
        Rule("half", re.compile(rf"(?<![\w.,:/-])(?P<whole>[1-9][0-9]?){GAP}?(?:½|1/2)(?P<noun>{GAP}(?:heure|année|journée|tasse|bouteille)s?)(?!\w)"), half, "1-9"),
    ]  # fmt: skip


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
    month_forms=_FORMS,
    date=_date,
    date_cues=word_set("le du au dès lundi mardi mercredi jeudi vendredi samedi dimanche"),
    clock=_clock,
    clock_unit="h|heures?",
    units=_UNITS,
    square=lambda noun: Noun(f"{noun.one} carré", f"{noun.many} carrés", noun.gender),
    cubic=lambda noun: Noun(f"{noun.one} cube", f"{noun.many} cubes", noun.gender),
    scales=_SCALES,
    currencies={
        "€": _EURO,
        "EUR": _EURO,
        "$": _DOLLAR,
        "US$": Currency(Noun("dollar américain", "dollars américains"), _CENT),
        "USD": Currency(Noun("dollar américain", "dollars américains"), _CENT),
        "£": _POUND,
        "GBP": _POUND,
        "CHF": _FRANC,
        "¥": _YEN,
        "JPY": _YEN,
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
§§=paragraphes; §=paragraphe; →=vers; ∞=infini; ©=copyright; ®=marque déposée; ™=marque; №=numéro; €=euros; £=livres; $=dollars
""")
    | {"=": "égale"},
    abbreviations=_ABBREVIATIONS,
    stop_may_end=_MAY_END,
    starters=_STARTERS,
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
