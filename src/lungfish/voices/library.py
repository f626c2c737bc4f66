"""Which voices a checkpoint speaks with, by name; and where the bundled checkpoint lies.

A built-in voice is a token of its checkpoint: the checkpoint's config lists the names. Stored reference clips (a library on
disk) are to come; a clip for one call is the `reference` of `TTS.say`.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

from lungfish.errors import CheckpointError, VoiceError


def bundled_folder() -> Path:
    """Folder of the checkpoint that ships with the package.

    Raises:
        CheckpointError: this installation has none.
    """
    folder = Path(str(resources.files("lungfish.voices").joinpath("bundled")))
    if not (folder / "config.json").is_file():
        raise CheckpointError("this installation has no bundled voice; name a checkpoint with --model")
    return folder


def choose_voice(wanted: str | None, voices: Sequence[str]) -> str | None:
    """The built-in voice to speak with: the wanted one, else the checkpoint's first, else none where it has none.

    Raises:
        VoiceError: the checkpoint has no voice of that name.
    """
    if wanted is None:
        return voices[0] if voices else None
    if wanted in voices:
        return wanted
    if not voices:
        raise VoiceError(f"this checkpoint has no built-in voices, so none is called {wanted!r}; give a reference clip")
    close = difflib.get_close_matches(wanted.lower(), voices, n=1)
    hint = f", did you mean {close[0]!r}?" if close else ""
    raise VoiceError(f"no voice {wanted!r}{hint or ';'} this checkpoint has {', '.join(voices)}")
