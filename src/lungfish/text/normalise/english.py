"""The English reader: all its rules in order.

What is read, and how, is said in the modules that hold the rules: `english_dates`, `english_quantities`, `english_codes`,
`english_web`, `english_words`, `english_symbols`. Reading a text that was read changes nothing.
"""

from __future__ import annotations

import functools
import re

from lungfish.text.normalise import (
    english_codes,
    english_dates,
    english_money,
    english_quantities,
    english_symbols,
    english_times,
    english_web,
    english_words,
    english_years,
)
from lungfish.text.normalise.english_numbers import AMERICAN, BRITISH
from lungfish.text.normalise.rules import RuleReader
from lungfish.text.traced import TracedText

# Where anything may begin: digits, symbols, capitals at the beginning of a word, and words in small letters that something
# other than blanks and punctuation follows, or that are on the list. Most words of a text are none of these.
_STARTS = re.compile(
    r"[\d$€£¥￥₹₩₽₿₺₴₪₫₱฿₦½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒+#*=~@&%°©®™→⇒←<>≤≥≠≈±×÷√∞π№§¶∑∫∂∆∈/^−²³]"
    r"|[-–—.](?=[ \u00a0\u202f$€£¥]{0,2}\.?[0-9])"
    r"|(?<=[0-9a-z])[-–—](?=[JFMASOND][a-z])"
    r"|[('’‘!](?=[0-9+=])"
    r"| ?\[(?=[0-9])"
    r"|(?<![^\W_])[A-Z]"
    r"|(?<!\w)(?:[a-z][a-zA-Z]{0,40}+(?=[^\sa-zA-Z,;!?)\"”])|[a-z]{1,9}+(?=[ \u00a0\u202f]{1,2}[0-9]))"
    r"|(?<!\w)vs(?!\w)"
)


@functools.cache
def reader(british: bool = False) -> RuleReader:
    """The rules, American or British (dates day first, "and" in numbers)."""
    style = BRITISH if british else AMERICAN
    return RuleReader(
        [
            *english_web.rules(),
            *english_dates.rules(style),
            *english_times.rules(),
            *english_years.rules(style),
            *english_codes.rules(style),
            *english_money.rules(style),
            *english_quantities.rules(style),
            *english_words.rules(style),
            *english_codes.mixed_rules(),
            *english_quantities.last_rules(style),
            *english_symbols.rules(),
        ],
        _STARTS,
        sentence_case=True,
    )


def read(text: TracedText, *, british: bool = False) -> TracedText:
    """`text` as it is said."""
    return reader(british).read_until_stable(text)
