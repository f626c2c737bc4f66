"""Window-limited transformer: a query sees itself and the window - 1 positions before it, nothing after.

Banded attention: work and memory grow with length x window, not with its square. Positions are explicit, and keys may
reach further back than queries, which is what a streaming state needs. Source: spec/codec.md 3.6.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lungfish.codec.config import TransformerConfig
from lungfish.nn.mlp import SwiGLU
from lungfish.nn.norms import LayerScale, RMSNorm
from lungfish.nn.rope import apply_rope, rope_table


def banded_attention(query: Tensor, key: Tensor, value: Tensor, window: int) -> Tensor:
    """Causal attention within a window, a window of queries at a time.

    Args:
        query: [B, H, L, E].
        key, value: [B, H, P + L, E]; the first P rows precede the first query.
        window: keys per query: positions 0 <= i - j < window.

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
        distance = queries_at - torch.arange(first, last, device=query.device)
        chunks.append(
            nn.functional.scaled_dot_product_attention(
                query[:, :, start:stop],
                key[:, :, first:last],
                value[:, :, first:last],
                attn_mask=(distance >= 0) & (distance < window),
            )
        )
    return torch.cat(chunks, dim=2)


class WindowedAttention(nn.Module):
    """Multi-head self-attention with rotary positions and no biases."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.window, self.head_dim = config.window, config.head_dim
        width = config.num_heads * config.head_dim
        self.wqkv = nn.Linear(config.dim, 3 * width, bias=False)
        self.wo = nn.Linear(width, config.dim, bias=False)

    def forward(self, x: Tensor, rope: Tensor) -> Tensor:
        """x [B, L, dim], rope [L, head_dim / 2, 2] -> [B, L, dim]."""
        query, key, value = (part.unflatten(-1, (-1, self.head_dim)) for part in self.wqkv(x).chunk(3, dim=-1))
        query, key = apply_rope(query, rope), apply_rope(key, rope)  # [B, L, H, E]
        out = banded_attention(query.transpose(1, 2), key.transpose(1, 2), value.transpose(1, 2), self.window)
        return self.wo(out.transpose(1, 2).flatten(-2))


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
