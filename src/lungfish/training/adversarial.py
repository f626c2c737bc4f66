"""The two sides of adversarial training: what the discriminators learn from, and what the codec learns from them.

Least squares: a verdict of 1 means a recording, 0 the codec. Invariant: neither loss moves the other side's weights. The
codec's losses flow through the discriminators, whose weights are held still meanwhile. Source: Mao et al. 2017; Kumar et al.
2023; spec/codec.md 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from lungfish.training.discriminators import Discriminators


@dataclass(frozen=True, eq=False)
class AdversarialLosses:
    """Attributes:
    adversarial: how far the verdicts on the codec's output are from 1, summed over the discriminators.
    feature: L1 between the feature maps of output and recording, averaged over each map and summed.
    """

    adversarial: Tensor
    feature: Tensor


def discriminator_step_loss(discriminators: Discriminators, real: Tensor, fake: Tensor) -> Tensor:
    """What moves the discriminators.

    Args:
        discriminators: in training.
        real, fake: [B, 1, S], the recording and the codec's output; no gradient flows into either.

    Returns:
        Scalar, summed over the discriminators.
    """
    judged = zip(discriminators(real.detach()), discriminators(fake.detach()), strict=True)
    losses = [(1 - on_real[-1]).square().mean() + on_fake[-1].square().mean() for on_real, on_fake in judged]
    return torch.stack(losses).sum()


def generator_step_losses(discriminators: Discriminators, real: Tensor, fake: Tensor) -> AdversarialLosses:
    """What moves the codec; the discriminators' weights get no gradient.

    Args:
        discriminators: as they are.
        real, fake: [B, 1, S]; gradient flows into `fake` only.

    Returns:
        Both losses, unweighted.
    """
    with torch.no_grad():
        on_real = discriminators(real)
    with _held_still(discriminators):
        on_fake = discriminators(fake)
    adversarial = [(1 - maps[-1]).square().mean() for maps in on_fake]
    feature = [
        nn.functional.l1_loss(made, wanted)
        for made_maps, wanted_maps in zip(on_fake, on_real, strict=True)
        for made, wanted in zip(made_maps[:-1], wanted_maps[:-1], strict=True)
    ]
    return AdversarialLosses(torch.stack(adversarial).sum(), torch.stack(feature).sum())


@contextmanager
def _held_still(module: nn.Module) -> Iterator[None]:
    """Weights that ask for no gradient within the block."""
    moving = [parameter for parameter in module.parameters() if parameter.requires_grad]
    for parameter in moving:
        parameter.requires_grad_(False)
    try:
        yield
    finally:
        for parameter in moving:
            parameter.requires_grad_(True)
