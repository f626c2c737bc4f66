"""Russian readings: cases, genders, numbers, and what holds for every text; the table is run with the others."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lungfish.text.normalise.russian import read
from lungfish.text.normalise.russian_numbers import (
    cardinal,
    decimal,
    fraction,
    number_form,
    ordinal,
    prefix,
    run_of_digits,
)
from lungfish.text.normalise.russian_units import HOUR, MINUTE, RUBLE, UNITS
from lungfish.text.traced import TracedText

PIECES = [
    *" \n.,;:!?-–—+=%№§$€₽°()«»/XVI0123456789",
    "5", "21", "г.", "в.", "до", "в", "к", "с", "около", "между", "марта", "году", "руб.", "коп.", "кг", "млн", "т. е.",
    "т. д.", "-й", "-го", "-х", "-летний", "минуты", "книга", "друзьям", "классе", "Пётр", "РФ", "XX", "н. э.", "10:30",
    "+7 900 123-05-06",
]  # fmt: skip


def say(text: str) -> str:
    return read(TracedText.of(text)).text


@given(st.integers(0, 10**15 - 1))
def test_cardinals_agree_with_num2words_in_the_nominative(number: int) -> None:
    from num2words import num2words

    said = num2words(number, lang="ru")
    assert cardinal(number) == (said.removeprefix("одна ") if said.startswith("одна тысяча") else said)


@given(st.integers(0, 999_999), st.sampled_from("gdip"), st.sampled_from("mfn"))
def test_cases_and_genders_agree_with_num2words(number: int, case: str, gender: str) -> None:
    from num2words import num2words

    said = num2words(number, lang="ru", case=case, gender=gender)
    assert cardinal(number, case, gender) == (said.split(" ", 1)[1] if 1000 <= number < 2000 else said)


@given(st.integers(0, 999), st.sampled_from("mfn"))
def test_short_ordinals_agree_with_num2words(number: int, gender: str) -> None:
    from num2words import num2words

    assert ordinal(number, "n", gender) == num2words(number, lang="ru", to="ordinal", gender=gender)


def test_the_accusative_is_that_of_things() -> None:
    assert cardinal(2851, "a", "f") == "две тысячи восемьсот пятьдесят одну"
    assert cardinal(1_000_000, "a") == "один миллион"
    assert cardinal(1000, "a") == "тысячу"


def test_long_ordinals_inflect_their_last_word_alone() -> None:
    assert ordinal(2024, "g") == "две тысячи двадцать четвёртого"
    assert ordinal(1993, "p") == "тысяча девятьсот девяносто третьем"
    assert ordinal(2000) == "двухтысячный"
    assert ordinal(21000, "g", "f") == "двадцатиоднотысячной"
    assert ordinal(1_000_000) == "миллионный"
    assert ordinal(1100) == "тысяча сотый"
    assert ordinal(90, "n", "p") == "девяностые"


def test_prefixes_parts_and_codes() -> None:
    assert [prefix(n) for n in (1, 2, 21, 40, 90, 100, 150, 1000)] == [
        "одно", "двух", "двадцатиодно", "сорока", "девяносто", "сто", "стопятидесяти", "тысяче",
    ]  # fmt: skip
    assert decimal("0", "001", "g") == "ноля целых одной тысячной"
    assert decimal("2", "1234567") == "две целых и один два три четыре пять шесть семь"
    assert fraction(3, 4, "g") == "трёх четвёртых"
    assert run_of_digits("007") == "ноль ноль семь"
    assert len(run_of_digits("1" * 20).split()) == 20


@given(st.integers(0, 10**6))
def test_the_form_behind_a_number(number: int) -> None:
    form = number_form(number)
    assert RUBLE.behind(number) == ("рубль", "рубля", "рублей")[form]
    assert (form == 2) == (number % 10 in (0, 5, 6, 7, 8, 9) or 11 <= number % 100 <= 14)


def test_nouns_in_other_cases() -> None:
    assert [HOUR.behind(5, case) for case in "ngdaip"] == ["часов", "часов", "часам", "часов", "часами", "часах"]
    assert MINUTE.behind(1, "d") == "минуте"
    assert RUBLE.behind(5, "i") == "рублями"
    assert UNITS["км/ч"].behind(2) == "километра в час"


CONTEXTS = [
    ("около 5 км", "около пяти километров"),
    ("к 5 часам", "к пяти часам"),
    ("между 5 и 10 годами", "между пятью и десятью годами"),
    ("Он родился 5 марта.", "Он родился пятого марта."),
    ("Сегодня 5 марта.", "Сегодня пятое марта."),
    ("к 5 марта всё готово", "к пятому марта всё готово"),
    ("к 2030 году", "к две тысячи тридцатому году"),
    ("в XIX—XX веках", "в девятнадцатом — двадцатом веках"),
    ("5 с половиной", "пять с половиной"),
    ("2 января 2001 г. Он ушёл.", "второго января две тысячи первого года. Он ушёл."),
    ("500 г муки", "пятьсот граммов муки"),
    ("3 из 5.", "три из пяти."),
]


@pytest.mark.parametrize(("text", "reading"), CONTEXTS)
def test_words_around_a_number_decide(text: str, reading: str) -> None:
    assert say(text) == reading


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=10), st.sampled_from(["", " "]))
@settings(max_examples=300, deadline=None)
def test_reading_twice_changes_nothing_and_leaves_no_figure(pieces: list[str], joint: str) -> None:
    once = say(joint.join(pieces))
    assert say(once) == once
    assert not any(character in "0123456789" for character in once)
