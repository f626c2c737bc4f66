"""`lungfish eval`: how good it is, in numbers."""

from __future__ import annotations

import json
import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from lungfish.cli import evaluate_codec, options
from lungfish.errors import OutputError, VoiceError

if TYPE_CHECKING:
    import numpy as np

    from lungfish.evaluation.wer import SpokenRow, WerResult

app = typer.Typer(no_args_is_help=True, help="Measure quality.")
app.command()(evaluate_codec.codec)


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
