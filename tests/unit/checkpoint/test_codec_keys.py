from typing import Any

import pytest
import torch
from torch import nn

from lungfish.checkpoint.codec_keys import drop_saved_tables, fold_weight_norm, unwrap
from lungfish.errors import WeightsError


def layers() -> list[nn.Module]:
    torch.manual_seed(0)
    return [nn.Conv1d(4, 6, 5), nn.ConvTranspose1d(6, 4, 5), nn.Conv1d(4, 1, 1), nn.ConvTranspose1d(3, 5, 1)]


@pytest.mark.parametrize("layer", layers(), ids=lambda layer: type(layer).__name__)
def test_folding_the_parametrised_spelling(layer):
    normed: Any = nn.utils.parametrizations.weight_norm(layer)
    with torch.no_grad():
        normed.parametrizations.weight.original0.mul_(torch.rand_like(normed.parametrizations.weight.original0) + 0.5)
    folded = fold_weight_norm({f"x.conv.{name}": tensor for name, tensor in normed.state_dict().items()}, "file")
    assert set(folded) == {"x.conv.weight", "x.conv.bias"}
    torch.testing.assert_close(folded["x.conv.weight"], normed.weight)


@pytest.mark.parametrize("layer", layers(), ids=lambda layer: type(layer).__name__)
def test_folding_the_g_v_spelling(layer):
    with pytest.warns(FutureWarning, match="weight_norm"):
        normed: Any = nn.utils.weight_norm(layer)
    with torch.no_grad():
        normed.weight_g.mul_(torch.rand_like(normed.weight_g) + 0.5)
    normed(torch.randn(1, layer.in_channels, 9))  # recomputes .weight
    folded = fold_weight_norm({f"in_proj.{name}": tensor for name, tensor in normed.state_dict().items()}, "file")
    assert set(folded) == {"in_proj.weight", "in_proj.bias"}
    torch.testing.assert_close(folded["in_proj.weight"], normed.weight)


def test_plain_weights_and_lone_halves_pass_through():
    state = {"a.weight": torch.ones(2, 2), "b.weight_v": torch.ones(2, 2, 1), "c.weight_g": torch.ones(2, 1, 1)}
    assert set(fold_weight_norm(state, "file")) == set(state)


def test_a_magnitude_of_the_wrong_shape_is_named():
    state = {"b.weight_v": torch.ones(2, 3, 1), "b.weight_g": torch.ones(3, 1, 1)}
    with pytest.raises(WeightsError, match=r"weight norm of b .*\[3, 1, 1\].*\[2, 3, 1\]"):
        fold_weight_norm(state, "file")


def test_unwrapping():
    tensor = torch.ones(1)
    assert set(unwrap({"encoder.a": tensor}, "file")) == {"encoder.a"}
    assert set(unwrap({"state_dict": {"encoder.a": tensor}, "epoch": 3}, "file")) == {"encoder.a"}
    wrapped = {"state_dict": {"generator.encoder.a": tensor, "discriminator.b": tensor}}
    assert set(unwrap(wrapped, "file")) == {"encoder.a"}
    assert set(unwrap({"encoder.regenerator.a": tensor}, "file")) == {"encoder.regenerator.a"}  # only as a prefix
    assert set(unwrap({"generator.x.generator.y": tensor}, "file")) == {"x.generator.y"}  # only the first


@pytest.mark.parametrize("raw", [{"a": 3}, {1: torch.ones(1)}, {"state_dict": [1]}])
def test_other_things_than_tensors_are_refused(raw):
    with pytest.raises(WeightsError):
        unwrap(raw, "file")


def test_saved_tables_are_dropped_only_inside_transformers():
    state = {"pre.causal_mask": torch.ones(1), "pre.freqs_cis": torch.ones(1), "other.causal_mask": torch.ones(1)}
    assert set(drop_saved_tables(state, ["pre"])) == {"other.causal_mask"}
