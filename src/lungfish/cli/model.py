"""`lungfish model`: checkpoints of the hub. Before one is fetched, its licence is shown and has to be accepted."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lungfish.cli import options
from lungfish.cli.prose import size
from lungfish.errors import ConfigError, LicenceError

if TYPE_CHECKING:
    from lungfish.checkpoint.download import Offer
    from lungfish.checkpoint.hub import Pulled
    from lungfish.checkpoint.licence import Licence

app = typer.Typer(no_args_is_help=True, help="Fetch checkpoints from the hub, list and remove them.")

Name = Annotated[str, typer.Argument(metavar="OWNER/NAME", help="A checkpoint by its name on the hub.")]


@app.command()
def pull(
    name: Name,
    revision: Annotated[
        str | None, typer.Option("--revision", help="Branch, tag or commit. Default: the main branch.")
    ] = None,
    accept_licence: Annotated[
        str | None,
        typer.Option("--accept-licence", metavar="ID", help="Accept the licence of this id without being asked."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Show size and licence of a checkpoint, ask, and fetch it; goes on where an earlier try stopped."""
    from lungfish.checkpoint.download import check_licence, check_room, look_up
    from lungfish.checkpoint.download import pull as fetch
    from lungfish.checkpoint.hub import find_pulled

    here = find_pulled(name)
    if here is not None and here.folder is not None and revision == here.commit:  # a commit never changes
        _report(here, here.folder, as_json)
        return
    offer = look_up(name, revision)
    if here is not None and here.folder is not None and here.commit == offer.commit:
        _report(here, here.folder, as_json)
        return
    typer.echo("\n".join(_shown(offer)), err=as_json)
    check_room(offer)
    if accept_licence is None and sys.stdin.isatty():
        if not typer.confirm(f"Accept {offer.licence.name} and fetch it?", err=True):
            raise LicenceError(f"{name}: its licence was not accepted; nothing was fetched")
        accept_licence = offer.licence.id
    check_licence(offer, accept_licence)
    folder = fetch(offer, accept_licence)
    pulled = find_pulled(name)
    assert pulled is not None
    _report(pulled, folder, as_json)


@app.command("list")
def list_(as_json: options.Json = False) -> None:
    """List the checkpoints that were pulled."""
    from lungfish.checkpoint.hub import hub_dir, list_pulled

    found = list_pulled()
    if as_json:
        typer.echo(json.dumps([_row(pulled) for pulled in found], ensure_ascii=False))
        return
    if not found:
        typer.echo(f"none pulled yet into {hub_dir()}")
        return
    width = max(len(pulled.name) for pulled in found)
    for pulled in found:
        what = (
            f"{pulled.commit[:12]}  {_licence_id(pulled)}"
            if pulled.folder and pulled.commit
            else "not complete; pull it again"
        )
        typer.echo(f"{pulled.name:{width}}  {size(pulled.disk_bytes):>8}  {what}")


@app.command()
def remove(
    name: Name,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete a checkpoint that was pulled, all its revisions."""
    from lungfish.checkpoint.hub import find_pulled
    from lungfish.checkpoint.hub import remove as delete

    pulled = find_pulled(name)
    if pulled is not None and not yes:
        if not sys.stdin.isatty():
            raise ConfigError(f"{name}: nothing was deleted; without a terminal to ask on, say --yes")
        if not typer.confirm(f"Delete {name} ({size(pulled.disk_bytes)})?", err=True):
            typer.echo("nothing was deleted")
            return
    typer.echo(f"{name}: deleted, {size(delete(name))} free again")


def _shown(offer: Offer) -> list[str]:
    from lungfish.checkpoint.licence import first_lines, licence_lines

    fetch = size(offer.total_bytes)
    if offer.missing_bytes < offer.total_bytes:
        fetch += f", {size(offer.missing_bytes)} of it still to be fetched"
    lines = [
        f"{offer.name}, revision {offer.revision}, commit {offer.commit}",
        f"  {len(offer.files)} files, {fetch}; free disk: {size(offer.free_bytes)}",
        *(f"  {line}" for line in licence_lines(offer.licence)),
    ]
    if offer.licence.commercial_use is None and offer.licence_text is not None:
        lines += [f"  | {line}" for line in first_lines(offer.licence_text)]
    return lines


def _report(pulled: Pulled, folder: Path, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(_row(pulled), ensure_ascii=False))
        return
    typer.echo(f"{pulled.name}: commit {pulled.commit}, in {folder}")
    typer.echo(f"use it with --model {pulled.name}")


def _row(pulled: Pulled) -> dict[str, Any]:
    licence: Licence | None = pulled.licence
    return {
        "name": pulled.name,
        "complete": pulled.folder is not None,
        "revision": pulled.revision,
        "commit": pulled.commit,
        "path": str(pulled.folder) if pulled.folder is not None else None,
        "disk_bytes": pulled.disk_bytes,
        "licence": licence.to_dict() if licence is not None else None,
    }


def _licence_id(pulled: Pulled) -> str:
    return pulled.licence.id if pulled.licence is not None else ""
