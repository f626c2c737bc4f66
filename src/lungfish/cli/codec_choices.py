"""What was asked of `lungfish eval codec`, from words to values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from lungfish.errors import ConfigError

BUNDLED = "bundled"


def parse_books(text: str | None) -> list[int]:
    """ "1,4" -> [1, 4].

    Raises:
        ConfigError: something else.
    """
    try:
        return [int(part) for part in text.split(",")] if text is not None else []
    except ValueError as error:
        raise ConfigError(f"--books takes numbers separated by commas, such as 1,4; not {text!r}") from error


def parse_without(text: str | None, known: Sequence[str]) -> list[str]:
    """ "mos, opus" -> those of `known` that are in it, in the order of `known`.

    Raises:
        ConfigError: a name that is not known.
    """
    asked = [part.strip() for part in text.split(",")] if text is not None else []
    wrong = [name for name in asked if name not in known]
    if wrong:
        raise ConfigError(f"--without takes any of {', '.join(known)}, separated by commas; not {wrong[0]!r}")
    return [name for name in known if name in asked]


def codec_names(sources: Sequence[str]) -> dict[str, str | None]:
    """A name for each row of the table -> where its codec is from; None for the bundled one, which is the default.

    A name is the last part of a path, without suffix; the whole path where two would share it.

    Raises:
        ConfigError: one codec twice.
    """
    if not sources:
        return {BUNDLED: None}
    short = [Path(source).name if Path(source).is_dir() else Path(source).stem for source in sources]
    times = Counter(short)
    names = [name if name and times[name] == 1 else source for name, source in zip(short, sources, strict=True)]
    if len(set(names)) < len(names):
        raise ConfigError(f"{Counter(names).most_common(1)[0][0]} is given twice; a codec is compared with another one")
    return dict(zip(names, sources, strict=True))
