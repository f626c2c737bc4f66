"""What `lungfish eval codec` leaves in a folder: `report.json`, `rows.jsonl` (one per clip and system), `table.txt`, and
of the first few clips every system's sound and one picture of all spectrograms (`examples/`).

Invariant: every file is whole or not there; the report comes last, so that a folder that has it has all the rest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from torch import Tensor

from lungfish.audio.files import write_waveform
from lungfish.checkpoint.atomic import write_atomically
from lungfish.errors import OutputError
from lungfish.evaluation.codec_figures import ClipResult
from lungfish.evaluation.spectrograms import draw_spectrograms, require_matplotlib

REPORT, ROWS, TABLE, EXAMPLES = "report.json", "rows.jsonl", "table.txt", "examples"


class CodecFiles:
    """Args:
    folder: made when absent; files of those names in it are replaced.
    examples: of how many clips sound and picture are kept.

    Raises:
        DependencyError: examples are wanted and matplotlib is not installed.
        OutputError: not a folder, or it cannot be made.
    """

    def __init__(self, folder: Path, examples: int = 0) -> None:
        if examples:
            require_matplotlib()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(f"{folder}: no folder can be made there ({error.strerror})") from error
        (folder / REPORT).unlink(missing_ok=True)
        self._folder, self._examples = folder, examples
        self._results: list[ClipResult] = []
        self._sounds: dict[str, dict[str, Tensor]] = {}

    def add(self, result: ClipResult, waveform: Tensor) -> None:
        """Keep a result; its waveform [S] only if the clip is one of the examples."""
        self._results.append(result)
        if result.clip in self._sounds or len(self._sounds) < self._examples:
            self._sounds.setdefault(result.clip, {})[result.system] = waveform

    def write(self, report: Mapping[str, Any], table: str, sample_rate: int) -> None:
        """Write everything.

        Args:
            report: plain data.
            table: for people.
            sample_rate: of the waveforms, in Hz.

        Raises:
            OutputError: not writable, or the disk is full.
        """
        for number, (clip, sounds) in enumerate(self._sounds.items(), 1):
            name = f"{number:02d}_{_file_name(Path(clip).stem)}"
            folder = self._folder / EXAMPLES
            for system, waveform in sounds.items():
                (folder / name).mkdir(parents=True, exist_ok=True)
                write_waveform(folder / name / f"{_file_name(system)}.wav", waveform[None], sample_rate)
            draw_spectrograms(folder / f"{name}.png", sounds, sample_rate)
        rows = "".join(json.dumps(asdict(result), ensure_ascii=False) + "\n" for result in self._results)
        texts = {ROWS: rows, TABLE: table + "\n", REPORT: json.dumps(report, ensure_ascii=False, indent=1) + "\n"}
        for name, text in texts.items():
            write_atomically(self._folder / name, lambda part, text=text: part.write_text(text, encoding="utf-8"))


def _file_name(text: str) -> str:
    """Letters, digits, dots and hyphens of it, the rest as single underscores."""
    return re.sub(r"[^\w.-]+", "_", text).strip("_.") or "_"
