"""The transformer block that the slow and the fast stack share: pre-norm attention and gated feed-forward.

    h = x + attention(norm(x));  out = h + feed_forward(norm(h))

Interleaved rotary positions, grouped KV heads that are never repeated in memory, optional norms on queries and keys.
Source: spec/lm.md 3.3. We differ: attention spans only what is filled.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, scaled_dot_product_attention

from lungfish.lm.config import StackShape
from lungfish.lm.kv_cache import LayerCache
from lungfish.nn.mlp import SwiGLU
from lungfish.nn.norms import HeadNorm, RMSNorm
from lungfish.nn.rope import apply_rope


def attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
    """Softmax attention in which query head j reads KV head j * KV heads // heads.

    Args:
        query: [B, H, L, E].
        key, value: [B, KV heads, S, E], S >= L; the queries are the last L of the S entries.
        mask: boolean, broadcastable to [B, 1, L, S], True = may be seen; without it, causal.

    Returns:
        [B, H, L, E].
    """
    heads, length = query.shape[1:3]
    kv_heads, span = key.shape[1:3]
    if length == 1:  # one query per head: the heads of a group are the rows of one product
        grouped = query.squeeze(2).unflatten(1, (kv_heads, heads // kv_heads))
        return scaled_dot_product_attention(grouped, key, value, attn_mask=mask).flatten(1, 2).unsqueeze(2)
    causal = mask is None and span == length
    if mask is None and not causal:
        mask = causal_mask(length, span, query.device)
    grouped_heads = kv_heads != heads
    return scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=causal, enable_gqa=grouped_heads)


def attend_in_steps(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Causal `attend` that rounds to the model's type after every product and after the softmax.

    The depth axis of released models was trained and run this way; in float32 it is the same function as `attend`.
    """
    heads, length, width = query.shape[1:]
    kv_heads, span = key.shape[1:3]
    rows = query.unflatten(1, (kv_heads, heads // kv_heads)).flatten(2, 3)  # [B, KV heads, group * L, E]
    scores = (rows @ key.transpose(2, 3)) * width**-0.5
    hidden = ~causal_mask(length, span, query.device).repeat(heads // kv_heads, 1)
    out = scores.masked_fill(hidden, float("-inf")).softmax(-1) @ value
    return out.unflatten(2, (-1, length)).flatten(1, 2)


def causal_mask(length: int, span: int, device: torch.device) -> Tensor:
    """[length, span] boolean, True = may be seen, for queries that are the last `length` of `span` entries."""
    return torch.ones(length, span, dtype=torch.bool, device=device).tril(span - length)


def attention_map(query: Tensor, key: Tensor, mask: Tensor | None = None) -> Tensor:
    """Softmax weights of one head, for losses that guide it.

    Args:
        query, key: [B, L, E] of that head, whole sequence.
        mask: boolean, broadcastable to [B, L, L], True = may be seen; without it, causal.

    Returns:
        [B, L, L] float32; rows sum to 1.
    """
    scores = (query @ key.transpose(1, 2)).float() * query.shape[-1] ** -0.5
    if mask is None:
        mask = causal_mask(query.shape[1], key.shape[1], query.device)
    return scores.masked_fill(~mask, float("-inf")).softmax(-1)


class Attention(nn.Module):
    """Fused projection `wqkv` (query rows, then key, then value, head-major) and output projection `wo`."""

    def __init__(self, shape: StackShape) -> None:
        super().__init__()
        self.num_heads, self.num_kv_heads, self.head_dim = shape.num_heads, shape.num_kv_heads, shape.head_dim
        self.rounds_steps = shape.rounds_steps
        width = (shape.num_heads + 2 * shape.num_kv_heads) * shape.head_dim
        self.wqkv = nn.Linear(shape.dim, width, bias=shape.qkv_bias)
        self.wo = nn.Linear(shape.num_heads * shape.head_dim, shape.dim, bias=shape.o_bias)
        self.q_norm = HeadNorm(shape.head_dim, shape.norm_eps) if shape.qk_norm else nn.Identity()
        self.k_norm = HeadNorm(shape.head_dim, shape.norm_eps) if shape.qk_norm else nn.Identity()

    def forward(
        self,
        x: Tensor,
        rope: Tensor,
        mask: Tensor | None = None,
        cache: LayerCache | None = None,
        map_head: int | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """Attend over `x` and whatever `cache` holds, and add `x` to it.

        Args:
            x: [B, L, dim].
            rope: [L, head_dim / 2, 2] or [B, L, head_dim / 2, 2].
            mask: see `attend`.
            cache: keys and values of earlier entries.
            map_head: also return this head's softmax map (not with a cache).

        Returns:
            [B, L, dim], and [B, L, L] or None.
        """
        heads = self.wqkv(x).unflatten(-1, (-1, self.head_dim))  # [B, L, H + 2 KV, E]
        query, key, value = heads.split((self.num_heads, self.num_kv_heads, self.num_kv_heads), dim=2)
        both = torch.cat((self.q_norm(query), self.k_norm(key)), dim=2)
        both = apply_rope(both, rope).transpose(1, 2)  # [B, H + KV, L, E]
        query, key = both.split((self.num_heads, self.num_kv_heads), dim=1)
        value = value.transpose(1, 2)
        guided = None
        if map_head is not None:
            map_mask = mask if mask is None or mask.dim() < 4 else mask[:, 0]
            map_key = key[:, map_head * self.num_kv_heads // self.num_heads]
            guided = attention_map(query[:, map_head], map_key, map_mask)
        if cache is not None:
            key, value = cache.append(key, value)
        in_steps = self.rounds_steps and query.dtype is not torch.float32
        out = attend_in_steps(query, key, value) if in_steps else attend(query, key, value, mask)
        return self.wo(out.transpose(1, 2).flatten(-2)), guided


class Block(nn.Module):
    """One layer. Dropout falls on both residual branches, in training only."""

    def __init__(self, shape: StackShape) -> None:
        super().__init__()
        self.attention_norm = RMSNorm(shape.dim, shape.norm_eps)
        self.attention = Attention(shape)
        self.ffn_norm = RMSNorm(shape.dim, shape.norm_eps)
        self.feed_forward = SwiGLU(shape.dim, shape.ffn_dim)
        self.dropout = shape.dropout

    def forward(
        self,
        x: Tensor,
        rope: Tensor,
        mask: Tensor | None = None,
        cache: LayerCache | None = None,
        map_head: int | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """Arguments and results as `Attention.forward`."""
        branch, guided = self.attention(self.attention_norm(x), rope, mask, cache, map_head)
        x = x + self._drop(branch)
        return x + self._drop(self.feed_forward(self.ffn_norm(x))), guided

    def _drop(self, branch: Tensor) -> Tensor:
        return dropout(branch, self.dropout) if self.training and self.dropout else branch


def initialise(module: nn.Module, shape: StackShape, spread: float) -> None:
    """Fresh weights: N(0, spread) for linears and embeddings, zero biases, unit norms.

    The projections that end a residual branch are smaller by sqrt(2 * layers), so that depth does not widen the sum at the
    start. Source: spec/lm.md 3.6; Radford et al. 2019 for the residual scaling.
    """
    for name, part in module.named_modules():
        if isinstance(part, nn.Linear):
            ends_branch = name.endswith((".wo", ".w2"))
            nn.init.normal_(part.weight, 0.0, spread / (2 * shape.num_layers) ** 0.5 if ends_branch else spread)
            if part.bias is not None:
                nn.init.zeros_(part.bias)
        elif isinstance(part, nn.Embedding):
            nn.init.normal_(part.weight, 0.0, spread)
