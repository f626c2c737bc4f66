import pytest

from lungfish.errors import DataError
from lungfish.evaluation.clips import read_clips


def make(folder, *names, texts=None):
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_bytes(b"x")
    if texts is not None:
        (folder / "transcripts.tsv").write_text(texts, encoding="utf-8")
    return folder


def test_a_folder_with_its_subfolders_and_their_transcripts(tmp_path):
    root = make(tmp_path / "talk", "b.wav", "a.FLAC", "notes.txt", ".hidden.wav", texts="b.wav\t One two. \n\n")
    make(root / "ann", "c.opus", "d.mp3", texts="c.opus\tDrei\nabsent.mp3\tnot here\n")
    clips = read_clips([root])
    assert [(clip.id, clip.text) for clip in clips] == [
        ("talk/a.FLAC", None),
        ("talk/ann/c.opus", "Drei"),
        ("talk/ann/d.mp3", None),
        ("talk/b.wav", "One two."),
    ]
    assert clips[3].path == root / "b.wav"


def test_a_manifest_is_relative_to_its_folder(tmp_path):
    make(tmp_path / "sounds", "a.wav", "b.wav")
    manifest = tmp_path / "few.tsv"
    manifest.write_text("sounds/b.wav\tHello\nsounds/a.wav\n")
    assert [(clip.id, clip.text) for clip in read_clips([manifest])] == [("few/b.wav", "Hello"), ("few/a.wav", None)]


def test_the_limit_is_of_each_source_and_spread_over_it(tmp_path):
    first = make(tmp_path / "one", *(f"{number}.wav" for number in range(9)))
    second = make(tmp_path / "two", "z.wav")
    assert [clip.id for clip in read_clips([first, second], limit=3)] == [
        "one/0.wav",
        "one/3.wav",
        "one/6.wav",
        "two/z.wav",
    ]
    assert len(read_clips([first], limit=20)) == 9


def test_clips_of_folders_of_one_name_are_told_apart(tmp_path):
    folders = [make(tmp_path / side / "clips", "a.wav") for side in ("left", "right")]
    assert [clip.id for clip in read_clips(folders)] == [(folder / "a.wav").as_posix() for folder in folders]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a.wav\tone\ttwo\n", r"line 1: expected file and text"),
        ("\tone\n", r"line 1: expected file and text"),
        ("a.wav\none.wav\n", r"lists 1 files that are not there .*one\.wav"),
        ("\n", "lists no file"),
        (b"\xff\xfe", "cannot be read as a table"),
    ],
)
def test_manifests_that_are_none(tmp_path, content, expected):
    make(tmp_path, "a.wav")
    manifest = tmp_path / "list.tsv"
    manifest.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(DataError, match=expected):
        read_clips([manifest])


def test_sources_that_are_none(tmp_path):
    with pytest.raises(DataError, match="no such folder of clips"):
        read_clips([tmp_path / "absent"])
    with pytest.raises(DataError, match=r"has no recording \(\.wav"):
        read_clips([make(tmp_path / "empty", "notes.txt")])
    folder = make(tmp_path / "talk", "a.wav")
    with pytest.raises(DataError, match="more than one of the sources"):
        read_clips([folder, folder])
