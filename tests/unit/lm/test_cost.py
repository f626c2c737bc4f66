from __future__ import annotations

import dataclasses

import pytest
import torch

from lungfish.lm.config import DualARConfig
from lungfish.lm.cost import Plan, Reads, at_frame_rate, block_weights, frame_cost, kv_bytes_per_token, reference_plan
from lungfish.lm.model import DualAR
from tests.released import S2_PRO
from tests.toy_lm import small_config

S2 = DualARConfig.from_dict(S2_PRO)
CUT = Plan(residual_rows=1024)  # the released codec's residual books


def test_the_reference_reads_8_17_g_weights_a_frame() -> None:
    cost = frame_cost(S2, reference_plan(S2))
    assert cost.weights == 8_174_404_096
    assert cost.parts["slow"].weights + cost.parts["head"].weights == 4_032_298_496
    assert cost.parts["fast"].weights == 10 * 414_210_560  # more than the slow stack


def test_here_7_30_g_are_enough() -> None:
    assert frame_cost(S2, CUT).weights == 7_301_116_416
    assert frame_cost(S2).weights == 7_371_895_296  # with all 4096 rows of the depth head
    assert frame_cost(S2).parts["head"].weights == 4097 * 2560


def test_flattened_it_reads_ten_times_the_slow_stack() -> None:
    flat = frame_cost(S2, Plan(flattened=True, whole_head=True))
    assert flat.weights == 10 * 4_032_298_496
    reference = frame_cost(S2, reference_plan(S2))
    assert 0.34 * flat.weights / reference.weights == pytest.approx(1.68, abs=0.005)  # the seed's scaling of RTF 0.34
    assert flat.parts["slow"].kv_bytes == 10 * 10 * frame_cost(S2).parts["slow"].kv_bytes
    assert set(flat.parts) == {"slow", "head"}
    assert frame_cost(S2, Plan(flattened=True)).parts["head"].weights == 10 * 4096 * 2560


@pytest.mark.parametrize(
    ("bits", "bounds"),
    [(16, (292, 4060, 7120, 11_400)), (8, (577, 7120, 11_400, 16_400)), (4.5, (1011, 10_600, 15_600, 20_300))],
)
def test_bounds_at_4_3_tb_a_second(bits: float, bounds: tuple[int, ...]) -> None:
    cost = frame_cost(S2, CUT, weight_bytes_each=bits / 8)
    found = [cost.frames_per_s(4300, batch) for batch in (1, 16, 32, 64)]
    assert found == pytest.approx(bounds, rel=0.005)
    assert cost.rtf(4300, 16) == pytest.approx(cost.frame_rate / (found[1] / 16))


def test_keys_and_values() -> None:
    assert kv_bytes_per_token(S2.slow_shape, 2) == 147_456
    assert frame_cost(S2, context=1000).parts["slow"].kv_bytes == 147_456_000
    assert frame_cost(S2, reference_plan(S2)).parts["slow"].kv_bytes == 32_768 * 147_456
    per_depth = kv_bytes_per_token(S2.fast_shape, 2)
    assert frame_cost(S2).parts["fast"].kv_bytes == sum(range(2, 11)) * per_depth
    assert frame_cost(S2, reference_plan(S2)).parts["fast"].kv_bytes == 10 * 10 * per_depth


def test_another_frame_rate_changes_the_rtf_alone() -> None:
    cost = frame_cost(S2)
    faster = at_frame_rate(cost, 4 * cost.frame_rate)
    assert faster.bytes_per_frame() == cost.bytes_per_frame()
    assert faster.rtf(4300) == pytest.approx(4 * cost.rtf(4300))


def test_the_codec_counts_with_its_own_type() -> None:
    cost = frame_cost(S2, codec=Reads(1000, 500.0))
    assert cost.bytes_per_frame() == frame_cost(S2).bytes_per_frame() + 4 * 1000 + 500
    assert cost.weights == frame_cost(S2).weights


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"qkv_bias": True, "o_bias": True},
        {"qk_norm": False, "fast_qk_norm": True, "fast_qkv_bias": True},
        {"fast_dim": 24, "tie_word_embeddings": False},
    ],
)
def test_counts_are_those_of_the_modules(changes: dict[str, object]) -> None:
    config = small_config(**changes)
    with torch.device("meta"):
        model = DualAR(config)
    count = {name: sum(p.numel() for p in part.parameters()) for name, part in model.named_modules()}
    assert block_weights(config.slow_shape) == count["slow.layers.0"]
    assert block_weights(config.fast_shape) == count["fast.layers.0"]
    one_pass = dataclasses.replace(config, num_codebooks=2)
    assert frame_cost(one_pass).parts["fast"].weights == count["fast"] - count["fast.embeddings"]
    assert frame_cost(config).parts["slow"].weights == (count["slow.layers"] + count["slow.norm"])
