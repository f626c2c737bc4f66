"""Which language a sentence is in, and where a mixed text changes it.

The script decides first. Only Latin letters need a model: py3langid (BSD-3, pure Python, its 4.5 MB model in the wheel,
loaded once on first need), asked about the candidates and their most common neighbours, so that Dutch is not taken for
German. On 60 sentences of 3 to 12 words it named all 60, in 0.1 ms each; lingua did so too, but is a compiled wheel of 100
MB at 18 ms each. What is too short to tell keeps the default. Invariant: `runs` keeps every character, in order.
"""

from __future__ import annotations

import copy
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from lungfish.text.sentences import split_sentences
from lungfish.text.traced import TracedText

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "zh", "ja", "ko", "ru")

# Languages that are answered with the default, but must not be mistaken for a candidate.
_NEIGHBOURS = ("nl", "sv", "da", "no", "nn", "pl", "cs", "tr", "fi", "hu", "ro", "id", "vi")
_CERTAIN = 0.45  # the least certain of the 60 sentences had 0.49, the most certain wrong title or name 0.43
_SAMPLE = 2000  # letters that the model is shown at most
_BLOCK = 4096  # characters that are split into sentences at a time

# Single Greek letters are symbols (α, π, Ω), not Greek.
_SCRIPTS = {
    "latin": r"A-Za-zªºÀ-ÖØ-öø-ɏḀ-ỿＡ-Ｚａ-ｚ",
    "han": r"\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u3105-\u312f",
    "kana": r"\u3041-\u3096\u30a1-\u30fa\u30fc\u31f0-\u31ff\uff66-\uff9d",
    "hangul": r"\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb",
    "cyrillic": r"\u0400-\u0481\u048a-\u052f",
    "arabic": r"\u0620-\u0652\u066e-\u06d3\u06fa-\u06ff\u0750-\u077f\ufb50-\ufdfb\ufe70-\ufefc",
    "hy": r"\u0531-\u0587",
    "he": r"\u0591-\u05f2",
    "hi": r"\u0900-\u0963\u0971-\u097f",
    "bn": r"\u0980-\u09e3",
    "pa": r"\u0a01-\u0a5e\u0a70-\u0a75",
    "gu": r"\u0a81-\u0ae3",
    "or": r"\u0b01-\u0b63",
    "ta": r"\u0b82-\u0bd7",
    "te": r"\u0c00-\u0c63",
    "kn": r"\u0c80-\u0ce3",
    "ml": r"\u0d00-\u0d63",
    "si": r"\u0d81-\u0df3",
    "th": r"\u0e01-\u0e3a\u0e40-\u0e4e",
    "lo": r"\u0e81-\u0ecd\u0edc-\u0edf",
    "bo": r"\u0f40-\u0fbc",
    "my": r"\u1000-\u103f",
    "ka": r"\u10a0-\u10fa\u10fc-\u10ff\u1c90-\u1cbf",
    "am": r"\u1200-\u135a",
    "km": r"\u1780-\u17d3",
    "mn": r"\u1820-\u18aa",
}
_LETTERS = re.compile(
    "|".join(f"(?P<{name}>[{letters}]+)" for name, letters in _SCRIPTS.items())
    + r"|(?P<el>[\u0370-\u0373\u0376-\u03ff\u1f00-\u1fff]{3,})"
)
_WEIGHTS = {"han": 3, "kana": 2, "hangul": 2}  # a Han character says as much as a few Latin letters

# Letters that tell the languages of one script apart.
_CYRILLIC = (("be", "ўЎ"), ("uk", "іїєґІЇЄҐ"), ("sr", "ђћјљњџЂЋЈЉЊЏ"), ("kk", "әғқңұӘҒҚҢҰ"))
_ARABIC = (("ur", "ٹڈڑےں"), ("fa", "پچژگ"))
_CHINESE = re.compile(
    "[你您妳她它们們这這哪吗嗎呢吧啊呀嘛么麼没沒很说說谁个为对间话过还還让东车马见长门问闻电开关发头现应该经济价钱银请谢认识读语课书"
    "爱气汉题饭买卖给红绿级线结统网论设试评译诉词调谈责贵费资远连进运达选钟铁错阳难飞馆验]"
)
_JAPANESE = re.compile(
    "[円気駅図売働込発対経済戦辺沢県営帰関検権実楽読歩変広鉄竜桜黒塩渋択払仏拝様焼験険剣圏栃畑峠辻枠匂]"
)

_SPACE = re.compile(r"\s+")
_OPENING = re.compile(r"[(\[{（［｛「『《〈【“‘«¿¡]+\Z")
_TAIL = re.compile(r"\S+\Z")
_WORD = re.compile(r"\w+")


def identify(
    text: str, default: str, candidates: Sequence[str] = LANGUAGES, neighbours: Sequence[str | None] = ()
) -> str:
    """The language of a sentence.

    Args:
        text: a sentence, or any other stretch in one language.
        default: the answer where the text does not say: no letters, too few of them, or none of the candidates.
        candidates: languages that Latin letters may be; Han without kana is Japanese only if "ja" is one. Other scripts
            speak for themselves.
        neighbours: languages of the sentences around. Han without kana is Japanese where one of them is.

    Returns:
        ISO 639-1 code, or `default`.
    """
    sentence = _Sentence.of(text, 0, len(text))
    family = sentence.family
    if family is None:
        return default
    if family == "latin":
        return _latin(sentence.letters("latin"), candidates) or default
    if family == "cjk":
        known = _cjk(sentence.letters("cjk")) or _han([*neighbours, default])
        return "zh" if known == "ja" and "ja" not in candidates else known
    return _of_script(family, sentence.letters(family))


def runs(text: TracedText, default: str, candidates: Sequence[str] = LANGUAGES) -> list[tuple[TracedText, str]]:
    """Stretches of one language each; joined they are `text`.

    Languages of different scripts part inside a sentence, those of Latin letters between sentences. A Latin sentence that
    is too short to tell goes with its neighbours where the one before and the one after agree, else it is `default`.
    Units, names with figures and abbreviations inside another script stay with it ("10km", "iPhone 15"); figures go with
    the letters that they touch, else with most of their sentence.

    Args:
        text: any length; work is linear in it.
        default: as for `identify`.
        candidates: as for `identify`.

    Returns:
        (text, language) in order, neighbours of different languages; [] for an empty text.
    """
    sentences = [_Sentence.of(text.text, start, end) for start, end in _sentence_spans(text.text)]
    latin = _latin_languages(sentences, default, candidates)
    cjk = _cjk_languages(sentences, default)
    merged: list[tuple[int, str]] = []  # (end, language)
    silent = 0  # end of the sentences without letters in front of the first with some
    for at, sentence in enumerate(sentences):
        parts = _parts(sentence, {"latin": latin[at], "cjk": cjk[at]})
        if not parts:
            if merged:
                merged[-1] = (sentence.end, merged[-1][1])
            else:
                silent = sentence.end
        for end, language in parts:
            if merged and merged[-1][1] == language:
                merged[-1] = (end, language)
            else:
                merged.append((end, language))
    if not merged and silent:
        merged.append((silent, default))
    begin, answer = 0, []
    for end, language in merged:
        answer.append((text[begin:end], language))
        begin = end
    return answer


@dataclass(frozen=True)
class _Sentence:
    """Attributes:
    text: the whole text that it lies in.
    start, end: its span, blanks behind it included.
    stretches: (family, start, end) of letters of one script; Han and kana are one family, "cjk".
    """

    text: str
    start: int
    end: int
    stretches: list[tuple[str, int, int]] = field(default_factory=list)
    family: str | None = None

    @classmethod
    def of(cls, text: str, start: int, end: int) -> _Sentence:
        weights: Counter[str] = Counter()
        stretches: list[tuple[str, int, int]] = []
        for match in _LETTERS.finditer(text, start, end):
            script = match.lastgroup or ""
            family = "cjk" if script in ("han", "kana") else script
            weights[family] += _WEIGHTS.get(script, 1) * (match.end() - match.start())
            if stretches and stretches[-1][0] == family and stretches[-1][2] == match.start():
                stretches[-1] = (family, stretches[-1][1], match.end())
            else:
                stretches.append((family, match.start(), match.end()))
        most = weights.most_common(1)
        return cls(text, start, end, stretches, most[0][0] if most else None)

    def letters(self, family: str) -> str:
        """Its stretches of a family, up to the size of a sample, blanks between them; Latin ones with their apostrophes."""
        found, size, last = [], 0, -1
        for name, start, end in self.stretches:
            if name != family:
                continue
            joint = self.text[last:start] if last >= 0 else ""
            found += [joint if joint in ("'", "’", "-") else " " if last >= 0 else "", self.text[start:end][:_SAMPLE]]
            size, last = size + end - start, end
            if size >= _SAMPLE:
                break
        return "".join(found)


def _sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the sentences with the blanks behind them (in front of the first too); together the whole text."""
    begin = 0
    while begin < len(text):
        block = text[begin : begin + _BLOCK]
        last = begin + len(block) == len(text)
        places, at = [], 0
        for sentence in split_sentences(block):
            at = block.index(sentence, at)
            places.append(at)
            at += len(sentence)
        starts = [begin, *(begin + place for place in places[1:])]
        yield from itertools.pairwise(starts)
        if last or len(starts) == 1:
            yield starts[-1], begin + len(block)
            begin += len(block)
        else:
            begin = starts[-1]  # the last one may go on behind the block


def _latin_languages(sentences: Sequence[_Sentence], default: str, candidates: Sequence[str]) -> list[str]:
    """For every sentence what its Latin letters are."""
    found = [
        _latin(sentence.letters("latin"), candidates)
        if any(name == "latin" for name, *_ in sentence.stretches)
        else None
        for sentence in sentences
    ]
    before: list[str | None] = []
    known = None
    for language in found:
        before.append(known)
        known = language or known
    after: list[str | None] = []
    known = None
    for language in reversed(found):
        after.append(known)
        known = language or known
    after.reverse()
    return [
        language or (left if left is not None and left == right else default)
        for language, left, right in zip(found, before, after, strict=True)
    ]


def _cjk_languages(sentences: Sequence[_Sentence], default: str) -> list[str]:
    """For every sentence what Han characters without any sign of their own are: as in the nearest before, else behind."""
    found = [_cjk(letters) if (letters := sentence.letters("cjk")) else None for sentence in sentences]
    first = next((language for language in found if language), None)
    known, answer = first or _han([default]), []
    for language in found:
        known = language or known
        answer.append(known)
    return answer


def _parts(sentence: _Sentence, languages: dict[str, str]) -> list[tuple[int, str]]:
    """(end, language) of the stretches of one sentence; [] where it has no letters."""
    if sentence.family is None:
        return []
    known = dict(languages)
    for name in {name for name, *_ in sentence.stretches} - known.keys():
        known[name] = _of_script(name, sentence.letters(name))
    letters: list[tuple[int, int, str]] = []
    for name, start, end in _spoken(sentence):
        language = _cjk(sentence.text[start:end]) if name == "cjk" else None
        letters.append((start, end, language or known[name]))
    main = known[sentence.family]
    parts = []
    for (_, end, language), (start, _, following) in itertools.pairwise(letters):
        if language != following:
            parts.append((end + _cut(sentence.text[end:start], following, main), language))
    return [*parts, (sentence.end, letters[-1][2])]


def _spoken(sentence: _Sentence) -> list[tuple[str, int, int]]:
    """The stretches without Latin names, units and abbreviations inside another script."""
    if sentence.family == "latin":
        return sentence.stretches
    kept: list[tuple[str, int, int]] = []
    phrase: list[tuple[str, int, int]] = []
    for stretch in [*sentence.stretches, ("", sentence.end, sentence.end)]:
        if stretch[0] == "latin":
            phrase.append(stretch)
            continue
        if phrase and any(_is_word(sentence.text, start, end) for _, start, end in phrase):
            kept += phrase
        phrase = []
        kept.append(stretch)
    return kept[:-1]


def _is_word(text: str, start: int, end: int) -> bool:
    """Whether Latin letters are an ordinary word: four letters at least, small behind the first, no figure beside them."""
    if end - start < 4 or not text[start + 1 : end].islower():
        return False
    return not text[max(0, start - 1) : start].isdigit() and not text[end : end + 1].isdigit()


def _cut(gap: str, following: str, main: str) -> int:
    """How much of what stands between two languages belongs to the first.

    All of it, but opening brackets and quotes, and figures: those belong to what they touch, else to the sentence's `main`
    language.
    """
    tail = _TAIL.search(gap)
    if tail is not None and (tail.start() > 0 or following == main) and any(c.isdigit() for c in tail.group()):
        return tail.start()
    if following == main and any(c.isdigit() for c in gap):
        space = _SPACE.search(gap)
        if space is not None:
            return space.end()
    opening = _OPENING.search(gap)
    return opening.start() if opening is not None else len(gap)


def _of_script(script: str, letters: str) -> str:
    """Language of letters of a script other than Latin, Han and kana."""
    special = {"cyrillic": _CYRILLIC, "arabic": _ARABIC}.get(script, ())
    for language, signs in special:
        if any(sign in letters for sign in signs):
            return language
    return {"hangul": "ko", "cyrillic": "ru", "arabic": "ar"}.get(script, script)


def _cjk(letters: str) -> str | None:
    """Chinese or Japanese by kana, else by characters that only one of the two writes; None: it could be either."""
    kana = sum(1 for letter in letters if _is_kana(letter))
    chinese = len(_CHINESE.findall(letters))
    if kana:
        return "zh" if chinese > kana else "ja"
    if chinese:
        return "zh"
    return "ja" if _JAPANESE.search(letters) else None


def _is_kana(letter: str) -> bool:
    return "\u3041" <= letter <= "\u30ff" or "\u31f0" <= letter <= "\u31ff" or "\uff66" <= letter <= "\uff9d"


def _han(languages: Sequence[str | None]) -> str:
    """What Han characters are next to `languages`."""
    return "ja" if any(language is not None and language.split("-")[0] == "ja" for language in languages) else "zh"


def _latin(letters: str, candidates: Sequence[str]) -> str | None:
    """The candidate that Latin letters are; None: too little to tell, or none of them."""
    if len(letters) < 3:
        return None
    language, certainty = _identifier(tuple(candidates)).classify(letters)
    return language if language in candidates and certainty >= _CERTAIN else None


@cache
def _identifier(candidates: tuple[str, ...]) -> LanguageIdentifier:
    identifier = copy.copy(_model())
    identifier.set_languages([language for language in {*candidates, *_NEIGHBOURS} if language in identifier.labels])
    return identifier


@cache
def _model() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
