"""User lexicons: the file, which words it is for, and what becomes of them."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lungfish.errors import TextError
from lungfish.text.parts import Part, Pronunciation, Words
from lungfish.text.pronounce import MAX_BYTES, MAX_ENTRIES, Entry, Lexicon, apply_lexicon
from lungfish.text.traced import TracedText
from tests.work import lines_run


def said(text: str, lexicon: str | Lexicon, language: str = "en") -> str:
    """Words as they are, pronunciations as {words: symbols}."""
    made = Lexicon.parse(lexicon) if isinstance(lexicon, str) else lexicon
    return "".join(map(show, apply_lexicon(Words(TracedText.of(text)), made, language)))


def show(part: Part) -> str:
    if isinstance(part, Words):
        return part.text.text
    assert isinstance(part, Pronunciation)
    return f"{{{part.text}: {' '.join(part.symbols)}}}"


class TestFile:
    @pytest.mark.parametrize(
        ("line", "word", "entry"),
        [
            ("GIF = jiff", "GIF", Entry("jiff")),
            ("GIF=jiff", "GIF", Entry("jiff")),
            ("GIF => jiff  or so", "GIF", Entry("jiff or so")),
            ("GIF\tjiff", "GIF", Entry("jiff")),
            ("New \u00a0 York\tnoo york", "New York", Entry("noo york")),
            ("I /aɪ/", "I", Entry(None, ("AY",))),
            ("I => /aɪ/", "I", Entry(None, ("AY",))),
            ("I\t/aɪ/", "I", Entry(None, ("AY",))),
            ("I {AY1}", "I", Entry(None, ("1", "AY"))),
            ("I = {AY1}", "I", Entry(None, ("1", "AY"))),
            ("and/or => and or", "and/or", Entry("and or")),
            ("w/ /wɪð/", "w/", Entry(None, ("W", "IH", "DH"))),
            ("E=mc2 => energy", "E=mc2", Entry("energy")),
            ("cafe\u0301 = kafay", "café", Entry("kafay")),
            ("GIF = jiff # not giff", "GIF", Entry("jiff")),
            ("C# = see sharp", "C#", Entry("see sharp")),
        ],
    )
    def test_lines(self, line: str, word: str, entry: Entry) -> None:
        assert Lexicon.parse(f"# head\n\n  #note\n{line}\r\n").entries == {("*", word): entry}

    def test_sections(self) -> None:
        lexicon = Lexicon.parse("a = 1\n[de]\na = 2\n[ en-GB ]\na = 3\n[*]\nb = 4")
        assert list(lexicon.entries) == [("*", "a"), ("de", "a"), ("en-gb", "a"), ("*", "b")]

    @pytest.mark.parametrize(
        "line",
        [
            "no sign here",
            "x /☃/",
            "= y",
            "x {QQ}",
            "x = ",
            "x\t",
            "/aɪ/",
            "[deutsch!]",
            "... = dots",
            "x" * 101 + " = y",
        ],
    )
    def test_errors_name_source_and_line(self, line: str) -> None:
        with pytest.raises(TextError, match=r"names.txt, line 3: ") as caught:
            Lexicon.parse(f"a = b\r\n\r{line}", "names.txt")
        assert "\n" not in str(caught.value)

    def test_limits(self) -> None:
        assert len(Lexicon.parse("\n".join(f"w{number} = x" for number in range(MAX_ENTRIES))).entries) == MAX_ENTRIES
        with pytest.raises(TextError, match="20000 entries; split it"):
            Lexicon.parse("\n".join(f"w{number} = x" for number in range(MAX_ENTRIES + 1)))
        with pytest.raises(TextError, match="1000000 bytes; split it"):
            Lexicon.parse("#" + "é" * (MAX_BYTES // 2))

    def test_files(self, tmp_path: Path) -> None:
        path = tmp_path / "names.txt"
        path.write_bytes(b"\xef\xbb\xbfa = b\r\n")
        assert said("a", Lexicon.load(path)) == "b"
        path.write_bytes(b"a = \xff")
        with pytest.raises(TextError, match="not UTF-8"):
            Lexicon.load(str(path))
        path.write_bytes(b"#" * (MAX_BYTES + 1))
        with pytest.raises(TextError, match="split it"):
            Lexicon.load(path)
        for absent in (tmp_path / "absent", tmp_path):
            with pytest.raises(TextError, match="cannot be read"):
                Lexicon.load(absent)

    @given(
        st.text(max_size=60)
        | st.lists(st.sampled_from(["a", "=", "=>", "\t", "/", "{", "}", " ", "#", "[de]", "\n"])).map("".join)
    )
    @settings(max_examples=300, deadline=None)
    def test_any_text_is_a_lexicon_or_a_text_error(self, text: str) -> None:
        try:
            lexicon = Lexicon.parse(text)
        except TextError as error:
            assert "\n" not in str(error)  # noqa: PT017
            return
        for (_, word), entry in lexicon.entries.items():
            assert word == " ".join(word.split())
            assert (entry.respelling is None) == bool(entry.symbols)


class TestCase:
    def test_small_letters_are_found_in_any_case(self) -> None:
        assert said("tomato Tomato TOMATO", "tomato = x") == "x x x"

    def test_capitals_only_as_written_or_all_in_capitals(self) -> None:
        assert said("US us Us", "US = you ess") == "you ess us Us"
        assert said("Polish POLISH polish", "Polish = pohlish") == "pohlish pohlish polish"

    def test_the_exact_spelling_goes_before_the_folded_one(self) -> None:
        assert said("Polish polish POLISH", "polish = shine\nPolish = pohlish\nPOLISH = loud") == "pohlish shine loud"


class TestWords:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a gif.", "a jiff."),
            ("'gif' (gif) gif, gif-gif", "'jiff' (jiff) jiff, jiff-jiff"),
            ("gifs ungif gif4 gif_ gíf", "gifs ungif gif4 gif_ gíf"),
            ("gif\u0301", "gif\u0301"),
            ("gif's gif’ll gif't gif'em", "jiff's jiff’ll gif't gif'em"),
            ("l'gif qu’gif o'gif", "l'jiff qu’jiff o'gif"),
        ],
    )
    def test_whole_words_only(self, text: str, expected: str) -> None:
        assert said(text, "gif = jiff") == expected

    def test_numbers_are_whole_too(self) -> None:
        assert said("5 2.5 5.2 1,5 5. 5", "5 = five") == "five 2.5 5.2 1,5 five. five"

    def test_the_longest_goes_first(self) -> None:
        lexicon = "new = noo\nnew york = noo yawk\nnew york city = gotham\nyork = jorvik"
        assert said("New York  City, new\nYork new York's new", lexicon) == "gotham, noo yawk noo yawk's noo"

    def test_entries_may_hold_marks(self) -> None:
        assert said("C++, U.S. .NET and/or", "c++ = see\nu.s. = you\n.net = dot\nand/or = and") == "see, you dot and"

    def test_scripts_without_blanks(self) -> None:
        assert said("我去重庆了。", "重庆 = 崇庆", "zh") == "我去崇庆了。"

    def test_composed_and_decomposed_letters_are_the_same(self) -> None:
        assert said("cafe\u0301 caf\u00e9", "café = kafay") == "kafay kafay"

    def test_what_is_read_is_not_read_again(self) -> None:
        assert said("a b", "a = b\nb = a") == "b a"


class TestLanguages:
    LEXICON = Lexicon.parse("chef = any\n[de]\nchef = german\n[en]\nchef = english\n[en-GB]\nchef = british")

    @pytest.mark.parametrize(
        ("language", "expected"),
        [("fr", "any"), ("de", "german"), ("de-AT", "german"), ("en_gb", "british"), ("en-US", "english"), ("", "any")],
    )
    def test_sections(self, language: str, expected: str) -> None:
        assert said("Chef", self.LEXICON, language) == expected

    def test_a_section_goes_before_the_exact_spelling_for_any_language(self) -> None:
        assert said("GIF", "GIF = any\n[en]\ngif = english") == "english"

    def test_merged_lexicons(self) -> None:
        merged = Lexicon.parse("a = 1\nb = 2").merged(Lexicon.parse("b = 3"), Lexicon.parse("c = 4\n[de]\na = 5"))
        assert said("a b c", merged) == "1 3 4"
        assert said("a b c", merged, "de") == "5 3 4"


class TestParts:
    def test_words_keep_their_style_and_point_at_what_was_written(self) -> None:
        source = "ein  GIF von Nguyen hier"
        words = Words(TracedText.of(source, 10), language="de", emphasis="strong")
        parts = apply_lexicon(words, Lexicon.parse("gif = jiff\nnguyen {W IH1 N}"), "de")
        first, name, last = parts
        assert isinstance(first, Words)
        assert isinstance(name, Pronunciation)
        assert isinstance(last, Words)
        assert (first.text.text, last.text.text) == ("ein  jiff von ", " hier")
        assert {(part.language, part.emphasis) for part in (first, last)} == {("de", "strong")}
        assert first.text.span_of(5, 9) == (15, 18)
        assert (name.text, name.symbols, name.start, name.end) == ("Nguyen", ("W", "1", "IH", "N"), 23, 29)
        assert last.text.span == (29, 34)

    def test_nothing_to_do_gives_the_words_themselves(self) -> None:
        words = Words(TracedText.of("a"))
        assert apply_lexicon(words, Lexicon.parse(""), "en") == [words]

    _TEXTS = st.lists(
        st.sampled_from(["gif", "GIF", "new", "york", " ", "  ", ".", "'", "s", "5", "重", "庆", "é", "\u0301"])
    )

    @given(_TEXTS.map("".join) | st.text(max_size=40))
    @settings(max_examples=300, deadline=None)
    def test_nothing_is_lost_and_places_rise(self, text: str) -> None:
        lexicon = Lexicon.parse("gif = jiff\nnew york /aɪ/\n重庆 {T}\n5 = five")
        parts = apply_lexicon(Words(TracedText.of(text)), lexicon, "en")
        written, at = "", 0
        for part in parts:
            if isinstance(part, Pronunciation):
                assert part.start == at
                written += part.text
                at = part.end
                continue
            assert isinstance(part, Words)
            assert part.text.text
            for (start, end), group in itertools.groupby(zip(part.text.starts, part.text.ends, strict=True)):
                assert start == at < end
                written += text[start:end]
                at = end
                assert sum(1 for _ in group) >= 1
        assert written == text

    @pytest.mark.parametrize("unit", ["gif ", "new york ", "new new ", "a", "a ", "重", "'gif", "- "])
    def test_work_is_linear(self, unit: str) -> None:
        lexicon = Lexicon.parse("gif = jiff\nnew york = x\nnew new new = y\n重庆 = z\n- - a = b")
        words = {count: Words(TracedText.of(unit * count)) for count in (1, 400, 800)}
        apply_lexicon(words[1], lexicon, "en")  # makes the index

        def work(count: int) -> int:
            return lines_run(lambda: apply_lexicon(words[count], lexicon, "en"))

        assert work(800) <= 2.5 * work(400)
