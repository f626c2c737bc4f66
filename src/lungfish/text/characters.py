"""Single characters made plain: what nobody sees goes, what only looks different becomes the ordinary character.

invisible    control, bidi and zero-width marks, soft hyphens, variation selectors, private-use characters: removed
blanks       every kind of blank is a space, every kind of line break is \\n
folding      full-width and fancy letters, ligatures, enclosed and Roman numerals, half-width kana: plain ones; accents
             are composed. Kept, since readers read them or they mean something: ½ ² ™ ° №, punctuation of Chinese and
             Japanese
emoji        dropped or named (the `emoji` package); text symbols such as ™ and → are none unless drawn as pictures
quotes       curly ones are straight; « » stay
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from lungfish.text.traced import TracedText

EMOJI_LANGUAGES = ("ar", "de", "en", "es", "fa", "fr", "id", "it", "ja", "ko", "pt", "ru", "tr", "zh")

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff0-\ufffb\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
_LINE = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_BLANK = re.compile("[\t\x1c-\x1f\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u3164\uffa0]")
_KEPT_WIDE = "！（），：；？［］｛｝～"  # punctuation of Chinese and Japanese
_FOLDED = re.compile(
    rf"[\u2126\u212a\u212b\u2160-\u2188\u2460-\u24ff\u2776-\u2793\u3220-\u3243\u3250-\u32fe\uf900-\ufaff\ufb00-\ufb4f"
    rf"\uff65-\uff9f\U0001d400-\U0001d7ff\U0001f100-\U0001f10c]+|[\uff01-\uff64](?<![{_KEPT_WIDE}、。「」])"
)
_MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\u3099\u309a\ufe20-\ufe2f"
_ACCENTED = re.compile(rf"[^\W\d_]?[{_MARKS}]++|[\u1100-\u11ff]{{2,3}}|[\uac00-\ud7a3][\u11a8-\u11c2]")
_MOST_MARKS = 3
_PICTURE = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u25aa-\u27bf\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001faff]"
)
_STYLE = "(?:\ufe0f|[\U0001f3fb-\U0001f3ff])?"
_EMOJI = re.compile(
    f"[\U0001f1e6-\U0001f1ff]{{2}}|[0-9#*]\ufe0f?\u20e3|\U0001f3f4[\U000e0020-\U000e007f]{{2,8}}"
    f"|{_PICTURE}{_STYLE}(?:\u200d{_PICTURE}{_STYLE}){{0,8}}\ufe0f?"
)
_FIRST_PICTURE = "\u2600"  # characters before it are text unless a selector says that they are pictures
_ALWAYS_TEXT = "©®™"
_DOUBLE, _SINGLE = re.compile("[“”„‟]"), re.compile("[‘’‚‛]")


def plain_characters(text: TracedText, emoji: Literal["drop", "name"], language: str | None) -> TracedText:
    """`text` of plain characters only.

    Args:
        text: anything.
        emoji: drop them, or name them.
        language: of the names; another than `EMOJI_LANGUAGES`, or None: English.
    """
    text = text.sub(_EMOJI, lambda match: _emoji(match.group(), emoji, language))
    text = text.sub(_LINE, "\n").sub(_BLANK, " ").sub(_INVISIBLE, "")
    text = text.sub(_FOLDED, lambda match: unicodedata.normalize("NFKC", match.group()))
    text = text.sub(_ACCENTED, _composed)
    return text.sub(_DOUBLE, '"').sub(_SINGLE, "'")


def _emoji(cluster: str, what: str, language: str | None) -> str | None:
    first = cluster[0]
    pictured = "\ufe0f" in cluster or "\u20e3" in cluster or first >= _FIRST_PICTURE
    if not pictured or first in _ALWAYS_TEXT:
        return None
    if what == "drop":
        return " "
    import emoji

    name = (language or "en").split("-")[0].lower()
    named = emoji.demojize(cluster, language=name if name in EMOJI_LANGUAGES else "en", delimiters=(" ", " "))
    if named == cluster:
        return " "
    return re.sub(r"[\s_]+", " ", re.sub(f"{_PICTURE}|[\ufe0f\u200d\U0001f3fb-\U0001f3ff]", "", named))


def _composed(match: re.Match[str]) -> str:
    """Accents composed with their letter, a few at most; marks without a letter go."""
    found = match.group()
    if unicodedata.combining(found[0]):
        return ""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", found)[: 1 + _MOST_MARKS])
