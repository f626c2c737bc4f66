"""Web and mail addresses, handles and hashtags of the European languages.

The scheme of an address is dropped and its marks are named; what looks like a word is said as one, the rest by letters.
"""

from __future__ import annotations

import re

from lungfish.text.normalise.european_language import Language, apart, spelled, whole_words
from lungfish.text.normalise.rules import Rule

_TOKENS = re.compile(r"[^\W\d_]+|[0-9]+|\s+|.", re.DOTALL)
_CAMEL = re.compile(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Ý])|(?<=[A-Z])(?=[A-Z][a-z])")
_VOWEL = re.compile("[aeiouyà-ÿ]", re.IGNORECASE)
_SPELLED = frozenset(["html", "edu", "url", "api", "faq", "usa"])
_LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
_DOMAINS = (
    r"com|org|net|edu|gov|info|biz|io|dev|app|ai|eu|de|at|ch|li|fr|be|lu|es|mx|ar|cl|pe|it|pt|br|co|uk|tv|me|xyz|museum"
)
_TRAILING = ".,;:!?'\"”’»)]}>*"
_LONGEST_NUMBER = 4


def spoken_token(language: Language, token: str) -> str:
    """Everything in an address, mark by mark."""
    words = []
    for piece in _TOKENS.findall(token):
        if piece.isspace():
            continue
        if piece.isdecimal() and piece.isascii():
            words.append((whole_words if len(piece) <= _LONGEST_NUMBER else spelled)(language, piece))
        elif piece in language.marks:
            words.append(language.marks[piece])
        elif piece.isalpha():
            words.append(piece if _looks_like_word(piece.lower()) else " ".join(piece))
        else:
            words.append(piece)
    return " ".join(words)


def _looks_like_word(word: str) -> bool:
    return len(word) > 2 and _VOWEL.search(word) is not None and word not in _SPELLED


def rules(language: Language) -> list[Rule]:
    """Rules for addresses; they come before all others."""

    def web(match: re.Match[str]) -> str | None:
        body = match.group()[len(match["scheme"]) :]
        kept = body.rstrip(_TRAILING)
        if not kept:
            return None
        return apart(match, spoken_token(language, kept.removesuffix("/") or kept) + body[len(kept) :])

    def mail(match: re.Match[str]) -> str:
        return apart(match, spoken_token(language, match["address"]))

    def handle(match: re.Match[str]) -> str:
        return apart(match, f"{language.marks['@']} {spoken_token(language, match['name'])}")

    def hashtag(match: re.Match[str]) -> str:
        words = (spoken_token(language, _CAMEL.sub(" ", part)) for part in match["tag"].split("_") if part)
        return apart(match, "hashtag " + " ".join(words))

    rest = r"(?:(?::[0-9]{1,5})?(?:[/?#][^\s<>\"“”«»]*+)?)"
    domain = rf"(?:{_LABEL}\.){{1,8}}(?:{_DOMAINS})(?![\w-]|\.[a-z])"
    return [
        Rule("web", re.compile(r"(?<![^\W_])(?P<scheme>(?:https?|ftp)://)[^\s<>\"“”«»]++", re.IGNORECASE), web, "hHfF"),
        Rule("web", re.compile(r"(?<![\w.@])(?P<scheme>)www\.[^\s<>\"“”«»]++", re.IGNORECASE), web, "wW"),
        Rule(
            "mail",
            re.compile(
                rf"(?<![\w.+@-])(?:mailto:)?(?P<address>[\w.+-]{{1,64}}+@(?:{_LABEL}\.){{1,8}}[A-Za-z]{{2,12}})(?![\w@])"
            ),
            mail,
            "A-Za-z0-9",
        ),
        Rule("web", re.compile(rf"(?<![\w.@/-])(?P<scheme>){domain}{rest}"), web, "A-Za-z0-9"),
        Rule("handle", re.compile(r"(?<![\w.@])@(?P<name>[A-Za-z_]\w{0,60})(?!\w)"), handle, "@"),
        Rule("hashtag", re.compile(r"(?<![\w&#])#(?P<tag>(?:[^\W\d_]|[0-9]{1,8}[^\W\d_])\w{0,100}+)"), hashtag, "#"),
    ]
