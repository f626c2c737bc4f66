"""Between encoder and decoder: rate reduction, transformers, the semantic book and the residual books.

    encoder latents -> downsample -> pre_module -> latents [B, D, T] -> books -> codes [B, K, T]
    codes -> books -> quantized [B, D, T] -> post_module -> upsample -> decoder latents

Codes are checked where they enter the codec (codec/dac.py), not here. Source: spec/codec.md 3.5 to 3.9.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from lungfish.codec.config import CodecConfig
from lungfish.codec.windowed_transformer import WindowedTransformer
from lungfish.nn.causal_conv import CausalConv1d, CausalConvTranspose1d
from lungfish.nn.convnext import ConvNeXt


@dataclass(frozen=True)
class Quantized:
    """What the books make of latents.

    Attributes:
        codes: [B, K, T] int64, row 0 semantic.
        quantized: [B, D, T], the semantic value plus the sum of the residual ones.
        semantic: [B, D, T], the semantic book's value alone.
        projections: [B, K * codebook_dim, T], each book's input in its lookup space.
    """

    codes: Tensor
    quantized: Tensor
    semantic: Tensor
    projections: Tensor


class Codebook(nn.Module):
    """One factorised book: project down, take the row of largest cosine, project back."""

    def __init__(self, dim: int, codebook_dim: int, size: int) -> None:
        super().__init__()
        self.in_proj = nn.Conv1d(dim, codebook_dim, kernel_size=1)
        self.out_proj = nn.Conv1d(codebook_dim, dim, kernel_size=1)
        self.codebook = nn.Embedding(size, codebook_dim)

    def nearest(self, projected: Tensor) -> Tensor:
        """projected [B, codebook_dim, T] -> indices [B, T]; the first of equals wins."""
        points = nn.functional.normalize(projected.transpose(1, 2), dim=-1)  # [B, T, E]
        rows = nn.functional.normalize(self.codebook.weight, dim=-1)
        squares = rows.square().sum(-1)
        distance = points.square().sum(-1, keepdim=True) - 2 * points @ rows.T + squares
        return (-distance).argmax(-1)

    def value(self, indices: Tensor) -> Tensor:
        """indices [B, T] -> [B, dim, T]."""
        return self.out_proj(self.codebook(indices).transpose(1, 2))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """x [B, dim, T] -> (value [B, dim, T], indices [B, T], projected [B, codebook_dim, T]).

        The value has a straight-through gradient: it is the chosen row, seen as projected + (row - projected).
        """
        projected = self.in_proj(x)
        indices = self.nearest(projected)
        row = self.codebook(indices).transpose(1, 2)
        return self.out_proj(projected + (row - projected).detach()), indices, projected


class ResidualBooks(nn.Module):
    """Books in a chain, each coding what the ones before left over."""

    def __init__(self, dim: int, codebook_dim: int, sizes: list[int]) -> None:
        super().__init__()
        self.quantizers = nn.ModuleList(Codebook(dim, codebook_dim, size) for size in sizes)

    def books(self) -> list[Codebook]:
        return [book for book in self.quantizers if isinstance(book, Codebook)]

    def forward(self, x: Tensor, limit: int | None = None) -> tuple[Tensor, Tensor, Tensor]:
        """x [B, dim, T] -> (sum of values [B, dim, T], codes [B, n, T], projections [B, n * codebook_dim, T]).

        Args:
            x: what to code.
            limit: books to use; all when absent.
        """
        total, residual = torch.zeros_like(x), x
        codes, projections = [], []
        for book in self.books()[:limit]:
            value, indices, projected = book(residual)
            total, residual = total + value, residual - value
            codes.append(indices)
            projections.append(projected)
        return total, torch.stack(codes, dim=1), torch.cat(projections, dim=1)

    def value(self, codes: Tensor) -> Tensor:
        """codes [B, n, T], 1 <= n <= books -> sum of values [B, dim, T]."""
        rows = codes.unbind(1)
        total = self.books()[0].value(rows[0])
        for book, indices in zip(self.books()[1:], rows[1:], strict=False):
            total = total + book.value(indices)
        return total


class DacQuantizer(nn.Module):
    """Everything at or near the code frame rate. Module names are the released spelling."""

    def __init__(self, config: CodecConfig) -> None:
        super().__init__()
        dim, factors = config.latent_dim, config.downsample_factors
        semantic, *residual = config.codebook_sizes
        self.semantic_quantizer = ResidualBooks(dim, config.codebook_dim, [semantic])
        self.quantizer = ResidualBooks(dim, config.codebook_dim, residual)
        self.downsample = nn.Sequential(
            *(
                nn.Sequential(CausalConv1d(dim, dim, factor, stride=factor), ConvNeXt(dim, 4 * dim))
                for factor in factors
            )
        )
        self.upsample = nn.Sequential(
            *(
                nn.Sequential(CausalConvTranspose1d(dim, dim, factor, stride=factor), ConvNeXt(dim, 4 * dim))
                for factor in reversed(factors)
            )
        )
        self.pre_module = WindowedTransformer(config.quantizer_transformer)
        self.post_module = WindowedTransformer(config.quantizer_transformer)

    def latents(self, encoded: Tensor) -> Tensor:
        """Encoder output [B, D, L] -> latents [B, D, T]."""
        return self.pre_module(self.downsample(encoded))

    def quantize(self, latents: Tensor, num_residual: int | None = None) -> Quantized:
        """latents [B, D, T] -> codes and values.

        Args:
            latents: from `latents`.
            num_residual: residual books to use; all when absent.
        """
        semantic, first, semantic_projection = self.semantic_quantizer(latents)
        residual, rest, projections = self.quantizer(latents - semantic, num_residual)
        return Quantized(
            codes=torch.cat((first, rest), dim=1),
            quantized=semantic + residual,
            semantic=semantic,
            projections=torch.cat((semantic_projection, projections), dim=1),
        )

    def dequantize(self, codes: Tensor) -> Tensor:
        """codes [B, K' <= K, T], all in range -> quantized [B, D, T]."""
        semantic = self.semantic_quantizer.value(codes[:, :1])
        return semantic + self.quantizer.value(codes[:, 1:]) if codes.shape[1] > 1 else semantic

    def decoder_latents(self, quantized: Tensor) -> Tensor:
        """quantized [B, D, T] -> decoder input [B, D, L]."""
        return self.upsample(self.post_module(quantized))
