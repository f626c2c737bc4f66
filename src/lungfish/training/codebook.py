"""Training of a residual VQ by moving averages: what `codec/spectral.py` needs beyond its plain lookup.

Rows follow the average of the vectors that chose them; a row that almost nothing chooses is moved onto a random vector
of the batch (revival). The straight-through gradient goes to the projections; commitment pulls them to their rows.
Source: van den Oord et al. 2017, appendix A.1 (EMA); Dhariwal et al. 2020 (revival); Zeghidour et al. 2021 (residual).
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from lungfish.codec.spectral import SpectralCodebook

_DEAD_BELOW = 0.03  # of the count that a uniformly used book would have
_JITTER = 0.01


class CodebookAverages(nn.Module):
    """Moving counts and sums of one book. State is saved with a training checkpoint, never shipped."""

    def __init__(self, book: SpectralCodebook, decay: float) -> None:
        super().__init__()
        self.decay = decay
        weight = book.codebook.weight.detach()
        self.counts: Tensor
        self.sums: Tensor
        self.started: Tensor
        self.register_buffer("counts", torch.ones(len(weight)))
        self.register_buffer("sums", weight.clone())
        self.register_buffer("started", torch.zeros((), dtype=torch.bool))

    @torch.no_grad()
    def update(self, book: SpectralCodebook, vectors: Tensor) -> None:
        """Move the rows of `book` after it met `vectors` [n, codebook_dim]; the first call places them on vectors."""
        weight = book.codebook.weight
        size, count = len(weight), len(vectors)
        if not self.started:
            weight.copy_(self._jittered(vectors, size))
            self.sums.copy_(weight)
            self.started.fill_(True)
        indices = book.nearest(vectors)
        hits = torch.bincount(indices, minlength=size).to(weight.dtype)
        sums = torch.zeros_like(weight).index_add_(0, indices, vectors)
        self.counts.lerp_(hits, 1 - self.decay)
        self.sums.lerp_(sums, 1 - self.decay)
        weight.copy_(self.sums / (self.counts[:, None] + 1e-6))
        dead = self.counts < _DEAD_BELOW * count / size
        revived = int(dead.sum())
        if revived:
            rows = self._jittered(vectors, revived)
            weight[dead] = rows
            self.counts[dead] = 0.5 * count / size
            self.sums[dead] = rows * self.counts[dead][:, None]

    def perplexity(self) -> float:
        """Effective number of rows in use, 1 to size."""
        share = self.counts / self.counts.sum()
        return float(torch.exp(-(share * torch.log(share + 1e-9)).sum()))

    @staticmethod
    def _jittered(vectors: Tensor, count: int) -> Tensor:
        chosen = vectors[torch.randint(len(vectors), (count,), device=vectors.device)]
        return chosen + _JITTER * torch.randn_like(chosen)


def quantize_for_training(
    books: nn.ModuleList, averages: nn.ModuleList, latents: Tensor, valid: Tensor, books_used: Tensor, update: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """Residual VQ with straight-through gradients.

    Args:
        books: K `SpectralCodebook`.
        averages: K `CodebookAverages`.
        latents: [B, D, T].
        valid: [B, T] bool, False on padding.
        books_used: [B] how many books each clip's sum uses (quantizer dropout).
        update: move the rows.

    Returns:
        quantized [B, D, T], output of book 0 alone [B, T, D], commitment loss (scalar).
    """
    residual = latents.transpose(1, 2)
    total, commitment, semantic = torch.zeros_like(residual), latents.new_zeros(()), residual
    for k, (book, average) in enumerate(zip(books, averages, strict=True)):
        assert isinstance(book, SpectralCodebook)
        assert isinstance(average, CodebookAverages)
        vectors = book.in_proj(residual)
        if update:
            average.update(book, vectors.detach()[valid])
        with torch.no_grad():
            rows = book.codebook(book.nearest(vectors))
        commitment = commitment + (vectors - rows).square().mean(-1)[valid].mean()
        output = book.out_proj(vectors + (rows - vectors).detach())
        if k == 0:
            semantic = output
        total = total + output * (books_used > k).to(output.dtype)[:, None, None]
        # Book 0 is pulled by the phoneme loss too: what follows must not push it towards being easy to correct.
        residual = residual - (output.detach() if k == 0 else output)
    return total.transpose(1, 2), semantic, commitment / len(books)
