"""The oracle of generation: one request, one frame at a time, in the plainest form. Faster engines must match it.

A frame is one slow step (its hidden state scores the semantic code) and K - 1 fast passes (the residual codes).
Source: spec/lm.md 5.2, 5.3. We differ: the last frame is kept when the budget ends generation, the end is honoured on the
first frame, a budget of 1 works, residual codes stay within the codec's sizes, and no codes are made for the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from lungfish.errors import CodesError, TextError
from lungfish.lm.fast_ar import FastState
from lungfish.lm.model import DualAR
from lungfish.lm.prompt import Conversation, Prompt
from lungfish.lm.sampling import END, SamplingParams, SemanticSampler, draw

FinishReason = Literal["stop", "length"]


@dataclass(frozen=True)
class GenerationResult:
    """Attributes:
    codes: [K, T] int64 on the CPU; T may be 0.
    finish_reason: "stop" (the model ended) or "length" (budget or context ended it).
    prompt_tokens: length of the prompt.
    """

    codes: Tensor
    finish_reason: FinishReason
    prompt_tokens: int


@torch.inference_mode()
def generate(
    model: DualAR,
    prompt: Prompt,
    params: SamplingParams | None = None,
    *,
    codec_sizes: Sequence[int] | None = None,
    generator: torch.Generator | None = None,
    on_frame: Callable[[Tensor], object] | None = None,
) -> GenerationResult:
    """Speak one prompt.

    Args:
        model: in eval mode.
        prompt: see `lungfish.lm.prompt`.
        params: decoding knobs.
        codec_sizes: entries of each of the codec's codebooks; residual codes stay below.
        generator: continue this one, on the model's device, instead of starting from `params.seed`.
        on_frame: called with each frame's codes [K] (CPU) as soon as they are known.

    Raises:
        TextError: the prompt leaves no room for a frame.
        CodesError: `codec_sizes` does not fit the model.
    """
    params = params or SamplingParams()
    generator = generator if generator is not None else params.generator(model.device)
    sizes = residual_sizes(model, codec_sizes)
    budget = frame_budget(model, prompt, params.max_new_frames)
    sampler = SemanticSampler(params, generator)
    state = model.fast.new_state(1)

    length = prompt.ids.shape[1]
    position = int(prompt.positions[-1])
    cache = model.new_cache(1, length + budget)
    column, positions = prompt.ids[None].to(model.device), prompt.positions.to(model.device)  # [1, 1 + K, L], [L]
    frames: list[Tensor] = []
    finish_reason: FinishReason = "length"
    while len(frames) < budget:
        hidden = model.slow(model.embed(column), positions, cache)[:, -1]  # [1, dim]
        token = sampler.next(model.semantic_logits(hidden)[0])
        if token == END:
            finish_reason = "stop"
            break
        frame = complete_frame(model, hidden, token - 1, params, sizes, generator, state)
        frames.append(frame.cpu())
        if on_frame is not None:
            on_frame(frames[-1])
        main = frame.new_tensor([model.config.semantic_begin_id + token - 1])
        column = torch.cat((main, frame))[None, :, None]
        position += 1
        positions = positions.new_tensor([position])
    codes = torch.stack(frames, dim=1) if frames else torch.empty(model.config.num_codebooks, 0, dtype=torch.long)
    return GenerationResult(codes, finish_reason, length)


def complete_frame(
    model: DualAR,
    hidden: Tensor,
    code: int,
    params: SamplingParams,
    sizes: Sequence[int],
    generator: torch.Generator,
    state: FastState,
) -> Tensor:
    """Residual codes of one frame: K - 1 passes.

    Args:
        hidden: [1, dim] slow hidden state before the norm.
        code: the semantic code.
        sizes: K - 1 limits, see `residual_sizes`.
        state: scratch of `model.fast.new_state(1)`.

    Returns:
        [K] int64 on the model's device.
    """
    codes = [torch.tensor([code], device=hidden.device)]
    for size in sizes:
        if len(codes) == 1:
            logits, _ = model.fast_prefill(hidden, codes[0], state, rows=size)
        else:
            logits = model.fast_step(codes[-1], state, rows=size)
        codes.append(draw(logits, *params.residual, generator=generator))
    return torch.cat(codes)


def residual_sizes(model: DualAR, codec_sizes: Sequence[int] | None) -> list[int]:
    """How many entries each residual codebook may use, K - 1 numbers."""
    config = model.config
    if codec_sizes is None:
        return [config.codebook_size] * (config.num_codebooks - 1)
    if len(codec_sizes) != config.num_codebooks:
        raise CodesError(f"the codec has {len(codec_sizes)} codebooks, the language model {config.num_codebooks}")
    if min(codec_sizes) < 1:
        raise CodesError("every codebook of the codec needs at least one entry")
    return [min(size, config.codebook_size) for size in codec_sizes[1:]]


def frame_budget(model: DualAR, prompt: Prompt, max_new_frames: int) -> int:
    """Frames that may be made: the request's budget, or what is left of the context.

    Raises:
        TextError: nothing is left.
    """
    limit = model.config.max_seq_len
    room = limit - 1 - int(prompt.positions[-1])
    if room < 1:
        raise TextError(f"prompt of {prompt.ids.shape[1]} tokens leaves no room in a context of {limit}; shorten it")
    return min(max_new_frames, room)


def generate_conversation(
    model: DualAR,
    conversation: Conversation,
    batches: Sequence[str],
    params: SamplingParams | None = None,
    *,
    codec_sizes: Sequence[int] | None = None,
    on_frame: Callable[[Tensor], object] | None = None,
) -> Iterator[GenerationResult]:
    """Speak batches of text one after the other; each hears what was said before it (spec/lm.md 6.3 d).

    Args:
        conversation: gets every reply.
        batches: texts, see `lungfish.text.speakers.plan_batches`.

    Yields:
        One result per batch. A single generator serves the whole request.
    """
    params = params or SamplingParams()
    generator = params.generator(model.device)
    for text in batches:
        prompt = conversation.ask(text)
        result = generate(model, prompt, params, codec_sizes=codec_sizes, generator=generator, on_frame=on_frame)
        conversation.reply(result.codes)
        yield result
