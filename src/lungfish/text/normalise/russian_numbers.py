"""Numbers in Russian, in all six cases and three genders: cardinals, ordinals, decimals, fractions, prefixes.

Own code: num2words mixes cases in the accusative ("двух тысячи восемьсот") and in long ordinals. Cases are single letters,
n g d a i p; genders m f n, and "p" for the plural of ordinals. The accusative is that of things, not of people.
"""

from __future__ import annotations

from lungfish.text.normalise.word_lists import word_list

CASES = "ngdaip"
_MAX_DIGITS = 15
_ONE = {
    "m": word_list("один одного одному один одним одном"),
    "f": word_list("одна одной одной одну одной одной"),
    "n": word_list("одно одного одному одно одним одном"),
}
_ZERO = word_list("ноль ноля нолю ноль нолём ноле")
_TWO = word_list("два двух двум два двумя двух")
_UNITS = {
    3: word_list("три трёх трём три тремя трёх"),
    4: word_list("четыре четырёх четырём четыре четырьмя четырёх"),
    8: word_list("восемь восьми восьми восемь восемью восьми"),
}
_SOFT = word_list(
    "_ _ _ _ _ пят шест сем _ девят десят одиннадцат двенадцат тринадцат четырнадцат пятнадцат шестнадцат семнадцат "
    "восемнадцат девятнадцат"
)
_SOFT_ENDINGS = word_list("ь и и ь ью и")
_TENS = {
    2: word_list("двадцать двадцати двадцати двадцать двадцатью двадцати"),
    3: word_list("тридцать тридцати тридцати тридцать тридцатью тридцати"),
    4: word_list("сорок сорока сорока сорок сорока сорока"),
    8: word_list("восемьдесят восьмидесяти восьмидесяти восемьдесят восемьюдесятью восьмидесяти"),
    9: word_list("девяносто девяноста девяноста девяносто девяноста девяноста"),
}
_HUNDREDS = {
    1: word_list("сто ста ста сто ста ста"),
    2: word_list("двести двухсот двумстам двести двумястами двухстах"),
    3: word_list("триста трёхсот трёмстам триста тремястами трёхстах"),
    4: word_list("четыреста четырёхсот четырёмстам четыреста четырьмястами четырёхстах"),
    8: word_list("восемьсот восьмисот восьмистам восемьсот восемьюстами восьмистах"),
}
_THOUSAND = (
    word_list("тысяча тысячи тысяче тысячу тысячей тысяче"),
    word_list("тысячи тысяч тысячам тысячи тысячами тысячах"),
)
_LARGE = word_list("миллион миллиард триллион")
_LARGE_ENDINGS = (("", "а", "у", "", "ом", "е"), ("ы", "ов", "ам", "ы", "ами", "ах"))

_ORDINAL_STEMS = {
    0: "нулев", 1: "перв", 2: "втор", 4: "четвёрт", 5: "пят", 6: "шест", 7: "седьм", 8: "восьм", 9: "девят", 10: "десят",
    40: "сороков", 50: "пятидесят", 60: "шестидесят", 70: "семидесят", 80: "восьмидесят", 90: "девяност", 100: "сот",
}  # fmt: skip
_STRESSED = (0, 2, 6, 7, 8, 40)  # второй, not вторый
_ORDINAL_ENDINGS = {
    "m": word_list("ый ого ому ый ым ом"),
    "f": word_list("ая ой ой ую ой ой"),
    "n": word_list("ое ого ому ое ым ом"),
    "p": word_list("ые ых ым ые ыми ых"),
}
_THIRD = {
    "m": word_list("третий третьего третьему третий третьим третьем"),
    "f": word_list("третья третьей третьей третью третьей третьей"),
    "n": word_list("третье третьего третьему третье третьим третьем"),
    "p": word_list("третьи третьих третьим третьи третьими третьих"),
}
_PLACES = word_list("_ десят сот тысячн десятитысячн стотысячн миллионн")


def number_form(number: int) -> int:
    """Which form of a noun stands behind `number` in the nominative: 0 час, 1 часа, 2 часов."""
    if number % 100 in range(11, 15):
        return 2
    return {1: 0, 2: 1, 3: 1, 4: 1}.get(number % 10, 2)


def _below_twenty(number: int, at: int, gender: str) -> str:
    if number == 1:
        return _ONE[gender][at]
    if number == 2:
        return "две" if gender == "f" and CASES[at] in "na" else _TWO[at]
    return _UNITS[number][at] if number in _UNITS else _SOFT[number] + _SOFT_ENDINGS[at]


def _tens(tens: int, at: int) -> str:
    if tens in _TENS:
        return _TENS[tens][at]
    stem = _SOFT[tens]
    return f"{stem}ьдесят" if CASES[at] in "na" else stem + ("ьюдесятью" if CASES[at] == "i" else "идесяти")


def _hundreds(hundreds: int, at: int) -> str:
    if hundreds in _HUNDREDS:
        return _HUNDREDS[hundreds][at]
    return _SOFT[hundreds] + word_list("ьсот исот истам ьсот ьюстами истах")[at]


def _below_thousand(number: int, at: int, gender: str) -> list[str]:
    words = [_hundreds(number // 100, at)] if number >= 100 else []
    rest = number % 100
    if rest >= 20:
        words.append(_tens(rest // 10, at))
        rest %= 10
    if rest:
        words.append(_below_twenty(rest, at, gender))
    return words


def _scale(group: int, power: int, at: int) -> str:
    """тысяча, миллион ... behind `group` of them."""
    form = number_form(group)
    case, plural = at, form != 0
    if plural and CASES[at] in "na":  # две тысячи, пять тысяч: genitive, singular and plural
        case, plural = 1, form == 2
    if power == 1:
        return _THOUSAND[plural][case]
    return _LARGE[power - 2] + _LARGE_ENDINGS[plural][case]


def cardinal(number: int, case: str = "n", gender: str = "m") -> str:
    """A quantity below 10**15: 2851, "g" -> "двух тысяч восьмисот пятидесяти одного"."""
    at = CASES.index(case)
    if not number:
        return _ZERO[at]
    words: list[str] = []
    for power in range(4, -1, -1):
        group = number // 1000**power % 1000
        if not group:
            continue
        if not power:
            words += _below_thousand(group, at, gender)
            continue
        if group > 1 or words:
            words += _below_thousand(group, at, "f" if power == 1 else "m")
        elif power > 1:
            words.append(_ONE["m"][at])
        words.append(_scale(group, power, at))
    return " ".join(words)


def digit_by_digit(digits: str) -> str:
    """ "007" -> "ноль ноль семь"."""
    return " ".join(cardinal(int(digit)) for digit in digits)


def run_of_digits(digits: str, case: str = "n", gender: str = "m") -> str:
    """An unbroken run: a quantity, but codes (leading zero, or over 15 digits) digit by digit."""
    if len(digits) > _MAX_DIGITS or (len(digits) > 1 and digits[0] == "0"):
        return digit_by_digit(digits)
    return cardinal(int(digits), case, gender)


def prefix(number: int) -> str:
    """A number as the beginning of a word, below a million: 5 пяти(этажный), 21 двадцатиодно, 100 сто."""
    if number == 1000:
        return "тысяче"
    words = []
    for word, nominative in zip(cardinal(number, "g").split(), cardinal(number).split(), strict=True):
        words.append({"сто": "сто", "девяносто": "девяносто", "один": "одно", "тысяча": "тысяче"}.get(nominative, word))
    return "".join(words)


def _adjective(stem: str, case: str, gender: str, *, stressed: bool = False) -> str:
    ending = _ORDINAL_ENDINGS[gender][CASES.index(case)]
    return stem + ("ой" if stressed and ending == "ый" else ending)


def ordinal(number: int, case: str = "n", gender: str = "m") -> str:
    """2024, "g" -> "две тысячи двадцать четвёртого"; `gender` may be "p" for the plural."""
    last = number % 100 if number % 100 <= 20 else number % 10 or number % 100
    if not last and number:
        last = number % 1000
    head = [cardinal(number - last)] if number > last else []
    if last == 0 and number:
        return _round_ordinal(number, case, gender)
    if last == 3:
        word = _THIRD[gender][CASES.index(case)]
    elif last >= 100:
        stem = "" if last == 100 else cardinal(last // 100, "g")
        word = _adjective(stem + "сот", case, gender)
    else:
        stem = _ORDINAL_STEMS.get(last) or cardinal(last)[:-1]
        word = _adjective(stem, case, gender, stressed=last in _STRESSED)
    return " ".join([*head, word])


def _round_ordinal(number: int, case: str, gender: str) -> str:
    """Ordinals of whole thousands and millions: двухтысячный."""
    power = 1
    while number % 1000 ** (power + 1) == 0:
        power += 1
    group = number // 1000**power % 1000
    stem = "тысячн" if power == 1 else _LARGE[power - 2] + "н"
    head = cardinal(number - group * 1000**power) + " " if number > group * 1000**power else ""
    return head + ("" if group == 1 else prefix(group)) + _adjective(stem, case, gender)


def decimal(whole: str, places: str, case: str = "n") -> str:
    """ "3", "5" -> "три целых пять десятых"; more than six places are read figure by figure behind "и"."""
    number, parts = int(whole[:_MAX_DIGITS]), int(places)
    if len(places) >= len(_PLACES):
        return f"{cardinal(number, case, 'f')} {_part('цел', number, case)} и {digit_by_digit(places)}"
    small = f"{cardinal(parts, case, 'f')} {_part(_PLACES[len(places)], parts, case)}"
    return f"{cardinal(number, case, 'f')} {_part('цел', number, case)} {small}"


def _part(stem: str, number: int, case: str) -> str:
    """целая, десятая ... behind `number` of them: одна десятая, две десятых, двух десятых."""
    if number_form(number) == 0:
        return _adjective(stem, case, "f")
    return _adjective(stem, "g" if case in "na" else case, "p")


def fraction(top: int, bottom: int, case: str = "n") -> str:
    """ "две третьих", "одна вторая"."""
    one = number_form(top) == 0
    name = ordinal(bottom, case, "f") if one else ordinal(bottom, "g" if case in "na" else case, "p")
    return f"{cardinal(top, case, 'f')} {name}"
