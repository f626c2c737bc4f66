"""The Japanese reader: figures become kanji numerals, signs and units become words.

What a counter makes of a numeral (一人, 二十日, 三本) is left to the voice, which reads kanji. Phone numbers are read figure
by figure, の between their groups. Reading a text that was read changes nothing.
"""

from __future__ import annotations

import functools
import re

from lungfish.text.normalise import japanese_amounts
from lungfish.text.normalise.east_asian import (
    BEGIN,
    CHAIN,
    DASH,
    DATE,
    GAP,
    MONTH,
    TIME,
    TIMES,
    TO,
    WEB,
    alternatives,
    before,
    is_afternoon,
    web_pieces,
)
from lungfish.text.normalise.japanese_numbers import cardinal, digit_by_digit
from lungfish.text.normalise.japanese_units import NAMES
from lungfish.text.normalise.rules import Rule, RuleReader
from lungfish.text.traced import TracedText

_STARTS = re.compile(
    r"[〒0-9½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞$€£¥￥₩₽₹〇№%％‰℃℉&@+±×÷=≈<>≤≥→]|[-–—−](?=[0-9$€£¥￥])|(?<=[一二三四五六七八九十])[〜～~]|(?<=[\u4e00-\u9fff℃%％A-Za-z])[~〜～](?=[0-9$€£¥￥])"
    r"|[一二三四五六七八九](?=[〇一二三四五六七八九])|(?<![A-Za-z0-9])[A-Za-z]"
)
_CALLS = re.compile(r"(?:電話|番号|携帯|TEL|Tel|FAX|ファックス|通報)(?:番号)?(?:は|へ|で)?[\"「『:：. ]{0,3}$")
_MARKS = {
    ".": "ドット", "/": "スラッシュ", "@": "アットマーク", "-": "ハイフン", "_": "アンダーバー", ":": "コロン", "?": "はてな", "=": "イコール",
    "&": "アンド", "#": "シャープ", "%": "パーセント", "+": "プラス", "~": "チルダ",
}  # fmt: skip
_SYMBOLS = {
    "&": "アンド", "+": "プラス", "×": "かける", "÷": "割る", "=": "イコール", "≈": "約", "≤": "小なりイコール", "≥": "大なりイコール", "→": "から",
    "±": "プラスマイナス", "℃": "度", "℉": "華氏度", "%": "パーセント", "％": "パーセント", "‰": "パーミル",
}  # fmt: skip
_WEEKDAYS = "月火水木金土日祝"


def _date(match: re.Match[str]) -> str:
    return f"{cardinal(match['year'])}年{cardinal(match['month'])}月{cardinal(match['day'])}日"


def _month(match: re.Match[str]) -> str:
    return f"{cardinal(match['year'])}年{cardinal(match['month'])}月"


def _day(match: re.Match[str]) -> str:
    return f"{cardinal(match['month'])}月{cardinal(match['day'])}日"


def _positional(match: re.Match[str]) -> str:
    """Kanji that stand for figures: 二〇二四年 is said 二千二十四年."""
    return cardinal(match.group().translate(str.maketrans("〇零一二三四五六七八九", "00123456789")))


def _clock(hour: str, minute: str, second: str | None = None) -> str:
    words = cardinal(hour) + "時"
    if int(minute) or second:
        words += cardinal(minute) + "分"
    return words + (cardinal(second) + "秒" if second else "")


def _time(match: re.Match[str]) -> str:
    words = _clock(match["hour"], match["minute"], match["second"])
    if match["half"] is None:
        return words
    return ("午後" if is_afternoon(match["half"]) else "午前") + words


def _times(match: re.Match[str]) -> str:
    return f"{_clock(match['hour'], match['minute'])}から{_clock(match['hour2'], match['minute2'])}"


def _phone(match: re.Match[str]) -> str:
    words = [digit_by_digit(group) for group in re.findall("[0-9]+", match.group())]
    return ("プラス" if match.group().startswith("+") else "") + "の".join(words)


def _called(match: re.Match[str]) -> str | None:
    return _phone(match) if _CALLS.search(before(match, 16)) else None


def _chain(match: re.Match[str]) -> str:
    return "の".join(digit_by_digit(part) if part[0] == "0" else cardinal(part) for part in match["parts"].split("-"))


def _room(match: re.Match[str]) -> str:
    return digit_by_digit(match["number"])


def _web(match: re.Match[str]) -> str:
    pieces = (
        digit_by_digit(p) if p.isdigit() else _MARKS.get(p, p if p.isalpha() else "") for p in web_pieces(match.group())
    )
    return "".join(pieces)


def _numbered(match: re.Match[str]) -> str:
    return "ナンバー" + cardinal(match["number"])


def _name(match: re.Match[str]) -> str:
    return NAMES[match.group()]


def _compared(match: re.Match[str]) -> str:
    return {"<": "小なり", ">": "大なり"}[match.group()]


def _symbol(match: re.Match[str]) -> str:
    return _SYMBOLS[match.group()]


def _rules() -> list[Rule]:
    separate = r"[- \u00a0]"
    return [
        Rule("web", WEB, _web, "A-Za-z0-9"),
        Rule("name", re.compile(rf"(?<![A-Za-z0-9.])(?:{alternatives(NAMES)})(?![A-Za-z0-9])"), _name, "2-8"),
        Rule(
            "year",
            re.compile(r"(?<![〇零一二三四五六七八九])[一二][〇零一二三四五六七八九]{3}(?=年)"),
            _positional,
            "一二",
        ),
        Rule(
            "zero", re.compile("〇(?=[一二三四五六七八九十点])|(?<=[一二三四五六七八九点])〇"), lambda match: "零", "〇"
        ),
        Rule("date", DATE, _date, "0-9"),
        Rule("date", MONTH, _month, "0-9"),
        Rule(
            "date",
            re.compile(rf"{BEGIN}(?P<month>1[0-2]|0?[1-9])/(?P<day>3[01]|[12][0-9]|0?[1-9])(?=[(（][{_WEEKDAYS}])"),
            _day,
            "0-9",
        ),
        Rule("time", TIMES, _times, "0-9"),
        Rule("time", TIME, _time, "0-9"),
        Rule(
            "phone",
            re.compile(rf"(?<![0-9A-Za-z])\+[0-9]{{1,3}}(?:{separate}?[0-9]{{1,11}}){{2,5}}(?![0-9])"),
            _phone,
            "+",
        ),
        Rule(
            "phone",
            re.compile(
                rf"(?<![0-9.,-])(?:0[0-9]{{1,4}}(?:{DASH}|[(]|{GAP})[0-9]{{1,4}}(?:{DASH}|[)]|{GAP})[0-9]{{3,4}}|0[5789]0[0-9]{{8}})"
                r"(?![0-9]|[.,-][0-9])"
            ),
            _phone,
            "0",
        ),
        Rule("post", re.compile(r"〒?(?<![0-9.,-])[0-9]{3}-[0-9]{4}(?![0-9]|[.,-][0-9])"), _phone, "〒0-9"),
        Rule(
            "phone",
            re.compile(rf"(?<![0-9.,-])[0-9]{{3,12}}(?:{separate}[0-9]{{3,8}}){{0,3}}(?![0-9])"),
            _called,
            "0-9",
        ),
        Rule("room", re.compile(rf"{BEGIN}(?P<number>[1-9][0-9]{{2,3}})(?=号室|教室)"), _room, "0-9"),
        Rule("number", re.compile(rf"(?:No\.?|NO\.?|№){GAP}?(?P<number>[0-9]{{1,9}})(?![0-9])"), _numbered, "N№"),
        Rule(
            "minus",
            re.compile(rf"(?<=[0-9一二三四五六七八九十百千万億零]){DASH}(?=[0-9]{{1,9}}{GAP}?[=＝])"),
            lambda match: "引く",
            "–—−-",
        ),
        Rule("chain", CHAIN, _chain, "0-9"),
        *japanese_amounts.rules(),
        Rule(
            "to",
            re.compile(rf"(?<=[一二三四五六七八九十]){TO}(?=[一二三四五六七八九十])"),
            lambda match: "から",
            "〜～~",
        ),
        Rule("to", re.compile(r"(?<=[\u4e00-\u9fff℃%％A-Za-z])[~〜～](?=[0-9$€£¥￥])"), lambda match: "から", "~〜～"),
        Rule("compared", re.compile(rf"(?<![<>])[<>](?={GAP}?[0-9])"), _compared, "<>"),
        Rule("symbol", re.compile("[&+×÷=≈≤≥→±℃℉%％‰]"), _symbol, "&+×÷=≈≤≥→±℃℉%％‰"),
    ]


@functools.cache
def reader() -> RuleReader:
    """The rules."""
    return RuleReader(_rules(), _STARTS)


def read(text: TracedText) -> TracedText:
    """`text` as it is said."""
    return reader().read_until_stable(text)
