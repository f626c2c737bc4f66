"""From anything that a person types to typed parts that a model can say.

    parse      SSML, script or plain text -> parts (words, tags, turns, pauses, pronunciations)
    clean      invisible characters, Markdown, HTML, emoji, runs of punctuation
    tags       what the checkpoint performs stays, the rest is dropped with a warning
    pronounce  words of the user's lexicons
    language   told, or identified sentence by sentence
    normalise  numbers, dates, money, abbreviations ... to words, in the language of their sentence

What follows is planning (text/planning.py): pieces that are spoken in one go. Invariants: nothing is left out without a
warning; every character knows the span of the source that it stands for; nothing in a user's words becomes a control token.
Work is linear in the length of the source.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass

from lungfish.errors import TextError, VoiceError, shortened
from lungfish.text.clean import clean
from lungfish.text.directions import directed
from lungfish.text.language import runs
from lungfish.text.normalise.reader import normalise
from lungfish.text.options import TextOptions, TextProfile
from lungfish.text.parts import Parsed, Part, Pause, Tag, TextWarning, Turn, Words
from lungfish.text.pronounce import apply_lexicon
from lungfish.text.script import parse_script
from lungfish.text.ssml import is_ssml, parse_ssml
from lungfish.text.tags import apply_policy, split_tags
from lungfish.text.traced import TracedText

_DEFAULT_LANGUAGE = "en"
_PAUSE_TAGS = {"pause": 0.4, "long pause": 1.0}
# Letters of other scripts than Latin, with blanks and marks between them.
_LATIN = (
    r"a-zA-Z\u00aa\u00ba\u00c0-\u024f\u02b0-\u036f\u1e00-\u1eff\u2070-\u209f\u2c60-\u2c7f\uff21-\uff3a\uff41-\uff5a"
)
_OTHER_LETTERS = re.compile(rf"[^\W\d_{_LATIN}]++(?:[^\w]{{0,3}}[^\W\d_{_LATIN}]++)*+")


@dataclass(frozen=True)
class Step:
    """What the parts were after one stage; `name` as in the module's docstring."""

    name: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, eq=False)
class PreparedText:
    """Attributes:
    source: what was typed.
    parts: what is to be said.
    warnings: what was left out or read otherwise than written, in the order of the source.
    steps: the parts after each stage, the first to the last.
    """

    source: str
    parts: tuple[Part, ...]
    warnings: tuple[TextWarning, ...]
    steps: tuple[Step, ...]


def prepare_text(source: str, options: TextOptions, profile: TextProfile) -> PreparedText:
    """Everything between typing and planning.

    Args:
        source: anything.
        options: of the request.
        profile: of the checkpoint.

    Raises:
        TextError: not valid Unicode, SSML that is not well formed, a script's speaker whom nobody knows.
        VoiceError: a voice that the checkpoint does not have.
    """
    _check_unicode(source)
    parsed = _parse(source, options, profile)
    warnings = parsed.warnings
    steps = [Step("parse", tuple(parsed.parts))]
    cleaned = [part for each in parsed.parts for part in _cleaned(each, options)]
    steps.append(Step("clean", tuple(cleaned)))
    performed = apply_policy(_with_pauses(directed(cleaned), profile), profile.tags)
    warnings += performed.warnings
    steps.append(Step("tags", tuple(performed.parts)))
    language = options.language or (profile.languages[0] if len(profile.languages) == 1 else None)
    spoken = [_spoken(part, profile, warnings) for part in performed.parts]
    pronounced = [part for each in spoken for part in _pronounced(each, options, language)]
    steps.append(Step("pronounce", tuple(pronounced)))
    if options.normalise == "on" or (options.normalise == "auto" and profile.normalise):
        placed = [part for each in pronounced for part in _in_languages(each, language, profile)]
        steps.append(Step("language", tuple(placed)))
        read = [_normalised(part) for part in placed]
        steps.append(Step("normalise", tuple(read)))
    if profile.phonemes:
        warnings += [warning for part in steps[-1].parts for warning in _unreadable(part)]
    warnings.sort(key=lambda warning: warning.start)
    return PreparedText(source, steps[-1].parts, tuple(warnings), tuple(steps))


def rendered(parts: tuple[Part, ...]) -> str:
    """Parts as one line that a person reads: [tag], <|speaker:0|>, <pause 0.5 s>, {words: symbols}."""
    shown = []
    for part in parts:
        if isinstance(part, Words):
            shown.append(part.text.text)
        elif isinstance(part, Tag):
            shown.append(f"[{part.name}]")
        elif isinstance(part, Turn):
            shown.append(f"<|speaker:{part.speaker}|>" if part.voice is None else f"<voice {part.voice}> ")
        elif isinstance(part, Pause):
            shown.append(f"<pause {part.strength if part.seconds is None else f'{part.seconds:g} s'}>")
        else:
            shown.append(f"{{{part.text}: {' '.join(part.symbols)}}}")
    return "".join(shown)


def _check_unicode(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise TextError("the text is not valid Unicode; save it as UTF-8") from error


def _parse(source: str, options: TextOptions, profile: TextProfile) -> Parsed:
    if options.form == "ssml" or (options.form == "auto" and is_ssml(source)):
        parsed = parse_ssml(source)
    elif options.form == "script":
        parsed = parse_script(source, options.voices, profile.voices)
    else:
        parsed = Parsed([Words(TracedText.of(source))])
    parts: list[Part] = []
    for part in parsed.parts:
        if not isinstance(part, Words):
            parts.append(part)
            continue
        for piece in split_tags(part.text):
            parts.append(dataclasses.replace(part, text=piece.text) if isinstance(piece, Words) else piece)
    return Parsed(parts, parsed.warnings)


def _cleaned(part: Part, options: TextOptions) -> list[Part]:
    if not isinstance(part, Words):
        return [part]
    text = clean(part.text, emoji=options.emoji, language=part.language or options.language, markup=options.markup)
    return [dataclasses.replace(part, text=text)] if text.text else []


def _with_pauses(parts: list[Part], profile: TextProfile) -> list[Part]:
    """Pause tags as silence of known length, where the checkpoint does not pause by itself."""
    if not profile.phonemes:
        return parts
    made: list[Part] = []
    for part in parts:
        seconds = _PAUSE_TAGS.get(profile.tags.canonical(part.name) or "") if isinstance(part, Tag) else None
        made.append(part if seconds is None else Pause(seconds, "medium", part.start, part.end))  # type: ignore[union-attr]
    return made


def _spoken(part: Part, profile: TextProfile, warnings: list[TextWarning]) -> Part:
    """`part` in a language and by a voice that the checkpoint has."""
    if isinstance(part, Turn) and part.voice is not None and part.voice not in profile.voices:
        raise VoiceError(
            f"no voice named {part.voice!r}; this checkpoint has {', '.join(profile.voices) or 'none of its own'}"
        )
    if not isinstance(part, Words) or part.language is None or not profile.languages:
        return part
    if part.language.split("-")[0].lower() in profile.languages:
        return part
    spoken = profile.languages[0]
    message = (
        f"the language {part.language!r} was read as {spoken!r}: this checkpoint speaks {', '.join(profile.languages)}"
    )
    warnings.append(TextWarning(message, *part.text.span))
    return dataclasses.replace(part, language=spoken)


def _unreadable(part: Part) -> list[TextWarning]:
    """A warning for each stretch of letters that no phoneme stands for."""
    if not isinstance(part, Words):
        return []
    message = "{!r} was left out: this checkpoint reads Latin letters only"
    return [
        TextWarning(message.format(shortened(match.group())), *part.text.span_of(*match.span()))
        for match in _OTHER_LETTERS.finditer(part.text.text)
    ]


def _pronounced(part: Part, options: TextOptions, language: str | None) -> list[Part]:
    if options.lexicon is None or not isinstance(part, Words) or part.say_as is not None:
        return [part]
    return list(apply_lexicon(part, options.lexicon, part.language or language or _DEFAULT_LANGUAGE))


def _in_languages(part: Part, language: str | None, profile: TextProfile) -> list[Part]:
    if not isinstance(part, Words) or part.language is not None:
        return [part]
    if language is not None or part.say_as is not None:
        return [dataclasses.replace(part, language=language or _DEFAULT_LANGUAGE)]
    default = profile.languages[0] if profile.languages else _DEFAULT_LANGUAGE
    return [dataclasses.replace(part, text=text, language=found) for text, found in runs(part.text, default)]


def _normalised(part: Part) -> Part:
    if not isinstance(part, Words):
        return part
    text = normalise(part.text, part.language or _DEFAULT_LANGUAGE, part.say_as, part.say_as_format)
    return dataclasses.replace(part, text=text)
