"""`lungfish info`: what a model is, what it needs, and what one frame of it costs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lungfish.cli import options
from lungfish.cli.prose import size

if TYPE_CHECKING:
    from lungfish.evaluation.model_info import CostRow, ModelInfo


def info(
    model: options.Model = None,
    device: options.Device = "auto",
    dtype: options.Dtype = "auto",
    cost: Annotated[bool, typer.Option("--cost", help="Show what one frame reads from memory.")] = False,
    bandwidth: Annotated[
        float | None,
        typer.Option(
            "--bandwidth", metavar="GB/s", min=0.001, help="Of the memory: adds the bound in frames a second."
        ),
    ] = None,
    context: Annotated[int, typer.Option("--context", min=1, help="Positions in the cache, for --cost.")] = 1000,
    as_json: options.Json = False,
) -> None:
    """Show a model, its memory plan and licence; reads headers only."""
    from lungfish.checkpoint.source import open_source
    from lungfish.evaluation.model_info import cost_table, model_info
    from lungfish.voices.library import bundled_folder

    about = model_info(open_source(str(bundled_folder()) if model is None else model), device, dtype)
    rows = cost_table(about, context) if cost or bandwidth is not None else []
    if as_json:
        row = _row(about)
        if rows:
            row["cost"] = [_cost_row(entry, bandwidth) for entry in rows]
        typer.echo(json.dumps(row, ensure_ascii=False))
        return
    typer.echo("\n".join(_prose(about, model)))
    if rows:
        typer.echo("\n".join(["", *_cost_prose(rows, bandwidth, context)]))


def _row(about: ModelInfo) -> dict[str, Any]:
    memory = about.memory
    return {
        "source": about.inspection.source.label,
        "loads": about.inspection.loads,
        "parts": [
            {"kind": part.kind, "file": part.file, "parameters": part.parameters | {"total": part.total}}
            for part in about.inspection.parts
        ],
        "prompt_style": about.config.prompt_style,
        "voices": list(about.config.voices),
        "num_codebooks": about.config.num_codebooks,
        "frame_rate_hz": about.frame_rate,
        "max_seq_len": about.config.max_seq_len,
        "device": str(about.device),
        "dtype": str(about.dtype).removeprefix("torch."),
        "kernels": about.kernels,
        "memory": {
            "language_model_bytes": memory.language_model,
            "codec_bytes": memory.codec,
            "kv_bytes_per_token": memory.kv_per_token,
            "kv_bytes_at_most": memory.kv_at_most,
            "total_bytes": memory.total,
            "available_bytes": memory.available,
        },
        "licence": None if about.licence is None else about.licence.to_dict(),
    }


def _cost_row(entry: CostRow, bandwidth: float | None) -> dict[str, Any]:
    cost = entry.cost
    row: dict[str, Any] = {
        "name": entry.name,
        "frame_rate_hz": cost.frame_rate,
        "weights": cost.weights,
        "parts": {
            name: {"weights": part.weights, "weight_bytes": cost.weight_bytes(name), "kv_bytes": part.kv_bytes}
            for name, part in cost.parts.items()
        },
        "bytes_per_frame": cost.bytes_per_frame(),
    }
    if bandwidth is not None:
        row |= {"frames_per_s_bound": cost.frames_per_s(bandwidth), "rtf_bound": cost.rtf(bandwidth)}
    return row


def _prose(about: ModelInfo, model: str | None) -> list[str]:
    from lungfish.checkpoint.licence import licence_lines

    config, memory = about.config, about.memory
    lines = ["the bundled voice" if model is None else model]
    for part in about.inspection.parts:
        lines.append(f"  {part.file}: {part.total:,} parameters, {size(part.nbytes)}")
        lines += [f"    {count:>15,}  {name.replace('_', ' ')}" for name, count in part.parameters.items()]
    voices = f", voices {', '.join(config.voices)}" if config.voices else ""
    lines.append(
        f"  prompt style {config.prompt_style}{voices}; {config.num_codebooks} codebooks, {about.frame_rate:.2f} Hz"
    )
    lines.append(f"  device {about.device}, {str(about.dtype).removeprefix('torch.')}; the codec in float32")
    lines += [f"    {line}" for line in about.kernels]
    lines.append(f"  memory, one stream: {size(memory.total)}")
    for name, value in (
        ("language model", memory.language_model),
        ("codec", memory.codec),
        (f"keys and values at {config.max_seq_len:,} tokens", memory.kv_at_most),
    ):
        lines.append(f"    {size(value):>10}  {name}")
    lines.append(f"    {size(memory.kv_per_token):>10}  each token of context")
    if memory.available is not None:
        fits = "" if memory.available > memory.total else ": not enough for the longest context"
        lines.append(f"    {size(memory.available):>10}  free on {about.device}{fits}")
    if about.licence is not None:
        lines += [f"  {line}" for line in licence_lines(about.licence)]
    if not about.inspection.loads:
        lines.append("  it would not load as it is; see lungfish inspect")
    return lines


def _cost_prose(rows: list[CostRow], bandwidth: float | None, context: int) -> list[str]:
    width = max(len(row.name) for row in rows)
    large = rows[0].cost.weights >= 1e8
    unit, letter = (1e9, "G") if large else (1e6, "M")
    bound = "" if bandwidth is None else f"  {'frames/s':>9}  {'RTF':>7}"
    names = ("slow", "head", "fast", "codec")
    titles = [*names, "model", f"KV {letter}B", f"all {letter}B"]
    lines = [
        f"read per frame, {context:,} positions in the cache: {letter} weights of slow stack, head, fast loop, codec and",
        f"the language model in all; {letter}B of keys and values; {letter}B of everything",
        f"  {'':{width}}" + "".join(f"  {title:>7}" for title in titles) + bound,
    ]
    for row in rows:
        parts = row.cost.parts
        counts = [parts[name].weights if name in parts else 0 for name in names]
        keys = sum(part.kv_bytes for part in parts.values())
        numbers = [*counts, row.cost.weights, keys, row.cost.bytes_per_frame()]
        line = f"  {row.name:{width}}" + "".join(f"  {number / unit:7.2f}" for number in numbers)
        if bandwidth is not None:
            line += f"  {row.cost.frames_per_s(bandwidth):9.1f}  {row.cost.rtf(bandwidth):7.3f}"
        lines.append(line)
    if bandwidth is None:
        lines.append("  --bandwidth GB/s adds the bound that the memory sets: frames a second, and RTF")
    return lines
