"""A checkpoint's own decoding defaults: `generation_config.json` beside its weights, over those of its prompt style.

A small model speaks best at another temperature than a large one; who trains it knows, and writes it down here. Keys are
the fields of `SamplingParams`; a folder without the file has no wishes. The defaults of S1 are those of its own runtime.
Source: spec/lm.md 6.6. We differ: the penalty falls on all of its window, and residual codes stay below what the codec
has (1024), whatever the defaults.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from lungfish.checkpoint.atomic import write_atomically
from lungfish.errors import ConfigError
from lungfish.lm.config import PromptStyle
from lungfish.lm.sampling import KEEP_ALL, SamplingParams

NAME = "generation_config.json"
_OF_STYLE: dict[PromptStyle, SamplingParams] = {
    "interleave": SamplingParams(
        temperature=0.8, top_p=0.8, top_k=KEEP_ALL, repetition_penalty=1.1, repetition_window=16, ras=False
    ),
}


def style_defaults(style: PromptStyle) -> SamplingParams:
    """What suits the models of a prompt style, where the checkpoint does not say otherwise."""
    return _OF_STYLE.get(style, SamplingParams())


def load_generation_defaults(folder: str | Path, style: PromptStyle = "chat") -> SamplingParams:
    """The checkpoint's own values over `style_defaults`.

    Raises:
        ConfigError: damaged, or a key that is no decoding knob.
        SamplingError: a value out of range.
    """
    path = Path(folder) / NAME
    if not path.is_file():
        return style_defaults(style)
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"{NAME}: not readable as JSON ({error})") from error
    known = {field.name for field in dataclasses.fields(SamplingParams)}
    unknown = sorted(set(values) - known) if isinstance(values, dict) else ["(not an object)"]
    if unknown:
        raise ConfigError(f"{NAME}: no such knob: {', '.join(unknown)}; known: {', '.join(sorted(known))}")
    return dataclasses.replace(style_defaults(style), **values)


def save_generation_defaults(params: SamplingParams, folder: str | Path, style: PromptStyle = "chat") -> None:
    """Write what differs from `style_defaults`."""
    plain = dataclasses.asdict(style_defaults(style))
    changed = {name: value for name, value in dataclasses.asdict(params).items() if value != plain[name]}
    text = json.dumps(changed, indent=2) + "\n"
    write_atomically(Path(folder) / NAME, lambda part: part.write_text(text, encoding="utf-8"))
