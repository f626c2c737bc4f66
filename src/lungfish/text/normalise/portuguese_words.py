"""Words of Portuguese: months, units, money, abbreviations, and the words that tell what a number counts.

Source: hand-made; gender lists hold the commonest nouns whose ending does not tell.
"""

from __future__ import annotations

from lungfish.text.normalise.european_language import Currency, Noun, nouns, pairs_of
from lungfish.text.normalise.word_lists import word_list, word_set

MONTHS = word_list("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro")
FORMS = {
    "jan": 1, "fev": 2, "mar": 3, "abr": 4, "mai": 5, "jun": 6, "jul": 7, "ago": 8, "set": 9, "out": 10, "nov": 11, "dez": 12,
}  # fmt: skip
ORDINALS = word_list("zero primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono décimo")
MASCULINE_IN_A = word_set("dia mapa problema sistema programa tema clima idioma planeta poema turista grama quilograma")
FEMININE = word_set(
    "vez vezes mão mãos noite noites mulher mulheres parte partes classe classes voz vozes luz luzes gente fase fases"
)
FUNCTION_WORDS = word_set(
    "de do da dos das a ao à e o em no na nos nas com por para que sem sobre entre até desde nem é são foi mais "
    "menos os as um "
    "uma não se cada era eram está estão contra"
)
UNITS = nouns("""
mm milímetro/milímetros m; cm centímetro/centímetros m; dm decímetro/decímetros m; m metro/metros m
mg miligrama/miligramas m; g grama/gramas m; kg quilograma/quilogramas m; t tonelada/toneladas f
ml,mL mililitro/mililitros m
cl,cL centilitro/centilitros m; dl decilitro/decilitros m; l,L litro/litros m; hl hectolitro/hectolitros m
ha hectare/hectares m
s,seg segundo/segundos m; ms milissegundo/milissegundos m; min minuto/minutos m; h hora/horas f
m/s metro_por_segundo/metros_por_segundo m; m/s² metro_por_segundo_ao_quadrado/metros_por_segundo_ao_quadrado m
W watt/watts m; V volt/volts m; A ampere/amperes m; Hz hertz m; dB decibel/decibéis m; N newton/newtons m
J joule/joules m
bar bar/bars m; hPa hectopascal/hectopascais m; Pa pascal/pascais m; Ω ohm/ohms m; ° grau/graus m; K kelvin/kelvins m
°C,ºC,°_C,℃ grau_Celsius/graus_Celsius m; °F,ºF grau_Fahrenheit/graus_Fahrenheit m; MW megawatt/megawatts m
GW gigawatt/gigawatts m
MHz mega-hertz m; GHz giga-hertz m; MB megabyte/megabytes m; GB gigabyte/gigabytes m; TB terabyte/terabytes m
Mbit/s,Mbps megabit_por_segundo/megabits_por_segundo m; Gbps gigabit_por_segundo/gigabits_por_segundo m
px pixel/pixels m
km quilômetro/quilômetros m; km/h quilômetro_por_hora/quilômetros_por_hora m; kWh quilowatt-hora/quilowatts-hora m
kW quilowatt/quilowatts m; kHz quilo-hertz m; kB,KB quilobyte/quilobytes m; kcal quilocaloria/quilocalorias f
kJ quilojoule/quilojoules m
MWh megawatt-hora/megawatts-hora m; mAh miliampere-hora/miliamperes-hora m; cv,CV cavalo/cavalos m
""")
CENTAVO, CENTIMO = Noun("centavo", "centavos"), Noun("cêntimo", "cêntimos")


def currencies(cent: Noun, dollar: str) -> dict[str, Currency]:
    euro, real = Currency(Noun("euro", "euros"), cent), Currency(Noun("real", "reais"), CENTAVO)
    us = Currency(Noun(f"dólar {dollar}", f"dólares {dollar}s"), cent if cent is CENTIMO else CENTAVO)
    pound = Currency(Noun("libra", "libras", "f"), Noun("péni" if cent is CENTIMO else "pêni", "pence"))
    franc, yen = Currency(Noun("franco suíço", "francos suíços"), cent), Currency(Noun("iene", "ienes"), cent)
    plain = Currency(Noun("dólar", "dólares"), us.cent)
    return {
        "€": euro, "EUR": euro, "R$": real, "BRL": real, "$": plain, "US$": us, "USD": us, "£": pound, "GBP": pound,
        "CHF": franc, "¥": yen, "JPY": yen,
    }  # fmt: skip


ABBREVIATIONS = pairs_of("""
Sr.=senhor; Sra.=senhora; Srs.=senhores; Sras.=senhoras; Srta.=senhorita; Dr.=doutor; Dra.=doutora; Drs.=doutores
Prof.=professor
Profa.=professora; Prof.ª=professora; D.=dom; Eng.=engenheiro; Exmo.=excelentíssimo; Exma.=excelentíssima
V. Ex.ª=Vossa Excelência
Sto.=santo; Sta.=santa; S.=São; Gen.=general; Cel.=coronel; Pe.=padre; p. ex.=por exemplo; etc.=et cetera
a. C.=antes de Cristo
d. C.=depois de Cristo; n.º=número; nº=número; n°=número; N.º=número; Nº=número; N°=número; núm.=número; pág.=página
págs.=páginas
vol.=volume; cap.=capítulo; fig.=figura; art.=artigo; tel.=telefone; av.=avenida; Av.=avenida; R.=rua
aprox.=aproximadamente
cf.=confira; máx.=máximo; mín.=mínimo; séc.=século; Cia.=companhia; Ltda.=limitada; Lda.=limitada
S. A.=sociedade anônima
hab.=habitantes; obs.=observação; ed.=edição; depto.=departamento; i. e.=isto é; seg.=segunda; P. S.=pós-escrito
apto.=apartamento
""")
MAY_END = word_set("etc. a.C. d.C. aprox. máx. mín. S.A. Ltda. Lda. Cia. hab.")
KINGS = word_set(
    "Pedro João Luís Luis Henrique Carlos Francisco Filipe Felipe Napoleão Paulo Pio Bento Gregório Leão "
    "Inocêncio Urbano Clemente "
    "Alexandre Nicolau Jorge Eduardo Ricardo Guilherme Jaime Alberto Frederico Fernando José Manuel Miguel Afonso "
    "Sancho Dinis "
    "Leopoldo Ramsés Constantino Duarte Sebastião"
)
QUEENS = word_set("Isabel Elizabeth Elisabete Catarina Maria Cristina Cleópatra Margarida Leonor")
NUMBERED = {
    "capítulo": "m", "tomo": "m", "volume": "m", "livro": "m", "ato": "m", "acto": "m", "artigo": "m", "título": "m", "canto": "m",
    "anexo": "m", "parte": "f", "cena": "f", "seção": "f", "secção": "f", "fase": "f", "século": "m", "séculos": "m", "séc.": "m",
}  # fmt: skip
SCALES = nouns("""
mi,milhão,milhões milhão/milhões m; bi,bilhão,bilhões bilhão/bilhões m; trilhão,trilhões trilhão/trilhões m; mil mil m
""")
EUROPEAN_SCALES = nouns("""
M,milhão,milhões milhão/milhões m; bilião,biliões bilião/biliões m; mil_milhões mil_milhões m; mil mil m
""")
