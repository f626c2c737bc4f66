"""One draw from logits, and what happens around it: repetition penalty, and a second draw when a token returns too soon.

All of it in float32, with one generator per request. The nucleus is cut on the distribution at temperature 1; temperature
reshapes what is left. The defaults of `SamplingParams` are the project's, for every door.
Source: spec/lm.md 5.1, 5.2. We differ: float32 throughout, zero means greedy, the penalty works, the window of recent
tokens includes the first frame, and the second draw happens only when it is needed.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import torch
from torch import Tensor

from lungfish.errors import SamplingError

END = 0  # index of the end among the admissible tokens; code c is 1 + c
KEEP_ALL = 1 << 20  # a top_k that cuts nothing
_MIN_TEMPERATURE = 1e-5


@dataclass(frozen=True)
class SamplingParams:
    """How one request is decoded.

    Attributes:
        temperature: 0 (greedy) to 2.
        top_p: 0 (greedy) to 1; the item that crosses it is cut as well.
        top_k: candidates kept; 1 or less is greedy.
        repetition_penalty: above 1 makes recent semantic codes less likely, below 1 more; 1 is off.
        repetition_window: frames that the penalty looks back.
        ras: draw again, with `ras_temperature` and `ras_top_p`, when the token is among the last `ras_window`.
        ras_window, ras_temperature, ras_top_p: see `ras`.
        fast_temperature, fast_top_p, fast_top_k: for the residual codes; None takes the value of the semantic code.
        max_new_frames: most frames per batch of text.
        seed: of the request's own generator; None draws one.

    Raises:
        SamplingError: a value out of range.
    """

    temperature: float = 0.8
    top_p: float = 0.8
    top_k: int = 30
    repetition_penalty: float = 1.0
    repetition_window: int = 16
    ras: bool = True
    ras_window: int = 10
    ras_temperature: float = 1.0
    ras_top_p: float = 0.9
    fast_temperature: float | None = None
    fast_top_p: float | None = None
    fast_top_k: int | None = None
    max_new_frames: int = 1024
    seed: int | None = None

    def __post_init__(self) -> None:
        for name in ("temperature", "ras_temperature", "fast_temperature"):
            _between(name, getattr(self, name), 0, 2)
        for name in ("top_p", "ras_top_p", "fast_top_p"):
            _between(name, getattr(self, name), 0, 1)
        _between("repetition_penalty", self.repetition_penalty, 0.1, 10)
        for name in ("top_k", "fast_top_k"):
            _whole(name, getattr(self, name), None)
        _whole("repetition_window", self.repetition_window, 1)
        _whole("ras_window", self.ras_window, 1)
        _whole("max_new_frames", self.max_new_frames, 1)
        _whole("seed", self.seed, 0)
        if self.seed is not None and self.seed >= 2**63:
            raise SamplingError(f"seed must be below 2**63, got {self.seed}")
        if not isinstance(self.ras, bool):
            raise SamplingError(f"ras must be true or false, got {self.ras!r}")

    @property
    def greedy(self) -> bool:
        """Whether the semantic code is always the likeliest one."""
        return is_greedy(self.temperature, self.top_p, self.top_k)

    @property
    def residual(self) -> tuple[float, float, int]:
        """temperature, top_p and top_k of the residual codes."""
        return (
            self.temperature if self.fast_temperature is None else self.fast_temperature,
            self.top_p if self.fast_top_p is None else self.fast_top_p,
            self.top_k if self.fast_top_k is None else self.fast_top_k,
        )

    def generator(self, device: torch.device | str = "cpu") -> torch.Generator:
        """A generator of this request's own, seeded by `seed` or from the system's entropy."""
        generator = torch.Generator(device)
        if self.seed is None:
            generator.seed()
        else:
            generator.manual_seed(self.seed)
        return generator


def is_greedy(temperature: float, top_p: float, top_k: int) -> bool:
    """Whether these values leave one candidate only."""
    return temperature == 0 or top_p == 0 or top_k <= 1


def candidates(logits: Tensor, temperature: float, top_p: float, top_k: int) -> tuple[Tensor, Tensor]:
    """What remains after the cuts, not greedy.

    Rank r of the sorted distribution at temperature 1 falls if its cumulative probability exceeds `top_p` or r >= `top_k`;
    rank 0 always stays. Among equal logits torch's sort decides, as in the reference.

    Args:
        logits: [..., n].

    Returns:
        probs [..., n] float32 after temperature, summing to 1; kept [..., n] boolean.
    """
    ordered, order = logits.float().sort(dim=-1, descending=True)
    total = ordered.softmax(-1).cumsum(-1)
    cut = total > top_p
    cut[..., top_k:] = True
    cut[..., 0] = False
    kept = torch.empty_like(cut).scatter_(-1, order, ~cut)
    scaled = logits.float() / max(temperature, _MIN_TEMPERATURE)
    return scaled.masked_fill(~kept, float("-inf")).softmax(-1), kept


def draw(
    logits: Tensor,
    temperature: float,
    top_p: float,
    top_k: int,
    *,
    uniforms: Tensor | None = None,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Draw one index per row; the likeliest when temperature or top_p is 0 or top_k is 1 or less.

    Args:
        logits: [..., n].
        temperature, top_p, top_k: see `SamplingParams`.
        uniforms: [..., n] in [0, 1) to use instead of the generator.
        generator: on the device of `logits`.

    Returns:
        [...] int64.
    """
    if temperature == 0 or top_p == 0 or top_k <= 0:
        return logits.float().argmax(-1)
    probs, _ = candidates(logits, temperature, top_p, top_k)
    if uniforms is None:
        uniforms = torch.rand(probs.shape, generator=generator, device=probs.device)
    return (probs / -uniforms.float().log()).argmax(-1)


class SemanticSampler:
    """Draws the main token of frame after frame of one request, with the memory that this needs.

    Args:
        params: of the request.
        generator: of the request, on the model's device.
    """

    def __init__(self, params: SamplingParams, generator: torch.Generator) -> None:
        self._params, self._generator = params, generator
        self._recent: deque[int] = deque(maxlen=max(params.ras_window, params.repetition_window))

    def next(self, logits: Tensor) -> int:
        """[1 + C] scores, the end first -> the index drawn; codes are remembered."""
        params = self._params
        logits = self._penalise(logits.float())
        token = int(draw(logits, params.temperature, params.top_p, params.top_k, generator=self._generator))
        if params.ras and not params.greedy and token != END and token in self._last(params.ras_window):
            again = (params.ras_temperature, params.ras_top_p, params.top_k)
            token = int(draw(logits, *again, generator=self._generator))
        if token != END:
            self._recent.append(token)
        return token

    def _last(self, count: int) -> list[int]:
        return list(self._recent)[-count:]

    def _penalise(self, logits: Tensor) -> Tensor:
        recent = sorted(set(self._last(self._params.repetition_window)))
        if self._params.repetition_penalty == 1 or not recent:
            return logits
        index = torch.tensor(recent, device=logits.device)
        scores, penalty = logits[index], self._params.repetition_penalty
        return logits.index_copy(0, index, torch.where(scores < 0, scores * penalty, scores / penalty))


def _between(name: str, value: float | None, low: float, high: float) -> None:
    if value is None and name.startswith("fast_"):
        return
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    if not low <= number <= high:
        raise SamplingError(f"{name} must be a number from {low} to {high}, got {value!r}")


def _whole(name: str, value: int | None, low: int | None) -> None:
    if value is None and name in ("fast_top_k", "seed"):
        return
    if not isinstance(value, int) or isinstance(value, bool):
        raise SamplingError(f"{name} must be a whole number, got {value!r}")
    if low is not None and value < low:
        raise SamplingError(f"{name} must be at least {low}, got {value}")
