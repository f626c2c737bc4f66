"""Training of the modified DAC's books by gradient: straight-through values, two losses, dropout, dead rows.

Codes and values are those of `DacQuantizer.quantize`; nothing here changes what a trained codec does. Each book has two
losses in its lookup space, neither normalised: commitment moves projections (and what comes before them) to the rows,
the codebook loss moves rows to the projections. The residual chain is attached and never masked, so a later book's
commitment also reaches the out_proj of the books before it. Source: spec/codec.md 3.7, 5; van den Oord et al. 2017
(losses); Kumar et al. 2023 (factorised books, quantizer dropout); Dhariwal et al. 2020 (revival).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from lungfish.codec.quantizer import Codebook, DacQuantizer

_JITTER = 0.01  # of the root mean square of the vectors, so that two rows on one vector part


@dataclass(frozen=True)
class TrainedQuantization:
    """What the books make of latents, with gradients.

    Attributes:
        quantized: [B, D, T], the sum of the books that each clip uses.
        semantic: [B, D, T], the semantic book's value alone.
        commitment: scalar, how far projections are from their rows; moves what makes the projections.
        codebook: scalar, the same distance; moves the rows.
        codes: [B, K, T] int64 of all books, row 0 semantic.
    """

    quantized: Tensor
    semantic: Tensor
    commitment: Tensor
    codebook: Tensor
    codes: Tensor


class CodebookUsage(nn.Module):
    """How often each row of one book is chosen, and what to do about rows that are not.

    State is saved with a training checkpoint, never shipped. In a distributed run every process has the same state and
    moves the same rows to the same places.

    Args:
        size: rows of the book.
        decay: of the moving share, per batch.
        dead_below: a row is dead below this part of the share that rows in even use would have.
    """

    def __init__(self, size: int, decay: float = 0.99, dead_below: float = 0.03) -> None:
        super().__init__()
        self.decay, self.dead_below = decay, dead_below
        self.share: Tensor
        self.register_buffer("share", torch.full((size,), 1 / size))

    @torch.no_grad()
    def count(self, indices: Tensor) -> None:
        """Take in the choices [n] of a batch; nothing happens if no process has any."""
        hits = torch.bincount(indices, minlength=len(self.share)).to(self.share.dtype)
        if torch.distributed.is_initialized():
            torch.distributed.all_reduce(hits)
        total = hits.sum()
        if total:
            self.share.lerp_(hits / total, 1 - self.decay)

    @torch.no_grad()
    def revive(self, book: Codebook, vectors: Tensor, optimizer: torch.optim.Optimizer | None = None) -> int:
        """Move dead rows onto random vectors of the batch; their share starts anew, as if they were in even use.

        Args:
            book: the book that is counted here.
            vectors: [n, codebook_dim], its projections; those of the first process count.
            optimizer: forgets the moments of the moved rows.

        Returns:
            rows moved.
        """
        dead = self.share < self.dead_below / len(self.share)
        moved = int(dead.sum())
        if not moved or not _in_first_process(len(vectors), vectors.device):
            return 0
        weight = book.codebook.weight
        rows = weight[dead]
        if len(vectors):
            chosen = vectors[torch.randint(len(vectors), (moved,), device=vectors.device)]
            scale = _JITTER * vectors.square().mean().sqrt()
            rows = (chosen + scale * torch.randn_like(chosen)).to(weight.dtype)
        if torch.distributed.is_initialized():
            torch.distributed.broadcast(rows, src=0)
        weight[dead] = rows
        self.share[dead] = 1 / len(self.share)
        for moment in (optimizer.state.get(weight, {}) if optimizer is not None else {}).values():
            if isinstance(moment, Tensor) and moment.shape == weight.shape:
                moment[dead] = 0
        return moved

    def perplexity(self) -> float:
        """Effective number of rows in use, 1 to size."""
        share = self.share / self.share.sum()
        return float(torch.exp(torch.special.entr(share).sum()))


def quantize_dac_for_training(
    quantizer: DacQuantizer,
    latents: Tensor,
    valid: Tensor,
    books_used: Tensor,
    usage: Sequence[CodebookUsage] | None = None,
    optimizer: torch.optim.Optimizer | None = None,
) -> TrainedQuantization:
    """All books, with gradients; in the books' own precision even inside autocast, since lookups are delicate.

    Per book a loss is the mean over codebook_dim and a clip's valid frames, then over the clips of the batch, where a
    clip that does not use the book counts as 0; losses are summed over books.

    Args:
        quantizer: of the codec in training.
        latents: [B, D, T].
        valid: [B, T] bool, False on padding.
        books_used: [B], how many books each clip uses, 1 or more: the semantic book always counts, so 1 means it alone.
        usage: one per book, which count and revive; rows that move do so after the lookup. Nothing moves when absent.
        optimizer: whose moments the moved rows lose.
    """
    books = (*quantizer.semantic_quantizer.books(), *quantizer.quantizer.books())
    counts = usage if usage is not None else (None,) * len(books)
    with torch.autocast(latents.device.type, enabled=False):
        latents = latents.to(books[0].codebook.weight.dtype)
        frame_share = (valid / valid.sum(1, keepdim=True).clamp(min=1)).to(latents.dtype)  # [B, T], 1 per clip
        semantic = residual = latents
        rest = torch.zeros_like(latents)
        commitment = codebook = latents.new_zeros(())
        codes = []
        for number, (book, count) in enumerate(zip(books, counts, strict=True)):
            value, indices, projected = book(residual)
            rows = book.codebook(indices).transpose(1, 2)
            used = (books_used > number).to(latents.dtype)
            weight = frame_share * used[:, None] / len(used)
            commitment = commitment + ((projected - rows.detach()).square().mean(1) * weight).sum()
            codebook = codebook + ((projected.detach() - rows).square().mean(1) * weight).sum()
            if number == 0:
                semantic = value
            else:
                rest = rest + value * used[:, None, None]
            residual = residual - value
            codes.append(indices)
            if count is not None:
                count.count(indices[valid])
                count.revive(book, projected.detach().transpose(1, 2)[valid], optimizer)
    return TrainedQuantization(semantic + rest, semantic, commitment, codebook, torch.stack(codes, dim=1))


def _in_first_process(count: int, device: torch.device) -> bool:
    """Whether the first process of a distributed run, or this one of no such run, has any."""
    if not torch.distributed.is_initialized():
        return count > 0
    first = torch.tensor(count, device=device)
    torch.distributed.broadcast(first, src=0)
    return bool(first)
