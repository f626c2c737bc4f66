import subprocess
from pathlib import Path

import torch

import lungfish
from lungfish.evaluation import provenance as module
from lungfish.evaluation.provenance import provenance


def checkout(folder, monkeypatch):
    """A repository with one package file in src/lungfish, committed, that counts as the running package."""
    package = folder / "src" / "lungfish"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    git = [
        "git",
        "-C",
        str(folder),
        "-c",
        "user.name=x",
        "-c",
        "user.email=x@example.org",
        "-c",
        "commit.gpgsign=false",
    ]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "x"], check=True)
    monkeypatch.setattr(module.lungfish, "__file__", str(package / "__init__.py"))
    return package, subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout


def test_command_and_versions():
    found = provenance(["/some/where/lungfish", "eval", "codec", "--clips", "my clips"])
    assert found.command == "lungfish eval codec --clips 'my clips'"
    assert found.version == lungfish.__version__
    assert found.torch == torch.__version__
    assert " cores" in found.machine
    assert str(Path.home()) not in found.command


def test_the_command_of_the_process_is_the_default(monkeypatch):
    monkeypatch.setattr("sys.argv", ["/bin/prog", "--knob"])
    assert provenance().command == "prog --knob"


def test_a_changed_checkout_says_so(tmp_path, monkeypatch):
    package, head = checkout(tmp_path, monkeypatch)
    clean = provenance().commit
    assert clean is not None
    assert len(clean) >= 12
    assert head.startswith(clean)
    (tmp_path / "elsewhere").write_text("not of the package")
    assert provenance().commit == clean
    (package / "__init__.py").write_text("changed = True")
    assert provenance().commit == clean + "+"


def test_an_installation_inside_somebodys_repository_has_no_commit(tmp_path, monkeypatch):
    checkout(tmp_path, monkeypatch)
    inner = tmp_path / "venv" / "lib" / "lungfish"
    inner.mkdir(parents=True)
    monkeypatch.setattr(module.lungfish, "__file__", str(inner / "__init__.py"))
    assert provenance().commit is None


def test_without_git_the_commit_is_unknown(tmp_path, monkeypatch):
    checkout(tmp_path, monkeypatch)
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert provenance().commit is None
