import json
import sys

import pytest
import soundfile
import torch

from lungfish.errors import DependencyError, OutputError
from lungfish.evaluation.codec_figures import ClipResult
from lungfish.evaluation.codec_files import CodecFiles


def result(clip, system):
    return ClipResult(system, clip, 1.0, 0.1, 0.2, None, None, None, None, None, 0.0, 0.0, None)


def fill(files):
    for clip in ("talk/a b.wav", "talk/c.wav"):
        for level, system in enumerate(("original", "opus 6 kbit/s"), 1):
            files.add(result(clip, system), 0.1 * level * torch.ones(800))


def test_the_folder_has_report_rows_and_table(tmp_path):
    folder = tmp_path / "new" / "folder"
    files = CodecFiles(folder)
    fill(files)
    files.write({"clips": 2, "name": "Zürich"}, "a table", 8000)
    assert sorted(path.name for path in folder.iterdir()) == ["report.json", "rows.jsonl", "table.txt"]
    assert json.loads((folder / "report.json").read_text(encoding="utf-8")) == {"clips": 2, "name": "Zürich"}
    rows = [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]
    assert [(row["clip"], row["system"]) for row in rows] == [
        ("talk/a b.wav", "original"),
        ("talk/a b.wav", "opus 6 kbit/s"),
        ("talk/c.wav", "original"),
        ("talk/c.wav", "opus 6 kbit/s"),
    ]
    assert (folder / "table.txt").read_text() == "a table\n"


def test_examples_are_the_first_clips_as_sound_and_picture(tmp_path):
    pytest.importorskip("matplotlib", reason="pictures need matplotlib")
    files = CodecFiles(tmp_path, examples=1)
    fill(files)
    files.write({}, "", 8000)
    examples = tmp_path / "examples"
    assert sorted(path.relative_to(examples).as_posix() for path in examples.rglob("*.*")) == [
        "01_a_b.png",
        "01_a_b/opus_6_kbit_s.wav",
        "01_a_b/original.wav",
    ]
    samples, rate = soundfile.read(examples / "01_a_b" / "opus_6_kbit_s.wav")
    assert (rate, len(samples)) == (8000, 800)
    assert samples[0] == pytest.approx(0.2, abs=1e-3)


def test_a_report_is_gone_until_the_next_is_whole(tmp_path):
    (tmp_path / "report.json").write_text("old")
    files = CodecFiles(tmp_path)
    assert not (tmp_path / "report.json").exists()
    (tmp_path / "table.txt").mkdir()
    (tmp_path / "table.txt" / "in the way").write_text("")
    with pytest.raises(OutputError, match=r"table\.txt"):
        files.write({}, "", 8000)
    assert not (tmp_path / "report.json").exists()
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []


def test_what_cannot_be_written_is_told_before_the_work(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="no folder can be made"):
        CodecFiles(tmp_path / "file")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(DependencyError, match="pip install matplotlib"):
        CodecFiles(tmp_path / "folder", examples=1)
