from __future__ import annotations

import json
from pathlib import Path

import pytest

from lungfish.checkpoint.hub import find_pulled, list_pulled, locate_checkpoint, remove, storage_of, write_record
from lungfish.checkpoint.licence import recognise
from lungfish.errors import CheckpointError, OutputError

NAME, COMMIT = "someone/some-voice", "0" * 40


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUNGFISH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def pulled(name: str = NAME) -> Path:
    folder = storage_of(name) / "snapshots" / COMMIT
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    files = {"config.json": {"size": 2, "digest": "0" * 40}}
    licence = recognise("MIT License").to_dict()
    write_record(name, {"revision": "main", "commit": COMMIT, "files": files, "licence": licence})
    return folder


def test_a_path_is_itself(tmp_path: Path) -> None:
    assert locate_checkpoint(tmp_path) == tmp_path
    assert locate_checkpoint(str(tmp_path)) == tmp_path


def test_a_hub_name_is_where_it_was_pulled_to(cache: Path) -> None:
    folder = pulled()
    assert locate_checkpoint(NAME) == folder
    assert cache / "hub" in folder.parents


def test_what_is_nowhere_is_one_line(tmp_path: Path) -> None:
    for name in (tmp_path / "absent", str(tmp_path / "absent"), "absent", "a/b/c", "../absent"):
        with pytest.raises(CheckpointError, match="no such checkpoint folder"):
            locate_checkpoint(name)
    with pytest.raises(CheckpointError, match="lungfish model pull no-such-owner/no-such-name") as caught:
        locate_checkpoint("no-such-owner/no-such-name")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("harm", ["file", "length", "record", "licence", "no record"])
def test_half_a_checkpoint_is_not_used(harm: str) -> None:
    folder = pulled()
    record = storage_of(NAME) / "lungfish.json"
    if harm == "file":
        (folder / "config.json").unlink()
    elif harm == "length":
        (folder / "config.json").write_text("{")
    elif harm == "record":
        record.write_text("[]")
    elif harm == "licence":
        record.write_text(json.dumps(json.loads(record.read_text()) | {"licence": 1}))
    else:
        record.unlink()
    found = find_pulled(NAME)
    assert found is not None
    assert found.folder is None
    with pytest.raises(CheckpointError, match="not completely here"):
        locate_checkpoint(NAME)


def test_list_and_remove(cache: Path) -> None:
    assert list_pulled() == []
    for name in ("b/two", "a/one"):
        pulled(name)
    (cache / "hub" / "datasets--a--b").mkdir()
    assert [found.name for found in list_pulled()] == ["a/one", "b/two"]
    assert list_pulled()[0].licence == recognise("MIT License")
    assert remove("a/one") > 2
    assert [found.name for found in list_pulled()] == ["b/two"]
    for name in ("a/one", "..", "../x", ""):
        with pytest.raises(CheckpointError, match="was not pulled"):
            remove(name)


def test_what_cannot_be_deleted_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    pulled()

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("shutil.rmtree", refuse)
    with pytest.raises(OutputError, match="cannot be deleted"):
        remove(NAME)
    found = find_pulled(NAME)
    assert found is not None
    assert found.folder is None
