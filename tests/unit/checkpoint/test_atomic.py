import pytest

from lungfish.checkpoint.atomic import write_atomically
from lungfish.errors import OutputError


def test_replaces_the_whole_file_and_makes_folders(tmp_path):
    path = tmp_path / "a" / "b.json"
    for text in ("one", "two"):
        write_atomically(path, lambda part, text=text: part.write_text(text))
        assert path.read_text() == text
    assert [entry.name for entry in path.parent.iterdir()] == ["b.json"]


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, ValueError])
def test_whatever_stops_it_the_old_file_stays(tmp_path, interruption):
    path = tmp_path / "file"
    path.write_text("old")

    def write(part):
        part.write_text("ne")
        raise interruption

    with pytest.raises(interruption):
        write_atomically(path, write)
    assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_in_the_way_is_one_line(tmp_path):
    (tmp_path / "taken").mkdir()
    with pytest.raises(OutputError, match="taken"):
        write_atomically(tmp_path / "taken", lambda part: part.write_text("x"))
    assert [entry.name for entry in tmp_path.iterdir()] == ["taken"]


def test_a_private_file_of_the_writer_becomes_an_ordinary_one(tmp_path):
    ordinary = tmp_path / "ordinary"
    ordinary.touch()

    def private(part):
        part.write_text("x")
        part.chmod(0o600)

    write_atomically(tmp_path / "file", private)
    assert (tmp_path / "file").stat().st_mode == ordinary.stat().st_mode
