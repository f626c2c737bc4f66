"""Options of every verb that reads text, and the request's `TextOptions` made of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lungfish.errors import ConfigError

if TYPE_CHECKING:
    from lungfish.text.options import TextOptions

Format = Annotated[
    str,
    typer.Option(
        "--format",
        help="auto (SSML where the text begins with <speak>), plain, ssml, or script (lines of NAME: words).",
    ),
]
Normalise = Annotated[
    str,
    typer.Option("--normalise", help="Read numbers, dates, symbols as words: on, off, auto (what the model needs)."),
]
Language = Annotated[
    str | None,
    typer.Option("--language", help="Of the whole text, such as en-GB or de. Default: found sentence by sentence."),
]
Lexicons = Annotated[
    list[Path] | None,
    typer.Option("--lexicon", metavar="FILE", help="How words are said, one a line; may be given again."),
]
Speakers = Annotated[
    list[str] | None,
    typer.Option("--speaker", metavar="NAME=VOICE", help="Who speaks a script's NAME; may be given again."),
]
Emoji = Annotated[str, typer.Option("--emoji", help="drop, or name them.")]
Markup = Annotated[bool, typer.Option("--markup/--no-markup", help="Take Markdown and HTML for markup, not for text.")]


def text_options(
    form: str,
    normalise: str,
    language: str | None,
    lexicons: Sequence[Path] | None,
    speakers: Sequence[str] | None,
    emoji: str,
    markup: bool,
) -> TextOptions:
    """What a request asks of the text pipeline.

    Raises:
        ConfigError: none of the choices, or a speaker that is not NAME=VOICE.
        TextError: a lexicon that cannot be read.
    """
    from lungfish.text.options import TextOptions
    from lungfish.text.pronounce import Lexicon

    voices = dict(map(_pair, speakers or ()))
    loaded = [Lexicon.load(path) for path in lexicons or ()]
    return TextOptions(
        form=form,  # type: ignore[arg-type]
        normalise=normalise,  # type: ignore[arg-type]
        language=language,
        emoji=emoji,  # type: ignore[arg-type]
        markup=markup,
        voices=voices,
        lexicon=loaded[0].merged(*loaded[1:]) if loaded else None,
    )


def _pair(text: str) -> tuple[str, str]:
    name, equals, voice = text.partition("=")
    if not equals or not name.strip() or not voice.strip():
        raise ConfigError(f"--speaker needs NAME=VOICE, such as ANNA=coral, not {text!r}")
    return name.strip(), voice.strip()
