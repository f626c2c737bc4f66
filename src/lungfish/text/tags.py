"""Tags such as [whisper] and turns such as <|speaker:1|> in plain words, and which tags a checkpoint performs.

What is a tag: brackets on one line around 1 to 80 characters with a letter among them. What stays text: brackets that are
never closed; brackets that contain brackets, with all that they contain ("[very [quiet] indeed]"); empty ones, numbers and
footnote marks ([1], [^1]), single Latin letters and task boxes ([x], a[i]), escaped ones (\\[no\\]), and Markdown's links:
[text](address), ![picture](address) and, where the text defines `ref`, [text][ref], [ref][] and [ref].

Invariants: a tag inside a word stands in front of the word, which stays whole; tags and turns keep their number and order;
no other character is lost; splitting the words again finds nothing new, unless a link's definition stood in other words.
Work is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lungfish.text.parts import Parsed, Part, Tag, TextWarning, Turn, Words
from lungfish.text.traced import TracedText

MAX_TAG_CHARACTERS = 80
_MAX_NAMED = 12  # names in a warning

_TURN = r"<\|speaker:(?P<speaker>[0-9]{1,6})\|>"
_MARK = re.compile(rf"{_TURN}|\\[\[\]]|[\[\]\n\r]")
_TURN_ONLY = re.compile(_TURN)
_INVISIBLE = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]")
_ADDRESS = re.compile(
    r"\([^\s()\[\]]{0,2000}+(?:\([^\s()\[\]]{0,500}+\)[^\s()\[\]]{0,500}+)?(?:\s\"[^\"\n]{0,200}+\")?\)"
)
_DEFINITION = re.compile(r"^[ ]{0,3}\[([^\[\]\n^][^\[\]\n]{0,198})\]:[ \t]{1,8}(?:\S{0,2000}/|#|<)", re.MULTILINE)
_LABEL = re.compile(r"\[([^\[\]\n]{1,200}+)\]")
# Letters, digits and apostrophes of scripts that put blanks between words; in others a tag stays where it is.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
_LETTER = re.compile(rf"[^\W{_UNSPACED}]|['’\u0300-\u036f]")


@dataclass(frozen=True)
class TagPolicy:
    """Attributes:
    known: names of the tags that a checkpoint performs; None: any phrase (free text).
    aliases: other spelling -> known name; both in small letters.
    """

    known: tuple[str, ...] | None
    aliases: Mapping[str, str] = field(default_factory=dict)

    def canonical(self, name: str) -> str | None:
        """The known name for `name`, or None where the checkpoint has none; free text keeps every name as it is."""
        if self.known is None:
            return name
        folded = " ".join(name.casefold().replace("_", " ").replace("-", " ").split())
        found = self.aliases.get(folded, folded)
        return found if found in self.known else None


FREE_TEXT = TagPolicy(None)
_BUNDLED_SPELLINGS = {
    "whisper": ("whispering", "whispers", "whispered", "in a whisper"),
    "shout": ("shouting", "shouts", "shouted", "loud", "loudly", "yell", "yelling"),
    "soft": ("quiet", "softly", "quietly", "soft voice"),
    "slow": ("slowly", "slower"),
    "fast": ("quickly", "in a hurry", "faster", "hurried"),
    "high pitch": ("pitch up", "high pitched", "high voice", "higher pitch"),
    "low pitch": ("pitch down", "low pitched", "low voice", "lower pitch", "deep voice"),
    "pause": ("short pause", "pauses", "break"),
    "long pause": ("long break", "long silence"),
    "breath": ("inhale", "inhales", "sigh", "sighs", "sighing", "breathes", "deep breath"),
    "laugh": ("laughing", "laughs", "laughter", "chuckle", "chuckles", "chuckling", "giggle"),
    "excited": ("happy", "excitedly", "happily"),
    "sad": ("tired", "sadly", "tiredly"),
}
BUNDLED = TagPolicy(
    tuple(_BUNDLED_SPELLINGS), {alias: name for name, aliases in _BUNDLED_SPELLINGS.items() for alias in aliases}
)


def split_tags(text: TracedText) -> list[Words | Tag | Turn]:
    """Words, tags and turns in order, none empty; blanks around a tag stay with the words.

    Args:
        text: plain words, as typed; not yet cleaned.

    Returns:
        All of `text`; one `Words` where there is nothing else in it, [] for an empty text.
    """
    source, parts, done = text.text, [], 0
    word: list[TracedText] = []  # a word that tags were moved in front of, as far as it is known

    def write(*pieces: TracedText) -> None:
        words = TracedText.joined(pieces)
        if words.text:
            parts.append(Words(words))

    for start, end, marks in _clusters(text):
        begin = _word_start(source, done, start)
        inside = begin < start and end < len(source) and _LETTER.match(source, end) and isinstance(marks[0], Tag)
        if not inside:
            write(*word, text[done:start])
            word = []
        elif begin > done or not word:
            write(*word, text[done:begin])
            word = [text[begin:start]]
        else:
            word.append(text[done:start])
        parts.extend(marks)
        done = end
    write(*word, text[done:])
    return parts


def apply_policy(parts: Sequence[Part], policy: TagPolicy) -> Parsed:
    """Parts with only the tags that `policy` knows, by their canonical names.

    Returns:
        The parts, and a warning for each tag that was dropped.
    """
    done = Parsed()
    for part in parts:
        if not isinstance(part, Tag):
            done.parts.append(part)
            continue
        name = policy.canonical(part.name)
        if name is None:
            done.warnings.append(TextWarning(_unknown(part.name, policy), part.start, part.end))
        else:
            done.parts.append(part if name == part.name else Tag(name, part.start, part.end))
    return done


def _unknown(name: str, policy: TagPolicy) -> str:
    known = policy.known or ()
    listed = ", ".join(known[:_MAX_NAMED]) + (", ..." if len(known) > _MAX_NAMED else "")
    return f"[{name}] was left out: this checkpoint performs {listed or 'no tags'}"


def _word_start(source: str, least: int, end: int) -> int:
    """Where the word that ends at `end` begins, not before `least`."""
    begin = end
    while begin > least and _LETTER.match(source[begin - 1]):
        begin -= 1
    return begin


def _clusters(text: TracedText) -> Iterator[tuple[int, int, list[Tag | Turn]]]:
    """Tags that touch each other, together; each turn by itself. Positions in `text`."""
    begin, end, held = 0, 0, []
    for start, stop, mark in _marks(text):
        if held and start == end and isinstance(mark, Tag) and isinstance(held[-1], Tag):
            held.append(mark)
        else:
            if held:
                yield begin, end, held
            begin, held = start, [mark]
        end = stop
    if held:
        yield begin, end, held


def _marks(text: TracedText) -> Iterator[tuple[int, int, Tag | Turn]]:
    """Every tag and turn with its place in `text`."""
    source = text.text
    labels = link_labels(source)
    for start, end in _outer_brackets(source):
        if source[start] == "<":
            found = _TURN_ONLY.match(source, start)
            assert found is not None
            yield start, end, Turn(int(found["speaker"]), None, *text.span_of(start, end))
        else:
            name = " ".join(_INVISIBLE.sub("", source[start + 1 : end - 1]).split())
            if _is_name(name) and not _is_link(source, start, end, labels):
                yield start, end, Tag(name, *text.span_of(start, end))


def _outer_brackets(source: str) -> Iterator[tuple[int, int]]:
    """Turns, and pairs of brackets short enough for a tag that neither hold a pair nor lie in one, in order."""
    line: list[tuple[int, int]] = []
    opened: list[tuple[int, int]] = []  # place of a bracket, and the number of pairs that closed before it
    for mark in _MARK.finditer(source):
        what = mark.group()
        if what == "[":
            opened.append((mark.start(), len(line)))
        elif what == "]" and opened:
            start, before = opened.pop()
            nested = len(line) > before
            del line[before:]
            line.append((start, start if nested else mark.end()))
        elif what[0] == "<" or what in "\n\r":
            yield from _short(line)
            line, opened = [], []
            if what[0] == "<":
                yield mark.span()
    yield from _short(line)


def _short(pairs: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    return (pair for pair in pairs if 2 < pair[1] - pair[0] <= MAX_TAG_CHARACTERS + 2)


def _is_name(name: str) -> bool:
    if name.startswith("^") or "<|" in name or "|>" in name:
        return False
    return any(map(str.isalpha, name)) and not (len(name) == 1 and name.isascii())


def link_labels(source: str) -> frozenset[str]:
    """Labels that lines such as "[label]: https://..." define, in small letters."""
    return frozenset(" ".join(found[1].casefold().split()) for found in _DEFINITION.finditer(source))


def _is_link(source: str, start: int, end: int, labels: frozenset[str]) -> bool:
    if _ADDRESS.match(source, end):
        return True
    if not labels:
        return False
    label = " ".join(source[start + 1 : end - 1].casefold().split())
    after = _LABEL.match(source, end)
    if after is not None and " ".join(after[1].casefold().split()) in labels:
        return True
    return label in labels
