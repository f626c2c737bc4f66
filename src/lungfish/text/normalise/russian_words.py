"""Words and signs that are not said as they are written in Russian: roman numerals, abbreviations, acronyms, symbols."""

from __future__ import annotations

import re

from lungfish.text.normalise.east_asian import alternatives
from lungfish.text.normalise.rules import Rule
from lungfish.text.normalise.russian_context import GAP, after, before, ends_sentence, next_word, previous_word
from lungfish.text.normalise.russian_dates import roman_value
from lungfish.text.normalise.russian_numbers import ordinal

_SHORT = {
    "т. е.": "то есть", "т. д.": "так далее", "т.д.": "так далее", "т. п.": "тому подобное", "т.п.": "тому подобное",
    "т.е.": "то есть", "т. к.": "так как", "т.к.": "так как", "и т. д.": "и так далее", "и т.д.": "и так далее",
    "и т. п.": "и тому подобное", "и т.п.": "и тому подобное", "и др.": "и другие", "и пр.": "и прочее",
    "т. н.": "так называемый",
    "т.н.": "так называемый", "до н. э.": "до нашей эры", "до н.э.": "до нашей эры", "н. э.": "нашей эры",
    "н.э.": "нашей эры",
    "см.": "смотри", "ср.": "сравни", "напр.": "например", "проф.": "профессор", "акад.": "академик", "тел.": "телефон",
    "обл.": "область", "г-н": "господин", "г-жа": "госпожа", "пр-т": "проспект", "просп.": "проспект", "им.": "имени",
}  # fmt: skip
_BEFORE_FIGURE = {
    "д.": "дом", "кв.": "квартира", "стр.": "страница", "с.": "страница", "рис.": "рисунок", "гл.": "глава",
    "п.": "пункт",
    "ст.": "статья", "табл.": "таблица", "корп.": "корпус", "оф.": "офис", "эт.": "этаж", "т.": "том",
}  # fmt: skip
_BEFORE_NAME = {
    "г.": ("город", "городе", "города"), "ул.": ("улица", "улице", "улицы"), "пл.": ("площадь", "площади", "площади"),
    "пер.": ("переулок", "переулке", "переулка"), "р.": ("река", "реке", "реки"), "оз.": ("озеро", "озере", "озера"),
    "о.": ("остров", "острове", "острова"), "с.": ("село", "селе", "села"), "пос.": ("посёлок", "посёлке", "посёлка"),
    "св.": ("святой", "святом", "святого"),
}  # fmt: skip
_LETTERS = {
    "Б": "бэ", "В": "вэ", "Г": "гэ", "Д": "дэ", "Ж": "жэ", "З": "зэ", "К": "ка", "Л": "эл", "М": "эм", "Н": "эн",
    "П": "пэ", "Р": "эр",
    "С": "эс", "Т": "тэ", "Ф": "эф", "Х": "ха", "Ц": "цэ", "Ч": "че", "Ш": "ша", "Щ": "ща", "А": "а", "Е": "е",
    "И": "и", "О": "о",
    "У": "у", "Э": "э", "Ю": "ю", "Я": "я",
}  # fmt: skip
_SPELLED = ("США", "ЕС", "МГУ", "ЦРУ", "АЭС", "ЭВМ", "ФСО", "ГИБДД", "ИП", "КПРФ", "ЛДПР")
_SAID = {"США": "сэ-шэ-а", "ФРГ": "фэ-эр-гэ"}
_RULERS = {
    "m": (
        "Пётр",
        "Петр",
        "Николай",
        "Александр",
        "Павел",
        "Иван",
        "Карл",
        "Людовик",
        "Генрих",
        "Фридрих",
        "Вильгельм",
        "Георг",
    ),
    "f": ("Екатерин", "Елизавет", "Анн", "Мари", "Виктори"),
}
_ROOTS = ("Петр", "Никола", "Александр", "Павл", "Иван", "Карл", "Людовик", "Генрих", "Фридрих", "Вильгельм", "Георг")
_RULER = re.compile(
    rf"(?:(?P<f>(?:{'|'.join(_RULERS['f'])})(?P<fend>а|я|ы|и|е|у|ю|ой|ей))|(?P<m>{'|'.join(_RULERS['m'])}|(?:{'|'.join(_ROOTS)})"
    r"(?P<mend>а|я|у|ю|ом|ем|е)))[ \u00a0]$"
)
_MALE = {"": "n", "а": "g", "я": "g", "у": "d", "ю": "d", "ом": "i", "ем": "i", "е": "p"}
_FEMALE = {"а": "n", "я": "n", "ы": "g", "и": "g", "е": "d", "у": "a", "ю": "a", "ой": "i", "ей": "i"}
_PARTS = {"глава": "f", "часть": "f", "книга": "f", "серия": "f", "том": "m", "раздел": "m", "акт": "m", "класс": "m"}
_SYMBOLS = {
    "&": "и", "+": "плюс", "=": "равно", "×": "умножить на", "÷": "разделить на", "≈": "примерно",
    "≤": "меньше или равно",
    "≥": "больше или равно", "±": "плюс-минус", "→": "—", "%": "процент", "‰": "промилле", "°": "градус",
    "§": "параграф", "№": "номер",
    "<": "меньше", ">": "больше",
}  # fmt: skip
_SIGNS = "&+=×÷≈≤≥±→%‰°"


def _roman(match: re.Match[str]) -> str | None:
    value = roman_value(match["roman"])
    if value is None or value > 50:
        return None
    found = _RULER.search(before(match, 16))
    if found:
        if found["f"]:
            return ordinal(value, _FEMALE[found["fend"]], "f").capitalize()
        return ordinal(value, _MALE[found["mend"] or ""]).capitalize()
    if previous_word(match) in _PARTS:
        return ordinal(value, "n", _PARTS[previous_word(match)])
    noun = next_word(match)
    if len(match["roman"]) < 2 and not noun:
        return None
    for endings, case, gender in (
        (("ая", "яя"), "n", "f"), (("ую", "юю"), "a", "f"), (("ой", "ей"), "g", "f"), (("ое", "ее"), "n", "n"),
        (("ого", "его"), "g", "m"), (("ому", "ему"), "d", "m"), (("ые", "ие"), "n", "p"), (("ых", "их"), "g", "p"),
        (("а", "я"), "g", "m"), (("у", "ю"), "d", "m"), (("ом", "ем"), "i", "m"), (("е",), "p", "m"),
    ):  # fmt: skip
        if noun.endswith(endings):
            return ordinal(value, case, gender)
    return ordinal(value)


def _stop(match: re.Match[str]) -> str:
    return "." if ends_sentence(match) else ""


def _short(match: re.Match[str]) -> str:
    words = _SHORT[re.sub(r"\s", " ", match["short"]).lower()]
    return (words.capitalize() if match["short"][0].isupper() else words) + _stop(match)


def _before_figure(match: re.Match[str]) -> str:
    words = _BEFORE_FIGURE[match["short"].lower()]
    return words.capitalize() if match["short"][0].isupper() else words


def _before_name(match: re.Match[str]) -> str:
    nominative, place, of = _BEFORE_NAME[match["short"].lower()]
    word = previous_word(match)
    words = (
        place
        if word in ("в", "во", "на", "о", "при")
        else of
        if word in ("из", "до", "от", "с", "у", "около")
        else nominative
    )
    return words.capitalize() if match["short"][0].isupper() else words


def _acronym(match: re.Match[str]) -> str | None:
    word = match.group()
    if (word not in _SPELLED and re.search("[АЕЁИОУЫЭЮЯ]", word)) or len(set(word)) == 1:
        return None
    if any(letter not in _LETTERS for letter in word):
        return None
    return _SAID.get(word) or "-".join(_LETTERS[letter] for letter in word)


def _symbol(match: re.Match[str]) -> str:
    words = _SYMBOLS[match.group().strip()]
    left, right = before(match, 1), after(match, 1)
    return f"{'' if not left or left.isspace() else ' '}{words}{'' if not right or right.isspace() else ' '}"


def rules() -> list[Rule]:
    """Rules for words and symbols."""
    figure, name = alternatives(_BEFORE_FIGURE), alternatives(_BEFORE_NAME)
    return [
        Rule("roman", re.compile(r"(?<![\w.'’-])(?P<roman>[IVXL]{1,6})(?![\w'’-]|\.\w)"), _roman, "IVXL"),
        Rule("abbreviation", re.compile(rf"(?<![\w-])(?P<short>(?i:{alternatives(_SHORT)}))(?!\w)"), _short, "А-Яа-я"),
        Rule(
            "abbreviation",
            re.compile(rf"(?<![\w-])(?P<short>(?i:{figure}))(?={GAP}?№?{GAP}?[0-9])"),
            _before_figure,
            "А-Яа-я",
        ),
        Rule("abbreviation", re.compile(rf"(?<![\w-])(?P<short>(?i:{name}))(?={GAP}?[А-ЯЁ])"), _before_name, "А-Яа-я"),
        Rule("acronym", re.compile(r"(?<![\w-])[А-ЯЁ]{2,5}(?![\w-])"), _acronym, "А-ЯЁ"),
        Rule("number sign", re.compile("№№?|§§?"), lambda m: _symbol_before(m), "№§"),
        Rule("compared", re.compile(rf"(?<![<>])[<>](?={GAP}?[0-9])"), _symbol, "<>"),
        Rule("symbol", re.compile(f"[{_SIGNS}]"), _symbol, _SIGNS),
    ]


def _symbol_before(match: re.Match[str]) -> str:
    words = {"№": "номер", "№№": "номера", "§": "параграф", "§§": "параграфы"}[match.group()]
    left, right = before(match, 1), after(match, 1)
    return f"{' ' if left.isalnum() else ''}{words}{'' if not right or right.isspace() else ' '}"
