"""SSML: what each element becomes, places to the character, what is refused and where, and work that is linear."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lungfish.errors import TextError
from lungfish.text.options import TextOptions, TextProfile
from lungfish.text.parts import Part, Pause, Pronunciation, Turn, Words
from lungfish.text.pipeline import prepare_text
from lungfish.text.ssml import MAX_CHARACTERS, MAX_DEPTH, MAX_WARNINGS, is_ssml, parse_ssml
from tests.work import lines_run


def parts_of(body: str) -> list[Part]:
    return parse_ssml(f"<speak>{body}</speak>").parts


def words_of(body: str) -> list[Words]:
    return [part for part in parts_of(body) if isinstance(part, Words)]


def shown(part: Part) -> str:
    if isinstance(part, Words):
        return part.text.text
    if isinstance(part, Pause):
        return f"<{part.strength if part.seconds is None else part.seconds}>"
    if isinstance(part, Turn):
        return f"<{part.voice or part.speaker}>"
    assert isinstance(part, Pronunciation)
    return f"{{{part.text}: {' '.join(part.symbols)}}}"


def line(body: str) -> str:
    return "|".join(map(shown, parts_of(body)))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("", ""),
        ("plain", "plain"),
        ('a<break time="500ms"/>b', "a|<0.5>|b"),
        ('a<break time="+1.5s"/>b', "a|<1.5>|b"),
        ('a<break time="2S" strength="weak"/>b', "a|<2.0>|b"),
        ("a<break/>b", "a|<medium>|b"),
        ('a<break strength="none"/>b', "a|<none>|b"),
        ("<p>a</p><p>b</p>", "a|<paragraph>|b"),
        ("<s>a</s><s>b</s>c", "a|<sentence>|b|<sentence>|c"),
        ("<p><s>a</s><s>b</s></p>\n<p><s>c</s></p>", "a|<sentence>|b|<paragraph>|\n|c"),
        ('<s>a</s><break time="1s"/><s>b</s>', "a|<1.0>|b"),
        ('a <sub alias="World Wide Web">WWW</sub> b', "a World Wide Web b"),
        ('<phoneme alphabet="ipa" ph="aɪ">I</phoneme>', "{I: AY}"),
        ('<phoneme alphabet="x-sampa" ph="aI"> I  am </phoneme>', "{I am: AY}"),
        ('<phoneme alphabet="arpabet" ph="AY1">&#73;</phoneme>', "{I: 1 AY}"),
        ('a<voice name="x">b</voice>c', "a|<x>|b|<0>|c"),
        ('<voice name="x">b</voice> ', "<x>|b| "),
        ('<voice name="x">a<voice name="y">b</voice>c</voice>', "<x>|a|<y>|b|<x>|c"),
        ('<voice name="x">a</voice> <voice name="y">b</voice>', "<x>|a| |<y>|b"),
        ("a<!-- no -->b", "ab"),
        ("<![CDATA[a & b <i>]]>", "a & b <i>"),
    ],
)
def test_what_elements_become(body: str, expected: str) -> None:
    assert line(body) == expected


def test_styles_are_inherited_and_end_with_their_element() -> None:
    body = (
        'a<prosody rate="SLOW" pitch="+2st">b<prosody rate="+20%" volume="+6dB">c</prosody></prosody>'
        '<emphasis>d</emphasis><emphasis level="none">e</emphasis>f'
    )
    styles = [(words.text.text, words.rate, words.pitch, words.volume, words.emphasis) for words in words_of(body)]
    assert styles == [
        ("a", None, None, None, None),
        ("b", "slow", "+2st", None, None),
        ("c", "+20%", "+2st", "+6db", None),
        ("d", None, None, None, "moderate"),
        ("e", None, None, None, "none"),
        ("f", None, None, None, None),
    ]


def test_languages_nest() -> None:
    source = '<speak xml:lang="en-GB">a<lang xml:lang="de">b<s xml:lang="fr">c</s></lang>d<p xml:lang="">e</p></speak>'
    words = [part for part in parse_ssml(source).parts if isinstance(part, Words)]
    assert [(part.text.text, part.language) for part in words] == [
        ("a", "en-GB"), ("b", "de"), ("c", "fr"), ("d", "en-GB"), ("e", None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "kind", "form"),
    [
        ('interpret-as="date" format="dmy"', "date", "dmy"),
        ('interpret-as=" Characters "', "characters", None),
        ('interpret-as="number"', "cardinal", None),
        ('interpret-as="verbatim" detail="2"', "characters", None),
    ],
)
def test_say_as(written: str, kind: str, form: str | None) -> None:
    (words,) = words_of(f"<say-as {written}>1/2</say-as>")
    assert (words.say_as, words.say_as_format) == (kind, form)


class TestPlaces:
    def test_every_kind_of_character_stands_for_what_was_written(self) -> None:
        source = "\ufeff \n<speak>é&amp;你&#38;😀&#x1F600;\r\nx<![CDATA[&é<]]>\ry</speak>"
        (words,) = parse_ssml(source).parts
        assert isinstance(words, Words)
        written = [source[start:end] for start, end in zip(words.text.starts, words.text.ends, strict=True)]
        assert words.text.text == "é&你&😀😀\nx&é<\ny"
        assert written == [
            "é", "&amp;", "你", "&#38;", "😀", "&#x1F600;", "\r\n", "x", "&", "é", "<", "\r", "y",
        ]  # fmt: skip

    def test_elements_stand_for_themselves(self) -> None:
        source = (
            '<?xml version="1.0" encoding="UTF-16"?><!-- é --><speak>é <break time=\'1s\' id=">"/>'
            '<voice name="x">a</voice><sub id=">" alias="b">ö</sub><phoneme ph="aɪ"> ä </phoneme></speak>'
        )
        found = [
            source[slice(*(part.text.span if isinstance(part, Words) else (part.start, part.end)))]
            for part in parse_ssml(source).parts
        ]
        assert found == ["é ", "<break time='1s' id=\">\"/>", '<voice name="x">', "a", "", "ö", "ä"]

    @pytest.mark.parametrize(
        ("source", "place"),
        [
            ("<speak>\n  <break time='x'/></speak>", "line 2, column 3"),
            ("<speak>é\r\né<break time='x'/></speak>", "line 2, column 2"),
            ("\ufeff\n\n<speak>\ré<break time='x'/></speak>", "line 4, column 2"),
            ("<speak>你好 a & b</speak>", "line 1, column 14"),
            ("<speak>\n</p></speak>", "line 2, column 3"),
        ],
    )
    def test_errors_name_line_and_column(self, source: str, place: str) -> None:
        with pytest.raises(TextError, match=f"{place}: "):
            parse_ssml(source)


def test_escaped_turns_stay_text_to_the_end_of_the_pipeline() -> None:
    source = "<speak>a &lt;|speaker:1|> b <![CDATA[<|speaker:2|>]]> <sub alias='&lt;|speaker:3|>'>c</sub></speak>"
    for parts in (parse_ssml(source).parts, prepare_text(source, TextOptions(), TextProfile()).parts):
        assert not any(isinstance(part, Turn) for part in parts)
        text = "".join(part.text.text for part in parts if isinstance(part, Words))
        assert text == "a <|speaker:1|> b <|speaker:2|> <|speaker:3|>"


_BILLION_LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">'
    + "".join(f'<!ENTITY lol{n} "{f"&lol{n - 1 or str()};" * 10}">' for n in range(1, 10))
    + "]><speak>&lol9;</speak>"
)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (_BILLION_LAUGHS, "document type"),
        ('<!DOCTYPE speak SYSTEM "file:///etc/passwd"><speak>a</speak>', "document type"),
        ('<!DOCTYPE speak PUBLIC "-//W3C//DTD SYNTHESIS 1.0//EN" "http://x.invalid/s.dtd"><speak/>', "document type"),
        ('<?xml-stylesheet href="x"?><speak>a</speak>', "processing instructions"),
        ("<speak>a<?php x?></speak>", "processing instructions"),
        ("<speak>&nbsp;</speak>", "undefined entity: only &amp;"),
        ("<p>a</p>", "must begin with <speak>, not <p>"),
        ("plain", "SSML, line 1"),
        ("", "ends too early"),
        ("<speak>a", "ends too early"),
        ("<speak>a<", "close it"),
        ("<speak><s>a</speak></s>", "the last one first"),
        ("<speak>a</speak>b", "nothing may stand behind"),
        ("<speak>a</speak><speak>b</speak>", "nothing may stand behind"),
        ("<speak>\x00</speak>", "control characters"),
        ("<speak>\ud800</speak>", "Unicode"),
        ("<speak><break time='5'/></speak>", "such as 500ms"),
        ("<speak><break time='-5s'/></speak>", "such as 500ms"),
        ("<speak><break time='61s'/></speak>", "60 s at most"),
        ("<speak><break strength='huge'/></speak>", "one of none, x-weak"),
        ("<speak><emphasis level='huge'>a</emphasis></speak>", "one of strong"),
        ("<speak><prosody rate='quick'>a</prosody></speak>", "rate='quick'"),
        ("<speak><prosody rate='-100%'>a</prosody></speak>", "out of reach"),
        ("<speak><prosody pitch='5'>a</prosody></speak>", "pitch='5'"),
        ("<speak><prosody volume='.5.'>a</prosody></speak>", "volume"),
        ("<speak><say-as>a</say-as></speak>", "choose one of characters"),
        ("<speak><say-as interpret-as='date' format='xyz'>a</say-as></speak>", "choose one of mdy"),
        ("<speak><sub>a</sub></speak>", "needs alias"),
        ("<speak><sub alias=' '>a</sub></speak>", "needs alias"),
        ("<speak><sub alias='b'><s>a</s></sub></speak>", "take <s> out"),
        ("<speak><phoneme>a</phoneme></speak>", "needs ph"),
        ("<speak><phoneme ph='☃'>a</phoneme></speak>", "'☃'"),
        ("<speak><phoneme alphabet='morse' ph='a'>a</phoneme></speak>", "one of ipa"),
        ("<speak><voice>a</voice></speak>", "needs name"),
        ("<speak><lang>a</lang></speak>", "needs xml:lang"),
        ("<speak xml:lang='a b'>a</speak>", "is no language"),
    ],
)
def test_what_is_refused(source: str, message: str) -> None:
    with pytest.raises(TextError) as caught:
        parse_ssml(source)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_limits_of_depth_and_size() -> None:
    def nested(depth: int) -> str:
        return "<speak>" + "<s>" * (depth - 1) + "a" + "</s>" * (depth - 1) + "</speak>"

    assert words_of(nested(MAX_DEPTH - 1))[0].text.text == "a"
    with pytest.raises(TextError, match="32 deep"):
        parse_ssml(nested(MAX_DEPTH + 1))
    with pytest.raises(TextError, match="split it"):
        parse_ssml("<speak>" + " " * MAX_CHARACTERS)


def test_what_means_nothing_is_a_warning_and_its_text_is_kept() -> None:
    source = (
        '<speak xmlns="x" xmlns:y="z" version="1.1">a<audio src="b">c</audio><prosody contour="d">e</prosody></speak>'
    )
    parsed = parse_ssml(source)
    assert "".join(map(shown, parsed.parts)) == "ace"
    assert [source[warning.start : warning.end] for warning in parsed.warnings] == [
        '<audio src="b">',
        '<prosody contour="d">',
    ]
    assert "'contour'" in parsed.warnings[1].message


def test_warnings_are_not_without_end() -> None:
    parsed = parse_ssml("<speak>" + "<x/>" * (3 * MAX_WARNINGS) + "</speak>")
    assert len(parsed.warnings) == MAX_WARNINGS + 1
    assert "further warnings" in parsed.warnings[-1].message


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<speak>a</speak>", True),
        ("<speak/>", True),
        ("<speak\nversion='1.1'>", True),
        ("\ufeff \n<?xml version='1.0'?>\n<!-- a -- b --><!----><speak>", True),
        ("<!DOCTYPE speak [<!ENTITY a 'b'>]><speak>&a;</speak>", True),
        ("<speaker>", False),
        ("<speak", False),
        ("<speak-easy>", False),
        ("a <speak>", False),
        ("<!-- <speak>", False),
        ("", False),
    ],
)
def test_what_is_taken_for_ssml(source: str, expected: bool) -> None:
    assert is_ssml(source) is expected


_PIECES = [
    "<s>", "</s>", "<p>", "</p>", "<break/>", "<break time='1s'/>", "<voice name='x'>", "</voice>", "<x a='>'>", "</x>",
    "<sub alias='b'>", "</sub>", "<phoneme ph='aɪ'>", "</phoneme>", "<![CDATA[", "]]>", "&amp;", "&#38;", "&", "<", "é",
    "你", "😀", " ", "\r\n", "\r", "\n", "<|speaker:1|>", "<!-- é -->", "a", "&lt;|speaker:1|>",
]  # fmt: skip


@given(st.lists(st.sampled_from(_PIECES), max_size=16).map("".join) | st.text(max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_gives_parts_in_order_or_a_text_error(body: str) -> None:
    source = f"<speak>{body}</speak>"
    try:
        parts = parse_ssml(source).parts
    except TextError as error:
        assert "\n" not in str(error)  # noqa: PT017
        return
    spans = [part.text.span if isinstance(part, Words) else (part.start, part.end) for part in parts]
    assert all(0 <= start <= end <= len(source) for start, end in spans)
    assert all(before[0] <= after[0] and before[1] <= after[1] for before, after in itertools.pairwise(spans))


@given(st.lists(st.text(max_size=10), max_size=6))
@settings(max_examples=200, deadline=None)
def test_escaped_words_come_back_and_know_their_places(texts: list[str]) -> None:
    from xml.sax.saxutils import escape

    source = "<speak>" + "<break/>".join(map(escape, texts)) + "</speak>"
    try:
        words = [part for part in parse_ssml(source).parts if isinstance(part, Words)]
    except TextError:
        assert any(not character.isprintable() for text in texts for character in text)
        return
    plain = "".join(texts).replace("\r\n", "\n").replace("\r", "\n")
    assert "".join(part.text.text for part in words) in (plain, plain.replace("\n\n", "\n"))
    for part in words:
        for character, start, end in zip(part.text.text, part.text.starts, part.text.ends, strict=True):
            assert source[start:end] in (character, escape(character), "\r\n", "\r")


@pytest.mark.parametrize(
    "unit",
    ["<s>a &amp; b</s>", "&amp;", "é\r\n", "<x/>", "<!-- a -->", "&lt;|speaker:1|>", "<voice name='x'>a</voice>"],
)
def test_work_is_linear(unit: str) -> None:
    def work(count: int) -> int:
        return lines_run(lambda: parse_ssml("<speak>" + unit * count + "</speak>"))

    assert work(1600) <= 2.5 * work(800)
