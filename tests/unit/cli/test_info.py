from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from lungfish.cli.main import run
from lungfish.cli.prose import size
from lungfish.evaluation import doctor
from lungfish.evaluation.doctor import Check
from tests.released import S2_PRO
from tests.toy import write_toy_checkpoint


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_toy_checkpoint(tmp_path_factory.mktemp("toy") / "voice")


def test_info(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["info", "--model", str(toy), "--device", "cpu"]) == 0
    shown = capsys.readouterr().out
    assert "prompt style phonemes, voices coral, marlin; 4 codebooks, 31.25 Hz" in shown
    assert "256 B  each token of context" in shown
    assert "frames/s" not in shown
    assert "licence" not in shown


def test_info_as_json(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["info", "--model", str(toy), "--device", "cpu", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["memory"]["kv_bytes_per_token"] == 256
    assert (row["device"], row["dtype"], row["licence"]) == ("cpu", "float32", None)
    assert "cost" not in row


def test_the_licence_is_shown(toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = shutil.copytree(toy, tmp_path / "copy")
    (folder / "LICENSE").write_text("Fish Audio Research License\n\nLast updated: 7 March 2026\n")
    assert run(["info", "--model", str(folder)]) == 0
    shown = capsys.readouterr().out
    assert "Built with Fish Audio" in shown
    assert "research and non-commercial use" in shown


def test_cost_of_s2_pro_is_that_of_the_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tests.unit.checkpoint.test_inspection import write_full_size

    write_full_size(tmp_path)
    arguments = ["info", "--model", str(tmp_path), "--dtype", "bfloat16", "--device", "cpu", "--bandwidth", "4300"]
    assert run([*arguments, "--cost"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"^  reference +3\.63 +0\.40 +4\.14 +0\.00 +8\.17 ", shown, flags=re.M)
    assert run([*arguments, "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["cost"]}
    assert rows["reference"]["weights"] == 8_174_404_096
    assert rows["here"]["frames_per_s_bound"] == pytest.approx(4.3e12 / rows["here"]["bytes_per_frame"])
    assert S2_PRO["text_config"]["n_layer"] == 36


def test_the_bandwidth_turns(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bounds = []
    for bandwidth in ("10", "20"):
        assert run(["info", "--model", str(toy), "--bandwidth", bandwidth, "--json"]) == 0
        bounds.append(json.loads(capsys.readouterr().out)["cost"][0]["frames_per_s_bound"])
    assert bounds[1] == pytest.approx(2 * bounds[0])
    assert run(["info", "--model", str(toy), "--bandwidth", "0"]) == 2


@pytest.mark.parametrize(
    ("nbytes", "expected"),
    [(0, "0 B"), (999, "999 B"), (1000, "1 kB"), (301_989_888, "302 MB"), (9.12e9, "9.12 GB"), (2e15, "2e+03 TB")],
)
def test_sizes(nbytes: float, expected: str) -> None:
    assert size(nbytes) == expected


@pytest.mark.parametrize(("status", "code"), [("ok", 0), ("warning", 0), ("failed", 1)])
def test_doctor(
    status: doctor.Status, code: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "examine", lambda: [Check("speech", status, "what was heard")])
    assert run(["doctor"]) == code
    assert f"{status:7}  speech  what was heard" in capsys.readouterr().out
    assert run(["doctor", "--json"]) == code
    row = json.loads(capsys.readouterr().out)
    assert row == {"healthy": code == 0, "checks": [{"name": "speech", "status": status, "detail": "what was heard"}]}


def test_help_of_the_looking_verbs_loads_nothing_heavy() -> None:
    import subprocess
    import sys

    script = (
        "import sys\n"
        "from lungfish.cli.main import run\n"
        "for verb in ('inspect', 'info', 'doctor'):\n"
        "    assert run([verb, '--help']) == 0\n"
        "heavy = {'torch', 'numpy', 'soundfile', 'huggingface_hub', 'tokenizers'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
