"""`lungfish eval codec` over short clips with tiny codecs, and with judges that are quickly satisfied."""

import json
import sys

import numpy as np
import pytest
import soundfile

from lungfish.checkpoint.codec import save_codec
from lungfish.cli.codec_table import report_lines
from lungfish.cli.main import run
from lungfish.evaluation.bootstrap import Estimate
from lungfish.evaluation.codec_figures import METRICS, CodecReport, SystemResult
from lungfish.judges import quality, recogniser, speaker
from tests.toy import toy_codec

pytest.importorskip("jiwer", reason="word error rates need the extra `eval`")
pytest.importorskip("whisper_normalizer", reason="word error rates need the extra `eval`")
pytest.importorskip("av", reason="Opus needs the extra `av`")

TEXT = "red green blue black"


class Ears:
    """Hears the text in what is clean enough, else its first word; and remembers how it was made."""

    made = []

    def __init__(self, model, beam_size, threads):
        Ears.made.append((model, beam_size, threads))
        self.name = f"ears {model}"

    def transcribe(self, waveform, sample_rate):
        return TEXT if waveform[2000:3000].std() > 0.1 else TEXT.split()[0]


class Voice:
    name = "a voice judge"

    def embed(self, waveform, sample_rate):
        return np.abs(np.fft.rfft(waveform, 64)).astype(np.float32)


class Quality:
    name = "a quality judge"

    def score(self, waveform, sample_rate):
        return 1 + float(min(4, waveform.std() * 10))


@pytest.fixture
def judges(monkeypatch):
    Ears.made.clear()
    monkeypatch.setattr(recogniser, "Recogniser", Ears)
    monkeypatch.setattr(speaker, "SpeakerEncoder", Voice)
    monkeypatch.setattr(quality, "QualityJudge", Quality)


@pytest.fixture
def clips(tmp_path):
    folder = tmp_path / "clips"
    folder.mkdir()
    for number in range(2):
        samples = 0.4 * np.sin(2 * np.pi * (200 + 90 * number) * np.arange(12_000) / 12_000)
        soundfile.write(folder / f"{number}.wav", samples, 12_000)
    (folder / "transcripts.tsv").write_text("".join(f"{number}.wav\t{TEXT}\n" for number in range(2)))
    return folder


@pytest.fixture
def codecs(tmp_path):
    """Folders of two tiny codecs of four and of two books."""
    folders = []
    for name, books in (("new", (32, 16, 16, 16)), ("old", (32, 16))):
        folders.append(tmp_path / name)
        folders[-1].mkdir()
        save_codec(toy_codec(books), folders[-1])
    return [str(folder) for folder in folders]


def evaluate(capsys, *arguments):
    code = run(["eval", "codec", *map(str, arguments)])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def test_the_table(judges, clips, codecs, capsys, tmp_path):
    folder = tmp_path / "report"
    code, table, _ = evaluate(
        capsys, *codecs, "--clips", clips, "--books", "1", "--output", folder, "--threads", 1, "--device", "cpu"
    )
    assert code == 0
    rows = ["original", "new", "new, 1 book", "old", "opus 6 kbit/s", "opus 12 kbit/s"]
    quality_block = table.split("\n\n")[1].splitlines()
    assert [line[:16].strip() for line in quality_block[1::2]] == rows
    for expected in (
        "new: " + codecs[0],
        "8000 Hz, 31.25 frames/s, books 32 + 3 x 16",
        "2 clips, 2.0 s, 2 with transcript; compared at 8000 Hz",
        "WER by ears base",
        "similarity by a voice judge",
        "MOS by a quality judge",
        "new less original, clip by clip",
        "new less old, clip by clip",
        "entries used",
        "perplexity",
        "times real time on cpu, 1 thread",
        "torch",
        "made by: ",
    ):
        assert expected in table, expected
    assert (folder / "table.txt").read_text() == table
    report = json.loads((folder / "report.json").read_text())
    assert [row["name"] for row in report["systems"]] == rows
    assert len((folder / "rows.jsonl").read_text().splitlines()) == 2 * len(rows)
    assert not (folder / "examples").exists()


def test_fast_systems_keep_their_columns_apart():
    fast = Estimate(1234.5, 1234.5, 1234.5, 9)
    row = SystemResult("opus", dict.fromkeys(METRICS), 6000.0, fast, fast, [])
    lines = report_lines(CodecReport(8000, 1, 0, 1.0, [row], []), "cpu", 1)
    assert lines[-1].split() == ["opus", *["1.23e+03", "(1.23e+03", "to", "1.23e+03)"] * 2]


def test_the_report_as_json(judges, clips, codecs, capsys):
    code, out, _ = evaluate(capsys, codecs[0], "--clips", clips, "--json", "--threads", 1)
    report = json.loads(out)
    assert code == 0
    assert report["codecs"] == {"new": codecs[0]}
    assert report["judges"] == {"wer": "ears base", "similarity": "a voice judge", "mos": "a quality judge"}
    assert (report["clips"], report["transcribed"], report["sample_rate"], report["threads"]) == (2, 2, 8000, 1)
    original, new, *opus = report["systems"]
    assert (original["metrics"]["wer"]["value"], original["metrics"]["similarity"]["value"]) == (0, pytest.approx(1))
    assert original["bit_rate"] is None
    assert new["bit_rate"] == pytest.approx((5 + 3 * 4) * 31.25)
    assert [book["size"] for book in new["books"]] == [32, 16, 16, 16]
    assert new["encode_speed"]["value"] > 0
    assert new["metrics"]["wer"]["value"] > 0
    assert opus[1]["metrics"]["mel"]["value"] < new["metrics"]["mel"]["value"]
    assert {"commit", "command", "machine", "version"} <= set(report["provenance"])


def test_knobs_of_the_recogniser_and_the_limit(judges, clips, codecs, capsys):
    arguments = ["--recogniser", "tiny", "--beam-size", 2, "--threads", 1, "--limit", 1, "--json"]
    code, out, _ = evaluate(capsys, codecs[1], "--clips", clips, *arguments)
    report = json.loads(out)
    assert code == 0
    assert Ears.made == [("tiny", 2, 1)]
    assert (report["clips"], report["beam_size"], report["judges"]["wer"]) == (1, 2, "ears tiny")


@pytest.mark.parametrize("name", ["wer", "similarity", "mos"])
def test_a_column_is_left_out_by_name_and_the_table_says_so(name, judges, clips, codecs, capsys):
    arguments = [codecs[1], "--clips", clips, "--without", name]
    code, out, _ = evaluate(capsys, *arguments, "--json")
    report = json.loads(out)
    assert code == 0
    assert report["left_out"] == [name]
    assert [row["metrics"][name] for row in report["systems"]] == [None] * 4
    assert report["judges"][name] is None
    assert f"left out: {name}" in evaluate(capsys, *arguments)[1]


def test_opus_is_left_out(judges, clips, codecs, capsys):
    _, out, _ = evaluate(capsys, codecs[1], "--clips", clips, "--without", "opus,mos", "--json")
    assert [row["name"] for row in json.loads(out)["systems"]] == ["original", "old"]


def test_examples_are_sound_and_picture(judges, clips, codecs, capsys, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures need matplotlib")
    folder = tmp_path / "report"
    code, *_ = evaluate(capsys, codecs[1], "--clips", clips, "--output", folder, "--examples", 1)
    assert code == 0
    assert (folder / "examples" / "01_0.png").read_bytes().startswith(b"\x89PNG")
    assert len(list((folder / "examples" / "01_0").glob("*.wav"))) == 4


def test_clips_without_transcripts_have_no_words_to_hear(judges, clips, codecs, capsys):
    (clips / "transcripts.tsv").unlink()
    code, out, _ = evaluate(capsys, codecs[1], "--clips", clips)
    assert code == 0
    assert "no WER: no clip has a transcript" in out
    assert Ears.made == []


@pytest.mark.parametrize(
    ("package", "name"),
    [("resemblyzer", "similarity"), ("distillmos", "mos"), ("faster_whisper", "wer"), ("av", "opus")],
)
def test_a_judge_that_is_not_installed_is_one_line_that_says_both_ways_out(
    package, name, clips, codecs, capsys, monkeypatch
):
    others = ",".join(other for other in ("similarity", "mos", "wer", "opus") if other != name)
    monkeypatch.setitem(sys.modules, package, None)
    code, out, err = evaluate(capsys, codecs[1], "--clips", clips, "--without", others)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert "pip install" in err
    assert f"or leave it out: --without {name}" in err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--clips", "nowhere"], "no such folder of clips"),
        (["--books", "9"], "the codec has 4 books"),
        (["--books", "x"], "--books takes numbers"),
        (["--without", "everything"], "--without takes any of wer, similarity, mos, opus"),
        (["--examples", "1"], "--examples needs --output"),
        (["--output", "{clips}/0.wav"], "no folder can be made there"),
    ],
)
def test_mistakes_are_one_line_before_the_work(arguments, expected, judges, clips, codecs, capsys):
    arguments = [argument.format(clips=clips) for argument in arguments]
    code, out, err = evaluate(capsys, codecs[0], *([] if "--clips" in arguments else ["--clips", clips]), *arguments)
    assert code != 0
    assert out == ""
    assert expected in err
    assert err.count("\n") == 1


def test_without_clips_it_asks_for_them(capsys):
    code, _, err = evaluate(capsys)
    assert code == 2
    assert "--clips" in err
