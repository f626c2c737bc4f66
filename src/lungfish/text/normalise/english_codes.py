"""Phone numbers, codes, versions and model numbers in English: what is read by digits, pairs and letters.

A letter run in a code is said as a word if it looks like one and by letters if it does not ("iPhone15", "B2B", "mp3");
a number in it is said as people name things (747 seven forty-seven). Groups of a phone number are parted by commas.
"""

from __future__ import annotations

import re

from lungfish.text.normalise.english_context import after, apart, before, next_word, previous_word
from lungfish.text.normalise.english_numbers import (
    ONES,
    Style,
    cardinal,
    make_plural,
    name_number,
    run_of_digits,
    spelled_digits,
    two_digits,
)
from lungfish.text.normalise.rules import Rule
from lungfish.text.normalise.word_lists import word_set

_CALLS = word_set("call dial phone telephone tel fax text ring calling dialed dialled dialing pin zip code")
_SHORT_NUMBERS = ("911", "112", "999", "411", "311", "988")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_RUNS = re.compile(r"[0-9]+|[A-Za-z]+")
_HASH_LENGTH = 8  # a code of at least this many characters that switches often is read one by one
_HASH_SWITCHES = 4
_STATE_NAMES = (
    "AL Alabama; AK Alaska; AZ Arizona; AR Arkansas; CA California; CO Colorado; CT Connecticut; DE Delaware; FL Florida; "
    "GA Georgia; HI Hawaii; ID Idaho; IL Illinois; IN Indiana; IA Iowa; KS Kansas; KY Kentucky; LA Louisiana; ME Maine; "
    "MD Maryland; MA Massachusetts; MI Michigan; MN Minnesota; MS Mississippi; MO Missouri; MT Montana; NE Nebraska; "
    "NV Nevada; NH New Hampshire; NJ New Jersey; NM New Mexico; NY New York; NC North Carolina; ND North Dakota; OH Ohio; "
    "OK Oklahoma; OR Oregon; PA Pennsylvania; RI Rhode Island; SC South Carolina; SD South Dakota; TN Tennessee; TX Texas; "
    "UT Utah; VT Vermont; VA Virginia; WA Washington; WV West Virginia; WI Wisconsin; WY Wyoming; DC D C"
)
_STATE_PAIRS = (entry.partition(" ") for entry in _STATE_NAMES.split("; "))
STATES: dict[str, str] = {code: name for code, _, name in _STATE_PAIRS}  # behind a city or before a zip code
SPOKEN = word_set(
    "COVID NASA NATO AIDS RAM SIM SIMD RADAR LASER IKEA WIN MAX PRO MINI AIR TYPE MARK LEVEL PART ZONE TEAM MODE "
    "FIFA UEFA VISA JPEG GIF YAML JSON UNIT FORM CLASS APOLLO"
)


def has_vowel(word: str) -> bool:
    """Whether a letter that can be the vowel of a syllable is in `word`."""
    return re.search("[aeiouy]", word, re.IGNORECASE) is not None


def letters(word: str) -> str:
    """ "pdf" -> "p d f"."""
    return " ".join(word)


def letter_run(run: str) -> str:
    """A run of letters within a code: a word where it looks like one, else its letters as capitals."""
    if len(run) == 1:
        return run
    if run.isupper():
        as_word = run in SPOKEN or (len(run) >= 4 and has_vowel(run))
    else:
        as_word = (len(run) > 2 or run.istitle()) and has_vowel(run)
    return run if as_word else letters(run.upper())


def code_words(code: str) -> str:
    """Letters and digits mixed: "B2B" -> "B two B"; hashes one by one."""
    code = code.translate(_SUBSCRIPTS)
    runs = _RUNS.findall(code)
    if len(code) >= _HASH_LENGTH and len(runs) > _HASH_SWITCHES and not _is_formula(code):
        return " ".join(ONES[int(c)] if c.isdigit() else c.upper() for c in code if c.isalnum())
    formula = _is_formula(code)
    parts: list[str] = []
    for run in runs:
        if run == "s" and parts and len(runs) > 2 and runs[-2].isdigit():
            parts[-1] = make_plural(parts[-1])
        elif run.isdigit():
            parts.append(cardinal(run) if formula else name_number(run))
        else:
            parts.append(letters(run) if formula else letter_run(run))
    return " ".join(parts)


def _is_formula(code: str) -> bool:
    """H2O, C6H12O6, Fe2O3: chemical symbols with counts, at least two symbols."""
    found = re.fullmatch(
        r"(?:(?:[BCFHIKNOPSUVWY]|Al|Ag|As|Au|Ba|Br|Ca|Cl|Cr|Cu|Fe|He|Hg|Li|Mg|Mn|Na|Ni|Pb|Si|Sn|Ti|Zn)[0-9]{0,3})+",
        code,
    )
    return found is not None and len(re.findall("[A-Z]", code)) > 1


def _groups(written: str) -> list[str]:
    return re.findall(r"[0-9]{1,16}", written)


def phone_words(written: str, style: Style) -> str:
    """Digits group by group: "+1 555 123 4567" -> "plus one, five five five, one two three, four five six seven"."""
    main, _, extension = re.sub(r"(?:,? ?(?:ext\.?|x) ?)", "x", written, flags=re.IGNORECASE).partition("x")
    groups = _groups(main)
    parts = []
    for index, group in enumerate(groups):
        toll_free = index == 1 and groups[0] == "1" and group in ("800", "900")
        parts.append(cardinal(group, style) if toll_free else spelled_digits(group))
    words = ("plus " if written.lstrip("(").startswith("+") else "") + ", ".join(parts)
    if extension:
        words += f", extension {spelled_digits(extension.strip())}"
    return words


def rules(style: Style) -> list[Rule]:
    """Rules for phones, codes and versions that begin with a digit, "+" or "("."""

    def phone(match: re.Match[str]) -> str | None:
        return apart(match, phone_words(match.group(), style))

    def hardware(match: re.Match[str]) -> str:
        return ", ".join(
            " ".join(spelled_digits(c) if c.isdigit() else c.upper() for c in pair)
            for pair in re.split("[:-]", match.group())
        )

    def zip_code(match: re.Match[str]) -> str:
        digits = ", ".join(spelled_digits(group) for group in _groups(match["zip"]))
        return f"{STATES[match['state']]} {digits}"

    def state(match: re.Match[str]) -> str:
        return STATES[match["state"]]

    def vanity(match: re.Match[str]) -> str:
        _, area, *rest = match.group().split("-")
        parts = ["one", cardinal(area, style) if area.endswith("00") else spelled_digits(area)]
        parts += [spelled_digits(part) if part.isdigit() else code_words(part) for part in rest]
        return apart(match, ", ".join(parts))

    def international(match: re.Match[str]) -> str | None:
        digits = sum(len(group) for group in _groups(match.group()))
        return apart(match, phone_words(match.group(), style)) if 8 <= digits <= 15 else None

    def local(match: re.Match[str]) -> str | None:
        near = re.search(r"\b(?:call|dial|phone|tel|fax|number|text)\b", before(match), re.IGNORECASE)
        if not near and (match.group()[:3].endswith("00") or match.group().endswith("00")):
            return None  # 100-1000 is a range
        return apart(match, phone_words(match.group(), style))

    def called(match: re.Match[str]) -> str | None:
        written = match.group()
        if previous_word(match).lower() not in _CALLS:
            return None
        if len(written) < 6 and written not in _SHORT_NUMBERS and next_word(after(match)):
            return None
        return apart(match, phone_words(written, style))

    def domestic(match: re.Match[str]) -> str | None:
        digits = sum(len(group) for group in _groups(match.group()))
        return apart(match, phone_words(match.group(), style)) if digits >= 7 else None

    def card(match: re.Match[str]) -> str:
        return apart(match, phone_words(match.group(), style))

    def chain(match: re.Match[str]) -> str:
        groups = match.group().split("-")
        if all(len(group) <= 2 for group in groups):
            return apart(match, " ".join(run_of_digits(group, style) for group in groups))
        return apart(match, phone_words(match.group(), style))

    def address(match: re.Match[str]) -> str | None:
        parts = match["parts"].split(".")
        if any(int(part) > 255 for part in parts):
            return None
        words = " dot ".join(name_number(part) for part in parts)
        if match["port"]:
            words += f" colon {name_number(match['port'])}"
        if match["mask"]:
            words += f" slash {two_digits(int(match['mask']))}"
        return apart(match, words)

    def version(match: re.Match[str]) -> str | None:
        parts = match["parts"].split(".")
        named = match.group()[0] == "v"
        if not named and len(parts) > 2 and all(len(part) == 3 for part in parts[1:]) and len(parts[0]) < 4:
            return None  # 1.200.000
        words = " point ".join(run_of_digits(part, style) for part in parts)
        if match["stage"]:
            words += f" {match['stage'] if len(match['stage']) > 2 else letters(match['stage'].upper())}"
        if match["number"]:
            words += f" {run_of_digits(match['number'], style)}"
        return apart(match, f"version {words}" if named else words)

    def model(match: re.Match[str]) -> str:
        return f"{code_words(match['name'])} {code_words(match['number'])}"

    stage = r"(?:-?(?P<stage>alpha|beta|rc|dev|post|pre|a|b)[.-]?(?P<number>[0-9]{1,4})?)"
    states = "|".join(STATES)
    extension = r"(?:,? ?(?:ext\.?|x) ?[0-9]{1,6})?"
    return [
        Rule(
            "phone",
            re.compile(r"(?<![\w+])\+[1-9][0-9]{0,14}(?:[ .\-\u00a0/]{1,2}(?:\(0\) ?)?\(?[0-9]{1,8}\)?){0,6}(?![\w])"),
            international,
            "+",
        ),
        Rule(
            "phone",
            re.compile(
                r"(?<![\w.+-])(?:1[-. ])?(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[-. ])[0-9]{3}[-. ][0-9]{4}"
                rf"{extension}(?![\w]|[-.,][0-9])",
                re.IGNORECASE,
            ),
            phone,
            "0-9(",
        ),
        Rule(
            "phone",
            re.compile(r"(?<![\w.+-])1-(?:800|888|877|866|900)(?:-[0-9A-Z]{2,7}){1,3}(?![\w-])"),
            vanity,
            "1",
        ),
        Rule(
            "phone",
            re.compile(rf"(?<![\w.,+-])[2-9][0-9]{{2}}-[0-9]{{4}}{extension}(?![\w]|[-.,][0-9])", re.IGNORECASE),
            local,
            "0-9",
        ),
        Rule(
            "phone",
            re.compile(r"(?<![\w.,+-])[0-9]{2,11}(?:[ -][0-9]{2,6}){0,4}(?![\w]|[-.,:/%][0-9]|[%°])"),
            called,
            "0-9",
        ),
        Rule(
            "phone",
            re.compile(r"(?<![\w.,+-])0[0-9]{2,4}(?:[ /-][0-9]{2,4}){1,4}(?![\w]|[-.,:/%][0-9]|[%°])"),
            domestic,
            "0",
        ),
        Rule("card", re.compile(r"(?<![\w.,+-])[0-9]{4}(?:[ -][0-9]{4}){2,4}(?![\w]|[-., ][0-9])"), card, "0-9"),
        Rule("code", re.compile(r"(?<![\w.,+-])[0-9]{1,6}(?:-[0-9]{1,7}){2,6}(?![\w]|[-.,][0-9])"), chain, "0-9"),
        Rule(
            "address",
            re.compile(
                r"(?<![\w.])(?P<parts>[0-9]{1,3}(?:\.[0-9]{1,3}){3})(?::(?P<port>[0-9]{1,5})|/(?P<mask>[0-9]{1,2}))?(?![\w/:]|\.[0-9])"
            ),
            address,
            "0-9",
        ),
        Rule(
            "version",
            re.compile(
                rf"(?<![\w.,])(?P<parts>[0-9]{{1,6}}(?:\.[0-9]{{1,6}}){{2,6}}){stage}?(?![0-9]|[.,][0-9])"
                rf"(?![A-Za-z]{{1,2}}[0-9])"
            ),
            version,
            "0-9",
        ),
        Rule(
            "version",
            re.compile(rf"(?<![\w.,])(?P<parts>[0-9]{{1,6}}(?:\.[0-9]{{1,6}}){{1,6}}){stage}(?![\w.])"),
            version,
            "0-9",
        ),
        Rule(
            "version",
            re.compile(rf"(?<![\w.])v\.?(?P<parts>[0-9]{{1,6}}(?:\.[0-9]{{1,6}}){{0,6}}){stage}?(?![\w]|[.,][0-9])"),
            version,
            "v",
        ),
        Rule(
            "address",
            re.compile(r"(?<![\w:-])[0-9A-Fa-f]{2}([:-])(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}(?![\w:-])"),
            hardware,
            "0-9A-Fa-f",
        ),
        Rule(
            "place",
            re.compile(rf"(?<![\w])(?P<state>{states}),? (?P<zip>[0-9]{{5}}(?:-[0-9]{{4}})?)(?![\w-]|[.,][0-9])"),
            zip_code,
            "A-Z",
        ),
        Rule("place", re.compile(rf"(?<=[a-z], )(?P<state>{states})(?=[,.;)]|\Z)"), state, "A-Z"),
        Rule(
            "model",
            re.compile(
                r"(?<![\w.-])(?P<name>[A-Z](?:[A-Z]{0,5}|[a-z]{1,7})[0-9]{0,2}|[a-z]{1,3}[0-9]{1,2})-(?P<number>[0-9]{1,5}[A-Za-z]{0,4}(?:[0-9]{1,3}[A-Z]{0,2})?)(?![\w]|-[0-9]|[.,:][0-9])"
            ),
            model,
            "A-Za-z",
        ),
    ]


def mixed_rules() -> list[Rule]:
    """The rule for letters and digits mixed; it comes after units and ordinals."""

    def code(match: re.Match[str]) -> str | None:
        written = match.group()
        if not re.search("[0-9₀-₉]", written) or not re.search("[A-Za-z]", written):
            return None
        return apart(match, code_words(written))

    return [Rule("code", re.compile(r"(?<![^\W_])[A-Za-z0-9₀-₉]++(?![^\W_])"), code, "A-Za-z0-9")]
