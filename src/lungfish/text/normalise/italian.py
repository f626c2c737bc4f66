"""The Italian reader: what Italian knows that the European machine does not.

Numbers are one word; "uno" agrees only by itself ("un cane", "una casa"); sovereigns, centuries and chapters take ordinals.
"""

from __future__ import annotations

import functools
import re

from lungfish.text.normalise import european, plain_numbers
from lungfish.text.normalise.english_context import after
from lungfish.text.normalise.english_words import is_roman, roman_value
from lungfish.text.normalise.european_language import GAP, Currency, Language, Noun, apart, nouns, pairs_of
from lungfish.text.normalise.european_romance import half_rule
from lungfish.text.normalise.rules import Rule, RuleReader
from lungfish.text.normalise.word_lists import word_list, word_set
from lungfish.text.traced import TracedText

MONTHS = word_list("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre")
_FORMS = {
    "gen": 1, "genn": 1, "feb": 2, "febbr": 2, "mar": 3, "apr": 4, "mag": 5, "giu": 6, "lug": 7, "ago": 8, "set": 9,
    "sett": 9, "ott": 10, "nov": 11, "dic": 12,
}  # fmt: skip
_FEMININE = word_set(
    "mano notte parte classe voce luce nave gente chiave madre moglie legge fine rete fonte stagione regione"
)
_MASCULINE_IN_A = word_set("problema sistema programma tema clima poeta pianeta grammo chilogramma turista")
_FUNCTION_WORDS = word_set(
    "di del della a al alla e o in con per che da dal su tra fra fino ogni è sono ed più meno il lo la i gli le una un non si"
)
_ORDINALS = word_list("zero primo secondo terzo quarto quinto sesto settimo ottavo nono decimo")


def cardinal(number: int, gender: str = "") -> str:
    """ "uno" alone, "un" and "una" in front of nouns."""
    if number == 1 and gender:
        return "una" if gender == "f" else "un"
    words = plain_numbers.number_words(number, "it") or str(number)
    words = re.sub(r"(milion[ei]|miliard[oi]|bilion[ei]) e ", r"\1 ", words)
    return re.sub(r"(?<=[a-z])tre(?![a-zé])", "tré", words)


def ordinal(number: int, gender: str = "m") -> str:
    """ "primo", "ventunesimo", "terza"."""
    if number <= 10:
        words = _ORDINALS[number]
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
    if word in _MASCULINE_IN_A:
        return "m"
    if word in _FEMININE or word.endswith(("a", "zione", "sione", "tà", "tù", "trice")) or word == "ore":
        return "f"
    return "m"


def _gender(rest: str, number: int) -> str:
    if number != 1:
        return ""
    found = re.match(rf"{GAP}([^\W\d_]{{2,30}})(?!\w)", rest)
    if found is None or not found[1].islower() or found[1] in _FUNCTION_WORDS or found[1] in MONTHS:
        return ""
    return noun_gender(found[1])


_UNITS = nouns("""
mm millimetro/millimetri m; cm centimetro/centimetri m; dm decimetro/decimetri m; m metro/metri m; km,Km chilometro/chilometri m
mg milligrammo/milligrammi m; g,gr grammo/grammi m; kg,Kg chilogrammo/chilogrammi m; t tonnellata/tonnellate f; hg ettogrammo/ettogrammi m
ml,mL millilitro/millilitri m; cl,cL centilitro/centilitri m; dl decilitro/decilitri m; l,L litro/litri m; hl ettolitro/ettolitri m
ha ettaro/ettari m; s,sec secondo/secondi m; ms millisecondo/millisecondi m; min minuto/minuti m; h ora/ore f
km/h,Km/h chilometro_orario/chilometri_orari m; m/s metro_al_secondo/metri_al_secondo m
m/s² metro_al_secondo_quadrato/metri_al_secondo_quadrato m; kWh chilowattora/chilowattora m; MWh megawattora/megawattora m
W watt m; kW chilowatt m; MW megawatt m; GW gigawatt m; V volt m; A ampere m; mAh milliampereora m
Hz hertz m; kHz chilohertz m; MHz megahertz m; GHz gigahertz m; dB decibel m; CV cavallo/cavalli m; N newton m
Nm newton_metro m; J joule m; kJ chilojoule m; kcal chilocaloria/chilocalorie f; bar bar m; hPa ettopascal m; Pa pascal m; Ω ohm m
°C,ºC,°_C,℃ grado_Celsius/gradi_Celsius m; °F,ºF grado_Fahrenheit/gradi_Fahrenheit m; ° grado/gradi m; K kelvin m
kB,KB kilobyte m; MB megabyte m; GB gigabyte m; TB terabyte m; Mbit/s,Mbps megabit_al_secondo m; Gbps gigabit_al_secondo m; px pixel m
""")
_CENT = Noun("centesimo", "centesimi")
_EURO, _DOLLAR = Currency(Noun("euro", "euro"), _CENT), Currency(Noun("dollaro", "dollari"), _CENT)
_US = Currency(Noun("dollaro americano", "dollari americani"), _CENT)
_POUND = Currency(Noun("sterlina", "sterline", "f"), Noun("penny", "pence"))
_FRANC, _YEN = Currency(Noun("franco svizzero", "franchi svizzeri"), _CENT), Currency(Noun("yen", "yen"), _CENT)
_SCALES = nouns("""
mln,mln.,milione,milioni milione/milioni m; mld,mld.,miliardo,miliardi miliardo/miliardi m; mila mila m
""")
_ABBREVIATIONS = pairs_of("""
Sig.=signor; Sig.ra=signora; Sig.na=signorina; Sigg.=signori; sig.=signor; sig.ra=signora; sig.na=signorina; Dott.=dottor; dott.=dottor
Dott.ssa=dottoressa; dott.ssa=dottoressa; Dr.=dottor; Prof.=professor; prof.=professor; Prof.ssa=professoressa; prof.ssa=professoressa
Ing.=ingegner; ing.=ingegner; Avv.=avvocato; avv.=avvocato; Arch.=architetto; arch.=architetto; Geom.=geometra; On.=onorevole
on.=onorevole; Gent.mo=gentilissimo; Gent.ma=gentilissima; S.=San; ecc.=eccetera; ad es.=ad esempio; p. es.=per esempio; es.=esempio
a. C.=avanti Cristo; d. C.=dopo Cristo; n.=numero; nn.=numeri; n°=numero; nº=numero; N.=numero; N°=numero; pag.=pagina; pagg.=pagine
vol.=volume; cap.=capitolo; fig.=figura; art.=articolo; artt.=articoli; tel.=telefono; cell.=cellulare; ca.=circa; cfr.=confronta
c.so=corso; p.zza=piazza; v.le=viale; P.za=piazza; max.=massimo; min.=minimo; ab.=abitanti; cd.=cosiddetto; c.d.=cosiddetto; all.=allegato
gen.=generale; vs.=contro; P. S.=post scriptum; N. B.=nota bene; S. p. A.=società per azioni; S. r. l.=società a responsabilità limitata
""")
_NEED_NUMBER = ("n.", "nn.", "N.", "S.", "es.", "all.", "gen.")
_MAY_END = word_set("ecc. a.C. d.C. ca. max. min. ab. S.p.A. S.r.l.")
_KINGS = word_set(
    "Luigi Enrico Carlo Francesco Filippo Napoleone Giovanni Paolo Pio Benedetto Gregorio Leone Innocenzo Urbano Clemente "
    "Alessandro Nicola Pietro Giorgio Edoardo Riccardo Guglielmo Giacomo Alberto Federico Ferdinando Giuseppe Vittorio Emanuele "
    "Umberto Amedeo Ottone Leopoldo Rodolfo Massimiliano Bonifacio Sisto Celestino Adriano Costantino Ramses Cosimo Gustavo"
)
_QUEENS = word_set("Elisabetta Caterina Maria Isabella Cristina Giovanna Cleopatra Margherita Beatrice")
_NUMBERED = {
    "capitolo": "m", "volume": "m", "tomo": "m", "libro": "m", "atto": "m", "titolo": "m", "canto": "m", "articolo": "m",
    "parte": "f", "scena": "f", "sezione": "f", "fase": "f", "classe": "f", "secolo": "m", "gruppo": "m", "stagione": "f",
}  # fmt: skip


def _roman(value: int, words: list[str], rest: str) -> str | None:
    previous = words[-1] if words else ""
    if previous in _KINGS or previous in _QUEENS:
        return ordinal(value, "f" if previous in _QUEENS else "m")
    if previous.lower() in _NUMBERED:
        return ordinal(value, _NUMBERED[previous.lower()])
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

    months = "|".join(MONTHS)
    return [
        half_rule(cardinal, noun_gender, ("e mezzo", "e mezza"), "or[ae]|ann[oi]|giorn[oi]|settiman[ae]|mes[ei]|litr[oi]|chil[oi]"),
        Rule("ordinal", re.compile(r"(?<![\w.,])(?P<number>[0-9]{1,4})(?P<mark>[ºª°])(?![\w°])"), ordinal_words, "0-9"),
        Rule("first", re.compile(rf"(?<![\w.,/-])1(?={GAP}(?:{months})(?!\w))"), first, "1"),
        Rule("decade", re.compile(r"(?<!\w)['’](?P<number>[1-9][0-9])(?![\w'’])"), decade, "'’"),
        Rule("time", re.compile(r"(?<=ore )(?P<hour>[0-2]?[0-9])[.,](?P<minute>[0-5][0-9])(?!\w|[.,][0-9])"), at_time, "0-9"),
        Rule("time", re.compile(rf"(?<![\w.,:/-])(?P<hour>[0-2]?[0-9]){GAP}?h(?![\w/]|{GAP}[0-9])"), hour, "0-9"),
        Rule("roman", re.compile(rf"(?<![\w.’'-])(?P<first>[IVX]{{1,5}}){GAP}e{GAP}(?P<last>[IVX]{{1,5}})(?={GAP}secolo)"), centuries, "IVX"),
    ]  # fmt: skip


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
    month_forms=_FORMS,
    date=_date,
    date_cues=word_set("il l dal al del dell all dall lunedì martedì mercoledì giovedì venerdì sabato domenica"),
    clock=_clock,
    clock_unit="h",
    units=_UNITS,
    square=lambda noun: Noun(f"{noun.one} quadrato", f"{noun.many} quadrati", noun.gender),
    cubic=lambda noun: Noun(f"{noun.one} cubo", f"{noun.many} cubi", noun.gender),
    scales=_SCALES,
    currencies={
        "€": _EURO,
        "EUR": _EURO,
        "$": _DOLLAR,
        "US$": _US,
        "USD": _US,
        "£": _POUND,
        "GBP": _POUND,
        "CHF": _FRANC,
        "¥": _YEN,
        "JPY": _YEN,
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
&=e; +=più; <=minore di; >=maggiore di; ≠=diverso da; ≈=circa; ≤=minore o uguale a; ≥=maggiore o uguale a; ±=più o meno
×=per; ÷=diviso; *=per; /=diviso; :=a; ~=circa; #=numero; @=chiocciola; %=per cento; °=gradi; §§=paragrafi; §=paragrafo
→=a; ∞=infinito; ©=copyright; ®=marchio registrato; ™=marchio; №=numero; €=euro; £=sterline; $=dollari
""")
    | {"=": "uguale"},
    abbreviations={short: words for short, words in _ABBREVIATIONS.items() if short not in _NEED_NUMBER},
    stop_may_end=_MAY_END,
    starters=r"[«\"“]?[A-ZÀ-Ú]",
    roman=_roman,
    numbered={"p.": "pagina", "pp.": "pagine", "n.": "numero", "nn.": "numeri", "N.": "numero"},
    own=tuple(_own_rules()),
)


@functools.cache
def reader() -> RuleReader:
    """The rules."""
    return european.reader(LANGUAGE)


def read(text: TracedText) -> TracedText:
    """`text` as it is said."""
    return reader().read_until_stable(text)
