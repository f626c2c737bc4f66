"""The head on book 0: it learns what there is to foretell and hears no padding."""

import torch

from lungfish.training.distillation import SemanticHead, distillation_loss


def test_padding_is_neither_heard_nor_meant():
    torch.manual_seed(0)
    head = SemanticHead(6, 5, width=16, num_layers=1, num_heads=2).eval()
    semantic = torch.randn(2, 9, 6)
    valid = torch.arange(9) < torch.tensor([[9], [5]])
    other = semantic.clone()
    other[1, 5:] = 100.0
    first, second = head(semantic, valid), head(other, valid)
    assert torch.allclose(first[valid], second[valid], atol=1e-5)


def test_perfect_features_cost_nothing_and_opposite_ones_most():
    target = torch.randn(1, 4, 8)
    valid = torch.ones(1, 4, dtype=torch.bool)
    loss, cosine = distillation_loss(target.clone(), target, valid)
    assert loss.item() < 1e-5
    assert cosine.item() > 0.999
    worst, cosine = distillation_loss(-target, target, valid)
    assert worst.item() > 2
    assert cosine.item() < -0.999


def test_only_valid_frames_count():
    target, predicted = torch.randn(1, 4, 8), torch.randn(1, 4, 8)
    predicted[0, :2] = target[0, :2]
    valid = torch.tensor([[True, True, False, False]])
    assert distillation_loss(predicted, target, valid)[0].item() < 1e-5


def test_the_head_learns_a_linear_map():
    torch.manual_seed(0)
    head = SemanticHead(6, 5, width=16, num_layers=1, num_heads=2)
    truth, valid = torch.randn(6, 5), torch.ones(4, 12, dtype=torch.bool)
    optimizer = torch.optim.Adam(head.parameters(), lr=1e-2)
    cosines = []
    for _ in range(60):
        semantic = torch.randn(4, 12, 6)
        loss, cosine = distillation_loss(head(semantic, valid), semantic @ truth, valid)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        cosines.append(cosine.item())
    assert cosines[-1] > 0.7 > cosines[0]
