"""Sounds as people write them: three alphabets, one set of symbols."""

from __future__ import annotations

import itertools
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lungfish.errors import TextError
from lungfish.text.ipa import (
    ALPHABETS,
    arpabet_to_symbols,
    ipa_to_symbols,
    to_symbols,
    xsampa_to_symbols,
)
from lungfish.text.lexicon import CONSONANTS, VOWELS
from lungfish.text.phonemes import BOUNDARY, STRESSES, to_phonemes
from tests.work import lines_run


@pytest.mark.parametrize(
    ("ipa", "symbols"),
    [
        ("ˈtʃɜːtʃ", "CH 1 ER CH"),
        ("/ˈlʌŋfɪʃ/", "L 1 AH NG F IH SH"),
        ("[həˈləʊ]", "HH AH L 1 OW"),
        ("həˈloʊ ˈwɝld", "HH AH L 1 OW _ W 1 ER L D"),
        ("aɪ piː eɪ", "AY _ P IY _ EY"),
        ("ˌʌndɚˈstænd", "2 AH N D ER S T 1 AE N D"),
        ("ˈt͡ʃɛk", "CH 1 EH K"),
        ("ˈbʌtn̩", "B 1 AH T AH N"),
        ("ˈbʌtᵊn", "B 1 AH T AH N"),
        ("bɔ̃ʒuʁ", "B AO N ZH UW R"),
        ("ɲ", "N Y"),
        ("bax", "B AA K"),
        ("xoˈse", "HH OW S 1 EH"),
        ("ç", "SH"),
        ("fyːɐ̯", "F UW AH"),
        ("skuːl̪", "S K UW L"),
        ("'aɪ", "1 AY"),
    ],
)
def test_ipa(ipa: str, symbols: str) -> None:
    assert " ".join(ipa_to_symbols(ipa)) == symbols
    assert ipa_to_symbols(unicodedata.normalize("NFD", ipa)) == ipa_to_symbols(unicodedata.normalize("NFC", ipa))


@pytest.mark.parametrize(
    ("xsampa", "ipa"),
    [
        ('"tS3:tS', "ˈtʃɜːtʃ"),
        ('"lVNfIS', "ˈlʌŋfɪʃ"),
        ('h@"l@U', "həˈləʊ"),
        ('%Vnd@`"st{nd', "ˌʌndɚˈstænd"),
        ('"t_SEk', "ˈtʃɛk"),
        ('"bVtn=', "ˈbʌtn̩"),
        ('"bVtn_=', "ˈbʌtn̩"),
        ("bO~ZuR", "bɔ̃ʒuʁ"),
        ("a_Ta_Hta_L", "aata"),
        ("t_hEn", "tɛn"),
        ("aI pi: eI", "aɪ piː eɪ"),
    ],
)
def test_xsampa(xsampa: str, ipa: str) -> None:
    assert xsampa_to_symbols(xsampa) == ipa_to_symbols(ipa)


@pytest.mark.parametrize(
    ("arpabet", "symbols"),
    [
        ("HH AH0 L OW1", "HH AH L 1 OW"),
        ("hh ah l ow1 _ w er1 l d", "HH AH L 1 OW _ W 1 ER L D"),
        ("EH1 F|B IY2", "1 EH F _ B 2 IY"),
        ("W AO1 DX AXR", "W 1 AO D ER"),
        ("B AH1 T EN", "B 1 AH T AH N"),
    ],
)
def test_arpabet(arpabet: str, symbols: str) -> None:
    assert " ".join(arpabet_to_symbols(arpabet)) == symbols


def test_a_words_own_sounds_are_those_of_the_front_end() -> None:
    assert arpabet_to_symbols("L AH1 NG F IH2 SH") == tuple(to_phonemes("lungfish"))


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("IPA", "θ"),
        (" x-sampa ", "T"),
        ("xsampa", "T"),
        ("ARPAbet", "TH"),
        ("x-arpabet", "TH"),
        ("cmu", "TH"),
        ("x-cmu", "TH"),
    ],
)
def test_alphabets_have_many_spellings(name: str, written: str) -> None:
    assert to_symbols(written, name) == ("TH",)


def test_other_alphabets_are_errors_that_name_those_there_are() -> None:
    with pytest.raises(TextError, match="use one of ipa, x-sampa, arpabet"):
        to_symbols("a", "morse")


@pytest.mark.parametrize(
    ("sounds", "alphabet", "message"),
    [
        ("a☃", "ipa", r"IPA sign '☃' \(U\+2603\) at position 2"),
        ("/a5/", "ipa", "IPA sign '5' at position 3"),
        ("ʘ", "ipa", "U\\+0298"),
        ("a!", "x-sampa", "X-SAMPA sign '!' at position 2"),
        ("aé", "x-sampa", "X-SAMPA sign 'é'"),
        ("HH QQ", "arpabet", "ARPAbet sign 'QQ' at position 4"),
        ("T1", "arpabet", "ARPAbet sign 'T1'"),
        ("AH3", "arpabet", "ARPAbet sign 'AH3'"),
        ("aˈt", "ipa", "stress mark at position 2 has no vowel"),
        ("ˈt a", "ipa", "stress mark at position 1"),
        ("", "ipa", "no sounds"),
        ("//", "ipa", "no sounds"),
        (" _ ", "x-sampa", "no sounds"),
        ("|", "arpabet", "no sounds"),
    ],
)
def test_errors_name_the_sign_and_its_place(sounds: str, alphabet: str, message: str) -> None:
    with pytest.raises(TextError, match=message):
        to_symbols(sounds, alphabet)


_SIGNS = "aeiouptkbdgxrnmʃθˈˌːɪɜ̩̃͡ _|/[].-'\"@`\\=~{}013579ATSNHH"


@given(st.text(alphabet=_SIGNS, max_size=30) | st.text(max_size=30), st.sampled_from(ALPHABETS))
@settings(max_examples=500, deadline=None)
def test_any_text_gives_well_formed_symbols_or_a_text_error(text: str, alphabet: str) -> None:
    try:
        symbols = to_symbols(text, alphabet)
    except TextError as error:
        assert "\n" not in str(error)  # noqa: PT017
        return
    assert symbols
    assert set(symbols) <= VOWELS | CONSONANTS | {BOUNDARY, *STRESSES}
    assert BOUNDARY not in (symbols[0], symbols[-1])
    for before, after in itertools.pairwise((*symbols, BOUNDARY)):
        assert not before == after == BOUNDARY
        assert before not in STRESSES or after in VOWELS


@pytest.mark.parametrize("unit", ["ˈtʃɜː ", "x", "xː", "é"])
def test_work_is_linear(unit: str) -> None:
    def work(count: int) -> int:
        return lines_run(lambda: ipa_to_symbols(unit * count + "a"))

    assert work(800) <= 2.5 * work(400)
