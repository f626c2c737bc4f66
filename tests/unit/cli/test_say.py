"""`lungfish say`: what it writes, what it prints, and that bad input is one line, a non-zero exit and an untouched file."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import soundfile

from lungfish.audio.files import read_waveform
from lungfish.checkpoint.codec import save_codec
from lungfish.cli.main import run
from lungfish.lm.sampling import SamplingParams
from lungfish.voices.library import bundled_folder
from tests.toy import toy_codec, write_toy_checkpoint

JSON_KEYS = [
    "seconds_audio",
    "seconds_wall",
    "rtf",
    "ttfa_ms",
    "frames",
    "finish_reason",
    "path",
    "warnings",
    "segments",
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_toy_checkpoint(tmp_path_factory.mktemp("toy")))


@pytest.fixture
def clip(tmp_path: Path) -> str:
    path = tmp_path / "clip.wav"
    soundfile.write(path, 0.3 * np.sin(np.arange(16_000) / 10), 16_000)
    return str(path)


def say(model: str, *arguments: str, frames: int = 5) -> int:
    return run(["say", "--model", model, "--device", "cpu", "--max-new-frames", str(frames), "--seed", "7", *arguments])


def one_line_on_stderr(capsys: pytest.CaptureFixture[str]) -> str:
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("lungfish: ")
    assert captured.err.count("\n") == 1
    return captured.err


def test_it_writes_and_reports(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "out.wav"
    assert say(model, "Hello there.", "-o", str(path)) == 0
    report = capsys.readouterr().out
    assert report.startswith(f"{path}: ")
    assert "RTF" in report
    assert read_waveform(path)[1] == 8000


def test_json_is_one_line_with_these_keys(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "out.flac"
    assert say(model, "Hello there.", "-o", str(path), "--json") == 0
    output = capsys.readouterr().out
    assert output.count("\n") == 1
    row = json.loads(output)
    assert list(row) == JSON_KEYS
    assert row["path"] == str(path)
    assert row["frames"] == 5
    assert row["finish_reason"] == "length"
    assert row["seconds_audio"] == pytest.approx(5 * 256 / 8000)


def test_text_from_a_file_and_from_standard_input(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outputs = [tmp_path / f"{name}.wav" for name in ("argument", "file", "stdin")]
    (tmp_path / "text.txt").write_bytes("\ufeffHello there.\n".encode())
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Hello there.\n")))
    assert say(model, "Hello there.", "-o", str(outputs[0])) == 0
    assert say(model, "--file", str(tmp_path / "text.txt"), "-o", str(outputs[1])) == 0
    assert say(model, "-", "-o", str(outputs[2])) == 0
    assert len({output.read_bytes() for output in outputs}) == 1


@pytest.mark.parametrize(
    "knob",
    [
        ["--voice", "marlin"],
        ["--seed", "8"],
        ["--temperature", "0"],
        ["--top-p", "0.1"],
        ["--top-k", "2"],
        ["--repetition-penalty", "9"],
        ["--max-new-frames", "19"],
    ],
)
def test_every_option_turns(model: str, tmp_path: Path, knob: list[str]) -> None:
    plain, turned = tmp_path / "plain.wav", tmp_path / "turned.wav"
    assert say(model, "Hello there.", "-o", str(plain), frames=20) == 0
    assert say(model, "Hello there.", "-o", str(turned), *knob, frames=20) == 0
    assert plain.read_bytes() != turned.read_bytes()


def test_a_reference_turns(model: str, tmp_path: Path, clip: str) -> None:
    plain, cloned = tmp_path / "plain.wav", tmp_path / "cloned.wav"
    assert say(model, "Hello there.", "-o", str(plain)) == 0
    assert say(model, "Hello there.", "-o", str(cloned), "--reference", clip, "--reference-text", "A tone.") == 0
    assert plain.read_bytes() != cloned.read_bytes()


def test_wav_on_standard_output_and_the_report_elsewhere(model: str) -> None:
    command = [sys.executable, "-m", "lungfish", "say", "Hi.", "--model", model, "--device", "cpu", "-o", "-", "--json"]
    done = subprocess.run(command, capture_output=True, check=True)
    samples, rate = soundfile.read(io.BytesIO(done.stdout))
    assert rate == 8000
    assert json.loads(done.stderr)["seconds_audio"] == pytest.approx(len(samples) / 8000, abs=1e-3)


def test_the_help_states_the_defaults_of_the_sampler(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["say", "--help"]) == 0
    words = " ".join(capsys.readouterr().out.replace("│", " ").split())
    defaults = SamplingParams()
    for text in (
        f"0 is greedy. Default: the checkpoint's, else {defaults.temperature}.",
        f"Share of probability kept. Default: the checkpoint's, else {defaults.top_p}.",
        f"Number of candidates kept. Default: the checkpoint's, else {defaults.top_k}.",
        f"less likely. Default: the checkpoint's, else {defaults.repetition_penalty}.",
        f"in codec frames. Default: the checkpoint's, else {defaults.max_new_frames}.",
    ):
        assert text in words


# --- bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        ([""], 2, "can be spoken"),
        (["   \n"], 2, "can be spoken"),
        (["... !!! ???"], 2, "can be spoken"),
        (["😀🎉"], 2, "can be spoken"),
        (["bad \udcff bytes"], 2, "not valid Unicode"),
        ([], 2, "needs a TEXT"),
        (["Hi.", "--file", "text.txt"], 2, "only one of them"),
        (["--file", "absent.txt"], 2, "absent.txt: cannot be read"),
        (["--file", "bytes.txt"], 2, "not UTF-8"),
        (["--file", "."], 2, "cannot be read"),
        (["Hi.", "--voice", "corl"], 2, "did you mean 'coral'"),
        (["Hi.", "--reference", "text.txt", "--reference-text", "Hi."], 2, "is not audio"),
        (["Hi.", "--reference", "absent.wav", "--reference-text", "Hi."], 2, "no such file"),
        (["Hi.", "--reference", "text.txt"], 2, "needs its transcript"),
        (["Hi.", "--reference-text", "Hi."], 2, "without a reference clip"),
        (["Hi.", "--temperature", "9"], 2, "temperature must be"),
        (["Hi.", "--top-p", "1.5"], 2, "top_p must be"),
        (["Hi.", "--max-new-frames", "0"], 2, "max_new_frames must be"),
        (["Hi.", "--seed", "-1"], 2, "seed must be"),
        (["Hi.", "--seed", "many"], 2, "--seed"),
        (["Hi.", "--device", "abacus"], 2, "device must be one of"),
        (["Hi.", "--device", "xpu"], 2, "not available here"),
        (["Hi.", "--dtype", "float7"], 2, "dtype must be one of"),
        (["Hi.", "--threads", "0"], 2, "--threads"),
        (["Hi.", "--frob"], 2, "No such option"),
        (["Hi.", "--model", "absent"], 1, "absent: no such checkpoint folder"),
        (["Hi.", "--model", "."], 1, "."),
        (["Hi.", "--model", "text.txt"], 1, "no such model folder"),
    ],
)
def test_bad_input_is_one_line_and_leaves_the_output_alone(
    model: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    expected: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.txt").write_text("Hello.")
    Path("bytes.txt").write_bytes(b"\xff\xfe\x00")
    Path("old.wav").write_bytes(b"old")
    before = sorted(os.listdir())
    assert say(model, *arguments, "-o", "old.wav") == code
    assert expected in one_line_on_stderr(capsys)
    assert Path("old.wav").read_bytes() == b"old"
    assert sorted(os.listdir()) == before


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (".", "is a folder"),
        ("absent/out.wav", "does not exist"),
        ("out.xyz", "the suffix chooses the format"),
        ("out", "the suffix chooses the format"),
        ("/dev/full", "no space left"),
        ("text.txt/out.wav", "does not exist"),
    ],
)
def test_bad_outputs(
    model: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    output: str,
    expected: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.txt").write_text("Hello.")
    assert say(model, "Hi.", "-o", output) == 1
    assert expected in one_line_on_stderr(capsys)
    assert os.listdir() == ["text.txt"]


def damage_weights(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1000])


def damage_header(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"\xff" * 64)


def damage_codec(folder: Path) -> None:
    (folder / "codec.safetensors").write_bytes(b"not weights")


def another_codec(folder: Path) -> None:
    save_codec(toy_codec((32, 32)), folder)


def another_tokenizer(folder: Path) -> None:
    path = folder / "tokenizer.json"
    path.write_text(path.read_text().replace("<|semantic:31|>", "<|semantic:99|>"))


def damage_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{")


def damage_config(folder: Path) -> None:
    (folder / "config.json").write_text('{"model_type": "fish_qwen3_omni"')


def another_model_type(folder: Path) -> None:
    (folder / "config.json").write_text('{"model_type": "bert"}')


def no_codec(folder: Path) -> None:
    (folder / "codec.safetensors").unlink()


def no_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()


@pytest.mark.parametrize(
    "damage",
    [
        damage_weights,
        damage_header,
        damage_codec,
        another_codec,
        another_tokenizer,
        damage_tokenizer,
        damage_config,
        another_model_type,
        no_codec,
        no_weights,
    ],
)
def test_damaged_checkpoints(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: object) -> None:
    folder, output = tmp_path / "model", tmp_path / "old.wav"
    shutil.copytree(model, folder)
    output.write_bytes(b"old")
    damage(folder)  # type: ignore[operator]
    assert say(str(folder), "Hi.", "-o", str(output)) in (1, 2)
    one_line_on_stderr(capsys)
    assert output.read_bytes() == b"old"


def test_play_without_a_player(
    model: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert say(model, "Hi.", "--play", "-o", str(tmp_path / "out.wav")) == 1
    assert "--play needs one of" in one_line_on_stderr(capsys)


@pytest.mark.parametrize(("code", "expected"), [(0, ""), (3, "could not play it (exit code 3)")])
def test_play_with_a_player(
    model: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    code: int,
    expected: str,
) -> None:
    player = tmp_path / "aplay"
    player.write_text(f'#!/bin/sh\nfor last; do :; done\ncp "$last" "{tmp_path}/played.wav"\nexit {code}\n')
    player.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr("lungfish.cli.say._PLAYERS", (("aplay", "-q"),))
    assert say(model, "Hi.", "--play", "-o", str(tmp_path / "out.wav")) == (1 if code else 0)
    assert expected in capsys.readouterr().err
    assert (tmp_path / "played.wav").read_bytes() == (tmp_path / "out.wav").read_bytes()


def command(model: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "lungfish", "say", "--model", model, "--device", "cpu", *arguments]


def test_a_closed_pipe_is_one_line(model: str) -> None:
    process = subprocess.Popen(
        command(model, "Hello there.", "-o", "-", "--seed", "1"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()  # before anything was read
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert errors.decode().count("\n") == 1
    assert errors.startswith(b"lungfish: standard output was closed")


def test_ctrl_c_is_one_line_and_leaves_the_output_alone(model: str, tmp_path: Path) -> None:
    output = tmp_path / "old.wav"
    output.write_bytes(b"old")
    started = tmp_path / "started"
    script = (
        "import sys, pathlib, lungfish.api as api\n"
        "from lungfish.cli.main import main\n"
        "whole = api.generate\n"
        f"def generate(*a, **k):\n    pathlib.Path({str(started)!r}).touch()\n    return whole(*a, **k)\n"
        "api.generate = generate\n"
        "main()\n"
    )
    arguments = command(model, "So many words to say. " * 3000, "-o", str(output))[3:]
    process = subprocess.Popen(
        [sys.executable, "-c", script, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    limit = time.monotonic() + 120
    while not started.exists() and time.monotonic() < limit:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=120)
    assert (process.returncode, out) == (130, b"")
    assert errors == b"lungfish: interrupted\n"
    assert output.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old.wav", "started"]


def test_the_bundled_voice_speaks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        bundled_folder()
    except Exception as error:  # noqa: BLE001
        pytest.skip(f"no voice is bundled yet: {error}")
    for voice in ("coral", "marlin"):
        path = tmp_path / f"{voice}.wav"
        assert run(["say", "Hello from a lungfish.", "--voice", voice, "--seed", "7", "-o", str(path), "--json"]) == 0
        row = json.loads(capsys.readouterr().out)
        assert row["finish_reason"] == "stop"
        assert 0.6 < row["seconds_audio"] < 4.0
        waveform, _ = read_waveform(path)
        assert 0.005 < waveform.square().mean().sqrt() < 0.5
