"""Abbreviations, initials, acronyms and roman numerals in English.

- A full stop that an abbreviation shares with the end of its sentence is kept ("... and Sons, Inc. She left").
- "St." and "Dr." are Street and Drive behind a capitalised word that no name follows, else Saint and Doctor.
- All-capital words without a vowel, and the listed ones, are said letter by letter ("FBI", "PDFs" -> "P D F's"); others
  are left as words ("NASA"). Listed ones that are also words ("US") only where the neighbourhood is not all capitals.
- Roman numerals need a reason: a word such as Chapter, a ruler's name (then ordinal: "Henry the eighth"), or, for II to
  XXXIX with at least two letters, a capitalised word in front ("Rocky II"). "I", "MIX" or "CD" alone are never numbers.
"""

from __future__ import annotations

import re

from lungfish.text.normalise.english_codes import letters
from lungfish.text.normalise.english_context import (
    FUNCTION_WORDS,
    GAP,
    STARTERS,
    after,
    before,
    ends_sentence,
)
from lungfish.text.normalise.english_dates import MONTHS
from lungfish.text.normalise.english_numbers import Style, cardinal, ordinal, year
from lungfish.text.normalise.rules import Rule
from lungfish.text.normalise.word_lists import word_set


def _table(entries: str) -> dict[str, str]:
    pairs = (entry.strip().split(" ", 1) for entry in re.split(r"[;\n]+", entries.strip()))
    return dict(pairs)


# With a full stop, anywhere.
_ANYWHERE = _table("""
Mr Mister; Mrs Missus; Ms Ms; Messrs Messieurs; Prof Professor; Rev Reverend; Hon Honorable; Gov Governor; Capt Captain
Sgt Sergeant; Lt Lieutenant; Cpl Corporal; Cmdr Commander; Pvt Private; Jr Junior; Sr Senior; Esq Esquire
Inc Incorporated; Corp Corporation; Ltd Limited; Bros Brothers; Assn Association; Dept Department; Univ University
Govt Government; Intl International; Natl National; Ave Avenue; Blvd Boulevard; Rd Road; Hwy Highway; Pkwy Parkway
i.e that is; e.g for example; etc et cetera; vs versus; cf compare; viz namely; approx approximately; ca circa
a.k.a also known as; incl including; excl excluding; misc miscellaneous; max maximum; avg average; dept department
tel telephone; govt government; tbsp tablespoon; tsp teaspoon; Ph.D P H D; resp respectively; abbr abbreviation
""")
_ANY_CASE = {
    spelling: words for key, words in _ANYWHERE.items() for spelling in (key, key.lower(), key[0].upper() + key[1:])
}
_NOT_IN_SMALL = ("hon", "rev", "ave", "rd", "ms", "gov", "messrs")
# Without a full stop too.
_BARE = _table("Mr Mister; Mrs Missus; MR Mister; MRS Missus; vs versus; Jr Junior; Sr Senior; PhD P H D; w/o without")
# Titles: only before a name.
_TITLES = _table("""
Gen General; Col Colonel; Maj Major; Adm Admiral; Sen Senator; Rep Representative; Pres President; Mt Mount; Ft Fort
Fr Father; Pt Point; Supt Superintendent; Amb Ambassador; Mme Madame; Mlle Mademoiselle; Dr Doctor; St Saint
Prof Professor
""")
# Behind a name or number: streets, companies.
_BEHIND = _table(
    "Co Company; Ln Lane; Ct Court; Sq Square; Pl Place; Ste Suite; Mfg Manufacturing; Cir Circle; Ter Terrace"
)
# Before a number.
_NUMBERED = _table("""
No number; Nos numbers; no number; nos numbers; vol volume; Vol Volume; vols volumes; pp pages; p page
Ch Chapter; ch chapter; chap chapter; Chap Chapter; Fig Figure; fig figure; figs figures; Figs Figures; sec section
Sec Section; eq equation
Eq Equation; art article; Art Article; est established; Est Established; ext extension; Ext Extension; apt apartment
Apt Apartment; Op Opus; op opus; pt part; Pt Part; ed edition; Ste Suite; temp temperature; min minimum
Tel Telephone; Nr number
""")
_STOP_MAY_END = word_set(
    "Jr Sr jr sr inc corp ltd Esq Inc Corp Ltd Bros etc Ave Blvd Rd Co Ln Ct Sq Pl Ph.D Dept Hwy Pkwy max avg St Dr"
)

SPELLED = word_set(
    "FBI CIA USA UK EU UN UAE USSR NBA MBA MFA ATM AI API CEO CFO CTO COO CIO HIV DNA RNA MRI IQ EQ TV UFO URL USB "
    "CPU GPU TPU NPU IO IP ISBN IRS MIT UCLA USC UFC ESPN AOL ACLU NAACP NYU NYC EST CET UTC ETA FAQ FYI ASAP AKA "
    "DIY RSVP VIP EMT ICU IVF ADHD OCD IV UV AC EPA FAA FDA NIH NSA DOJ OEM ROI SEO SUV RV GPA GRE IPO ETF IOU EV "
    "AMD AWS IDE SQL PDF UI UX OS OLED EKG ECG EEG USD EUR ABC BBQ QA HR PR OMG BTW IMO TBA LP EP EDM VR XR ML LLM "
    "NLP TTS ASR OCR AGI MIA POW UC BA MA AA AAA APA AMA NGO IBM RIAA MPAA AFL NCAA UPC ISP KIA DOA EOF UTF IEEE "
    "VPN DVD AED IUD PE ID DUI OD IMDB UHD PA NY FM ICBM USAF USMC RAF AR DOI US LA UPS LED"
)
_ALSO_WORDS = word_set("US LA UPS LED EST POW IDE MIA ID MA AKA AR PE BA AA")
_NOT_SPELLED = word_set("MR MRS MS DR ST VS NTH TSK PSST HMM SHH BRR GRR PFFT HMPH MX")
_SHOUTED = re.compile(r"(?<![\w.])([A-Z]{4,})(?![\w.])")

_ROMAN = re.compile(r"(?=[IVXLCDM])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_PARTS = word_set(
    "chapter part volume act scene book canto section article appendix lesson unit phase stage level round episode "
    "season title schedule annex figure table plate war bowl olympiad class type grade mark vol ch chap pt no sec "
    "art fig opus factor category tier amendment psalm division corps number"
)
_RULERS = word_set(
    "henry louis charles george edward richard james william elizabeth mary catherine alexander nicholas peter paul "
    "pius john benedict gregory leo innocent clement urban philip ferdinand frederick wilhelm napoleon leopold "
    "albert victor umberto otto ivan rudolf maximilian ramses ramesses ptolemy cleopatra darius xerxes thutmose "
    "amenhotep haakon harald olaf christian gustav carl margrethe juan felipe alfonso isabella joseph francis "
    "sixtus boniface celestine adrian stephen edmund robert david constantine theodosius murad mehmed selim mahmud "
    "suleiman pedro manuel sancho baldwin bela andrew casimir sigismund wenceslas emmanuel carlos anne mithridates "
    "artaxerxes seleucus antiochus tutankhamun akbar abbas malcolm kenneth"
)
_THRONES = word_set("king queen pope emperor empress tsar czar prince duke sultan pharaoh saint kaiser shah")


def is_roman(numeral: str) -> bool:
    """Whether `numeral` is a well-formed roman numeral in capitals."""
    return bool(numeral) and _ROMAN.fullmatch(numeral) is not None


def roman_value(numeral: str) -> int:
    """Value of a well-formed roman numeral."""
    total, highest = 0, 0
    for letter in reversed(numeral):
        value = _VALUES[letter]
        total += value if value >= highest else -value
        highest = max(highest, value)
    return total


def _words_before(match: re.Match[str]) -> list[str]:
    """Up to three words right in front of the match, nearest last, with no punctuation but abbreviations' stops between."""
    found = re.search(r"((?:(?<![\w])[A-Za-z][A-Za-z'’]{0,24}\.? ){1,3})$", before(match, 80))
    return [word.rstrip(".") for word in found[1].split()] if found else []


def _shouting(match: re.Match[str]) -> bool:
    """Whether an all-capital word near the match shows that capitals mean nothing here."""
    around = before(match, 24) + " " + after(match, 24)
    months = {month.upper() for month in MONTHS}
    for word in _SHOUTED.findall(around):
        if word not in SPELLED and word not in months and re.search("[AEIOUY]", word) and not _ROMAN.fullmatch(word):
            return True
    return False


def rules(style: Style) -> list[Rule]:
    """Rules for words that are not to be said as they are written."""

    def anywhere(match: re.Match[str]) -> str:
        short, words = match["short"], _ANY_CASE[match["short"]]
        return words + "." if short in _STOP_MAY_END and ends_sentence(match) else words

    def bare(match: re.Match[str]) -> str:
        return _BARE[match["short"]]

    def title(match: re.Match[str]) -> str:
        return _TITLES[match["short"]]

    def behind(match: re.Match[str]) -> str | None:
        if not re.search(r"(?:[0-9]|[A-Z][\w'’.&]{0,30}|&|\band),? $", before(match, 36)):
            return None
        return _BEHIND[match["short"]] + ("." if ends_sentence(match) else "")

    def numbered(match: re.Match[str]) -> str:
        return _NUMBERED[match["short"]]

    def street(match: re.Match[str]) -> str | None:
        short, stop = match["short"], match.group().endswith(".")
        saint, road = ("Saint", "Street") if short == "St" else ("Doctor", "Drive")
        name_follows = re.match(rf"{GAP}[A-Z]", after(match, 2)) is not None
        words = _words_before(match)
        place = bool(words) and words[-1][0].isupper() and words[-1].lower() not in FUNCTION_WORDS
        numbered_street = re.search(
            r"[0-9](?:(?:st|nd|rd|th) (?:[A-Z]\w{0,24} )?| (?:[NSEW]\.? )?(?:[A-Z][\w'’]{1,24} ){1,2})$",
            before(match, 70),
        )
        if not stop:
            if name_follows and not numbered_street:
                return saint
            return road if place or numbered_street else None
        starts_sentence = ends_sentence(match)
        if (place or numbered_street) and (not name_follows or numbered_street or starts_sentence):
            return road + ("." if starts_sentence else "")
        return saint + (" " if after(match, 1)[:1].isalnum() else "")

    def initials(match: re.Match[str]) -> str:
        words = " ".join(match["letters"].replace(".", "").replace(" ", ""))
        words = words + "'s" if match["s"] else words
        return words + "." if not match["s"] and match["letters"].endswith(".") and ends_sentence(match) else words

    def acronym(match: re.Match[str]) -> str | None:
        word = match["word"]
        vowelless = not re.search("[AEIOUY]", word) and len(set(word)) > 1 and word not in _NOT_SPELLED
        if not (vowelless or word in SPELLED) or (word in _ALSO_WORDS and _shouting(match)):
            return None
        return letters(word) + ("'s" if match["s"] else "")

    def roman(match: re.Match[str]) -> str | None:
        numeral = match["roman"]
        if not _ROMAN.fullmatch(numeral):
            return None
        value, words = roman_value(numeral), _words_before(match)
        previous = words[-1] if words else ""
        lower = previous.lower()
        if re.match(rf"(?:{GAP}|-)[A-Z](?![\w'’])", after(match, 3)) and len(numeral) == 1:
            return None
        if re.search(r"(?<!\w)[A-Z] $", before(match, 3)):
            return None
        possessive = match["s"] or ""
        named = lower in _RULERS or (len(words) > 1 and words[-2].lower() in _RULERS and previous[:1].isupper())
        throne = len(words) > 1 and words[-2].lower() in _THRONES
        if previous[:1].isupper() and (named or throne) and lower not in _PARTS and value < 40:
            if numeral in ("I", "X") and not (
                throne or re.match(rf"['’]s|[,.;:)]|{GAP}of\b", after(match, 4)) or possessive
            ):
                return None
            if numeral in ("V", "X") and lower == "malcolm":
                return None
            if len(numeral) > 1 or lower in _RULERS or throne:
                return f"the {ordinal(str(value), style)}{possessive}"
        if lower in _PARTS and value < 400 and (len(numeral) < 3 or value < 100):
            if numeral == "I" and not previous[:1].isupper():
                return None
            if numeral in ("CD", "DC", "MC", "C", "D", "M", "L", "CC", "MD") and not (
                lower == "chapter" and numeral in ("L", "C")
            ):
                return None
            return cardinal(str(value), style) + possessive
        if len(numeral) >= 2 and value < 40 and numeral not in ("XX", "XXX"):
            name = previous[:1].isupper() and len(previous) > 1 and previous not in STARTERS
            return cardinal(str(value), style) + possessive if name else None
        if len(numeral) >= 4 and numeral[0] == "M" and 1000 < value < 2100:
            return year(value, style) + possessive
        return None

    def roman_range(match: re.Match[str]) -> str | None:
        a, b = match["a"], match["b"]
        words = _words_before(match)
        if not (_ROMAN.fullmatch(a) and _ROMAN.fullmatch(b) and words):
            return None
        if words[-1].lower().removesuffix("s") not in _PARTS or roman_value(a) >= roman_value(b):
            return None
        return f"{cardinal(str(roman_value(a)), style)} to {cardinal(str(roman_value(b)), style)}"

    anywhere_names = "|".join(
        re.escape(key) for key in sorted(_ANY_CASE, key=len, reverse=True) if key not in _NOT_IN_SMALL
    )
    numbered_names = "|".join(sorted(_NUMBERED, key=len, reverse=True))
    number_follows = rf"(?={GAP}?#?[0-9])"
    roman_follows = rf"(?={GAP}?[IVXLC]{{1,6}}(?!\w))"
    return [
        Rule(
            "initials",
            re.compile(
                r"(?<![\w.])(?P<letters>(?:[A-Z]\.){2,10}(?:[A-Z](?![\w.]))?"
                r"|(?:[A-Z]\. ){1,3}[A-Z]\.(?= [A-Z][a-z]))(?P<s>['’]?s(?!\w))?"
            ),
            initials,
            "A-Z",
        ),
        Rule(
            "abbreviation",
            re.compile(rf"(?<![\w.])(?P<short>[Vv]ol|[Cc]h|[Cc]hap|[Pp]t|[Aa]rt|[Oo]p|[Ff]ig|[Ss]ec)\.{roman_follows}"),
            numbered,
            "A-Za-z",
        ),
        Rule(
            "abbreviation", re.compile(rf"(?<![\w.])(?P<short>{numbered_names})\.{number_follows}"), numbered, "A-Za-z"
        ),
        Rule("abbreviation", re.compile(r"(?<![\w.])(?P<short>Dr|St)(?:\.|(?![\w.'’/&-]))"), street, "DS"),
        Rule("abbreviation", re.compile(rf"(?<![\w.])(?P<short>{anywhere_names})\.(?!\w)"), anywhere, "A-Za-z"),
        Rule("abbreviation", re.compile(rf"(?<![\w.])(?P<short>{'|'.join(_TITLES)})\.(?={GAP}[A-Z])"), title, "A-Z"),
        Rule("abbreviation", re.compile(rf"(?<![\w.])(?P<short>{'|'.join(_BEHIND)})\.(?!\w)"), behind, "A-Z"),
        Rule("abbreviation", re.compile(r"(?<![\w.])(?P<short>Mrs?|MRS?|vs|Jr|Sr|PhD)(?![\w.])"), bare, "MvJSP"),
        Rule(
            "roman",
            re.compile(r"(?<![\w.'’-])(?P<a>[IVXLC]{1,6})[-–](?P<b>[IVXLC]{1,6})(?![\w-])"),
            roman_range,
            "IVXLC",
        ),
        Rule(
            "roman",
            re.compile(r"(?<![\w.'’/&-])(?P<roman>[IVXLCDM]{1,15})(?P<s>['’]s)?(?![\w&/'’]|-[A-Z0-9]|\.[A-Z])"),
            roman,
            "IVXLCDM",
        ),
        Rule(
            "acronym", re.compile(r"(?<![\w'’])(?P<word>[A-Z]{2,6})(?P<s>['’]?s)?(?![\w])(?!['’][a-z])"), acronym, "A-Z"
        ),
    ]
