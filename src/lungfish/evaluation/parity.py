"""Golden bundles: what a rung of the ladder is, and which ladder a folder asks for.

A bundle of the language model holds NAME.golden.json and NAME.golden.npz beside a checkpoint folder NAME; one of the codec
holds io.npz and intermediates.npz beside its weights. A folder of bundles is climbed bundle by bundle.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from lungfish.errors import CheckpointError


@dataclass(frozen=True)
class Stage:
    """A computation compared with its golden value.

    Attributes:
        name: what was compared.
        tolerance: largest absolute error allowed; 0 for exact.
        worst: largest absolute error found, or the number of differing integers; inf where nothing comparable came out.
        passed: verdict.
        note: a remark for people.
    """

    name: str
    tolerance: float
    worst: float
    passed: bool
    note: str = ""


def run(path: str | Path) -> list[Stage]:
    """Climb the ladder of a bundle, or of each bundle in a folder.

    Args:
        path: a bundle, the checkpoint folder within one, or a folder of bundles.

    Raises:
        CheckpointError: no bundle there, or a damaged one.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise CheckpointError(f"{folder}: no such folder")
    if _is_bundle(folder):
        return _climb(folder)
    inner = sorted(child for child in folder.iterdir() if child.is_dir() and _is_bundle(child))
    if not inner:
        raise CheckpointError(f"{folder}: not a golden bundle, it has neither *.golden.json nor io.npz")
    return [replace(stage, name=f"{child.name}/{stage.name}") for child in inner for stage in _climb(child)]


def _is_bundle(folder: Path) -> bool:
    return _is_codec(folder) or _is_language_model(folder)


def _is_codec(folder: Path) -> bool:
    return (folder / "io.npz").is_file()


def _is_language_model(folder: Path) -> bool:
    named = folder.with_name(folder.name + ".golden.json")
    return named.is_file() or any(folder.glob("*.golden.json")) or (folder / "sampler.npz").is_file()


def _climb(folder: Path) -> list[Stage]:
    from lungfish.evaluation.verify import verify_lm
    from lungfish.evaluation.verify_codec import verify_codec

    return verify_codec(folder) if _is_codec(folder) else verify_lm(folder)
