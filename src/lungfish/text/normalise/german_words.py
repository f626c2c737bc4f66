"""Words of German: months, units, money, abbreviations, and the words that tell what a number counts.

Source: hand-made; gender lists hold the commonest nouns whose ending does not tell.
"""

from __future__ import annotations

from lungfish.text.normalise.european_language import Currency, Noun, nouns, pairs_of
from lungfish.text.normalise.word_lists import word_list, word_set

MONTHS = word_list("Januar Februar März April Mai Juni Juli August September Oktober November Dezember")
FORMS = {
    "jan": 1, "jän": 1, "jänner": 1, "feb": 2, "febr": 2, "mrz": 3, "mär": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8,
    "sep": 9, "sept": 9, "okt": 10, "nov": 11, "dez": 12,
}  # fmt: skip
FEMININE = word_set(
    "Stunde Minute Sekunde Woche Million Milliarde Person Frau Tonne Meile Seite Klasse Runde Etage Auflage "
    "Bundesliga "
    "Liga Frage Stimme Tasse Flasche Katze Nacht Hälfte Halbzeit Ausgabe Person Kirche Schule Stelle Strophe "
    "Folge Reihe"
)
NEUTER = word_set(
    "Jh Jhdt Jahr Jahrhundert Jahrtausend Kind Mal Prozent Kapitel Stück Haus Buch Spiel Tor Bild Semester Quartal "
    "Viertel Drittel "
    "Kilo Gramm Kilogramm Pfund Glas Wort Gebot Leben Stockwerk Obergeschoss"
)
MASCULINE = word_set(
    "Liter Löffel Teelöffel Esslöffel Apfel Tag Monat Mann Euro Dollar Cent Meter Kilometer Platz Weltkrieg Stock "
    "Bezirk Geburtstag Mai Advent Satz Akt Teil Punkt "
    "Preis Rang Schritt Versuch Band Artikel Absatz Weihnachtstag Weihnachtsfeiertag Sieg Spieltag Sieger "
    "Kreuzzug Gang"
)
EN = word_set(
    "dem den des am im zum zur vom beim ab seit bis vor nach jedem jeden diesem diesen dieser einem einen einer "
    "eines meinem "
    "meinen meiner seinem seinen seiner ihrem ihren ihrer unserem unseren unserer keinem keinen keiner alle allen "
    "beiden"
)
E = word_set("der die das ins ans aufs jede dieses diese eine keine meine deine seine ihre unsere")
EIN = word_set("ein kein mein dein sein ihr unser euer jeder")
UNITS = nouns("""
mm Millimeter m; cm Zentimeter m; dm Dezimeter m; m Meter m; km Kilometer m; sm Seemeile/Seemeilen f
mg Milligramm n; g Gramm n; kg Kilogramm n; t Tonne/Tonnen f; ml,mL Milliliter m; cl Zentiliter m; dl Deziliter m
l,L Liter m; hl Hektoliter m; ha Hektar m; s,Sek.,sec Sekunde/Sekunden f; ms Millisekunde/Millisekunden f
min,Min.,Min Minute/Minuten f; h,Std.,Std Stunde/Stunden f; km/h,kmh Kilometer_pro_Stunde m
m/s Meter_pro_Sekunde m; m/s² Meter_pro_Sekunde_zum_Quadrat m; kWh Kilowattstunde/Kilowattstunden f
MWh Megawattstunde/Megawattstunden f; W Watt n; kW Kilowatt n; MW Megawatt n; GW Gigawatt n; V Volt n; A Ampere n
mAh Milliamperestunde/Milliamperestunden f; Hz Hertz n; kHz Kilohertz n; MHz Megahertz n; GHz Gigahertz n
dB Dezibel n
PS Pferdestärke/PS f; Nm Newtonmeter m; N Newton n; J Joule n; kJ Kilojoule n; kcal Kilokalorie/Kilokalorien f
bar Bar n; hPa Hektopascal n; Pa Pascal n; Ω Ohm n; °C,°_C,℃ Grad_Celsius m; °F,°_F Grad_Fahrenheit m; ° Grad m
K Kelvin n
kB,KB Kilobyte n; MB Megabyte n; GB Gigabyte n; TB Terabyte n; Mbit/s Megabit_pro_Sekunde n
Gbit/s Gigabit_pro_Sekunde n
Pkt. Punkt/Punkte m; St. Stück n; Mbit Megabit n; px Pixel n
""")
CENT = Noun("Cent", "Cent")
EURO, DOLLAR = Currency(Noun("Euro", "Euro"), CENT), Currency(Noun("Dollar", "Dollar"), CENT)
POUND = Currency(Noun("Pfund", "Pfund", "n"), Noun("Penny", "Pence"))
FRANC = Currency(Noun("Franken", "Franken"), Noun("Rappen", "Rappen"))
YEN = Currency(Noun("Yen", "Yen"), CENT)
SCALES = nouns("""
Tsd.,Tsd tausend n; Mio.,Mio Million/Millionen f; Mrd.,Mrd Milliarde/Milliarden f; Bio. Billion/Billionen f
Million,Millionen Million/Millionen f; Milliarde,Milliarden Milliarde/Milliarden f
Billion,Billionen Billion/Billionen f
""")
ABBREVIATIONS = pairs_of("""
z. B.=zum Beispiel; d. h.=das heißt; u. a.=unter anderem; u. U.=unter Umständen; z. T.=zum Teil; i. d. R.=in der Regel
o. Ä.=oder Ähnliches; u. Ä.=und Ähnliches; v. Chr.=vor Christus; n. Chr.=nach Christus; v. a.=vor allem
s. o.=siehe oben
s. u.=siehe unten; i. A.=im Auftrag; m. E.=meines Erachtens; z. Z.=zur Zeit; z. Zt.=zur Zeit; a. D.=außer Dienst
usw.=und so weiter; etc.=et cetera; bzw.=beziehungsweise; ca.=circa; vgl.=vergleiche; ggf.=gegebenenfalls
evtl.=eventuell
sog.=sogenannte; inkl.=inklusive; exkl.=exklusive; zzgl.=zuzüglich; abzgl.=abzüglich; bspw.=beispielsweise
usf.=und so fort
Dr.=Doktor; Prof.=Professor; Hr.=Herr; Hrn.=Herrn; Fr.=Frau; Nr.=Nummer; Nrn.=Nummern; Str.=Straße; St.=Sankt
Tel.=Telefon
Abb.=Abbildung; Bd.=Band; Kap.=Kapitel; Art.=Artikel; Abs.=Absatz; Aufl.=Auflage; Hrsg.=Herausgeber; Jh.=Jahrhundert
Jhdt.=Jahrhundert; Mio.=Millionen; Mrd.=Milliarden; max.=maximal; min.=minimal; geb.=geboren; gest.=gestorben
verh.=verheiratet
Mo.=Montag; Di.=Dienstag; Mi.=Mittwoch; Do.=Donnerstag; Sa.=Samstag; Std.=Stunden; Min.=Minuten; Sek.=Sekunden
tägl.=täglich
Dipl.-Ing.=Diplomingenieur; Ing.=Ingenieur; allg.=allgemein; ehem.=ehemalig; entspr.=entsprechend; insb.=insbesondere
""")
MAY_END = word_set("usw. usf. etc. o.Ä. u.Ä. u.a. v.Chr. n.Chr. Jh. Jhdt. Str. a.D. Min. Std. Sek. inkl. exkl.")
STARTERS = (
    r"[„»\"“]?(?:Der|Die|Das|Er|Sie|Es|Wir|Ich|Ihr|Ein|Eine|Und|Aber|Doch|Dann|Da|In|Im|Am|An|Auf|Mit|Von|Nach|So|Auch|Wenn|"
    r"Als|Was|Wer|Wo|Wie|Warum|Dort|Hier|Nun|Jetzt|Danach|Dabei|Dazu|Dies|Diese|Dieser|Dieses|Mein|Sein|Man)(?!\w)"
)
RULERS = word_set(
    "Ludwig Heinrich Karl Friedrich Wilhelm Otto Franz Joseph Josef Leopold Rudolf Ferdinand Maximilian Philipp "
    "Paul Johannes "
    "Pius Benedikt Gregor Leo Innozenz Urban Klemens Alexander Nikolaus Peter Georg Eduard Richard Jakob Napoleon "
    "Albert "
    "August Ramses Iwan Konstantin Felipe Juan Alfons Gustav Christian Harald Olaf Karl Viktor Emanuel Harald"
)
QUEENS = word_set(
    "Elisabeth Elisabeths Katharina Maria Margarethe Isabella Kleopatra Margrethe Beatrix Christina Wilhelmina"
)
NUMBERED = word_set(
    "Kapitel Band Teil Akt Abschnitt Artikel Klasse Typ Phase Stufe Buch Szene Anhang Weltkrieg Version Saison "
    "Staffel Gruppe"
)
