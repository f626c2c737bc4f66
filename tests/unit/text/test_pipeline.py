"""The pipeline from end to end, and the parsers at its beginning: SSML, scripts, lexicons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lungfish.errors import TextError, VoiceError
from lungfish.text.options import TextOptions, TextProfile
from lungfish.text.parts import Pause, Pronunciation, Tag, Turn, Words
from lungfish.text.pipeline import PreparedText, prepare_text, rendered
from lungfish.text.pronounce import Lexicon
from lungfish.text.script import parse_script
from lungfish.text.ssml import MAX_DEPTH, is_ssml, parse_ssml
from lungfish.text.tags import TagPolicy
from tests.work import lines_run

SMALL = TextProfile(TagPolicy(("pause", "long pause")), True, ("en",), ("coral", "marlin"), phonemes=True)
LARGE = TextProfile()
INPUTS = Path(__file__).parents[4] / "shared" / "inputs" / "texts.json"


def prepare(text: str, profile: TextProfile = SMALL, **options: object) -> PreparedText:
    return prepare_text(text, TextOptions(**options), profile)  # type: ignore[arg-type]


def shown(text: str, profile: TextProfile = SMALL, **options: object) -> str:
    return rendered(prepare(text, profile, **options).parts)


@pytest.mark.parametrize(
    ("text", "small", "large"),
    [
        ("**It** cost $5.", "It cost five dollars.", "It cost $5."),
        ("[whisper] Hi.", " Hi.", "[whisper] Hi."),
        ("One [pause] two.", "One <pause 0.4 s> two.", "One [pause] two."),
        ("Once. <|speaker:1|>Hi.", "Once. <|speaker:1|>Hi.", "Once. <|speaker:1|>Hi."),
        ("<|pad|> stays", "<|pad|> stays", "<|pad|> stays"),
    ],
)
def test_what_suits_the_checkpoint(text: str, small: str, large: str) -> None:
    assert shown(text) == small
    assert shown(text, LARGE) == large


def test_every_option_turns() -> None:
    assert shown("It is 5 km.", normalise="off") == "It is 5 km."
    assert shown("It is 5 km.", LARGE, normalise="on") == "It is five kilometers."
    assert shown("Es ist 5 Uhr.", LARGE, normalise="on", language="de") == "Es ist fünf Uhr."
    assert shown("👍 ok", emoji="name") == " thumbs up ok"
    assert shown("*a*", markup=False) == "*a*"
    assert shown("coral: Hi.", form="script") == "<voice coral> Hi."
    assert shown("<speak>Hi</speak>") == "Hi"
    assert "speak" in shown("<speak>Hi</speak>", form="plain")
    lexicon = Lexicon.parse("GIF = jiff")
    assert shown("a GIF.", lexicon=lexicon) == "a jiff."


def test_warnings_say_what_was_left_out() -> None:
    prepared = prepare("[whisper] Hello 你好.")
    assert [(warning.start, warning.end) for warning in prepared.warnings] == [(0, 9), (16, 18)]
    assert "[whisper] was left out" in prepared.warnings[0].message
    assert "Latin letters only" in prepared.warnings[1].message


def test_a_mixed_text_keeps_each_parts_language() -> None:
    text = "It rained on 3 days in all the villages. Es regnete an 3 Tagen in allen Dörfern der Gegend."
    assert shown(text, LARGE, normalise="on") == (
        "It rained on three days in all the villages. Es regnete an drei Tagen in allen Dörfern der Gegend."
    )


class TestSSML:
    def test_elements(self) -> None:
        source = (
            '<speak>Hi <break time="500ms"/><sub alias="World Wide Web">WWW</sub> &amp; <phoneme ph="aɪ">I</phoneme>'
            '<voice name="marlin">you</voice><prosody rate="slow">so</prosody>'
            '<say-as interpret-as="digits">12</say-as></speak>'
        )
        parts = parse_ssml(source).parts
        assert [type(part) for part in parts] == [Words, Pause, Words, Pronunciation, Turn, Words, Turn, Words, Words]
        pause, sub, sound = parts[1], parts[2], parts[3]
        assert isinstance(pause, Pause)
        assert pause.seconds == 0.5
        assert isinstance(sub, Words)
        assert sub.text.text == "World Wide Web & "
        assert isinstance(sound, Pronunciation)
        assert (sound.text, sound.symbols) == ("I", ("AY",))
        for part in parts:
            if isinstance(part, Words) and part.text.text in ("Hi ", "you", "so", "12"):
                assert source[slice(*part.text.span)] == part.text.text

    def test_offsets_are_characters_not_bytes(self) -> None:
        source = "<speak>é 你好 <s>näxt</s></speak>"
        words = [part for part in parse_ssml(source).parts if isinstance(part, Words)]
        assert [source[slice(*part.text.span)] for part in words] == ["é 你好 ", "näxt"]

    @pytest.mark.parametrize(
        ("source", "message"),
        [
            ("<speak>a <b</speak>", "line 1, column"),
            ("<speak>\n<break time='fast'/></speak>", "line 2, column 1"),
            ("<p>a</p>", "must begin with <speak>"),
            ("<!DOCTYPE speak [<!ENTITY a 'b'>]><speak>&a;</speak>", "not allowed"),
            ("<speak><?php x?></speak>", "not allowed"),
            ("<speak>&nbsp;</speak>", "undefined entity"),
            ("<speak><say-as interpret-as='x'>1</say-as></speak>", "interpret-as"),
            ("<speak><sub>x</sub></speak>", "alias"),
            ("<speak><phoneme ph='☃'>x</phoneme></speak>", "not known"),
            ("<speak><voice>x</voice></speak>", "needs name"),
            ("<speak><break time='90s'/></speak>", "too long"),
            ("<speak>" + "<p>" * MAX_DEPTH + "</p>" * MAX_DEPTH + "</speak>", "deep"),
        ],
    )
    def test_what_is_refused(self, source: str, message: str) -> None:
        with pytest.raises(TextError, match=message):
            parse_ssml(source)

    def test_unknown_elements_keep_their_text_with_a_warning(self) -> None:
        parsed = parse_ssml("<speak>a <mark name='x'/><audio src='y'>b</audio></speak>")
        assert rendered(tuple(parsed.parts)) == "a b"
        assert len(parsed.warnings) == 2

    def test_what_it_looks_like(self) -> None:
        assert is_ssml('\ufeff<?xml version="1.0"?>\n<!-- x --><speak version="1.1">a</speak>')
        assert not is_ssml("<speaker> a")
        assert not is_ssml("say <speak>")

    def test_unknown_voices_are_refused(self) -> None:
        with pytest.raises(VoiceError, match="nobody"):
            prepare("<speak><voice name='nobody'>a</voice></speak>")

    @given(st.text(alphabet=st.sampled_from("<>/&;ab '\"=spéak-!?[]"), max_size=60))
    @settings(max_examples=200, deadline=None)
    def test_nothing_but_a_text_error(self, text: str) -> None:
        try:
            parse_ssml(f"<speak>{text}</speak>")
        except TextError as error:
            assert "\n" not in str(error)  # noqa: PT017

    def test_work_is_linear(self) -> None:
        def work(count: int) -> int:
            return lines_run(lambda: parse_ssml("<speak>" + "<s>a &amp; b</s>" * count + "</speak>"))

        assert work(800) <= 2.5 * work(400) + 200


class TestScript:
    def test_names_turns_and_what_comes_before(self) -> None:
        parts = parse_script(
            "Once.\nANNA: Hi there.\nIt is late.\nMarlin (tired): At 12:30.", {"Anna": "coral"}, ("coral", "marlin")
        ).parts
        assert [part.voice for part in parts if isinstance(part, Turn)] == ["coral", "marlin"]
        assert [part.text.text for part in parts if isinstance(part, Words)] == [
            "Once.",
            "Hi there.\nIt is late.",
            "At 12:30.",
        ]
        assert [part.name for part in parts if isinstance(part, Tag)] == ["tired"]

    def test_numbers_are_speakers(self) -> None:
        (turn, _) = parse_script("BEN: Hi", {"Ben": "1"}, ()).parts
        assert isinstance(turn, Turn)
        assert (turn.speaker, turn.voice) == (1, None)

    def test_unknown_names_are_errors_with_their_line(self) -> None:
        with pytest.raises(TextError, match=r"line 3: .*'EVE'.*coral"):
            parse_script("coral: Hi.\n\nEVE: Hello.", {}, ("coral",))

    @pytest.mark.parametrize("line", ["https://x.y is an address", "12:30 is a time", "it ends in a colon:a"])
    def test_what_is_no_name(self, line: str) -> None:
        assert all(isinstance(part, Words) for part in parse_script(line, {}, ()).parts)


class TestLexicon:
    LEXICON = Lexicon.parse(
        "# names\nGIF = jiff\ntomato /təˈmɑːtoʊ/\nNguyen {W IH1 N}\nnew york => noo york\n[de]\nChef = Scheff\n"
    )

    def test_entries(self) -> None:
        assert shown("A GIF of a Tomato in New York.", lexicon=self.LEXICON) == (
            "A jiff of a {Tomato: T AH M 1 AA T OW} in noo york."
        )
        assert shown("Mr Nguyen's gif, Chef.", lexicon=self.LEXICON).startswith(
            "Mister {Nguyen: W 1 IH N}'s gif, Chef."
        )

    def test_sections_are_of_their_language(self) -> None:
        assert shown("Der Chef.", LARGE, lexicon=self.LEXICON, language="de") == "Der Scheff."

    def test_later_lexicons_win(self) -> None:
        assert shown("a GIF", lexicon=self.LEXICON.merged(Lexicon.parse("GIF = ghif"))) == "a ghif"

    @pytest.mark.parametrize("text", ["no sign here", "x /☃/", "= y", "x {QQ}", "x = "])
    def test_what_is_no_entry(self, text: str) -> None:
        with pytest.raises(TextError, match="line 2"):
            Lexicon.parse(f"\n{text}", "names.txt")

    def test_files(self, tmp_path: Path) -> None:
        path = tmp_path / "names.txt"
        path.write_text("\ufeffa = b", encoding="utf-8")
        assert shown("a", lexicon=Lexicon.load(path)) == "b"
        with pytest.raises(TextError, match="cannot be read"):
            Lexicon.load(tmp_path / "absent")


@pytest.mark.skipif(not INPUTS.is_file(), reason="the collection of hard texts is not beside this checkout")
@pytest.mark.parametrize("profile", [SMALL, LARGE])
def test_hard_texts(profile: TextProfile) -> None:
    for row in json.loads(INPUTS.read_text(encoding="utf-8")):
        prepared = prepare(row["text"], profile)
        turns = [part for part in prepared.parts if isinstance(part, Turn)]
        assert len(turns) == row["text"].count("<|speaker:")
        for part in prepared.parts:
            start, end = part.text.span if isinstance(part, Words) else (part.start, part.end)
            assert 0 <= start <= end <= len(row["text"])


PIECES = [
    "[whisper]",
    "[",
    "]",
    "<|speaker:1|>",
    "**",
    "5",
    "$5",
    " ",
    "\n",
    "word",
    "é",
    "你好",
    "👍",
    ".",
    "Dr. ",
    "&amp;",
    "<b>",
]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@settings(max_examples=200, deadline=None)
def test_tags_and_turns_keep_number_and_order(text: str) -> None:
    steps = prepare(text, LARGE, normalise="on", language="en").steps
    marks = [[part for part in step.parts if isinstance(part, Tag | Turn)] for step in steps]
    assert all(found == marks[0] for found in marks)


def test_broken_unicode_is_refused() -> None:
    with pytest.raises(TextError, match="Unicode"):
        prepare("\ud800")
