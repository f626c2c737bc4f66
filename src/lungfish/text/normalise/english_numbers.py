"""Numbers in English words: cardinals, ordinals, years, decimals, fractions, digits.

Everything takes digits as they stand in a text and gives words without commas, so that a reading is one breath. American
by default ("one hundred one"); British puts "and" before the last two digits. Own code and not num2words, which writes
"one thousand, two hundred and five" and costs ten times as much. Invariant: no digit is ever lost, however long.
"""

from __future__ import annotations

from dataclasses import dataclass

from lungfish.text.normalise.word_lists import word_list

ONES = word_list(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
TENS = word_list("zero ten twenty thirty forty fifty sixty seventy eighty ninety")
SCALES = word_list(
    "thousand million billion trillion quadrillion quintillion sextillion septillion octillion nonillion decillion"
)
_IRREGULAR_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_MAX_DIGITS = 3 * (len(SCALES) + 1)  # longer ones have no name
_MAX_PLAIN_DIGITS = 12  # an unbroken run longer than this is a code, not a quantity, unless it is round
_ROUND_DIGITS = 4
_BREATH = 3  # digits of a long code between two commas
_LONG_CODE = 8


@dataclass(frozen=True)
class Style:
    """Attributes:
    british: "and" within numbers, and the day before the month.
    """

    british: bool = False


AMERICAN, BRITISH = Style(), Style(british=True)


def _below_thousand(number: int, style: Style) -> str:
    hundreds, rest = divmod(number, 100)
    words = [ONES[hundreds], "hundred"] if hundreds else []
    if hundreds and rest and style.british:
        words.append("and")
    if rest or not hundreds:
        words.append(two_digits(rest))
    return " ".join(words)


def two_digits(number: int) -> str:
    """0..99: "zero", "nineteen", "twenty-one"."""
    if number < len(ONES):
        return ONES[number]
    tens, ones = divmod(number, 10)
    return f"{TENS[tens]}-{ONES[ones]}" if ones else TENS[tens]


def cardinal(digits: str, style: Style = AMERICAN) -> str:
    """A quantity: "1084" -> "one thousand eighty-four". Leading zeros do not count; above 10**36 digit by digit."""
    digits = digits.lstrip("0") or "0"
    if len(digits) > _MAX_DIGITS:
        return spelled_digits(digits)
    width = -len(digits) % 3 + len(digits)
    digits = digits.rjust(width, "0")
    groups = [int(digits[at : at + 3]) for at in range(0, width, 3)]
    words = []
    for index, group in enumerate(groups):
        power = len(groups) - 1 - index
        if not group and (power or words):
            continue
        if not power and words and group < 100 and style.british:
            words.append("and")
        words.append(_below_thousand(group, style))
        if power:
            words.append(SCALES[power - 1])
    return " ".join(words)


def spelled_digits(digits: str, zero: str = "zero") -> str:
    """Digit by digit; codes of eight digits or more with a comma every three, where a speaker breathes."""
    words = [zero if digit == "0" else ONES[int(digit)] for digit in digits]
    if len(words) < _LONG_CODE:
        return " ".join(words)
    tail = len(words) % _BREATH or _BREATH  # the last group takes what is over rather than being a lone digit
    cut = len(words) - tail - (_BREATH if tail == 1 else 0)
    parts = [" ".join(words[at : at + _BREATH]) for at in range(0, cut, _BREATH)]
    return ", ".join([*parts, " ".join(words[cut:])])


def run_of_digits(digits: str, style: Style = AMERICAN) -> str:
    """An unbroken run: a quantity, but codes (leading zero, or over twelve digits and not round) digit by digit."""
    if len(digits) > 1 and digits[0] == "0":
        return spelled_digits(digits)
    if len(digits) > _MAX_PLAIN_DIGITS and len(digits.rstrip("0")) > _ROUND_DIGITS:
        return spelled_digits(digits)
    return cardinal(digits, style)


def make_ordinal(words: str) -> str:
    """Cardinal words -> ordinal words: "twenty-one" -> "twenty-first"."""
    cut = max(words.rfind(" "), words.rfind("-")) + 1
    head, last = words[:cut], words[cut:]
    if last in _IRREGULAR_ORDINALS:
        return head + _IRREGULAR_ORDINALS[last]
    if last.endswith("y"):
        return f"{head}{last[:-1]}ieth"
    return f"{head}{last}th"


def ordinal(digits: str, style: Style = AMERICAN) -> str:
    """ "22" -> "twenty-second"."""
    return make_ordinal(cardinal(digits, style))


def make_plural(words: str) -> str:
    """ "twenty" -> "twenties", "half" -> "halves", "six" -> "sixes"."""
    if words.endswith("half"):
        return words[:-1] + "ves"
    if words.endswith("y"):
        return words[:-1] + "ies"
    return words + ("es" if words.endswith("x") else "s")


def year(number: int, style: Style = AMERICAN) -> str:
    """A year as it is said: 1097 ten ninety-seven, 1900 nineteen hundred, 1905 nineteen oh five, 2009 two thousand nine."""
    century, rest = divmod(number, 100)
    if number < 100 or number > 9999 or (century % 10 == 0 and rest < 10):
        return cardinal(str(number), style)
    if rest == 0:
        return f"{two_digits(century)} hundred"
    return f"{two_digits(century)} {two_digits(rest) if rest >= 10 else 'oh ' + ONES[rest]}"


def two_digit_year(digits: str) -> str:
    """ "99" -> "ninety-nine", "05" -> "oh five", "00" -> "zero zero"."""
    if digits == "00":
        return "zero zero"
    return f"oh {ONES[int(digits)]}" if digits[0] == "0" else two_digits(int(digits))


def name_number(digits: str) -> str:
    """A number that names a thing: 747 seven forty-seven, 101 one oh one, 4090 forty ninety, 12345 digit by digit."""
    if (digits[0] == "0" and len(digits) > 1) or len(digits) > 4:
        return spelled_digits(digits)
    if len(digits) <= 2:
        return two_digits(int(digits))
    return year(int(digits)) if int(digits) % 1000 else cardinal(digits)


def decimal(whole: str, places: str, style: Style = AMERICAN) -> str:
    """ "28", "28" -> "twenty-eight point two eight"; no whole part: "point five"."""
    after = " ".join(ONES[int(digit)] for digit in places)
    return f"{run_of_digits(whole, style)} point {after}" if whole else f"point {after}"


def fraction(numerator: int, denominator: int, style: Style = AMERICAN) -> str:
    """ "three quarters", "one half", "five sixteenths"; the denominator is at least 2."""
    name = {2: "half", 4: "quarter"}.get(denominator) or ordinal(str(denominator), style)
    if numerator == 1 and name.startswith("one "):
        return name  # "one hundredth"
    return f"{cardinal(str(numerator), style)} {name if numerator == 1 else make_plural(name)}"
