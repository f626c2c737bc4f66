"""A checkpoint's own decoding defaults: `generation_config.json` beside its weights, over those of `SamplingParams`.

A small model speaks best at another temperature than a large one; who trains it knows, and writes it down here. Keys are
the fields of `SamplingParams`; a folder without the file has no wishes.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from lungfish.checkpoint.atomic import write_atomically
from lungfish.errors import ConfigError
from lungfish.lm.sampling import SamplingParams

NAME = "generation_config.json"


def load_generation_defaults(folder: str | Path) -> SamplingParams:
    """`SamplingParams` with the checkpoint's own values.

    Raises:
        ConfigError: damaged, or a key that is no decoding knob.
        SamplingError: a value out of range.
    """
    path = Path(folder) / NAME
    if not path.is_file():
        return SamplingParams()
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{NAME}: not readable as JSON ({error})") from error
    known = {field.name for field in dataclasses.fields(SamplingParams)}
    unknown = sorted(set(values) - known) if isinstance(values, dict) else ["(not an object)"]
    if unknown:
        raise ConfigError(f"{NAME}: no such knob: {', '.join(unknown)}; known: {', '.join(sorted(known))}")
    return SamplingParams(**values)


def save_generation_defaults(params: SamplingParams, folder: str | Path) -> None:
    """Write what differs from `SamplingParams()`."""
    plain = dataclasses.asdict(SamplingParams())
    changed = {name: value for name, value in dataclasses.asdict(params).items() if value != plain[name]}
    text = json.dumps(changed, indent=2) + "\n"
    write_atomically(Path(folder) / NAME, lambda part: part.write_text(text, encoding="utf-8"))
