import pytest

from lungfish.cli.codec_choices import codec_names, parse_books, parse_without
from lungfish.errors import ConfigError

KNOWN = ("wer", "mos", "opus")


def test_books():
    assert parse_books(None) == []
    assert parse_books("1, 4") == [1, 4]
    with pytest.raises(ConfigError, match="--books takes numbers"):
        parse_books("1;4")


def test_what_is_left_out():
    assert parse_without(None, KNOWN) == []
    assert parse_without("opus, wer", KNOWN) == ["wer", "opus"]
    with pytest.raises(ConfigError, match="any of wer, mos, opus, separated by commas; not 'moss'"):
        parse_without("wer,moss", KNOWN)


def test_rows_are_named_by_the_end_of_a_path_or_all_of_it(tmp_path):
    assert codec_names([]) == {"bundled": None}
    assert codec_names(["runs/new.safetensors", "old"]) == {"new": "runs/new.safetensors", "old": "old"}
    folder = tmp_path / "step.700"
    folder.mkdir()
    assert codec_names([str(folder)]) == {"step.700": str(folder)}
    assert codec_names(["a/codec", "b/codec"]) == {"a/codec": "a/codec", "b/codec": "b/codec"}
    with pytest.raises(ConfigError, match="a is given twice"):
        codec_names(["a", "a"])
