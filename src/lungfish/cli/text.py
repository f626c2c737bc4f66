"""`lungfish text`: what a model would read of a text, step by step, without speaking it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lungfish.cli import options, text_options
from lungfish.cli.text_source import read_text

if TYPE_CHECKING:
    from lungfish.text.pipeline import PreparedText
    from lungfish.text.planning import Segment

_WIDTH = 10  # of a step's name


def text(
    text: Annotated[str | None, typer.Argument(help="What to read; - reads standard input.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Read the text from a UTF-8 file.")] = None,
    model: options.Model = None,
    form: text_options.Format = "auto",
    normalise: text_options.Normalise = "auto",
    language: text_options.Language = None,
    lexicon: text_options.Lexicons = None,
    speaker: text_options.Speakers = None,
    emoji: text_options.Emoji = "drop",
    markup: text_options.Markup = True,
    as_json: options.Json = False,
) -> None:
    """Show what a model would read of TEXT: each step that changes it, the segments, the warnings."""
    words = read_text("text", text, file)
    wanted = text_options.text_options(form, normalise, language, lexicon, speaker, emoji, markup)
    from lungfish.checkpoint.hub import locate_checkpoint
    from lungfish.checkpoint.lm import read_config
    from lungfish.lm.profile import text_profile
    from lungfish.lm.requests import plan_segments
    from lungfish.text.pipeline import prepare_text
    from lungfish.voices.library import bundled_folder

    config = read_config(bundled_folder() if model is None else locate_checkpoint(model))
    prepared = prepare_text(words, wanted, text_profile(config))
    segments = plan_segments(prepared, config)
    typer.echo(json.dumps(_row(prepared, segments), ensure_ascii=False) if as_json else _prose(prepared, segments))


def _row(prepared: PreparedText, segments: list[Segment]) -> dict[str, Any]:
    from lungfish.text.pipeline import rendered

    return {
        "steps": [{"name": step.name, "text": rendered(step.parts)} for step in prepared.steps],
        "segments": [
            {
                "text": segment.text,
                "start": segment.start,
                "end": segment.end,
                "pause_s": segment.pause_s,
                "speaker": segment.turn.speaker if segment.turn else None,
                "voice": segment.turn.voice if segment.turn else None,
                "symbols": list(segment.symbols),
            }
            for segment in segments
        ],
        "warnings": [{"message": one.message, "start": one.start, "end": one.end} for one in prepared.warnings],
    }


def _prose(prepared: PreparedText, segments: list[Segment]) -> str:
    from lungfish.text.pipeline import rendered

    lines, before = [], None
    for step in prepared.steps:
        shown = rendered(step.parts)
        if shown != before:
            lines.append(f"{step.name:<{_WIDTH}} {shown!r}")
        before = shown
    for number, segment in enumerate(segments, 1):
        who = segment.turn.voice or f"speaker {segment.turn.speaker}" if segment.turn else None
        notes = [who, f"{segment.start}-{segment.end}", f"then {segment.pause_s:g} s" if segment.pause_s else None]
        shown = "".join(
            part if isinstance(part, str) else f"{{{part.text}: {' '.join(part.symbols)}}}"
            for part in segment.stretches
        )
        lines.append(f"{f'segment {number}':<{_WIDTH}} {shown!r} ({', '.join(note for note in notes if note)})")
        if segment.symbols:
            lines.append(f"{'':<{_WIDTH}} {' '.join(segment.symbols)}")
    lines += [f"{'warning':<{_WIDTH}} {one.message} ({one.start}-{one.end})" for one in prepared.warnings]
    return "\n".join(lines)
