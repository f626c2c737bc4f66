"""The file format of user lexicons: one word or phrase a line, and how it is said.

    # comments and empty lines are skipped
    GIF = jiff                    said like other words (=> and a tab will do for =)
    tomato /təˈmɑːtoʊ/            IPA between slashes (a = may stand before them)
    Nguyen {W IH1 N}              # ARPAbet between braces; this comment has blanks around its #
    New York = noo york           phrases may be entries
    [de]                          from here on for German text, [en-GB] for British English, [*] for any language again
    Chef = Scheff

Of two lines for one word the later counts. Invariant: words and respellings have single blanks and composed letters.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from lungfish.errors import TextError
from lungfish.text.ipa import to_symbols

MAX_BYTES = 1_000_000
MAX_ENTRIES = 20_000
ANY = "*"
_MAX_WORD, _MAX_SAID = 100, 400  # characters
_SHOWN = 60
_SECTION = re.compile(r"\[\s*(?P<language>\*|[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,8})\s*\]")
_COMMENT = re.compile(r"\A\s*#.*|\s#(?:\s.*)?\Z")
_SAID = (
    re.compile(r"(?P<word>[^\t]*?)(?:\t|=>)(?P<said>.*)"),
    re.compile(r"(?P<word>[^={]*)=(?P<said>.*)"),
    re.compile(r"(?P<word>.*?)(?P<said>/[^/]+/|\{[^{}]+\})\s*"),
)


@dataclass(frozen=True)
class Entry:
    """How one word is said: `respelling`, or `symbols` where that is None."""

    respelling: str | None
    symbols: tuple[str, ...] = ()


def read_entries(text: str, source: str) -> dict[tuple[str, str], Entry]:
    """(language or `ANY`, word) -> how it is said; languages in small letters, with hyphens.

    Args:
        text: of the file.
        source: names it in errors.

    Raises:
        TextError: a line that is no entry, sounds that cannot be read, or more than a file may hold.
    """
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise TextError(f"{source}: is larger than {MAX_BYTES} bytes; split it")
    entries: dict[tuple[str, str], Entry] = {}
    language = ANY
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), 1):
        line = _COMMENT.sub("", line).strip(" ")
        if not line.strip():
            continue
        section = _SECTION.fullmatch(line.strip())
        if section is not None:
            language = section["language"].lower().replace("_", "-")
            continue
        word, entry = _entry(line, f"{source}, line {number}")
        entries[language, word] = entry
        if len(entries) > MAX_ENTRIES:
            raise TextError(f"{source}: has more than {MAX_ENTRIES} entries; split it")
    return entries


def _entry(line: str, where: str) -> tuple[str, Entry]:
    match = next((found for form in _SAID if (found := form.fullmatch(line)) is not None), None)
    if match is None or not match["said"].strip():
        raise TextError(
            f"{where}: write word = respelling, word /IPA/ or word {{ARPABET}}, not {line.strip()[:_SHOWN]!r}"
        )
    word, said = _plain(match["word"]), _plain(match["said"])
    if not any(map(str.isalnum, word)):
        raise TextError(f"{where}: has no word in front of how it is said")
    if len(word) > _MAX_WORD or len(said) > _MAX_SAID:
        raise TextError(f"{where}: is too long; {_MAX_WORD} characters of a word, {_MAX_SAID} of how it is said")
    alphabet = {"//": "ipa", "{}": "arpabet"}.get(said[0] + said[-1]) if len(said) > 1 else None
    if alphabet is None:
        return word, Entry(said)
    try:
        return word, Entry(None, to_symbols(said[1:-1], alphabet))
    except TextError as error:
        raise TextError(f"{where}: {error}") from error


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(text.split()))
