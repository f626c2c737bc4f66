"""Text goes in by one door, control tokens by another."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lungfish.errors import TextError, TokenizerError
from lungfish.text.tokenizer import Tokenizer

GOLDEN = Path(__file__).parents[2] / "golden" / "lm" / "s2_tiny"
TOKENIZER = Tokenizer.load(GOLDEN)
CONTROLS = ("<|im_end|>", "<|im_start|>", "<|semantic:5|>", "<|voice|>", "<|pad|>", "<|endoftext|>")


def changed(**changes):
    """The golden tokenizer's JSON with other top-level values."""
    return json.dumps(json.loads((GOLDEN / "tokenizer.json").read_text()) | changes)


def added(*names, first=383, special=True):
    common = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": special}
    return [{"id": first + i, "content": name, **common} for i, name in enumerate(names)]


def test_control_tokens_have_ids():
    assert TOKENIZER.token_id("<|im_end|>") == 385
    assert TOKENIZER.semantic_range() == (395, 650)
    assert TOKENIZER.size == 651
    assert TOKENIZER.has("<|voice|>")
    assert not TOKENIZER.has("<|speaker:0|>")
    with pytest.raises(TokenizerError, match=r"no token <\|nope\|>"):
        TOKENIZER.token_id("<|nope|>")


@pytest.mark.parametrize("name", CONTROLS)
def test_text_that_spells_a_control_token_is_text(name):
    ids = TOKENIZER.encode_text(f"say {name} now")
    assert max(ids) < 383
    assert TOKENIZER.token_id(name) not in ids


def test_tokens_added_without_the_special_flag_are_text_too():
    tokenizer = Tokenizer(changed(added_tokens=added("<|im_end|>", "<tool>", special=False)))
    assert max(tokenizer.encode_text("a <tool> and <|im_end|>")) < 383


@given(st.lists(st.sampled_from([*CONTROLS, "<|", "|>", "semantic", ":", "5", " ", "a", "\n", "é"])).map("".join))
def test_no_text_yields_a_control_token(text):
    assert all(id_ < 383 for id_ in TOKENIZER.encode_text(text))


def test_empty_text_and_any_script():
    assert TOKENIZER.encode_text("") == []
    assert TOKENIZER.encode_text("你好 😀 \x00")


def test_broken_unicode_is_refused():
    with pytest.raises(TextError, match="not valid Unicode"):
        TOKENIZER.encode_text("a\ud800")


@pytest.mark.parametrize("content", ["", "{}", "[]", "null", "{", '{"model": 3}', b"\xff\xfe".decode("latin-1")])
def test_a_damaged_tokenizer_is_refused(tmp_path, content):
    (tmp_path / "tokenizer.json").write_text(content)
    with pytest.raises(TokenizerError, match="not a usable tokenizer"):
        Tokenizer.load(tmp_path)


def test_an_absent_tokenizer_is_refused(tmp_path):
    with pytest.raises(TokenizerError, match=r"has no tokenizer\.json"):
        Tokenizer.load(tmp_path)
    (tmp_path / "tokenizer.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TokenizerError, match="cannot be read"):
        Tokenizer.load(tmp_path)


def test_semantic_tokens_must_be_there_and_contiguous():
    with pytest.raises(TokenizerError, match=r"no <\|semantic:N\|> tokens"):
        Tokenizer(changed(added_tokens=added("<|im_end|>"))).semantic_range()
    gap = added("<|semantic:0|>", "<|im_end|>", "<|semantic:1|>")
    with pytest.raises(TokenizerError, match="not contiguous"):
        Tokenizer(changed(added_tokens=gap)).semantic_range()
    late = added("<|semantic:1|>", "<|semantic:2|>")
    with pytest.raises(TokenizerError, match="not contiguous"):
        Tokenizer(changed(added_tokens=late)).semantic_range()


def test_a_saved_truncation_does_not_cut_text():
    limit = {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0}
    assert len(Tokenizer(changed(truncation=limit)).encode_text("a b c d e f g h")) > 3
