"""What a released checkpoint is expected to be: facts in JSON files, and where a checkpoint at hand differs from them.

A difference is news, not an error: a fine-tune may have another type, and our facts may be wrong.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from lungfish.errors import ConfigError


@dataclass(frozen=True)
class Facts:
    """What is known of one part of a checkpoint, under the names of the expectation files.

    Attributes:
        kind: "s2", "flat", "modified_dac"...
        format: "safetensors" or "torch".
        config: an object with the config's fields as attributes; None where it could not be read.
        tensors: as stored, saved tables included.
        parameters: by part, and "total".
        dtypes: of the parameters.
        tables: saved tables by last name: {"count": N, "bytes": N}.
        tokens: ids of the added tokens by name; None where there is no tokenizer or it is not this part's concern.
    """

    kind: str
    format: str
    config: Any
    tensors: int
    parameters: Mapping[str, int]
    dtypes: Mapping[str, int]
    tables: Mapping[str, Mapping[str, int]]
    tokens: Mapping[str, int] | None


def load_expectations() -> dict[str, dict[str, Any]]:
    """All files, by stem."""
    folder = resources.files("lungfish.checkpoint").joinpath("expectations")
    files = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".json")), key=lambda entry: entry.name)
    return {entry.name.removesuffix(".json"): json.loads(entry.read_text(encoding="utf-8")) for entry in files}


def find_expectation(facts: Facts, label: str, wanted: str | None = None) -> dict[str, Any] | None:
    """The file that speaks about such a part: of its kind, and either published under this name or of the same size.

    Args:
        facts: of the part.
        label: what the user called the checkpoint.
        wanted: the stem of a file, which then applies to every part of its kind, whatever its size.

    Raises:
        ConfigError: `wanted` does not exist.
    """
    files = load_expectations()
    if wanted is not None and wanted not in files:
        raise ConfigError(f"no expectation file {wanted!r}; there are {', '.join(files)}")
    for stem, expected in files.items():
        if expected["kind"] != facts.kind or (wanted is not None and stem != wanted):
            continue
        same_format = expected.get("format", facts.format) == facts.format
        published = label in expected.get("hub", ())
        if wanted is not None or (same_format and (published or _same_size(facts.config, expected["applies"]))):
            return expected
    return None


def _same_size(config: Any, applies: Mapping[str, int]) -> bool:
    return config is not None and all(getattr(config, name, None) == value for name, value in applies.items())


def differences(facts: Facts, expected: Mapping[str, Any]) -> list[str]:
    """One line per fact that is otherwise, the fact at hand first."""
    return list(_differences(facts, expected))


def _differences(facts: Facts, expected: Mapping[str, Any]) -> Iterator[str]:
    if "tensors" in expected and facts.tensors != expected["tensors"]:
        yield f"{facts.tensors:,} tensors, not {expected['tensors']:,}"
    for part, count in expected.get("parameters", {}).items():
        if facts.parameters.get(part, 0) != count:
            yield f"{facts.parameters.get(part, 0):,} parameters ({part}), not {count:,}"
    if "dtypes" in expected and set(facts.dtypes) != set(expected["dtypes"]):
        yield f"stored as {', '.join(facts.dtypes)}, not {', '.join(expected['dtypes'])}"
    for name, table in expected.get("tables", {}).items():
        found = facts.tables.get(name, {"count": 0, "bytes": 0})
        if found != table:
            yield (
                f"{found['count']} saved {name} of {found['bytes']:,} bytes, not {table['count']} of {table['bytes']:,}"
            )
    if facts.config is not None:
        for name, value in (expected["applies"] | expected.get("config", {})).items():
            if getattr(facts.config, name, None) != value:
                yield f"{name} is {getattr(facts.config, name, None)}, not {value}"
    if facts.tokens is not None:
        yield from _token_differences(facts.tokens, expected)


def _token_differences(tokens: Mapping[str, int], expected: Mapping[str, Any]) -> Iterator[str]:
    if "added_tokens" in expected and len(tokens) != expected["added_tokens"]:
        yield f"{len(tokens):,} added tokens, not {expected['added_tokens']:,}"
    for name, id_ in expected.get("token_ids", {}).items():
        if tokens.get(name) != id_:
            yield f"{name} is {tokens.get(name, 'absent')}, not {id_}"
    for name in expected.get("no_token", ()):
        if name in tokens:
            yield f"{name} is a token of its own ({tokens[name]}), not plain text"
