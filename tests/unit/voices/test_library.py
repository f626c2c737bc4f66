from __future__ import annotations

import pytest

from lungfish.errors import VoiceError
from lungfish.voices.library import choose_voice


def test_the_first_voice_is_the_default() -> None:
    assert choose_voice(None, ("coral", "marlin")) == "coral"
    assert choose_voice(None, ()) is None
    assert choose_voice("marlin", ("coral", "marlin")) == "marlin"


@pytest.mark.parametrize(
    ("wanted", "voices", "expected"),
    [
        ("corral", ("coral", "marlin"), "did you mean 'coral'\\? this checkpoint has coral, marlin"),
        ("x", ("coral", "marlin"), "no voice 'x'; this checkpoint has coral, marlin"),
        ("coral", (), "no built-in voices"),
    ],
)
def test_unknown_voices(wanted: str, voices: tuple[str, ...], expected: str) -> None:
    with pytest.raises(VoiceError, match=expected):
        choose_voice(wanted, voices)
