from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import huggingface_hub
import pytest
from huggingface_hub import constants

from lungfish.checkpoint.download import RESERVE_BYTES, check_room, look_up, pull
from lungfish.checkpoint.hub import find_pulled, hub_dir, locate_checkpoint
from lungfish.checkpoint.licence import FISH_AUDIO
from lungfish.errors import CheckpointError, ConfigError, DownloadError, LicenceError, OutputError
from tests.fake_hub import COMMIT, NAME, FakeHub, serve

WEIGHTS = bytes(range(256)) * 1000
FILES = {
    "config.json": b"{}",
    "model.safetensors": WEIGHTS,
    "codec.pth": b"codec" * 100,
    "LICENSE.md": b"# Fish Audio Research License\n\nLast Updated: March 7, 2026\n",
    "README.md": b"# A voice\n",
    "run.py": b"print('never fetched')",
    "other/model.safetensors": b"of something else",
    ".gitattributes": b"x",
}
FETCHED = {"config.json", "model.safetensors", "codec.pth", "LICENSE.md", "README.md"}


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    monkeypatch.setenv("LUNGFISH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", 50_000)  # a cut costs what is not yet a chunk
    monkeypatch.setattr(time, "sleep", lambda _: None)  # the hub's library waits a second between its tries
    with serve(FakeHub(dict(FILES))) as fake:
        monkeypatch.setattr(constants, "ENDPOINT", fake.endpoint)
        template = fake.endpoint + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        yield fake


def one_line(error: pytest.ExceptionInfo[Exception]) -> str:
    assert "\n" not in str(error.value)
    return str(error.value)


def test_what_is_offered(hub: FakeHub) -> None:
    offer = look_up(NAME)
    assert {file.name for file in offer.files} == FETCHED
    assert (offer.revision, offer.commit) == ("main", COMMIT)
    assert offer.total_bytes == offer.missing_bytes == sum(len(FILES[name]) for name in FETCHED)
    assert offer.free_bytes > 0
    assert offer.licence.id == FISH_AUDIO
    assert offer.licence.link == f"{hub.endpoint}/{NAME}/blob/{COMMIT}/LICENSE.md"
    assert hub.fetched() == ["LICENSE.md"]
    assert not hub_dir().exists()


def test_pull(hub: FakeHub) -> None:
    folder = pull(look_up(NAME), FISH_AUDIO)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {name: FILES[name] for name in FETCHED}
    assert locate_checkpoint(NAME) == folder
    found = find_pulled(NAME)
    assert found is not None
    assert (found.revision, found.commit, found.folder) == ("main", COMMIT, folder)
    assert found.licence is not None
    assert found.licence.id == FISH_AUDIO
    again = look_up(NAME)
    assert again.missing_bytes == 0
    hub.asked.clear()
    assert pull(again, FISH_AUDIO) == folder
    assert hub.fetched() == []


def test_other_programs_find_it_in_the_cache(hub: FakeHub) -> None:
    folder = pull(look_up(NAME), FISH_AUDIO)
    for revision in (None, "main", COMMIT):
        found = huggingface_hub.snapshot_download(NAME, revision=revision, cache_dir=hub_dir(), local_files_only=True)
        assert Path(found) == folder
    scan = huggingface_hub.scan_cache_dir(hub_dir())
    assert [repo.repo_id for repo in scan.repos] == [NAME]
    assert not scan.warnings


@pytest.mark.parametrize("accepted", [None, "mit", ""])
def test_without_a_yes_nothing_is_fetched(hub: FakeHub, accepted: str | None) -> None:
    offer = look_up(NAME)
    hub.asked.clear()
    with pytest.raises(LicenceError, match=FISH_AUDIO) as caught:
        pull(offer, accepted)
    assert "nothing was fetched" in one_line(caught)
    assert hub.asked == []
    assert not hub_dir().exists()


def test_a_cut_download_goes_on_where_it_stopped(hub: FakeHub) -> None:
    hub.cut["model.safetensors"] = 100_000
    with pytest.raises(DownloadError, match="try again") as caught:
        pull(look_up(NAME), FISH_AUDIO)
    one_line(caught)
    found = find_pulled(NAME)
    assert found is not None
    assert found.folder is None
    with pytest.raises(CheckpointError, match="not completely here"):
        locate_checkpoint(NAME)

    hub.cut.clear()
    hub.asked.clear()
    offer = look_up(NAME)
    assert offer.missing_bytes == len(WEIGHTS) - 100_000
    folder = pull(offer, FISH_AUDIO)
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS
    ranges = [asked for path, asked in hub.asked if path.endswith("model.safetensors")]
    assert ranges == ["bytes=100000-"]
    assert not list(hub_dir().rglob("*.incomplete"))


def test_a_short_break_is_bridged_at_once(hub: FakeHub) -> None:
    hub.cut["model.safetensors"] = 100_000
    mended = []

    def mend(_: float) -> None:
        hub.cut.clear()
        mended.append(True)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "sleep", mend)
        folder = pull(look_up(NAME), FISH_AUDIO)
    assert mended
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS


@pytest.mark.parametrize("file", ["model.safetensors", "config.json"])
def test_wrong_bytes_are_thrown_away(hub: FakeHub, file: str) -> None:
    good = FILES[file]
    hub.lies[file] = good[:-1] + bytes([good[-1] ^ 1])
    with pytest.raises(DownloadError, match="hash") as caught:
        pull(look_up(NAME), FISH_AUDIO)
    assert file in one_line(caught)
    names = {path.name for path in hub_dir().rglob("*") if path.is_file() and path.suffix != ".lock"}
    assert not names & {file, "lungfish.json"}
    assert not list(hub_dir().rglob("*.incomplete"))
    hub.lies.clear()
    assert (pull(look_up(NAME), FISH_AUDIO) / file).read_bytes() == good


def test_a_damaged_part_does_not_become_a_file(hub: FakeHub) -> None:
    hub.cut["model.safetensors"] = 100_000
    with pytest.raises(DownloadError):
        pull(look_up(NAME), FISH_AUDIO)
    hub.cut.clear()
    (part,) = hub_dir().rglob("*.incomplete")
    part.write_bytes(b"x" * 100_000)
    with pytest.raises(DownloadError, match="hash"):
        pull(look_up(NAME), FISH_AUDIO)
    part.write_bytes(b"x" * (len(WEIGHTS) + 1))  # longer than it can be
    folder = pull(look_up(NAME), FISH_AUDIO)
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS


def test_a_licence_that_is_not_what_was_announced(hub: FakeHub) -> None:
    hub.lies["LICENSE.md"] = b"MIT License".ljust(len(FILES["LICENSE.md"]))
    with pytest.raises(DownloadError, match=r"LICENSE.md .* hash"):
        look_up(NAME)


def test_a_revision_is_pinned(hub: FakeHub) -> None:
    hub.revisions.append("v1.0")
    offer = look_up(NAME, "v1.0")
    assert (offer.revision, offer.commit) == ("v1.0", COMMIT)
    pull(offer, FISH_AUDIO)
    assert all(COMMIT in path for path, _ in hub.asked if "/resolve/" in path)
    with pytest.raises(DownloadError, match="has no revision v2") as caught:
        look_up(NAME, "v2")
    one_line(caught)


@pytest.mark.parametrize("revision", ["../../x", "a..b", "-x", "a b", ""])
def test_a_revision_is_not_a_path(hub: FakeHub, revision: str) -> None:
    with pytest.raises(ConfigError, match="not a revision"):
        look_up(NAME, revision)
    assert hub.asked == []


@pytest.mark.parametrize("name", ["voice", "a/b/c", "../b", "a/..", "a/b\n", ""])
def test_what_is_not_a_name(hub: FakeHub, name: str) -> None:
    with pytest.raises(ConfigError, match="OWNER/NAME"):
        look_up(name)
    assert hub.asked == []


def test_no_such_name(hub: FakeHub) -> None:
    with pytest.raises(DownloadError, match="no such name") as caught:
        look_up("someone/else")
    one_line(caught)


def test_whom_the_owner_does_not_let_in(hub: FakeHub) -> None:
    hub.gated = True
    with pytest.raises(DownloadError, match="accept the terms on its page") as caught:
        look_up(NAME)
    one_line(caught)


def test_no_network_is_one_line(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(DownloadError, match="cannot be reached") as caught:
        look_up(NAME)
    one_line(caught)


def test_offline_mode_is_honoured(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(DownloadError, match="offline mode is on") as caught:
        look_up(NAME)
    one_line(caught)
    assert hub.asked == []


def test_a_full_disk_is_refused_before(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage("/")
    free = RESERVE_BYTES + 1000
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage._replace(free=free))
    offer = look_up(NAME)
    hub.asked.clear()
    for action in (check_room, lambda offer: pull(offer, FISH_AUDIO)):
        with pytest.raises(OutputError, match="GB are free") as caught:
            action(offer)
        one_line(caught)
    assert hub.asked == []
    assert not hub_dir().exists()


def test_a_disk_that_fills_up(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    offer = look_up(NAME)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("huggingface_hub.file_download.http_get", full)
    with pytest.raises(OutputError, match="disk is full"):
        pull(offer, FISH_AUDIO)


def test_a_cache_that_cannot_be_written(hub: FakeHub, tmp_path: Path) -> None:
    offer = look_up(NAME)
    (tmp_path / "cache").write_text("a file in the way")
    with pytest.raises(OutputError, match="cannot be written") as caught:
        pull(offer, FISH_AUDIO)
    one_line(caught)


@pytest.mark.parametrize("hard_links", [True, False])
def test_without_symbolic_links(hub: FakeHub, monkeypatch: pytest.MonkeyPatch, hard_links: bool) -> None:
    def refuse(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    if not hard_links:
        monkeypatch.setattr("os.link", refuse)
    folder = pull(look_up(NAME), FISH_AUDIO)
    assert (folder / "model.safetensors").read_bytes() == WEIGHTS
    assert not (folder / "model.safetensors").is_symlink()
    assert ((folder / "model.safetensors").stat().st_nlink == 2) == hard_links


def test_without_a_text_the_card_decides(hub: FakeHub) -> None:
    del hub.files["LICENSE.md"]
    assert look_up(NAME).licence.id == "not-stated"
    hub.card = {"license": "cc-by-nc-sa-4.0"}
    offer = look_up(NAME)
    assert (offer.licence.id, offer.licence_text) == ("cc-by-nc-sa-4.0", None)
    hub.card = {"license": "other", "license_name": "fish-audio-research-license"}
    assert look_up(NAME).licence.id == FISH_AUDIO


def test_the_text_wins_over_the_card(hub: FakeHub) -> None:
    hub.card = {"license": "apache-2.0"}
    assert look_up(NAME).licence.id == FISH_AUDIO
    hub.files["LICENSE.md"] = b"Our own terms\n"
    offer = look_up(NAME)
    assert offer.licence.id.startswith("other-")
    assert offer.licence_text == "Our own terms\n"


def test_a_name_without_weights_is_no_checkpoint(hub: FakeHub) -> None:
    del hub.files["model.safetensors"], hub.files["codec.pth"]
    with pytest.raises(CheckpointError, match="no weights"):
        look_up(NAME)
