"""Times of day and durations in English.

10:30 is a time of day and so is 3:16 of a verse; "ratio", "odds" or "scale" before it make it a ratio, and h:mm:ss is a
duration unless A M or P M follow. Full hours are "o'clock" up to twelve and "hundred" after.
"""

from __future__ import annotations

import re

from lungfish.text.normalise.english_context import GAP, apart, before, previous_word, with_stop
from lungfish.text.normalise.english_numbers import ONES, cardinal, decimal, two_digits
from lungfish.text.normalise.rules import Rule
from lungfish.text.normalise.word_lists import word_set


def time_words(hour: int, minute: int, *, half: str = "", second: int | None = None, places: str = "") -> str:
    """A time of day: 10:05 "ten oh five", 10:00 "ten o'clock", 14:00 "fourteen hundred", with half "ten A M".

    Args:
        hour, minute, second: as on a clock.
        half: "a" or "p" for A M and P M.
        places: digits behind the point of the seconds.
    """
    hours = two_digits(hour)
    if minute:
        words = f"{hours} {two_digits(minute) if minute >= 10 else 'oh ' + ONES[minute]}"
    elif half or second is not None:
        words = hours
    elif hour == 0:
        words = "midnight"
    else:
        words = f"{hours} o'clock" if hour <= 12 else f"{hours} hundred"
    if second is not None:
        seconds = decimal(str(second), places) if places else two_digits(second)
        words += f" and {seconds} second{'' if second == 1 and not places else 's'}"
    return f"{words} {half.upper()} M" if half else words


def duration_words(hours: int, minutes: int, seconds: int, places: str = "") -> str:
    """3:00:15 -> "three hours, zero minutes and fifteen seconds"."""

    def count(number: int, unit: str) -> str:
        return f"{two_digits(number)} {unit}{'' if number == 1 else 's'}"

    last = f"{decimal(str(seconds), places)} seconds" if places else count(seconds, "second")
    return f"{count(hours, 'hour')}, {count(minutes, 'minute')} and {last}"


_BOOKS = word_set(
    "genesis exodus leviticus numbers deuteronomy joshua judges ruth samuel kings chronicles ezra nehemiah esther job psalm "
    "psalms proverbs ecclesiastes isaiah jeremiah lamentations ezekiel daniel hosea joel amos obadiah jonah micah nahum "
    "habakkuk zephaniah haggai zechariah malachi matthew mark luke john acts romans corinthians galatians ephesians "
    "philippians colossians thessalonians timothy titus philemon hebrews james peter jude revelation quran surah "
    "gen ex lev deut ps prov isa jer ezek dan matt mt mk lk jn rom cor gal eph phil col tim heb rev"
)


def rules() -> list[Rule]:
    """Rules for times."""

    def clock(match: re.Match[str]) -> str | None:
        hour, minute, half = int(match["hour"]), int(match["minute"]), (match["half"] or "").lower()
        if not half and re.search(r"\b(?:ratio|scale|odds|aspect|mix)\b", before(match, 30), re.IGNORECASE):
            return None
        if match["second"] is None:
            words = time_words(hour, minute, half=half)
        elif half:
            words = time_words(hour, minute, half=half, second=int(match["second"]), places=match["places"] or "")
        else:
            words = duration_words(hour, minute, int(match["second"]), match["places"] or "")
        return apart(match, with_stop(match, words) if half else words)

    def verse(match: re.Match[str]) -> str | None:
        if previous_word(match).lower() not in _BOOKS:
            return None
        return apart(match, f"{cardinal(match['chapter'])} {cardinal(match['verse'])}")

    def half_day(match: re.Match[str]) -> str:
        minute = int(match["minute"]) if match["minute"] else 0
        words = time_words(int(match["hour"]), minute, half=match["half"].lower())
        return apart(match, with_stop(match, words))

    def half_alone(match: re.Match[str]) -> str:
        return with_stop(match, f"{match['half'].upper()} M")

    am_pm = r"(?P<half>[ap])(?:\.m\.|\.?m(?!\w))"
    hour, minute = r"(?:2[0-4]|1[0-9]|0?[0-9])", r"[0-5][0-9]"
    clear = r"(?<![\w:])(?<![0-9][.,])"  # not inside another number
    return [
        Rule(
            "verse",
            re.compile(rf"{clear}(?P<chapter>[0-9]{{1,3}}):(?P<verse>[0-9]{{1,3}})(?![\w:]|[.,][0-9])"),
            verse,
            "0-9",
        ),
        Rule(
            "time",
            re.compile(
                rf"{clear}(?P<hour>{hour}):(?P<minute>{minute})(?::(?P<second>{minute})(?:\.(?P<places>[0-9]{{1,6}}))?)?"
                rf"(?:{GAP}?{am_pm})?(?![^\W_]|:[0-9]|\.[0-9])",
                re.IGNORECASE,
            ),
            clock,
            "0-9",
        ),
        Rule(
            "time",
            re.compile(
                rf"{clear}(?P<hour>1[0-2]|0?[1-9])(?:\.(?P<minute>{minute}))?{GAP}?{am_pm}(?![^\W_])", re.IGNORECASE
            ),
            half_day,
            "0-9",
        ),
        Rule("time", re.compile(r"(?<!\w)(?P<half>[AaPp])\.[Mm]\.(?!\w)"), half_alone, "AaPp"),
    ]
