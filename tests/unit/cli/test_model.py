from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import constants

from lungfish.cli.main import run
from tests.fake_hub import COMMIT, NAME, FakeHub, serve

FISH = "fish-audio-research"
FILES = {
    "config.json": b"{}",
    "model.safetensors": bytes(10_000),
    "LICENSE": b"Fish Audio Research License\nLast Updated: March 7, 2026\n",
}


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    monkeypatch.setenv("LUNGFISH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(time, "sleep", lambda _: None)
    with serve(FakeHub(dict(FILES))) as fake:
        monkeypatch.setattr(constants, "ENDPOINT", fake.endpoint)
        template = fake.endpoint + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        yield fake


def on_a_terminal(answer: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    asked: list[str] = []

    def confirm(question: str, **_: object) -> bool:
        asked.append(question)
        return answer == "y"

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("typer.confirm", confirm)
    return asked


def weights(hub: FakeHub) -> bool:
    return "model.safetensors" in hub.fetched()


def test_pull_shows_what_it_is_about(hub: FakeHub, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["model", "pull", NAME, "--accept-licence", FISH]) == 0
    shown = capsys.readouterr().out
    for part in (
        COMMIT,
        "10.1 kB",
        "free disk",
        "Fish Audio Research License",
        "Built with Fish Audio",
        "separate written",
    ):
        assert part in shown
    assert f"{hub.endpoint}/{NAME}/blob/{COMMIT}/LICENSE\n" in shown
    assert str(tmp_path / "cache" / "hub") in shown


def test_unattended_it_needs_the_id(hub: FakeHub, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for more in ([], ["--accept-licence", "mit"]):
        assert run(["model", "pull", NAME, *more]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert FISH in error
    assert not weights(hub)
    assert not (tmp_path / "cache").exists()


def test_on_a_terminal_it_asks(
    hub: FakeHub, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = on_a_terminal("n", monkeypatch)
    assert run(["model", "pull", NAME]) == 2
    assert capsys.readouterr().err == f"lungfish: {NAME}: its licence was not accepted; nothing was fetched\n"
    assert len(asked) == 1
    assert not weights(hub)
    assert not (tmp_path / "cache").exists()
    asked = on_a_terminal("y", monkeypatch)
    assert run(["model", "pull", NAME]) == 0
    assert "Fish Audio Research License" in asked[0]
    assert weights(hub)


def test_an_unknown_licence_is_shown(hub: FakeHub, capsys: pytest.CaptureFixture[str]) -> None:
    hub.files["LICENSE"] = b"Terms of Someone\n\nBe kind.\n"
    assert run(["model", "pull", NAME]) == 2
    captured = capsys.readouterr()
    assert "| Terms of Someone\n  | Be kind.\n" in captured.out
    accepted = captured.err.split("--accept-licence ")[1].strip()
    assert run(["model", "pull", NAME, "--accept-licence", accepted]) == 0


def test_what_is_here_is_not_fetched_again(hub: FakeHub, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["model", "pull", NAME, "--accept-licence", FISH]) == 0
    hub.asked.clear()
    assert run(["model", "pull", NAME]) == 0
    assert not weights(hub)
    hub.asked.clear()
    assert run(["model", "pull", NAME, "--revision", COMMIT]) == 0
    assert hub.asked == []
    assert "--model" in capsys.readouterr().out


def test_json_is_one_line(hub: FakeHub, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["model", "pull", NAME, "--accept-licence", FISH, "--json"]) == 0
    captured = capsys.readouterr()
    row = json.loads(captured.out)
    assert (row["name"], row["commit"], row["complete"], row["licence"]["id"]) == (NAME, COMMIT, True, FISH)
    assert (Path(row["path"]) / "model.safetensors").stat().st_size == 10_000
    assert "Built with Fish Audio" in captured.err
    assert run(["model", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [row]


def test_failures_are_one_line(
    hub: FakeHub, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for arguments, code in (
        (["someone/else"], 1),
        (["nothing"], 2),
        ([NAME, "--revision", "v9"], 1),
        ([NAME, "--revision", "../x"], 2),
    ):
        assert run(["model", "pull", *arguments, "--accept-licence", FISH]) == code
        captured = capsys.readouterr()
        assert (captured.out, captured.err.count("\n")) == ("", 1)
    hub.cut["model.safetensors"] = 100
    assert run(["model", "pull", NAME, "--accept-licence", FISH]) == 1
    assert len([line for line in capsys.readouterr().err.splitlines() if line.startswith("lungfish: ")]) == 1
    assert run(["model", "list"]) == 0
    assert "not complete; pull it again" in capsys.readouterr().out


def test_list_and_remove(hub: FakeHub, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(["model", "list"]) == 0
    assert capsys.readouterr().out.startswith("none pulled yet")
    assert run(["model", "pull", NAME, "--accept-licence", FISH]) == 0
    capsys.readouterr()
    assert run(["model", "list"]) == 0
    shown = capsys.readouterr().out
    assert NAME in shown
    assert COMMIT[:12] in shown
    assert FISH in shown

    assert run(["model", "remove", NAME]) == 2
    assert "--yes" in capsys.readouterr().err
    asked = on_a_terminal("n", monkeypatch)
    assert run(["model", "remove", NAME]) == 0
    assert len(asked) == 1
    assert capsys.readouterr().out == "nothing was deleted\n"
    assert run(["model", "remove", NAME, "--yes"]) == 0
    assert "free again" in capsys.readouterr().out
    assert run(["model", "remove", NAME, "--yes"]) == 1
    assert capsys.readouterr().err.startswith(f"lungfish: {NAME}: was not pulled")


def test_endpoint_and_proxy_of_the_environment(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    with serve(FakeHub(dict(FILES))) as hub:
        environment = kept | {
            "LUNGFISH_CACHE": str(tmp_path),
            "HF_ENDPOINT": "http://hub.invalid",
            "HTTP_PROXY": hub.endpoint,
            "http_proxy": hub.endpoint,
            "HF_HUB_OFFLINE": "0",
        }
        command = [sys.executable, "-m", "lungfish", "model", "pull", NAME, "--json"]
        done = subprocess.run([*command, "--accept-licence", FISH], env=environment, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["complete"]
        assert b"http://hub.invalid/" in done.stderr
        assert weights(hub)
        del environment["HTTP_PROXY"], environment["http_proxy"]
        done = subprocess.run([*command, "--revision", "v2"], env=environment, capture_output=True, check=False)
    assert done.returncode == 1
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1
