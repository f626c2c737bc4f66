"""Lungfish: text to speech with a dual autoregressive transformer.

from lungfish import TTS

TTS.load().say("Hello", voice="coral", seed=7).save("hello.wav")

The public names are imported when they are first used, so that `import lungfish` and `lungfish --help` stay quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lungfish.api import TTS, Speech
    from lungfish.errors import LungfishError
    from lungfish.lm.sampling import SamplingParams

__version__ = "0.1.0"
__all__ = ["TTS", "LungfishError", "SamplingParams", "Speech", "__version__"]

_HOMES = {
    "TTS": "lungfish.api",
    "Speech": "lungfish.api",
    "SamplingParams": "lungfish.lm.sampling",
    "LungfishError": "lungfish.errors",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'lungfish' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
