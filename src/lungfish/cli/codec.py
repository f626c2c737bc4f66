"""`lungfish codec`: audio to codes on disk, and back. Codes are a .npy file: int64 [K, T]."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from lungfish.cli import options

app = typer.Typer(no_args_is_help=True, help="Turn audio into codes and back.")

CodecModel = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="FOLDER|FILE",
        help="Codec file, or a checkpoint folder that holds one. Default: the bundled one.",
    ),
]


@app.command()
def encode(
    clip: Annotated[Path, typer.Argument(help="An audio file of any rate and any number of channels.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the codes, a .npy file.")] = Path(
        "codes.npy"
    ),
    model: CodecModel = None,
    device: options.Device = "auto",
    dtype: options.Dtype = "auto",
    as_json: options.Json = False,
) -> None:
    """Encode an audio clip to codes."""
    from lungfish.api import encode_clip, open_codec
    from lungfish.audio.files import check_target
    from lungfish.checkpoint.codes import save_codes

    check_target(output)
    codec = open_codec(model, device=device, dtype=dtype)
    codes = encode_clip(codec, clip)
    save_codes(output, codes)
    _report(output, codes.shape[0], codes.shape[1], codec.frame_rate, as_json)


@app.command()
def decode(
    codes: Annotated[Path, typer.Argument(help="A .npy file of integers [K, T].")],
    output: options.Output = Path("out.wav"),
    model: CodecModel = None,
    device: options.Device = "auto",
    dtype: options.Dtype = "auto",
    as_json: options.Json = False,
) -> None:
    """Decode codes to an audio file."""
    from lungfish.api import decode_codes, open_codec
    from lungfish.audio.files import STDOUT, check_output, write_waveform
    from lungfish.checkpoint.codes import load_codes

    check_output(output)
    values = load_codes(codes)
    codec = open_codec(model, device=device, dtype=dtype)
    write_waveform(output, decode_codes(codec, values), codec.sample_rate)
    _report(output, values.shape[0], values.shape[1], codec.frame_rate, as_json, to_stderr=str(output) == STDOUT)


def _report(path: Path, books: int, frames: int, frame_rate: float, as_json: bool, *, to_stderr: bool = False) -> None:
    row = {"path": str(path), "num_codebooks": books, "frames": frames, "seconds_audio": round(frames / frame_rate, 3)}
    prose = f"{path}: {books} x {frames} codes, {frames / frame_rate:.2f} s of audio"
    typer.echo(json.dumps(row, ensure_ascii=False) if as_json else prose, err=to_stderr)
