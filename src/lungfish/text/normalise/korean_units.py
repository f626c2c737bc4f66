"""Units, currencies, counters and particles of Korean."""

from __future__ import annotations

import re

from lungfish.text.normalise.east_asian import NO_LETTER, alternatives

UNITS = {
    "km": "킬로미터", "m": "미터", "cm": "센티미터", "mm": "밀리미터", "μm": "마이크로미터", "µm": "마이크로미터",
    "nm": "나노미터", "㎞": "킬로미터", "㎝": "센티미터", "㎜": "밀리미터",
    "kg": "킬로그램", "KG": "킬로그램", "Kg": "킬로그램", "g": "그램", "mg": "밀리그램", "μg": "마이크로그램", "㎏": "킬로그램",
    "t": "톤", "L": "리터", "l": "리터", "ℓ": "리터", "mL": "밀리리터", "ml": "밀리리터",
    "℃": "도", "°C": "도", "℉": "도", "°F": "도", "°": "도",
    "km²": "제곱킬로미터", "km2": "제곱킬로미터", "m²": "제곱미터", "m2": "제곱미터", "㎡": "제곱미터",
    "cm²": "제곱센티미터", "cm2": "제곱센티미터", "m³": "세제곱미터", "m3": "세제곱미터", "cm³": "세제곱센티미터",
    "cm3": "세제곱센티미터", "ha": "헥타르",
    "h": "시간", "min": "분", "s": "초", "ms": "밀리초",
    "W": "와트", "kW": "킬로와트", "MW": "메가와트", "kWh": "킬로와트시", "V": "볼트", "kV": "킬로볼트", "A": "암페어",
    "mA": "밀리암페어", "mAh": "밀리암페어시", "Hz": "헤르츠", "kHz": "킬로헤르츠", "MHz": "메가헤르츠", "GHz": "기가헤르츠",
    "dB": "데시벨", "Pa": "파스칼", "hPa": "헥토파스칼", "kPa": "킬로파스칼", "J": "줄", "kJ": "킬로줄", "cal": "칼로리",
    "kcal": "킬로칼로리", "KB": "킬로바이트", "MB": "메가바이트", "GB": "기가바이트", "TB": "테라바이트",
}  # fmt: skip
UNIT = rf"(?:(?P<unit>{alternatives(UNITS)}){NO_LETTER}(?![²³0-9]))"
SCALES_OF_HEAT = {"℃": "섭씨 ", "°C": "섭씨 ", "℉": "화씨 ", "°F": "화씨 "}
PER = {"h": "시속", "s": "초속", "min": "분속"}
RATE = rf"(?:(?P<rate>km|m|cm|mm)/(?P<per>{alternatives(PER)}){NO_LETTER})"

CURRENCIES = {
    "$": "달러", "US$": "달러", "USD": "달러", "€": "유로", "EUR": "유로", "£": "파운드", "GBP": "파운드", "¥": "엔", "￥": "엔",
    "JPY": "엔", "CNY": "위안", "RMB": "위안", "₩": "원", "￦": "원", "KRW": "원", "HK$": "홍콩 달러", "HKD": "홍콩 달러",
    "NT$": "대만 달러", "TWD": "대만 달러", "₽": "루블", "RUB": "루블", "A$": "호주 달러", "AUD": "호주 달러",
    "C$": "캐나다 달러", "CAD": "캐나다 달러", "₹": "루피", "INR": "루피", "CHF": "스위스 프랑", "BTC": "비트코인",
}  # fmt: skip
CURRENCY = alternatives(CURRENCIES)
SCALE = r"(?:[십백천]?[만억조]|[십백천](?=원|달러|명|개|[^가-힣]|$))"

# Counter: the highest number that is native in front of it. What follows it must not make another word of it.
_COUNTERS = {
    "개": (99, "(?!월|국|년|소|사|항|교|점|당)"), "명": (99, ""), "사람": (99, ""), "분": (0, ""), "살": (99, ""), "시간": (19, ""),
    "시": (12, "(?!즌|리즈|그마|대)"), "마리": (99, ""), "권": (99, "(?!역)"), "잔": (99, "(?!액)"), "병": (99, "(?!원|동|사)"),
    "장": (99, "(?!관|년)"), "그루": (99, ""), "켤레": (99, ""), "송이": (99, ""), "벌": (99, "(?!금)"), "쌍": (99, ""),
    "달": (99, "(?!러)"), "가지": (99, ""), "곳": (99, ""), "군데": (99, ""), "판": (19, "(?!결)"), "통": (99, "(?!화|신)"),
    "채": (99, "(?!널)"), "척": (99, ""), "자루": (99, ""), "줄": (99, ""), "배": (19, "(?!럭|터)"), "칸": (19, ""), "끼": (99, ""),
    "모금": (99, ""), "바퀴": (99, ""), "걸음": (99, ""), "방울": (99, ""), "그릇": (99, ""), "조각": (99, ""), "송": (0, ""),
    "대": (9, "(?! ?[0-9]|학|회|륙|통령|표|손)"), "번째": (99, ""), "번": (19, "(?!지|호|방|길|선|역|국)"), "알": (99, ""), "포기": (99, ""),
    "접시": (99, ""), "상자": (99, ""), "봉지": (99, ""), "숟가락": (99, ""), "스푼": (99, ""), "꼬집": (99, ""), "팀": (19, ""),
    "남매": (9, ""), "형제": (9, ""), "자매": (9, ""), "돌": (9, ""),
}  # fmt: skip
COUNTER = "|".join(
    f"{name}{unless}" for name, (limit, unless) in sorted(_COUNTERS.items(), key=lambda item: -len(item[0])) if limit
)
_NUMBERED = re.compile(r" ?(?:출구|버스|문제|국도|홈|타자|게이트|플랫폼|선수|트랙|교향곡|마|버튼|출입구|채널|염색체)")


def native_up_to(counter: str, follows: str) -> int:
    """The highest number that is native in front of `counter`, which `follows` stands behind."""
    if counter == "번" and _NUMBERED.match(follows):
        return 0  # 3번 출구 is exit number three, not three times
    return _COUNTERS[counter][0]


# What may stand right behind a number and is not a thing that it counts.
PARTICLE = re.compile(
    r"(?:은|는|이|가|을|를|의|에|에서|로|으로|와|과|부터|까지|이나|나|보다|이다|입니다|이고|이며|라는|이라는|이었다|였다)(?![가-힣])"
)
