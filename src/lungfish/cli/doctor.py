"""`lungfish doctor`: is this installation able to speak?"""

from __future__ import annotations

import json

import typer

from lungfish.cli import options


def doctor(as_json: options.Json = False) -> None:
    """Check Python, packages, torch, CPU, GPU, disk and audio, and speak; exit 1 when something essential fails."""
    from lungfish.evaluation.doctor import examine

    checks = examine()
    healthy = not any(check.status == "failed" for check in checks)
    if as_json:
        rows = [{"name": check.name, "status": check.status, "detail": check.detail} for check in checks]
        typer.echo(json.dumps({"healthy": healthy, "checks": rows}, ensure_ascii=False))
    else:
        width = max(len(check.name) for check in checks)
        for check in checks:
            typer.echo(f"{check.status:7}  {check.name:{width}}  {check.detail}")
        typer.echo("ready to speak" if healthy else "not in order: see what failed above")
    if not healthy:
        raise typer.Exit(1)
