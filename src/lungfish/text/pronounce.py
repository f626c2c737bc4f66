"""User lexicons (`lexicon_file.py` says how their files look), and what becomes of a text that holds such words.

    GIF = jiff                    said like other words
    tomato /təˈmɑːtoʊ/            IPA between slashes
    Nguyen {W IH1 N}              ARPAbet between braces
    [de]                          from here on for German text
    Chef = Scheff

An entry in small letters is found in any case, one with capitals only as it is written or all in capitals, so that "US" says
nothing about "us". The longest entry goes first. Whole words only: "don" is not in "don't", but in "don's" and "l'don", and
"5" is not in "2.5"; in scripts without blanks between words an entry is found wherever it stands. Lexicons merge, later ones
first; a section of a region ([en-GB]) goes before one of its language, and that before what is for any. Invariants: what is
read is never read again; words that no entry is for are not touched; work is linear in the text.
"""

from __future__ import annotations

import dataclasses
import functools
import re
import sys
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lungfish.errors import TextError
from lungfish.text.lexicon_file import ANY, MAX_BYTES, MAX_ENTRIES, Entry, read_entries
from lungfish.text.parts import Part, Pronunciation, Words
from lungfish.text.traced import TracedText

__all__ = ["MAX_BYTES", "MAX_ENTRIES", "Entry", "Lexicon", "apply_lexicon"]

# Thai, Lao, Burmese, Khmer, Chinese and Japanese: each character by itself.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
# What may stand with an apostrophe before or behind a word without being part of it.
_ELIDED = re.compile(
    r"(?<![^\W_])(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu|[ds]?all|[dns]ell|quell|un)['’]\Z", re.IGNORECASE
)
_CONTRACTED = re.compile(r"['’](?:s|ll|d|ve|re|m)(?![^\W_])", re.IGNORECASE)
_LONGEST_ELIDED = 9
_MOST_SUBTAGS = 4


@dataclass(frozen=True)
class Lexicon:
    """Attributes:
    entries: (language in small letters or "*", word) -> how it is said; words with single blanks.
    """

    entries: Mapping[tuple[str, str], Entry]

    @classmethod
    def parse(cls, text: str, source: str = "the lexicon") -> Lexicon:
        """A lexicon from the text of a file; `source` names it in errors.

        Raises:
            TextError: a line that is no entry, sounds that cannot be read, or more than it may hold.
        """
        return cls(read_entries(text, source))

    @classmethod
    def load(cls, path: str | Path) -> Lexicon:
        """A lexicon from a UTF-8 file.

        Raises:
            TextError: it cannot be read, or as `parse`.
        """
        try:
            with Path(path).open("rb") as file:
                text = file.read(MAX_BYTES + 4).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise TextError(f"{path}: is not UTF-8 text; save it as UTF-8") from error
        except OSError as error:
            raise TextError(f"{path}: cannot be read ({error.strerror})") from error
        return cls.parse(text, str(path))

    def merged(self, *others: Lexicon) -> Lexicon:
        """This one and `others`; where two know a word of a language, the later wins."""
        entries = dict(self.entries)
        for other in others:
            entries |= other.entries
        return Lexicon(entries)

    def __hash__(self) -> int:
        return id(self)


@dataclass(frozen=True)
class _Index:
    """Entries of one language, each with the rank of its section.

    Attributes:
        exact: as they are written, or all in capitals.
        folded: those that are found in any case.
        longest: the first token of entries -> most tokens of an entry that begins so.
    """

    exact: dict[str, tuple[int, Entry]] = field(default_factory=dict)
    folded: dict[str, tuple[int, Entry]] = field(default_factory=dict)
    longest: dict[str, int] = field(default_factory=dict)

    def add(self, word: str, rank: int, entry: Entry) -> None:
        """An entry; those of a lower rank come first."""
        if word == word.lower():
            self.folded[_folded(word)] = rank, entry
        else:
            if self.exact.get(word.upper(), (-1, entry))[0] < rank:
                self.exact[word.upper()] = rank, entry
            self.exact[word] = rank, entry
        tokens = _token().findall(_folded(word))
        self.longest[tokens[0]] = max(self.longest.get(tokens[0], 0), len(tokens))

    def find(self, word: str) -> Entry | None:
        """The entry of the highest rank, the one that is written like `word` before one that is folded."""
        exact, folded = self.exact.get(word), self.folded.get(_folded(word))
        if exact is None or (folded is not None and folded[0] > exact[0]):
            exact = folded
        return None if exact is None else exact[1]


def apply_lexicon(words: Words, lexicon: Lexicon, language: str) -> list[Part]:
    """`words` with what the lexicon knows said as it says: respelled, or as a `Pronunciation`.

    Args:
        words: cleaned.
        lexicon: of the request.
        language: whose sections apply, "de" or "en-GB".

    Returns:
        Words and pronunciations, none empty; respelled words stand for the span of those that were written.
    """
    index = _index(lexicon, language.strip().lower().replace("_", "-"))
    if not index.longest:
        return [words]
    source, parts, done, place = words.text.text, [], 0, 0
    held: list[TracedText] = []
    while (token := _token().search(source, place)) is not None:
        place, begin = token.end(), token.start()
        most = index.longest.get(_folded(token.group()))
        if most is None or not _begins_word(source, begin):
            continue
        end, entry = _longest(source, begin, most, index)
        if entry is None:
            continue
        held.append(words.text[done:begin])
        start, stop = words.text.span_of(begin, end)
        if entry.respelling is not None:
            held.append(TracedText.standing_for(entry.respelling, start, stop))
        else:
            parts += [*_joined(words, held), Pronunciation(source[begin:end], entry.symbols, start, stop)]
            held = []
        done = place = end
    return [*parts, *_joined(words, [*held, words.text[done:]])]


def _longest(source: str, begin: int, most: int, index: _Index) -> tuple[int, Entry | None]:
    """Where the longest entry that begins at `begin` ends, and the entry."""
    found: tuple[int, Entry | None] = (begin, None)
    phrase, end = "", begin
    for _ in range(most):
        token = _token().match(source, end)
        if token is None:
            break
        end = token.end()
        phrase += " " if token.group().isspace() else unicodedata.normalize("NFC", token.group())
        entry = index.find(phrase)
        if entry is not None and _ends_word(source, end):
            found = end, entry
    return found


def _begins_word(source: str, at: int) -> bool:
    if at < 2 or not _is_letter(source[at]) or not _is_letter(source[at - 2]):
        return True
    if source[at - 1] in "'’":
        return _ELIDED.search(source, max(0, at - _LONGEST_ELIDED), at) is not None
    return not (source[at - 1] in ".,:/" and source[at].isdigit() and source[at - 2].isdigit())


def _ends_word(source: str, at: int) -> bool:
    if at + 1 >= len(source) or not _is_letter(source[at - 1]) or not _is_letter(source[at + 1]):
        return True
    if source[at] in "'’":
        return _CONTRACTED.match(source, at) is not None
    return not (source[at] in ".,:/" and source[at - 1].isdigit() and source[at + 1].isdigit())


def _is_letter(sign: str) -> bool:
    return sign.isalnum() or unicodedata.category(sign)[0] == "M"


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text.casefold())


def _joined(words: Words, texts: list[TracedText]) -> list[Part]:
    text = TracedText.joined(texts)
    return [dataclasses.replace(words, text=text)] if text.text else []


@functools.cache
def _token() -> re.Pattern[str]:
    """A run of letters, digits and their marks, a run of blanks, or any other character."""
    marks = "".join(chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code))[0] == "M")
    marks = re.sub(f"[{_UNSPACED}]", "", marks)
    return re.compile(rf"[^\W{_UNSPACED}](?:[^\W{_UNSPACED}]|[{marks}])*+|\s++|.", re.DOTALL)


@functools.lru_cache(maxsize=16)
def _index(lexicon: Lexicon, language: str) -> _Index:
    index = _Index()
    subtags = language.split("-")[:_MOST_SUBTAGS]
    sections = (ANY, *("-".join(subtags[:count]) for count in range(1, len(subtags) + 1)))
    for rank, section in enumerate(sections):
        for (wanted, word), entry in lexicon.entries.items():
            if wanted == section:
                index.add(word, rank, entry)
    return index
