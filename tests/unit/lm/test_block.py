"""Attention against the plainest form of itself."""

import pytest
import torch

from lungfish.lm.block import Attention, Block, attend, attend_in_steps, attention_map, causal_mask
from lungfish.lm.kv_cache import KVCache
from lungfish.nn.rope import rope_table
from tests.toy_lm import small_config


def plain_attention(query, key, value, mask):
    """Repeats KV heads and builds every score."""
    groups = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
    return scores.masked_fill(~mask, float("-inf")).softmax(-1) @ value


@pytest.mark.parametrize(("length", "span"), [(7, 7), (1, 7), (3, 7), (1, 1)])
@pytest.mark.parametrize("kv_heads", [1, 2, 4])
def test_grouped_heads_read_the_right_keys(length, span, kv_heads):
    generator = torch.Generator().manual_seed(length)
    query = torch.randn(2, 4, length, 8, generator=generator)
    key, value = (torch.randn(2, kv_heads, span, 8, generator=generator) for _ in range(2))
    mask = causal_mask(length, span, query.device)
    expected = plain_attention(query, key, value, mask)
    torch.testing.assert_close(attend(query, key, value), expected)
    torch.testing.assert_close(attend(query, key, value, mask[None, None]), expected)
    torch.testing.assert_close(attend_in_steps(query, key, value), expected)


def test_a_mask_per_row_reaches_a_single_query():
    query, key = torch.randn(2, 4, 1, 8), torch.randn(2, 2, 5, 8)
    mask = torch.tensor([[True, True, True, True, True], [False, False, True, True, True]])[:, None, None]
    out = attend(query, key, key, mask)
    torch.testing.assert_close(out[1:], attend(query[1:], key[1:, :, 2:], key[1:, :, 2:]))
    torch.testing.assert_close(out[:1], attend(query[:1], key[:1], key[:1]))


def test_heads_are_not_repeated_in_memory():
    """A step over a long cache allocates much less than the cache holds."""
    query, key = torch.randn(1, 16, 1, 32), torch.randn(1, 1, 4096, 32)
    with torch.inference_mode(), torch.profiler.profile(profile_memory=True) as profile:
        attend(query, key, key)
    allocated = sum(max(0, event.self_cpu_memory_usage) for event in profile.events() or [])
    assert allocated < key.nbytes * 2


def test_the_map_is_the_attention_of_that_head():
    config = small_config()
    attention = Attention(config.slow_shape)
    x, positions = torch.randn(2, 6, config.dim), torch.arange(6)
    rope = rope_table(positions, config.head_dim, config.rope_base)
    out, none = attention(x, rope)
    same, weights = attention(x, rope, map_head=3)
    assert none is None
    torch.testing.assert_close(same, out)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 6))
    assert not weights.triu(1).any()
    # Values that name their key: what the attention returns for them is the map.
    query, key = torch.randn(1, 2, 6, 8), torch.randn(1, 1, 6, 8)
    named = torch.eye(6, 8)[None, None]
    torch.testing.assert_close(
        attend(query, key, named)[0, 1, :, :6], attention_map(query[:, 1], key[:, 0])[0], atol=1e-6, rtol=1e-5
    )


def test_dropout_only_in_training():
    config = small_config(dropout=0.5)
    block = Block(config.slow_shape)
    x, rope = torch.randn(1, 4, config.dim), rope_table(torch.arange(4), config.head_dim, 1e4)
    block.eval()
    torch.testing.assert_close(block(x, rope)[0], block(x, rope)[0])
    block.train()
    assert not torch.equal(block(x, rope)[0], block(x, rope)[0])


def test_a_cache_holds_what_it_was_made_for_and_no_more():
    shape = small_config().slow_shape
    cache = KVCache(shape, 1, 3, torch.device("cpu"), torch.float32)
    row = torch.ones(1, shape.num_kv_heads, 2, shape.head_dim)
    for layer in cache.layers:
        keys, _ = layer.append(row, row)
        assert keys.shape[2] == 2
    assert cache.length == 2
    with pytest.raises(ValueError, match="cannot hold 4"):
        cache.layers[0].append(row, row)
    cache.rewind(1)
    assert cache.length == 1
    cache.rewind(5)
    assert cache.length == 1
