import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from lungfish.nn.causal_conv import CausalConv1d, CausalConvTranspose1d
from lungfish.nn.convnext import ConvNeXt
from lungfish.nn.snake import Snake
from lungfish.nn.streaming import map_state, new_state, state_tensors, step


def in_chunks(layers, x: torch.Tensor, sizes: list[int]) -> torch.Tensor:
    state, outputs = new_state(layers, x.shape[0]), []
    for chunk in x.split(sizes, dim=-1):
        y, state = step(layers, chunk, state)
        outputs.append(y)
    return torch.cat(outputs, dim=-1)


@torch.no_grad()
@settings(deadline=None, max_examples=60)
@given(
    kernel=st.integers(1, 9),
    stride=st.integers(1, 4),
    dilation=st.integers(1, 9),
    sizes=st.lists(st.integers(1, 7), min_size=1, max_size=6),
)
def test_causal_convolutions_in_chunks(kernel, stride, dilation, sizes):
    torch.manual_seed(kernel)
    kernel = max(kernel, stride)
    conv = CausalConv1d(3, 5, kernel, stride=stride, dilation=dilation).double()
    sizes = [size * stride for size in sizes]
    x = torch.randn(2, 3, sum(sizes), dtype=torch.float64)
    torch.testing.assert_close(in_chunks([conv], x, sizes), conv(x), atol=1e-12, rtol=0)


@torch.no_grad()
@settings(deadline=None, max_examples=60)
@given(kernel=st.integers(1, 11), stride=st.integers(1, 5), sizes=st.lists(st.integers(1, 5), min_size=1, max_size=6))
def test_transposed_convolutions_in_chunks(kernel, stride, sizes):
    torch.manual_seed(kernel)
    conv = CausalConvTranspose1d(3, 4, max(kernel, stride), stride).double()
    x = torch.randn(2, 3, sum(sizes), dtype=torch.float64)
    torch.testing.assert_close(in_chunks([conv], x, sizes), conv(x), atol=1e-12, rtol=0)


def chain() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(
        CausalConv1d(2, 4, 4, stride=2),
        Snake(4),
        nn.Sequential(ConvNeXt(4, 8, initial_scale=0.5), CausalConvTranspose1d(4, 2, 8, 4)),
    )


@torch.no_grad()
def test_layers_in_a_row_nested_and_with_stateless_ones_between():
    layers, x = chain(), torch.randn(1, 2, 24)
    torch.testing.assert_close(in_chunks(layers, x, [2, 10, 4, 8]), layers(x), atol=1e-6, rtol=0)


@torch.no_grad()
def test_a_step_writes_into_nothing_and_shares_no_memory():
    layers, x = chain(), torch.randn(1, 2, 12)
    state = new_state(layers, 1)
    before = map_state(torch.clone, state)
    given = x.clone()
    y, after = step(layers, x, state)
    assert torch.equal(x, given)
    assert all(torch.equal(*pair) for pair in zip(state_tensors(before), state_tensors(state), strict=True))
    owners = {tensor.untyped_storage().data_ptr() for tensor in state_tensors(after)}
    assert not owners & {tensor.untyped_storage().data_ptr() for tensor in (x, y)}
    for tensor in state_tensors(after):
        assert tensor.untyped_storage().nbytes() == tensor.numel() * tensor.element_size()


def test_a_chunk_that_ends_inside_a_stride_is_refused():
    conv = CausalConv1d(1, 1, 4, stride=2)
    with pytest.raises(ValueError, match="inside a stride of 2"):
        conv.step(torch.zeros(1, 1, 3), conv.new_state(1))
