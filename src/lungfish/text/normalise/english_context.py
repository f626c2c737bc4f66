"""What stands around a match: neighbouring words, sentence ends, plural nouns. All of it looks at a bounded stretch.

Source: none; hand-made lists of the commonest English words.
"""

from __future__ import annotations

import re

from lungfish.text.normalise.word_lists import word_set

GAP = r"[ \u00a0\u202f\u2009]"
_REACH = 48
_TOUCHING = (
    "([{<\"'“‘«-–—−/\\+=&@#~*>≤≥≈±×÷→√∑∫∂∆№§¶|^_"  # brackets and hyphens stay attached; symbols bring their own blanks
)
_PREVIOUS = re.compile(r"([^\W\d_]{1,30})(?:['’]s)?\.?[ \u00a0\u202f]{1,2}$")
_NEXT = re.compile(r"[ \u00a0\u202f-]{1,2}([^\W\d_]{1,30})(?![^\W_])")
_END_OF_TEXT = re.compile(r"[\"'”’»)\]]{0,4}[ \t]{0,20}(?:[\r\n]|\Z)")
_NEXT_SENTENCE = re.compile(r"[\"'”’»)\]]{0,4}\s{1,8}[\"'“‘«(\[]{0,3}([A-Z][a-z]{0,12})(?![\w])")

# Words that open a sentence far more often than they follow an abbreviation within one.
STARTERS = word_set(
    "The A An He She It They We You I In On At But And So This That These Those There When Where What Who Why How "
    "If As Then Now No Yes Not My His Her Its Our Their Your For From To After Before While Although However Once "
    "One Some Many Most Every Each All Both Let Please Did Do Does Is Are Was Were Will Would Can Could Should Have "
    "Has Had"
)
FUNCTION_WORDS = word_set(
    "a about above across after against all along also although among an and another any are around as at because "
    "been before behind being below beneath beside between beyond both but by can could did do does down during "
    "each either every few for from had has have he her here hers his how i if in inside into is it its just like "
    "many may me might more most must my near neither nor not now of off on once one only onto or other our out "
    "outside over own per same shall she should since so some such than that the their them then there these they "
    "this those through to too toward towards under until up upon us was we were what when where whether which "
    "while who whom whose why will with within without would yet you your yes no please hello hi ok okay see visit "
    "said says"
)
_NOT_PLURAL = FUNCTION_WORDS | word_set(
    "always perhaps versus plus minus news across besides sometimes afterwards nowadays thus gas bus lens chaos "
    "bias atlas canvas christmas texas kansas paris series means sees gets says goes comes makes takes gives brings "
    "begins starts ends sees seems looks becomes remains marks reads tells runs needs wants works does shows asks "
    "calls plays presidents"
)
_IRREGULAR_PLURALS = word_set(
    "people men women children feet mice teeth geese sheep deer fish aircraft troops cattle police personnel "
    "dollars euros pounds percent million billion thousand hundred dozen inhabitants francs yen square cubic metric "
    "nautical"
)
_ADJECTIVES = word_set(
    "new old more other different small large big great young armed american british english french german spanish "
    "italian chinese japanese russian indian native local foreign human civil military extra additional separate "
    "different individual active total full free wild red white black blue green long short million billion"
)


def before(match: re.Match[str], width: int = _REACH) -> str:
    """At most `width` characters in front of the match."""
    return match.string[max(0, match.start() - width) : match.start()]


def after(match: re.Match[str], width: int = _REACH) -> str:
    """At most `width` characters behind the match."""
    return match.string[match.end() : match.end() + width]


def character_before(match: re.Match[str]) -> str:
    """The character in front of the match, "" at the beginning."""
    return match.string[match.start() - 1 : match.start()] if match.start() else ""


def previous_word(match: re.Match[str]) -> str:
    """The word in front of the match and a blank, without possessive or full stop; "" if something else stands there."""
    found = _PREVIOUS.search(before(match, 36))
    return found[1] if found else ""


def next_word(text: str) -> str:
    """The word at the beginning of `text` behind a blank or hyphen, or ""."""
    found = _NEXT.match(text)
    return found[1] if found else ""


def counts_things(text: str) -> bool:
    """Whether `text`, what follows a number, begins with a plural noun, perhaps behind an adjective."""
    word = next_word(text)
    if not word or not word.islower():
        return False
    if word in _ADJECTIVES:
        rest = _NEXT.match(text)
        assert rest is not None
        following = next_word(text[rest.end() :])
        return bool(following) and _is_plural(following)
    return _is_plural(word)


def describes(match: re.Match[str]) -> bool:
    """Whether an amount describes the thing that follows: "a $5 bill", "a 5 km run"."""
    follows = next_word(after(match))
    if previous_word(match).lower() not in ("a", "an", "another"):
        return False
    return follows.islower() and follows not in FUNCTION_WORDS and not counts_things(after(match))


def _is_plural(word: str) -> bool:
    if word in _IRREGULAR_PLURALS:
        return True
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) and word not in _NOT_PLURAL


def apart(match: re.Match[str], words: str) -> str:
    """`words`, with blanks where the match touches letters, digits or brackets that belong to something else."""
    left, right = character_before(match), match.string[match.end() : match.end() + 1]
    if left and not left.isspace() and left not in _TOUCHING:
        words = " " + words
    if right and (right.isalnum() or right in "([{"):
        words += " "
    return words


def ends_sentence(match: re.Match[str]) -> bool:
    """Whether the full stop that the match took also ended a sentence: text or line end, or a new one clearly begins."""
    rest = after(match)
    if _END_OF_TEXT.match(rest):
        return True
    found = _NEXT_SENTENCE.match(rest)
    return found is not None and found[1] in STARTERS


def with_stop(match: re.Match[str], words: str) -> str:
    """`words`, with the full stop kept where the match ends in one that ended a sentence."""
    return words + "." if match.group().endswith(".") and ends_sentence(match) else words
