"""The reader that German, French, Spanish, Italian and Portuguese share: all rules in order, for one `Language`.

What a language knows is said in its own module; how it is used, in `european_language`, `european_dates`,
`european_amounts`, `european_web` and `european_words`. Reading a text that was read changes nothing.
"""

from __future__ import annotations

import re

from lungfish.text.normalise import european_amounts, european_dates, european_web, european_words
from lungfish.text.normalise.european_language import Language
from lungfish.text.normalise.rules import RuleReader

# Where anything may begin: digits, symbols, capitals at the beginning of a word, and words in small letters that are short
# or that something other than blanks and punctuation follows.
_STARTS = re.compile(
    r"[\d$€£¥½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞+#=*~@&%°<>≤≥≠≈±×÷∞→©®™№§/:²³]"
    r"|(?<=[0-9])[ \u00a0\u202f\u2009]?[xX][ \u00a0\u202f\u2009]?(?=[0-9])"
    r"|[-−–—('’](?=[ \u00a0\u202f\u2009$€£]{0,2}[0-9])"
    r"|(?<![^\W_])[A-ZÀ-Ý]"
    r"|(?<!\w)(?:[a-zà-ÿ][a-zA-Zà-ÿ]{0,40}+(?=[^\sa-zA-Zà-ÿ,;!?)\"”»])|[a-zà-ÿ]{1,5}+(?!\w))"
)


def reader(language: Language) -> RuleReader:
    """The rules of one language."""
    return RuleReader(
        [
            *european_web.rules(language),
            *language.own,
            *european_dates.rules(language),
            *european_amounts.rules(language),
            *european_words.rules(language),
            *european_words.symbol_rules(language)[:2],
            *european_amounts.last_rules(language),
            *european_words.symbol_rules(language)[2:],
        ],
        _STARTS,
        sentence_case=True,
    )
