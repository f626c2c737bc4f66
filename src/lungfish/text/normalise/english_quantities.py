"""Plain numbers, percentages, units, fractions, ordinals and ranges in English.

A fraction is what a narrator would take it for: halves, thirds and so on up to sixty-fourths of rulers and recipes, a
numerator of one, or whatever "of" follows, are fractions; other pairs of which the first is not larger are scores
("2/50 HP" two out of fifty, "7/10" seven out of ten); the rest is "over" ("22/7" twenty-two over seven). The last rules
here read every ASCII digit that no other rule wanted, so that none is left.
"""

from __future__ import annotations

import re
import unicodedata

from lungfish.text.normalise.english_amounts import (
    AMOUNT,
    BEGIN,
    NUMBER,
    THOUSANDS,
    VULGAR,
    amount_words,
    number_words,
    plain,
)
from lungfish.text.normalise.english_context import (
    GAP,
    after,
    apart,
    before,
    character_before,
    counts_things,
    describes,
    next_word,
    previous_word,
)
from lungfish.text.normalise.english_numbers import (
    Style,
    cardinal,
    make_plural,
    name_number,
    ordinal,
    run_of_digits,
    two_digits,
    year,
)
from lungfish.text.normalise.english_units import (
    SCALE,
    SCALES,
    UNIT,
    unit_words,
)
from lungfish.text.normalise.english_years import reads_as_year
from lungfish.text.normalise.rules import Rule
from lungfish.text.normalise.word_lists import word_set

_RULERS = (2, 3, 4, 5, 6, 8, 16, 32, 64)
_FIXED_SLASHES = {
    "24/7": "twenty-four seven",
    "9/11": "nine eleven",
    "50/50": "fifty-fifty",
    "20/20": "twenty twenty",
    "401(k)": "four oh one K",
}
_NAMED_THINGS = word_set(
    "boeing airbus flight room route highway interstate fahrenheit suite apartment channel bus train area studio gate "
    "peugeot porsche extension ext apt model rtx gtx"
)
_VERSIONED = word_set(
    "version versions v python release ubuntu django node android ios macos windows java php ruby rust go kernel linux "
    "firmware postgres postgresql mysql cuda pytorch section sections figure fig rev revision"
)
_K_THINGS = word_set("run race runner video display monitor tv television resolution screen uhd footage camera")
_LABELED = word_set("room apartment seat gate unit apt flat block floor suite row section form figure table exit bus")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")


def rules(style: Style) -> list[Rule]:
    """Rules for quantities; the last ones take every digit that is left."""

    def percent(match: re.Match[str]) -> str:
        words, _ = amount_words(match["number"], style)
        return apart(match, f"{words} {'percent' if match['sign'] == '%' else 'per mille'}")

    def degrees_of_arc(match: re.Match[str]) -> str:
        words = f"{number_words(match['degrees'], style)} degrees"
        if match["minutes"]:
            words += f" {number_words(match['minutes'], style)} minutes"
        if match["seconds"]:
            words += f" {number_words(match['seconds'], style)} seconds"
        side = {"N": "north", "S": "south", "E": "east", "W": "west", "": ""}[match["side"] or match["only"] or ""]
        return apart(match, f"{words} {side}".rstrip())

    def height(match: re.Match[str]) -> str:
        feet = number_words(match["feet"], style)
        inches, _ = amount_words(match["inches"], style)
        return apart(match, f"{feet} foot {inches}")

    def prime(match: re.Match[str]) -> str | None:
        quotes = before(match, 300)
        if (match["mark"] == '"' and quotes.count('"') % 2) or match["mark"] == "”":
            return None
        words, one = amount_words(match["number"], style)
        name = ("inch", "inches") if match["mark"] in ('"', "″") else ("foot", "feet")
        return apart(match, f"{words} {name[0 if one else 1]}")

    def unit(match: re.Match[str]) -> str:
        words, one = amount_words(match["number"], style)
        one = (one and character_before(match) not in ("-", "–")) or describes(match)
        return apart(match, words + unit_words(match, one=one))

    def scaled(match: re.Match[str]) -> str | None:
        number, scale = match["number"], match["scale"]
        if scale in ("m", "t", "b", "T"):  # meters, tons, bits: `SCALES` has them for money
            return None
        follows = next_word(after(match)).lower()
        if scale in ("K", "k") and (
            follows in _K_THINGS or (scale == "K" and number in ("2", "4", "5", "8", "10", "16"))
        ):
            return None
        if scale in ("M", "B") and "." not in number and not counts_things(after(match)):
            previous = previous_word(match)
            if match.group() == "3M" or previous[:1].isupper() or previous in _LABELED:
                return None  # the company, "Room 5B", "seat 12B"
        return apart(match, f"{number_words(number, style)} {SCALES[scale]}")

    def times(match: re.Match[str]) -> str:
        return apart(
            match, f"{amount_words(match['number'], style)[0]} {'time' if match['number'] == '1' else 'times'}"
        )

    def by(match: re.Match[str]) -> str:
        words, one = amount_words(match["number"], style)
        if re.fullmatch(r"[0-9]{4}", match["number"]) and "1000" <= match["number"] <= "2099" and not match["size"]:
            words = year(int(match["number"]), style)
        if match["size"]:
            words += unit_words(match, one=one)
        product = match["mark"] == "×" and "=" in after(match, 12)
        blank = " " if match.group()[-1].isspace() or match["mark"] == "×" else ""  # else the next number brings it
        return apart(match, words).rstrip() + (" times" if product else " by") + blank

    def several(match: re.Match[str]) -> str:
        return " " + make_plural(two_digits(int(match.group()[:-1])))

    def fixed_slash(match: re.Match[str]) -> str:
        return apart(match, _FIXED_SLASHES[match.group()])

    def parts(match: re.Match[str]) -> str | None:
        top, bottom, whole = int(match["top"]), int(match["bottom"]), match["whole"]
        if bottom < 2 and whole:
            return None
        rest = next_word(after(match)).lower()
        ruler = bottom in _RULERS and (top < bottom or (bottom <= 4 and not whole and top != bottom))
        if whole or ruler or top == 1 < bottom or (rest == "of" and bottom > 1):
            return apart(match, amount_words(match.group(), style)[0])
        joint = "out of" if top <= bottom else "over"
        return apart(match, f"{cardinal(match['top'], style)} {joint} {cardinal(match['bottom'], style)}")

    def vulgar(match: re.Match[str]) -> str:
        return apart(match, amount_words(match.group(), style)[0])

    def nth(match: re.Match[str]) -> str:
        return apart(match, ordinal(plain(match["number"]), style))

    def scientific(match: re.Match[str]) -> str:
        number, power = number_words(match["number"], style), match["power"]
        sign = "minus " if power[0] == "-" else ""
        return apart(match, f"{number} times ten to the power of {sign}{cardinal(power.lstrip('+-'), style)}")

    def power(match: re.Match[str]) -> str:
        exponent = (match["high"] or match["power"]).translate(_SUPERSCRIPTS)
        base = number_words(match["number"], style)
        if exponent in ("2", "3"):
            return apart(match, f"{base} {'squared' if exponent == '2' else 'cubed'}")
        sign = "minus " if exponent[0] == "-" else ""
        return apart(match, f"{base} to the power of {sign}{cardinal(exponent.lstrip('+-'), style)}")

    def ratio(match: re.Match[str]) -> str:
        return apart(match, number_words(match["number"], style)).rstrip() + " to"

    return [
        Rule("plural", re.compile(r"(?<=[0-9]x)[0-9]{1,2}s(?!\w)"), several, "0-9"),
        Rule(
            "slash",
            re.compile(r"(?<![\w/.,])(?:24/7|9/11|50/50|20/20|401\(k\))(?![\w/]|[.,][0-9])"),
            fixed_slash,
            "0-9",
        ),
        Rule("percent", re.compile(rf"{BEGIN}(?P<number>{AMOUNT}){GAP}?(?P<sign>[%％‰])"), percent, f"0-9.{VULGAR}"),
        Rule(
            "arc",
            re.compile(
                rf"{BEGIN}(?P<degrees>{NUMBER})°{GAP}?(?:(?P<minutes>[0-9]{{1,2}}(?:\.[0-9]{{1,6}})?)[′']{GAP}?"
                rf"(?:(?P<seconds>[0-9]{{1,2}}(?:\.[0-9]{{1,6}})?)[″\"]{GAP}?)?(?P<side>[NSEW]?(?!\w))|(?P<only>[NSEW](?!\w)))"
            ),
            degrees_of_arc,
            "0-9.",
        ),
        Rule(
            "height",
            re.compile(rf"{BEGIN}(?P<feet>[0-9]{{1,2}})['’′]{GAP}?(?P<inches>{AMOUNT})(?:[\"″”]|''|’’)"),
            height,
            "0-9",
        ),
        Rule(
            "prime",
            re.compile(
                rf"{BEGIN}(?P<number>{AMOUNT})(?P<mark>[′″]|\"(?!\w)|['’](?={GAP}?[x×]{GAP}?[0-9]|{GAP}(?:tall|high|long|wide|deep)\b))"
            ),
            prime,
            f"0-9.{VULGAR}",
        ),
        Rule(
            "dimensions",
            re.compile(
                rf"{BEGIN}(?P<number>{AMOUNT})(?P<size>(?!{GAP}?x){UNIT})?{GAP}?(?P<mark>[x×]){GAP}?(?=\.?[0-9{VULGAR}])"
            ),
            by,
            f"0-9.{VULGAR}",
        ),
        Rule(
            "times", re.compile(rf"{BEGIN}(?P<number>{AMOUNT})(?:[x]|{GAP}?×)(?![^\W_]|['’])"), times, f"0-9.{VULGAR}"
        ),
        Rule("scale", re.compile(rf"{BEGIN}(?P<number>{NUMBER})(?P<scale>{SCALE})(?![^\W_])"), scaled, "0-9."),
        Rule("unit", re.compile(rf"{BEGIN}(?P<number>{AMOUNT}){UNIT}"), unit, f"0-9.{VULGAR}"),
        Rule(
            "fraction",
            re.compile(
                rf"{BEGIN}(?<![/⁄])(?:(?P<whole>[0-9]{{1,4}}){GAP})?(?P<top>[0-9]{{1,4}})[/⁄](?P<bottom>[0-9]{{1,4}})(?![\w/⁄]|[.,][0-9])"
            ),
            parts,
            "0-9",
        ),
        Rule("fraction", re.compile(rf"{BEGIN}(?:[0-9]{{1,4}}{GAP}?)?[{VULGAR}]"), vulgar, f"0-9{VULGAR}"),
        Rule(
            "ordinal",
            re.compile(rf"{BEGIN}(?P<number>{THOUSANDS}|[0-9]++)(?:st|nd|rd|th|ST|ND|RD|TH)(?![^\W_])"),
            nth,
            "0-9",
        ),
        Rule(
            "power",
            re.compile(rf"{BEGIN}(?P<number>{NUMBER})[eE](?P<power>[+-]?[0-9]{{1,2}})(?![\w]|\.[0-9])"),
            scientific,
            "0-9.",
        ),
        Rule(
            "power",
            re.compile(
                rf"{BEGIN}(?P<number>{NUMBER})(?:(?P<high>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,4}})|\^(?P<power>[+-]?[0-9]{{1,4}}))(?![0-9])"
            ),
            power,
            "0-9.",
        ),
        Rule("ratio", re.compile(rf"{BEGIN}(?<!:)(?P<number>{NUMBER}):(?=[0-9])"), ratio, "0-9."),
    ]


def last_rules(style: Style) -> list[Rule]:
    """Rules for the numbers that nothing else wanted."""

    def number(match: re.Match[str]) -> str:
        written, previous = match.group(), previous_word(match).lower()
        if re.fullmatch(r"[0-9]++\.[0-9]{1,3}", written) and (previous in _VERSIONED or before(match, 1) == "v"):
            whole, places = written.split(".")
            return apart(match, f"{run_of_digits(whole, style)} point {run_of_digits(places, style)}")
        if previous in _NAMED_THINGS and re.fullmatch(r"[0-9]{3,4}", written):
            return apart(match, name_number(written))
        if reads_as_year(match):
            return apart(match, year(int(written), style))
        return apart(match, number_words(written, style))

    def other_digits(match: re.Match[str]) -> str:
        digits = "".join(str(unicodedata.decimal(character)) for character in match.group())
        return apart(match, run_of_digits(digits, style))

    def raised(match: re.Match[str]) -> str:
        return {"²": " squared", "³": " cubed"}[match.group()]

    return [
        Rule("number", re.compile(rf"{BEGIN}{NUMBER}"), number, "0-9."),
        Rule("number", re.compile(r"[0-9]++"), number, "0-9"),
        Rule("number", re.compile(r"(?:(?![0-9])\d){1,64}"), other_digits, r"\d"),
        Rule("power", re.compile(r"(?<=[^\W\d_²³])[²³](?!\w)"), raised, "²³"),
    ]
