"""User lexicons: how words are said, as a plain file, one word or phrase a line.

    # comments and empty lines are skipped
    GIF = jiff                    said like other words (=> and a tab will do for =)
    tomato /təˈmɑːtoʊ/            IPA between slashes
    Nguyen {W IH1 N}              ARPAbet between braces
    [de]                          from here on for German text; [*] for any language again
    Chef = Scheff

An entry in small letters is found in any case, one with capitals only as it is written or all in capitals, so that "US" says
nothing about "us". A phrase goes before the words in it; whole words only. Lexicons merge, later
ones first. Invariants: what is read is never read again; work is linear in the text.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lungfish.errors import TextError
from lungfish.text.ipa import to_symbols
from lungfish.text.parts import Part, Pronunciation, Words
from lungfish.text.traced import TracedText

MAX_BYTES = 1_000_000
MAX_ENTRIES = 20_000
_ANY = "*"
_SECTION = re.compile(r"\[\s*(?P<language>\*|[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)\s*\]")
_ENTRY = re.compile(
    r"(?P<word>[^\t=/{]{1,200}?)\s*(?:(?:=>|=|\t)\s*(?P<respelling>[^\s].{0,400})|/(?P<ipa>[^/]{1,400})/|\{(?P<arpabet>[^{}]{1,400})\})\s*"
)
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True)
class Entry:
    """How one word is said: `respelling`, or `symbols` where that is None."""

    respelling: str | None
    symbols: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lexicon:
    """Attributes:
    entries: (language or "*", word) -> how it is said; words with single blanks.
    """

    entries: Mapping[tuple[str, str], Entry]

    @classmethod
    def parse(cls, text: str, source: str = "the lexicon") -> Lexicon:
        """A lexicon from the text of a file; `source` names it in errors.

        Raises:
            TextError: a line that is no entry, sounds that cannot be read, or more than it may hold.
        """
        if len(text.encode("utf-8", "replace")) > MAX_BYTES:
            raise TextError(f"{source}: is larger than {MAX_BYTES} bytes; split it")
        entries: dict[tuple[str, str], Entry] = {}
        language = _ANY
        for number, line in enumerate(text.splitlines(), 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            section = _SECTION.fullmatch(line)
            if section is not None:
                language = section["language"].lower().split("-")[0]
                continue
            word, entry = _entry(line, f"{source}, line {number}")
            entries[language, word] = entry
            if len(entries) > MAX_ENTRIES:
                raise TextError(f"{source}: has more than {MAX_ENTRIES} entries; split it")
        return cls(entries)

    @classmethod
    def load(cls, path: str | Path) -> Lexicon:
        """A lexicon from a UTF-8 file.

        Raises:
            TextError: it cannot be read, or as `parse`.
        """
        try:
            if Path(path).stat().st_size > MAX_BYTES:
                raise TextError(f"{path}: is larger than {MAX_BYTES} bytes; split it")
            text = Path(path).read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise TextError(f"{path}: is not UTF-8 text") from error
        except OSError as error:
            raise TextError(f"{path}: cannot be read ({error.strerror})") from error
        return cls.parse(text, str(path))

    def merged(self, *others: Lexicon) -> Lexicon:
        """This one and `others`; where two know a word, the later wins."""
        entries = dict(self.entries)
        for other in others:
            entries |= other.entries
        return dataclasses.replace(self, entries=entries)

    def find(self, word: str, language: str) -> Entry | None:
        """How `word` is said in `language`; its own section before the one for any language."""
        exact, folded, _ = self._tables(language)
        word = _SPACES.sub(" ", word)
        return exact.get(word) or folded.get(word.casefold())

    def pattern(self, language: str) -> re.Pattern[str] | None:
        """Matches every phrase that may be an entry, the longest first; None where there are none."""
        return self._tables(language)[2]

    def _tables(self, language: str) -> tuple[dict[str, Entry], dict[str, Entry], re.Pattern[str] | None]:
        first = language.lower().split("-")[0]
        return _tables(self, first)

    def __hash__(self) -> int:
        return id(self)


@functools.lru_cache(maxsize=64)
def _tables(lexicon: Lexicon, language: str) -> tuple[dict[str, Entry], dict[str, Entry], re.Pattern[str] | None]:
    exact: dict[str, Entry] = {}
    for wanted in (_ANY, language):
        exact |= {word: entry for (section, word), entry in lexicon.entries.items() if section == wanted}
    folded: dict[str, Entry] = {}
    for word, entry in list(exact.items()):
        if word == word.lower():
            folded[word.casefold()] = entry
        else:
            exact.setdefault(word.upper(), entry)
    if not exact:
        return exact, folded, None
    # One run of as many words as the longest entry has; which of its beginnings is an entry is looked up.
    most = max(len(word.split(" ")) for word in exact)
    marks = "".join(sorted({re.escape(sign) for word in exact for sign in word if not sign.isalnum() and sign != " "}))
    word_ = rf"[\w{marks}]+"
    return exact, folded, re.compile(rf"(?<!\w){word_}(?:\s{{1,3}}{word_}){{0,{most - 1}}}")


def apply_lexicon(words: Words, lexicon: Lexicon, language: str) -> list[Part]:
    """`words` with what the lexicon knows said as it says: respelled, or as a `Pronunciation`.

    Args:
        words: cleaned.
        lexicon: of the request.
        language: whose section applies.
    """
    pattern = lexicon.pattern(language)
    if pattern is None:
        return [words]
    source, parts, done, place = words.text.text, [], 0, 0
    held: list[TracedText] = []
    while (match := pattern.search(source, place)) is not None:
        end, entry = _longest(match, lexicon, language)
        if entry is None:
            first = re.compile(r"\s|\Z").search(source, match.start())
            assert first is not None
            place = max(first.start(), match.start() + 1)
            continue
        held.append(words.text[done : match.start()])
        start, stop = words.text.span_of(match.start(), end)
        if entry.respelling is not None:
            held.append(TracedText.standing_for(entry.respelling, start, stop))
        else:
            parts += _joined(words, held)
            held = []
            parts.append(Pronunciation(source[match.start() : end], entry.symbols, start, stop))
        done = place = end
    return [*parts, *_joined(words, [*held, words.text[done:]])]


def _longest(match: re.Match[str], lexicon: Lexicon, language: str) -> tuple[int, Entry | None]:
    """Where the longest entry at the beginning of a run of words ends."""
    run = match.group()
    ends = [len(run), *sorted((space.start() for space in re.finditer(r"\s+", run)), reverse=True)]
    for end in ends:
        phrase = run[:end]
        # Marks at the end may be the sentence's: "U.S." is an entry, the stop behind "GIF." is none.
        for stop in range(end, max(end - 3, 0), -1):
            entry = lexicon.find(phrase[:stop], language)
            after = match.string[match.start() + stop : match.start() + stop + 1]
            if entry is not None and not (after.isalnum() and phrase[stop - 1 : stop].isalnum()):
                return match.start() + stop, entry
            if phrase[stop - 1].isalnum():
                break
    return match.start(), None


def _joined(words: Words, texts: list[TracedText]) -> list[Part]:
    text = TracedText.joined(texts)
    return [dataclasses.replace(words, text=text)] if text.text else []


def _entry(line: str, where: str) -> tuple[str, Entry]:
    match = _ENTRY.fullmatch(line)
    if match is None:
        raise TextError(f"{where}: write word = respelling, word /IPA/ or word {{ARPABET}}, not {line[:60]!r}")
    word = _SPACES.sub(" ", match["word"].strip())
    if not word or not any(map(str.isalnum, word)):
        raise TextError(f"{where}: has no word in front of how it is said")
    if match["respelling"] is not None:
        return word, Entry(match["respelling"].strip())
    alphabet, sounds = ("ipa", match["ipa"]) if match["ipa"] is not None else ("arpabet", match["arpabet"])
    try:
        return word, Entry(None, to_symbols(sounds, alphabet))
    except TextError as error:
        raise TextError(f"{where}: {error}") from error
