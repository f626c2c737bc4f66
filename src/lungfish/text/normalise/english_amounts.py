"""What an amount looks like in a text, and its words: the base of money, units and plain numbers in English."""

from __future__ import annotations

import re

from lungfish.text.normalise.english_context import GAP
from lungfish.text.normalise.english_numbers import ONES, Style, cardinal, decimal, fraction, run_of_digits

_VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5),
    "⅙": (1, 6), "⅚": (5, 6), "⅐": (1, 7), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8), "⅑": (1, 9), "⅒": (1, 10),
}  # fmt: skip
VULGAR = "".join(_VULGAR)
THOUSANDS = (
    r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,11}"  # 1,084
    r"|[0-9]{1,2}(?:,[0-9]{2}){1,5},[0-9]{3}"  # 12,34,567
    r"|[0-9]{1,3}(?:[\u00a0\u202f\u2009'’_][0-9]{3}){1,11}"  # 1 000 with a space that does not break, 1'000, 1_000
    r"|(?<![0-9][ .,])[1-9][0-9]?(?: [0-9]{3}){2,11}(?! [0-9])"  # 1 234 567
    r"|(?<![0-9][ .,])[1-9][0-9]{0,2}(?: [0-9]{3}){0,10} 000(?! [0-9])"  # 10 000
    r"|[0-9]{1,3}(?:\.[0-9]{3}){2,11}(?!\.[0-9]))(?![0-9])"  # 1.234.567
)
NUMBER = rf"(?:(?:{THOUSANDS}|[0-9]++)(?:\.[0-9]++)?|(?<![\w.])\.[0-9]++)"
AMOUNT = rf"(?:(?:[0-9]{{1,4}}{GAP}?)?[{VULGAR}]|[0-9]{{1,4}}(?:{GAP}[0-9]{{1,2}})?[/⁄][0-9]{{1,3}}(?![0-9/])|{NUMBER})"
BEGIN = r"(?<![0-9])(?<![0-9][.,])"


def plain(written: str) -> str:
    """A number's digits and decimal point alone: "1 234.5" -> "1234.5"."""
    if written.count(".") > 1:  # full stops as thousands separators
        written = written.replace(".", "")
    return re.sub(r"[^0-9.]", "", written)


def number_words(written: str, style: Style) -> str:
    """Any number that `NUMBER` matches."""
    digits = plain(written)
    whole, point, places = digits.partition(".")
    if point:
        return decimal(whole, places, style)
    return cardinal(digits, style) if digits != written else run_of_digits(digits, style)


def amount_words(written: str, style: Style) -> tuple[str, bool]:
    """Words of what `AMOUNT` matched, and whether one thing is meant: "1", "1/2", "½"."""
    if written[-1] in _VULGAR:
        whole, parts = written[:-1].strip(), _VULGAR[written[-1]]
    elif "/" in written or "⁄" in written:
        head, bottom = re.split(r"[/⁄]", written)
        pieces = re.split(GAP, head)
        whole, parts = (pieces[0] if len(pieces) > 1 else ""), (int(pieces[-1]), int(bottom))
    else:
        return number_words(written, style), written == "1"
    words = fraction(*parts, style) if parts[1] > 1 else f"{cardinal(str(parts[0]), style)} over {ONES[parts[1]]}"
    if not whole:
        return words, True
    return f"{cardinal(whole, style)} and {'a' + words[3:] if parts[0] == 1 else words}", False
