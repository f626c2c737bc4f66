from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from lungfish.cli.main import run
from tests.toy import write_toy_checkpoint

GOLDEN = Path(__file__).parents[2] / "golden"


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_toy_checkpoint(tmp_path_factory.mktemp("toy") / "voice")


def test_a_good_checkpoint(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["inspect", str(toy)]) == 0
    shown = capsys.readouterr().out
    assert "model.safetensors: language model, S2 layout" in shown
    assert "codec.safetensors: spectral codec" in shown
    assert shown.endswith("everything would load\n")
    assert "... and 76 more (--all)" in shown
    assert run(["inspect", str(toy), "--all"]) == 0
    assert "(--all)" not in capsys.readouterr().out


def test_as_json(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["inspect", str(toy), "--json", "--expect", "s2_pro"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["loads"] is True
    assert [part["kind"] for part in row["parts"]] == ["s2", "spectral"]
    assert row["parts"][0]["expectation"] == "S2-Pro"
    assert row["parts"][0]["differences"]
    assert row["parts"][0]["parameters"]["total"] == sum(row["parts"][0]["dtypes"].values())


def test_saved_tables_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["inspect", str(GOLDEN / "codec")]) == 0
    assert "saved tables, not needed: 6" in capsys.readouterr().out


def test_a_mismatch_exits_1_and_lists_every_name(toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stored = load_file(toy / "codec.safetensors")
    stored.pop("encoder.norm.weight")
    save_file(stored | {f"extra{i:02}": torch.zeros(1) for i in range(30)}, tmp_path / "codec.safetensors")
    (tmp_path / "codec.json").write_bytes((toy / "codec.json").read_bytes())
    assert run(["inspect", str(tmp_path), "--all"]) == 1
    shown = capsys.readouterr().out
    assert "would not load, 1 missing:\n    encoder.norm.weight" in shown
    assert "would not load, 30 unexpected:" in shown
    assert "extra29" in shown
    assert shown.endswith("this would not load as it is\n")
    assert run(["inspect", str(tmp_path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["loads"] is False


@pytest.mark.parametrize("name", ["absent", "x.safetensors", "evil.pth", "http://127.0.0.1:9/x.pth", "no-such/name"])
def test_what_cannot_be_read_is_one_line(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUNGFISH_CACHE", str(tmp_path))
    Path("x.safetensors").write_bytes((1 << 60).to_bytes(8, "little") + b"{}")
    with zipfile.ZipFile("evil.pth", "w") as archive:
        archive.writestr("a/data.pkl", b"cos\nsystem\n(S'touch owned'\ntR.")
    assert run(["inspect", name]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert not Path("owned").exists()


def test_an_unknown_expectation_is_refused(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["inspect", str(toy), "--expect", "nonsense"]) == 2
    assert "no expectation file 'nonsense'" in capsys.readouterr().err
