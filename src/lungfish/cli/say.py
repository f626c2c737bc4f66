"""`lungfish say`: text in, an audio file out."""

from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from lungfish.cli import options, text_options
from lungfish.cli.text_source import read_text
from lungfish.errors import DependencyError, OutputError

if TYPE_CHECKING:
    from tqdm import tqdm

    from lungfish.api import Speech

_PLAYERS = (
    ("ffplay", "-nodisp", "-autoexit", "-loglevel", "quiet"),
    ("aplay", "-q"),
    ("paplay",),
    ("afplay",),
)


def say(
    text: Annotated[str | None, typer.Argument(help="What to say; - reads standard input.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Read the text from a UTF-8 file.")] = None,
    output: options.Output = Path("out.wav"),
    model: options.Model = None,
    voice: Annotated[
        str | None,
        typer.Option("--voice", help="A voice of the checkpoint. Default: its first, coral for the bundled one."),
    ] = None,
    reference: Annotated[
        Path | None, typer.Option("--reference", metavar="CLIP", help="A clip of the voice to speak with.")
    ] = None,
    reference_text: Annotated[
        str | None, typer.Option("--reference-text", metavar="TEXT", help="What is said in the reference clip.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="The same seed gives the same speech.")] = None,
    temperature: Annotated[float | None, typer.Option(help="0 is greedy. Default: the checkpoint's, else 0.8.")] = None,
    top_p: Annotated[
        float | None, typer.Option(help="Share of probability kept. Default: the checkpoint's, else 0.8.")
    ] = None,
    top_k: Annotated[
        int | None, typer.Option(help="Number of candidates kept. Default: the checkpoint's, else 30.")
    ] = None,
    repetition_penalty: Annotated[
        float | None, typer.Option(help="Above 1 makes recent codes less likely. Default: the checkpoint's, else 1.0.")
    ] = None,
    max_new_frames: Annotated[
        int | None,
        typer.Option(help="Longest speech per sentence, in codec frames. Default: the checkpoint's, else 1024."),
    ] = None,
    form: text_options.Format = "auto",
    normalise: text_options.Normalise = "auto",
    language: text_options.Language = None,
    lexicon: text_options.Lexicons = None,
    speaker: text_options.Speakers = None,
    emoji: text_options.Emoji = "drop",
    markup: text_options.Markup = True,
    device: options.Device = "auto",
    dtype: options.Dtype = "auto",
    threads: options.Threads = None,
    play: Annotated[bool, typer.Option("--play", help="Play it when it is written.")] = False,
    as_json: options.Json = False,
) -> None:
    """Say TEXT and write it to an audio file."""
    words = read_text("say", text, file)
    wanted = text_options.text_options(form, normalise, language, lexicon, speaker, emoji, markup)
    player = _player() if play else None
    from lungfish.audio.files import STDOUT, check_output

    check_output(output)
    if output == Path("-") and sys.stdout.isatty():
        raise OutputError("standard output is a terminal; audio goes to a file or a pipe")
    from lungfish.api import TTS
    from lungfish.lm.sampling import SamplingParams

    knobs = {
        "temperature": temperature,
        "top_p": top_p,
        "top_k": top_k,
        "repetition_penalty": repetition_penalty,
        "max_new_frames": max_new_frames,
        "seed": seed,
    }
    given = {name: value for name, value in knobs.items() if value is not None}
    SamplingParams(**given)  # refuses before anything is loaded
    tts = TTS.load(model, device=device, dtype=dtype, threads=threads)
    sampling = dataclasses.replace(tts.defaults, **given)
    with _Progress() as progress:
        speech = tts.say(
            words,
            voice,
            reference,
            reference_text,
            sampling=sampling,
            on_segment=progress.show,
            text_options=wanted,
        )
    speech.save(output)
    for warning in speech.warnings:
        print(f"lungfish: {warning.message}", file=sys.stderr)
    to_stdout = str(output) == STDOUT
    print(_report(speech, str(output), as_json), file=sys.stderr if to_stdout else sys.stdout, flush=True)
    if player is not None:
        _play(player, speech, output)


class _Progress:
    """A bar on standard error while a long text is spoken to somebody who watches."""

    def __init__(self) -> None:
        self._bar: tqdm[NoReturn] | None = None

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def show(self, done: int, total: int) -> None:
        if total == 1 or not sys.stderr.isatty():
            return
        if self._bar is None:
            from tqdm import tqdm

            self._bar = tqdm(total=total, unit="segment", leave=False)
        self._bar.update(done - self._bar.n)


def _report(speech: Speech, path: str, as_json: bool) -> str:
    if as_json:
        row = {
            "seconds_audio": round(speech.seconds_audio, 3),
            "seconds_wall": round(speech.seconds_wall, 3),
            "rtf": round(speech.rtf, 3),
            "ttfa_ms": round(speech.ttfa_ms, 1),
            "frames": speech.frames,
            "finish_reason": speech.finish_reason,
            "path": path,
            "warnings": [warning.message for warning in speech.warnings],
            "segments": [dataclasses.asdict(segment) for segment in speech.segments],
        }
        return json.dumps(row, ensure_ascii=False)
    cut = "; stopped by --max-new-frames or the model's limit" if speech.finish_reason == "length" else ""
    return f"{path}: {speech.seconds_audio:.2f} s of audio in {speech.seconds_wall:.2f} s (RTF {speech.rtf:.2f}){cut}"


def _player() -> list[str]:
    for command, *arguments in _PLAYERS:
        if shutil.which(command):
            return [command, *arguments]
    names = ", ".join(command for command, *_ in _PLAYERS)
    raise DependencyError(f"--play needs one of {names} to be installed; without it the file is written all the same")


def _play(player: list[str], speech: Speech, output: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="lungfish-") as folder:
        path = Path(folder) / "speech.wav"  # a form that every player takes, whatever was written
        speech.save(path)
        finished = subprocess.run([*player, str(path)], check=False, stdin=subprocess.DEVNULL, capture_output=True)
    if finished.returncode != 0:
        raise OutputError(f"{player[0]} could not play it (exit code {finished.returncode}); the audio is in {output}")
