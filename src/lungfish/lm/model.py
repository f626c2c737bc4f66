"""DualAR: the slow stack along time and the fast stack along depth, and the forward that trains both.

Holds no request state and no buffers: caches belong to the caller. Positions are explicit everywhere, so that a prompt
style may leave a gap between text and audio. Source: spec/lm.md 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from lungfish.lm.block import causal_mask
from lungfish.lm.config import DualARConfig
from lungfish.lm.fast_ar import FastAR, FastState
from lungfish.lm.kv_cache import KVCache
from lungfish.lm.slow_ar import SlowAR
from lungfish.nn.norms import RMSNorm

IGNORE = -100


@dataclass
class DualAROutput:
    """What a training forward computes.

    Attributes:
        hidden: [B, L, dim] before the final norm.
        token_index: [N, 2] (row, time) of the labelled positions.
        token_logits: [N, 1 + C] over the admissible rows; index 0 is the end, 1 + c is code c.
        token_targets: [N] indices into the last axis of `token_logits`.
        fast_index: [M, 2] (row, time) of the frames that the fast stack saw.
        codebook_logits: [M, K, C].
        codebook_targets: [M, K] codes, IGNORE where there is no label.
        maps: [B, L, L] per asked layer.
    """

    hidden: Tensor
    token_index: Tensor
    token_logits: Tensor
    token_targets: Tensor
    fast_index: Tensor
    codebook_logits: Tensor
    codebook_targets: Tensor
    maps: list[Tensor] = field(default_factory=list)


class DualAR(nn.Module):
    """The whole language model.

    `slow` and `fast` are the two stacks; the methods here are those that need both or that name what they share.
    """

    def __init__(self, config: DualARConfig) -> None:
        super().__init__()
        self.config = config
        self.slow = SlowAR(config)
        self.fast = FastAR(config)

    @property
    def norm(self) -> RMSNorm:
        """The final norm of the slow stack."""
        return self.slow.norm

    @property
    def device(self) -> torch.device:
        return self.slow.embeddings.weight.device

    @property
    def dtype(self) -> torch.dtype:
        return self.slow.embeddings.weight.dtype

    def embed(self, ids: Tensor, scale: bool | None = None) -> Tensor:
        """ids [B, 1 + K, L] -> [B, L, dim]; see `SlowAR.embed`."""
        return self.slow.embed(ids, scale)

    def new_cache(self, batch: int, capacity: int) -> KVCache:
        """An empty cache of the slow stack for at most `capacity` entries a row."""
        return KVCache(self.config.slow_shape, batch, capacity, self.device, self.dtype)

    def slow_with_maps(
        self, embedded: Tensor, positions: Tensor, layers: Sequence[int], head: int = 0, mask: Tensor | None = None
    ) -> tuple[Tensor, list[Tensor]]:
        """Hidden states and the softmax maps of one head; see `SlowAR.forward_with_maps`."""
        return self.slow.forward_with_maps(embedded, positions, layers, head, mask)

    def semantic_logits(self, hidden: Tensor) -> Tensor:
        """hidden [..., dim] before the final norm -> [..., 1 + C], the end first; see `SlowAR.semantic_logits`."""
        return self.slow.semantic_logits(hidden)

    def fast_input(self, hidden: Tensor) -> Tensor:
        """hidden [..., dim] before the final norm -> what the fast stack reads at depth 0, [..., fast_dim]."""
        return self.fast.project_in(self.norm(hidden) if self.config.norm_fast_input else hidden)

    def fast_logits(self, hidden: Tensor, codes: Tensor) -> Tensor:
        """Teacher-forced scores of all depths: hidden [M, dim] before the norm, codes [M, K] -> [M, K, C]."""
        return self.fast(self.fast_input(hidden), codes)

    def fast_prefill(
        self, hidden: Tensor, code: Tensor, state: FastState | None = None, rows: int | None = None
    ) -> tuple[Tensor, FastState]:
        """hidden [B, dim] and semantic codes [B] in one pass -> scores of the second code [B, rows or C], and the state."""
        state = self.fast.new_state(len(hidden)) if state is None else state
        return self.fast.start(self.fast_input(hidden), code, state, rows), state

    def fast_step(self, code: Tensor, state: FastState, rows: int | None = None) -> Tensor:
        """The code just drawn [B] -> scores of the next depth [B, rows or C]."""
        return self.fast.step(code, state, rows)

    def forward_train(
        self,
        ids: Tensor,
        labels: Tensor,
        padding_mask: Tensor | None = None,
        positions: Tensor | None = None,
        *,
        embedded: Tensor | None = None,
        scale: bool | None = None,
        fast_fraction: float = 1.0,
        map_layers: Sequence[int] = (),
        map_head: int = 0,
        generator: torch.Generator | None = None,
    ) -> DualAROutput:
        """Both stacks, teacher-forced; logits are computed at labelled positions only.

        Args:
            ids: [B, 1 + K, L] inputs.
            labels: [B, 1 + K, L]; row 0 the next main token (a semantic id or the end), rows 1.. the codes of the frame
                that row 0 names, IGNORE where there is none (spec/lm.md 3.6).
            padding_mask: [B, L], True = padding. Padding behind the content costs nothing.
            positions: [L] or [B, L]; 0, 1, 2... without it.
            embedded: [B, L, dim] in place of `embed(ids)`, for corrupted inputs.
            scale: see `embed`.
            fast_fraction: share of the frames, drawn at random, that the fast stack sees (at least one).
            map_layers, map_head: return this head's softmax maps in these layers.
            generator: draws the frames of `fast_fraction`.
        """
        config = self.config
        x = self.embed(ids, scale) if embedded is None else embedded
        if positions is None:
            positions = torch.arange(x.shape[1], device=x.device)
        hidden, maps = self.slow_with_maps(x, positions, map_layers, map_head, training_mask(padding_mask))
        main = labels[:, 0]
        semantic = (main >= config.semantic_begin_id) & (main <= config.semantic_end_id)
        labelled = semantic | (main == config.im_end_id)
        targets = torch.where(semantic, main - config.semantic_begin_id + 1, 0)[labelled]
        frames = _some(semantic.nonzero(), fast_fraction, generator)
        codes = labels[frames[:, 0], 1:, frames[:, 1]]  # [M, K]
        logits = self.fast_logits(hidden[frames[:, 0], frames[:, 1]], codes.clamp(0, config.codebook_size - 1))
        return DualAROutput(
            hidden=hidden,
            token_index=labelled.nonzero(),
            token_logits=self.semantic_logits(hidden[labelled]),
            token_targets=targets,
            fast_index=frames,
            codebook_logits=logits,
            codebook_targets=codes,
            maps=maps,
        )


def training_mask(padding_mask: Tensor | None) -> Tensor | None:
    """[B, L] True = padding -> None where causal order is mask enough, else [B, 1, L, L] True = may be seen.

    Padding behind the content needs no mask. Every position sees at least itself, so that no row is undefined.
    """
    if padding_mask is None or bool((padding_mask[:, 1:] >= padding_mask[:, :-1]).all()):
        return None
    length = padding_mask.shape[1]
    itself = torch.eye(length, dtype=torch.bool, device=padding_mask.device)
    causal = causal_mask(length, length, padding_mask.device)
    return (causal & (~padding_mask[:, None] | itself))[:, None]


def _some(index: Tensor, fraction: float, generator: torch.Generator | None) -> Tensor:
    """A random share of the rows of `index`, in order, at least one if there are any."""
    if fraction >= 1 or not len(index):
        return index
    keep = max(1, round(fraction * len(index)))
    drawn = torch.randperm(len(index), generator=generator, device=generator.device if generator else "cpu")[:keep]
    return index[drawn.sort().values.to(index.device)]
