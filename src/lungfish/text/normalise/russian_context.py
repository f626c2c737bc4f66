"""What stands around a Russian number: which case and gender it takes. All of it looks at a bounded stretch.

The case comes from the preposition in front and from the ending of the noun behind, the gender from that ending alone
("2 минуты": -ы behind two is feminine). Source: none; hand-made lists.
"""

from __future__ import annotations

import re

from lungfish.text.normalise.word_lists import word_set

GAP = r"[ \u00a0\u202f]"
_REACH = 48
GENITIVE = word_set(
    "до от около более менее больше меньше свыше из без после порядка среди для против кроме течение размере количестве "
    "возрасте объёме ниже выше старше младше моложе дольше раньше позже с со начала конца середины накануне"
)
_DATIVE = word_set("к ко благодаря вопреки равен равна равно равны")
_PLACE = word_set("в во на о об при")
_NOT_DATIVE = word_set("дам драм реклам ям там сам вам нам телеграм дням")
_FEMININE_SOFT = word_set(
    "ночь часть область степень дверь вещь жизнь роль цель треть соль осень площадь мышь постель тетрадь смерть речь "
    "кровать лошадь очередь мысль сеть модель деталь медаль ветвь нить цепь кость печь ель соль боль даль тень"
)
_MASCULINE_A = word_set("мужчина дядя папа дедушка юноша судья")
_NEUTER_MYA = word_set("время имя племя знамя семя пламя")
_NOT_NOUN = word_set(
    "если были или почти чтобы они мы вы ты бы ли и их им них при три эти этими иначе пришли ушли стали могли "
    "раз ещё еще уже все всё это то так как что не но на за по из от до или либо плюс минус на-на году года он она оно"
)
_PREVIOUS = re.compile(r"([А-Яа-яёЁ]{1,30})[ \u00a0\u202f]{1,2}[«\"(]?$")
_NEXT = re.compile(r"[ \u00a0\u202f]{1,2}([а-яё]{2,30})(?![\w])")
_SECOND = re.compile(r"[ \u00a0\u202f]{1,2}[а-яё]{2,30}[ \u00a0\u202f]{1,2}([а-яё]{2,30})(?![\w])")
_BETWEEN = re.compile(r"между (?:[0-9][0-9 ,]{0,12}и )?$")
_END = re.compile(r"[\"»”)\]]{0,3}(?:\s*$|\s{1,4}[«\"(—-]{0,2}\s?[А-ЯЁA-Z])")
_ADJECTIVE = re.compile(r"(?:[аяую]я|[ое]е|ый|ий|ой|[ыи]е|[ыи]х|[ое]го|[ое]му|[ыи]м|ую|юю)$")


def before(match: re.Match[str], width: int = _REACH) -> str:
    """At most `width` characters in front of the match."""
    return match.string[max(0, match.start() - width) : match.start()]


def after(match: re.Match[str], width: int = _REACH) -> str:
    """At most `width` characters behind the match."""
    return match.string[match.end() : match.end() + width]


def previous_word(match: re.Match[str]) -> str:
    """The word in front of the match and a blank, in small letters; "" if something else stands there."""
    found = _PREVIOUS.search(before(match, 36))
    return found[1].lower() if found else ""


def next_word(match: re.Match[str]) -> str:
    """The word in small letters behind the match and a blank, or ""."""
    found = _NEXT.match(after(match))
    return found[1] if found else ""


def ends_sentence(match: re.Match[str]) -> bool:
    """Whether a full stop at the end of the match also ends a sentence: text end, or a capital follows."""
    return match.group().endswith(".") and _END.match(after(match)) is not None


def case_before(match: re.Match[str]) -> str:
    """The case that the words in front ask for, "n" where they ask for none: n, g, d or i."""
    if _BETWEEN.search(before(match, 30)):
        return "i"
    word = previous_word(match)
    return "g" if word in GENITIVE else "d" if word in _DATIVE else "n"


def agreement(match: re.Match[str], number: int) -> tuple[str, str]:
    """(case, gender) of a cardinal in front of a word that is not read here."""
    case, noun = case_before(match), next_word(match)
    adjective = noun if _ADJECTIVE.search(noun) else ""
    second = _SECOND.match(after(match))
    if adjective and second:
        noun = second[1]
    if noun in _NOT_NOUN or not noun:
        return case, "m"
    if re.search("[аяь]ми$", noun):
        return "i", "m"
    if re.search("[ая]м$", noun) and noun not in _NOT_DATIVE:
        return "d", "m"
    if re.search("[ая]х$", noun) and previous_word(match) in _PLACE:
        return "p", "m"
    last, tens = number % 10, number % 100
    if last == 1 and tens != 11:
        return _beside_one(noun, adjective, case, previous_word(match))
    if last == 2 and tens != 12 and case == "n":
        feminine = re.search("[ыи]$", noun) is not None and not noun.endswith(("ли", "пути", "дни"))
        return "n", "f" if (feminine or noun in ("недели", "мили", "доли", "капли", "цели", "роли", "земли")) else "m"
    return case, "m"


def _beside_one(noun: str, adjective: str, case: str, preposition: str) -> tuple[str, str]:
    """(case, gender) of "one" in front of a noun."""
    if adjective.endswith(("ая", "яя")):
        return case, "f"
    if adjective.endswith(("ое", "ее")):
        return case, "n"
    if case == "g":
        return "g", "f" if noun[-1] in "ыи" else "m"
    if case == "d":
        return "d", "f" if noun[-1] in "еи" else "m"
    if noun[-1] in "ую":
        return "a", "f"
    if noun in _NEUTER_MYA or noun[-1] in "оё":
        return case, "n"
    if noun[-1] in "ая" and noun not in _MASCULINE_A:
        return case, "f"
    if noun[-1] == "е":
        return ("p", "m") if preposition in _PLACE else (case, "n")
    soft = noun in _FEMININE_SOFT or noun.endswith("ость")
    return case, "f" if soft else "m"
