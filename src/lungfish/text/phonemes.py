"""The front end of checkpoints that read phonemes: text to phoneme symbols.

One symbol is one token of such a checkpoint: an ARPAbet phone without its digit ("AH"), a stress mark before its vowel
("1" primary, "2" secondary), a word boundary ("_"), one of the pause marks , . ; : ? ! - or a lower-case letter of a word
that no lexicon knows. Marks are tokens of their own so that symbols and codec frames pass at about the same pace, which a
model with rotary positions aligns at once. Sentences begin and end without a boundary.

Normalisation proper (dates, money, languages, tags) belongs to the text pipeline; here digits are read as English
cardinals and everything else that is neither a word nor a pause mark is dropped.
"""

from __future__ import annotations

import re
import unicodedata

from lungfish.errors import TextError
from lungfish.text.lexicon import CONSONANTS, VOWELS, pronounce

BOUNDARY = "_"
STRESSES = ("1", "2")
PAUSES = tuple(",.;:?!-")
LETTERS = tuple("abcdefghijklmnopqrstuvwxyz")
SYMBOLS: tuple[str, ...] = (BOUNDARY, *STRESSES, *PAUSES, *sorted(VOWELS), *sorted(CONSONANTS), *LETTERS)

_PIECES = re.compile(r"\d+|[a-z]+(?:'[a-z]+)*'?|[,.;:?!]|(?<!\w)-+(?!\w)|-{2,}|[()\"]")
_FOLD = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "—": " -- ", "–": " - ", "…": ". ", "æ": "ae", "œ": "oe"}
)

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SCALES = ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))
_MAX_NUMBER = 10**12


def spell_number(number: int) -> list[str]:
    """English words of a cardinal, 0 to 999,999,999,999; longer numbers are read digit by digit by the caller."""
    if number < 20:
        return [_ONES[number]]
    if number < 100:
        return [_TENS[number // 10]] + ([_ONES[number % 10]] if number % 10 else [])
    for scale, name in _SCALES:
        if number >= scale:
            rest = number % scale
            return [*spell_number(number // scale), name, *(spell_number(rest) if rest else [])]
    raise AssertionError("unreachable")


def _digits(text: str) -> list[str]:
    if (len(text) > 1 and text.startswith("0")) or int(text) >= _MAX_NUMBER:
        return [_ONES[int(digit)] for digit in text]
    return spell_number(int(text))


def word_symbols(word: str, *, spell: bool = False) -> list[str]:
    """Symbols of one word: its phones with stress marks, or its letters when it is unknown or `spell` is set."""
    phones = None if spell else pronounce(word)
    if phones is None:
        return [letter for letter in word.lower() if letter in LETTERS]
    symbols: list[str] = []
    for phone in phones:
        if phone[-1] in STRESSES:
            symbols.append(phone[-1])
        symbols.append(phone.rstrip("012"))
    return symbols


def _fold(text: str) -> str:
    text = unicodedata.normalize("NFKD", text.translate(_FOLD).lower())
    return "".join(c for c in text if not unicodedata.combining(c))


def to_phonemes(text: str, spell: frozenset[str] = frozenset()) -> list[str]:
    """Phoneme symbols of an English text.

    Args:
        text: what to say. Pause marks are kept, quotes and brackets become a comma's worth of nothing, digits are read.
        spell: words (lower case) to spell by letters although the lexicon knows them; training uses it.

    Returns:
        Symbols out of `SYMBOLS`, never empty, never two boundaries in a row.

    Raises:
        TextError: nothing in `text` can be spoken.
    """
    symbols: list[str] = []
    spoken = False
    for piece in _PIECES.findall(_fold(text)):
        if piece[0].isdigit():
            words = _digits(piece)
        elif piece[0].isalpha():
            words = [piece]
        else:
            mark = "-" if piece[0] == "-" else piece
            if mark in PAUSES and symbols and symbols[-1] not in PAUSES:
                symbols.append(mark)
            continue
        for word in words:
            sounds = word_symbols(word, spell=word in spell)
            if not sounds:
                continue
            if symbols:
                symbols.append(BOUNDARY)
            symbols.extend(sounds)
            spoken = True
    if not spoken:
        raise TextError("nothing in the text can be spoken in English: give it at least one word or number")
    return symbols


def phones_only(symbols: list[str]) -> list[str]:
    """The phones among `symbols`, without marks, boundaries and letters: labels for alignment."""
    return [symbol for symbol in symbols if symbol in VOWELS or symbol in CONSONANTS]


def token_name(symbol: str) -> str:
    """The added token that stands for `symbol` in the tokenizer of a phoneme checkpoint: "AH" -> "<|ph:AH|>"."""
    return f"<|ph:{symbol}|>"
