"""Symbols in English: signs, ranges, mathematics, slashes between words, bracketed citations.

A symbol is read where it stands beside a word or number; drawn lines, bullets and runs of the same symbol are left alone.
Citations such as "[12]" or "[3, 5-7]" behind a word of prose are what a narrator skips: they are dropped.
"""

from __future__ import annotations

import re

from lungfish.text.normalise.english_context import GAP, after, apart, before, character_before
from lungfish.text.normalise.rules import Rule

_NAMES = {
    "&": "and", "+": "plus", "=": "equals", "==": "equals", "!=": "does not equal", "≠": "not equal to",
    "≈": "approximately", "≤": "less than or equal to", "<=": "less than or equal to", "≥": "greater than or equal to",
    ">=": "greater than or equal to", "±": "plus or minus", "×": "times", "÷": "divided by", "→": "to", "⇒": "implies",
    "←": "from", "√": "square root of", "∞": "infinity", "π": "pi", "©": "copyright", "®": "registered", "™": "trademark",
    "№": "number", "§": "section", "§§": "sections", "¶": "paragraph", "°": "degrees", "@": "at", "%": "percent",
    "∑": "sum of", "∫": "integral of", "∂": "partial", "∆": "delta", "−": "minus", "⁺": "plus", "⁻": "minus", "∈": "in",
}  # fmt: skip
_ALONE = "≠≈≤≥±×÷→⇒←√∞π©®™№∑∫∂∆∈"  # never decoration
_CURRENCIES = {"€": "euros", "£": "pounds", "¥": "yen", "₹": "rupees", "$": "dollars", "₽": "rubles", "₩": "won"}
_SLASHED = {
    "and/or": "and or", "he/she": "he or she", "she/he": "she or he", "his/her": "his or her", "her/his": "her or his",
    "him/her": "him or her", "her/him": "her or him", "s/he": "she or he", "yes/no": "yes or no",
    "true/false": "true or false", "n/a": "N A",
    "c/o": "care of", "b/c": "because", "w/o": "without", "either/or": "either or",
}  # fmt: skip
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]{0,6}"
_NUMBER_ON_THE_LEFT = re.compile(
    r"(?:[0-9](?:[%°'’′″\"€$£¥²³]|°[CF]|[A-Za-z]{1,3}|[ \u00a0]?[apAP]\.?[mM]\.?)?|[½⅓⅔¼¾])(?P<gap>[ \u00a0\u202f]?)$"
)


def _left(match: re.Match[str]) -> str:
    return before(match, 2).rstrip(" \u00a0\u202f")[-1:]


def _right(match: re.Match[str]) -> str:
    return after(match, 2).lstrip(" \u00a0\u202f")[:1]


def _right_blank(match: re.Match[str]) -> bool:
    return after(match, 1).isspace()


def _beside_word(match: re.Match[str]) -> bool:
    return _left(match).isalnum() or _right(match).isalnum()


def rules() -> list[Rule]:
    """Rules for symbols; they come after those for numbers with symbols (money, phones, dates)."""

    def in_front(match: re.Match[str], words: str) -> str:
        words = apart(match, words)
        return words if words.endswith(" ") or _right_blank(match) else words + " "

    def dash(match: re.Match[str]) -> str | None:
        left = _NUMBER_ON_THE_LEFT.search(before(match, 12))
        if left is None:
            return None
        spaced = bool(left["gap"])
        if spaced != bool(match["gap"]) or (spaced and match["dash"] == "—"):
            return None
        minus = spaced and match["dash"] == "-" and re.match(r"[0-9.,]{1,12} ?=", after(match, 16)) is not None
        return ("" if spaced else " ") + ("minus " if minus else "to ")

    def date_dash(match: re.Match[str]) -> str | None:
        return " to " if re.search("(?:[0-9]|[0-9](?:st|nd|rd|th))$", before(match, 3)) else None

    def sign(match: re.Match[str]) -> str | None:
        left = character_before(match)
        if left and not left.isspace() and left not in "([{<,;:=*/^\"'“‘~≈±×÷":
            return None
        return "minus "

    def named(match: re.Match[str]) -> str | None:
        return apart(match, _NAMES[match.group()]) if _beside_word(match) else None

    def always(match: re.Match[str]) -> str:
        return apart(match, _NAMES[match.group()])

    def pluses(match: re.Match[str]) -> str:
        return apart(match, "plus plus")

    def comparison(match: re.Match[str]) -> str:
        return in_front(match, "less than" if match.group()[0] == "<" else "greater than")

    def variables(match: re.Match[str]) -> str | None:
        return comparison(match) if re.search(r"(?:^|\W)[A-Za-z] $", before(match, 3)) else None

    def heart(match: re.Match[str]) -> str:
        return "heart"

    def hash_number(match: re.Match[str]) -> str:
        return in_front(match, "number")

    def sharp(match: re.Match[str]) -> str:
        return " sharp"

    def star(match: re.Match[str]) -> str | None:
        return apart(match, "times") if _left(match).isdigit() and _right(match).isdigit() else None

    def about(match: re.Match[str]) -> str:
        return in_front(match, "about")

    def currency(match: re.Match[str]) -> str:
        return _CURRENCIES[match.group()]

    def slashed(match: re.Match[str]) -> str | None:
        return _SLASHED.get(match.group().lower())

    def with_(match: re.Match[str]) -> str:
        return apart(match, "with")

    def slash(match: re.Match[str]) -> str | None:
        if _left(match).isdigit() and _right(match).isdigit() and character_before(match).isspace():
            return "divided by"
        left, right = character_before(match), after(match, 1)
        if left == "s" and re.match(r"(?:day|week|month|year|hour|minute|second|night|person)(?!\w)", after(match, 8)):
            return " per "
        return " slash " if left.isalnum() and right.isalnum() else None

    def power(match: re.Match[str]) -> str:
        words = {"2": "squared", "3": "cubed"}.get(match["exponent"] or "")
        return apart(match, words) if words else " to the power of "

    def citation(match: re.Match[str]) -> str | None:
        left = before(match, 4)
        if not re.search(r"(?:[^\W\d_]{3}|[.,;:!?\"”’)\]])$", left):
            return None
        return ""

    def opposite(match: re.Match[str]) -> str:
        return apart(match, "minus")

    numbers = r"[1-9][0-9]{0,2}"
    amount = r"(?=[$€£¥]?\.?[0-9])"
    return [
        Rule(
            "citation",
            re.compile(
                rf" ?\[{numbers}(?:(?:, ?|[-–]){numbers}){{0,8}}\](?![\w(\[=.]|\.\w)"
                rf"|(?<=[^\W\d_]) ?\[{numbers}\](?=\.(?:\s|$))"
            ),
            citation,
            r" \[",
        ),
        Rule(
            "slash",
            re.compile(
                r"(?<![\w/])(?:and/or|either/or|s?he/s?he|(?:his|her|him)/(?:her|his|him)|yes/no|true/false|n/a|c/o|b/c|w/o)(?![\w/])",
                re.IGNORECASE,
            ),
            slashed,
            "A-Za-z",
        ),
        Rule("slash", re.compile(r"(?<![\w/])w/(?=[ a-z0-9])(?![a-z]/)"), with_, "w"),
        Rule("range", re.compile(rf"(?P<dash>[-–—])(?P<gap>{GAP}?){amount}"), dash, "-–—"),
        Rule("range", re.compile(rf"[-–—](?={_MONTH}\.? [0-9])"), date_dash, "-–—"),
        Rule("minus", re.compile(rf"[-–−]{amount}"), sign, "-–−"),
        Rule("minus", re.compile(rf"−(?={GAP}?\w)"), opposite, "−"),
        Rule("plus", re.compile(r"(?<=[A-Za-z])\+\+(?!\+)"), pluses, "+"),
        Rule("plus", re.compile(r"(?<!\+)\+(?!\+)"), named, "+"),
        Rule("equals", re.compile(r"(?<![=<>!])(?:!=|<=|>=|={1,2})(?![=>])"), named, "!<>="),
        Rule("heart", re.compile(r"(?<=[a-z] )<3(?![0-9.,])|(?<=I )<3(?![0-9.,])"), heart, "<"),
        Rule("comparison", re.compile(rf"[<>](?={GAP}?[-−$€£]?\.?[0-9])"), comparison, "<>"),
        Rule("comparison", re.compile(r"(?<=[A-Za-z] )[<>](?= [A-Za-z](?!\w))"), variables, "<>"),
        Rule("number sign", re.compile(r"(?<![\w&#])#(?=[0-9])"), hash_number, "#"),
        Rule("sharp", re.compile(r"(?<![^\W_]{2})(?<=[A-G])#(?![\w#])"), sharp, "#"),
        Rule("times", re.compile(r"(?<!\*)\*(?!\*)"), star, "*"),
        Rule("about", re.compile(rf"(?<![\w~])~(?={GAP}?[$€£]?\.?[0-9])"), about, "~"),
        Rule("power", re.compile(r"(?<=\w)\^(?:(?P<exponent>[23])(?![\w.])|(?=[\w(-]))"), power, r"\^"),
        Rule("slash", re.compile(r"(?<!/)/(?!/)"), slash, "/"),
        Rule("and", re.compile(r"(?<!&)&(?![&#]|[a-z]{1,8};)"), named, "&"),
        Rule("section", re.compile(r"§{1,2}|¶"), named, "§¶"),
        Rule("symbol", re.compile(r"(?<![@%°])[@%°](?![@%°])"), named, "@%°"),
        Rule("symbol", re.compile(f"[{_ALONE}]"), always, _ALONE),
        Rule("currency", re.compile(r"(?:(?<=\s)|(?<=\())[€£¥₹$₽₩](?=[\s.,;:)])"), currency, "€£¥₹$₽₩"),
    ]
