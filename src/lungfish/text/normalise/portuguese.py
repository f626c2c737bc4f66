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
from lungfish.text.normalise.european_language import GAP, Currency, Language, Noun, apart, nouns, pairs_of
from lungfish.text.normalise.european_romance import half_rule
from lungfish.text.normalise.rules import Rule, RuleReader
from lungfish.text.normalise.word_lists import word_list, word_set
from lungfish.text.traced import TracedText

MONTHS = word_list("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro")
_FORMS = {
    "jan": 1, "fev": 2, "mar": 3, "abr": 4, "mai": 5, "jun": 6, "jul": 7, "ago": 8, "set": 9, "out": 10, "nov": 11, "dez": 12,
}  # fmt: skip
_ORDINALS = word_list("zero primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono décimo")
_MASCULINE_IN_A = word_set(
    "dia mapa problema sistema programa tema clima idioma planeta poema turista grama quilograma"
)
_FEMININE = word_set(
    "vez vezes mão mãos noite noites mulher mulheres parte partes classe classes voz vozes luz luzes gente fase fases"
)
_FUNCTION_WORDS = word_set(
    "de do da dos das a ao à e o em no na nos nas com por para que sem sobre entre até desde nem é são foi mais menos os as um "
    "uma não se cada era eram está estão contra"
)
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
    if single in _MASCULINE_IN_A:
        return "m"
    if (
        word in _FEMININE
        or single.endswith(("a", "ção", "çõe", "são", "sõe", "dade", "tude", "gem"))
        or word.endswith("gens")
    ):
        return "f"
    return "m"


def _gender(rest: str, number: int) -> str:
    found = _COUNTED.match(rest)
    if found is None or not found[1].islower() or found[1] in _FUNCTION_WORDS or found[1] in MONTHS:
        return ""
    if number > 1 and not found[1].endswith("s"):
        return ""
    return noun_gender(found[1])


_UNITS = nouns("""
mm milímetro/milímetros m; cm centímetro/centímetros m; dm decímetro/decímetros m; m metro/metros m
mg miligrama/miligramas m; g grama/gramas m; kg quilograma/quilogramas m; t tonelada/toneladas f; ml,mL mililitro/mililitros m
cl,cL centilitro/centilitros m; dl decilitro/decilitros m; l,L litro/litros m; hl hectolitro/hectolitros m; ha hectare/hectares m
s,seg segundo/segundos m; ms milissegundo/milissegundos m; min minuto/minutos m; h hora/horas f
m/s metro_por_segundo/metros_por_segundo m; m/s² metro_por_segundo_ao_quadrado/metros_por_segundo_ao_quadrado m
W watt/watts m; V volt/volts m; A ampere/amperes m; Hz hertz m; dB decibel/decibéis m; N newton/newtons m; J joule/joules m
bar bar/bars m; hPa hectopascal/hectopascais m; Pa pascal/pascais m; Ω ohm/ohms m; ° grau/graus m; K kelvin/kelvins m
°C,ºC,°_C,℃ grau_Celsius/graus_Celsius m; °F,ºF grau_Fahrenheit/graus_Fahrenheit m; MW megawatt/megawatts m; GW gigawatt/gigawatts m
MHz mega-hertz m; GHz giga-hertz m; MB megabyte/megabytes m; GB gigabyte/gigabytes m; TB terabyte/terabytes m
Mbit/s,Mbps megabit_por_segundo/megabits_por_segundo m; Gbps gigabit_por_segundo/gigabits_por_segundo m; px pixel/pixels m
km quilômetro/quilômetros m; km/h quilômetro_por_hora/quilômetros_por_hora m; kWh quilowatt-hora/quilowatts-hora m
kW quilowatt/quilowatts m; kHz quilo-hertz m; kB,KB quilobyte/quilobytes m; kcal quilocaloria/quilocalorias f; kJ quilojoule/quilojoules m
MWh megawatt-hora/megawatts-hora m; mAh miliampere-hora/miliamperes-hora m; cv,CV cavalo/cavalos m
""")
_CENTAVO, _CENTIMO = Noun("centavo", "centavos"), Noun("cêntimo", "cêntimos")


def _currencies(cent: Noun, dollar: str) -> dict[str, Currency]:
    euro, real = Currency(Noun("euro", "euros"), cent), Currency(Noun("real", "reais"), _CENTAVO)
    us = Currency(Noun(f"dólar {dollar}", f"dólares {dollar}s"), cent if cent is _CENTIMO else _CENTAVO)
    pound = Currency(Noun("libra", "libras", "f"), Noun("péni" if cent is _CENTIMO else "pêni", "pence"))
    franc, yen = Currency(Noun("franco suíço", "francos suíços"), cent), Currency(Noun("iene", "ienes"), cent)
    plain = Currency(Noun("dólar", "dólares"), us.cent)
    return {
        "€": euro, "EUR": euro, "R$": real, "BRL": real, "$": plain, "US$": us, "USD": us, "£": pound, "GBP": pound,
        "CHF": franc, "¥": yen, "JPY": yen,
    }  # fmt: skip


_ABBREVIATIONS = pairs_of("""
Sr.=senhor; Sra.=senhora; Srs.=senhores; Sras.=senhoras; Srta.=senhorita; Dr.=doutor; Dra.=doutora; Drs.=doutores; Prof.=professor
Profa.=professora; Prof.ª=professora; D.=dom; Eng.=engenheiro; Exmo.=excelentíssimo; Exma.=excelentíssima; V. Ex.ª=Vossa Excelência
Sto.=santo; Sta.=santa; S.=São; Gen.=general; Cel.=coronel; Pe.=padre; p. ex.=por exemplo; etc.=et cetera; a. C.=antes de Cristo
d. C.=depois de Cristo; n.º=número; nº=número; n°=número; N.º=número; Nº=número; N°=número; núm.=número; pág.=página; págs.=páginas
vol.=volume; cap.=capítulo; fig.=figura; art.=artigo; tel.=telefone; av.=avenida; Av.=avenida; R.=rua; aprox.=aproximadamente
cf.=confira; máx.=máximo; mín.=mínimo; séc.=século; Cia.=companhia; Ltda.=limitada; Lda.=limitada; S. A.=sociedade anônima
hab.=habitantes; obs.=observação; ed.=edição; depto.=departamento; i. e.=isto é; seg.=segunda; P. S.=pós-escrito; apto.=apartamento
""")
_MAY_END = word_set("etc. a.C. d.C. aprox. máx. mín. S.A. Ltda. Lda. Cia. hab.")
_KINGS = word_set(
    "Pedro João Luís Luis Henrique Carlos Francisco Filipe Felipe Napoleão Paulo Pio Bento Gregório Leão Inocêncio Urbano Clemente "
    "Alexandre Nicolau Jorge Eduardo Ricardo Guilherme Jaime Alberto Frederico Fernando José Manuel Miguel Afonso Sancho Dinis "
    "Leopoldo Ramsés Constantino Duarte Sebastião"
)
_QUEENS = word_set("Isabel Elizabeth Elisabete Catarina Maria Cristina Cleópatra Margarida Leonor")
_NUMBERED = {
    "capítulo": "m", "tomo": "m", "volume": "m", "livro": "m", "ato": "m", "acto": "m", "artigo": "m", "título": "m", "canto": "m",
    "anexo": "m", "parte": "f", "cena": "f", "seção": "f", "secção": "f", "fase": "f", "século": "m", "séculos": "m", "séc.": "m",
}  # fmt: skip
_ORDINALS_TO = 10


def _roman(value: int, words: list[str], rest: str) -> str | None:
    previous = words[-1] if words else ""
    lower = previous.lower()
    if previous in _KINGS or previous in _QUEENS or lower in _NUMBERED:
        feminine = previous in _QUEENS or _NUMBERED.get(lower) == "f"
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
        Rule("ordinal", re.compile(r"(?<![\w.,])(?P<number>[0-9]{1,4})\.?(?P<mark>[ºª]|°(?= [a-z]{4}))(?![\wC])"), ordinal_words, "0-9"),
        Rule("first", re.compile(rf"(?<![\w.,/-])1(?={GAP}de{GAP}(?:{months})(?!\w))"), first, "1"),
        Rule("time", re.compile(rf"(?<![\w.,:/-])(?P<hour>[0-2]?[0-9]){GAP}?h(?:rs|s)?(?![\w/]|{GAP}[0-9])"), hours, "0-9"),
    ]  # fmt: skip


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


_SCALES = nouns("""
mi,milhão,milhões milhão/milhões m; bi,bilhão,bilhões bilhão/bilhões m; trilhão,trilhões trilhão/trilhões m; mil mil m
""")
_EUROPEAN_SCALES = nouns("""
M,milhão,milhões milhão/milhões m; bilião,biliões bilião/biliões m; mil_milhões mil_milhões m; mil mil m
""")


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
        month_forms=_FORMS,
        date=_date(say),
        date_cues=word_set("em no dia do ao até desde segunda terça quarta quinta sexta sábado domingo"),
        clock=_clock(say),
        clock_unit="horas|hrs|hs|h",
        units=_UNITS,
        square=lambda noun: Noun(f"{noun.one} quadrado", f"{noun.many} quadrados", noun.gender),
        cubic=lambda noun: Noun(f"{noun.one} cúbico", f"{noun.many} cúbicos", noun.gender),
        scales=_SCALES,
        currencies=_currencies(_CENTAVO if not european else _CENTIMO, "americano"),
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
&=e; +=mais; <=menor que; >=maior que; ≠=diferente de; ≈=aproximadamente; ≤=menor ou igual a; ≥=maior ou igual a; ±=mais ou menos
×=vezes; ÷=dividido por; *=vezes; /=por; :=a; ~=aproximadamente; #=número; @=arroba; %=por cento; °=graus; §§=parágrafos
§=parágrafo; →=para; ∞=infinito; ©=copyright; ®=marca registrada; ™=marca; №=número; €=euros; £=libras; $=dólares
""")
        | {"=": "igual a"},
        abbreviations=_ABBREVIATIONS,
        stop_may_end=_MAY_END,
        starters=r"[«\"“]?[A-ZÁÉÍÓÚÂÊÔÃÕÇ]",
        roman=_roman,
        month_of="de",
        numbered={"p.": "página", "pp.": "páginas", "t.": "tomo", "No.": "número"},
        own=tuple(_own_rules(say)),
    )
    if not european:
        return made
    names = {
        **_UNITS,
        **{s: Noun(n.one.replace("ô", "ó"), n.many.replace("ô", "ó"), n.gender) for s, n in _UNITS.items()},
    }
    abbreviations = {**_ABBREVIATIONS, "S. A.": "sociedade anónima", "cf.": "confronte"}
    symbols = {**made.symbols, "®": "marca registada"}
    return dataclasses.replace(made, units=names, scales=_EUROPEAN_SCALES, abbreviations=abbreviations, symbols=symbols)


@functools.cache
def reader(european_portuguese: bool = False) -> RuleReader:
    """The rules, of Brazil or of Portugal."""
    return european.reader(language(european_portuguese))


def read(text: TracedText, *, european: bool = False) -> TracedText:
    """`text` as it is said in Brazil, or with `european` in Portugal."""
    return reader(european).read_until_stable(text)
