"""`lungfish inspect`: what is in a checkpoint, from headers alone, and what would not load."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lungfish.cli import options
from lungfish.cli.prose import size

if TYPE_CHECKING:
    from lungfish.checkpoint.inspection import Inspection, Part

_SHOWN = 20  # names per kind of fault, unless --all


def inspect(
    target: Annotated[
        str,
        typer.Argument(
            metavar="DIR|FILE|URL|NAME", help="Folder, weights file, web address, or OWNER/NAME on the hub."
        ),
    ],
    revision: Annotated[str | None, typer.Option("--revision", help="Branch, tag or commit, on the hub.")] = None,
    expect: Annotated[
        str | None,
        typer.Option(
            "--expect", metavar="NAME", help="Compare with this expectation file. Default: the one that fits."
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help=f"List every name, not the first {_SHOWN}.")] = False,
    as_json: options.Json = False,
) -> None:
    """Read the headers of a checkpoint, local or remote; exit 1 when something would not load."""
    from lungfish.checkpoint.inspection import inspect_checkpoint
    from lungfish.checkpoint.source import open_source

    result = inspect_checkpoint(open_source(target, revision), expect)
    if as_json:
        typer.echo(json.dumps(_row(result), ensure_ascii=False))
    else:
        revision_line = f" at {result.source.pinned}" if result.source.pinned else ""
        typer.echo(f"{target}{revision_line}")
        for part in result.parts:
            typer.echo("\n".join(_prose(part, None if everything else _SHOWN)))
        for fault in result.faults:
            typer.echo(f"would not load: {fault}")
        typer.echo("everything would load" if result.loads else "this would not load as it is")
    if not result.loads:
        raise typer.Exit(1)


def _row(result: Inspection) -> dict[str, Any]:
    return {
        "source": result.source.label,
        "revision": result.source.pinned,
        "loads": result.loads,
        "faults": result.faults,
        "parts": [
            {
                "kind": part.kind,
                "file": part.file,
                "tensors": len(part.stored),
                "parameters": part.parameters | {"total": part.total},
                "bytes": part.nbytes,
                "dtypes": part.dtypes,
                "tables": [
                    {"name": name, "dtype": _dtype(table), "shape": list(table.shape), "bytes": table.nbytes}
                    for name, table in sorted(part.tables.items())
                ],
                "token_ids": part.token_ids,
                "faults": part.faults,
                "expectation": part.expectation,
                "differences": part.differences,
                "notes": part.notes,
            }
            for part in result.parts
        ],
    }


def _dtype(tensor: Any) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def _prose(part: Part, limit: int | None) -> list[str]:
    from lungfish.checkpoint.inspection import KIND_NAMES

    lines = ["", f"{part.file}: {KIND_NAMES[part.kind]}"]
    if part.stored:
        lines.append(f"  {len(part.stored):,} tensors, {part.total:,} parameters, {size(part.nbytes)}")
    lines += [f"    {count:>15,}  {name.replace('_', ' ')}" for name, count in part.parameters.items()]
    if part.dtypes:
        lines.append("  stored as " + ", ".join(f"{dtype} ({count:,})" for dtype, count in part.dtypes.items()))
    if part.tables:
        total = sum(table.nbytes for table in part.tables.values())
        lines.append(f"  saved tables, not needed: {len(part.tables)}, {size(total)}")
        lines += [
            f"    {table.nbytes:>15,}  {name} {_dtype(table)} {list(table.shape)}"
            for name, table in sorted(part.tables.items())
        ]
    if part.token_ids:
        lines.append("  token ids")
        lines += _cut([f"    {id_:>15,}  {name}" for name, id_ in part.token_ids.items()], limit)
    lines += [f"  note: {note}" for note in part.notes]
    for kind, found in part.faults.items():
        lines.append(f"  would not load, {len(found)} {kind}:")
        lines += _cut([f"    {name}" for name in found], limit)
    if part.expectation is not None:
        verdict = f"differs from {part.expectation} in" if part.differences else f"is as {part.expectation} should be"
        lines.append(f"  {verdict}{':' if part.differences else ''}")
        lines += [f"    {line}" for line in part.differences]
    return lines


def _cut(lines: list[str], limit: int | None) -> list[str]:
    if limit is None or len(lines) <= limit:
        return lines
    return [*lines[:limit], f"    ... and {len(lines) - limit} more (--all)"]
