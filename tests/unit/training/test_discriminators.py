"""Discriminators: shapes, inputs, sizes that make no sense."""

from __future__ import annotations

# Attributes of torch modules have no types.
# pyright: reportAttributeAccessIssue=false, reportArgumentType=false, reportCallIssue=false, reportIndexIssue=false
# pyright: reportOptionalMemberAccess=false
import pytest
import torch
from pydantic import ValidationError

from lungfish.config.loader import validate_config
from lungfish.errors import ConfigError
from lungfish.training.discriminators import DiscriminatorConfig, Discriminators

SMALL = DiscriminatorConfig(
    periods=(2, 3), period_channels=(4, 8, 8), windows=(256,), bands=((0.0, 0.25), (0.25, 1.0)), band_channels=4
)
RATE = 22050


def made(config: DiscriminatorConfig = SMALL) -> Discriminators:
    torch.manual_seed(0)
    return Discriminators(config, RATE)


def test_one_list_of_maps_per_discriminator_the_verdicts_last() -> None:
    maps = made()(torch.randn(2, 1, 4000))
    assert len(maps) == 3
    assert [len(each) for each in maps] == [4, 4, 2 * 5 + 1]
    assert all(each[-1].shape[:2] == (2, 1) for each in maps)
    assert [each[0].shape[-1] for each in maps[:2]] == [2, 3]  # the period


def test_full_size_is_descripts() -> None:
    with torch.device("meta"):
        count = sum(p.numel() for p in Discriminators(DiscriminatorConfig(), 44100).parameters())
    assert 41e6 < count < 44e6


@pytest.mark.parametrize("samples", [1, 5, 255, 256, 1000])
def test_clips_of_any_length(samples: int) -> None:
    for maps in made()(torch.randn(1, 1, samples)):
        assert all(torch.isfinite(one).all() for one in maps)
        assert maps[-1].numel() > 0


def test_level_and_offset_give_nothing_away() -> None:
    discriminators, waveform = made(), torch.randn(1, 1, 3000)
    for plain, changed in zip(discriminators(waveform), discriminators(0.3 * waveform + 0.1), strict=True):
        torch.testing.assert_close(plain[-1], changed[-1], rtol=1e-3, atol=1e-4)


def test_a_band_hears_its_own_frequencies() -> None:
    band = made(SMALL.model_copy(update={"periods": ()})).each[0]
    time = torch.arange(8000) / RATE
    low, high = torch.sin(2 * torch.pi * 500 * time), torch.sin(2 * torch.pi * 9000 * time)
    on_low, on_both = band(low[None, None]), band((low + high)[None, None])
    moved = [(one - other).abs().mean().item() for one, other in zip(on_low, on_both, strict=True)]
    assert moved[0] < 0.02 * moved[5]  # 0 to 2.8 kHz v. 2.8 to 11 kHz


@pytest.mark.parametrize(
    "wrong",
    [
        {"periods": (), "windows": ()},
        {"periods": (0,)},
        {"period_channels": (4,)},
        {"windows": (30,)},
        {"bands": ()},
        {"bands": ((0.5, 0.25),)},
        {"bands": ((0.0, 1.1),)},
        {"bands": ((0.5, 1.0), (0.0, 0.5))},
        {"bands": ((0.0, 0.5), (0.4, 1.0))},
        {"band_channels": 0},
        {"perriods": (2,)},
    ],
)
def test_sizes_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        DiscriminatorConfig(**wrong)  # type: ignore[arg-type]


def test_a_config_file_says_which_band_is_wrong() -> None:
    with pytest.raises(ConfigError, match="lower to a higher share"):
        validate_config({"bands": [[0.5, 0.1]]}, DiscriminatorConfig, "codec.yaml")


@pytest.mark.parametrize("level", [0.0, 1e-6, 1e-2])
def test_gradients_of_near_silence_are_bounded(level: float) -> None:
    waveform = (level * torch.randn(1, 1, 2000)).requires_grad_()
    torch.stack([maps[-1].sum() for maps in made()(waveform)]).sum().backward()
    loud = torch.randn(1, 1, 2000).requires_grad_()
    torch.stack([maps[-1].sum() for maps in made()(loud)]).sum().backward()
    assert waveform.grad is not None
    assert loud.grad is not None
    assert torch.isfinite(waveform.grad).all()
    assert waveform.grad.abs().max() < 5000 * loud.grad.abs().max()


def test_a_band_without_a_bin_is_refused() -> None:
    with pytest.raises(ConfigError, match="too short"):
        Discriminators(SMALL.model_copy(update={"bands": ((0.0, 0.001),)}), RATE)
