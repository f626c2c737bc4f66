"""The machine under every language's reader: an ordered list of rules, applied in one pass from left to right.

At each place the first rule whose pattern matches there wins and its reading replaces the match; what a rule has read is
never read again, so rules cannot trip over each other's output. A rule that answers None passes the place on to the rules
after it. Patterns see the whole text (look-behind works). Work is linear in the text as long as a pattern looks at a
bounded stretch (`{0,8}`, not `*`), or consumes a run possessively and can begin only where the run begins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lungfish.text.traced import TracedText

Reading = Callable[[re.Match[str]], str | None]


@dataclass(frozen=True)
class Rule:
    """Attributes:
    name: what it reads, such as "money".
    pattern: matched (not searched) at a place.
    read: the match -> words ("" drops it), or None when it is not what it looked like.
    first: the characters at which it may begin, as the inside of a character class ("0-9."); "": any. Only saves time.
    """

    name: str
    pattern: re.Pattern[str]
    read: Reading
    first: str = ""


_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]{0,3}\s{1,4}[\"'“‘«(\[]{0,2}$")
_TAIL = 12
_MAX_READINGS = 8


def _begins_sentence(parts: Sequence[TracedText]) -> bool:
    """Whether what has been read so far, `parts`, ends in the end of a sentence."""
    tail = ""
    for part in reversed(parts):
        tail = part.text[-_TAIL:] + tail
        if len(tail) >= _TAIL:
            break
    return _SENTENCE_END.search(tail) is not None


class RuleReader:
    """Reads a text by rules.

    Args:
        rules: tried in this order at each place.
        starts: matches a character at which any rule may begin; the other places are skipped.
        sentence_case: a reading that begins a sentence within the text begins with a capital, so that "Gone. 5 left." still
            looks like two sentences.
    """

    def __init__(self, rules: Sequence[Rule], starts: re.Pattern[str], *, sentence_case: bool = False) -> None:
        self.rules, self._starts, self._sentence_case = tuple(rules), starts, sentence_case
        self._firsts = [re.compile(f"[{rule.first}]" if rule.first else ".", re.DOTALL) for rule in self.rules]
        self._by_character: dict[str, tuple[Rule, ...]] = {}

    def read(self, text: TracedText) -> TracedText:
        """`text` with everything that a rule reads in words."""
        source, parts, done, place = text.text, [], 0, 0
        while (found := self._starts.search(source, place)) is not None:
            place = found.start()
            if place >= len(source):
                break
            match, words = self._first(source, place)
            if match is None or words is None or match.end() == place:
                place += 1
                continue
            parts.append(text[done:place])
            if self._sentence_case and _begins_sentence(parts):
                words = words[:1].upper() + words[1:]
            parts.append(TracedText.standing_for(words, *text.span_of(place, match.end())))
            done = place = match.end()
        if not parts:
            return text
        parts.append(text[done:])
        return TracedText.joined(parts)

    def read_until_stable(self, text: TracedText) -> TracedText:
        """`read` until it changes nothing: where symbols touch ("3%%"), a reading can make its neighbour readable.

        Ordinary text is stable after one reading; the bound on the readings keeps the work linear for any other.
        """
        for _ in range(_MAX_READINGS):
            done = self.read(text)
            if done is text:
                break
            text = done
        return text

    def _first(self, source: str, place: int) -> tuple[re.Match[str] | None, str | None]:
        for rule in self._rules_at(source[place]):
            match = rule.pattern.match(source, place)
            if match is not None:
                words = rule.read(match)
                if words is not None:
                    return match, words
        return None, None

    def _rules_at(self, character: str) -> tuple[Rule, ...]:
        rules = self._by_character.get(character)
        if rules is None:
            pairs = zip(self.rules, self._firsts, strict=True)
            rules = tuple(rule for rule, first in pairs if first.match(character))
            self._by_character[character] = rules
        return rules
