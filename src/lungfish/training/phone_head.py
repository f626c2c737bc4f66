"""The phoneme head on the semantic codebook, and forced alignment through it. Training only; never shipped.

The head reads the output of book 0 and is trained with CTC on the transcript's phones: what it can read, the semantic
codes must carry. Its posteriors then align every frame of a clip with a phone, which guides the language model's
attention. Classes: 0 is the blank, 1.. are `PHONES`. Two readings per code frame (43 Hz), enough for fast speech.
"""

from __future__ import annotations

import numpy as np
from torch import Tensor, nn

from lungfish.text.lexicon import CONSONANTS, VOWELS

PHONES: tuple[str, ...] = (*sorted(VOWELS), *sorted(CONSONANTS))
PHONE_INDEX = {phone: index for index, phone in enumerate(PHONES, 1)}
READINGS_PER_FRAME = 2
_WIDTH = 192


class PhoneHead(nn.Module):
    """semantic book output [B, T, D] -> log-probabilities [B, 2T, 1 + phones]."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.classes = 1 + len(PHONES)
        self.layers = nn.Sequential(
            nn.Conv1d(dim, _WIDTH, 5, padding=2),
            nn.GELU(),
            nn.Conv1d(_WIDTH, _WIDTH, 5, padding=2),
            nn.GELU(),
            nn.Conv1d(_WIDTH, READINGS_PER_FRAME * self.classes, 1),
        )

    def forward(self, semantic: Tensor) -> Tensor:
        scores = self.layers(semantic.transpose(1, 2))
        batch, _, frames = scores.shape
        scores = scores.reshape(batch, READINGS_PER_FRAME, self.classes, frames).permute(0, 3, 1, 2)
        return scores.reshape(batch, READINGS_PER_FRAME * frames, self.classes).log_softmax(-1)


def best_path_phones(log_probs: Tensor) -> list[int]:
    """Greedy CTC reading of one clip: [N, classes] -> phone indices, repeats and blanks removed."""
    best = log_probs.argmax(-1).tolist()
    return [p for i, p in enumerate(best) if p and (i == 0 or p != best[i - 1])]


def edit_distance(first: list[int], second: list[int]) -> int:
    """Levenshtein distance of two sequences."""
    row = list(range(len(second) + 1))
    for i, left in enumerate(first, 1):
        previous, row = row, [i]
        for j, right in enumerate(second, 1):
            row.append(min(previous[j] + 1, row[-1] + 1, previous[j - 1] + (left != right)))
    return row[-1]


def align(log_probs: np.ndarray, labels: list[int]) -> tuple[np.ndarray, float]:
    """Viterbi alignment of a clip with its phones.

    Args:
        log_probs: [N, classes] readings of the head.
        labels: phone indices of the transcript, at least one.

    Returns:
        position [N] float32 in 0 .. len(labels) - 1 (halves between two phones), and the mean log-probability per phone.
    """
    states = 2 * len(labels) + 1
    symbol = np.zeros(states, dtype=np.int64)
    symbol[1::2] = labels
    may_skip = np.zeros(states, dtype=bool)
    may_skip[3::2] = symbol[3::2] != symbol[1:-2:2]
    emission = log_probs[:, symbol]
    count = len(emission)
    score = np.full(states, -1e9)
    score[:2] = emission[0, :2]
    back = np.zeros((count, states), dtype=np.int8)
    for t in range(1, count):
        one = np.concatenate(([-1e9], score[:-1]))
        two = np.where(may_skip, np.concatenate(([-1e9, -1e9], score[:-2])), -1e9)
        options = np.stack((score, one, two))
        back[t] = options.argmax(0)
        score = options.max(0) + emission[t]
    state = states - 1 if score[-1] > score[-2] else states - 2
    total = float(score[state])
    path = np.zeros(count)
    for t in range(count - 1, -1, -1):
        path[t] = state
        state -= int(back[t, state])
    return np.clip((path - 1) / 2, 0, len(labels) - 1).astype(np.float32), total / len(labels)
