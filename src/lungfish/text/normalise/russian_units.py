"""Units, currencies, large numbers and months of Russian, each with the forms that stand behind a number."""

from __future__ import annotations

from dataclasses import dataclass

from lungfish.text.normalise.east_asian import alternatives
from lungfish.text.normalise.russian_numbers import number_form


@dataclass(frozen=True)
class Noun:
    """Attributes:
    one, few, many: "час", "часа" (genitive, and behind 2), "часов" (genitive plural, and behind 5).
    gender: m, f or n.
    tail: what follows in every form (" в час").
    """

    one: str
    few: str
    many: str
    gender: str = "m"
    tail: str = ""

    def behind(self, number: int, case: str = "n") -> str:
        """The form behind `number` in a case."""
        form = number_form(number)
        if case in "na":
            return (self.one, self.few, self.many)[form] + self.tail
        if case == "g" or self.one == self.few or " " in self.one:
            return (self.few if form == 0 else self.many) + self.tail
        return self._oblique(case, form == 0) + self.tail

    def _oblique(self, case: str, single: bool) -> str:
        stem = self.one[:-1] if self.one[-1] in "аяьйо" else self.one
        soft = self.one[-1] in "яьй"
        if not single:
            return (
                stem + {"d": "ям", "i": "ями", "p": "ях"}[case]
                if soft
                else stem + {"d": "ам", "i": "ами", "p": "ах"}[case]
            )
        if self.gender == "f":
            return stem + {"d": "е", "i": "ей" if soft else "ой", "p": "е"}[case]
        return stem + {"d": "ю" if soft else "у", "i": "ем" if soft else "ом", "p": "е"}[case]

    @property
    def part(self) -> str:
        """The form behind a decimal or a fraction."""
        return self.few + self.tail


def _regular(one: str, gender: str = "m", tail: str = "") -> Noun:
    if one.endswith("а"):
        return Noun(one, one[:-1] + "ы", one[:-1], "f", tail)
    return Noun(one, one + "а", one + "ов", gender, tail)


def _bare(one: str, tail: str = "") -> Noun:
    """A unit whose genitive plural is its name: пять ватт."""
    return Noun(one, one + "а", one, "m", tail)


def _area(kind: str, one: str) -> Noun:
    return Noun(f"{kind}ый {one}", f"{kind}ых {one}а", f"{kind}ых {one}ов")


_METRE = {
    "м": "метр",
    "км": "километр",
    "см": "сантиметр",
    "мм": "миллиметр",
    "дм": "дециметр",
    "мкм": "микрометр",
    "нм": "нанометр",
}
_LATIN = {
    "m": "м",
    "km": "км",
    "cm": "см",
    "mm": "мм",
    "kg": "кг",
    "g": "г",
    "mg": "мг",
    "ml": "мл",
    "l": "л",
    "L": "л",
    "h": "ч",
}
CALORIE = Noun("калория", "калории", "калорий", "f")
KILOCALORIE = Noun("килокалория", "килокалории", "килокалорий", "f")
HOUR, MINUTE, SECOND = _regular("час"), _regular("минута"), _regular("секунда")
DEGREE, PERCENT = _regular("градус"), _regular("процент")
PER_MILLE = Noun("промилле", "промилле", "промилле", "n")

UNITS: dict[str, Noun] = {
    **{short: _regular(name) for short, name in _METRE.items()},
    **{f"{short}²": _area("квадратн", name) for short, name in _METRE.items()},
    **{f"{short}2": _area("квадратн", name) for short, name in _METRE.items()},
    **{f"кв. {short}": _area("квадратн", name) for short, name in _METRE.items()},
    **{f"кв.{short}": _area("квадратн", name) for short, name in _METRE.items()},
    **{f"{short}³": _area("кубическ", name) for short, name in _METRE.items()},
    **{f"{short}3": _area("кубическ", name) for short, name in _METRE.items()},
    **{f"куб. {short}": _area("кубическ", name) for short, name in _METRE.items()},
    "кг": _regular("килограмм"), "г": _regular("грамм"), "мг": _regular("миллиграмм"), "мкг": _regular("микрограмм"),
    "т": Noun("тонна", "тонны", "тонн", "f"), "ц": _regular("центнер"), "л": _regular("литр"),
    "мл": _regular("миллилитр"),
    "ч": HOUR, "час.": HOUR, "мин": MINUTE, "мин.": MINUTE, "сек": SECOND, "сек.": SECOND, "с": SECOND,
    "мс": _regular("миллисекунда"),
    "км/ч": _regular("километр", tail=" в час"), "м/с": _regular("метр", tail=" в секунду"),
    "км/с": _regular("километр", tail=" в секунду"),
    "об/мин": _regular("оборот", tail=" в минуту"), "Мбит/с": _bare("мегабит", " в секунду"),
    "Гбит/с": _bare("гигабит", " в секунду"),
    "°C": _regular("градус", tail=" Цельсия"), "°С": _regular("градус", tail=" Цельсия"),
    "℃": _regular("градус", tail=" Цельсия"),
    "°F": _regular("градус", tail=" Фаренгейта"), "℉": _regular("градус", tail=" Фаренгейта"), "°": DEGREE,
    "град.": DEGREE,
    "Вт": _bare("ватт"), "кВт": _bare("киловатт"), "МВт": _bare("мегаватт"), "ГВт": _bare("гигаватт"),
    "кВт·ч": Noun("киловатт-час", "киловатт-часа", "киловатт-часов"),
    "кВтч": Noun("киловатт-час", "киловатт-часа", "киловатт-часов"),
    "В": _bare("вольт"), "кВ": _bare("киловольт"), "мА": _bare("миллиампер"),
    "мАч": Noun("миллиампер-час", "миллиампер-часа", "миллиампер-часов"),
    "Гц": _bare("герц"), "кГц": _bare("килогерц"), "МГц": _bare("мегагерц"), "ГГц": _bare("гигагерц"),
    "дБ": _bare("децибел"),
    "Па": Noun("паскаль", "паскаля", "паскалей"), "кПа": Noun("килопаскаль", "килопаскаля", "килопаскалей"),
    "Дж": Noun("джоуль", "джоуля", "джоулей"), "кДж": Noun("килоджоуль", "килоджоуля", "килоджоулей"),
    "кал": CALORIE, "ккал": KILOCALORIE, "га": _regular("гектар"),
    "КБ": _bare("килобайт"), "Кб": _bare("килобайт"), "МБ": _bare("мегабайт"), "Мб": _bare("мегабайт"),
    "ГБ": _bare("гигабайт"),
    "Гб": _bare("гигабайт"), "ТБ": _bare("терабайт"), "Тб": _bare("терабайт"), "GB": _bare("гигабайт"),
    "MB": _bare("мегабайт"),
    "шт.": Noun("штука", "штуки", "штук", "f"), "шт": Noun("штука", "штуки", "штук", "f"),
    "чел.": Noun("человек", "человека", "человек"),
    "чел": Noun("человек", "человека", "человек"), "экз.": _regular("экземпляр"),
    "л. с.": Noun("лошадиная сила", "лошадиные силы", "лошадиных сил", "f"),
    "л.с.": Noun("лошадиная сила", "лошадиные силы", "лошадиных сил", "f"),
}  # fmt: skip
UNITS |= {latin: UNITS[short] for latin, short in _LATIN.items()} | {"km/h": UNITS["км/ч"], "m/s": UNITS["м/с"]}
# "5 с половиной", "5 в ряд": such a letter is a unit only where no word follows it.
_LONE = {"с", "В", "h", "l", "m"}
UNIT = (
    rf"(?P<unit>(?:{alternatives(set(UNITS) - _LONE)})(?![\w²³/]|\.[ \u00a0]?[ндек]\.)"
    rf"|(?:{alternatives(_LONE)})(?![\w²³/-]|\.[ \u00a0]?[а-яё]|[ \u00a0][а-яё]{{2}}))"
)

RUBLE, KOPECK = (Noun("рубль", "рубля", "рублей"), Noun("копейка", "копейки", "копеек", "f"))
DOLLAR, CENT, EURO = _regular("доллар"), _regular("цент"), Noun("евро", "евро", "евро")
_POUND, _YEN, _YUAN = (_regular("фунт"), Noun("иена", "иены", "иен", "f"), Noun("юань", "юаня", "юаней"))
_HRYVNIA, _TENGE = (Noun("гривна", "гривны", "гривен", "f"), Noun("тенге", "тенге", "тенге"))
CURRENCIES: dict[str, Noun] = {
    "руб.": RUBLE, "руб": RUBLE, "р.": RUBLE, "₽": RUBLE, "RUB": RUBLE, "коп.": KOPECK, "коп": KOPECK,
    "$": DOLLAR, "US$": DOLLAR, "USD": DOLLAR, "долл.": DOLLAR, "долл": DOLLAR, "€": EURO, "EUR": EURO,
    "£": _POUND, "GBP": _POUND, "¥": _YEN, "￥": _YEN, "JPY": _YEN, "CNY": _YUAN, "₴": _HRYVNIA, "грн": _HRYVNIA,
    "грн.": _HRYVNIA,
    "UAH": _HRYVNIA, "₸": _TENGE, "KZT": _TENGE, "₩": Noun("вона", "воны", "вон", "f"),
    "₹": Noun("рупия", "рупии", "рупий", "f"),
    "CHF": Noun("франк", "франка", "франков"), "BTC": Noun("биткойн", "биткойна", "биткойнов"),
}  # fmt: skip
SMALL_MONEY = {RUBLE: KOPECK, DOLLAR: CENT, EURO: CENT}
CURRENCY = alternatives(CURRENCIES)
PREFIX_CURRENCY = alternatives(name for name in CURRENCIES if not ("а" <= name[0] <= "я"))

_MILLION, _BILLION = _regular("миллион"), _regular("миллиард")
SCALES: dict[str, Noun] = {
    "тыс.": Noun("тысяча", "тысячи", "тысяч", "f"), "тыс": Noun("тысяча", "тысячи", "тысяч", "f"), "млн": _MILLION,
    "млн.": _MILLION,
    "млрд": _BILLION, "млрд.": _BILLION, "трлн": _regular("триллион"), "трлн.": _regular("триллион"),
}  # fmt: skip
SCALE = alternatives(SCALES)

MONTHS = (
    "января",
    "февраля",
    "марта",
    "апреля",
    "мая",
    "июня",
    "июля",
    "августа",
    "сентября",
    "октября",
    "ноября",
    "декабря",
)
