"""S1's tokenizer: tiktoken itself is the oracle where it is installed."""

import base64
import json
import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Regex, pre_tokenizers, trainers
from tokenizers import Tokenizer as AnyTokenizer
from tokenizers.models import BPE

from lungfish.errors import TokenizerError
from lungfish.text.tiktoken_files import RANKS_FILE, SPECIAL_FILE, SPLIT, tokenizer_json
from lungfish.text.tokenizer import Tokenizer, has_tiktoken
from tests.s1_toy import ranks_file, special_file, spelled

NAMES = ("<|begin_of_text|>", "<|im_end|>", "<|interleave|>", "<|semantic:0|>", "<|semantic:1|>", "<|semantic:2|>")
CORPUS = """The quick brown fox isn't jumping over 1234 lazy dogs; they're asleep, we've seen, I'll bet, he'd say!?
  Indented   text,\ttabs\r\nand lines\n\n\n of several kinds... (with) "quotes" – dashes — and the the the then there.
Ein schöner Straßenbahnführer fährt überall, où l'été s'achève déjà; ελληνικά γράμματα, кириллица, 你好世界你好, ありがとう.
aaaaaaaa banana bananas abababab hahahaha 😀😀 ☃☃ 3.14 e-mail@example.org THE THAT'S DON'T $100 <|im_end|> <|speaker:0|>
"""
PIECES = [
    *CORPUS.split(" "),
    *(
        "'s",
        "'S",
        "'ſ",
        "'Ll",
        "'VE",
        "ﬆ",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\t",
        "\u00a0",
        "\u0085",
        "\u2028",
        "\u3000",
        "\x00",
    ),
    *(
        "1",
        "½",
        "٣",
        "Ⅷ",
        "é",
        "e\u0301",
        "ǅ",
        "一",
        "?",
        "!",
        "?!x",
        " ?!x",
        "¿",
        "$",
        "+",
        "…",
        "😀",
        "\u200d",
        "\ufeff",
    ),
    *(
        "<|im_end|>",
        "<|semantic:0|>",
        "a",
        "aa",
        "aaa",
        "ab",
        "the",
        "\u1680",
        "\u180e",
        "\x1c",
        "\U0001f1e6",
        "\ue000",
    ),
]


@cache
def trained(size: int, seed: int) -> dict[bytes, int]:
    """Ranks as training makes them, the bytes first, in an order of their own."""
    tokenizer = AnyTokenizer(BPE())
    split = pre_tokenizers.Split(Regex(SPLIT), "isolated")
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, byte_level])
    lines = CORPUS.splitlines(keepends=True)
    random.Random(seed).shuffle(lines)
    trainer = trainers.BpeTrainer(
        vocab_size=size, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator(lines[seed % 2 :] * 2, trainer)
    vocab = sorted(tokenizer.get_vocab().items(), key=lambda entry: entry[1])
    order = list(range(256))
    random.Random(seed).shuffle(order)
    return {spelled(name): order[id_] if id_ < 256 else id_ for name, id_ in vocab}


def make(ranks: dict[bytes, int], names: tuple[str, ...] = NAMES) -> Tokenizer:
    return Tokenizer(tokenizer_json(ranks_file(ranks), special_file(names)))


@cache
def pair(size: int, seed: int):
    tiktoken = pytest.importorskip("tiktoken")
    ranks = trained(size, seed)
    return make(ranks), tiktoken.Encoding("s1", pat_str=SPLIT, mergeable_ranks=ranks, special_tokens={})


@settings(deadline=None)
@given(
    st.sampled_from([(300, 0), (600, 1), (2000, 2)]),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=5)), max_size=12).map("".join),
)
def test_ids_are_those_of_tiktoken(vocabulary, text):
    ours, theirs = pair(*vocabulary)
    text = text.encode("utf-8", errors="ignore").decode()
    assert ours.encode_text(text) == theirs.encode_ordinary(text)


def test_long_words_are_those_of_tiktoken():
    ours, theirs = pair(600, 1)
    for text in (CORPUS, CORPUS * 20, "a" * 999, "banana" * 200, " " * 301 + "x", "\n" * 77, "你好" * 100):
        assert ours.encode_text(text) == theirs.encode_ordinary(text)


def test_every_digit_and_every_mark_stands_alone():
    ranks = {bytes([byte]): byte for byte in range(256)}
    for token in (b"12", b"..", b"ab", b" a", b"?!"):
        ranks[token] = len(ranks)
    tokenizer = make(ranks)
    assert tokenizer.encode_text("12..ab a?!") == [*b"12..", 258, 259, *b"?!"]
    assert tokenizer.encode_text("") == []


def test_a_word_that_is_a_token_stays_whole_though_no_pair_leads_there():
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"xyz": 256}
    assert make(ranks).encode_text("xyz") == [256]
    assert make(ranks).encode_text("xyzx") == [*b"xyzx"]


def test_special_tokens_follow_the_ranks_and_are_never_read_from_text(tmp_path):
    ranks = trained(300, 0)
    (tmp_path / RANKS_FILE).write_bytes(ranks_file(ranks))
    (tmp_path / SPECIAL_FILE).write_bytes(special_file(NAMES))
    assert has_tiktoken(tmp_path)
    tokenizer = Tokenizer.load(tmp_path)
    assert tokenizer.where == RANKS_FILE
    assert [tokenizer.token_id(name) for name in NAMES] == list(range(300, 306))
    assert tokenizer.semantic_range() == (303, 305)
    assert tokenizer.size == 306
    assert all(id_ < 300 for name in NAMES for id_ in tokenizer.encode_text(f"a{name} b"))
    with pytest.raises(TokenizerError, match=r"tokenizer\.tiktoken: has no token"):
        tokenizer.token_id("<|voice|>")
    (tmp_path / SPECIAL_FILE).unlink()
    with pytest.raises(TokenizerError, match=r"has no special_tokens\.json"):
        Tokenizer.load(tmp_path)


def test_the_values_of_the_special_file_do_not_matter():
    content = json.dumps(dict.fromkeys(NAMES, 7)).encode()
    tokenizer = Tokenizer(tokenizer_json(ranks_file(trained(300, 0)), content))
    assert tokenizer.token_id(NAMES[-1]) == 305


def test_lines_without_a_token_are_passed_over():
    ranks = {bytes([byte]): byte + (byte >= 100) for byte in range(256)}  # nobody has rank 100
    content = ranks_file(ranks).replace(b"ZA== 101\n", b"= 100\n\nZA== 101\n")
    assert b"= 100" in content.splitlines()
    tokenizer = Tokenizer(tokenizer_json(content, special_file(NAMES)))
    assert tokenizer.encode_text("cd") == [99, 101]
    assert tokenizer.token_id(NAMES[0]) == 256  # the number of tokens, though a rank has it too


GOOD = ranks_file({bytes([byte]): byte for byte in range(256)} | {b"th": 256, b"the": 257})


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "no token for 256 of the 256 bytes"),
        (b"<!DOCTYPE html>", "line 1 is no token and rank"),
        (GOOD[:-2], "the ranks are not those of one whole list"),  # "dGhl 25": cut within the last rank
        (GOOD[:-6], "line 258 is no token and rank"),
        (GOOD[: len(GOOD) // 2], "line"),
        (GOOD + b"dGg= 258\n", "line 259 is no token and rank"),  # the same token again
        (GOOD + b"dGhlbg== 300\n", "the ranks are not those"),
        (GOOD + b"dGhlbg== 257\n", "the ranks are not those"),
        (GOOD + b"dGhlbg== -1\n", "line 259"),
        (GOOD + b"dGh*bg== 258\n", "line 259"),
        (GOOD.replace(b"AA== 0\n", b"= 0\n"), "no token for 1 of the 256 bytes"),
    ],
)
def test_damaged_ranks(content, says):
    with pytest.raises(TokenizerError, match=says) as caught:
        tokenizer_json(content, special_file(NAMES))
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(RANKS_FILE)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"{", "not readable as JSON"),
        (b"\xff\xfe", "not readable as JSON"),
        (b"[" * 100_000, "not readable as JSON"),
        (b"[]", "must hold an object"),
        (b"{}", "must hold an object"),
        (b'{"the": 0}', "the is a token of text as well"),
    ],
)
def test_damaged_special_tokens(content, says):
    with pytest.raises(TokenizerError, match=says) as caught:
        tokenizer_json(GOOD, content)
    assert str(caught.value).startswith(SPECIAL_FILE)


def test_the_toy_files_are_what_they_say():
    assert base64.b64decode(GOOD.splitlines()[-1].split()[0]) == b"the"
