"""The Russian reader: all its rules in order.

What is read, and how, is said in the modules that hold the rules: `russian_dates`, `russian_codes`, `russian_amounts`,
`russian_words`; cases and genders come from `russian_context`. Reading a text that was read changes nothing.
"""

from __future__ import annotations

import functools
import re

from lungfish.text.normalise import russian_amounts, russian_codes, russian_dates, russian_words
from lungfish.text.normalise.rules import RuleReader
from lungfish.text.traced import TracedText

# Where anything may begin: figures, symbols, Latin words (addresses, roman numerals), two capitals, words before a stop.
_STARTS = re.compile(
    r"[0-9½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞$€£¥￥₩₽₹₴₸№§%‰°&+±×÷=≈<>≤≥→]|[-–—−](?=[0-9$€£¥₽])|(?<![A-Za-z0-9])[A-Za-z]"
    r"|(?<![\w-])[А-ЯЁ](?=[А-ЯЁ])|(?<![\w-])[А-Яа-яё](?=[а-яё]{0,5}[.-])|(?<![\w-])[иИ](?=[ \u00a0][тдп])|(?<![\w-])до(?= н)"
)


@functools.cache
def reader() -> RuleReader:
    """The rules."""
    return RuleReader(
        [
            *russian_codes.address_rules(),
            *russian_dates.rules(),
            *russian_codes.rules(),
            *russian_amounts.rules(),
            *russian_words.rules(),
        ],
        _STARTS,
        sentence_case=True,
    )


def read(text: TracedText) -> TracedText:
    """`text` as it is said."""
    return reader().read_until_stable(text)
