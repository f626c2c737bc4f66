"""The sampler against golden draws: what survives the cuts, its probabilities, and the token that given uniforms choose.

Which of several equal logits a cut removes is the sort's choice and differs between machines; a row that differs in
nothing else is held to the golden cut instead.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from lungfish.errors import CheckpointError
from lungfish.evaluation.parity import Stage
from lungfish.lm.sampling import candidates, draw

_ROUNDING = 1e-6  # of a float32 sum of a few hundred probabilities
_TOLERANCE = 1e-5
_NAMES = ("logits", "temperature", "top_p", "top_k", "probs", "kept", "uniforms", "token")


def verify_sampler(rows: Mapping[str, Tensor]) -> list[Stage]:
    """Args:
    rows: logits, probs, kept, uniforms [R, n]; temperature, top_p, top_k, token [R].

    Raises:
        CheckpointError: an array is missing.
    """
    absent = [name for name in _NAMES if name not in rows]
    if absent:
        raise CheckpointError(f"sampler.npz lacks {', '.join(absent)}")
    kept_wrong = token_wrong = tied = 0
    worst = 0.0
    for row in zip(*(rows[name] for name in _NAMES), strict=True):
        logits, temperature, top_p, top_k, probs, kept, uniforms, token = row
        knobs = (float(temperature), float(top_p), int(top_k))
        got_probs, got_kept = candidates(logits, *knobs)
        got = draw(logits, *knobs, uniforms=uniforms)
        if not torch.equal(got_kept, kept) and (
            torch.equal(logits[got_kept].sort().values, logits[kept].sort().values)
            or _differs_by_rounding(logits, float(top_p), got_kept, kept)
        ):
            tied += 1
            only = logits.masked_fill(~kept, float("-inf"))
            got_probs, got_kept = candidates(only, *knobs)[0], kept
            got = draw(only, knobs[0], 1.0, int(kept.sum()), uniforms=uniforms)
        kept_wrong += int(not torch.equal(got_kept, kept))
        token_wrong += int(got != token)
        worst = max(worst, float((got_probs - probs).abs().max()))
    count = len(rows["logits"])
    note = f"{count} draws" + (f", {tied} of them cut elsewhere among equal logits or sums" if tied else "")
    return [
        Stage("sampler kept sets", 0.0, kept_wrong, kept_wrong == 0, note),
        Stage("sampler probabilities", _TOLERANCE, worst, worst <= _TOLERANCE, note),
        Stage("sampler tokens", 0.0, token_wrong, token_wrong == 0, note),
    ]


def _differs_by_rounding(logits: Tensor, top_p: float, got_kept: Tensor, kept: Tensor) -> bool:
    """Whether two cuts differ only where the exact sum of probabilities is `top_p` but for the rounding of float32 sums.

    Processors add in different orders: with top_p 1 one of them keeps the last entry, another finds 1.0000001 and does not.
    """
    ordered, order = logits.double().sort(descending=True)
    at_the_cut = (ordered.softmax(-1).cumsum(-1) - top_p).abs() < _ROUNDING
    either = torch.zeros_like(kept).scatter_(-1, order, at_the_cut)
    return bool((either | (got_kept == kept)).all())
