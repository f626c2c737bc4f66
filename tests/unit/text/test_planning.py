"""Planning: what is spoken in one go, by whom, with which silence behind it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lungfish.errors import TextError
from lungfish.text.parts import Part, Pause, Pronunciation, Tag, Turn, Words
from lungfish.text.phonemes import BOUNDARY, PAUSES, to_phonemes
from lungfish.text.planning import PAUSE_S, Segment, plan_phonemes, plan_text
from lungfish.text.traced import TracedText

TOMATO = Pronunciation("tomato", ("T", "AH", "M", "1", "AA", "T", "OW"), 4, 10)


def words(text: str, offset: int = 0) -> Words:
    return Words(TracedText.of(text, offset))


def said(segments: list[Segment]) -> list[str]:
    return [segment.text for segment in segments]


class TestPhonemes:
    def test_a_sentence_is_a_segment_and_knows_where_it_was(self) -> None:
        text = "The first sentence is long enough to stand alone. So is the second one, without any doubt."
        first, second = plan_phonemes([words(text)], 200)
        assert (text[first.start : first.end], text[second.start : second.end]) == (first.text, second.text)
        assert first.symbols == tuple(to_phonemes(first.text))
        assert (first.pause_s, first.asked) == (PAUSE_S["sentence"], False)

    def test_short_sentences_go_together_but_not_over_a_paragraph(self) -> None:
        assert said(plan_phonemes([words("Yes. No. Maybe.\n\nWell. Good.")], 200)) == ["Yes. No. Maybe.", "Well. Good."]
        assert plan_phonemes([words("Yes. No.\n\nWell.")], 200)[0].pause_s == PAUSE_S["paragraph"]

    def test_every_segment_fits(self) -> None:
        text = "a rather long sentence, with clauses, that goes on and on without an end and never stops " * 4
        segments = plan_phonemes([words(text)], 60)
        assert len(segments) > 4
        assert max(len(segment.symbols) for segment in segments) <= 60
        assert " ".join(said(segments)).split() == text.split()

    def test_a_pronunciation_brings_its_own_sounds(self) -> None:
        (segment,) = plan_phonemes([words("say "), TOMATO, words(", please", 10)], 100)
        assert segment.symbols == (
            *to_phonemes("say"),
            BOUNDARY,
            *TOMATO.symbols,
            ",",
            BOUNDARY,
            *to_phonemes("please"),
        )
        assert segment.text == "say tomato, please"
        assert (segment.start, segment.end) == (0, 18)

    def test_a_pronunciation_is_never_cut(self) -> None:
        parts: list[Part] = [part for _ in range(20) for part in (words("some words "), TOMATO, words(" more "))]
        segments = plan_phonemes(parts, 30)
        assert sum(stretch is TOMATO for segment in segments for stretch in segment.stretches) == 20

    def test_pauses(self) -> None:
        parts: list[Part] = [
            Pause(0.5, "medium", 0, 0),
            words("One."),
            Pause(None, "strong", 0, 0),
            words("Two"),
            Pause(None, "none", 0, 0),
            words(" three."),
            Pause(2.0, "medium", 0, 0),
        ]
        segments = plan_phonemes(parts, 100)
        assert [(segment.text, segment.pause_s, segment.asked) for segment in segments] == [
            ("", 0.5, True),
            ("One.", PAUSE_S["strong"], True),
            ("Two three.", 2.0, True),
        ]

    def test_turns(self) -> None:
        anna, ben = Turn(None, "coral", 0, 0), Turn(1, None, 5, 8)
        segments = plan_phonemes([anna, words("Hello."), ben, words("Hi."), words(" There.")], 100)
        assert [(segment.turn, segment.text) for segment in segments] == [(anna, "Hello."), (ben, "Hi. There.")]

    @pytest.mark.parametrize("parts", [[], [words("...")], [Pause(1.0, "medium", 0, 0)], [words("你好")]])
    def test_nothing_to_say(self, parts: list[Part]) -> None:
        with pytest.raises(TextError, match="nothing in the text"):
            plan_phonemes(parts, 100)

    @given(st.text(alphabet=st.sampled_from("abc ABC.,!?\n-1'\U000f0000"), max_size=120), st.integers(8, 80))
    @settings(max_examples=150, deadline=None)
    def test_any_text(self, text: str, room: int) -> None:
        text = text.replace("\U000f0000", "")  # cleaning leaves none
        try:
            segments = plan_phonemes([words(text)], room)
        except TextError:
            return
        for segment in segments:
            assert 0 <= segment.start < segment.end <= len(text)
            assert segment.symbols[0] not in (BOUNDARY, *PAUSES)
            assert all(
                one != BOUNDARY or other != BOUNDARY
                for one, other in zip(segment.symbols, segment.symbols[1:], strict=False)
            )


class TestText:
    def test_what_fits_goes_as_it_is(self) -> None:
        (segment,) = plan_text([words(" Two sentences. In one go. ")])
        assert segment.text == "Two sentences. In one go."

    def test_long_text_is_packed(self) -> None:
        text = "This is a sentence of some forty letters. " * 30
        segments = plan_text([words(text)])
        assert len(segments) == 5
        assert all(len(segment.text.encode()) <= 300 for segment in segments)
        assert " ".join(said(segments)).split() == text.split()

    def test_tags_stay_where_they_are(self) -> None:
        (segment,) = plan_text([words("He said "), Tag("in a low voice", 8, 24), words(" hello")])
        assert segment.text == "He said [in a low voice] hello"

    def test_turns_go_together_under_their_tags(self) -> None:
        parts: list[Part] = []
        for speaker in range(7):
            parts += [Turn(speaker, None, 0, 0), words(f"Line {speaker}.")]
        first, second = plan_text(parts)
        assert first.text == "\n".join(f"<|speaker:{n}|>Line {n}." for n in range(5))
        assert second.text == "<|speaker:5|>Line 5.\n<|speaker:6|>Line 6."

    def test_text_before_the_first_turn_is_kept(self) -> None:
        (segment,) = plan_text([words("Once. "), Turn(0, None, 0, 0), words("Hello.")])
        assert segment.text == "Once.\n<|speaker:0|>Hello."

    def test_a_pause_ends_a_group(self) -> None:
        parts: list[Part] = [
            Turn(0, None, 0, 0), words("One."), Pause(1.0, "medium", 0, 0), Turn(1, None, 0, 0), words("Two."),
        ]  # fmt: skip
        assert said(plan_text(parts)) == ["<|speaker:0|>One.", "<|speaker:1|>Two."]

    def test_a_long_turn_goes_on_under_its_tag(self) -> None:
        segments = plan_text([Turn(3, None, 0, 0), words("This is a sentence of some forty letters. " * 12)])
        assert len(segments) == 2
        assert all(segment.text.startswith("<|speaker:3|>") for segment in segments)

    def test_a_pronunciation_is_a_stretch_of_its_own(self) -> None:
        (segment,) = plan_text([words("say "), TOMATO, words(", please", 10)])
        assert segment.stretches == ("say ", TOMATO, ", please")

    def test_paragraphs_part(self) -> None:
        long = "This is a sentence of some forty letters. " * 5
        assert len(plan_text([words(f"{long}\n\n{long}")])) == 2
