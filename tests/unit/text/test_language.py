"""Languages of sentences, and where a mixed text changes them."""

from __future__ import annotations

import itertools
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lungfish.text.language import LANGUAGES, identify, runs
from lungfish.text.traced import TracedText
from tests.work import lines_run

SENTENCES = [
    ("en", "The meeting was moved to Thursday afternoon."),
    ("en", "Where did you put the keys?"),
    ("en", "Nothing beats a warm bowl of soup."),
    ("en", "She laughed and closed the door."),
    ("de", "Der Zug fährt heute zehn Minuten später."),
    ("de", "Wo hast du die Schlüssel hingelegt?"),
    ("de", "Das Wetter wird morgen besser."),
    ("de", "Ich habe keine Zeit."),
    ("fr", "Le train partira avec dix minutes de retard."),
    ("fr", "Où as-tu mis les clés ?"),
    ("fr", "Il fait très beau ce matin."),
    ("fr", "Je ne sais pas encore."),
    ("es", "El tren saldrá con diez minutos de retraso."),
    ("es", "¿Dónde pusiste las llaves?"),
    ("es", "Hoy hace mucho calor en la ciudad."),
    ("es", "No tengo tiempo para eso."),
    ("it", "Il treno partirà con dieci minuti di ritardo."),
    ("it", "Dove hai messo le chiavi?"),
    ("it", "Oggi il cielo è molto bello."),
    ("it", "Non ho ancora deciso."),
    ("pt", "O trem vai sair com dez minutos de atraso."),
    ("pt", "Onde você colocou as chaves?"),
    ("pt", "Hoje à noite vamos jantar fora."),
    ("pt", "Não sei o que dizer."),
    ("zh", "火车晚点十分钟。"),
    ("zh", "你把钥匙放在哪里了？"),
    ("zh", "今天天气很好。"),
    ("zh", "我們明天再說吧。"),
    ("ja", "電車は十分ほど遅れています。"),
    ("ja", "鍵をどこに置きましたか。"),
    ("ja", "今日はいい天気ですね。"),
    ("ja", "ラーメンを食べたい。"),
    ("ko", "기차가 십 분 늦게 출발합니다."),
    ("ko", "열쇠를 어디에 두었어요?"),
    ("ko", "오늘은 날씨가 참 좋네요."),
    ("ko", "아직 모르겠어요."),
    ("ru", "Поезд опаздывает на десять минут."),
    ("ru", "Куда ты положил ключи?"),
    ("ru", "Сегодня очень тепло."),
    ("ru", "Я ещё не решил."),
]
OTHERS = [
    ("uk", "Ціна зросла вдвічі."),
    ("ar", "أين وضعت المفاتيح؟"),
    ("fa", "کجا گذاشتی؟ چرا؟"),
    ("he", "איפה שמת את המפתחות?"),
    ("el", "Πού έβαλες τα κλειδιά;"),
    ("hi", "चाबियाँ कहाँ रखी हैं?"),
    ("th", "กุญแจอยู่ที่ไหน"),
]
PIECES = [
    "a",
    "é",
    "中",
    "あ",
    "가",
    "я",
    "ع",
    "ก",
    "π",
    "1",
    " ",
    ". ",
    "。",
    "!",
    "?",
    "\n",
    "(",
    "«",
    "-",
    "'",
    "%",
    ",",
]


def shown(text: str, default: str = "en") -> list[tuple[str, str]]:
    return [(part.text, language) for part, language in runs(TracedText.of(text), default)]


def test_the_sentences_are_of_ten_languages() -> None:
    assert len(SENTENCES) >= 40
    assert {language for language, _ in SENTENCES} == set(LANGUAGES)


@pytest.mark.parametrize(("language", "sentence"), SENTENCES + OTHERS)
def test_a_sentence_is_named_whatever_the_default(language: str, sentence: str) -> None:
    assert {identify(sentence, default) for default in LANGUAGES} == {language}
    assert shown(sentence, "de") == [(sentence, language)]


@pytest.mark.parametrize("text", ["", "...", "42", "5 km", "π = 3", "OK"])
def test_what_says_nothing_is_the_default(text: str) -> None:
    assert {identify(text, default) for default in ("en", "fr", "ko")} == {"en", "fr", "ko"}


def test_languages_that_are_no_candidates_are_the_default() -> None:
    dutch = "Het is vandaag een mooie dag om te wandelen."
    assert identify(dutch, "fr") == "fr"
    assert identify("Wo hast du die Schlüssel hingelegt?", "en", ["en", "fr"]) == "en"
    assert identify("東京", "ja", ["en", "zh"]) == "zh"


def test_han_without_signs_goes_with_its_neighbours() -> None:
    assert identify("東京", "en") == "zh"
    assert identify("東京", "ja") == "ja"
    assert identify("東京", "en", neighbours=[None, "ja"]) == "ja"
    assert shown("北京。東京へ行く。") == [("北京。東京へ行く。", "ja")]


MIXED = [
    ("We said 你好 and then au revoir.", [("We said ", "en"), ("你好 ", "zh"), ("and then au revoir.", "en")]),
    (
        "He said hello. Dann ging er nach Hause und schlief. The end came soon after.",
        [
            ("He said hello. ", "en"),
            ("Dann ging er nach Hause und schlief. ", "de"),
            ("The end came soon after.", "en"),
        ],
    ),
    (
        "Привет! How are you doing today? 잘 지내요.",
        [("Привет! ", "ru"), ("How are you doing today? ", "en"), ("잘 지내요.", "ko")],
    ),
    ("Он сказал «hello world» и ушёл.", [("Он сказал ", "ru"), ("«hello world» ", "en"), ("и ушёл.", "ru")]),
    (
        "OK. Oui, je comprends très bien la question.",
        [("OK. ", "en"), ("Oui, je comprends très bien la question.", "fr")],
    ),
    (
        "今日は寒い。今天很冷。오늘은 추워요.",
        [("今日は寒い。", "ja"), ("今天很冷。", "zh"), ("오늘은 추워요.", "ko")],
    ),
]


@pytest.mark.parametrize(("text", "parts"), MIXED)
def test_mixed_texts_keep_the_language_of_each_part(text: str, parts: list[tuple[str, str]]) -> None:
    assert shown(text) == parts


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("私は iPhone 15 を買った。", "ja"),
        ("这条路有10km。", "zh"),
        ("Вес 5 kg.", "ru"),
        ("3 USB 포트가 있어요.", "ko"),
    ],
)
def test_units_and_names_stay_with_the_script_around_them(text: str, language: str) -> None:
    assert shown(text) == [(text, language)]


def test_figures_go_with_what_they_touch_else_with_most_of_the_sentence() -> None:
    assert shown("I paid 3500円 for it yesterday.")[1][0].startswith("3500円")
    assert shown("Сегодня 25 апреля, hello everyone.")[0] == ("Сегодня 25 апреля, ", "ru")


@given(
    st.lists(st.sampled_from(PIECES + [sentence for _, sentence in SENTENCES[::3]]) | st.text(max_size=4), max_size=12)
)
@settings(max_examples=200, deadline=None)
def test_every_character_is_kept_in_order(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = runs(TracedText.of(text, offset=3), "en")
    assert "".join(part.text for part, _ in found) == text
    assert [start for part, _ in found for start in part.starts] == list(range(3, 3 + len(text)))
    assert all(part.text for part, _ in found)
    languages = [language for _, language in found]
    assert all(one != other for one, other in itertools.pairwise(languages))


def test_long_texts_are_cut_in_blocks_and_lose_nothing() -> None:
    text = "The cat sat on the mat. Der Hund schläft im Haus. 今天很好。" * 200
    found = runs(TracedText.of(text), "en")
    assert "".join(part.text for part, _ in found) == text
    assert [language for _, language in found] == ["en", "de", "zh"] * 200


@pytest.mark.parametrize(
    "unit",
    ["1", "a", "中", "a中", "a. ", "中。", "а ", "가a ", "5 中 a 가", "(", "«", "The cat sat. Der Hund schläft. "],
)
def test_work_is_linear(unit: str) -> None:
    def work(size: int) -> int:
        return lines_run(lambda: runs(TracedText.of((unit * size)[:size]), "en"))

    work(200)
    assert work(16000) <= 2.5 * work(8000) + 300


def test_many_words_of_one_script_in_a_sentence_are_looked_at_once() -> None:
    def work(words: int) -> int:
        return lines_run(lambda: runs(TracedText.of("слово 가 " * words), "en"))

    assert work(400) <= 2.5 * work(200) + 300


def test_the_model_is_loaded_only_for_latin_letters() -> None:
    program = (
        "import sys\n"
        "from lungfish.text.language import identify, runs\n"
        "from lungfish.text.traced import TracedText\n"
        "for text in sys.argv[1:]:\n"
        "    identify(text, 'en'); runs(TracedText.of(text), 'en')\n"
        "assert not any(name.startswith('py3langid') for name in sys.modules), 'loaded'\n"
        "identify('Where did you put the keys?', 'en')\n"
        "assert 'py3langid.langid' in sys.modules, 'not loaded'\n"
    )
    texts = [
        sentence for language, sentence in SENTENCES + OTHERS if language not in ("en", "de", "fr", "es", "it", "pt")
    ]
    done = subprocess.run(
        [sys.executable, "-c", program, *texts, "123 € ..."], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
