"""YAML file and `a.b=c` overrides -> a validated pydantic model, or one line that says which key is wrong and why.

Scalars follow the YAML 1.2 core schema: `1e-4` is a float, `yes` and `2026-12-01` are strings. Duplicate keys are refused.
Validation is strict (no "5" for 5), as for JSON: a path is written as a string and a tuple as a list.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from lungfish.errors import ConfigError

Model = TypeVar("Model", bound=BaseModel)

_SHOWN_ERRORS = 3


class StrictModel(BaseModel):
    """Base of config models: no unknown keys, no coercion, immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _CoreSchemaLoader(yaml.SafeLoader):
    """SafeLoader with the scalars of YAML 1.2 and no duplicate keys."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Any] = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} is not text", key_node.start_mark)
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} is given twice", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


def _add_core_schema() -> None:
    rules = (
        ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
        ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
        ("int", r"[-+]?[0-9]+|0x[0-9a-fA-F]+|0o[0-7]+", "-+0123456789"),
        (
            "float",
            r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
            "-+.0123456789",
        ),
    )
    for tag, pattern, first in rules:
        resolver = re.compile(f"^(?:{pattern})$")
        _CoreSchemaLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", resolver, list(first))

    def integer(loader: yaml.SafeLoader, node: yaml.Node) -> int:
        text = str(loader.construct_scalar(node))  # type: ignore[arg-type]
        if text.startswith(("0x", "0o")):
            return int(text, 0)
        return int(text, 10)

    _CoreSchemaLoader.add_constructor("tag:yaml.org,2002:int", integer)


_add_core_schema()


def parse_yaml(text: str, source: str) -> Any:
    """The value of one YAML document.

    Raises:
        ConfigError: not YAML, or a key is given twice; names `source`, line and column.
    """
    try:
        return yaml.load(text, Loader=_CoreSchemaLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f" line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise ConfigError(f"{source}:{where} {error.problem or error.context or 'not valid YAML'}") from error
    except yaml.YAMLError as error:
        raise ConfigError(f"{source}: not valid YAML ({' '.join(str(error).split())})") from error


def load_config(path: str | Path, model: type[Model], overrides: Iterable[str] = ()) -> Model:
    """Read a YAML file into `model`.

    Args:
        path: the YAML file; an empty file means all defaults.
        model: a pydantic model, best a `StrictModel`.
        overrides: `key=value` or `part.key=value`, applied in order over the file; the value is YAML.

    Returns:
        The validated model.

    Raises:
        ConfigError: the file cannot be read, or a key is unknown, missing or out of range; one line with the key's path.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise ConfigError(f"{path}: no such config file") from error
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise ConfigError(f"{path}: cannot be read as a config ({reason})") from error
    values = parse_yaml(text, str(path))
    if values is None:
        values = {}
    if not isinstance(values, dict):
        raise ConfigError(f"{path}: a config is a mapping of keys to values, this is a {type(values).__name__}")
    for override in overrides:
        _apply_override(values, override)
    return validate_config(values, model, str(path))


def validate_config(values: dict[str, Any], model: type[Model], source: str) -> Model:
    """`values` (plain JSON types) as `model`; strict.

    Raises:
        ConfigError: one line naming `source`, the key paths and what each allows.
    """
    try:
        return model.model_validate_json(json.dumps(values), strict=True)
    except ValidationError as error:
        problems = [_describe(problem, model) for problem in error.errors(include_url=False)]
        shown = "; ".join(problems[:_SHOWN_ERRORS])
        more = f"; and {len(problems) - _SHOWN_ERRORS} more" if len(problems) > _SHOWN_ERRORS else ""
        raise ConfigError(f"{source}: {shown}{more}") from error


def _apply_override(values: dict[str, Any], override: str) -> None:
    key, equals, text = override.partition("=")
    parts = key.strip().split(".")
    if not equals or not all(parts):
        raise ConfigError(f"override {override!r}: write it as key=value, or part.key=value")
    target: Any = values
    for depth, part in enumerate(parts[:-1]):
        target = _descend(target, part, ".".join(parts[: depth + 1]), override)
    value = parse_yaml(text, f"override {override!r}")
    if isinstance(target, list):
        target[_index(target, parts[-1], override)] = value
    else:
        target[parts[-1]] = value


def _descend(target: Any, part: str, path: str, override: str) -> Any:
    if isinstance(target, list):
        child = target[_index(target, part, override)]
    else:
        if target.get(part) is None:
            target[part] = {}
        child = target[part]
    if not isinstance(child, dict | list):
        raise ConfigError(f"override {override!r}: {path} is a value and has no keys below it")
    return child


def _index(target: list[Any], part: str, override: str) -> int:
    if not part.isdigit() or int(part) >= len(target):
        raise ConfigError(f"override {override!r}: {part!r} is not an index into a list of {len(target)}")
    return int(part)


def _describe(problem: Any, model: type[BaseModel]) -> str:
    location, kind = problem["loc"], problem["type"]
    path = ".".join(str(part) for part in location) or "config"
    if kind == "extra_forbidden":
        allowed = sorted(_keys_at(model, location[:-1]))
        close = difflib.get_close_matches(str(location[-1]), allowed, n=1)
        if close:
            return f"{path}: no such key, did you mean {close[0]!r}?"
        return f"{path}: no such key; allowed: {', '.join(allowed)}" if allowed else f"{path}: no such key"
    if kind == "missing":
        return f"{path}: must be given"
    message = problem["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
    given = json.dumps(problem["input"], default=str, ensure_ascii=False)
    if isinstance(problem["input"], dict | list) and len(given) > 60:
        given = f"a {type(problem['input']).__name__} of {len(problem['input'])}"
    message = message[:1].lower() + message[1:]
    return " ".join(f"{path}: {message} (got {given})".split())


def _keys_at(model: type[BaseModel], location: tuple[Any, ...]) -> set[str]:
    """Names of the keys that exist where `location` points; of all candidates when a union leaves it open."""
    candidates = [model]
    for part in location:
        inner: list[type[BaseModel]] = []
        for candidate in candidates:
            if part in candidate.model_fields:
                inner.extend(_models_in(candidate.model_fields[part].annotation))
        candidates = inner or candidates  # list indices and union tags do not change the model
    return {field.alias or name for candidate in candidates for name, field in candidate.model_fields.items()}


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)
