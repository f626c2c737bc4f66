"""FastAR: the residual codes of one frame, one depth after the other, from the slow stack's hidden state.

Depth 0 holds the projected hidden state, depth i holds the embedding of code i - 1; the output at depth i scores code i.
In generation hidden state and first code enter together, so that a frame of K codes takes K - 1 passes.
Source: spec/lm.md 3.5.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from lungfish.lm.block import Block, initialise
from lungfish.lm.config import DualARConfig
from lungfish.lm.kv_cache import KVCache
from lungfish.nn.norms import RMSNorm
from lungfish.nn.rope import rope_table


class FastState:
    """The depth axis of the frames being completed: cache and rotary table. Reusable for the next frame."""

    def __init__(self, cache: KVCache, rope: Tensor) -> None:
        self.cache, self.rope = cache, rope


class FastAR(nn.Module):
    """The depth-axis model; one table and one head serve all codebooks."""

    def __init__(self, config: DualARConfig) -> None:
        super().__init__()
        self.config = config
        same = config.fast_dim == config.dim
        self.project_in = nn.Identity() if same else nn.Linear(config.dim, config.fast_dim)
        self.embeddings = nn.Embedding(config.codebook_size, config.fast_dim)
        self.layers = nn.ModuleList(Block(config.fast_shape) for _ in range(config.fast_num_layers))
        self.norm = RMSNorm(config.fast_dim, config.norm_eps)
        self.output = nn.Linear(config.fast_dim, config.codebook_size, bias=False)
        initialise(self, config.fast_shape, config.initializer_range)

    def forward(self, entry: Tensor, codes: Tensor) -> Tensor:
        """Teacher-forced scores of every depth.

        Args:
            entry: [M, fast_dim], see `DualAR.fast_input`.
            codes: [M, K]; the last one is not looked at.

        Returns:
            [M, K, codebook_size]; depth i scores code i.
        """
        x = torch.cat((entry[:, None], self.embeddings(codes[:, :-1])), dim=1)
        rope = self._rope(x.device)
        for layer in self.layers:
            x, _ = layer(x, rope)
        return self.output(self.norm(x))

    def new_state(self, batch: int) -> FastState:
        """Room for one frame of `batch` rows."""
        weight = self.output.weight
        cache = KVCache(self.config.fast_shape, batch, self.config.num_codebooks, weight.device, weight.dtype)
        return FastState(cache, self._rope(weight.device))

    def start(self, entry: Tensor, code: Tensor, state: FastState, rows: int | None = None) -> Tensor:
        """Begin a frame: hidden state and first code in one pass.

        Args:
            entry: [B, fast_dim].
            code: [B] semantic codes.
            state: overwritten.
            rows: score the first so many entries only, the codec's book size; the others are not multiplied.

        Returns:
            Scores of the second code, [B, rows or codebook_size].
        """
        state.cache.rewind()
        return self._advance(torch.stack((entry, self.embeddings(code)), dim=1), state, rows)

    def step(self, code: Tensor, state: FastState, rows: int | None = None) -> Tensor:
        """Go one depth further: `code` [B] was drawn from the last scores; returns the next, as `start` does."""
        return self._advance(self.embeddings(code)[:, None], state, rows)

    def _advance(self, x: Tensor, state: FastState, rows: int | None) -> Tensor:
        begin = state.cache.length
        rope = state.rope[begin : begin + x.shape[1]]
        for layer, cache in zip(self.layers, state.cache.layers, strict=True):
            x, _ = layer(x, rope, None, cache)
        return linear(self.norm(x[:, -1]), self.output.weight[:rows])

    def _rope(self, device: torch.device) -> Tensor:
        depths = torch.arange(self.config.num_codebooks, device=device)
        return rope_table(depths, self.config.fast_head_dim, self.config.rope_base)
