from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from lungfish.cli.main import run

GOLDEN = Path(__file__).parents[2] / "golden"


def test_a_table_and_a_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(GOLDEN / "codec")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["stage", "tolerance", "worst", "verdict"]
    count = len(lines) - 2
    assert lines[-1] == f"{count} of {count} stages pass"


def test_a_wrong_number_fails_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle = tmp_path / "codec"
    shutil.copytree(GOLDEN / "codec", bundle)
    arrays = dict(np.load(bundle / "io.npz"))
    for name, values in arrays.items():
        if np.issubdtype(values.dtype, np.floating):
            arrays[name] = values + 1
    np.savez(bundle / "io.npz", **arrays)  # type: ignore[arg-type]
    assert run(["verify", str(bundle), "--json"]) == 1
    output = capsys.readouterr().out
    assert output.count("\n") == 1
    row = json.loads(output)
    assert row["passed"] is False
    assert any(stage["passed"] for stage in row["stages"])
    assert set(row["stages"][0]) == {"stage", "tolerance", "worst", "passed", "note"}


@pytest.mark.parametrize("name", ["absent", "."])
def test_what_is_no_bundle_is_one_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["verify", name]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("lungfish: ")
    assert captured.err.count("\n") == 1
