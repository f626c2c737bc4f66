"""SlowAR: one step per token or frame along time; embeds the columns, runs the wide stack, scores the next main token.

Only the admissible rows of the head are ever multiplied: `<|im_end|>` and the semantic codes, in this order, which is the
order of their ids, so that argmax breaks ties as over the whole vocabulary. Source: spec/lm.md 3.1 to 3.4.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding, linear

from lungfish.lm.block import Block, initialise
from lungfish.lm.config import DualARConfig
from lungfish.lm.kv_cache import KVCache
from lungfish.nn.norms import RMSNorm
from lungfish.nn.rope import rope_table


class SlowAR(nn.Module):
    """The time-axis model with its token and codebook tables."""

    def __init__(self, config: DualARConfig) -> None:
        super().__init__()
        self.config = config
        self.embeddings = nn.Embedding(config.vocab_size, config.dim)
        self.codebook_embeddings = nn.Embedding(config.num_codebooks * config.codebook_size, config.dim)
        self.layers = nn.ModuleList(Block(config.slow_shape) for _ in range(config.num_layers))
        self.norm = RMSNorm(config.dim, config.norm_eps)
        self.output = None if config.tie_word_embeddings else nn.Linear(config.dim, config.vocab_size, bias=False)
        initialise(self, config.slow_shape, config.initializer_range)

    def embed(self, ids: Tensor, scale: bool | None = None) -> Tensor:
        """The one embedding of token columns, for training and generation alike.

        A column is the token's row, plus at semantic positions the sum of its K codebook rows, all of it divided by
        sqrt(K + 1) there.

        Args:
            ids: [B, 1 + K, L]; row 0 token ids, row 1 + i codes of codebook i (0 where there are none).
            scale: override `config.scale_codebook_embeddings`; False is the reference's training forward.

        Returns:
            [B, L, dim].
        """
        config = self.config
        main, codes = ids[:, 0], ids[:, 1:]
        offsets = torch.arange(config.num_codebooks, device=ids.device) * config.codebook_size
        rows = embedding(codes.transpose(1, 2) + offsets, self.codebook_embeddings.weight)  # [B, L, K, dim]
        semantic = ((main >= config.semantic_begin_id) & (main <= config.semantic_end_id))[..., None]
        x = self.embeddings(main) + rows.sum(2).masked_fill(~semantic, 0.0)
        if config.scale_codebook_embeddings if scale is None else scale:
            x = torch.where(semantic, x / (config.num_codebooks + 1) ** 0.5, x)
        return x

    def forward(self, x: Tensor, positions: Tensor, cache: KVCache | None = None, mask: Tensor | None = None) -> Tensor:
        """Run the stack.

        Args:
            x: embedded [B, L, dim], or ids [B, 1 + K, L].
            positions: [L] or [B, L] integers; gaps are allowed.
            cache: earlier entries to attend over; the new ones are added to it.
            mask: boolean, broadcastable to [B, 1, L, entries], True = may be seen; without it, causal.

        Returns:
            Hidden states before the final norm, [B, L, dim].
        """
        x = x if x.is_floating_point() else self.embed(x)
        rope = rope_table(positions, self.config.head_dim, self.config.rope_base)
        for index, layer in enumerate(self.layers):
            x, _ = layer(x, rope, mask, cache.layers[index] if cache is not None else None)
        return x

    def forward_with_maps(
        self, x: Tensor, positions: Tensor, layers: Sequence[int], head: int = 0, mask: Tensor | None = None
    ) -> tuple[Tensor, list[Tensor]]:
        """As `forward` without a cache, and the softmax map of one head in each of `layers`.

        Returns:
            hidden [B, L, dim] before the final norm; a [B, L, L] float32 map per layer of `layers`, in layer order.
        """
        rope = rope_table(positions, self.config.head_dim, self.config.rope_base)
        maps = []
        for index, layer in enumerate(self.layers):
            x, guided = layer(x, rope, mask, None, head if index in layers else None)
            if guided is not None:
                maps.append(guided)
        return x, maps

    def semantic_logits(self, hidden: Tensor) -> Tensor:
        """Scores of the admissible next tokens.

        Args:
            hidden: [..., dim] before the final norm.

        Returns:
            [..., 1 + codes]; index 0 is `<|im_end|>`, index 1 + c is semantic code c.
        """
        config, head = self.config, self._head()
        y = self.norm(hidden)
        end = linear(y, head[config.im_end_id : config.im_end_id + 1])
        codes = linear(y, head[config.semantic_begin_id : config.semantic_end_id + 1])
        return torch.cat((end, codes), dim=-1)

    def token_logits(self, hidden: Tensor) -> Tensor:
        """Scores of the whole vocabulary [..., V] from hidden [..., dim] before the final norm. For parity only."""
        return linear(self.norm(hidden), self._head())

    def _head(self) -> Tensor:
        return self.embeddings.weight if self.output is None else self.output.weight
