"""Words of Italian: months, units, money, abbreviations, and the words that tell what a number counts.

Source: hand-made; gender lists hold the commonest nouns whose ending does not tell.
"""

from __future__ import annotations

from lungfish.text.normalise.european_language import Currency, Noun, nouns, pairs_of
from lungfish.text.normalise.word_lists import word_list, word_set

MONTHS = word_list("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre")
FORMS = {
    "gen": 1, "genn": 1, "feb": 2, "febbr": 2, "mar": 3, "apr": 4, "mag": 5, "giu": 6, "lug": 7, "ago": 8, "set": 9,
    "sett": 9, "ott": 10, "nov": 11, "dic": 12,
}  # fmt: skip
FEMININE = word_set(
    "mano notte parte classe voce luce nave gente chiave madre moglie legge fine rete fonte stagione regione"
)
MASCULINE_IN_A = word_set("problema sistema programma tema clima poeta pianeta grammo chilogramma turista")
FUNCTION_WORDS = word_set(
    "di del della a al alla e o in con per che da dal su tra fra fino ogni è sono ed più meno il lo la i gli le "
    "una un non si"
)
ORDINALS = word_list("zero primo secondo terzo quarto quinto sesto settimo ottavo nono decimo")
UNITS = nouns("""
mm millimetro/millimetri m; cm centimetro/centimetri m; dm decimetro/decimetri m; m metro/metri m
km,Km chilometro/chilometri m
mg milligrammo/milligrammi m; g,gr grammo/grammi m; kg,Kg chilogrammo/chilogrammi m; t tonnellata/tonnellate f
hg ettogrammo/ettogrammi m
ml,mL millilitro/millilitri m; cl,cL centilitro/centilitri m; dl decilitro/decilitri m; l,L litro/litri m
hl ettolitro/ettolitri m
ha ettaro/ettari m; s,sec secondo/secondi m; ms millisecondo/millisecondi m; min minuto/minuti m; h ora/ore f
km/h,Km/h chilometro_orario/chilometri_orari m; m/s metro_al_secondo/metri_al_secondo m
m/s² metro_al_secondo_quadrato/metri_al_secondo_quadrato m; kWh chilowattora/chilowattora m
MWh megawattora/megawattora m
W watt m; kW chilowatt m; MW megawatt m; GW gigawatt m; V volt m; A ampere m; mAh milliampereora m
Hz hertz m; kHz chilohertz m; MHz megahertz m; GHz gigahertz m; dB decibel m; CV cavallo/cavalli m; N newton m
Nm newton_metro m; J joule m; kJ chilojoule m; kcal chilocaloria/chilocalorie f; bar bar m; hPa ettopascal m
Pa pascal m; Ω ohm m
°C,ºC,°_C,℃ grado_Celsius/gradi_Celsius m; °F,ºF grado_Fahrenheit/gradi_Fahrenheit m; ° grado/gradi m; K kelvin m
kB,KB kilobyte m; MB megabyte m; GB gigabyte m; TB terabyte m; Mbit/s,Mbps megabit_al_secondo m
Gbps gigabit_al_secondo m; px pixel m
""")
CENT = Noun("centesimo", "centesimi")
EURO, DOLLAR = Currency(Noun("euro", "euro"), CENT), Currency(Noun("dollaro", "dollari"), CENT)
US = Currency(Noun("dollaro americano", "dollari americani"), CENT)
POUND = Currency(Noun("sterlina", "sterline", "f"), Noun("penny", "pence"))
FRANC, YEN = Currency(Noun("franco svizzero", "franchi svizzeri"), CENT), Currency(Noun("yen", "yen"), CENT)
SCALES = nouns("""
mln,mln.,milione,milioni milione/milioni m; mld,mld.,miliardo,miliardi miliardo/miliardi m; mila mila m
""")
ABBREVIATIONS = pairs_of("""
Sig.=signor; Sig.ra=signora; Sig.na=signorina; Sigg.=signori; sig.=signor; sig.ra=signora; sig.na=signorina
Dott.=dottor; dott.=dottor
Dott.ssa=dottoressa; dott.ssa=dottoressa; Dr.=dottor; Prof.=professor; prof.=professor; Prof.ssa=professoressa
prof.ssa=professoressa
Ing.=ingegner; ing.=ingegner; Avv.=avvocato; avv.=avvocato; Arch.=architetto; arch.=architetto; Geom.=geometra
On.=onorevole
on.=onorevole; Gent.mo=gentilissimo; Gent.ma=gentilissima; S.=San; ecc.=eccetera; ad es.=ad esempio
p. es.=per esempio; es.=esempio
a. C.=avanti Cristo; d. C.=dopo Cristo; n.=numero; nn.=numeri; n°=numero; nº=numero; N.=numero; N°=numero
pag.=pagina; pagg.=pagine
vol.=volume; cap.=capitolo; fig.=figura; art.=articolo; artt.=articoli; tel.=telefono; cell.=cellulare; ca.=circa
cfr.=confronta
c.so=corso; p.zza=piazza; v.le=viale; P.za=piazza; max.=massimo; min.=minimo; ab.=abitanti; cd.=cosiddetto
c.d.=cosiddetto; all.=allegato
gen.=generale; vs.=contro; P. S.=post scriptum; N. B.=nota bene; S. p. A.=società per azioni
S. r. l.=società a responsabilità limitata
""")
NEED_NUMBER = ("n.", "nn.", "N.", "S.", "es.", "all.", "gen.")
MAY_END = word_set("ecc. a.C. d.C. ca. max. min. ab. S.p.A. S.r.l.")
KINGS = word_set(
    "Luigi Enrico Carlo Francesco Filippo Napoleone Giovanni Paolo Pio Benedetto Gregorio Leone Innocenzo Urbano "
    "Clemente "
    "Alessandro Nicola Pietro Giorgio Edoardo Riccardo Guglielmo Giacomo Alberto Federico Ferdinando Giuseppe "
    "Vittorio Emanuele "
    "Umberto Amedeo Ottone Leopoldo Rodolfo Massimiliano Bonifacio Sisto Celestino Adriano Costantino Ramses "
    "Cosimo Gustavo"
)
QUEENS = word_set("Elisabetta Caterina Maria Isabella Cristina Giovanna Cleopatra Margherita Beatrice")
NUMBERED = {
    "capitolo": "m", "volume": "m", "tomo": "m", "libro": "m", "atto": "m", "titolo": "m", "canto": "m", "articolo": "m",
    "parte": "f", "scena": "f", "sezione": "f", "fase": "f", "classe": "f", "secolo": "m", "gruppo": "m", "stagione": "f",
}  # fmt: skip
