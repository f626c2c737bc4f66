from importlib import resources

import pytest

from lungfish.data.sentence_list import read_sentences
from lungfish.errors import DataError
from lungfish.evaluation.held_out import ROWS, held_out_rows


def test_the_choice_is_fixed_by_the_seed():
    rows = held_out_rows()
    assert len(rows) == ROWS == 60
    assert rows == held_out_rows(60)
    assert rows != held_out_rows(60, seed=1)
    assert [row.id for row in rows] == sorted(row.id for row in rows)
    assert [row.id for row in rows[:3]] == ["LJ050-0079", "LJ050-0082", "LJ050-0089"]  # published figures rest on these


def test_they_are_the_last_rows_of_the_corpus(shared):
    corpus = read_sentences(shared / "corpus" / "sentences.tsv")
    shipped = read_sentences(resources.files("lungfish.evaluation").joinpath("held_out.tsv"))
    assert shipped == corpus[-200:]


def test_own_sentences_and_wrong_counts(tmp_path):
    path = tmp_path / "s.tsv"
    path.write_text("a\tone\nb\ttwo\n")
    assert {row.id for row in held_out_rows(2, path)} == {"a", "b"}
    for count in (0, 3):
        with pytest.raises(DataError, match="ask for 1 to 2"):
            held_out_rows(count, path)
