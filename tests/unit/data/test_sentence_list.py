import pytest

from lungfish.data.sentence_list import SentenceRow, read_sentences
from lungfish.errors import DataError


def test_rows_keep_their_order(tmp_path):
    path = tmp_path / "s.tsv"
    path.write_text('b-2\tZwölf Boxkämpfer.\n\na_1.x\tand "quotes"\n', encoding="utf-8")
    assert read_sentences(path) == [SentenceRow("b-2", "Zwölf Boxkämpfer."), SentenceRow("a_1.x", 'and "quotes"')]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("a\tx\nno tab here\n", "line 2: expected id TAB text"),
        ("a\tx\ty\n", "line 1: expected id TAB text"),
        ("a\t \n", "line 1: expected id TAB text"),
        ("../a\tx\n", "the id '../a'"),
        ("a\tx\na\ty\n", "line 2: the id a is there already"),
    ],
)
def test_other_lines_are_told(content, reason, tmp_path):
    path = tmp_path / "s.tsv"
    path.write_text(content)
    with pytest.raises(DataError, match=reason):
        read_sentences(path)


def test_what_cannot_be_read_is_told(tmp_path):
    (tmp_path / "s.tsv").write_bytes(b"a\t\xff\n")
    for path in (tmp_path / "absent.tsv", tmp_path, tmp_path / "s.tsv"):
        with pytest.raises(DataError, match="id TAB text"):
            read_sentences(path)
