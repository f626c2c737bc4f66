"""The German reader: what German knows that the European machine does not.

Ordinals take their endings from the word in front ("am dritten", "der dritte", "dritter"); years from 1100 to 1999 are
said in hundreds; sovereigns are "der Vierzehnte".
"""

from __future__ import annotations

import functools
import re

from lungfish.text.normalise import european, plain_numbers
from lungfish.text.normalise.english_context import after, before
from lungfish.text.normalise.english_words import is_roman, roman_value
from lungfish.text.normalise.european_language import GAP, Currency, Language, Noun, apart, nouns, pairs_of
from lungfish.text.normalise.rules import Rule, RuleReader
from lungfish.text.normalise.word_lists import word_list, word_set
from lungfish.text.traced import TracedText

MONTHS = word_list("Januar Februar März April Mai Juni Juli August September Oktober November Dezember")
_FORMS = {
    "jan": 1, "jän": 1, "jänner": 1, "feb": 2, "febr": 2, "mrz": 3, "mär": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8,
    "sep": 9, "sept": 9, "okt": 10, "nov": 11, "dez": 12,
}  # fmt: skip
_FEMININE = word_set(
    "Stunde Minute Sekunde Woche Million Milliarde Person Frau Tonne Meile Seite Klasse Runde Etage Auflage Bundesliga "
    "Liga Frage Stimme Tasse Flasche Katze Nacht Hälfte Halbzeit Ausgabe Person Kirche Schule Stelle Strophe Folge Reihe"
)
_NEUTER = word_set(
    "Jahr Jahrhundert Jahrtausend Kind Mal Prozent Kapitel Stück Haus Buch Spiel Tor Bild Semester Quartal Viertel Drittel "
    "Kilo Gramm Kilogramm Pfund Glas Wort Gebot Leben Stockwerk Obergeschoss"
)
_MASCULINE = word_set(
    "Liter Löffel Teelöffel Esslöffel Apfel Tag Monat Mann Euro Dollar Cent Meter Kilometer Platz Weltkrieg Stock Bezirk Geburtstag Mai Advent Satz Akt Teil Punkt "
    "Preis Rang Schritt Versuch Band Artikel Absatz Weihnachtstag Weihnachtsfeiertag Sieg Spieltag Sieger Kreuzzug Gang"
)
_DATIVE = r"(?:in|an|auf|mit|von|aus|bei|nach|zu|seit|vor|während|wegen|unter|über|hinter|neben|zwischen|ab|gegenüber)"
_DER_DATIVE = re.compile(rf"(?<!\w)(?i:{_DATIVE}) (?:der|die|das)?$")
_GOVERNOR = re.compile(r"([^\W\d_]{1,20}) (?:[0-9]{1,4}\.(?: [^\W\d_]{1,20})?(?: (?:und|bis|oder|sowie|[-–]) |[-–]))?$")
_EN = word_set(
    "dem den des am im zum zur vom beim ab seit bis vor nach jedem jeden diesem diesen dieser einem einen einer eines meinem "
    "meinen meiner seinem seinen seiner ihrem ihren ihrer unserem unseren unserer keinem keinen keiner alle allen beiden"
)
_E = word_set("der die das ins ans aufs jede dieses diese eine keine meine deine seine ihre unsere")
_EIN = word_set("ein kein mein dein sein ihr unser euer jeder")
_HALVES = {"m": "ein halber", "f": "eine halbe", "n": "ein halbes"}
_ONE = re.compile(r"eins$")


def cardinal(number: int, gender: str = "") -> str:
    """ "eins" alone, "ein" or "eine" in front of a noun."""
    words = plain_numbers.number_words(number, "de") or str(number)
    words = words.replace("einstausend", "eintausend").replace("eins Mil", "eine Mil").replace("eins Bil", "eine Bil")
    if number in (100, 1000) or 1000 < number < 2000 or 100 < number < 200:
        words = words.removeprefix("ein")  # "hundert", "tausendfünfhundert" ...
    if gender and number % 100 == 1:
        words = _ONE.sub("eine" if gender == "f" and number == 1 else "ein", words)
    return words


def year(number: int) -> str:
    """1999 neunzehnhundertneunundneunzig, 2024 zweitausendvierundzwanzig."""
    if not 1100 <= number <= 1999:
        return cardinal(number)
    return f"{cardinal(number // 100)}hundert{cardinal(number % 100) if number % 100 else ''}"


def ordinal_stem(number: int) -> str:
    """ "dritt", to which an ending is put."""
    words = plain_numbers.number_words(number, "de", "ordinal") or f"{cardinal(number)}ste"
    return words.removesuffix("e")


def noun_gender(word: str) -> str:
    """ "m", "f" or "n" of a noun, "" if unknown."""
    if word in MONTHS or word in _MASCULINE:
        return "m"
    if word in _FEMININE or word.endswith(("ung", "heit", "keit", "schaft", "tion", "liga", "klasse", "zeit")):
        return "f"
    if word in _NEUTER or word.endswith(("chen", "lein", "jahr", "jahrhundert", "kind", "mal", "buch", "spiel")):
        return "n"
    return ""


def _ending(text: str, noun: str) -> str | None:
    """Of an ordinal behind `text` and in front of `noun`; None where nothing in front calls for one."""
    found = _GOVERNOR.search(text)
    word = found[1].lower() if found else ""
    if word == "der" and _DER_DATIVE.search(text[: found.start()] if found else ""):
        return "en"
    if word in _EN:
        return "en"
    if word in _E:
        return "e"
    strong = {"f": "e", "n": "es"}.get(noun_gender(noun), "er")
    return strong if word in _EIN or word == "als" else None


def _date(day: int, month: int, year_number: int | None, text: str) -> str:
    ending = _ending(text, MONTHS[month - 1]) or "er"
    words = f"{ordinal_stem(day)}{ending} {MONTHS[month - 1]}"
    if year_number is None:
        return words
    return f"{words} {year(year_number)}"


def _clock(hour: int, minute: int, second: int | None, marked: bool) -> str:
    words = f"{cardinal(hour, 'm')} Uhr"
    if minute or second is not None:
        words += f" {cardinal(minute)}"
    if second is not None:
        words += f" und {cardinal(second, 'f')} {'Sekunde' if second == 1 else 'Sekunden'}"
    return words


def _fraction(whole: int | None, top: int, bottom: int) -> str:
    if bottom == 2:
        if top == 1:
            return "ein halb" if whole is None else f"{cardinal(whole, 'm')}einhalb"
        words = f"{cardinal(top)} halbe"
    else:
        stem = ordinal_stem(bottom)
        words = f"{cardinal(top, 'n')} {stem[0].upper()}{stem[1:]}el"
    return words if whole is None else f"{cardinal(whole)} {words}"


def _money(whole: str, cents: int, currency: Currency) -> str:
    return f"{whole} {cardinal(cents)}"


def _gender(rest: str, number: int) -> str:
    found = re.match(rf"{GAP}([^\W\d_]{{2,30}})(?!\w)", rest)
    if found is None or number != 1:
        return ""
    word = found[1]
    return noun_gender(word) or ("m" if word[0].isupper() else "")


_UNITS = nouns("""
mm Millimeter m; cm Zentimeter m; dm Dezimeter m; m Meter m; km Kilometer m; sm Seemeile/Seemeilen f
mg Milligramm n; g Gramm n; kg Kilogramm n; t Tonne/Tonnen f; ml,mL Milliliter m; cl Zentiliter m; dl Deziliter m
l,L Liter m; hl Hektoliter m; ha Hektar m; s,Sek.,sec Sekunde/Sekunden f; ms Millisekunde/Millisekunden f
min,Min.,Min Minute/Minuten f; h,Std.,Std Stunde/Stunden f; km/h,kmh Kilometer_pro_Stunde m
m/s Meter_pro_Sekunde m; m/s² Meter_pro_Sekunde_zum_Quadrat m; kWh Kilowattstunde/Kilowattstunden f
MWh Megawattstunde/Megawattstunden f; W Watt n; kW Kilowatt n; MW Megawatt n; GW Gigawatt n; V Volt n; A Ampere n
mAh Milliamperestunde/Milliamperestunden f; Hz Hertz n; kHz Kilohertz n; MHz Megahertz n; GHz Gigahertz n; dB Dezibel n
PS Pferdestärke/PS f; Nm Newtonmeter m; N Newton n; J Joule n; kJ Kilojoule n; kcal Kilokalorie/Kilokalorien f
bar Bar n; hPa Hektopascal n; Pa Pascal n; Ω Ohm n; °C,°_C,℃ Grad_Celsius m; °F,°_F Grad_Fahrenheit m; ° Grad m; K Kelvin n
kB,KB Kilobyte n; MB Megabyte n; GB Gigabyte n; TB Terabyte n; Mbit/s Megabit_pro_Sekunde n; Gbit/s Gigabit_pro_Sekunde n
Pkt. Punkt/Punkte m; St. Stück n; Mbit Megabit n; px Pixel n
""")
_CENT = Noun("Cent", "Cent")
_EURO, _DOLLAR = Currency(Noun("Euro", "Euro"), _CENT), Currency(Noun("Dollar", "Dollar"), _CENT)
_POUND = Currency(Noun("Pfund", "Pfund", "n"), Noun("Penny", "Pence"))
_FRANC = Currency(Noun("Franken", "Franken"), Noun("Rappen", "Rappen"))
_YEN = Currency(Noun("Yen", "Yen"), _CENT)
_SCALES = nouns("""
Tsd.,Tsd tausend n; Mio.,Mio Million/Millionen f; Mrd.,Mrd Milliarde/Milliarden f; Bio. Billion/Billionen f
Million,Millionen Million/Millionen f; Milliarde,Milliarden Milliarde/Milliarden f; Billion,Billionen Billion/Billionen f
""")
_ABBREVIATIONS = pairs_of("""
z. B.=zum Beispiel; d. h.=das heißt; u. a.=unter anderem; u. U.=unter Umständen; z. T.=zum Teil; i. d. R.=in der Regel
o. Ä.=oder Ähnliches; u. Ä.=und Ähnliches; v. Chr.=vor Christus; n. Chr.=nach Christus; v. a.=vor allem; s. o.=siehe oben
s. u.=siehe unten; i. A.=im Auftrag; m. E.=meines Erachtens; z. Z.=zur Zeit; z. Zt.=zur Zeit; a. D.=außer Dienst
usw.=und so weiter; etc.=et cetera; bzw.=beziehungsweise; ca.=circa; vgl.=vergleiche; ggf.=gegebenenfalls; evtl.=eventuell
sog.=sogenannte; inkl.=inklusive; exkl.=exklusive; zzgl.=zuzüglich; abzgl.=abzüglich; bspw.=beispielsweise; usf.=und so fort
Dr.=Doktor; Prof.=Professor; Hr.=Herr; Hrn.=Herrn; Fr.=Frau; Nr.=Nummer; Nrn.=Nummern; Str.=Straße; St.=Sankt; Tel.=Telefon
Abb.=Abbildung; Bd.=Band; Kap.=Kapitel; Art.=Artikel; Abs.=Absatz; Aufl.=Auflage; Hrsg.=Herausgeber; Jh.=Jahrhundert
Jhdt.=Jahrhundert; Mio.=Millionen; Mrd.=Milliarden; max.=maximal; min.=minimal; geb.=geboren; gest.=gestorben; verh.=verheiratet
Mo.=Montag; Di.=Dienstag; Mi.=Mittwoch; Do.=Donnerstag; Sa.=Samstag; Std.=Stunden; Min.=Minuten; Sek.=Sekunden; tägl.=täglich
Dipl.-Ing.=Diplomingenieur; Ing.=Ingenieur; allg.=allgemein; ehem.=ehemalig; entspr.=entsprechend; insb.=insbesondere
""")
_MAY_END = word_set("usw. usf. etc. o.Ä. u.Ä. u.a. v.Chr. n.Chr. Jh. Jhdt. Str. a.D. Min. Std. Sek. inkl. exkl.")
_STARTERS = (
    r"[„»\"“]?(?:Der|Die|Das|Er|Sie|Es|Wir|Ich|Ihr|Ein|Eine|Und|Aber|Doch|Dann|Da|In|Im|Am|An|Auf|Mit|Von|Nach|So|Auch|Wenn|"
    r"Als|Was|Wer|Wo|Wie|Warum|Dort|Hier|Nun|Jetzt|Danach|Dabei|Dazu|Dies|Diese|Dieser|Dieses|Mein|Sein|Man)(?!\w)"
)
_RULERS = word_set(
    "Ludwig Heinrich Karl Friedrich Wilhelm Otto Franz Joseph Josef Leopold Rudolf Ferdinand Maximilian Philipp Paul Johannes "
    "Pius Benedikt Gregor Leo Innozenz Urban Klemens Alexander Nikolaus Peter Georg Eduard Richard Jakob Napoleon Albert "
    "August Ramses Iwan Konstantin Felipe Juan Alfons Gustav Christian Harald Olaf Karl Viktor Emanuel Harald"
)
_QUEENS = word_set(
    "Elisabeth Elisabeths Katharina Maria Margarethe Isabella Kleopatra Margrethe Beatrix Christina Wilhelmina"
)
_NUMBERED = word_set(
    "Kapitel Band Teil Akt Abschnitt Artikel Klasse Typ Phase Stufe Buch Szene Anhang Weltkrieg Version Saison Staffel Gruppe"
)


def _roman(value: int, words: list[str], rest: str) -> str | None:
    previous = words[-1] if words else ""
    if previous in _NUMBERED:
        return cardinal(value)
    return None


def _own_rules() -> list[Rule]:
    def sovereign(match: re.Match[str]) -> str | None:
        if not is_roman(match["roman"]):
            return None
        found = re.search(r"([^\W\d_]{2,20}) ([^\W\d_]{2,20}) $|(?:^|[\s(„\"])([^\W\d_]{2,20}) $", before(match, 44))
        name = (found[2] or found[3]) if found else ""
        queen, genitive = name in _QUEENS, name.endswith("s") and name[:-1] in _RULERS | _QUEENS
        if name not in _RULERS and not queen and not genitive:
            return None
        leader = re.search(
            r"(?<!\w)(von|unter|mit|zu|bei|nach|gegen|für|durch|über)(?: [A-Z]\w{1,20}){1,3} $", before(match, 60)
        )
        stem = ordinal_stem(roman_value(match["roman"]))
        stem = stem[0].upper() + stem[1:]
        accusative = leader is not None and leader[1] in ("gegen", "für", "durch", "über")
        if genitive:
            words = f"{'der' if name[:-1] in _QUEENS else 'des'} {stem}en"
        elif queen:
            words = f"{'die' if leader is None or accusative else 'der'} {stem}e{'' if leader is None or accusative else 'n'}"
        elif leader is None:
            words = f"der {stem}e"
        else:
            words = f"{'den' if accusative else 'dem'} {stem}en"
        return words + ("." if match.group().endswith(".") and not after(match).strip() else "")

    def ordinal(match: re.Match[str]) -> str | None:
        number, noun = int(match["number"]), match["noun"] or ""
        left = before(match, 60)
        ending = _ending(left, noun)
        if ending is None:
            listed = not left or left.endswith("\n")
            known = noun in MONTHS or noun_gender(noun) != "" or noun.lower().rstrip(".") in _FORMS or match["joint"]
            if not known or (listed and noun not in MONTHS and noun != "Jahrhundert") or number > 1000:
                return None
            ending = {"f": "e", "n": "es"}.get(noun_gender(noun), "er")
        if noun and not noun[0].islower() and ending != "er" and re.fullmatch(_STARTERS, noun):
            return None
        return apart(match, ordinal_stem(number) + ending)

    def days(match: re.Match[str]) -> str:
        ending = _ending(before(match, 60), match["month"]) or "er"
        return f"{ordinal_stem(int(match['first']))}{ending} bis {ordinal_stem(int(match['last']))}{ending} "

    def short_date(match: re.Match[str]) -> str | None:
        day, month = int(match["day"]), int(match["month"])
        left = before(match, 60)
        if not (1 <= day <= 31 and 1 <= month <= 12) or _ending(left, "Mai") is None:
            return None
        stop = "." if not after(match).strip() or re.match(rf"{GAP}{_STARTERS}", after(match)) else ""
        return apart(match, _date(day, month, None, left) + stop)

    def compound(match: re.Match[str]) -> str:
        return cardinal(int(match["number"]), "m") + match["rest"].lstrip("-")

    def decade(match: re.Match[str]) -> str:
        number = int(match["number"])
        return f"{year(number)}er{match['rest']}"

    def hour(match: re.Match[str]) -> str:
        return f"{cardinal(int(match['hour']), 'm')} Uhr"

    def half(match: re.Match[str]) -> str | None:
        return apart(match, _HALVES[noun_gender(match["noun"])]) if noun_gender(match["noun"]) else None

    months = "|".join(sorted([*MONTHS, *(form.capitalize() for form in _FORMS)], key=len, reverse=True))
    number = r"(?<![\w.,:/-])(?P<number>[0-9]{1,4})\."
    return [
        Rule("half", re.compile(rf"(?<![\w.,:/-])(?<![0-9] )(?:½|1/2)(?={GAP}(?P<noun>[A-Z][a-zäöü]{{2,30}})(?!\w))"), half, "1½"),
        Rule("sovereign", re.compile(r"(?<![\w.])(?P<roman>[IVXLCDM]{1,9})\.(?!\w)"), sovereign, "IVXLCDM"),
        Rule("date", re.compile(r"(?<![\w.,:/-])(?P<day>[0-9]{1,2})\. ?(?P<month>[0-9]{1,2})\.(?![0-9]| ?[0-9]{2,4})"), short_date, "0-9"),
        Rule("date", re.compile(rf"(?<![\w.,:/-])(?P<first>[0-9]{{1,2}})\.?{GAP}?[-–]{GAP}?(?P<last>[0-9]{{1,2}})\.{GAP}(?=(?P<month>{months})(?!\w))"), days, "0-9"),
        Rule("ordinal", re.compile(rf"{number}(?:(?={GAP}(?P<noun>[A-ZÄÖÜa-zäöü][a-zäöüß]{{1,40}}(?:-[A-Z][a-z]{{1,30}})?)(?!\w))|(?P<joint>(?={GAP}(?:und|bis|oder|sowie){GAP}[0-9]{{1,4}}\.)))"), ordinal, "0-9"),
        Rule("compound", re.compile(r"(?<![\w.,:/-])(?P<number>[1-9][0-9]{0,3})(?P<rest>-?(?:jährig|mal|fach|tägig|stündig|minütig|köpfig|stöckig|seitig|teilig|prozentig|malig|stellig)[a-zäöü]{0,4})(?!\w)"), compound, "0-9"),
        Rule("decade", re.compile(r"(?<![\w.,:/-])['’]?(?P<number>[1-9][0-9]{0,2}0)er(?P<rest>n?)(?!\w)"), decade, "0-9'’"),
        Rule("time", re.compile(rf"(?<![\w.,:/-])(?P<hour>[0-2]?[0-9]){GAP}Uhr(?!\w)"), hour, "0-9"),
    ]  # fmt: skip


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
    month_forms=_FORMS,
    date=_date,
    date_cues=word_set("am der dem den vom zum bis"),
    clock=_clock,
    clock_unit="Uhr|h",
    units=_UNITS,
    square=lambda noun: Noun("Quadrat" + noun.one.lower(), "Quadrat" + noun.many.lower(), noun.gender),
    cubic=lambda noun: Noun("Kubik" + noun.one.lower(), "Kubik" + noun.many.lower(), noun.gender),
    scales=_SCALES,
    currencies={
        "€": _EURO,
        "EUR": _EURO,
        "$": _DOLLAR,
        "US$": Currency(Noun("US-Dollar", "US-Dollar"), _CENT),
        "USD": Currency(Noun("US-Dollar", "US-Dollar"), _CENT),
        "£": _POUND,
        "GBP": _POUND,
        "CHF": _FRANC,
        "¥": _YEN,
        "Fr.": _FRANC,
        "JPY": _YEN,
    },
    money=_money,
    per="pro",
    of=lambda noun: " ",
    fraction=_fraction,
    out_of="von",
    to="bis",
    score="zu",
    gender=_gender,
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
    abbreviations=_ABBREVIATIONS,
    stop_may_end=_MAY_END,
    starters=_STARTERS,
    roman=_roman,
    numbered={"S.": "Seite", "Z.": "Zeile", "H.": "Heft", "Nr": "Nummer", "No.": "Nummer", "Kl.": "Klasse"},
    own=tuple(_own_rules()),
)


@functools.cache
def reader() -> RuleReader:
    """The rules."""
    return european.reader(LANGUAGE)


def read(text: TracedText) -> TracedText:
    """`text` as it is said."""
    return reader().read_until_stable(text)
