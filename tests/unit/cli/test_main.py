from __future__ import annotations

import errno
import subprocess
import sys

import pytest

import lungfish
from lungfish.cli.main import guarded, run
from lungfish.errors import ConfigError, OutputError, TextError, WeightsError


@pytest.mark.parametrize(
    ("raised", "code", "message"),
    [
        (TextError("the text is empty"), 2, "the text is empty"),
        (ConfigError("a.b: no such key"), 2, "a.b: no such key"),
        (WeightsError("two\nlines"), 1, "two lines"),
        (OutputError("x"), 1, "x"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (BrokenPipeError(), 1, "the reader of the output went away before all of it was written"),
        (MemoryError(), 1, "out of memory; try a shorter text, or --dtype bfloat16"),
        (OSError(errno.ENOSPC, "No space left on device"), 1, "no space left on the device"),
    ],
)
def test_errors_become_one_line_and_a_code(
    raised: BaseException, code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def action() -> int:
        raise raised

    assert guarded(action) == code
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", f"lungfish: {message}\n")


def test_a_defect_is_not_hidden() -> None:
    def action() -> int:
        raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(OSError, match="Input/output"):
        guarded(action)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"lungfish {lungfish.__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_lists_the_verbs(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 0
    shown = capsys.readouterr().out
    for verb in ("say", "codec", "verify", "eval", "train", "data", "model"):
        assert f" {verb} " in shown


@pytest.mark.parametrize("group", ["codec", "eval", "train", "data", "model"])
def test_a_group_without_a_verb_shows_its_help(group: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([group]) == 2
    captured = capsys.readouterr()
    assert "Commands" in captured.out + captured.err
    assert "lungfish: \n" not in captured.err


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["frob"], "lungfish: No such command 'frob'. (see lungfish --help)\n"),
        (["codec", "frob"], "lungfish: No such command 'frob'. (see lungfish codec --help)\n"),
        (["say", "x", "--frob"], "lungfish: No such option: --frob (see lungfish say --help)\n"),
    ],
)
def test_a_wrong_command_is_one_line(arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert capsys.readouterr().err == expected


def test_every_verb_has_help_and_none_of_it_loads_torch() -> None:
    script = (
        "import sys\n"
        "from lungfish.cli.main import run\n"
        "verbs = ['say', 'verify', 'codec encode', 'codec decode', 'eval wer', 'train codec', 'train lm', 'data teach']\n"
        "verbs += ['model pull', 'model list', 'model remove']\n"
        "for verb in ['', *verbs]:\n"
        "    assert run([*verb.split(), '--help']) == 0, verb\n"
        "heavy = {'torch', 'numpy', 'soundfile', 'lightning', 'av', 'tokenizers', 'huggingface_hub'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "lungfish", "--version"], capture_output=True, check=True)
    assert done.stdout.decode().strip() == f"lungfish {lungfish.__version__}"
