import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from lungfish.training.phone_head import PHONES, READINGS_PER_FRAME, PhoneHead, align, best_path_phones, edit_distance


def test_head_reads_twice_per_frame_and_gives_log_probabilities():
    out = PhoneHead(16)(torch.randn(2, 5, 16))
    assert out.shape == (2, 5 * READINGS_PER_FRAME, 1 + len(PHONES))
    assert torch.allclose(out.exp().sum(-1), torch.ones(2, 10), atol=1e-5)


def test_best_path_drops_blanks_and_repeats():
    path = [0, 3, 3, 0, 3, 5, 5, 0]
    log_probs = torch.nn.functional.one_hot(torch.tensor(path), 8).float()
    assert best_path_phones(log_probs) == [3, 3, 5]


def test_alignment_follows_a_planted_path():
    path = [0, 4, 4, 0, 0, 2, 7, 7, 0]
    log_probs = np.full((len(path), 10), -8.0)
    log_probs[np.arange(len(path)), path] = -0.1
    position, score = align(log_probs, [4, 2, 7])
    assert position[[1, 2]].tolist() == [0, 0]
    assert position[5] == 1
    assert position[[6, 7]].tolist() == [2, 2]
    assert np.all(np.diff(position) >= 0)
    assert score > -1


def test_alignment_of_repeated_phones_needs_a_blank_between_them():
    path = [3, 0, 3]
    log_probs = np.full((3, 5), -5.0)
    log_probs[np.arange(3), path] = -0.1
    position, _ = align(log_probs, [3, 3])
    assert position.tolist() == [0.0, 0.5, 1.0]


def test_edit_distance_of_known_pairs():
    assert edit_distance([1, 2, 3], [1, 3]) == 1
    assert edit_distance([], [1, 2]) == 2
    assert edit_distance([1, 2], [2, 1]) == 2


@given(st.lists(st.integers(0, 3), max_size=8), st.lists(st.integers(0, 3), max_size=8))
def test_edit_distance_is_a_distance(first, second):
    distance = edit_distance(first, second)
    assert distance == edit_distance(second, first)
    assert abs(len(first) - len(second)) <= distance <= max(len(first), len(second))
    assert (distance == 0) == (first == second)
