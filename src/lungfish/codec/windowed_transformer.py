"""Window-limited transformer: a query sees itself and the window - 1 positions before it, nothing after.

Banded attention: work and memory grow with length x window, not with its square. Positions are explicit, and keys may
reach further back than queries, which is what a streaming state needs (nn/streaming.py): per stream its absolute position,
and per layer the window - 1 latest rotated keys and values, the latest at the end. Rows from before the start are zeros
and masked, so the state has its full size from the start, and streams at different positions share a batch: the distance
from query to key is the same in all of them, only the mask differs. Source: spec/codec.md 3.6, 4.2.
"""

from __future__ import annotations

from typing import TypeAlias

import torch
from torch import Tensor, nn

from lungfish.codec.config import TransformerConfig
from lungfish.nn.mlp import SwiGLU
from lungfish.nn.norms import LayerScale, RMSNorm
from lungfish.nn.rope import apply_rope, rope_table

KeysValues: TypeAlias = tuple[Tensor, Tensor]  # [B, heads, window - 1, head_dim] each
TransformerState: TypeAlias = tuple[Tensor, tuple[KeysValues, ...]]  # positions [B] int64, layers


def banded_attention(query: Tensor, key: Tensor, value: Tensor, window: int, first_key: Tensor | None = None) -> Tensor:
    """Causal attention within a window, a window of queries at a time.

    Args:
        query: [B, H, L, E].
        key, value: [B, H, P + L, E]; the first P rows precede the first query.
        window: keys per query: positions 0 <= i - j < window.
        first_key: [B] keys before this one (0 <= first_key <= P) are not there; all are when absent.

    Returns:
        [B, H, L, E].
    """
    length = query.shape[-2]
    past = key.shape[-2] - length
    if past == 0 and length <= window:
        return nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
    chunks = []
    for start in range(0, length, window):
        stop = min(start + window, length)
        first = max(0, past + start - window + 1)  # oldest key that any query of this chunk sees
        last = past + stop
        queries_at = torch.arange(past + start, last, device=query.device)[:, None]
        keys_at = torch.arange(first, last, device=query.device)
        distance = queries_at - keys_at
        mask = (distance >= 0) & (distance < window)
        if first_key is not None:
            mask = mask & (keys_at >= first_key[:, None])[:, None, None]  # [B, 1, queries, keys]
        chunks.append(
            nn.functional.scaled_dot_product_attention(
                query[:, :, start:stop],
                key[:, :, first:last],
                value[:, :, first:last],
                attn_mask=mask,
            )
        )
    return torch.cat(chunks, dim=2)


class WindowedAttention(nn.Module):
    """Multi-head self-attention with rotary positions and no biases."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.window, self.num_heads, self.head_dim = config.window, config.num_heads, config.head_dim
        width = config.num_heads * config.head_dim
        self.wqkv = nn.Linear(config.dim, 3 * width, bias=False)
        self.wo = nn.Linear(width, config.dim, bias=False)

    def forward(self, x: Tensor, rope: Tensor) -> Tensor:
        """x [B, L, dim], rope [L, head_dim / 2, 2] -> [B, L, dim]."""
        out = banded_attention(*self._heads(x, rope), self.window)
        return self.wo(out.transpose(1, 2).flatten(-2))

    def new_state(self, batch: int) -> KeysValues:
        shape = (batch, self.num_heads, self.window - 1, self.head_dim)
        return self.wqkv.weight.new_zeros(shape), self.wqkv.weight.new_zeros(shape)

    def step(self, x: Tensor, rope: Tensor, first_key: Tensor, state: KeysValues) -> tuple[Tensor, KeysValues]:
        """`forward` of the next chunk -> ([B, L, dim], state).

        Args:
            x: [B, L, dim].
            rope: [B, L, head_dim / 2, 2].
            first_key: [B] first row of the state that holds a position of the stream.
            state: keys and values of the window - 1 positions before.
        """
        query, key, value = self._heads(x, rope)
        key, value = torch.cat((state[0], key), dim=2), torch.cat((state[1], value), dim=2)
        out = banded_attention(query, key, value, self.window, first_key)
        length = x.shape[1]
        return self.wo(out.transpose(1, 2).flatten(-2)), (key[:, :, length:].clone(), value[:, :, length:].clone())

    def _heads(self, x: Tensor, rope: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Rotated queries, rotated keys, values: [B, H, L, E] each."""
        query, key, value = (part.unflatten(-1, (-1, self.head_dim)) for part in self.wqkv(x).chunk(3, dim=-1))
        query, key = apply_rope(query, rope), apply_rope(key, rope)  # [B, L, H, E]
        return query.transpose(1, 2), key.transpose(1, 2), value.transpose(1, 2)


class WindowedBlock(nn.Module):
    """Pre-norm attention and feed-forward, each with a per-channel gain on its branch."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.attention_norm = RMSNorm(config.dim, config.norm_eps)
        self.attention = WindowedAttention(config)
        self.attention_layer_scale = LayerScale(config.dim)
        self.ffn_norm = RMSNorm(config.dim, config.norm_eps)
        self.feed_forward = SwiGLU(config.dim, config.ffn_dim)
        self.ffn_layer_scale = LayerScale(config.dim)

    def forward(self, x: Tensor, rope: Tensor) -> Tensor:
        """x [B, L, dim] -> [B, L, dim]."""
        x = x + self.attention_layer_scale(self.attention(self.attention_norm(x), rope))
        return x + self.ffn_layer_scale(self.feed_forward(self.ffn_norm(x)))

    def step(self, x: Tensor, rope: Tensor, first_key: Tensor, state: KeysValues) -> tuple[Tensor, KeysValues]:
        """`forward` of the next chunk; see `WindowedAttention.step`."""
        attended, state = self.attention.step(self.attention_norm(x), rope, first_key, state)
        x = x + self.attention_layer_scale(attended)
        return x + self.ffn_layer_scale(self.feed_forward(self.ffn_norm(x))), state


class WindowedTransformer(nn.Module):
    """Blocks and a final norm. Its output replaces its input: there is no residual around the whole.

    Holds no buffers: the rope table is made for the positions at hand, as long as they need to be.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.layers = nn.ModuleList(WindowedBlock(config) for _ in range(config.num_layers))
        self.norm = RMSNorm(config.dim, config.norm_eps)

    def forward(self, x: Tensor) -> Tensor:
        """x [B, dim, L], from the start of the utterance -> [B, dim, L]."""
        positions = torch.arange(x.shape[-1], device=x.device)
        rope = rope_table(positions, self.config.head_dim, self.config.rope_base)
        hidden = x.transpose(1, 2)
        for layer in self.layers:
            hidden = layer(hidden, rope)
        return self.norm(hidden).transpose(1, 2)

    def new_state(self, batch: int) -> TransformerState:
        positions = torch.zeros(batch, dtype=torch.int64, device=self.norm.weight.device)
        return positions, tuple(layer.attention.new_state(batch) for layer in self._blocks())

    def step(self, x: Tensor, state: TransformerState) -> tuple[Tensor, TransformerState]:
        """x [B, dim, L], the next positions of every stream -> ([B, dim, L], state)."""
        position, layers = state
        positions = position[:, None] + torch.arange(x.shape[-1], device=x.device)
        rope = rope_table(positions, self.config.head_dim, self.config.rope_base)
        first_key = (self.config.window - 1 - position).clamp(min=0)
        hidden, kept = x.transpose(1, 2), []
        for layer, before in zip(self._blocks(), layers, strict=True):
            hidden, after = layer.step(hidden, rope, first_key, before)
            kept.append(after)
        return self.norm(hidden).transpose(1, 2), (position + x.shape[-1], tuple(kept))

    def _blocks(self) -> list[WindowedBlock]:
        return [layer for layer in self.layers if isinstance(layer, WindowedBlock)]
