"""Semantic distillation: a head reads the output of book 0 and is asked for the features of a frozen speech model.

What the head can foretell, the semantic codes must carry. The head sees the whole clip, both ways, and is never shipped.
Targets are standardised and averaged over code frames (data/feature_pack.py). Source: spec/codec.md 5; Défossez et al.
2024 (Moshi), section 3.3.
"""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn.functional import cosine_similarity

_MSE_SHARE = 0.5


class SemanticHead(nn.Module):
    """Output of book 0 [B, T, D] -> features [B, T, F]: a convolution for the place in time, then transformer layers.

    Args:
        dim: D, width of the codec's latents.
        features: F, width of the teacher's features.
        width: of the transformer.
        num_layers, num_heads: of the transformer.
    """

    def __init__(self, dim: int, features: int, width: int = 256, num_layers: int = 2, num_heads: int = 4) -> None:
        super().__init__()
        self.conv = nn.Conv1d(dim, width, 5, padding=2)
        layer = nn.TransformerEncoderLayer(
            width, num_heads, 2 * width, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )
        self.layers = nn.TransformerEncoder(layer, num_layers, enable_nested_tensor=False)
        self.out = nn.Linear(width, features)

    def forward(self, semantic: Tensor, valid: Tensor) -> Tensor:
        """semantic [B, T, D], valid [B, T] False on padding -> [B, T, F]; padding is neither heard nor meant."""
        semantic = semantic * valid[..., None]
        x = self.conv(semantic.transpose(1, 2)).transpose(1, 2)
        return self.out(self.layers(x, src_key_padding_mask=~valid))


def distillation_loss(predicted: Tensor, target: Tensor, valid: Tensor) -> tuple[Tensor, Tensor]:
    """1 - cosine + half the mean square, over the valid frames.

    Args:
        predicted, target: [B, T, F].
        valid: [B, T]; at least one True.

    Returns:
        the loss, and the mean cosine (detached).
    """
    predicted, target = predicted[valid], target[valid]
    cosine = cosine_similarity(predicted, target, dim=-1).mean()
    return 1 - cosine + _MSE_SHARE * (predicted - target).square().mean(), cosine.detach()
