"""The commands that the documents show exist, with every option that they use, and their links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from lungfish.cli.main import run

CHECKOUT = Path(__file__).parents[2]
DOCUMENTS = [CHECKOUT / name for name in ("README.md", "CONTRIBUTING.md", "docs/architecture.md")]


def shown_commands() -> list[str]:
    text = "\n".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)
    lines = "\n".join(re.findall(r"```sh\n(.*?)```", text, flags=re.S)).splitlines()
    lines += re.findall(r"`(lungfish [^`]+)`", text)
    return sorted({line.split(" #")[0].strip() for line in lines if line.startswith("lungfish ")})


@pytest.mark.parametrize("command", shown_commands())
def test_a_shown_command_exists(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(re.split(r"[|<>]", command)[0])[1:]
    verb = words[:2] if words[0] in ("codec", "eval", "train", "data", "model") else words[:1]
    if verb == ["eval"]:
        verb = ["eval", "wer"]
    assert run([*verb, "--help"]) == 0
    shown = capsys.readouterr().out
    for word in words:
        if re.fullmatch(r"--?[a-z][a-z-]*", word):
            assert re.search(rf"{re.escape(word)}\b", shown), f"{command}: no option {word}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files(path: Path) -> None:
    bundled = (CHECKOUT / "src/lungfish/voices/bundled/config.json").is_file()
    for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
        if "voices/bundled" in target and not bundled:
            continue
        assert (path.parent / target).exists(), f"{path.name}: {target}"


def test_make_targets_exist() -> None:
    makefile = (CHECKOUT / "Makefile").read_text(encoding="utf-8")
    for path in DOCUMENTS:
        for target in re.findall(r"`?make ([a-z-]+)", path.read_text(encoding="utf-8")):
            if target in ("the", "it", "training"):
                continue
            assert re.search(rf"^{target}:", makefile, flags=re.M), f"{path.name}: make {target}"


def test_the_python_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (CHECKOUT / "src/lungfish/voices/bundled/config.json").is_file():
        pytest.skip("no voice is bundled yet")
    found = re.search(r"```python\n(.*?)```", (CHECKOUT / "README.md").read_text(encoding="utf-8"), flags=re.S)
    assert found is not None
    monkeypatch.chdir(tmp_path)
    exec(compile(found.group(1), "README.md", "exec"), {})
    assert (tmp_path / "hello.wav").stat().st_size > 1000
