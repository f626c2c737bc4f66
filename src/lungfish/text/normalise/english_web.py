"""Web and mail addresses, paths, file names, handles and hashtags in English.

The scheme of an address is dropped, its marks are named ("dot", "slash"), and its words are said as words where they look
like some ("example", "org") and by letters where not ("www", "html"). Nothing else of an address is left out.
"""

from __future__ import annotations

import re

from lungfish.text.normalise.english_codes import has_vowel, letters
from lungfish.text.normalise.english_context import apart
from lungfish.text.normalise.english_numbers import name_number, spelled_digits
from lungfish.text.normalise.rules import Rule
from lungfish.text.normalise.word_lists import word_list, word_set

MARKS = {
    ".": "dot", "/": "slash", "-": "dash", "_": "underscore", "@": "at", ":": "colon", "?": "question mark", "=": "equals",
    "&": "and", "#": "hash", "%": "percent", "+": "plus", "~": "tilde", "\\": "backslash", ",": "comma", ";": "semicolon",
    "!": "exclamation mark", "*": "star", "$": "dollar", "(": "open paren", ")": "close paren", "[": "open bracket",
    "]": "close bracket", "'": "apostrophe", "|": "bar", "^": "caret", "{": "open brace", "}": "close brace", '"': "quote",
    "<": "less than", ">": "greater than", "`": "backtick",
}  # fmt: skip
_SHORT_WORDS = word_set(
    "am an as at be by do go he co hi if in is it me my no of oh ok on or so to up us we the and for"
)
_SPELLED = word_set("edu api faq url ui ux id io ai asp usa")
_TOKENS = re.compile(r"[^\W\d_]+|[0-9]+|\s+|.", re.DOTALL)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_DOMAINS = (
    r"com|org|net|edu|gov|mil|int|io|dev|ai|app|info|biz|co\.uk|ac\.uk|co\.jp|com\.au|co|eu|de|fr|uk|jp|cn|ch|nl|ru|ca"
    r"|tv|fm|gg|xyz|me"
)
_FILES = word_list(
    "7z aac avi bak bash bat bin bmp c cc cfg conf cpp cs css csv dat db dll doc docx exe flac gif go gz h hpp "
    "htm html ico ini ipynb iso jar java jpeg jpg js json jsx key kt lock log lua m4a md mkv mov mp3 mp4 npy npz "
    "ogg onnx opus pdf php pkl png ppt pptx ps1 pt pth py pyi r rar rb rs rst rtf safetensors sh sql srt svg "
    "swift tar tex tgz toml ts tsv tsx ttf txt wasm wav webm webp xls xlsx xml yaml yml zip"
)
_LABEL = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
_TRAILING = ".,;:!?'\"”’»)]}>*"


def spoken_token(token: str) -> str:
    """Everything in an address or file name, mark by mark: "a_b.txt" -> "a underscore b dot t x t"."""
    words = []
    for piece in _TOKENS.findall(token):
        if piece.isspace():
            continue
        if piece.isdecimal() and piece.isascii():
            words.append(name_number(piece) if len(piece) <= 4 else spelled_digits(piece).replace(",", ""))
        elif piece in MARKS:
            words.append(MARKS[piece])
        elif piece.isalpha() and piece.isascii():
            words.append(piece if _looks_like_word(piece.lower()) else letters(piece))
        else:
            words.append(piece)
    return " ".join(words)


def _looks_like_word(word: str) -> bool:
    if word in _SPELLED:
        return False
    return word in _SHORT_WORDS or (len(word) > 2 and has_vowel(word))


def _camel(words: str) -> str:
    return _CAMEL.sub(" ", words)


def rules() -> list[Rule]:
    """Rules for addresses; they come before all rules for numbers and symbols."""

    def web(match: re.Match[str]) -> str | None:
        address = match.group()
        body = address[len(match["scheme"] or "") :]
        kept = body.rstrip(_TRAILING)
        if body[len(kept) : len(kept) + 1] == ")" and kept.count("(") > kept.count(")"):
            kept += ")"
        if not kept:
            return None
        tail = body[len(kept) :]
        return apart(match, spoken_token(kept[:-1] if kept.endswith("/") and len(kept) > 1 else kept) + tail)

    def mail(match: re.Match[str]) -> str:
        return apart(match, spoken_token(match["address"]))

    def name(match: re.Match[str]) -> str | None:
        if len(match.group()) == 3 and match.group()[1] == ".":  # "a.c" is an abbreviation
            return None
        return apart(match, spoken_token(match.group()))

    def handle(match: re.Match[str]) -> str:
        return apart(match, "at " + spoken_token(match["name"]))

    def hashtag(match: re.Match[str]) -> str:
        tag = " ".join(spoken_token(_camel(part)) for part in match["tag"].split("_") if part)
        return apart(match, f"hashtag {tag}")

    rest = r"(?:(?::[0-9]{1,5})?(?:[/?#][^\s<>\"“”]*+)?)"
    domain = rf"(?:{_LABEL}\.){{1,8}}(?:{_DOMAINS})(?![a-zA-Z0-9-]|\.[a-z])"
    files = "|".join(sorted(_FILES, key=len, reverse=True))
    stem = r"[A-Za-z0-9_-]{1,100}"
    return [
        Rule("web", re.compile(r"(?<![^\W_])(?P<scheme>(?:https?|ftp)://)[^\s<>\"“”]++", re.IGNORECASE), web, "hHfF"),
        Rule("web", re.compile(r"(?<![\w.@])(?P<scheme>)www\.[^\s<>\"“”]++", re.IGNORECASE), web, "wW"),
        Rule(
            "mail",
            re.compile(
                rf"(?<![\w.+@-])(?:mailto:)?(?P<address>[\w.+-]{{1,64}}+@(?:{_LABEL}\.){{1,8}}[A-Za-z]{{2,12}})(?![\w@])"
            ),
            mail,
            "A-Za-z0-9",
        ),
        Rule("web", re.compile(rf"(?<![\w.@/-])(?P<scheme>){domain}{rest}"), web, "A-Za-z0-9"),
        Rule(
            "file",
            re.compile(
                rf"(?<![\w.@\\-])(?:{stem}/){{0,20}}{stem}(?:\.{stem}){{0,3}}\.(?:{files})(?![\w/-]|\.[A-Za-z])"
            ),
            name,
            "A-Za-z0-9_",
        ),
        Rule(
            "path", re.compile(r"(?<![\w/.:<>)\]~])~?(?:/[A-Za-z_.][\w.-]{0,60}(?<![.])){1,20}/?(?![\w/])"), name, "/~"
        ),
        Rule("path", re.compile(r"(?<![\w])[A-Za-z]:\\(?:[\w.-]{1,60}\\){0,20}(?:[\w.-]{0,60}\w)?"), name, "A-Za-z"),
        Rule("handle", re.compile(r"(?<![\w.@])@(?P<name>[A-Za-z_][\w]{0,60})(?!\w)"), handle, "@"),
        Rule("hashtag", re.compile(r"(?<![\w&#])#(?P<tag>(?:[^\W\d_]|[0-9]{1,8}[^\W\d_])\w{0,100}+)"), hashtag, "#"),
        Rule(
            "identifier",
            re.compile(r"(?<!\w)[A-Za-z0-9]{1,60}(?:_{1,2}[A-Za-z0-9]{1,60}){1,12}(?!\w)"),
            name,
            "A-Za-z0-9",
        ),
    ]
