"""One draw, the second draw, the penalty, and what a request may ask for."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lungfish.errors import SamplingError
from lungfish.lm.sampling import END, SamplingParams, SemanticSampler, candidates, draw, is_greedy

PROBS = torch.tensor([0.1, 0.6, 0.3])


def kept(top_p, top_k, temperature=1.0):
    return candidates(PROBS.log(), temperature, top_p, top_k)[1].tolist()


def test_defaults():
    params = SamplingParams()
    assert (params.temperature, params.top_p, params.top_k) == (0.8, 0.8, 30)
    assert (params.repetition_penalty, params.ras, params.ras_window) == (1.0, True, 10)
    assert params.residual == (0.8, 0.8, 30)
    assert params.seed is None


def test_the_item_that_crosses_top_p_is_cut():
    assert kept(0.89, 30) == [False, True, False]
    assert kept(0.91, 30) == [False, True, True]
    assert kept(0.01, 30) == [False, True, False]  # the likeliest always stays
    assert kept(1.0, 2) == [False, True, True]
    assert kept(1.0, 1) == [False, True, False]


def test_the_nucleus_ignores_temperature():
    assert kept(0.89, 30, temperature=2.0) == [False, True, False]
    probs, _ = candidates(PROBS.log(), 0.5, 1.0, 30)
    torch.testing.assert_close(probs, PROBS.square() / PROBS.square().sum())


def test_given_uniforms_decide():
    """argmax of q / -ln u: a candidate with u near 1 wins, one with u = 0 never does."""
    uniforms = torch.tensor([0.999, 0.5, 0.5])
    assert draw(PROBS.log(), 1.0, 1.0, 30, uniforms=uniforms) == 0
    assert draw(PROBS.log(), 1.0, 1.0, 30, uniforms=torch.tensor([0.5, 0.0, 0.5])) == 2
    assert draw(PROBS.log(), 1.0, 0.89, 30, uniforms=uniforms) == 1  # the rest is cut


def test_draws_follow_the_distribution():
    generator = torch.Generator().manual_seed(0)
    drawn = draw(PROBS.log().expand(20_000, 3), 1.0, 1.0, 30, generator=generator)
    share = torch.bincount(drawn, minlength=3) / len(drawn)
    torch.testing.assert_close(share, PROBS, atol=0.015, rtol=0)


def test_draws_are_float32_whatever_the_model_is():
    logits = torch.randn(64, generator=torch.Generator().manual_seed(1)).bfloat16()
    probs, _ = candidates(logits, 0.7, 0.9, 30)
    assert probs.dtype is torch.float32
    torch.testing.assert_close(probs, candidates(logits.float(), 0.7, 0.9, 30)[0])


@pytest.mark.parametrize("knobs", [(0, 0.8, 30), (0.8, 0, 30), (0.8, 0.8, 1), (0.8, 0.8, 0), (0.8, 0.8, -1)])
def test_zero_is_greedy(knobs):
    logits = torch.randn(5, 50, generator=torch.Generator().manual_seed(2))
    assert is_greedy(*knobs)
    assert torch.equal(draw(logits, *knobs, generator=torch.Generator().manual_seed(3)), logits.argmax(-1))


def test_greedy_takes_the_lowest_of_equals():
    assert draw(torch.tensor([1.0, 5.0, 5.0]), 0, 1.0, 30) == 1


@given(st.lists(st.floats(-20, 20, width=32), min_size=1, max_size=40), st.floats(0.01, 2), st.floats(0.01, 1))
def test_some_candidate_always_remains(values, temperature, top_p):
    logits = torch.tensor(values)
    probs, kept_ones = candidates(logits, temperature, top_p, 5)
    assert 1 <= kept_ones.sum() <= 5
    assert probs[~kept_ones].sum() == 0
    assert probs.sum().item() == pytest.approx(1, abs=1e-5)
    assert logits[kept_ones].max() == logits.max()
    token = draw(logits, temperature, top_p, 5, generator=torch.Generator().manual_seed(0))
    assert logits[token] >= logits[kept_ones].min()


def sampler(**knobs):
    return SemanticSampler(SamplingParams(**knobs), torch.Generator().manual_seed(4))


def test_a_token_that_returns_is_drawn_again():
    """One candidate holds 0.85 of the mass: without a second draw it would come every time."""
    logits = torch.log(torch.tensor([0.01, 0.85, 0.08, 0.06]))
    plain = sampler(ras=False, temperature=1.0, top_p=0.86)
    assert [plain.next(logits) for _ in range(30)] == [1] * 30
    again = sampler(temperature=1.0, top_p=0.86, ras_top_p=1.0)
    drawn = [again.next(logits) for _ in range(30)]
    assert drawn[0] == 1
    assert len(set(drawn)) > 1


def test_the_second_draw_counts_from_the_first_frame_and_forgets():
    params = {"temperature": 1.0, "top_p": 0.4, "top_k": 30, "ras_top_p": 1.0, "ras_temperature": 0.01}
    logits = torch.tensor([0.0, 5.0, 4.9, 0.0])
    drawing = sampler(**params)
    assert drawing.next(logits) == 1
    assert drawing._recent[-1] == 1  # the first frame is remembered
    assert drawing.next(logits) == 1  # the second draw may choose it again
    short = sampler(**params, ras_window=1)
    for token in (7, 8):
        short._recent.append(token)
    assert short._last(1) == [8]


def test_the_end_is_never_drawn_again():
    drawing = sampler(temperature=1.0, top_p=0.01)
    end = torch.tensor([9.0, 0.0, 0.0])
    assert [drawing.next(end) for _ in range(3)] == [END] * 3
    assert not drawing._recent


def test_greedy_never_draws_again():
    logits = torch.tensor([0.0, 5.0, 4.0])
    assert [sampler(temperature=0).next(logits) for _ in range(5)] == [1] * 5
    drawing = sampler(top_p=0)
    assert [drawing.next(logits) for _ in range(5)] == [1] * 5


def test_repetition_penalty_over_a_window():
    logits = torch.tensor([-9.0, 2.0, 1.9, 1.8, -1.0])
    drawing = sampler(temperature=0, repetition_penalty=1.5, repetition_window=2)
    assert [drawing.next(logits) for _ in range(6)] == [1, 2, 3, 1, 2, 3]
    plain = sampler(temperature=0)
    assert [plain.next(logits) for _ in range(3)] == [1, 1, 1]
    eager = sampler(temperature=0, repetition_penalty=0.5)
    assert [eager.next(logits) for _ in range(3)] == [1, 1, 1]


def test_penalty_moves_scores_down_on_both_sides_of_zero():
    drawing = sampler(repetition_penalty=2.0)
    drawing._recent.extend([1, 2])
    before = torch.tensor([3.0, 3.0, -3.0, 3.0])
    assert drawing._penalise(before).tolist() == [3.0, 1.5, -6.0, 3.0]
    assert before.tolist() == [3.0, 3.0, -3.0, 3.0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("temperature", -0.1),
        ("temperature", 2.1),
        ("temperature", math.nan),
        ("temperature", "hot"),
        ("temperature", True),
        ("top_p", 1.01),
        ("top_p", -1),
        ("top_p", None),
        ("top_k", 3.5),
        ("top_k", None),
        ("repetition_penalty", 0),
        ("repetition_penalty", math.inf),
        ("repetition_window", 0),
        ("ras", "yes"),
        ("ras_window", 0),
        ("ras_temperature", 3),
        ("ras_top_p", 2),
        ("fast_temperature", -1),
        ("fast_top_p", 1.5),
        ("fast_top_k", 1.5),
        ("max_new_frames", 0),
        ("max_new_frames", True),
        ("seed", -1),
        ("seed", 2**63),
        ("seed", 1.0),
    ],
)
def test_out_of_range_is_refused(name, value):
    with pytest.raises(SamplingError, match=name):
        SamplingParams(**{name: value})


def test_generators_are_seeded_or_not():
    draws = [torch.rand(4, generator=SamplingParams(seed=seed).generator()).tolist() for seed in (7, 7, 8, None, None)]
    assert draws[0] == draws[1]
    assert len({tuple(row) for row in draws}) == 4
