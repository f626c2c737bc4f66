"""Cleaning: what people paste, and what holds for every text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lungfish.text.clean import clean
from lungfish.text.traced import TracedText
from tests.work import lines_run

CASES = [
    # characters
    ("Hello   world", "Hello world"),
    ("tab\tand\u00a0blank\u2003here", "tab and blank here"),
    ("zero\u200bwidth\u00ad and \u202ebidi\u202c", "zerowidth and bidi"),
    ("bell\x07 and nul\x00", "bell and nul"),
    ("private\ue000 use", "private use"),
    ("Ｈｅｌｌｏ　１２３", "Hello 123"),
    ("ﬁne ﬂow", "fine flow"),
    ("𝓗𝓮𝓵𝓵𝓸 Ⅳ", "Hello IV"),
    ("e\u0301te\u0301", "été"),
    ("Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306algo", "Z\u0300\u0301\u0302algo"),
    ("½ m² at 20 °C™", "½ m² at 20 °C™"),
    ("“Smart” ‘quotes’ don’t", "\"Smart\" 'quotes' don't"),
    ("« Oui » „nein“", '« Oui » "nein"'),
    ("line\r\nbreak\rhere", "line break here"),
    ("你好，世界！", "你好，世界！"),
    # emoji
    ("Great 👍🏽!", "Great!"),
    ("I ❤️ you", "I you"),
    ("flag 🇩🇪 and family 👨‍👩‍👧", "flag and family "),
    ("keep ☎ not? → yes", "keep not? → yes"),
    (":) ;-) <3 ^_^", ":) ;-) <3 ^_^"),
    # marks
    ("Wow!!!! Really?!?!", "Wow! Really?!"),
    ("wait..... what", "wait… what"),
    ("a---b and c -- d", "a—b and c — d"),
    ("wait,,, what;;", "wait, what;"),
    ("run --help now", "run --help now"),
    ("==== rule ==== here", " rule here"),
    ("Name: ______ x", "Name: x"),
    ("Hello , world .", "Hello, world."),
    ("what..", "what."),
    ("../path and a..b", "../path and a..b"),
    ("太好了！！！", "太好了！"),
    # Markdown
    ("# Title\nSome text here", " Title.\n\nSome text here"),
    ("Title\n=====\nBody", "Title\n\nBody"),
    ("- one\n- two\n* three!", "one. two. three!"),
    ("- [x] done\n- [ ] todo", "done. todo."),
    ("1. First\n2. Second", "1. First. 2. Second."),
    ("**bold** and *it* and `code`", "bold and it and code"),
    ("***both*** and **b *i* b**", "both and b i b"),
    ("_u_ and __uu__ and ~~gone~~", "u and uu and gone"),
    ("un*frigging*believable", "unfriggingbelievable"),
    ("这是**重点**内容", "这是重点内容"),
    ("5 * 3 = 15 and 2*3*4 and a*b*c", "5 * 3 = 15 and 2*3*4 and a*b*c"),
    ("snake_case_name and x**2", "snake_case_name and x**2"),
    ("**unclosed bold", "unclosed bold"),
    ("f**k", "f**k"),
    ("Price* is low", "Price is low"),
    ("see [the docs](https://x.y/z_(a)) now", "see the docs now"),
    ("![a cat](cat.png) sat", "a cat sat"),
    ("[text][ref] here\n\n[ref]: https://x.y", "text here\n\n"),
    ("word[1] and[^2] so", "word and so"),
    ("[^1]: note text", " note text"),
    ("[Bob]: hello there", "[Bob]: hello there"),
    ("> quoted\n> more", "quoted more"),
    ("a\n```python\nprint(1)\n```\nb", "a\n\nprint(1)\n\nb"),
    ("| a | b |\n|---|---|\n| 1 | 2 |", "a, b. 1, 2."),
    ("\\*not bold\\*", "not bold"),
    ("line one  \nline two\\\nthree", "line one line two three"),
    ("----\ntext", "\n\ntext"),
    # HTML
    ("<p>Hi &amp; bye</p><p>Second<br>line</p>", "\n\nHi & bye\n\nSecond line\n\n"),
    ("<b>bold</b><i> it</i>", "bold it"),
    ("<script>alert('<b>')</script>ok", " ok"),
    ("<style>p {}</style><!-- no -->ok", " ok"),
    ('<img src="x" alt="a cat"> sat', " a cat sat"),
    ("<ul><li>milk</li><li>eggs</li></ul>", "\n\nmilk. eggs.\n\n"),
    ("x < y and y > z", "x < y and y > z"),
    ("&lt;b&gt; is bold", " < b > is bold"),
    ("1 &amp;amp;amp; 2", "1 & 2"),
    ("AT&T; &unknown; &copy;", "AT&T; &unknown; ©"),
    ("Dear <name>, hi", "Dear <name>, hi"),
    ("<https://a.b/c> <a@b.co>", "https://a.b/c a@b.co"),
    ("<|im_end|> stays text", "<|im_end|> stays text"),
    # lines
    ("Line one\nLine two\nthird line", "Line one. Line two third line"),
    ("Roses are red\nViolets are blue", "Roses are red. Violets are blue"),
    ("A long line that goes on until the margin,\nand goes on", "A long line that goes on until the margin, and goes on"),
    (
        "this is a long wrapped line which goes on and on until\nLondon is near",
        "this is a long wrapped line which goes on and on until London is near",
    ),
    ("In\n1999 it was", "In 1999 it was"),
    ("春眠不觉晓\n处处闻啼鸟", "春眠不觉晓。处处闻啼鸟"),
    ("a\n\n\n\n   b", "a\n\nb"),
    (" He said ", " He said "),
    ("   ", " "),
    ("", ""),
    # left alone
    ("https://example.com/a_b_c?x=1&y=2", "https://example.com/a_b_c?x=1&y=2"),
    ("C:\\path\\x", "C:\\path\\x"),
    ("It cost $1,200.50 (i.e. 50%).", "It cost $1,200.50 (i.e. 50%)."),
]  # fmt: skip
INPUTS = Path(__file__).parents[4] / "shared" / "inputs" / "texts.json"


def cleaned(text: str, **options: object) -> str:
    return clean(TracedText.of(text), **options).text  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_cases(text: str, expected: str) -> None:
    assert cleaned(text) == expected


def test_the_table_is_large() -> None:
    assert len(CASES) >= 80


@pytest.mark.parametrize("text", [text for text, _ in CASES])
def test_clean_text_stays_as_it_is(text: str) -> None:
    once = cleaned(text)
    assert cleaned(once) == once


def test_emoji_are_named_when_asked() -> None:
    assert cleaned("I ❤️ you", emoji="name") == "I red heart you"
    assert cleaned("I ❤️ you", emoji="name", language="de-AT") == "I rotes herz you"
    assert cleaned("I ❤️ you", emoji="name", language="xx") == "I red heart you"


def test_markup_is_text_when_asked() -> None:
    assert cleaned("# **a** <b>c</b>", markup=False) == "# **a** <b>c</b>"


def test_every_character_knows_its_origin() -> None:
    source = "He **said**   “&amp;” twice 👍"
    found = clean(TracedText.of(source))
    assert found.text == 'He said "&" twice '
    for word in ("He", "said", "twice"):
        at = found.text.index(word)
        start, end = found.span_of(at, at + len(word))
        assert source[start:end] == word
    at = found.text.index("&")
    assert source[slice(*found.span_of(at, at + 1))] == "&amp;"


MARKUP = [
    "*",
    "**",
    "_",
    "`",
    "~~",
    "#",
    "# ",
    "- ",
    "> ",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "<b>",
    "</b>",
    "<p>",
    "<!--",
    "-->",
]
PIECES = [
    *MARKUP, "&", "&amp;", "&lt;", "\\", "|", "!", "?", ".", "…", ",", "-", "—", "=", " ", "\n", "\t", "a", "B", "1", "é",
    "e\u0301", "👍", "\ufe0f", "\u200d", "🇩", "你", "。", "<script>", "http://x.y", "“", "'", "\u00a0", "\r\n", "ﬁ", "Ａ",
    "ㄱ", "\u1100\u1161",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
@settings(max_examples=600, deadline=None)
def test_twice_is_once_and_offsets_hold(text: str) -> None:
    once = clean(TracedText.of(text))
    assert clean(once).text == once.text
    assert not re.search(r"[ ]{2}|\t|\r|\n{3}", once.text)
    before = 0
    for start, end in zip(once.starts, once.ends, strict=True):
        assert before <= start < end <= len(text)
        before = start


@given(st.text(max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_text(text: str) -> None:
    once = cleaned(text)
    assert cleaned(once) == once


@pytest.mark.skipif(not INPUTS.is_file(), reason="the collection of hard texts is not beside this checkout")
def test_hard_texts() -> None:
    for row in json.loads(INPUTS.read_text(encoding="utf-8")):
        once = cleaned(row["text"])
        assert cleaned(once) == once


@pytest.mark.parametrize(
    "unit", ["word ", "*a", "<", "<p>", "<!--", "[a](", "&amp;", "a\n", "|", "👍", "e\u0301", "\\", "# a\n"]
)
def test_work_is_linear(unit: str) -> None:
    def work(size: int) -> int:
        return lines_run(lambda: cleaned((unit * size)[:size]))

    assert work(8000) <= 2.5 * work(4000) + 500
