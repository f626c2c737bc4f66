"""The rule machine: order, one reading only, offsets, and work that grows with the text and no faster."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from lungfish.text.normalise.rules import Rule, RuleReader
from lungfish.text.traced import TracedText

_STARTS = re.compile(r"[0-9a-z]")


def _rule(pattern: str, words: str | None, first: str = "") -> Rule:
    return Rule("test", re.compile(pattern), lambda match: words, first)


def _read(text: str, *rules: Rule, sentence_case: bool = False) -> str:
    return RuleReader(rules, _STARTS, sentence_case=sentence_case).read(TracedText.of(text)).text


def test_the_first_rule_that_matches_wins() -> None:
    assert _read("12", _rule("1", "one"), _rule("12", "twelve")) == "one2"
    assert _read("12", _rule("12", "twelve"), _rule("1", "one")) == "twelve"


def test_a_rule_that_declines_passes_the_place_on() -> None:
    assert _read("12", _rule("12", None), _rule("1", "one")) == "one2"


def test_a_reading_is_not_read_again() -> None:
    assert _read("1 2", _rule("1", "2"), _rule("2", "two")) == "2 two"


def test_until_stable_reads_again_but_not_for_ever() -> None:
    reader = RuleReader([_rule("1", "2"), _rule("2", "two")], _STARTS)
    assert reader.read_until_stable(TracedText.of("1")).text == "two"
    endless = RuleReader([_rule("a", "ab")], _STARTS)
    assert len(endless.read_until_stable(TracedText.of("a")).text) < 20


def test_nothing_read_is_the_very_same_text() -> None:
    text = TracedText.of("nothing here")
    assert RuleReader([_rule("1", "one")], _STARTS).read(text) is text


def test_empty_words_drop_what_matched_and_empty_matches_do_nothing() -> None:
    assert _read("a1b", _rule("1", "")) == "ab"
    assert _read("a1b", _rule("(?=1)", "x")) == "a1b"


def test_only_starts_are_looked_at() -> None:
    assert _read("A1", _rule("A", "x"), _rule("1", "y")) == "Ay"


def test_first_characters_limit_a_rule() -> None:
    assert _read("12", _rule("[0-9]", "x", "2")) == "1x"
    assert _read("1^", _rule("[0-9]", "x", r"\d^")) == "x^"


def test_sentence_case_only_behind_the_end_of_a_sentence() -> None:
    one = _rule("1", "one")
    assert _read("1 here. 1 there! 1, 1", one, sentence_case=True) == "one here. One there! One, one"
    assert _read("1 here. 1 there", one) == "one here. one there"
    etc = _rule(r"etc\.", "et cetera")
    assert _read("etc. 1", etc, one, sentence_case=True) == "et cetera one"


@given(st.lists(st.sampled_from(["1", "2", "a", "b ", "é", "\n", "字"]), max_size=30))
def test_offsets_point_at_the_source(pieces: list[str]) -> None:
    source = "".join(pieces)
    rules = [_rule("1+", "one "), _rule("2", ""), _rule("a(?=1)", "A")]
    done = RuleReader(rules, _STARTS).read(TracedText.of(source))
    assert len(done.starts) == len(done.ends) == len(done.text)
    assert list(done.starts) == sorted(done.starts)
    for character, start, end in zip(done.text, done.starts, done.ends, strict=True):
        written = source[start:end]
        assert written == character or set(written) == {"1"} or (written, character) == ("a", "A")


def test_rules_are_tried_a_bounded_number_of_times_per_place() -> None:
    tries = 0

    def count(match: re.Match[str]) -> str | None:
        nonlocal tries
        tries += 1
        return None

    reader = RuleReader([Rule("a", re.compile("1"), count), Rule("b", re.compile("1"), count)], _STARTS)
    reader.read(TracedText.of("1x" * 50))
    assert tries == 100
