"""The Spanish reader: what Spanish knows that the European machine does not.

"Uno" loses its end in front of a noun ("veintiún años"), hundreds agree ("doscientas personas"); sovereigns and centuries
take ordinals up to ten and cardinals above.
"""

from __future__ import annotations

import functools
import re

from lungfish.text.normalise import european, plain_numbers
from lungfish.text.normalise.european_language import GAP, Currency, Language, Noun, apart, nouns, pairs_of
from lungfish.text.normalise.european_romance import half_rule
from lungfish.text.normalise.rules import Rule, RuleReader
from lungfish.text.normalise.word_lists import word_list, word_set
from lungfish.text.traced import TracedText

MONTHS = word_list("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre")
_FORMS = {
    "ene": 1, "feb": 2, "abr": 4, "may": 5, "jun": 6, "jul": 7, "ago": 8, "sept": 9, "sep": 9, "set": 9, "oct": 10,
    "nov": 11, "dic": 12,
}  # fmt: skip
_ONES = word_list("cero primero segundo tercero cuarto quinto sexto séptimo octavo noveno")
_TEENS = word_list(
    "décimo undécimo duodécimo decimotercero decimocuarto decimoquinto decimosexto decimoséptimo decimoctavo decimonoveno"
)
_TENS = word_list("_ _ vigésimo trigésimo cuadragésimo quincuagésimo sexagésimo septuagésimo octogésimo nonagésimo")
_MASCULINE_IN_A = word_set(
    "día mapa problema sistema programa tema clima idioma planeta poema cometa turista euro grama kilograma"
)
_FEMININE_WORDS = word_set(
    "vez veces mano manos noche noches mujer mujeres parte partes clase clases calle calles voz voces luz luces"
)
_FUNCTION_WORDS = word_set(
    "de del al a y o e u en con por para que sin sobre entre hasta desde ni es son fue más menos la el los las un una no se "
    "cada era eran está están para contra según"
)
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
        words = _ONES[number]
    elif number < 20:
        words = _TEENS[number - 10]
    else:
        words = _TENS[number // 10] + (f" {_ONES[number % 10]}" if number % 10 else "")
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
    if found is None or not found[1].islower() or found[1] in _FUNCTION_WORDS or found[1] in MONTHS:
        return ""
    word = found[1]
    if number > 1 and not word.endswith("s"):
        return "" if word not in ("mil",) else "m"
    return noun_gender(word)


def noun_gender(word: str) -> str:
    """ "f" or "m", by the ending."""
    single = re.sub(r"(?<=[aeo])s$", "", word)
    if single in _MASCULINE_IN_A:
        return "m"
    if word in _FEMININE_WORDS or single.endswith(
        ("a", "ción", "cione", "sión", "sione", "dad", "dade", "tud", "tude")
    ):
        return "f"
    return "m"


_UNITS = nouns("""
mm milímetro/milímetros m; cm centímetro/centímetros m; dm decímetro/decímetros m; m metro/metros m
km kilómetro/kilómetros m; mg miligramo/miligramos m; g gramo/gramos m; kg kilogramo/kilogramos m; t tonelada/toneladas f
ml,mL mililitro/mililitros m; cl,cL centilitro/centilitros m; dl decilitro/decilitros m; l,L litro/litros m
hl hectolitro/hectolitros m; ha hectárea/hectáreas f; s,seg segundo/segundos m; ms milisegundo/milisegundos m
min minuto/minutos m; h hora/horas f; km/h kilómetro_por_hora/kilómetros_por_hora m; m/s metro_por_segundo/metros_por_segundo m
m/s² metro_por_segundo_al_cuadrado/metros_por_segundo_al_cuadrado m; kWh kilovatio_hora/kilovatios_hora m
MWh megavatio_hora/megavatios_hora m; W vatio/vatios m; kW kilovatio/kilovatios m; MW megavatio/megavatios m
GW gigavatio/gigavatios m; V voltio/voltios m; A amperio/amperios m; mAh miliamperio_hora/miliamperios_hora m
Hz hercio/hercios m; kHz kilohercio/kilohercios m; MHz megahercio/megahercios m; GHz gigahercio/gigahercios m
dB decibelio/decibelios m; CV caballo/caballos m; N newton/newtons m; J julio/julios m; kJ kilojulio/kilojulios m
kcal kilocaloría/kilocalorías f; bar bar/bares m; hPa hectopascal/hectopascales m; Pa pascal/pascales m; Ω ohmio/ohmios m
°C,ºC,°_C,℃ grado_Celsius/grados_Celsius m; °F,ºF grado_Fahrenheit/grados_Fahrenheit m; ° grado/grados m
K kelvin/kelvins m; kB,KB kilobyte/kilobytes m; MB megabyte/megabytes m; GB gigabyte/gigabytes m; TB terabyte/terabytes m
Mbit/s,Mbps megabit_por_segundo/megabits_por_segundo m; Gbps gigabit_por_segundo/gigabits_por_segundo m; px píxel/píxeles m
""")
_CENTIMO, _CENTAVO = Noun("céntimo", "céntimos"), Noun("centavo", "centavos")
_EURO, _DOLLAR = Currency(Noun("euro", "euros"), _CENTIMO), Currency(Noun("dólar", "dólares"), _CENTAVO)
_US = Currency(Noun("dólar estadounidense", "dólares estadounidenses"), _CENTAVO)
_POUND = Currency(Noun("libra", "libras", "f"), Noun("penique", "peniques"))
_FRANC, _YEN = Currency(Noun("franco suizo", "francos suizos"), _CENTIMO), Currency(Noun("yen", "yenes"), _CENTIMO)
_PESO = Currency(Noun("peso mexicano", "pesos mexicanos"), _CENTAVO)
_SCALES = nouns("""
M,mill.,millón,millones millón/millones m; mil mil m; mil_millones mil_millones m; billones billón/billones m; k mil m
""")
_ABBREVIATIONS = pairs_of("""
Sr.=señor; Sra.=señora; Srta.=señorita; Sres.=señores; Sras.=señoras; D.=don; Dña.=doña; Dr.=doctor; Dra.=doctora; Prof.=profesor
Profa.=profesora; Ud.=usted; Uds.=ustedes; Vd.=usted; Vds.=ustedes; Lic.=licenciado; Ing.=ingeniero; Arq.=arquitecto; Gral.=general
Sto.=santo; Sta.=santa; S. M.=Su Majestad; p. ej.=por ejemplo; etc.=etcétera; EE. UU.=Estados Unidos; EE.UU.=Estados Unidos
a. C.=antes de Cristo; d. C.=después de Cristo; a. de C.=antes de Cristo; d. de C.=después de Cristo; a. m.=de la mañana
p. m.=de la tarde; n.º=número; nº=número; n°=número; núm.=número; Nº=número; N.º=número; N°=número; pág.=página; págs.=páginas
vol.=volumen; cap.=capítulo; fig.=figura; art.=artículo; tel.=teléfono; tfno.=teléfono; avda.=avenida; Av.=avenida; Avda.=avenida
c/=calle; C/=calle; aprox.=aproximadamente; cf.=confróntese; máx.=máximo; mín.=mínimo; dpto.=departamento; depto.=departamento
Cía.=compañía; S. A.=sociedad anónima; admón.=administración; ed.=edición; izq.=izquierda; dcha.=derecha; P. D.=posdata
""")
_MAY_END = word_set("etc. EE.UU. a.C. d.C. a.m. p.m. aprox. máx. mín. S.A. izq. dcha. Ud. Uds. a.deC. d.deC.")
_KINGS = word_set(
    "Felipe Alfonso Fernando Carlos Juan Pablo Enrique Luis Jaime Pedro Sancho Pío Benedicto Gregorio León Inocencio Clemente "
    "Urbano Alejandro Nicolás Jorge Eduardo Ricardo Guillermo Francisco Napoleón Maximiliano Federico Jacobo Ramiro García "
    "Ordoño Bermudo José Leopoldo Alberto Ramsés Constantino Víctor Manuel Gustavo Luis"
)
_QUEENS = word_set("Isabel Catalina María Cristina Juana Cleopatra Margarita")
_FEMALE_PARTS = word_set("parte escena sección fase etapa guerra temporada")
_NUMBERED = word_set(
    "capítulo tomo volumen libro acto escena parte artículo título anexo sección fase nivel episodio grupo tipo clase figura "
    "Capítulo Tomo Volumen Libro Acto Escena Parte Artículo Título Anexo Sección Fase temporada guerra Guerra Mundial olimpiada"
)
_ORDINALS_TO = 10


def _roman(value: int, words: list[str], rest: str) -> str | None:
    previous = words[-1] if words else ""
    if previous in _KINGS or previous in _QUEENS or previous.lower() in ("siglo", "siglos"):
        return ordinal(value, "f" if previous in _QUEENS else "m") if value <= _ORDINALS_TO else cardinal(value)
    if len(words) > 1 and words[-2].lower() in ("siglo", "siglos"):
        return cardinal(value)
    return cardinal(value) if previous in _NUMBERED else None


def _own_rules() -> list[Rule]:
    def ordinal_words(match: re.Match[str]) -> str:
        feminine = match["mark"] in ("ª", "ra", "da", "ta", "ma", "va", "na", "a")
        words = ordinal(int(match["number"]), "f" if feminine else "m")
        short = match["mark"] in ("er", "ᵉʳ") or (
            not feminine and re.match(rf"{GAP}(?!de )[a-zà-ÿ]", match.string[match.end() :][:6])
        )
        return apart(match, shortened(words) if short else words)

    def hours(match: re.Match[str]) -> str:
        return apart(
            match, f"{cardinal(int(match['hour']), 'f')} {'hora' if match['hour'] in ('1', '01') else 'horas'}"
        )

    return [
        half_rule(cardinal, noun_gender, ("y medio", "y media"), "horas?|años?|días?|semanas?|meses|kilos?|litros?|tazas?"),
        Rule("ordinal", re.compile(r"(?<![\w.,])(?P<number>[0-9]{1,4})\.?(?P<mark>[ºª]|er|ro|do|to|mo|vo|no|ra|da|ta|ma|va|na)(?![^\W_])(?!C)"), ordinal_words, "0-9"),
        Rule("time", re.compile(rf"(?<![\w.,:/-])(?P<hour>[0-2]?[0-9]){GAP}?(?:h|hs|hrs)\.?(?![\w/]|{GAP}[0-9])"), hours, "0-9"),
    ]  # fmt: skip


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
    month_forms=_FORMS,
    date=_date,
    date_cues=word_set("el al del día lunes martes miércoles jueves viernes sábado domingo"),
    clock=_clock,
    clock_unit="horas|hrs|hs|h",
    units=_UNITS,
    square=lambda noun: Noun(f"{noun.one} cuadrado", f"{noun.many} cuadrados", noun.gender),
    cubic=lambda noun: Noun(f"{noun.one} cúbico", f"{noun.many} cúbicos", noun.gender),
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
        "MXN": _PESO,
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
±=más menos; ×=por; ÷=dividido entre; *=por; /=entre; :=a; ~=aproximadamente; #=número; @=arroba; %=por ciento; °=grados
§§=párrafos; §=párrafo; →=a; ∞=infinito; ©=copyright; ®=marca registrada; ™=marca; №=número; €=euros; £=libras; $=dólares
""")
    | {"=": "igual a"},
    abbreviations=_ABBREVIATIONS,
    stop_may_end=_MAY_END,
    starters=r"[«\"“¿¡]{0,2}[A-ZÁÉÍÓÚÑ]",
    roman=_roman,
    month_of="de",
    numbered={"p.": "página", "pp.": "páginas", "t.": "tomo", "No.": "número"},
    own=tuple(_own_rules()),
)


@functools.cache
def reader() -> RuleReader:
    """The rules."""
    return european.reader(LANGUAGE)


def read(text: TracedText) -> TracedText:
    """`text` as it is said."""
    return reader().read_until_stable(text)
