"""Keys and values of positions already seen, per layer, filled from the left.

Fill order is separate from positions: entry j is the j-th token that was fed, whatever its rotary position. Attention
sees `length` entries and no more. One request owns one cache; nothing here is global.
"""

from __future__ import annotations

import torch
from torch import Tensor

from lungfish.lm.config import StackShape


class LayerCache:
    """Keys and values of one layer, [B, KV heads, capacity, head_dim] each."""

    def __init__(self, keys: Tensor, values: Tensor) -> None:
        self.keys, self.values, self.length = keys, values, 0

    def append(self, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Add [B, KV heads, L, head_dim] and return views of everything filled, [B, KV heads, length, head_dim].

        Raises:
            ValueError: more entries than the cache was made for.
        """
        end = self.length + keys.shape[2]
        if end > self.keys.shape[2]:
            raise ValueError(f"cache of {self.keys.shape[2]} entries cannot hold {end}")
        self.keys[:, :, self.length : end] = keys
        self.values[:, :, self.length : end] = values
        self.length = end
        return self.keys[:, :, :end], self.values[:, :, :end]


class KVCache:
    """The caches of a stack.

    Args:
        shape: of the stack.
        batch: rows.
        capacity: most entries that will ever be fed.
        device, dtype: of the model.
    """

    def __init__(self, shape: StackShape, batch: int, capacity: int, device: torch.device, dtype: torch.dtype) -> None:
        size = (2, batch, shape.num_kv_heads, capacity, shape.head_dim)
        self.layers = [
            LayerCache(*torch.empty(size, device=device, dtype=dtype).unbind()) for _ in range(shape.num_layers)
        ]
        self.capacity = capacity

    @property
    def length(self) -> int:
        """Entries filled, the same in every layer."""
        return self.layers[-1].length

    def rewind(self, length: int = 0) -> None:
        """Forget all entries after the first `length`."""
        for layer in self.layers:
            layer.length = min(layer.length, length)
