"""Abbreviations, roman numerals and symbols of the European languages.

A full stop that an abbreviation shares with the end of its sentence is kept. A roman numeral needs a reason, which each
language knows; acronyms and initials stay as they are written.
"""

from __future__ import annotations

import re

from lungfish.text.normalise.english_context import after, before
from lungfish.text.normalise.english_words import is_roman, roman_value
from lungfish.text.normalise.european_language import GAP, Language, apart, either
from lungfish.text.normalise.rules import Rule

_END_OF_TEXT = re.compile(r"[\"'”’»)\]]{0,4}[ \t]{0,20}(?:[\r\n]|\Z)")
_WORDS_BEFORE = re.compile(r"((?:(?<!\w)[^\W\d_][\w'’.-]{0,24} ){1,3})$")
_LONGEST_NUMERAL = 9
_ALONE = "≠≈≤≥±×÷→∞©®™№§"


def ends_sentence(language: Language, match: re.Match[str]) -> bool:
    """Whether the full stop at the end of the match also ends a sentence: text or line end, or a new one begins."""
    rest = after(match)
    return _END_OF_TEXT.match(rest) is not None or re.match(rf"{GAP}{{1,2}}{language.starters}", rest) is not None


def words_before(match: re.Match[str]) -> list[str]:
    """Up to three words in front of the match, the nearest last."""
    found = _WORDS_BEFORE.search(before(match, 78))
    return found[1].split() if found else []


def _spaced(short: str) -> str:
    """A pattern for an abbreviation, whose blanks may be missing: "z. B." is "z.B." too."""
    return rf"{GAP}?".join(re.escape(piece) for piece in short.split(" "))


def rules(language: Language) -> list[Rule]:
    """Rules for words that are not to be said as they are written."""
    known = {short.replace(" ", ""): words for short, words in language.abbreviations.items()}

    said = {**language.abbreviations, **language.numbered}

    def abbreviation(match: re.Match[str]) -> str | None:
        written = re.sub(r"\s", "", match["short"])
        words = known.get(written)
        if words is None:
            words = known.get(written[0].lower() + written[1:])
            if words is None:
                return None
            words = words[0].upper() + words[1:]
        stop = written.endswith(".") and written in language.stop_may_end and ends_sentence(language, match)
        return apart(match, words + ("." if stop else ""))

    def roman(match: re.Match[str]) -> str | None:
        numeral = match["roman"]
        if not is_roman(numeral):
            return None
        words = [said.get(word, word) for word in words_before(match)]
        return language.roman(roman_value(numeral), words, after(match))

    def numbered(match: re.Match[str]) -> str:
        return apart(match, language.numbered[match["short"]])

    shorts = sorted(language.abbreviations, key=len, reverse=True)
    pattern = "|".join(_spaced(short) for short in shorts)
    either_case = "|".join(
        _spaced(short[0].upper() + short[1:]) for short in shorts if short[0].islower() and len(short) > 2
    )
    return [
        Rule("abbreviation", re.compile(rf"(?<![\w.])(?P<short>{pattern}|{either_case})(?![^\W\d])"), abbreviation),
        Rule(
            "abbreviation",
            re.compile(rf"(?<![\w.])(?P<short>{either(language.numbered)})(?={GAP}?[0-9]|{GAP}[IVXLC]{{1,7}}(?!\w))"),
            numbered,
        ),
        Rule(
            "roman",
            re.compile(rf"(?<![\w.’'-])(?P<roman>[IVXLCDM]{{1,{_LONGEST_NUMERAL}}})(?![\w’'])"),
            roman,
            "IVXLCDM",
        ),
    ]


def symbol_rules(language: Language) -> list[Rule]:
    """Rules for symbols; they come after those for numbers with symbols."""

    def beside(match: re.Match[str], side: str) -> bool:
        return side.strip(" \u00a0\u202f")[:1].isalnum()

    def named(match: re.Match[str]) -> str | None:
        left, right = before(match, 2).strip(" \u00a0\u202f")[-1:], after(match, 2)
        if not (left.isalnum() or beside(match, right)):
            return None
        return apart(match, language.symbols[match.group()])

    def always(match: re.Match[str]) -> str:
        return apart(match, language.symbols[match.group()])

    def in_front(match: re.Match[str]) -> str:
        words = apart(match, language.symbols[match.group()])
        return words if after(match, 1).isspace() or words.endswith(" ") else words + " "

    def between(match: re.Match[str]) -> str | None:
        left, right = before(match, 2).strip(" \u00a0\u202f")[-1:], after(match, 2).strip(" \u00a0\u202f")[:1]
        if not (left.isdigit() and right.isdigit()):
            return None
        return apart(match, language.symbols[match.group()])

    def times(match: re.Match[str]) -> str:
        return f" {language.symbols['×']} "

    def ratio(match: re.Match[str]) -> str:
        return f" {language.score} "

    number = rf"(?={GAP}?[-−$€£]?[0-9])"
    return [
        Rule("times", re.compile(rf"(?<=[0-9]){GAP}?[xX×]{GAP}?(?=[0-9])"), times, r" \u00a0\u202f\u2009xX×"),
        Rule("ratio", re.compile(r"(?<=[0-9]):(?=[0-9])"), ratio, ":"),
        Rule("plus", re.compile(r"(?<!\+)\+(?!\+)"), named, "+"),
        Rule("equals", re.compile(r"(?<![=<>!])=(?![=<>])"), named, "="),
        Rule("comparison", re.compile(rf"(?<![<>=-])[<>]{number}"), in_front, "<>"),
        Rule("number sign", re.compile(r"(?<![\w&#])#(?=[0-9])"), in_front, "#"),
        Rule("about", re.compile(rf"(?<![\w~])~{number}"), in_front, "~"),
        Rule("arithmetic", re.compile(r"(?<![*/:])[*/:](?![*/:])"), between, "*/:"),
        Rule("and", re.compile(r"(?<!&)&(?![&#]|[a-z]{1,8};)"), named, "&"),
        Rule("symbol", re.compile(r"(?<![@%°])[@%°](?![@%°])"), named, "@%°"),
        Rule("symbol", re.compile(rf"§{{2}}|[{_ALONE}]"), always, _ALONE),
        Rule("currency", re.compile(r"(?:(?<=\s)|(?<=\())[€£$](?=[\s.,;:)])"), always, "€£$"),
    ]
