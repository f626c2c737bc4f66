"""Speaker turns and batches."""

import re

from hypothesis import given
from hypothesis import strategies as st

from lungfish.text.speakers import SPEAKER_TAG, group_turns, plan_batches, split_turns


def test_turns_are_tags_with_their_text():
    assert split_turns("<|speaker:0|> one. <|speaker:12|>two\n") == ["<|speaker:0|> one.", "<|speaker:12|>two"]


def test_text_before_the_first_tag_is_kept():
    assert split_turns("Hello. <|speaker:1|>two") == ["Hello.", "<|speaker:1|>two"]
    assert plan_batches("Hello. <|speaker:1|>two") == ["Hello.\n<|speaker:1|>two"]


def test_a_tag_without_text_is_a_turn():
    assert split_turns("<|speaker:0|><|speaker:1|>two") == ["<|speaker:0|>", "<|speaker:1|>two"]


def test_a_text_without_tags_is_one_batch_as_it_is():
    for text in (" as it is \n", "<|speaker:|> <|speaker:a|> <|Speaker:1|>", "x" * 5000):
        assert plan_batches(text) == [text]


def test_batches_hold_five_turns_or_their_bytes():
    turns = [f"<|speaker:{i}|>a" for i in range(7)]
    assert [batch.count("\n") + 1 for batch in group_turns(turns)] == [5, 2]
    assert [batch.count("\n") + 1 for batch in group_turns(turns, max_turns=3)] == [3, 3, 1]
    size = len(turns[0])
    assert [batch.count("\n") + 1 for batch in group_turns(turns, 2 * size)] == [2, 2, 2, 1]  # newlines do not count
    assert group_turns(turns, 0) == turns
    assert group_turns(["ü" * 10, "ü" * 10], 39) == ["ü" * 10, "ü" * 10]  # bytes, not characters
    assert group_turns(["ü" * 10, "ü" * 10], 40) == ["ü" * 10 + "\n" + "ü" * 10]


def test_a_long_turn_stays_whole():
    long = "<|speaker:0|>" + "word " * 100
    assert group_turns(["<|speaker:1|>a", long, "<|speaker:1|>b"], 50) == ["<|speaker:1|>a", long, "<|speaker:1|>b"]


_TEXTS = st.lists(st.sampled_from(["<|speaker:0|>", "<|speaker:31|>", "word ", "é你\n", "<|", "|>", ":", " "])).map(
    "".join
)


@given(_TEXTS, st.integers(-5, 60), st.integers(1, 6))
def test_nothing_is_lost_or_reordered(text, chunk_bytes, max_turns):
    turns = split_turns(text)
    batches = group_turns(turns, chunk_bytes, max_turns)
    assert re.sub(r"\s", "", "".join(batches)) == re.sub(r"\s", "", text)
    if re.search(SPEAKER_TAG, text):
        assert all(turn and turn == turn.strip() for turn in turns)
        assert all(len(re.findall(SPEAKER_TAG, turn)) <= 1 for turn in turns)
    assert "\n".join(turns) == "\n".join(batches)


@given(st.lists(st.text(min_size=1, max_size=20), max_size=20), st.integers(1, 60), st.integers(1, 6))
def test_batches_keep_their_limits(turns, chunk_bytes, max_turns):
    groups = group_turns(turns, chunk_bytes, max_turns)
    rest = list(turns)
    for batch in groups:
        taken = next(n for n in range(1, len(rest) + 1) if "\n".join(rest[:n]) == batch)
        assert taken <= max_turns
        assert taken == 1 or sum(len(turn.encode()) for turn in rest[:taken]) <= chunk_bytes
        rest = rest[taken:]
    assert rest == []
