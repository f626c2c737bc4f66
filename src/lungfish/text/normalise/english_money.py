"""Money in English: signs, codes, cents, ranges, and what it is paid for.

"$1,200.50" is dollars and cents, "$3.2 billion" and "$1.5" are not. A code or a sign may stand on either side.
"""

from __future__ import annotations

import re

from lungfish.text.normalise.english_amounts import BEGIN, NUMBER, number_words, plain
from lungfish.text.normalise.english_context import GAP, apart, describes
from lungfish.text.normalise.english_numbers import Style, cardinal, make_plural
from lungfish.text.normalise.english_units import CODE, CODES, PER, SCALE, SCALES, SYMBOL, SYMBOLS, Currency, per_words
from lungfish.text.normalise.rules import Rule


def money_words(written: str, currency: Currency, scale: str | None, style: Style, *, one: bool = False) -> str:
    """An amount of money.

    Args:
        written: the number.
        currency: what it is an amount of.
        scale: "million", or None.
        one: keep the currency's name singular ("a five dollar bill").
    """
    digits = plain(written)
    whole, point, places = digits.partition(".")
    if scale:
        return f"{number_words(written, style)} {SCALES[scale]} {currency.one if one else currency.many}"
    if point and len(places) == 2 and currency.cent:
        cents = int(places)
        dollars = (
            f"{cardinal(whole, style)} {currency.one if whole.lstrip('0') == '1' else currency.many}" if whole else ""
        )
        if not cents:
            return dollars or f"zero {currency.many}"
        small = f"{cardinal(str(cents), style)} {currency.cent if cents == 1 else currency.cents}"
        return f"{dollars} and {small}" if whole.strip("0") else small
    single = one or (digits.strip("0") == "1" and not point and digits.lstrip("0") == "1")
    return f"{number_words(written, style)} {currency.one if single else currency.many}"


def rules(style: Style) -> list[Rule]:
    """Rules for money."""

    def money(match: re.Match[str]) -> str:
        currency = SYMBOLS.get(match["symbol"]) if match["symbol"] else CODES.get(match["code"])
        assert currency is not None
        scale = match["scale"]
        single = describes(match) and (bool(scale) or "." not in match["number"])
        words = money_words(match["number"], currency, scale, style, one=single)
        if match["minus"]:
            words = "minus " + words
        if match["last"]:
            words = f"{number_words(match['number'], style)} to {money_words(match['last'], currency, scale, style)}"
        return apart(match, words + per_words(match))

    def money_behind(match: re.Match[str]) -> str:
        currency = SYMBOLS.get(match["symbol"]) if match["symbol"] else CODES.get(match["code"])
        assert currency is not None
        return apart(match, money_words(match["number"], currency, match["scale"], style) + per_words(match))

    def notes(match: re.Match[str]) -> str:
        digits = match["number"].replace(",", "")
        words = make_plural(cardinal(digits, style))
        return f"{words.removeprefix('one ')} of dollars" if digits.strip("0") == "1" else words

    def cents(match: re.Match[str]) -> str:
        return apart(match, f"{number_words(match['number'], style)} {'cent' if match['number'] == '1' else 'cents'}")

    scale = rf"(?:(?:{GAP}(?=[a-z]{{2}}))?(?P<scale>{SCALE})(?![^\W_]|-[A-Za-z]))?"
    return [
        Rule("money", re.compile(r"\$(?P<number>[1-9][0-9]{1,2}|1,?000)s(?!\w)"), notes, "$"),
        Rule(
            "money",
            re.compile(
                rf"(?:(?<![^\W\d_])(?P<symbol>{SYMBOL})|(?<!\w)(?P<code>{CODE})){GAP}?(?P<minus>[-−]?)(?P<number>{NUMBER})"
                rf"(?:{GAP}?[-–—]{GAP}?(?:(?P=symbol))?(?P<last>{NUMBER})(?!%))?{scale}(?:{PER})?"
            ),
            money,
            "A-Z$€£¥￥₹₩₽₿₺₴₪₫₱฿₦",
        ),
        Rule(
            "money",
            re.compile(
                rf"{BEGIN}(?P<number>{NUMBER}){scale}{GAP}?(?:(?P<symbol>[€£₽₴₪₫₩₺]|(?<=[0-9])[$¥](?![0-9.]))|(?P<code>{CODE})(?!\w))"
                rf"(?![0-9])(?:{PER})?"
            ),
            money_behind,
            "0-9.",
        ),
        Rule("cents", re.compile(rf"{BEGIN}(?P<number>{NUMBER}){GAP}?[¢￠]"), cents, "0-9."),
    ]
