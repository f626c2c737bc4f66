"""Sounds as people write them (IPA, X-SAMPA, ARPAbet) to the symbols of `lungfish.text.phonemes`.

The symbols are the 39 sounds of General American. British vowels and the sounds of other languages become the nearest of
them, as `_VOWELS` and `_CONSONANTS` say: y is UW, ø is ER, ɲ is N Y; x is HH before a vowel or a glide and K elsewhere.
Length, tone and fine shades have no symbol and are dropped. Stress is as written: a word without stress marks stays
without. Invariant: what comes back is made of phones, a stress mark before its vowel, and single boundaries between words.
Source: International Phonetic Association, chart of 2020; Wells, "Computer-coding the IPA: a proposed extension of SAMPA";
CMUdict 0.7b for ARPAbet.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from lungfish.errors import TextError
from lungfish.text.lexicon import CONSONANTS, VOWELS
from lungfish.text.phonemes import BOUNDARY

ALPHABETS = ("ipa", "x-sampa", "arpabet", "cmu")
_ALIASES = {"xsampa": "x-sampa", "x-arpabet": "arpabet", "x-cmu": "cmu"}


def _table(rows: str) -> dict[str, tuple[str, ...]]:
    """Rows of "signs ... = symbols" as a table, signs decomposed."""
    table = {}
    for row in rows.strip().splitlines():
        signs, _, symbols = row.partition("=")
        table |= dict.fromkeys(unicodedata.normalize("NFD", signs).split(), tuple(symbols.split()))
    return table


_VOWELS = _table("""
eɪ ɛɪ æɪ eː = EY
aɪ ɑɪ ʌɪ = AY
ɔɪ ɒɪ oɪ = OY
aʊ ɑʊ æʊ = AW
oʊ əʊ o = OW
i = IY
ɪ ɨ ᵻ = IH
e ɛ = EH
æ = AE
a ɑ ɒ ɶ = AA
ɔ = AO
ʌ ə ɐ ɤ ɘ ᵊ = AH
ɜ ɝ ɚ ø œ ɞ ɜr ɜɹ ɜːr ɜːɹ ər əɹ ə˞ ɜ˞ = ER
ʊ ʏ ɵ ᵿ = UH
u ʉ ɯ y = UW
ɛ̃ = AE N
œ̃ = AH N
""")
_CONSONANTS = _table("""
p = P
b ʙ ɓ = B
t ʈ = T
d ɖ ɗ ɾ = D
k c q = K
ɡ g ɢ ɣ ɠ ʛ = G
f ɸ = F
v β ʋ = V
θ = TH
ð = DH
s = S
z = Z
ʃ ʂ ɕ ç ɧ = SH
ʒ ʐ ʑ = ZH
tʃ ʧ tɕ ʨ tʂ ʈʂ = CH
dʒ ʤ dʑ ʥ dʐ ɖʐ ɟ ʄ = JH
ʦ = T S
ʣ = D Z
h ɦ ħ = HH
m ɱ = M
n ɳ = N
ŋ ɴ = NG
l ɫ ɭ ʟ ɬ ɮ ɺ = L
r ɹ ɻ ɽ ʁ ʀ = R
w ɰ ɥ = W
j ʝ = Y
ʍ = HH W
ɲ = N Y
ʎ = L Y
""")
_SYLLABIC = ("\u0329", "\u030d")
_SOUNDS = {
    **_VOWELS,
    **_CONSONANTS,
    **{sign + mark: ("AH", *sounds) for sign, sounds in _CONSONANTS.items() for mark in _SYLLABIC},
    **{sign + mark: ("ER",) for sign in "rɹ" for mark in _SYLLABIC},
    "ʲ": ("Y",),
    "ʷ": ("W",),
    "˞": ("R",),
    "\u0303": ("N",),  # a nasal vowel
}
_LONGEST = max(map(len, _SOUNDS))
_ROUGH = "xχ"
_STRESS = {"ˈ": "1", "'": "1", "ˌ": "2"}
_TIES = "\u0361\u035c"
# Length, syllable dots, linking, glottal stops, release, tone, and marks of voice, place and height.
_DROPPED = frozenset("ːˑ:.-‿ʔʕʰʱʼˀˠˤⁿˡ˥˦˧˨˩ꜛꜜ↗↘\u200d") | {
    chr(code)
    for first, last in ((0x0300, 0x0302), (0x0304, 0x030C), (0x030F, 0x0311), (0x0318, 0x0328), (0x032A, 0x033D))
    for code in range(first, last + 1)
}
_WORD_END = frozenset(" \t\n\r\u00a0_#|‖")

_XSAMPA_TABLE = r"""
A=ɑ {=æ 6=ɐ Q=ɒ E=ɛ @=ə 3=ɜ @`=ɚ 3`=ɝ I=ɪ O=ɔ 2=ø 9=œ &=ɶ U=ʊ }=ʉ V=ʌ Y=ʏ M=ɯ 7=ɤ 8=ɵ @\=ɘ 3\=ɞ 1=ɨ I\=ᵻ U\=ᵿ
B=β C=ç D=ð G=ɣ L=ʎ J=ɲ N=ŋ R=ʁ S=ʃ T=θ H=ɥ Z=ʒ ?=ʔ ?\=ʕ r\=ɹ r\`=ɻ r`=ɽ 4=ɾ l`=ɭ l\=ɺ 5=ɫ t`=ʈ d`=ɖ n`=ɳ s`=ʂ
z`=ʐ s\=ɕ z\=ʑ X=χ X\=ħ h\=ɦ W=ʍ P=ʋ v\=ʋ F=ɱ K=ɬ K\=ɮ L\=ʟ M\=ɰ J\=ɟ j\=ʝ p\=ɸ R\=ʀ N\=ɴ G\=ɢ B\=ʙ
x\=ɧ b_<=ɓ d_<=ɗ g_<=ɠ "=ˈ %=ˌ :=ː :\=ˑ .=. -=. `=˞ _j=ʲ '=ʲ _w=ʷ _h=ʰ _>=ʼ |=| ||=‖
"""
_XSAMPA_MARKS = {
    "~": "\u0303", "_~": "\u0303", "_=": "\u0329", "=": "\u0329", "_^": "\u032f", "_0": "\u0325", "_d": "\u032a",
    "_}": "\u031a", "_a": "\u033a", "_m": "\u033b", "_o": "\u031e", "_r": "\u031d", "_+": "\u031f", "_-": "\u0320",
    "_": "\u0361",
}  # fmt: skip
# Marks of tone and of fine shades without a symbol; they must not be read as a tie before the sound of their letter.
_XSAMPA_DROPPED = (
    "_T", "_H", "_M", "_L", "_B", "_F", "_R", "_\"", "_A", "_q", "_O", "_c", "_x", "_G", "_?\\", "_e", "_t", "_k",
    "_N", "_n", "_l", "_v", "_X", "_/", "_\\",
)  # fmt: skip
_XSAMPA: dict[str, str] = {
    **{sign: ipa for sign, _, ipa in (pair.rpartition("=") for pair in _XSAMPA_TABLE.split())},
    **_XSAMPA_MARKS,
    **dict.fromkeys(_XSAMPA_DROPPED, ""),
    **{letter: letter for letter in "abcdefghijklmnopqrstuvwxyz"},
}
_XSAMPA_SIGN = re.compile("|".join(map(re.escape, sorted(_XSAMPA, key=len, reverse=True))))

_ARPABET = {symbol: (symbol,) for symbol in VOWELS | CONSONANTS} | {
    "AX": ("AH",), "AXR": ("ER",), "IX": ("IH",), "UX": ("UW",), "DX": ("D",), "NX": ("N",), "WH": ("HH", "W"),
    "EL": ("AH", "L"), "EM": ("AH", "M"), "EN": ("AH", "N"), "Q": (),
}  # fmt: skip
_ARPABET_PHONE = re.compile(r"(?P<name>[A-Z]{1,3})(?P<stress>[012])?")


def ipa_to_symbols(ipa: str) -> tuple[str, ...]:
    """ "ˈtʃɜːtʃ" -> CH 1 ER CH.

    Args:
        ipa: one or more words, between slashes or square brackets if you like. ' will do for ˈ.

    Raises:
        TextError: a sign that is not known, a stress mark without a vowel behind it, or no sounds at all; says where,
            counting characters from 1.
    """
    begin, end = _inside(ipa)
    signs = [(sign, at) for at in range(begin, end) for sign in unicodedata.normalize("NFD", ipa[at])]
    return _read([(sign, at) for sign, at in signs if sign not in _TIES], "IPA", ipa)


def xsampa_to_symbols(xsampa: str) -> tuple[str, ...]:
    """'"tS3:tS' -> CH 1 ER CH. Raises as `ipa_to_symbols` does."""
    signs: list[tuple[str, int]] = []
    at = 0
    while at < len(xsampa):
        found = _XSAMPA_SIGN.match(xsampa, at)
        if found is None and xsampa[at] not in _WORD_END:
            raise _unknown("X-SAMPA", xsampa[at], at)
        signs += [(sign, at) for sign in (_XSAMPA[found.group()] if found else xsampa[at])]
        at = found.end() if found else at + 1
    decomposed = [(part, at) for sign, at in signs for part in unicodedata.normalize("NFD", sign)]
    return _read([(sign, at) for sign, at in decomposed if sign not in _TIES], "X-SAMPA", xsampa)


def arpabet_to_symbols(arpabet: str) -> tuple[str, ...]:
    """ "HH AH0 L OW1" -> HH AH L 1 OW. Phones stand apart; _ or | parts words. Raises as `ipa_to_symbols` does."""
    symbols: list[str] = []
    for piece in re.finditer(r"[_|]|[^\s_|]+", arpabet):
        if piece.group() in "_|":
            _end_word(symbols)
            continue
        phone = _ARPABET_PHONE.fullmatch(piece.group().upper())
        sounds = _ARPABET.get(phone["name"]) if phone else None
        if phone is None or sounds is None or (phone["stress"] and not VOWELS.intersection(sounds)):
            raise _unknown("ARPAbet", piece.group(), piece.start())
        stress = phone["stress"] if phone["stress"] in ("1", "2") else ""
        symbols += [stress, *sounds] if stress else sounds
    return _finished(symbols, arpabet)


def to_symbols(sounds: str, alphabet: str) -> tuple[str, ...]:
    """Sounds written in one of `ALPHABETS` (any case).

    Raises:
        TextError: as `ipa_to_symbols`, or another alphabet.
    """
    name = alphabet.strip().lower()
    name = _ALIASES.get(name, name)
    if name not in ALPHABETS:
        raise TextError(f"the alphabet {alphabet[:20]!r} is not known: use one of {', '.join(ALPHABETS)}")
    return {"ipa": ipa_to_symbols, "x-sampa": xsampa_to_symbols}.get(name, arpabet_to_symbols)(sounds)


def _inside(ipa: str) -> tuple[int, int]:
    """Where the sounds lie: without blanks around, and slashes or brackets around those."""
    begin = len(ipa) - len(ipa.lstrip())
    end = max(begin, len(ipa.rstrip()))
    if end - begin >= 2 and ipa[begin] + ipa[end - 1] in ("//", "[]"):
        return begin + 1, end - 1
    return begin, end


def _read(signs: Sequence[tuple[str, int]], alphabet: str, written: str) -> tuple[str, ...]:
    text = "".join(sign for sign, _ in signs)
    symbols: list[str] = []
    stress, stress_at, i = "", 0, 0
    while i < len(text):
        sign, at = signs[i]
        if sign in _STRESS:
            stress, stress_at = min(stress or "2", _STRESS[sign]), at
        elif sign in _WORD_END:
            _check_stress(stress, stress_at, alphabet)
            _end_word(symbols)
        elif sign in _ROUGH:
            symbols.append("HH" if _opens(text, i + 1) else "K")
        elif (size := _size_at(text, i)) > 0:
            for symbol in _SOUNDS[text[i : i + size]]:
                if stress and symbol in VOWELS:
                    symbols.append(stress)
                    stress = ""
                symbols.append(symbol)
            i += size - 1
        elif sign not in _DROPPED:
            raise _unknown(alphabet, sign, at)
        i += 1
    _check_stress(stress, stress_at, alphabet)
    return _finished(symbols, written)


def _size_at(text: str, at: int) -> int:
    """How many signs the longest sound at `at` has; 0 where there is none."""
    return next(
        (size for size in range(_LONGEST, 0, -1) if text[at : at + size] in _SOUNDS and at + size <= len(text)), 0
    )


def _opens(text: str, at: int) -> bool:
    """Whether a vowel or a glide comes next."""
    while at < len(text) and (text[at] in _DROPPED or text[at] in _STRESS):
        at += 1
    return at < len(text) and (text[at] in _VOWELS or text[at] in "wjʷʲ")


def _check_stress(stress: str, at: int, alphabet: str) -> None:
    if stress:
        raise TextError(
            f"the {alphabet} stress mark at position {at + 1} has no vowel after it: put it before a syllable"
        )


def _end_word(symbols: list[str]) -> None:
    if symbols and symbols[-1] != BOUNDARY:
        symbols.append(BOUNDARY)


def _finished(symbols: list[str], written: str) -> tuple[str, ...]:
    if symbols and symbols[-1] == BOUNDARY:
        symbols.pop()
    if not symbols:
        raise TextError(f"{written[:40]!r} holds no sounds: write at least one")
    return tuple(symbols)


def _unknown(alphabet: str, sign: str, at: int) -> TextError:
    code = f" (U+{ord(sign):04X})" if len(sign) == 1 and not sign.isascii() else ""
    return TextError(f"the {alphabet} sign {sign[:20]!r}{code} at position {at + 1} is not known: write another for it")
