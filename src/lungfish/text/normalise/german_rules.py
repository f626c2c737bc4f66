"""Rules that only German needs: ordinals with a full stop, sovereigns, decades, compounds with numbers."""

from __future__ import annotations

import re

from lungfish.text.normalise.english_context import after, before, previous_word
from lungfish.text.normalise.english_words import is_roman, roman_value
from lungfish.text.normalise.european_language import GAP, apart
from lungfish.text.normalise.german_grammar import (
    cardinal,
    date,
    noun_gender,
    ordinal_ending,
    ordinal_stem,
    year,
)
from lungfish.text.normalise.german_words import (
    FORMS,
    MONTHS,
    QUEENS,
    RULERS,
    STARTERS,
)
from lungfish.text.normalise.rules import Rule

_DATIVE = ("seit", "vor", "nach", "mit", "aus", "bei", "von", "zu", "in", "binnen")
_ACCUSATIVE = ("für", "um", "durch", "gegen", "ohne", "je", "pro")
_HALVES = {"m": "ein halber", "f": "eine halbe", "n": "ein halbes"}


def rules() -> list[Rule]:
    """All of them, in order; they come before those that the European languages share."""

    def sovereign(match: re.Match[str]) -> str | None:
        if not is_roman(match["roman"]):
            return None
        found = re.search(r"([^\W\d_]{2,20}) ([^\W\d_]{2,20}) $|(?:^|[\s(„\"])([^\W\d_]{2,20}) $", before(match, 44))
        name = (found[2] or found[3]) if found else ""
        queen, genitive = name in QUEENS, name.endswith("s") and name[:-1] in RULERS | QUEENS
        if name not in RULERS and not queen and not genitive:
            return None
        leader = re.search(
            r"(?<!\w)(von|unter|mit|zu|bei|nach|gegen|für|durch|über)(?: [A-Z]\w{1,20}){1,3} $", before(match, 60)
        )
        stem = ordinal_stem(roman_value(match["roman"]))
        stem = stem[0].upper() + stem[1:]
        accusative = leader is not None and leader[1] in ("gegen", "für", "durch", "über")
        if genitive:
            words = f"{'der' if name[:-1] in QUEENS else 'des'} {stem}en"
        elif queen:
            words = f"{'die' if leader is None or accusative else 'der'} {stem}e{'' if leader is None or accusative else 'n'}"
        elif leader is None:
            words = f"der {stem}e"
        else:
            words = f"{'den' if accusative else 'dem'} {stem}en"
        return words + ("." if match.group().endswith(".") and not after(match).strip() else "")

    def ordinal(match: re.Match[str]) -> str | None:
        number, noun = int(match["number"]), match["noun"] or ""
        left = before(match, 60)
        ending = ordinal_ending(left, noun)
        if ending is None:
            listed = left.endswith("\n") or (not left and "\n" in after(match))
            known = noun in MONTHS or noun_gender(noun) != "" or noun.lower().rstrip(".") in FORMS or match["joint"]
            if not known or (listed and noun not in MONTHS and noun != "Jahrhundert") or number > 1000:
                return None
            ending = {"f": "e", "n": "es"}.get(noun_gender(noun), "er")
        if noun and not noun[0].islower() and ending != "er" and re.fullmatch(STARTERS, noun):
            return None
        return apart(match, ordinal_stem(number) + ending)

    def days(match: re.Match[str]) -> str:
        ending = ordinal_ending(before(match, 60), match["month"]) or "er"
        return f"{ordinal_stem(int(match['first']))}{ending} bis {ordinal_stem(int(match['last']))}{ending} "

    def short_date(match: re.Match[str]) -> str | None:
        day, month = int(match["day"]), int(match["month"])
        left = before(match, 60)
        if not (1 <= day <= 31 and 1 <= month <= 12) or ordinal_ending(left, "Mai") is None:
            return None
        stop = "." if not after(match).strip() or re.match(rf"{GAP}{STARTERS}", after(match)) else ""
        return apart(match, date(day, month, None, left) + stop)

    def compound(match: re.Match[str]) -> str:
        return cardinal(int(match["number"]), "m") + match["rest"].lstrip("-")

    def decade(match: re.Match[str]) -> str:
        number = int(match["number"])
        return f"{year(number)}er{match['rest']}"

    def hour(match: re.Match[str]) -> str:
        return f"{cardinal(int(match['hour']), 'm')} Uhr"

    def one(match: re.Match[str]) -> str | None:
        kind, governor = noun_gender(match["noun"]), previous_word(match).lower()
        if not kind or governor not in (*_DATIVE, *_ACCUSATIVE):
            return None
        if governor in _DATIVE:
            return "einer" if kind == "f" else "einem"
        return {"m": "einen", "f": "eine", "n": "ein"}[kind]

    def half(match: re.Match[str]) -> str | None:
        return apart(match, _HALVES[noun_gender(match["noun"])]) if noun_gender(match["noun"]) else None

    months = "|".join(sorted([*MONTHS, *(form.capitalize() for form in FORMS)], key=len, reverse=True))
    number = r"(?<![\w.,:/-])(?P<number>[0-9]{1,4})\."
    return [
        Rule("one", re.compile(rf"(?<![\w.,:/-])1(?={GAP}(?P<noun>[A-Z][a-zäöü]{{2,30}})(?!\w))"), one, "1"),
        Rule(
            "half",
            re.compile(rf"(?<![\w.,:/-])(?<![0-9] )(?:½|1/2)(?={GAP}(?P<noun>[A-Z][a-zäöü]{{2,30}})(?!\w))"),
            half,
            "1½",
        ),
        Rule("sovereign", re.compile(r"(?<![\w.])(?P<roman>[IVXLCDM]{1,9})\.(?!\w)"), sovereign, "IVXLCDM"),
        Rule(
            "date",
            re.compile(r"(?<![\w.,:/-])(?P<day>[0-9]{1,2})\. ?(?P<month>[0-9]{1,2})\.(?![0-9]| ?[0-9]{2,4})"),
            short_date,
            "0-9",
        ),
        Rule(
            "date",
            re.compile(
                rf"(?<![\w.,:/-])(?P<first>[0-9]{{1,2}})\.?{GAP}?[-–]{GAP}?(?P<last>[0-9]{{1,2}})\.{GAP}(?=(?P<month>{months})(?!\w))"
            ),
            days,
            "0-9",
        ),
        Rule(
            "ordinal",
            re.compile(
                rf"{number}(?:(?={GAP}(?P<noun>[A-ZÄÖÜa-zäöü][a-zäöüß]{{1,40}}(?:-[A-Z][a-z]{{1,30}})?)(?!\w))|(?P<joint>(?={GAP}(?:und|bis|oder|sowie){GAP}[0-9]{{1,4}}\.)))"
            ),
            ordinal,
            "0-9",
        ),
        Rule(
            "compound",
            re.compile(
                r"(?<![\w.,:/-])(?P<number>[1-9][0-9]{0,3})(?P<rest>-?(?:jährig|mal|fach|tägig|stündig|minütig|köpfig|stöckig|seitig|teilig|prozentig|malig|stellig)[a-zäöü]{0,4})(?!\w)"
            ),
            compound,
            "0-9",
        ),
        Rule(
            "decade",
            re.compile(r"(?<![\w.,:/-])['’]?(?P<number>[1-9][0-9]{0,2}0)er(?P<rest>n?)(?!\w)"),
            decade,
            "0-9'’",
        ),
        Rule("time", re.compile(rf"(?<![\w.,:/-])(?P<hour>[0-2]?[0-9]){GAP}Uhr(?!\w)"), hour, "0-9"),
    ]
