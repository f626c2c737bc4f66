"""`lungfish eval`: how good it is, in numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lungfish.cli import options

app = typer.Typer(no_args_is_help=True, help="Measure quality.")


@app.callback()
def _group() -> None:
    """Measure quality."""


@app.command()
def wer(
    model: options.Model = None,
    rows: Annotated[int, typer.Option(min=1, help="How many held-out sentences.")] = 60,
    sentences: Annotated[Path | None, typer.Option(help="Own sentences instead, lines of: id TAB text.")] = None,
    recogniser: Annotated[str, typer.Option(help="Whisper size, or folder of a converted model.")] = "base",
    teacher_audio: Annotated[Path | None, typer.Option(help="Clips named *_ID.flac to score beside it.")] = None,
    voices: Annotated[str | None, typer.Option(help="Names, separated by commas; they take turns.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Torch threads of the synthesis.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="One JSON row per clip.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line.")] = False,
) -> None:
    """Word error rate on sentences that no training has seen; seed = number of the row."""
    import json
    from dataclasses import asdict

    import numpy as np
    from tqdm import tqdm

    from lungfish.api import TTS
    from lungfish.evaluation.wer import evaluate_recordings, evaluate_speaker, held_out_rows
    from lungfish.judges.recogniser import Recogniser

    chosen = held_out_rows(rows, sentences)
    ears = Recogniser(recogniser)
    tts = TTS.load(model, threads=threads)
    names = voices.split(",") if voices else list(tts.voices)

    def speak(text: str, voice: str, seed: int) -> tuple[np.ndarray, int, float]:
        speech = tts.say(text, voice=voice, seed=seed)
        return speech.waveform[0].numpy(), speech.sample_rate, speech.seconds_wall

    with tqdm(total=len(chosen), unit="clip", disable=as_json) as bar:
        result = evaluate_speaker(speak, chosen, names, ears, lambda _: bar.update())
    teacher = evaluate_recordings(teacher_audio, chosen, names, ears) if teacher_audio is not None else None
    if output is not None:
        lines = [json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in result.rows]
        output.write_text("".join(lines), encoding="utf-8")
    summary = {"recogniser": ears.name, **result.summary()}
    if as_json:
        typer.echo(json.dumps(summary | ({"teacher": teacher.summary()} if teacher else {})))
        return
    for name, measured in (("model", result), ("teacher", teacher)):
        if measured is None:
            continue
        low, high = measured.interval
        speed = f"  RTF {measured.rtf:.2f}" if measured is result else ""
        typer.echo(
            f"{name:8s} WER {measured.wer:6.1%}  capped {measured.wer_capped:6.1%} [{low:.1%}, {high:.1%}]"
            f"  clips {len(measured.rows)}  too long {measured.too_long}{speed}"
        )
