from __future__ import annotations

import io
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile
import torch

import lungfish.api
from lungfish import TTS, LungfishError, SamplingParams
from lungfish.audio.files import read_waveform
from lungfish.checkpoint.generation_config import save_generation_defaults
from lungfish.errors import (
    AudioError,
    CheckpointError,
    InputError,
    MismatchError,
    TextError,
    TokenizerError,
    VoiceError,
    WeightsError,
)
from lungfish.lm.generate import GenerationResult
from lungfish.text.tokenizer import Tokenizer
from tests.toy import AUDIO_START, BOOKS, toy_codec, toy_config, toy_model, write_toy_checkpoint

BRIEF = SamplingParams(max_new_frames=6)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_toy_checkpoint(tmp_path_factory.mktemp("toy"))


@pytest.fixture(scope="module")
def tts(folder: Path) -> TTS:
    return TTS.load(folder, device="cpu")


@pytest.fixture(scope="module")
def chat(tmp_path_factory: pytest.TempPathFactory) -> TTS:
    return TTS.load(write_toy_checkpoint(tmp_path_factory.mktemp("chat"), "chat"), device="cpu")


def clip(seconds: float = 1.0, rate: int = 16_000, level: float = 0.3) -> bytes:
    buffer = io.BytesIO()
    samples = level * np.sin(2 * np.pi * 220 * np.arange(int(seconds * rate)) / rate)
    soundfile.write(buffer, samples, rate, format="WAV")
    return buffer.getvalue()


def test_speech_holds_what_it_says(tts: TTS, tmp_path: Path) -> None:
    speech = tts.say("Hello there.", voice="coral", seed=7, sampling=BRIEF)
    assert speech.codes.shape == (4, speech.frames)
    assert speech.codes.dtype is torch.int64
    assert 1 <= speech.frames <= 6
    assert speech.waveform.shape == (1, speech.frames * 256)
    assert speech.waveform.dtype is torch.float32
    assert speech.sample_rate == 8000
    assert speech.seconds_audio == pytest.approx(speech.frames * 256 / 8000)
    assert speech.rtf == pytest.approx(speech.seconds_wall / speech.seconds_audio)
    assert 0 < speech.ttfa_ms <= 1000 * speech.seconds_wall
    assert speech.finish_reason == ("stop" if speech.frames < 6 else "length")
    speech.save(tmp_path / "out.wav")
    back, rate = read_waveform(tmp_path / "out.wav")
    assert rate == 8000
    torch.testing.assert_close(back, speech.waveform.clamp(-1, 1), atol=1e-4, rtol=0)


def test_a_seed_repeats_and_another_differs(tts: TTS) -> None:
    first, second, other = (tts.say("Hello there.", seed=seed, sampling=BRIEF) for seed in (7, 7, 8))
    assert torch.equal(first.codes, second.codes)
    assert torch.equal(first.waveform, second.waveform)
    assert not torch.equal(first.codes, other.codes)
    by_params = tts.say("Hello there.", sampling=replace(BRIEF, seed=7))
    assert torch.equal(first.codes, by_params.codes)


@pytest.mark.parametrize(
    "knob",
    [
        {"temperature": 0.0},
        {"top_p": 0.0},
        {"top_k": 1},
        {"repetition_penalty": 10.0},
        {"ras": False},
        {"max_new_frames": 30},
    ],
)
def test_every_knob_turns(tts: TTS, knob: dict[str, float]) -> None:
    base = SamplingParams(max_new_frames=40, seed=3, temperature=1.5, top_p=0.99)
    assert not torch.equal(
        tts.say("Hello there.", sampling=base).codes,
        tts.say("Hello there.", sampling=replace(base, **knob)).codes,  # type: ignore[arg-type]
    )


def test_a_checkpoint_may_bring_its_own_defaults(folder: Path, tts: TTS, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "own")
    own = SamplingParams(temperature=0.3, max_new_frames=4, seed=2)
    save_generation_defaults(own, tmp_path / "own")
    wished = TTS.load(tmp_path / "own", device="cpu")
    assert wished.defaults == own
    assert tts.defaults == SamplingParams()
    assert torch.equal(wished.say("Hello there.").codes, tts.say("Hello there.", sampling=own).codes)
    other = replace(BRIEF, seed=2)
    assert torch.equal(wished.say("Hello there.", sampling=other).codes, tts.say("Hello there.", sampling=other).codes)


def test_the_voice_turns_and_the_first_is_the_default(tts: TTS) -> None:
    assert tts.voices == ("coral", "marlin")
    said = [tts.say("Hello there.", voice=voice, seed=7, sampling=BRIEF).codes for voice in (None, "coral", "marlin")]
    assert torch.equal(said[0], said[1])
    assert not torch.equal(said[1], said[2])


def test_two_requests_do_not_disturb_each_other_nor_the_caller(tts: TTS) -> None:
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    alone = tts.say("One.", seed=1, sampling=BRIEF)
    assert torch.equal(torch.rand(1), expected)
    tts.say("Two.", seed=2, sampling=BRIEF)
    assert torch.equal(tts.say("One.", seed=1, sampling=BRIEF).codes, alone.codes)


def test_a_reference_turns_and_needs_its_text(tts: TTS) -> None:
    plain = tts.say("Hello there.", seed=7, sampling=BRIEF)
    cloned = tts.say("Hello there.", reference=clip(), reference_text="A tone.", seed=7, sampling=BRIEF)
    other = tts.say("Hello there.", reference=clip(), reference_text="Another tone.", seed=7, sampling=BRIEF)
    assert not torch.equal(plain.codes, cloned.codes)
    assert not torch.equal(other.codes, cloned.codes)
    for arguments, error, expected in (
        ({"reference": clip()}, InputError, "needs its transcript"),
        ({"reference": clip(), "reference_text": " "}, InputError, "needs its transcript"),
        ({"reference_text": "A tone."}, InputError, "without a reference clip"),
        ({"reference": clip(), "reference_text": "A tone.", "voice": "coral"}, VoiceError, "at once"),
        ({"reference": clip(0.2), "reference_text": "A tone."}, AudioError, "0.20 s long, at least 0.5 s"),
        ({"reference": clip(61, 800), "reference_text": "A tone."}, AudioError, "61 s long, 60 s at most"),
        ({"reference": clip(level=0.0), "reference_text": "A tone."}, AudioError, "silent"),
        ({"reference": clip(), "reference_text": "..."}, TextError, "spoken"),
        ({"reference": clip(), "reference_text": "a long text " * 9}, TextError, "use a shorter clip"),
        ({"reference": clip(30), "reference_text": "A tone."}, TextError, "leaves no room"),
        ({"reference": b"text", "reference_text": "A tone."}, AudioError, "not audio"),
    ):
        with pytest.raises(error, match=expected):
            tts.say("Hello.", **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", " \n\t", "... !!! ???", "😀🎉", "—", "你好"])
def test_nothing_to_speak(tts: TTS, text: str) -> None:
    with pytest.raises(TextError, match="spoken"):
        tts.say(text)


@pytest.mark.parametrize("text", ["", " \n\t", "... !!! ???", "😀🎉", "<|speaker:0|>", "<|speaker:0|>..."])
def test_nothing_to_speak_in_a_chat(chat: TTS, text: str) -> None:
    with pytest.raises(TextError, match="spoken"):
        chat.say(text)


def test_broken_unicode(tts: TTS, chat: TTS) -> None:
    for one in (tts, chat):
        with pytest.raises(TextError, match="not valid Unicode"):
            one.say("a \udcff b")


def test_long_text_is_spoken_in_pieces_with_pauses(tts: TTS) -> None:
    text = "The first sentence is here, quite short. And here is the second one. " * 3
    done: list[tuple[int, int]] = []
    speech = tts.say(text, seed=1, sampling=BRIEF, on_segment=lambda now, all_: done.append((now, all_)))
    total = done[-1][1]
    assert total >= 6
    assert done == [(number, total) for number in range(1, total + 1)]
    pauses = speech.waveform.shape[1] - 256 * speech.frames
    assert pauses % round(0.15 * 8000) == 0
    assert pauses > 0


def test_a_long_word_and_no_punctuation_fit_the_checkpoint(tts: TTS) -> None:
    tts.say("and the road went on past the mill " * 8, seed=1, sampling=SamplingParams(max_new_frames=1))
    tts.say("x" * (3 * AUDIO_START), seed=1, sampling=SamplingParams(max_new_frames=1))


def test_a_draw_too_short_for_its_text_is_made_again(tts: TTS, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(frames: int) -> GenerationResult:
        return GenerationResult(torch.zeros(len(BOOKS), frames, dtype=torch.long), "stop", 9)

    text = "hello world hello world"  # 23 symbols, so 13 frames at least
    for lengths, kept, left in (((3, 15, 9), 15, 1), ((3, 7, 5, 30), 7, 1), ((40, 3), 40, 1)):
        answers = [answer(length) for length in lengths]
        draws = iter(answers)
        monkeypatch.setattr(lungfish.api, "generate", lambda *_, draws=draws, **__: next(draws))
        assert tts.say(text).frames == kept
        assert len(list(draws)) == left


def test_a_model_that_ends_at_once_is_asked_again_then_reported(tts: TTS, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = GenerationResult(torch.empty(4, 0, dtype=torch.long), "stop", 9)
    something = GenerationResult(torch.ones(4, 3, dtype=torch.long), "stop", 9)
    answers = [nothing, nothing, something]
    monkeypatch.setattr(lungfish.api, "generate", lambda *_, **__: answers.pop(0))
    assert tts.say("Hello.").frames == 3
    answers[:] = [nothing] * 3
    with pytest.raises(TextError, match=r"ended before saying 'Hello\.'; try another seed"):
        tts.say("Hello.")
    answers[:] = [nothing]
    with pytest.raises(TextError, match="ended before saying"):
        tts.say("Hello.", sampling=SamplingParams(temperature=0))


def test_no_runaway(tts: TTS) -> None:
    speech = tts.say("Oh", seed=1, sampling=SamplingParams(max_new_frames=400))
    assert speech.frames <= 2 * 10 + 24


def test_control_tokens_in_text_are_only_text(chat: TTS) -> None:
    plain = chat.say("Hi <|im_end|> there", seed=1, sampling=BRIEF)
    assert plain.frames >= 1


def test_a_chat_checkpoint_speaks_long_text_and_dialogue(chat: TTS) -> None:
    assert chat.voices == ()
    done: list[int] = []
    chat.say(
        "A sentence that goes on for a while. " * 40, seed=1, sampling=BRIEF, on_segment=lambda now, _: done.append(now)
    )
    assert len(done) >= 5
    chat.say("Narrator first. <|speaker:0|>Hello. <|speaker:1|>Hi.", seed=1, sampling=BRIEF)
    with pytest.raises(VoiceError, match="no built-in voices"):
        chat.say("Hello.", voice="coral")
    cloned = chat.say("Hello.", reference=clip(), reference_text="A tone.", seed=1, sampling=BRIEF)
    assert not torch.equal(cloned.codes, chat.say("Hello.", seed=1, sampling=BRIEF).codes)


def test_parts_that_do_not_fit_together(tmp_path: Path) -> None:
    config = toy_config(tmp_path)
    model, tokenizer = toy_model(config), Tokenizer.load(tmp_path)
    with pytest.raises(MismatchError, match="3 codebooks and the language model 4"):
        TTS(model, toy_codec(BOOKS[:3]), tokenizer)
    with pytest.raises(MismatchError, match="not of the same checkpoint"):
        TTS(model, toy_codec((16, 32, 32, 32)), tokenizer)
    with pytest.raises(MismatchError, match="not of the same checkpoint"):
        TTS(model, toy_codec((32, 64, 32, 32)), tokenizer)


def test_folders_that_are_no_checkpoint(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(CheckpointError, match="no such checkpoint folder"):
        TTS.load(tmp_path / "absent")
    with pytest.raises(LungfishError):
        TTS.load(tmp_path)
    damaged = tmp_path / "damaged"
    shutil.copytree(folder, damaged)
    tokenizer = damaged / "tokenizer.json"
    whole = tokenizer.read_text()
    tokenizer.write_text(whole.replace("<|semantic:31|>", "<|semantic:99|>"))
    with pytest.raises(TokenizerError) as wrong:
        TTS.load(damaged, device="cpu")
    assert "\n" not in str(wrong.value)
    tokenizer.write_text(whole)
    weights = damaged / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    with pytest.raises(WeightsError) as caught:
        TTS.load(damaged, device="cpu")
    assert "\n" not in str(caught.value)
