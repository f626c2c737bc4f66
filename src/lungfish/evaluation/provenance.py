"""Where a figure comes from: the code, the command and the machine that made it; without them nobody can make it again."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

import lungfish

_CPU_INFO = Path("/proc/cpuinfo")


@dataclass(frozen=True)
class Provenance:
    """Attributes:
    version: of the package.
    commit: of its checkout, with "+" where files of it differ; None where it is not run from one.
    command: as it was typed, less the path to the program.
    machine: system, processor and number of cores.
    """

    version: str
    commit: str | None
    command: str
    machine: str
    python: str
    torch: str


def provenance(arguments: Sequence[str] | None = None) -> Provenance:
    """Of this process.

    Args:
        arguments: the program and its arguments; those of the process when absent.
    """
    program, *rest = sys.argv if arguments is None else arguments
    return Provenance(
        version=lungfish.__version__,
        commit=_commit(Path(lungfish.__file__).parent),
        command=shlex.join([Path(program).name, *rest]),
        machine=f"{platform.platform(terse=True)}, {_processor()}, {os.cpu_count()} cores",
        python=platform.python_version(),
        torch=torch.__version__,
    )


def _commit(package: Path) -> str | None:
    root = package.parent.parent
    if not (root / ".git").exists():  # else git would tell of whatever repository the installation lies in
        return None
    head = _git(root, "rev-parse", "--short=12", "HEAD")
    if not head:
        return None
    return head + ("+" if _git(root, "status", "--porcelain", "--", str(package)) else "")


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _processor() -> str:
    if _CPU_INFO.is_file():
        for line in _CPU_INFO.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
