"""What Chinese, Japanese and Korean texts share in how they write figures: patterns and the small steps around them.

The patterns say what an amount, a date, a time, a phone number or a range looks like; the readers of the three languages say
how each is read. Latin letters touch Han, kana and hangul without a blank, so word boundaries are those of Latin letters.
Every pattern looks at a bounded stretch, or consumes a run of figures possessively.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

GAP = r"[ \u00a0\u202f]"
DASH = r"[-–—−]"
TILDE = r"[~〜～∼]"
COLON = r"[:：]"
TO = rf"(?:{GAP}{{0,2}}(?:{TILDE}|{DASH}){GAP}{{0,2}})"
WHOLE = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,7}(?![0-9])|[0-9]++)"
NUMBER = rf"(?:{WHOLE}(?:\.[0-9]++)?)"
BEGIN = r"(?<![0-9])(?<![0-9][.,])"
SIGN = r"(?:(?<![0-9A-Za-z)\]%.])[-−+±])"
NOT_MORE = r"(?![0-9]|[.,:/][0-9])"
NO_LETTER = r"(?![A-Za-z])"

_MAX_CODE = 16  # digits of the longest number that is read as a number
_VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5),
    "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
}  # fmt: skip
VULGAR = "".join(_VULGAR)

DATE = re.compile(
    rf"{BEGIN}(?P<year>[12][0-9]{{3}})(?P<mark>[-/.])(?P<month>0?[1-9]|1[0-2])(?P=mark)"
    rf"(?P<day>0?[1-9]|[12][0-9]|3[01])(?![0-9]|[-/.][0-9])"
)
MONTH = re.compile(rf"{BEGIN}(?P<year>(?:19|20)[0-9]{{2}})[-/](?P<month>0[1-9]|1[0-2])(?![0-9]|[-/.,:][0-9])")
_CLOCK = r"(?:[01]?[0-9]|2[0-4])"
TIME = re.compile(
    rf"{BEGIN}(?P<hour>{_CLOCK}){COLON}(?P<minute>[0-5][0-9])(?:{COLON}(?P<second>[0-5][0-9]))?"
    rf"(?![0-9]|[:：/.][0-9])(?:{GAP}?(?P<half>[AaPp]\.?[Mm](?:\.|{NO_LETTER})))?"
)
TIMES = re.compile(
    rf"{BEGIN}(?P<hour>{_CLOCK}){COLON}(?P<minute>[0-5][0-9]){TO}(?P<hour2>{_CLOCK}){COLON}(?P<minute2>[0-5][0-9])"
    r"(?![0-9]|[:：/.][0-9])"
)
RATIO = re.compile(
    rf"{BEGIN}(?P<a>[0-9]{{1,4}}(?:\.[0-9]{{1,2}})?){COLON}(?P<b>[0-9]{{1,4}}(?:\.[0-9]{{1,2}})?){NOT_MORE}"
)
FRACTION = re.compile(
    rf"{BEGIN}(?<![0-9]/)(?:(?P<whole>[0-9]{{1,4}}){GAP})?(?P<top>[0-9]{{1,4}})[/⁄](?P<bottom>[1-9][0-9]{{0,3}})(?![0-9/]|[.,:][0-9])"
)
VULGAR_FRACTION = re.compile(rf"(?P<whole>(?<![0-9])[0-9]{{1,4}})?{GAP}?(?P<mark>[{VULGAR}])")
VERSION = re.compile(rf"{BEGIN}(?P<parts>[0-9]{{1,6}}(?:\.[0-9]{{1,6}}){{2,6}})(?!\.?[0-9])")
CHAIN = re.compile(r"(?<![0-9])(?<![0-9]-)(?P<parts>[0-9]{1,5}(?:-[0-9]{1,5}){2,5})(?!-?[0-9])")
WEB = re.compile(
    r"(?<![A-Za-z0-9@.])(?:https?://|www\.)[A-Za-z0-9._~/?#=&%+:@-]{1,2000}+"
    r"|(?<![A-Za-z0-9@.+_-])[A-Za-z0-9][A-Za-z0-9._+-]{0,63}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}(?<![.-])"
    r"|(?<![A-Za-z0-9@.-])[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63}){0,4}"
    r"\.(?:com|org|net|edu|gov|io|cn|jp|kr|tw|hk|ai|dev|app|info)(?![A-Za-z0-9.-]|@)(?:/[A-Za-z0-9._~/?#=&%+-]{0,2000}+)?"
)
_WEB_PIECES = re.compile(r"[A-Za-z]+|[0-9]+|.", re.DOTALL)


def plain(written: str) -> str:
    """A number's digits and decimal point: "1,234.5" -> "1234.5"."""
    return written.replace(",", "")


def is_code(whole: str) -> bool:
    """Whether a run of digits is read digit by digit: a leading zero, or too long to have a name."""
    return len(whole) > _MAX_CODE or (len(whole) > 1 and whole[0] == "0")


def before(match: re.Match[str], width: int = 12) -> str:
    """At most `width` characters in front of the match."""
    return match.string[max(0, match.start() - width) : match.start()]


def after(match: re.Match[str], width: int = 12) -> str:
    """At most `width` characters behind the match."""
    return match.string[match.end() : match.end() + width]


def is_afternoon(half: str | None) -> bool:
    """Whether "pm", "P.M." or None says afternoon."""
    return half is not None and half[0] in "Pp"


def vulgar(mark: str) -> tuple[int, int]:
    """ "¾" -> (3, 4)."""
    return _VULGAR[mark]


def alternatives(names: Iterable[str]) -> str:
    """The inside of a group that matches any of `names`, the longest first."""
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


def below_ten_thousand(digits: str) -> list[int]:
    """Digits in groups of four, the highest first: "123456" -> [12, 3456]."""
    width = -len(digits) % 4 + len(digits)
    digits = digits.rjust(width, "0")
    return [int(digits[at : at + 4]) for at in range(0, width, 4)]


def web_pieces(address: str) -> list[str]:
    """An address without its protocol and last marks, in letters, figures and single marks."""
    address = re.sub(r"^https?://", "", address).rstrip("/.,:?&#=~-+_%@")
    return _WEB_PIECES.findall(address)
