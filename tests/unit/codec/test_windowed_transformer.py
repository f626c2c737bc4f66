import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from lungfish.codec.config import TransformerConfig
from lungfish.codec.windowed_transformer import WindowedTransformer, banded_attention


def dense(query, key, value, window):
    past = key.shape[-2] - query.shape[-2]
    distance = torch.arange(past, key.shape[-2])[:, None] - torch.arange(key.shape[-2])
    return scaled_dot_product_attention(query, key, value, attn_mask=(distance >= 0) & (distance < window))


@pytest.mark.parametrize("window", [1, 2, 7, 16])
@pytest.mark.parametrize("past", [0, 5, 15, 40])
def test_banded_equals_dense_around_the_window(window, past):
    torch.manual_seed(window)
    for length in sorted({1, max(1, window - 1), window, window + 1, 2 * window - 1, 2 * window, 2 * window + 1, 50}):
        query = torch.randn(2, 3, length, 8)
        key, value = torch.randn(2, 2, 3, past + length, 8)
        banded = banded_attention(query, key, value, window)
        torch.testing.assert_close(banded, dense(query, key, value, window), atol=2e-6, rtol=1e-5)


def test_memory_grows_with_the_window_not_with_the_square(monkeypatch):
    seen = []

    def spy(query, key, value, **options):
        seen.append(query.shape[-2] * key.shape[-2])
        return scaled_dot_product_attention(query, key, value, **options)

    monkeypatch.setattr("lungfish.codec.windowed_transformer.nn.functional.scaled_dot_product_attention", spy)
    banded_attention(*torch.randn(3, 1, 1, 1000, 4), window=10)
    assert max(seen) <= 10 * 20
    assert sum(seen) <= 1000 * 20


def transformer(window: int = 5) -> WindowedTransformer:
    torch.manual_seed(0)
    model = WindowedTransformer(TransformerConfig(2, 16, 2, 8, 24, window=window)).eval()
    for name, parameter in model.named_parameters():
        if name.endswith("gamma"):
            torch.nn.init.constant_(parameter, 0.5)
    return model


@torch.no_grad()
def test_causal_and_limited_to_layers_times_window():
    model, x = transformer(), torch.randn(1, 16, 40)
    changed = x.clone()
    changed[..., 20] += 1
    difference = (model(x) - model(changed)).abs().amax(1)[0]
    assert difference[:20].max() == 0
    assert difference[20] > 0.01
    reach = 2 * (5 - 1)  # two layers, window 5
    assert difference[20 + reach] > 0
    assert difference[20 + reach + 1 :].max() == 0


@torch.no_grad()
def test_the_output_replaces_the_input():
    model, x = transformer(), torch.randn(1, 16, 9) * 50
    assert model(x).square().mean(1).sub(1).abs().max() < 1e-3  # ends in a norm of unit weight


def test_gradients_reach_every_parameter():
    model = transformer()
    model(torch.randn(2, 16, 12)).square().sum().backward()
    assert all(parameter.grad is not None and parameter.grad.abs().sum() > 0 for parameter in model.parameters())
