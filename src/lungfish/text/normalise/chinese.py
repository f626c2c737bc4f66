"""The Chinese reader: dates, times, phones and addresses here, amounts in `chinese_amounts`.

Years and codes are read figure by figure (二零二四年), phone numbers with 幺 for 1, days and hours as numbers. 〇 becomes
零. Reading a text that was read changes nothing.
"""

from __future__ import annotations

import functools
import re

from lungfish.text.normalise import chinese_amounts
from lungfish.text.normalise.chinese_numbers import cardinal, digit_by_digit
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
    before,
    is_afternoon,
    web_pieces,
)
from lungfish.text.normalise.rules import Rule, RuleReader
from lungfish.text.traced import TracedText

_STARTS = re.compile(
    r"[0-9½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞$€£¥￥₩₽₹〇№%％‰℃℉&@+±×÷=≈<>≤≥→]|[-–—−](?=[0-9$€£¥￥])|(?<=[\u4e00-\u9fff℃%％A-Za-z])[~〜～](?=[0-9$€£¥￥])|(?<![A-Za-z0-9])[A-Za-z]"
)
_CALLS = re.compile(
    r"(?:电话|手机|号码|拨打|拨|致电|热线|客服|传真|短信|报警|Tel|TEL)(?:号码?|是|为|至|到)?[\"“「:：. 了]{0,3}$"
)
_LONG_AGO = re.compile(r"(?:多|余|前|来|之久|的?历史|间)")
_MARKS = {
    ".": "点",
    "/": "斜杠",
    "@": "艾特",
    "-": "杠",
    "_": "下划线",
    ":": "冒号",
    "?": "问号",
    "=": "等于",
    "&": "和",
    "#": "井号",
}
_SYMBOLS = {
    "&": "和", "+": "加", "×": "乘", "÷": "除以", "=": "等于", "≈": "约等于", "≤": "小于等于", "≥": "大于等于", "→": "到",
    "±": "正负", "℃": "摄氏度", "℉": "华氏度", "‰": "千分比",
}  # fmt: skip


def _year(match: re.Match[str]) -> str | None:
    digits, follows = match["year"], match.string[match.end() : match.end() + 3]
    if match["mark"] == "年" and digits.endswith("00") and _LONG_AGO.match(follows):
        return None  # 2000年前, 1500年的历史
    first = f"{digit_by_digit(match['first'])}到" if match["first"] else ""
    return first + digit_by_digit(digits) + match["mark"]


def _short_year(match: re.Match[str]) -> str:
    return digit_by_digit(match["year"])


def _date(match: re.Match[str]) -> str:
    return f"{digit_by_digit(match['year'])}年{cardinal(match['month'])}月{cardinal(match['day'])}日"


def _month(match: re.Match[str]) -> str:
    return f"{digit_by_digit(match['year'])}年{cardinal(match['month'])}月"


def _clock(hour: str, minute: str, second: str | None = None) -> str:
    hour = hour.lstrip("0") or "0"
    words = ("两" if hour == "2" else cardinal(hour)) + "点"
    if int(minute) or second:
        words += _minutes(minute) + "分"
    return words + (_minutes(second) + "秒" if second else "")


def _minutes(digits: str) -> str:
    return digit_by_digit(digits) if digits[0] == "0" and digits != "00" else cardinal(digits)


def _time(match: re.Match[str]) -> str:
    words = _clock(match["hour"], match["minute"], match["second"])
    if match["half"] is None:
        return words
    return ("下午" if is_afternoon(match["half"]) else "上午") + words


def _times(match: re.Match[str]) -> str:
    return f"{_clock(match['hour'], match['minute'])}到{_clock(match['hour2'], match['minute2'])}"


def _spoken_minute(match: re.Match[str]) -> str:
    return _minutes(match["minute"])


def _phone(match: re.Match[str]) -> str:
    words = [digit_by_digit(group, one="幺") for group in re.findall("[0-9]+", match.group())]
    return ("加" if match.group().startswith("+") else "") + "，".join(words)


def _called(match: re.Match[str]) -> str | None:
    return _phone(match) if _CALLS.search(before(match, 16)) else None


def _room(match: re.Match[str]) -> str:
    return digit_by_digit(match["number"], one="幺")


def _train(match: re.Match[str]) -> str:
    return match["letter"] + digit_by_digit(match["number"], one="幺")


def _chain(match: re.Match[str]) -> str:
    return "杠".join(digit_by_digit(p) if p[0] == "0" else cardinal(p, order=True) for p in match["parts"].split("-"))


def _web(match: re.Match[str]) -> str:
    pieces = (
        digit_by_digit(p) if p.isdigit() else _MARKS.get(p, p if p.isalpha() else "") for p in web_pieces(match.group())
    )
    return "".join(pieces)


def _first(match: re.Match[str]) -> str:
    return "第" + cardinal(match["number"], order=True)


def _equation(match: re.Match[str]) -> str:
    return "减"


def _compared(match: re.Match[str]) -> str:
    return {"<": "小于", ">": "大于"}[match.group()]


def _symbol(match: re.Match[str]) -> str:
    return _SYMBOLS[match.group()]


def _rules() -> list[Rule]:
    separate = r"[- \u00a0]"
    return [
        Rule("web", WEB, _web, "A-Za-z0-9"),
        Rule("zero", re.compile("〇"), lambda match: "零", "〇"),
        Rule("date", DATE, _date, "0-9"),
        Rule("date", MONTH, _month, "0-9"),
        Rule(
            "year",
            re.compile(
                rf"{BEGIN}(?:(?P<first>[12][0-9]{{3}})年?{TO})?(?P<year>[12][0-9]{{3}}){GAP}?"
                r"(?P<mark>年(?!级)|学年|赛季|届(?=毕业|高考))"
            ),
            _year,
            "0-9",
        ),
        Rule(
            "year",
            re.compile(
                rf"{BEGIN}(?P<year>[0-9]{{2}})(?=年{GAP}?(?:1[0-2]|[1-9])月|后(?!面|来|天|边|者|方)|级(?:学生|新生))"
            ),
            _short_year,
            "0-9",
        ),
        Rule("time", TIMES, _times, "0-9"),
        Rule("time", TIME, _time, "0-9"),
        Rule("minute", re.compile(r"(?<=[0-9点时])(?P<minute>0[1-9])(?=分)"), _spoken_minute, "0"),
        Rule(
            "phone",
            re.compile(rf"(?<![0-9A-Za-z])\+(?:[0-9]{{1,3}})(?:{separate}?[0-9]{{1,11}}){{2,5}}(?![0-9])"),
            _phone,
            "+",
        ),
        Rule(
            "phone",
            re.compile(
                rf"(?<![0-9.,-])(?:1[3-9][0-9]{separate}?[0-9]{{4}}{separate}?[0-9]{{4}}"
                rf"|0[0-9]{{2,3}}{DASH}[0-9]{{7,8}}|[48]00{DASH}?[0-9]{{3,4}}{DASH}[0-9]{{3,4}})(?![0-9]|[.,-][0-9])"
            ),
            _phone,
            "0-9",
        ),
        Rule(
            "phone",
            re.compile(rf"(?<![0-9.,-])[0-9]{{3,12}}(?:{separate}[0-9]{{3,8}}){{0,3}}(?![0-9])"),
            _called,
            "0-9",
        ),
        Rule(
            "room",
            re.compile(rf"{BEGIN}(?P<number>[1-9][0-9]{{2,3}})(?=室|号房|房间|房(?!子)|宿舍|路公交)"),
            _room,
            "0-9",
        ),
        Rule(
            "train",
            re.compile(r"(?<![A-Za-z0-9])(?P<letter>[GDCZTKSY])(?P<number>[0-9]{2,4})(?=次|号?列车|高铁)"),
            _train,
            "A-Z",
        ),
        Rule("number", re.compile(rf"(?:No\.?|NO\.?|№){GAP}?(?P<number>[0-9]{{1,9}})(?![0-9])"), _first, "N№"),
        Rule(
            "minus",
            re.compile(rf"(?<=[0-9零一二两三四五六七八九十百千万亿]){DASH}(?=[0-9]{{1,9}}{GAP}?[=＝])"),
            _equation,
            "–—−-",
        ),
        Rule("chain", CHAIN, _chain, "0-9"),
        *chinese_amounts.rules(),
        Rule("to", re.compile(r"(?<=[\u4e00-\u9fff℃%％A-Za-z])[~〜～](?=[0-9$€£¥￥])"), lambda match: "到", "~〜～"),
        Rule("compared", re.compile(rf"(?<![<>])[<>](?={GAP}?[0-9])"), _compared, "<>"),
        Rule("symbol", re.compile("[&+×÷=≈≤≥→±℃℉‰]"), _symbol, "&+×÷=≈≤≥→±℃℉‰"),
    ]


@functools.cache
def reader() -> RuleReader:
    """The rules."""
    return RuleReader(_rules(), _STARTS)


def read(text: TracedText) -> TracedText:
    """`text` as it is said."""
    return reader().read_until_stable(text)
