"""TTS: load a checkpoint once, say as many things as wanted.

Text goes through the pipeline of `lungfish.text` and is spoken segment by segment, joined with pauses, so that no length is
too long. Invariant: a `TTS` holds no state of a request; equal arguments with a seed give equal speech.
"""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Callable
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
from lungfish.errors import AudioError, CheckpointError, InputError, MismatchError, TextError, VoiceError, shortened
from lungfish.lm.generate import FinishReason, GenerationResult, generate
from lungfish.lm.model import DualAR
from lungfish.lm.profile import text_profile
from lungfish.lm.prompt import Reference
from lungfish.lm.requests import Request, plan_requests
from lungfish.lm.sampling import SamplingParams
from lungfish.text.options import TextOptions
from lungfish.text.parts import TextWarning
from lungfish.text.phonemes import to_phonemes
from lungfish.text.pipeline import PreparedText, prepare_text
from lungfish.text.tokenizer import Tokenizer
from lungfish.voices.library import bundled_folder, choose_voice

_log = logging.getLogger(__name__)

_REFERENCE_S = (0.5, 60.0)
_SILENCE = 1e-4  # peak, of full scale
_SMALL = 50_000_000  # parameters of a language model that one thread serves best
_TRIES = 3  # when a draw ends too early


@dataclass(frozen=True)
class SpokenSegment:
    """Where a stretch of the text is in the speech.

    Attributes:
        text: as it was read.
        start, end: its span of the text as it was given, in characters.
        start_s, end_s: its span of the waveform, in seconds, without the pause that follows.
    """

    text: str
    start: int
    end: int
    start_s: float
    end_s: float


@dataclass(frozen=True, eq=False)
class Speech:
    """What `TTS.say` made.

    Attributes:
        waveform: [1, S] float32 in -1..1, on the CPU.
        sample_rate: in Hz.
        codes: [K, T] int64 of all pieces in order; the pauses between sentences have no codes.
        finish_reason: "length" if the budget or the context ended any piece, else "stop".
        seconds_wall: from the call to the finished waveform; loading is not in it.
        ttfa_ms: from the call to the first decoded audio, which is that of the first segment.
        segments: which part of the text is where, in order.
        warnings: what of the text was left out or read otherwise than written.
    """

    waveform: Tensor
    sample_rate: int
    codes: Tensor
    finish_reason: FinishReason
    seconds_wall: float
    ttfa_ms: float
    segments: tuple[SpokenSegment, ...] = ()
    warnings: tuple[TextWarning, ...] = ()

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
        on_segment: Callable[[int, int], None] | None = None,
        text_options: TextOptions | None = None,
    ) -> Speech:
        """Speak a text.

        Args:
            text: of any length: plain, Markdown, HTML, with `[tags]` and `<|speaker:N|>` turns, SSML, or a script. Control
                tokens spelled in it are text like any other.
            voice: a built-in voice; None is the checkpoint's first, or that of the reference.
            reference: a clip whose voice to speak with, 0.5 to 60 s: a file, or the bytes of one.
            reference_text: what is said in the clip; a reference needs it.
            seed: equal seeds give equal speech; overrides `sampling.seed`.
            sampling: decoding knobs; None takes the checkpoint's `defaults`.
            on_segment: called with (done, total) after each segment.
            text_options: how the text is to be understood and read.

        Raises:
            TextError: nothing to speak, SSML or a script that cannot be read, or a reference's text that leaves no room.
            VoiceError: no such voice, or a voice and a reference at once.
            AudioError: the reference cannot be used.
        """
        begin = time.perf_counter()
        params = sampling or self.defaults
        if seed is not None:
            params = dataclasses.replace(params, seed=seed)
        clip = self._reference(voice, reference, reference_text)
        name = choose_voice(voice, self.voices) if clip is None else None
        prepared = self.prepare(text, text_options)
        segments, requests = plan_requests(prepared, self.tokenizer, self.model.config, name, clip)
        generator = params.generator(self.model.device)

        waveforms: list[Tensor] = []
        codes: list[Tensor] = []
        spoken: list[SpokenSegment] = []
        finish_reason: FinishReason = "stop"
        samples, ttfa_s = 0, 0.0
        for number, request in enumerate(requests, 1):
            segment = request.segment
            if request.prompt is not None:
                result = self._generate(request, params, generator)
                request.reply(result.codes)
                waveforms.append(decode_codes(self.codec, result.codes))
                codes.append(result.codes)
                ttfa_s = ttfa_s or time.perf_counter() - begin
                finish_reason = "length" if result.finish_reason == "length" else finish_reason
                start_s, samples = samples / self.sample_rate, samples + waveforms[-1].shape[1]
                end_s = samples / self.sample_rate
                spoken.append(SpokenSegment(segment.text, segment.start, segment.end, start_s, end_s))
            if number < len(segments) or segment.asked:
                waveforms.append(torch.zeros(1, round(segment.pause_s * self.sample_rate)))
                samples += waveforms[-1].shape[1]
            if on_segment is not None:
                on_segment(number, len(segments))
        return Speech(
            waveform=torch.cat(waveforms, dim=1),
            sample_rate=self.sample_rate,
            codes=torch.cat(codes, dim=1),
            finish_reason=finish_reason,
            seconds_wall=time.perf_counter() - begin,
            ttfa_ms=1000 * ttfa_s,
            segments=tuple(spoken),
            warnings=prepared.warnings,
        )

    def prepare(self, text: str, options: TextOptions | None = None) -> PreparedText:
        """What this checkpoint would read of a text, step by step.

        Raises:
            TextError: SSML or a script that cannot be read.
        """
        return prepare_text(text, options or TextOptions(), text_profile(self.model.config))

    def _generate(self, request: Request, params: SamplingParams, generator: torch.Generator) -> GenerationResult:
        """A draw that is long enough for its text, or the longest of a few; fewer frames than the budget are no fault."""
        assert request.prompt is not None
        params = dataclasses.replace(params, max_new_frames=min(params.max_new_frames, request.most_frames))
        best: GenerationResult | None = None
        for _ in range(1 if params.greedy else _TRIES):
            sizes = self.codec.codebook_sizes[: self.model.config.num_codebooks]
            result = generate(self.model, request.prompt, params, codec_sizes=sizes, generator=generator)
            if best is None or result.codes.shape[1] > best.codes.shape[1]:
                best = result
            if best.finish_reason == "length" or best.codes.shape[1] >= max(1, request.least_frames):
                break
        if best is None or not best.codes.shape[1]:
            raise TextError(
                f"the model ended before saying {shortened(request.segment.text)!r}; try another seed or wording"
            )
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
        codes = encode_clip(self.codec, reference, *_REFERENCE_S)[: self.model.config.num_codebooks]
        symbols = tuple(to_phonemes(reference_text)) if self.model.config.prompt_style == "phonemes" else ()
        return Reference(reference_text, codes, symbols)


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
