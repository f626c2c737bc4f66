"""Files on a web server and on a hub, both on this machine."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import huggingface_hub.constants
import pytest
import torch
from safetensors.torch import save_file

from lungfish.checkpoint.header_file import WINDOW_BYTES
from lungfish.checkpoint.headers import read_safetensors_header
from lungfish.checkpoint.remote_file import open_remote
from lungfish.checkpoint.source import open_source
from lungfish.checkpoint.torch_zip import read_torch_zip
from lungfish.errors import CheckpointError, WeightsError
from tests.header_toy import Handler, serve, write_hollow

SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "files"
    made.mkdir()
    write_hollow(made / "big.safetensors", {"w": ("F32", (1 << 13, 1 << 13)), "v": ("BF16", (3,))})
    torch.save({f"w{i}": torch.zeros(40_000) for i in range(8)}, made / "x.pth")
    (made / "empty.safetensors").touch()
    return made


class TestWeb:
    def test_a_header_costs_one_window(self, folder: Path) -> None:
        with serve(folder) as server:
            file = open_remote(f"{server.url}/big.safetensors")
            assert file is not None
            assert file.size == (folder / "big.safetensors").stat().st_size
            assert set(read_safetensors_header(file)) == {"w", "v"}
            assert sum(server.sent) <= 2 * WINDOW_BYTES

    def test_a_zip_directory_is_read_from_the_end(self, folder: Path) -> None:
        with serve(folder) as server:
            file = open_remote(f"{server.url}/x.pth")
            assert file is not None
            assert len(read_torch_zip(file)) == 8
            assert sum(server.sent) < file.size // 2

    def test_a_server_without_ranges_serves_what_lies_at_the_start(self, folder: Path) -> None:
        with serve(folder, ranges=False) as server:
            file = open_remote(f"{server.url}/big.safetensors")
            assert file is not None
            assert set(read_safetensors_header(file)) == {"w", "v"}
            small = open_remote(f"{server.url}/x.pth")
            assert small is not None
            assert len(read_torch_zip(small)) == 8

    def test_but_not_the_end_of_a_large_file(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("lungfish.checkpoint.remote_file.MAX_SKIP_BYTES", 100_000)
        with serve(folder, ranges=False) as server:
            file = open_remote(f"{server.url}/x.pth")
            assert file is not None
            with pytest.raises(CheckpointError, match=r"no HTTP ranges\); download it"):
                read_torch_zip(file)

    def test_empty_and_absent_files(self, folder: Path) -> None:
        for ranges in (True, False):
            with serve(folder, ranges=ranges) as server:
                empty = open_remote(f"{server.url}/empty.safetensors")
                assert empty is not None
                with pytest.raises(WeightsError, match="half downloaded"):
                    read_safetensors_header(empty)
                assert open_remote(f"{server.url}/absent") is None

    def test_a_server_that_answers_nonsense(self, folder: Path) -> None:
        class Wrong(Handler):
            def send_header(self, keyword: str, value: str) -> None:
                super().send_header(keyword, "bytes 7-9/nonsense" if keyword == "Content-Range" else value)

        class Refusing(Handler):
            def do_GET(self) -> None:
                self.send_error(403)

        with serve(folder, handler=Wrong) as server, pytest.raises(CheckpointError, match="another part"):
            open_remote(f"{server.url}/x.pth")
        with serve(folder, handler=Refusing) as server, pytest.raises(CheckpointError, match="403 Forbidden"):
            open_remote(f"{server.url}/x.pth")

    def test_nobody_there_is_one_line(self) -> None:
        with pytest.raises(CheckpointError, match="cannot be reached"):
            open_remote("http://127.0.0.1:9/x.safetensors")
        with pytest.raises(CheckpointError, match="only http"):
            open_remote("file:///etc/passwd")

    def test_a_token_stays_with_its_host(self, folder: Path) -> None:
        with serve(folder) as other:

            class Redirecting(Handler):
                def do_GET(self) -> None:
                    self.seen.append(dict(self.headers))
                    self.send_response(302)
                    self.send_header("Location", other.url + self.path)
                    self.end_headers()

            with serve(folder, handler=Redirecting) as first:
                file = open_remote(f"{first.url}/big.safetensors", {"authorization": "Bearer x"})
                assert file is not None
                assert all("Authorization" in seen for seen in first.seen)
            assert other.seen
            assert not any("Authorization" in seen for seen in other.seen)
            assert all("Range" in seen for seen in other.seen)

    def test_a_folder_or_a_file_by_address(self, folder: Path) -> None:
        with serve(folder) as server:
            for address in (server.url, server.url + "/"):
                source = open_source(address)
                assert source.focus is None
                assert source.has("x.pth")
                assert source.first(("absent", "empty.safetensors", "x.pth")) == "empty.safetensors"
            source = open_source(f"{server.url}/x.pth")
            assert source.focus == "x.pth"
            assert source.has("big.safetensors")


class TestLocal:
    def test_a_folder_a_file_and_nothing(self, folder: Path) -> None:
        assert open_source(str(folder)).has("x.pth")
        assert not open_source(str(folder)).has("absent")
        assert open_source(str(folder / "x.pth")).focus == "x.pth"
        for name in ("absent", "a/b/c", str(folder / "absent")):
            with pytest.raises(CheckpointError, match="no such folder or file"):
                open_source(name)

    def test_a_huge_json_is_refused(self, tmp_path: Path) -> None:
        with (tmp_path / "config.json").open("wb") as file:
            file.truncate(1 << 30)
        with pytest.raises(CheckpointError, match="1024 MiB long"):
            open_source(str(tmp_path)).read("config.json")


class Hub(Handler):
    """The two addresses of the hub that are asked: the metadata of a model, and its files."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/api/models/some/voice" or path.startswith("/api/models/some/voice/revision/"):
            revision = path.rpartition("/")[2]
            if revision not in ("voice", "main", SHA):
                self._answer(404, {"error": "Invalid rev id"}, "RevisionNotFound")
                return
            names = sorted(p.name for p in Path(self.translate_path("/")).iterdir())
            self._answer(200, {"id": "some/voice", "sha": SHA, "siblings": [{"rfilename": name} for name in names]})
        elif path.startswith("/api/models/closed/"):
            self._answer(403, {"error": "gated"}, "GatedRepo")
        elif path.startswith("/api/"):
            self._answer(404, {"error": "Repository not found"}, "RepoNotFound")
        else:
            prefix = f"/some/voice/resolve/{SHA}/"
            assert path.startswith(prefix)
            self.path = "/" + path.removeprefix(prefix)
            super().do_GET()

    def _answer(self, code: int, body: object, error: str | None = None) -> None:
        content = json.dumps(body).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        if error:
            self.send_header("X-Error-Code", error)
        self.end_headers()
        self.wfile.write(content)

    def do_HEAD(self) -> None:
        self.do_GET()


@pytest.fixture
def online(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)


@pytest.mark.usefixtures("online")
class TestHub:
    def test_headers_of_a_name(self, folder: Path) -> None:
        with serve(folder, handler=Hub) as server:
            source = open_source("some/voice", endpoint=server.url)
            assert source.pinned == SHA
            assert not source.has("absent.json")
            file = source.file("big.safetensors")
            assert file is not None
            assert set(read_safetensors_header(file)) == {"w", "v"}
            assert open_source("some/voice", SHA, server.url).has("x.pth")

    def test_what_the_hub_refuses_is_one_line(self, folder: Path) -> None:
        with serve(folder, handler=Hub) as server:
            for name, revision, expected in (
                ("some/voice", "nonsense", "has no revision nonsense"),
                ("some/other", None, "no such name on the hub"),
                ("closed/voice", None, "accept its terms"),
            ):
                with pytest.raises(CheckpointError, match=expected) as caught:
                    open_source(name, revision, server.url)
                assert "\n" not in str(caught.value)

    def test_without_a_network_it_is_one_line(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LUNGFISH_CACHE", str(tmp_path))
        with pytest.raises(CheckpointError, match="the hub cannot be asked") as caught:
            open_source("some/voice", endpoint="http://127.0.0.1:9")
        assert "\n" not in str(caught.value)


def test_offline_a_downloaded_snapshot_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUNGFISH_CACHE", str(tmp_path))
    repository = tmp_path / "hub" / "models--some--voice"
    snapshot = repository / "snapshots" / SHA
    snapshot.mkdir(parents=True)
    save_file({"w": torch.zeros(2)}, snapshot / "model.safetensors")
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(SHA)
    source = open_source("some/voice")  # HF_HUB_OFFLINE is set for the tests
    assert source.pinned == SHA
    assert source.has("model.safetensors")
    shutil.rmtree(repository)
    with pytest.raises(CheckpointError, match="the hub cannot be asked"):
        open_source("some/voice")
