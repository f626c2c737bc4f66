import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from lungfish.codec.config import TransformerConfig
from lungfish.codec.windowed_transformer import WindowedTransformer, banded_attention
from lungfish.nn.streaming import map_state


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


@torch.no_grad()
@pytest.mark.parametrize("window", [1, 2, 5, 16])
@pytest.mark.parametrize("sizes", [[1] * 23, [3, 1, 9, 10], [23], [5, 5, 13]])
def test_steps_equal_the_whole(window, sizes):
    model, x = transformer(window), torch.randn(2, 16, sum(sizes))
    state, parts = model.new_state(2), []
    for chunk in x.split(sizes, dim=-1):
        y, state = model.step(chunk, state)
        parts.append(y)
    torch.testing.assert_close(torch.cat(parts, dim=-1), model(x), atol=1e-5, rtol=1e-5)
    assert state[0].tolist() == [23, 23]


@torch.no_grad()
def test_positions_count_from_the_start_of_each_stream():
    model, x = transformer(), torch.randn(2, 16, 30)
    ahead = model.step(x[:1, :, :12], model.new_state(1))[1]
    fresh = model.new_state(1)
    state = map_state(lambda *rows: torch.cat(rows), ahead, fresh)
    y, (positions, _) = model.step(torch.cat((x[:1, :, 12:], x[1:, :, :18])), state)  # type: ignore[arg-type]
    torch.testing.assert_close(y[:1], model(x[:1])[..., 12:], atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(y[1:], model(x[1:])[..., :18], atol=1e-5, rtol=1e-5)
    assert positions.tolist() == [30, 18]
