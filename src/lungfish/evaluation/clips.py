"""Recordings to measure on: folders or manifests of them, with transcripts where there are any.

A folder is searched with all its subfolders, hidden files left out; `transcripts.tsv` (file TAB text) beside recordings
gives their texts. A manifest is such a table under any name, its files relative to its own folder; the text may be missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lungfish.data.audio_pack import RECORDING_SUFFIXES, TRANSCRIPTS_NAME
from lungfish.errors import DataError


@dataclass(frozen=True)
class EvalClip:
    """Attributes:
    id: path below the folder it was found in, with that folder's name in front.
    text: what is said in it; None where that is not known.
    """

    id: str
    path: Path
    text: str | None


def read_clips(sources: Iterable[Path], limit: int | None = None) -> list[EvalClip]:
    """The clips of folders and manifests, in the order of their paths.

    Args:
        sources: folders or manifests.
        limit: of each source at most so many, spread evenly over it (so that they are of several speakers).

    Raises:
        DataError: no such folder or manifest, none with recordings, a recording in two of them, or a table that is not of
            that form.
    """
    found: list[EvalClip] = []
    for source in sources:
        path = Path(source).expanduser()
        if path.is_dir():
            clips = _from_folder(path)
        elif path.is_file():
            clips = _from_manifest(path)
        else:
            raise DataError(f"{source}: no such folder of clips, nor a manifest")
        found += clips if limit is None else _spread(clips, limit)
    return _told_apart(found)


def _told_apart(clips: list[EvalClip]) -> list[EvalClip]:
    """Each recording once, with an id of its own: its whole path where folders share a name."""
    times = Counter(clip.path.resolve() for clip in clips)
    repeated = next((path for path, count in times.items() if count > 1), None)
    if repeated is not None:
        raise DataError(f"{repeated} is in more than one of the sources of clips; give each recording once")
    ids = Counter(clip.id for clip in clips)
    return [clip if ids[clip.id] == 1 else replace(clip, id=clip.path.as_posix()) for clip in clips]


def _spread(clips: Sequence[EvalClip], limit: int) -> list[EvalClip]:
    count = min(limit, len(clips))
    return [clips[number * len(clips) // count] for number in range(count)]


def _from_folder(folder: Path) -> list[EvalClip]:
    texts: dict[Path, str | None] = {}
    for table in sorted(folder.rglob(TRANSCRIPTS_NAME)):
        texts |= _read_table(table)
    seen = (path for path in folder.rglob("*") if not path.name.startswith("."))
    paths = sorted(path for path in seen if path.suffix.lower() in RECORDING_SUFFIXES)
    if not paths:
        raise DataError(f"{folder} has no recording ({', '.join(RECORDING_SUFFIXES)})")
    name = folder.resolve().name
    return [EvalClip(f"{name}/{path.relative_to(folder).as_posix()}", path, texts.get(path)) for path in paths]


def _from_manifest(manifest: Path) -> list[EvalClip]:
    rows = _read_table(manifest)
    missing = [path for path in rows if not path.is_file()]
    if not rows or missing:
        what = f"lists {len(missing)} files that are not there ({missing[0]})" if missing else "lists no file"
        raise DataError(f"{manifest} {what}; its lines are: file TAB text, relative to its folder")
    return [EvalClip(f"{manifest.stem}/{path.name}", path, text) for path, text in rows.items()]


def _read_table(table: Path) -> dict[Path, str | None]:
    """Path -> text, None where there is none."""
    try:
        lines = table.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{table}: cannot be read as a table of clips (lines of: file TAB text)") from error
    texts: dict[Path, str | None] = {}
    for number, line in enumerate(lines, 1):
        name, *columns = line.split("\t")
        if len(columns) > 1 or (columns and not name.strip()):
            raise DataError(f"{table} line {number}: expected file and text separated by one tab")
        if name.strip():
            texts[table.parent / name.strip()] = (columns[0].strip() if columns else "") or None
    return texts
