"""TTS: load a checkpoint once, say as many things as wanted.

Long text is spoken piece by piece (sentences, then clauses, then words) and joined with short pauses, so that no length is
too long. Invariant: a `TTS` holds no state of a request; equal arguments with a seed give equal speech.
"""

from __future__ import annotations

import dataclasses
import logging
import re
import time
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from lungfish.audio.files import read_waveform, write_waveform
from lungfish.audio.resample import resample
from lungfish.checkpoint.codec import WEIGHT_FILES, load_codec
from lungfish.checkpoint.generation_config import load_generation_defaults
from lungfish.checkpoint.hub import locate_checkpoint
from lungfish.checkpoint.licence import read_licence
from lungfish.checkpoint.lm import CONFIG, load_dual_ar
from lungfish.codec.protocol import Codec
from lungfish.errors import AudioError, CheckpointError, InputError, MismatchError, TextError, VoiceError
from lungfish.lm.generate import FinishReason, GenerationResult, generate
from lungfish.lm.model import DualAR
from lungfish.lm.prompt import Conversation, Prompt, Reference, interleave_prompt, phoneme_prompt, text_room
from lungfish.lm.sampling import SamplingParams
from lungfish.text.phonemes import to_phonemes
from lungfish.text.sentences import Piece, split_pieces
from lungfish.text.speakers import SPEAKER_TAG, group_turns, split_turns
from lungfish.text.tokenizer import Tokenizer
from lungfish.voices.library import bundled_folder, choose_voice

_log = logging.getLogger(__name__)

_PAUSE_S = 0.15  # between sentences
_REFERENCE_S = (0.5, 60.0)
_SILENCE = 1e-4  # peak, of full scale
_PIECE_BYTES = 300  # of text per go, where the checkpoint reads text itself
_LEAST_SYMBOLS = 24  # that must remain for the text beside a reference
_FRAMES_PER_SYMBOL, _SPARE_FRAMES = 2.0, 24  # twice what speech needs: no runaway, no cut
_HISTORY_RESERVE = 0.5  # share of the context that a dialogue's history may fill before it starts anew
_SMALL = 50_000_000  # parameters of a language model that one thread serves best
_LEAST_FRAMES_PER_SYMBOL = 0.6  # half of what ordinary speech takes: a draw that ends before has not said it all
_TRIES = 3  # when a draw ends too early


@dataclass(frozen=True, eq=False)
class Speech:
    """What `TTS.say` made.

    Attributes:
        waveform: [1, S] float32 in -1..1, on the CPU.
        sample_rate: in Hz.
        codes: [K, T] int64 of all pieces in order; the pauses between sentences have no codes.
        finish_reason: "length" if the budget or the context ended any piece, else "stop".
        seconds_wall: from the call to the finished waveform; loading is not in it.
        ttfa_ms: from the call to the first decoded audio, which is that of the first piece.
    """

    waveform: Tensor
    sample_rate: int
    codes: Tensor
    finish_reason: FinishReason
    seconds_wall: float
    ttfa_ms: float

    @property
    def seconds_audio(self) -> float:
        return self.waveform.shape[1] / self.sample_rate

    @property
    def frames(self) -> int:
        return self.codes.shape[1]

    @property
    def rtf(self) -> float:
        """Compute seconds per audio second; lower is better, below 1 is faster than it plays."""
        return self.seconds_wall / self.seconds_audio

    def save(self, path: str | Path) -> None:
        """Write wav, flac, mp3, ogg or opus by suffix; "-" is wav on standard output.

        Raises:
            OutputError: it cannot be written; an existing file is then untouched.
        """
        write_waveform(path, self.waveform, self.sample_rate)


class TTS:
    """A language model, its codec and its tokenizer, ready to speak. Make one with `TTS.load`.

    `defaults` are the checkpoint's own decoding knobs, used where a request brings none.
    """

    def __init__(
        self, model: DualAR, codec: Codec, tokenizer: Tokenizer, defaults: SamplingParams | None = None
    ) -> None:
        _check_together(model, codec)
        self.model, self.codec, self.tokenizer = model, codec, tokenizer
        self.defaults = defaults or SamplingParams()

    @classmethod
    def load(
        cls, model: str | Path | None = None, device: str = "auto", dtype: str = "auto", threads: int | None = None
    ) -> TTS:
        """Load a checkpoint folder: language model, tokenizer and codec.

        Args:
            model: folder, or OWNER/NAME as pulled from the hub; None is the bundled voice.
            device: auto, cpu, cuda, mps or xpu.
            dtype: of the language model: auto, float32, bfloat16 or float16. The codec stays in float32.
            threads: CPU threads (torch's setting, process-wide). None is one for a small model on the CPU, since more
                only wait for each other (measured: 0.4 v. 2 to 8 times real time on a busy two-core machine), and
                torch's own choice otherwise; 0 leaves the setting alone.

        Raises:
            CheckpointError: the folder, its weights or its tokenizer cannot be used, or its parts do not fit together.
            ConfigError: no such device or dtype.
        """
        folder = bundled_folder() if model is None else locate_checkpoint(model)
        _check_has_codec(folder)
        language_model = load_dual_ar(folder, device=device, dtype=dtype)
        if threads is None and language_model.device.type == "cpu" and _parameters(language_model) < _SMALL:
            threads = 1
        if threads:
            torch.set_num_threads(threads)
        codec = load_codec(folder, device=device)
        licence = read_licence(folder)
        if licence is not None:
            _log.info("%s: %s", "the bundled voice" if model is None else model, licence.banner)
        defaults = load_generation_defaults(folder, language_model.config.prompt_style)
        return cls(language_model, codec, Tokenizer.load(folder), defaults)

    @property
    def voices(self) -> tuple[str, ...]:
        """Names of the built-in voices; the first is the default."""
        return self.model.config.voices

    @property
    def sample_rate(self) -> int:
        """Hz."""
        return self.codec.sample_rate

    def say(
        self,
        text: str,
        voice: str | None = None,
        reference: str | Path | bytes | None = None,
        reference_text: str | None = None,
        seed: int | None = None,
        sampling: SamplingParams | None = None,
        on_piece: Callable[[int, int], None] | None = None,
    ) -> Speech:
        """Speak a text.

        Args:
            text: of any length. Control tokens spelled in it are text like any other.
            voice: a built-in voice; None is the checkpoint's first, or that of the reference.
            reference: a clip whose voice to speak with, 0.5 to 60 s: a file, or the bytes of one.
            reference_text: what is said in the clip; a reference needs it.
            seed: equal seeds give equal speech; overrides `sampling.seed`.
            sampling: decoding knobs; None takes the checkpoint's `defaults`.
            on_piece: called with (done, total) after each piece.

        Raises:
            TextError: nothing to speak, or the reference's text leaves no room for it.
            VoiceError: no such voice, or a voice and a reference at once.
            AudioError: the reference cannot be used.
        """
        begin = time.perf_counter()
        params = sampling or self.defaults
        if seed is not None:
            params = dataclasses.replace(params, seed=seed)
        clip = self._reference(voice, reference, reference_text)
        name = choose_voice(voice, self.voices) if clip is None else None
        pieces, prompts = self._plan(text, name, clip)
        generator = params.generator(self.model.device)

        waveforms: list[Tensor] = []
        codes: list[Tensor] = []
        finish_reason: FinishReason = "stop"
        ttfa_s = 0.0
        for piece, (prompt, (least_frames, most_frames), reply) in zip(pieces, prompts, strict=True):
            budget = dataclasses.replace(params, max_new_frames=min(params.max_new_frames, most_frames))
            result = self._generate(piece, prompt, budget, generator, least_frames)
            reply(result.codes)
            waveforms.append(decode_codes(self.codec, result.codes))
            if not codes:
                ttfa_s = time.perf_counter() - begin
            codes.append(result.codes)
            if piece.ends_sentence and piece is not pieces[-1]:
                waveforms.append(torch.zeros(1, round(_PAUSE_S * self.sample_rate)))
            if result.finish_reason == "length":
                finish_reason = "length"
            if on_piece is not None:
                on_piece(len(codes), len(pieces))
        waveform = torch.cat(waveforms, dim=1)
        return Speech(
            waveform=waveform,
            sample_rate=self.sample_rate,
            codes=torch.cat(codes, dim=1),
            finish_reason=finish_reason,
            seconds_wall=time.perf_counter() - begin,
            ttfa_ms=1000 * ttfa_s,
        )

    def _generate(
        self, piece: Piece, prompt: Prompt, params: SamplingParams, generator: torch.Generator, least_frames: int
    ) -> GenerationResult:
        """A draw that is long enough for its text, or the longest of a few; fewer frames than the budget are no fault."""
        best: GenerationResult | None = None
        for _ in range(1 if params.greedy else _TRIES):
            sizes = self.codec.codebook_sizes[: self.model.config.num_codebooks]
            result = generate(self.model, prompt, params, codec_sizes=sizes, generator=generator)
            if best is None or result.codes.shape[1] > best.codes.shape[1]:
                best = result
            if best.finish_reason == "length" or best.codes.shape[1] >= max(1, least_frames):
                break
        if best is None or not best.codes.shape[1]:
            raise TextError(f"the model ended before saying {_shortened(piece.text)!r}; try another seed or wording")
        return best

    def _reference(
        self, voice: str | None, reference: str | Path | bytes | None, reference_text: str | None
    ) -> Reference | None:
        if reference is None:
            if reference_text is not None:
                raise InputError("a reference text without a reference clip; give the clip too")
            return None
        if voice is not None:
            raise VoiceError("a voice and a reference clip at once; give one of them")
        if reference_text is None or not reference_text.strip():
            raise InputError("a reference clip needs its transcript: say what is said in it (--reference-text)")
        _check_unicode(reference_text)
        codes = encode_clip(self.codec, reference, *_REFERENCE_S)[: self.model.config.num_codebooks]
        symbols = tuple(to_phonemes(reference_text)) if self.model.config.prompt_style == "phonemes" else ()
        return Reference(reference_text, codes, symbols)

    def _plan(self, text: str, voice: str | None, clip: Reference | None) -> tuple[list[Piece], Iterator[_Request]]:
        """Pieces of `text`, and as many requests; a request is made when the piece before it is spoken."""
        _check_unicode(text)
        style = self.model.config.prompt_style
        if style == "phonemes":
            return self._plan_phonemes(text, voice, clip)
        pieces = _text_batches(text)
        references = () if clip is None else (clip,)
        if style == "chat":
            return pieces, self._chat_requests(pieces, references)
        return pieces, (
            (interleave_prompt(piece.text, self.tokenizer, self.model.config, references), _NO_LIMITS, _forget)
            for piece in pieces
        )

    def _plan_phonemes(
        self, text: str, voice: str | None, clip: Reference | None
    ) -> tuple[list[Piece], Iterator[_Request]]:
        config = self.model.config
        taken = 3 + (0 if clip is None else len(clip.symbols) + 1)  # the start, the voice, the end; a boundary
        room = text_room(config) - taken
        if clip is not None and room < _LEAST_SYMBOLS:
            raise TextError("the reference text is too long for this checkpoint; use a shorter clip")

        def symbols_of(part: str) -> list[str]:
            try:
                return to_phonemes(part)
            except TextError:
                return []

        spoken = [
            (piece, symbols)
            for piece in split_pieces(text, lambda part: len(symbols_of(part)) <= room)
            if (symbols := symbols_of(piece.text))
        ]
        if not spoken:
            to_phonemes(text)  # says why
        return [piece for piece, _ in spoken], (
            (
                phoneme_prompt(symbols, self.tokenizer, config, voice, clip),
                (
                    int(_LEAST_FRAMES_PER_SYMBOL * len(symbols)),
                    int(_FRAMES_PER_SYMBOL * len(symbols)) + _SPARE_FRAMES,
                ),
                _forget,
            )
            for _, symbols in spoken
        )

    def _chat_requests(self, pieces: list[Piece], references: tuple[Reference, ...]) -> Iterator[_Request]:
        config = self.model.config
        conversation = Conversation(self.tokenizer, config, references)
        for number, piece in enumerate(pieces):
            prompt = conversation.ask(piece.text)
            if number and prompt.ids.shape[1] > _HISTORY_RESERVE * config.max_seq_len:
                conversation = Conversation(self.tokenizer, config, references)
                prompt = conversation.ask(piece.text)
            yield prompt, _NO_LIMITS, conversation.reply


# prompt, fewest and most frames that its text can take, what to do with the codes
_Request = tuple[Prompt, tuple[int, int], Callable[[Tensor], None]]
_NO_LIMITS = (1, 1 << 30)


def _forget(codes: Tensor) -> None:
    """Pieces that do not hear each other."""


def _text_batches(text: str) -> list[Piece]:
    """Batches for checkpoints that read text: turns of a dialogue together, a long turn in pieces under its own tag.

    Raises:
        TextError: nothing in it can be spoken.
    """
    turns: list[str] = []
    for turn in split_turns(text):
        found = re.match(SPEAKER_TAG, turn)
        tag = found.group() if found else ""
        body = turn.removeprefix(tag)
        pieces = split_pieces(body, lambda part: len(part.encode()) <= _PIECE_BYTES)
        if len(pieces) == 1:
            pieces = [Piece(body.strip(), True)]
        turns += [tag + piece.text for piece in pieces if _speakable(piece.text)]
    if not turns:
        raise TextError("nothing in the text can be spoken: give it at least one word or number")
    return [Piece(batch, ends_sentence=True) for batch in group_turns(turns, _PIECE_BYTES)]


def _speakable(text: str) -> bool:
    return any(unicodedata.category(character)[0] in "LN" for character in text)


def _check_unicode(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise TextError("the text is not valid Unicode; save it as UTF-8") from error


def _shortened(text: str, limit: int = 40) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _parameters(model: torch.nn.Module) -> int:
    return sum(parameter.numel() for parameter in model.parameters())


def _check_has_codec(folder: Path) -> None:
    """Before gigabytes of language model are read for nothing."""
    if (folder / CONFIG).is_file() and not any((folder / name).is_file() for name in WEIGHT_FILES):
        raise CheckpointError(
            f"{folder}: has no codec ({' or '.join(WEIGHT_FILES)}), so nothing it says could be heard; put its own there"
        )


def _check_together(model: DualAR, codec: Codec) -> None:
    config = model.config
    if codec.num_codebooks != config.expected_codec_books:
        raise MismatchError(
            f"the codec has {codec.num_codebooks} codebooks and the language model {config.expected_codec_books}:"
            " they are not of the same checkpoint"
        )
    semantic = config.semantic_end_id - config.semantic_begin_id + 1
    sizes = codec.codebook_sizes[: config.num_codebooks]
    if sizes[0] != semantic or max(sizes) > config.codebook_size:
        raise MismatchError(
            f"the codec's books have {sizes} entries, the language model knows {semantic} semantic and"
            f" {config.codebook_size} residual codes: they are not of the same checkpoint"
        )


def open_codec(model: str | Path | None = None, device: str = "auto", dtype: str = "auto") -> Codec:
    """The codec of a checkpoint folder, a codec file, or (None) the bundled voice.

    Raises:
        CheckpointError: there is none that can be used.
    """
    return load_codec(bundled_folder() if model is None else locate_checkpoint(model), device=device, dtype=dtype)


def encode_clip(codec: Codec, clip: str | Path | bytes, min_s: float = 0.0, max_s: float | None = None) -> Tensor:
    """Codes [K, T] of an audio file of any rate and any number of channels.

    Raises:
        AudioError: unreadable, silent when it should not be, or shorter or longer than asked for.
    """
    waveform, rate = read_waveform(clip, min_s=min_s)
    if max_s is not None:
        name = "the clip" if isinstance(clip, bytes) else clip
        if waveform.shape[1] > max_s * rate:
            raise AudioError(f"{name}: is {waveform.shape[1] / rate:.0f} s long, {max_s:g} s at most; cut it")
        if waveform.abs().max() < _SILENCE:
            raise AudioError(f"{name}: is silent; choose a clip in which somebody speaks")
    waveform = resample(waveform, rate, codec.sample_rate)
    device, dtype = _place(codec)
    with torch.inference_mode():
        codes, lengths = codec.encode(waveform[None].to(device, dtype))
    return codes[0, :, : int(lengths[0])].cpu()


def decode_codes(codec: Codec, codes: Tensor) -> Tensor:
    """codes [K, T] -> waveform [1, S] float32 on the CPU.

    Raises:
        CodesError: they do not fit the codec.
    """
    device, _ = _place(codec)
    with torch.inference_mode():
        return codec.decode(codes[None].to(device))[0].float().cpu()


def _place(codec: Codec) -> tuple[torch.device, torch.dtype]:
    assert isinstance(codec, torch.nn.Module)
    parameter = next(codec.parameters())
    return parameter.device, parameter.dtype
