"""`lungfish eval`: how good it is, in numbers."""

from __future__ import annotations

import json
import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from lungfish.cli import options
from lungfish.errors import OutputError, VoiceError

if TYPE_CHECKING:
    import numpy as np

    from lungfish.evaluation.codec_figures import ClipResult
    from lungfish.evaluation.wer import SpokenRow, WerResult

_OPUS_BIT_RATES = (6_000, 12_000)

app = typer.Typer(no_args_is_help=True, help="Measure quality.")


@app.callback()
def _group() -> None:
    """Measure quality."""


@app.command()
def wer(
    model: options.Model = None,
    rows: Annotated[int, typer.Option(min=1, help="How many sentences.")] = 60,
    sentences: Annotated[
        Path | None, typer.Option(help="Own sentences, lines of: id TAB text. Default: held out from all training.")
    ] = None,
    recogniser: Annotated[
        str, typer.Option(metavar="NAME|FOLDER", help="A Whisper size, or the folder of a converted model.")
    ] = "base",
    beam_size: Annotated[int, typer.Option(min=1, help="Of the recogniser.")] = 5,
    teacher_audio: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Recordings of the same rows, VOICE_ID.flac, scored beside it."),
    ] = None,
    voices: Annotated[
        str | None, typer.Option(help="Names, separated by commas; they take turns. Default: all of the model.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the synthesis: row n is spoken with seed + n.")] = 0,
    device: options.Device = "auto",
    dtype: options.Dtype = "auto",
    threads: options.Threads = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="One JSON row per clip, as they come.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Word error rate on sentences that no training has seen."""
    from tqdm import tqdm

    from lungfish.api import TTS
    from lungfish.evaluation.held_out import held_out_rows
    from lungfish.evaluation.wer import count_errors, evaluate_recordings, evaluate_wer, find_recordings
    from lungfish.judges.recogniser import Recogniser

    chosen = held_out_rows(rows, sentences)
    recordings = find_recordings(teacher_audio, chosen) if teacher_audio is not None else []
    count_errors("", "")  # what is not installed is told before the work
    tts = TTS.load(model, device=device, dtype=dtype, threads=threads)
    names = [name.strip() for name in voices.split(",")] if voices is not None else list(tts.voices)
    for name in names:
        if name not in tts.voices:
            raise VoiceError(f"no voice {name!r}: this model has {', '.join(tts.voices) or 'none'}")
    ears = Recogniser(recogniser, beam_size=beam_size)

    def speak(text: str, voice: str, seed: int) -> tuple[np.ndarray, int, float]:
        speech = tts.say(text, voice=voice or None, seed=seed)
        return speech.waveform[0].numpy(), speech.sample_rate, speech.seconds_wall

    results: dict[str, WerResult] = {}
    with (
        _open(output) as file,
        tqdm(total=len(chosen) + len(recordings), unit="clip", disable=not sys.stderr.isatty()) as bar,
    ):

        def keep(row: SpokenRow, speaker: str) -> None:
            bar.update()
            if file is not None:
                print(json.dumps({"speaker": speaker} | asdict(row), ensure_ascii=False), file=file, flush=True)

        results["model"] = evaluate_wer(speak, chosen, names or [""], ears, seed, lambda row: keep(row, "model"))
        if recordings:
            results["teacher"] = evaluate_recordings(recordings, ears, lambda row: keep(row, "teacher"))
    if as_json:
        line = {"recogniser": ears.name, "beam_size": beam_size, "seed": seed} | results.pop("model").summary()
        typer.echo(json.dumps(line | {name: result.summary() for name, result in results.items()}))
    else:
        typer.echo("\n".join(_line(name, result) for name, result in results.items()))


@app.command()
def codec(
    clips: Annotated[
        list[Path],
        typer.Option(
            metavar="FOLDER|MANIFEST",
            help="Recordings; may be given again. transcripts.tsv beside them, or a manifest: lines of file TAB text.",
        ),
    ],
    codec: Annotated[
        str | None,
        typer.Argument(
            metavar="CODEC", help="Codec file, or a checkpoint folder that holds one. Default: the bundled one."
        ),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option(metavar="FOLDER|FILE", help="A second codec: its row, and the paired differences.")
    ] = None,
    books: Annotated[
        str | None, typer.Option(metavar="1,4", help="A row each of the codec with its first books only.")
    ] = None,
    recogniser: Annotated[
        str, typer.Option(metavar="NAME|FOLDER|none", help="A Whisper size, a converted model's folder, or none.")
    ] = "base",
    beam_size: Annotated[int, typer.Option(min=1, help="Of the recogniser.")] = 5,
    opus: Annotated[bool, typer.Option("--opus/--no-opus", help="Rows of Opus at 6 and 12 kbit/s.")] = True,
    quality: Annotated[bool, typer.Option("--quality/--no-quality", help="The column MOS.")] = True,
    speaker: Annotated[bool, typer.Option("--speaker/--no-speaker", help="The column of speaker similarity.")] = True,
    limit: Annotated[
        int | None, typer.Option(min=1, help="At most so many clips of each folder, spread evenly over it.")
    ] = None,
    device: options.Device = "auto",
    threads: Annotated[int | None, typer.Option(min=1, help="CPU threads. Default: torch's own choice.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="One JSON row per clip and system.")
    ] = None,
    as_json: options.Json = False,
) -> None:
    """How much of speech a codec keeps: distances, words, voice, quality, bit rate and speed."""
    import torch
    from tqdm import tqdm

    from lungfish.api import open_codec
    from lungfish.checkpoint.devices import resolve_device
    from lungfish.cli.codec_table import codec_line, parse_books, report_lines
    from lungfish.evaluation.clips import read_clips
    from lungfish.evaluation.codec_report import Judges, evaluate_codec
    from lungfish.evaluation.codec_systems import Ceiling, CodecSystem, OpusSystem, System
    from lungfish.evaluation.wer import count_errors
    from lungfish.judges.quality import QualityJudge
    from lungfish.judges.recogniser import Recogniser
    from lungfish.judges.speaker import SpeakerEncoder

    counts = parse_books(books)
    chosen = read_clips(clips, limit)
    if threads is not None:
        torch.set_num_threads(threads)
    tested = open_codec(codec, device=device)
    under_test = CodecSystem(tested, books=counts)
    systems: list[System] = [Ceiling(), under_test]
    facts = [codec_line("codec", codec or "the bundled one", tested)]
    pairs: list[tuple[str, str]] = []
    if baseline is not None:
        second = open_codec(baseline, device=device)
        systems.append(CodecSystem(second, "baseline"))
        facts.append(codec_line("baseline", baseline, second))
        pairs = [(name, "baseline") for name in under_test.names]
    if opus:
        systems += [OpusSystem(bit_rate) for bit_rate in _OPUS_BIT_RATES]
    ears = None
    if recogniser != "none" and any(clip.text is not None for clip in chosen):
        count_errors("", "")  # what is not installed is told before the work
        ears = Recogniser(recogniser, beam_size=beam_size, threads=threads or 0)
    judges = Judges(ears, SpeakerEncoder() if speaker else None, QualityJudge() if quality else None)

    rows = sum(len(system.names) for system in systems)
    with (
        _open(output) as file,
        tqdm(total=len(chosen) * rows, unit="row", disable=not sys.stderr.isatty()) as bar,
    ):

        def keep(result: ClipResult) -> None:
            bar.update()
            if file is not None:
                print(json.dumps(asdict(result), ensure_ascii=False), file=file, flush=True)

        report = evaluate_codec(chosen, systems, tested.sample_rate, judges, pairs, keep)
    names = {
        "recogniser": ears.name if ears is not None else None,
        "speaker": SpeakerEncoder.name if speaker else None,
        "quality": QualityJudge.name if quality else None,
    }
    on, used_threads = str(resolve_device(device)), torch.get_num_threads()
    if as_json:
        about = {"codec": codec or "bundled", "baseline": baseline, "beam_size": beam_size, **names}
        typer.echo(json.dumps({**about, "device": on, "threads": used_threads, **report.to_dict()}, ensure_ascii=False))
        return
    heard = ", ".join(f"{kind} {name}" for kind, name in names.items() if name is not None)
    facts += [
        f"{report.clips} clips, {report.seconds_audio:.1f} s, {report.transcribed} with transcript; {heard or 'no judges'}",
        f"compared at {report.sample_rate} Hz; below each figure its 95 % interval over clips",
    ]
    typer.echo("\n".join([*facts, *report_lines(report, on, used_threads)]))


def _open(path: Path | None) -> AbstractContextManager[IO[str] | None]:
    if path is None:
        return nullcontext()
    try:
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from error


def _line(name: str, result: WerResult) -> str:
    low, high = result.wer_interval
    voices = "  ".join(f"{voice} {rate:.1%}" for voice, rate in result.by_voice.items() if voice)
    speed = f"  RTF {result.rtf:.2f}" if result.rtf else ""
    return (
        f"{name:8s} WER {result.wer:.1%} ({low:.1%} to {high:.1%})  capped {result.wer_capped:.1%}  {voices}"
        f"  {len(result.rows)} clips, {result.too_long} too long{speed}"
    )
