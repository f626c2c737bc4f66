"""What `import lungfish` offers is deliberate: a name that comes or goes has to pass here."""

from __future__ import annotations

import inspect

import lungfish
from lungfish import TTS, Speech


def test_names() -> None:
    assert sorted(lungfish.__all__) == ["LungfishError", "SamplingParams", "Speech", "TTS", "__version__"]
    for name in lungfish.__all__:
        assert getattr(lungfish, name) is not None
    assert dir(lungfish) == sorted(lungfish.__all__)


def test_the_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    assert version("lungfish") == lungfish.__version__


def test_signatures() -> None:
    assert list(inspect.signature(TTS.load).parameters) == ["model", "device", "dtype", "threads"]
    assert list(inspect.signature(TTS.say).parameters) == [
        "self",
        "text",
        "voice",
        "reference",
        "reference_text",
        "seed",
        "sampling",
        "on_segment",
        "text_options",
    ]
    assert [name for name in vars(Speech) if not name.startswith("_")] == [
        "segments",
        "warnings",
        "seconds_audio",
        "frames",
        "rtf",
        "save",
    ]
