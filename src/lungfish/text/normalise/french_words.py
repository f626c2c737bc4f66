"""Words of French: months, units, money, abbreviations, and the words that tell what a number counts.

Source: hand-made; gender lists hold the commonest nouns whose ending does not tell.
"""

from __future__ import annotations

from lungfish.text.normalise.european_language import Currency, Noun, nouns, pairs_of
from lungfish.text.normalise.word_lists import word_list, word_set

MONTHS = word_list("janvier février mars avril mai juin juillet août septembre octobre novembre décembre")
FORMS = {
    "janv": 1, "jan": 1, "févr": 2, "fév": 2, "avr": 4, "juil": 7, "sept": 9, "oct": 10, "nov": 11, "déc": 12,
}  # fmt: skip
FEMININE = word_set(
    "heure minute seconde semaine année fois personne femme fille page voiture maison chose place tonne livre "
    "voix pièce étoile "
    "ville école classe ligne langue nuit journée carte île part famille victime tasse bouteille étape vie"
)
FUNCTION_WORDS = word_set(
    "de du des à au aux et ou ni sur sous par pour en dans avec sans que qui dont où mais est sont a ont le la "
    "les un une pas "
    "plus moins fait donne égale janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
)
UNITS = nouns("""
mm millimètre/millimètres m; cm centimètre/centimètres m; dm décimètre/décimètres m; m mètre/mètres m
km kilomètre/kilomètres m; mg milligramme/milligrammes m; g gramme/grammes m; kg kilogramme/kilogrammes m
t tonne/tonnes f
ml,mL millilitre/millilitres m; cl,cL centilitre/centilitres m; dl décilitre/décilitres m; l,L litre/litres m
hl hectolitre/hectolitres m; ha hectare/hectares m; s,sec seconde/secondes f; ms milliseconde/millisecondes f
min,mn minute/minutes f; h heure/heures f; km/h kilomètre_heure/kilomètres_heure m
m/s mètre_par_seconde/mètres_par_seconde m
m/s² mètre_par_seconde_carrée/mètres_par_seconde_carrée m; kWh kilowattheure/kilowattheures m
MWh mégawattheure/mégawattheures m
W watt/watts m; kW kilowatt/kilowatts m; MW mégawatt/mégawatts m; GW gigawatt/gigawatts m; V volt/volts m
A ampère/ampères m
mAh milliampère-heure/milliampères-heure m; Hz hertz m; kHz kilohertz m; MHz mégahertz m; GHz gigahertz m
dB décibel/décibels m
ch cheval/chevaux m; N newton/newtons m; Nm newton-mètre/newtons-mètres m; J joule/joules m; kJ kilojoule/kilojoules m
kcal kilocalorie/kilocalories f; bar bar/bars m; hPa hectopascal/hectopascals m; Pa pascal/pascals m; Ω ohm/ohms m
°C,°_C,℃ degré_Celsius/degrés_Celsius m; °F,°_F degré_Fahrenheit/degrés_Fahrenheit m; ° degré/degrés m
K kelvin/kelvins m
ko,kB,KB kilooctet/kilooctets m; Mo,MB mégaoctet/mégaoctets m; Go,GB gigaoctet/gigaoctets m
To,TB téraoctet/téraoctets m
Mbit/s mégabit_par_seconde/mégabits_par_seconde m; Gbit/s gigabit_par_seconde/gigabits_par_seconde m
px pixel/pixels m
""")
CENTIME, CENT = Noun("centime", "centimes"), Noun("cent", "cents")
EURO, DOLLAR = Currency(Noun("euro", "euros"), CENTIME), Currency(Noun("dollar", "dollars"), CENT)
POUND = Currency(Noun("livre", "livres", "f"), Noun("penny", "pence"))
FRANC, YEN = Currency(Noun("franc suisse", "francs suisses"), CENTIME), Currency(Noun("yen", "yens"), CENT)
SCALES = nouns("""
M,million,millions million/millions m; Md,Mds,Mrd,milliard,milliards milliard/milliards m; k mille m; mille mille m
""")
ABBREVIATIONS = pairs_of("""
M.=monsieur; MM.=messieurs; Mme=madame; Mmes=mesdames; Mlle=mademoiselle; Mlles=mesdemoiselles; Dr=docteur
Dr.=docteur; Pr=professeur
Me=maître; Mgr=monseigneur; St=saint; Ste=sainte; etc.=et cetera; c.-à-d.=c'est-à-dire; p. ex.=par exemple
av. J.-C.=avant Jésus-Christ
apr. J.-C.=après Jésus-Christ; ap. J.-C.=après Jésus-Christ; env.=environ; cf.=confer; tél.=téléphone
boul.=boulevard; bd=boulevard
av.=avenue; n°=numéro; nº=numéro; n°s=numéros; vol.=volume; chap.=chapitre; fig.=figure; éd.=édition; art.=article
max.=maximum
min.=minimum; hab.=habitants; s.v.p.=s'il vous plaît; svp=s'il vous plaît; qqch.=quelque chose; qqn=quelqu'un
N.B.=nota bene
P.-S.=post-scriptum; R.-V.=rendez-vous; RDV=rendez-vous; lun.=lundi; mar.=mardi; mer.=mercredi; jeu.=jeudi
ven.=vendredi; sam.=samedi; dim.=dimanche
""")
MAY_END = word_set("etc. av.J.-C. apr.J.-C. ap.J.-C. hab. max. min. s.v.p.")
STARTERS = r"[«\"“]?[A-ZÀ-Ý]"
RULERS = word_set(
    "Louis Henri Charles François Philippe Napoléon Jean Jean-Paul Paul Pie Benoît Grégoire Léon Innocent Urbain "
    "Clément "
    "Alexandre Nicolas Pierre Georges Édouard Edouard Richard Guillaume Jacques Albert Frédéric Ferdinand Joseph "
    "François-Joseph "
    "Élisabeth Elisabeth Catherine Marie Isabelle Cléopâtre Constantin Ramsès Alphonse Gustave Léopold Baudouin "
    "Rodolphe "
    "Maximilien Otton Hassan Mohammed Mohamed Robert Hugues Boniface Sixte Félix Victor-Emmanuel Rainier "
    "Christian Pie"
)
QUEENS = word_set("Élisabeth Elisabeth Catherine Marie Isabelle Cléopâtre")
NUMBERED = word_set(
    "chapitre tome volume livre acte scène partie article titre annexe section phase niveau épisode saison groupe "
    "type classe "
    "planche figure guerre Chapitre Tome Volume Livre Acte Scène Partie Article Titre Annexe Section Guerre Phase"
)
