"""`lungfish verify`: the parity ladder on a golden bundle."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated

import typer

from lungfish.cli import options


def verify(
    bundle: Annotated[Path, typer.Argument(metavar="DIR", help="A golden bundle of a language model or of a codec.")],
    as_json: options.Json = False,
) -> None:
    """Compare what is computed here with a golden bundle, stage by stage; exit 1 when any stage fails."""
    from lungfish.evaluation.parity import run

    stages = run(bundle.resolve())
    failed = [stage for stage in stages if not stage.passed]
    if as_json:
        rows = [
            {
                "stage": stage.name,
                "tolerance": stage.tolerance,
                "worst": stage.worst if math.isfinite(stage.worst) else None,  # nothing comparable came out
                "passed": stage.passed,
                "note": stage.note,
            }
            for stage in stages
        ]
        typer.echo(json.dumps({"bundle": str(bundle), "passed": not failed, "stages": rows}, ensure_ascii=False))
    else:
        width = max((len(stage.name) for stage in stages), default=5)
        typer.echo(f"{'stage':{width}}  {'tolerance':>9}  {'worst':>9}  verdict")
        for stage in stages:
            verdict = "pass" if stage.passed else "FAIL"
            note = f"  {stage.note}" if stage.note else ""
            typer.echo(f"{stage.name:{width}}  {stage.tolerance:9.3g}  {stage.worst:9.3g}  {verdict}{note}")
        typer.echo(f"{len(stages) - len(failed)} of {len(stages)} stages pass")
    if failed:
        raise typer.Exit(1)
