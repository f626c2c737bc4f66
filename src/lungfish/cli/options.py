"""Options that several verbs share, spelled and explained once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="FOLDER|NAME",
        help="Checkpoint folder, or OWNER/NAME as pulled from the hub. Default: the bundled voice.",
    ),
]
Device = Annotated[str, typer.Option("--device", help="auto, cpu, cuda, mps or xpu.")]
Dtype = Annotated[str, typer.Option("--dtype", help="auto, float32, bfloat16 or float16.")]
Threads = Annotated[
    int | None, typer.Option("--threads", min=1, help="CPU threads. Default: what suits the size of the model.")
]
Output = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Where to write: .wav, .flac, .mp3, .ogg or .opus; - is wav on standard output.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one line of JSON instead of prose.")]
