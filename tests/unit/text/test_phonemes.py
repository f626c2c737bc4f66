import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lungfish.errors import TextError
from lungfish.text.lexicon import CONSONANTS, VOWELS, lookup, pronounce
from lungfish.text.phonemes import BOUNDARY, PAUSES, SYMBOLS, phones_only, spell_number, to_phonemes


def test_known_words_become_phones_with_stress_marks_before_their_vowels():
    assert to_phonemes("Hello, world.") == ["HH", "AH", "L", "1", "OW", ",", "_", "W", "1", "ER", "L", "D", "."]


def test_unknown_words_become_letters():
    assert to_phonemes("xqzzt") == list("xqzzt")


def test_digits_are_read_as_cardinals_and_codes_digit_by_digit():
    assert to_phonemes("21") == to_phonemes("twenty one")
    assert to_phonemes("007") == to_phonemes("zero zero seven")
    assert " ".join(spell_number(1_234_567)) == (
        "one million two hundred thirty four thousand five hundred sixty seven"
    )


@pytest.mark.parametrize(
    ("word", "stem", "before", "after"),
    [
        ("catless", "cat", (), ("L", "AH0", "S")),
        ("walkness", "walk", (), ("N", "AH0", "S")),
        ("unreservedly", "reserved", ("AH2", "N"), ("L", "IY0")),
        ("catless's", "catless", (), ("IH0", "Z")),
        ("miswalk", "walk", ("M", "IH2", "S"), ()),
    ],
)
def test_endings_and_prefixes_that_the_lexicon_lacks_follow_the_stem(word, stem, before, after):
    assert lookup(word) is None
    sounds = pronounce(stem)
    assert sounds is not None
    assert pronounce(word) == (*before, *sounds, *after)


def test_compounds_of_known_words():
    assert pronounce("lungfish") == ("L", "AH1", "NG", "F", "IH2", "SH")


def test_curly_quotes_dashes_and_accents_fold():
    assert to_phonemes("it’s café — yes") == to_phonemes("it's cafe -- yes")
    assert "-" in to_phonemes("yes — no")
    assert "-" not in to_phonemes("well-known")


def test_spell_forces_letters():
    assert to_phonemes("hello world", spell=frozenset({"world"})) == [
        *to_phonemes("hello"),
        BOUNDARY,
        *"world",
    ]


@pytest.mark.parametrize("text", ["", "   ", "...", "你好", "!?", "*** ---"])
def test_nothing_to_speak_is_an_error(text):
    with pytest.raises(TextError, match="nothing in the text"):
        to_phonemes(text)


@given(st.text(max_size=80))
def test_any_text_gives_known_symbols_or_a_typed_error(text):
    try:
        symbols = to_phonemes(text)
    except TextError:
        return
    assert set(symbols) <= set(SYMBOLS)
    assert symbols[0] != BOUNDARY
    assert symbols[-1] != BOUNDARY
    assert not any(a == b == BOUNDARY for a, b in itertools.pairwise(symbols))
    assert not any(a in PAUSES and b in PAUSES for a, b in itertools.pairwise(symbols))


def test_every_phone_of_the_lexicon_is_a_symbol():
    words = ["hello", "judge", "vision", "thing", "thick", "book", "boy", "cow", "yes", "measure", "chew"]
    phones = {phone for word in words for phone in phones_only(to_phonemes(word))}
    assert phones <= VOWELS | CONSONANTS <= set(SYMBOLS)
