"""Who is moved by which loss."""

from __future__ import annotations

import pytest
import torch

from lungfish.training.adversarial import discriminator_step_loss, generator_step_losses
from lungfish.training.discriminators import DiscriminatorConfig, Discriminators

SMALL = DiscriminatorConfig(
    periods=(2, 3), period_channels=(4, 8, 8), windows=(256,), bands=((0.0, 0.25), (0.25, 1.0)), band_channels=4
)


@pytest.fixture
def discriminators() -> Discriminators:
    torch.manual_seed(0)
    return Discriminators(SMALL, 22050)


def waveforms() -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    time = torch.arange(3000) / 22050
    real = torch.stack([torch.sin(2 * torch.pi * f * time) for f in (200.0, 300.0)])[:, None]
    return real, torch.randn(2, 1, 3000, generator=generator)


def test_the_discriminators_loss_moves_every_discriminator_and_nothing_else(discriminators: Discriminators) -> None:
    real, fake = (one.requires_grad_() for one in waveforms())
    discriminator_step_loss(discriminators, real, fake).backward()
    for parameter in discriminators.parameters():
        assert parameter.grad is not None
        assert parameter.grad.abs().sum() > 0
    assert real.grad is None
    assert fake.grad is None


@pytest.mark.parametrize("which", ["adversarial", "feature"])
def test_the_codecs_losses_move_the_output_alone(discriminators: Discriminators, which: str) -> None:
    real, fake = (one.requires_grad_() for one in waveforms())
    getattr(generator_step_losses(discriminators, real, fake), which).backward()
    assert fake.grad is not None
    assert fake.grad.abs().sum() > 0
    assert real.grad is None
    assert all(parameter.grad is None for parameter in discriminators.parameters())
    assert all(parameter.requires_grad for parameter in discriminators.parameters())


def test_weights_move_again_even_after_an_error(discriminators: Discriminators) -> None:
    frozen = discriminators.each[0]
    frozen.requires_grad_(False)
    real, _ = waveforms()
    with pytest.raises(RuntimeError):
        generator_step_losses(discriminators, real, torch.randn(2, 7, 3, 3000))
    assert not any(parameter.requires_grad for parameter in frozen.parameters())
    assert all(parameter.requires_grad for parameter in discriminators.each[1].parameters())


def test_equal_waveforms_match_in_every_feature(discriminators: Discriminators) -> None:
    real, _ = waveforms()
    losses = generator_step_losses(discriminators, real, real.clone())
    assert losses.feature.item() == 0
    assert losses.adversarial.item() > 0


def test_discriminators_learn_to_tell(discriminators: Discriminators) -> None:
    real, fake = waveforms()
    optimizer = torch.optim.AdamW(discriminators.parameters(), lr=3e-3)
    losses = []
    for _ in range(40):
        loss = discriminator_step_loss(discriminators, real, fake)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.3 * losses[0]
    fooled = generator_step_losses(discriminators, real, real.clone()).adversarial
    assert generator_step_losses(discriminators, real, fake).adversarial > 5 * fooled
