"""Words of Spanish: months, units, money, abbreviations, and the words that tell what a number counts.

Source: hand-made; gender lists hold the commonest nouns whose ending does not tell.
"""

from __future__ import annotations

from lungfish.text.normalise.european_language import Currency, Noun, nouns, pairs_of
from lungfish.text.normalise.word_lists import word_list, word_set

MONTHS = word_list("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre")
FORMS = {
    "ene": 1, "feb": 2, "abr": 4, "may": 5, "jun": 6, "jul": 7, "ago": 8, "sept": 9, "sep": 9, "set": 9, "oct": 10,
    "nov": 11, "dic": 12,
}  # fmt: skip
ONES = word_list("cero primero segundo tercero cuarto quinto sexto séptimo octavo noveno")
TEENS = word_list(
    "décimo undécimo duodécimo decimotercero decimocuarto decimoquinto decimosexto decimoséptimo decimoctavo "
    "decimonoveno"
)
TENS = word_list("_ _ vigésimo trigésimo cuadragésimo quincuagésimo sexagésimo septuagésimo octogésimo nonagésimo")
MASCULINE_IN_A = word_set(
    "día mapa problema sistema programa tema clima idioma planeta poema cometa turista euro grama kilograma"
)
FEMININE_WORDS = word_set(
    "vez veces mano manos noche noches mujer mujeres parte partes clase clases calle calles voz voces luz luces"
)
FUNCTION_WORDS = word_set(
    "de del al a y o e u en con por para que sin sobre entre hasta desde ni es son fue más menos la el los las un "
    "una no se "
    "cada era eran está están para contra según"
)
UNITS = nouns("""
mm milímetro/milímetros m; cm centímetro/centímetros m; dm decímetro/decímetros m; m metro/metros m
km kilómetro/kilómetros m; mg miligramo/miligramos m; g gramo/gramos m; kg kilogramo/kilogramos m
t tonelada/toneladas f
ml,mL mililitro/mililitros m; cl,cL centilitro/centilitros m; dl decilitro/decilitros m; l,L litro/litros m
hl hectolitro/hectolitros m; ha hectárea/hectáreas f; s,seg segundo/segundos m; ms milisegundo/milisegundos m
min minuto/minutos m; h hora/horas f; km/h kilómetro_por_hora/kilómetros_por_hora m
m/s metro_por_segundo/metros_por_segundo m
m/s² metro_por_segundo_al_cuadrado/metros_por_segundo_al_cuadrado m; kWh kilovatio_hora/kilovatios_hora m
MWh megavatio_hora/megavatios_hora m; W vatio/vatios m; kW kilovatio/kilovatios m; MW megavatio/megavatios m
GW gigavatio/gigavatios m; V voltio/voltios m; A amperio/amperios m; mAh miliamperio_hora/miliamperios_hora m
Hz hercio/hercios m; kHz kilohercio/kilohercios m; MHz megahercio/megahercios m; GHz gigahercio/gigahercios m
dB decibelio/decibelios m; CV caballo/caballos m; N newton/newtons m; J julio/julios m; kJ kilojulio/kilojulios m
kcal kilocaloría/kilocalorías f; bar bar/bares m; hPa hectopascal/hectopascales m; Pa pascal/pascales m
Ω ohmio/ohmios m
°C,ºC,°_C,℃ grado_Celsius/grados_Celsius m; °F,ºF grado_Fahrenheit/grados_Fahrenheit m; ° grado/grados m
K kelvin/kelvins m; kB,KB kilobyte/kilobytes m; MB megabyte/megabytes m; GB gigabyte/gigabytes m
TB terabyte/terabytes m
Mbit/s,Mbps megabit_por_segundo/megabits_por_segundo m; Gbps gigabit_por_segundo/gigabits_por_segundo m
px píxel/píxeles m
""")
CENTIMO, CENTAVO = Noun("céntimo", "céntimos"), Noun("centavo", "centavos")
EURO, DOLLAR = Currency(Noun("euro", "euros"), CENTIMO), Currency(Noun("dólar", "dólares"), CENTAVO)
US = Currency(Noun("dólar estadounidense", "dólares estadounidenses"), CENTAVO)
POUND = Currency(Noun("libra", "libras", "f"), Noun("penique", "peniques"))
FRANC, YEN = Currency(Noun("franco suizo", "francos suizos"), CENTIMO), Currency(Noun("yen", "yenes"), CENTIMO)
PESO = Currency(Noun("peso mexicano", "pesos mexicanos"), CENTAVO)
SCALES = nouns("""
M,mill.,millón,millones millón/millones m; mil mil m; mil_millones mil_millones m; billones billón/billones m; k mil m
""")
ABBREVIATIONS = pairs_of("""
Sr.=señor; Sra.=señora; Srta.=señorita; Sres.=señores; Sras.=señoras; D.=don; Dña.=doña; Dr.=doctor; Dra.=doctora
Prof.=profesor
Profa.=profesora; Ud.=usted; Uds.=ustedes; Vd.=usted; Vds.=ustedes; Lic.=licenciado; Ing.=ingeniero; Arq.=arquitecto
Gral.=general
Sto.=santo; Sta.=santa; S. M.=Su Majestad; p. ej.=por ejemplo; etc.=etcétera; EE. UU.=Estados Unidos
EE.UU.=Estados Unidos
a. C.=antes de Cristo; d. C.=después de Cristo; a. de C.=antes de Cristo; d. de C.=después de Cristo
a. m.=de la mañana
p. m.=de la tarde; n.º=número; nº=número; n°=número; núm.=número; Nº=número; N.º=número; N°=número; pág.=página
págs.=páginas
vol.=volumen; cap.=capítulo; fig.=figura; art.=artículo; tel.=teléfono; tfno.=teléfono; avda.=avenida; Av.=avenida
Avda.=avenida
c/=calle; C/=calle; aprox.=aproximadamente; cf.=confróntese; máx.=máximo; mín.=mínimo; dpto.=departamento
depto.=departamento
Cía.=compañía; S. A.=sociedad anónima; admón.=administración; ed.=edición; izq.=izquierda; dcha.=derecha
P. D.=posdata
""")
MAY_END = word_set("etc. EE.UU. a.C. d.C. a.m. p.m. aprox. máx. mín. S.A. izq. dcha. Ud. Uds. a.deC. d.deC.")
KINGS = word_set(
    "Felipe Alfonso Fernando Carlos Juan Pablo Enrique Luis Jaime Pedro Sancho Pío Benedicto Gregorio León "
    "Inocencio Clemente "
    "Urbano Alejandro Nicolás Jorge Eduardo Ricardo Guillermo Francisco Napoleón Maximiliano Federico Jacobo "
    "Ramiro García "
    "Ordoño Bermudo José Leopoldo Alberto Ramsés Constantino Víctor Manuel Gustavo Luis"
)
QUEENS = word_set("Isabel Catalina María Cristina Juana Cleopatra Margarita")
NUMBERED = word_set(
    "capítulo tomo volumen libro acto escena parte artículo título anexo sección fase nivel episodio grupo tipo "
    "clase figura "
    "Capítulo Tomo Volumen Libro Acto Escena Parte Artículo Título Anexo Sección Fase temporada guerra Guerra "
    "Mundial olimpiada"
)
