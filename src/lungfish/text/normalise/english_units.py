"""Units and currencies in English: symbol -> what one and what many of them are called.

A blank may stand between number and unit, but not before `_ATTACHED` and always before `_SPACED`.
Source: the SI brochure's prefixes and symbols; ISO 4217 for currency codes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_NAMES = """
m meter; km kilometer; dm decimeter; cm centimeter; mm millimeter; µm micrometer; μm micrometer; nm nanometer
mi mile; yd yard; yds yard; ft foot/feet; in inch/inches; nmi nautical mile
g gram; kg kilogram; mg milligram; µg microgram; μg microgram; mcg microgram; t ton; lb pound; lbs pound; oz ounce
L liter; l liter; mL milliliter; ml milliliter; cL centiliter; cl centiliter; dL deciliter; dl deciliter; hl hectoliter
gal gallon; qt quart; pt point; tbsp tablespoon; tsp teaspoon; cc cc/ccs; ha hectare
s second; sec second; secs second; ms millisecond; µs microsecond; μs microsecond; ns nanosecond
min minute; mins minute; h hour; hr hour; hrs hour; wk week; wks week; mo month; mos month; yr year; yrs year
mph mile per hour/miles per hour; kph kilometer per hour/kilometers per hour; kmh kilometer per hour/kilometers per hour
mpg mile per gallon/miles per gallon; kn knot; kt knot; rpm R P M/R P M; bpm beat per minute/beats per minute
Hz hertz/hertz; kHz kilohertz/kilohertz; MHz megahertz/megahertz; GHz gigahertz/gigahertz; THz terahertz/terahertz
W watt; kW kilowatt; MW megawatt; GW gigawatt; mW milliwatt; Wh watt hour; kWh kilowatt hour; MWh megawatt hour
GWh gigawatt hour; TWh terawatt hour; V volt; kV kilovolt; mV millivolt; A amp; mA milliamp; mAh milliamp hour
Ah amp hour; Ω ohm; Ω ohm; kΩ kilohm; kΩ kilohm; J joule; kJ kilojoule; MJ megajoule; N newton; kN kilonewton
Nm newton meter; Pa pascal; hPa hectopascal; kPa kilopascal; MPa megapascal; GPa gigapascal; bar bar/bar
mbar millibar/millibar
psi P S I/P S I; cal calorie; kcal kilocalorie; hp horsepower/horsepower; K kelvin; mol mole; lm lumen; lx lux/lux
dB decibel; dBA decibel
°C degree Celsius/degrees Celsius; °F degree Fahrenheit/degrees Fahrenheit; ℃ degree Celsius/degrees Celsius
℉ degree Fahrenheit/degrees Fahrenheit; °K kelvin; ° degree; ° C degree Celsius/degrees Celsius
° F degree Fahrenheit/degrees Fahrenheit
kB kilobyte; KB kilobyte; MB megabyte; GB gigabyte; TB terabyte; PB petabyte; EB exabyte
KiB kibibyte; MiB mebibyte; GiB gibibyte; TiB tebibyte; Kb kilobit; kb kilobit; Mb megabit; Gb gigabit
kbps kilobit per second/kilobits per second; Kbps kilobit per second/kilobits per second
Mbps megabit per second/megabits per second; Gbps gigabit per second/gigabits per second
fps frame per second/frames per second; px pixel; pts point; MP megapixel; dpi D P I/D P I; ppi P P I/P P I
ppm part per million/parts per million; ppb part per billion/parts per billion
sqft square foot/square feet; sqm square meter
"""
_ATTACHED = ("in", "mo", "pt")  # "5 in", "5 pt" are words or ambiguous
_SPACED = ("A", "J", "N", "K")  # "seat 5A" is a label, "5 A" is a current
_POWERS = {"²": "square", "2": "square", "^2": "square", "³": "cubic", "3": "cubic", "^3": "cubic"}
_LENGTHS = ("m", "km", "dm", "cm", "mm", "µm", "μm", "nm", "mi", "ft", "in", "yd")
_PER = {
    "s": "second", "sec": "second", "h": "hour", "hr": "hour", "min": "minute", "d": "day", "day": "day", "wk": "week",
    "week": "week", "mo": "month", "month": "month", "yr": "year", "y": "year", "year": "year", "hour": "hour",
    "night": "night", "person": "person", "user": "user", "ea": "each", "second": "second", "minute": "minute",
    "share": "share", "capita": "capita", "page": "page", "sq ft": "square foot", "pt": "point",
}  # fmt: skip


_ENTRY = re.compile(r"(° [CF]|\S+) (.+)")


def _parse(table: str) -> dict[str, tuple[str, str]]:
    names = {}
    for entry in re.split(r"[;\n]+", table.strip()):
        found = _ENTRY.fullmatch(entry.strip())
        assert found is not None
        symbol, name = found.groups()
        one, _, many = name.partition("/")
        names[symbol] = (one, many or one + "s")
    return names


UNITS = _parse(_NAMES)


def _either(symbols: Iterable[str]) -> str:
    return "|".join(re.escape(symbol) for symbol in sorted(symbols, key=len, reverse=True))


_GAP = r"[ \u00a0\u202f\u2009]"
_POWER = r"²|³|\^?[23](?![0-9])"
_FREE = _either(set(UNITS) - {*_ATTACHED, *_SPACED})
PER = rf"/{_GAP}?(?P<per>{_either({*_PER, *UNITS})})(?P<perpower>{_POWER})?(?![^\W_])"
# What follows a number: the unit and the full stop of its abbreviation, if the sentence clearly goes on.
UNIT = (
    rf"(?:{_GAP}?(?:(?P<named>sq|square|cu)\.?{_GAP}(?P<area>{_either(_LENGTHS)})"
    rf"|(?P<length>{_either(_LENGTHS)})(?P<power>{_POWER})"
    rf"|(?P<inch>in)(?=\.(?:{_GAP}[a-z]|[,;:)])|{_GAP}(?:tall|long|wide|high|deep|thick)(?!\w))"
    rf"|(?P<unit>{_FREE}))"
    rf"|{_GAP}(?P<spaced>{_either(_SPACED)})|(?P<attached>{_either(_ATTACHED)})"
    rf"|-(?P<joined>{_either([*_LENGTHS, 'kg', 'lb', 'oz', 'mph', 'hr', 'sec', 'min'])}))"
    rf"(?![^\W_]|[²³'’][^\W_]?)(?:{PER})?(?:\.(?={_GAP}[a-z(]|[,;:)])|(?:(?<=ft|lb|hr)|(?<=min))\.(?={_GAP}[0-9]))?"
)


def unit_words(match: re.Match[str], *, one: bool) -> str:
    """The unit that `UNIT` matched, behind its number: " kilometers per hour", or "-kilometer" where a hyphen joins them.

    Args:
        match: of a pattern that contains `UNIT`.
        one: whether the number is exactly one.
    """
    if match["joined"]:
        return "-" + UNITS[match["joined"]][0]
    symbol = match["area"] or match["length"] or match["unit"] or match["spaced"] or match["attached"] or match["inch"]
    words = UNITS[symbol][0 if one else 1]
    if match["area"]:
        words = f"{'cubic' if match['named'] == 'cu' else 'square'} {words}"
    elif match["power"]:
        words = f"{_POWERS[match['power']]} {words}"
    return f" {words}{per_words(match)}"


def per_words(match: re.Match[str]) -> str:
    """ " per second squared" for what `PER` matched, or ""."""
    symbol, power = match["per"], match["perpower"]
    if not symbol:
        return ""
    if symbol == "ea":
        return " each"
    name = _PER.get(symbol) or UNITS[symbol][0]
    if not power:
        return f" per {name}"
    kind = _POWERS[power]
    if symbol in _LENGTHS:
        return f" per {kind} {name}"
    return f" per {name} {'squared' if kind == 'square' else 'cubed'}"


@dataclass(frozen=True)
class Currency:
    """Attributes:
    one, many: what one and what many are called.
    cent, cents: the hundredth part; "" where nobody counts it.
    """

    one: str
    many: str
    cent: str = ""
    cents: str = ""


def _dollar(prefix: str) -> Currency:
    return Currency(f"{prefix}dollar", f"{prefix}dollars", "cent", "cents")


_EURO = Currency("euro", "euros", "cent", "cents")
_POUND = Currency("pound", "pounds", "penny", "pence")
_YEN, _WON = Currency("yen", "yen"), Currency("won", "won")
_RUPEE, _RUBLE = Currency("rupee", "rupees", "paisa", "paise"), Currency("ruble", "rubles", "kopeck", "kopecks")
SYMBOLS = {
    "$": _dollar(""), "US$": _dollar("U S "), "A$": _dollar("Australian "), "AU$": _dollar("Australian "),
    "C$": _dollar("Canadian "), "CA$": _dollar("Canadian "), "NZ$": _dollar("New Zealand "), "HK$": _dollar("Hong Kong "),
    "S$": _dollar("Singapore "), "R$": Currency("real", "reais", "centavo", "centavos"), "€": _EURO, "£": _POUND,
    "¥": _YEN, "￥": _YEN, "₹": _RUPEE, "₩": _WON, "₽": _RUBLE, "₿": Currency("bitcoin", "bitcoins"),
    "₺": Currency("lira", "lira"), "₴": Currency("hryvnia", "hryvnias"), "₪": Currency("shekel", "shekels"),
    "₫": Currency("dong", "dong"), "₱": Currency("peso", "pesos"), "฿": Currency("baht", "baht"),
    "₦": Currency("naira", "naira"),
}  # fmt: skip
CODES = {
    "USD": _dollar("U S "), "AUD": _dollar("Australian "), "CAD": _dollar("Canadian "), "NZD": _dollar("New Zealand "),
    "HKD": _dollar("Hong Kong "), "SGD": _dollar("Singapore "), "EUR": _EURO,
    "GBP": Currency("British pound", "British pounds"),
    "JPY": _YEN, "KRW": _WON, "INR": _RUPEE, "RUB": _RUBLE, "CHF": Currency("Swiss franc", "Swiss francs"),
    "CNY": Currency("yuan", "yuan"), "RMB": Currency("yuan", "yuan"), "MXN": Currency("Mexican peso", "Mexican pesos"),
    "BRL": Currency("Brazilian real", "Brazilian reais"), "SEK": Currency("Swedish krona", "Swedish kronor"),
    "NOK": Currency("Norwegian krone", "Norwegian kroner"), "DKK": Currency("Danish krone", "Danish kroner"),
    "PLN": Currency("zloty", "zlotys"), "CZK": Currency("Czech koruna", "Czech korunas"),
    "BTC": Currency("bitcoin", "bitcoins"),
}  # fmt: skip
SYMBOL, CODE = _either(SYMBOLS), _either(CODES)
SCALES = {
    "thousand": "thousand", "million": "million", "billion": "billion", "trillion": "trillion", "k": "thousand",
    "K": "thousand", "m": "million", "M": "million", "MM": "million", "mn": "million", "mln": "million", "b": "billion",
    "B": "billion", "bn": "billion", "bln": "billion", "t": "trillion", "T": "trillion", "tn": "trillion", "trn": "trillion",
}  # fmt: skip
SCALE = _either(SCALES)
