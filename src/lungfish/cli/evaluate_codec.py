"""`lungfish eval codec`: clips through codecs and Opus, beside the recordings themselves, in one table."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from lungfish.cli import options
from lungfish.errors import ConfigError, DependencyError

if TYPE_CHECKING:
    from torch import Tensor

    from lungfish.codec.protocol import Codec
    from lungfish.evaluation.codec_figures import ClipResult
    from lungfish.evaluation.codec_report import Judges
    from lungfish.evaluation.codec_systems import System
    from lungfish.judges.recogniser import Recogniser

OPUS_BIT_RATES = (6_000, 12_000)
OPTIONAL = ("wer", "similarity", "mos", "opus")
_Made = TypeVar("_Made")


def codec(
    clips: Annotated[
        list[Path],
        typer.Option(
            metavar="FOLDER|MANIFEST",
            help="Recordings; may be given again. transcripts.tsv beside them, or a manifest: lines of file TAB text.",
        ),
    ],
    codecs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CODEC]...",
            help="Codec files, or checkpoint folders that hold one; the first is compared with each of the others. "
            "Default: the bundled one.",
        ),
    ] = None,
    books: Annotated[
        str | None, typer.Option(metavar="1,4", help="A row each of the first codec with its first books only.")
    ] = None,
    recogniser: Annotated[
        str, typer.Option(metavar="NAME|FOLDER", help="A Whisper size, or the folder of a converted model.")
    ] = "base",
    beam_size: Annotated[int, typer.Option(min=1, help="Of the recogniser.")] = 5,
    without: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help=f"What to leave out, separated by commas: any of {', '.join(OPTIONAL)}."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="At most so many clips of each folder, spread evenly over it.")
    ] = None,
    device: options.Device = "auto",
    threads: Annotated[int | None, typer.Option(min=1, help="CPU threads. Default: torch's own choice.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="Keep report.json, rows.jsonl and table.txt there."),
    ] = None,
    examples: Annotated[int, typer.Option(min=0, help="Of so many clips keep sound and spectrograms there, too.")] = 0,
    as_json: options.Json = False,
) -> None:
    """How much of speech a codec keeps: distances, words, voice, quality, bit rate and speed."""
    import torch
    from tqdm import tqdm

    from lungfish.api import open_codec
    from lungfish.checkpoint.devices import resolve_device
    from lungfish.cli.codec_choices import codec_names, parse_books, parse_without
    from lungfish.cli.codec_table import about_lines, codec_line, report_lines
    from lungfish.evaluation.clips import read_clips
    from lungfish.evaluation.codec_files import CodecFiles
    from lungfish.evaluation.codec_report import evaluate_codec
    from lungfish.evaluation.provenance import provenance
    from lungfish.judges.recogniser import Recogniser

    left_out, counts = parse_without(without, OPTIONAL), parse_books(books)
    if examples and output is None:
        raise ConfigError("--examples needs --output FOLDER to keep them in")
    chosen = read_clips(clips, limit)
    if threads is not None:
        torch.set_num_threads(threads)
    sources = codec_names(codecs or [])
    opened = {name: open_codec(source, device=device) for name, source in sources.items()}
    systems, pairs = _systems(opened, counts, left_out)
    heard = any(clip.text is not None for clip in chosen)
    judges, names = _judges(left_out, lambda: Recogniser(recogniser, beam_size=beam_size, threads=threads or 0), heard)
    files = CodecFiles(output, examples) if output is not None else None
    with tqdm(
        total=len(chosen) * sum(len(system.names) for system in systems), unit="row", disable=not sys.stderr.isatty()
    ) as bar:

        def keep(result: ClipResult, waveform: Tensor) -> None:
            bar.update()
            if files is not None:
                files.add(result, waveform)

        report = evaluate_codec(chosen, systems, opened[next(iter(opened))].sample_rate, judges, pairs, keep)
    settings = {
        "codecs": {name: source or "the bundled one" for name, source in sources.items()},
        "judges": names,
        "beam_size": beam_size,
        "left_out": left_out,
        "device": str(resolve_device(device)),
        "threads": torch.get_num_threads(),
    }
    origin = provenance()
    facts = {**settings, "provenance": asdict(origin), **report.to_dict()}
    lines = [codec_line(name, settings["codecs"][name], model) for name, model in opened.items()]
    lines += about_lines(report, names, left_out, origin)
    table = "\n".join([*lines, *report_lines(report, settings["device"], settings["threads"])])
    if files is not None:
        files.write(facts, table, report.sample_rate)
    typer.echo(json.dumps(facts, ensure_ascii=False) if as_json else table)


def _systems(
    opened: dict[str, Codec], books: Sequence[int], left_out: Sequence[str]
) -> tuple[list[System], list[tuple[str, str]]]:
    """Rows of the table, and which of them are compared clip by clip: the first codec with the original and the others."""
    from lungfish.evaluation.codec_systems import CEILING, Ceiling, CodecSystem, OpusSystem

    first, *others = opened
    systems: list[System] = [Ceiling(), CodecSystem(opened[first], first, books)]
    systems += [CodecSystem(opened[name], name) for name in others]
    if "opus" not in left_out:
        systems += [_needed("opus", lambda bit_rate=bit_rate: OpusSystem(bit_rate)) for bit_rate in OPUS_BIT_RATES]
    return systems, [(first, name) for name in (CEILING, *others)]


def _judges(
    left_out: Sequence[str], make_ears: Callable[[], Recogniser], transcribed: bool
) -> tuple[Judges, dict[str, str | None]]:
    """Who listens, and by column what they are called: None where nobody does."""
    from lungfish.evaluation.codec_report import Judges
    from lungfish.evaluation.wer import count_errors
    from lungfish.judges.quality import QualityJudge
    from lungfish.judges.speaker import SpeakerEncoder

    ears = None
    if transcribed and "wer" not in left_out:
        _needed("wer", lambda: count_errors("", ""))
        ears = _needed("wer", make_ears)
    speaker = _needed("similarity", SpeakerEncoder) if "similarity" not in left_out else None
    quality = _needed("mos", QualityJudge) if "mos" not in left_out else None
    named = {"wer": ears, "similarity": speaker, "mos": quality}
    return Judges(ears, speaker, quality), {column: judge.name if judge else None for column, judge in named.items()}


def _needed(column: str, make: Callable[[], _Made]) -> _Made:
    try:
        return make()
    except DependencyError as error:
        raise DependencyError(f"{error}; or leave it out: --without {column}") from error
