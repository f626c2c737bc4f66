"""The two stacks: one embedding, admissible rows only, caches, rows and positions, the training forward."""

import pytest
import torch
from torch.nn.functional import linear

from lungfish.lm.config import DualARConfig
from lungfish.lm.model import IGNORE, DualAR, training_mask
from tests.toy_lm import BOOKS, CODES, SEMANTIC_BEGIN, columns, small_config, small_model


def test_embedding_sums_and_scales_semantic_positions_only():
    model = small_model()
    ids = columns(8)
    table, books = model.slow.embeddings.weight, model.slow.codebook_embeddings.weight
    for scale in (True, False):
        x = model.embed(ids, scale=scale)[0]
        for at in range(8):
            expected = table[ids[0, 0, at]].clone()
            if at >= 4:
                expected += sum(books[book * CODES + ids[0, 1 + book, at]] for book in range(BOOKS))
                expected /= (BOOKS + 1) ** 0.5 if scale else 1
            torch.testing.assert_close(x[at], expected)


@pytest.mark.parametrize("flag", [True, False])
def test_training_and_generation_embed_alike(flag):
    """The switch of the config rules both; `scale=False` is the reference's training forward."""
    model = small_model(scale_codebook_embeddings=flag)
    ids, positions = columns(10), torch.arange(10)
    labels = torch.full_like(ids, IGNORE)
    generated = model.slow(ids, positions, model.new_cache(1, 10))
    torch.testing.assert_close(model.forward_train(ids, labels).hidden, generated, atol=1e-5, rtol=1e-5)
    unscaled = model.forward_train(ids, labels, scale=False).hidden
    assert torch.allclose(unscaled, generated, atol=1e-3) != flag
    assert torch.allclose(unscaled[:, :5], generated[:, :5], atol=1e-5)  # text comes first and is never scaled


@pytest.mark.parametrize("tied", [True, False])
def test_admissible_rows_are_those_of_the_whole_head(tied):
    model = small_model(tie_word_embeddings=tied)
    hidden = torch.randn(3, 5, model.config.dim)
    whole = model.slow.token_logits(hidden)
    rows = [model.config.im_end_id, *range(SEMANTIC_BEGIN, SEMANTIC_BEGIN + CODES)]
    torch.testing.assert_close(model.semantic_logits(hidden), whole[..., rows])
    assert whole.shape[-1] == model.config.vocab_size


def test_no_product_is_as_wide_as_the_vocabulary(monkeypatch):
    model = small_model(vocab_size=997)
    widths = []
    monkeypatch.setattr("lungfish.lm.slow_ar.linear", lambda x, weight: widths.append(len(weight)) or linear(x, weight))
    model.semantic_logits(torch.randn(2, model.config.dim))
    model.forward_train(columns(6), columns(6))
    assert widths
    assert sum(widths) == 2 * (1 + CODES)


@pytest.mark.parametrize("cut", [1, 5, 9])
def test_cached_steps_equal_the_whole_forward(cut):
    model = small_model()
    ids, positions = columns(10, batch=2), torch.arange(10)
    whole = model.slow(ids, positions)
    cache = model.new_cache(2, 10)
    parts = [model.slow(ids[..., :cut], positions[:cut], cache)]
    parts += [model.slow(ids[..., at : at + 1], positions[at : at + 1], cache) for at in range(cut, 10)]
    torch.testing.assert_close(torch.cat(parts, dim=1), whole, atol=1e-5, rtol=1e-4)


def test_a_prefix_can_be_fed_in_chunks():
    model = small_model()
    ids, positions = columns(10), torch.arange(10)
    cache = model.new_cache(1, 10)
    chunks = [model.slow(part, at, cache) for part, at in zip(ids.split(4, dim=2), positions.split(4), strict=True)]
    torch.testing.assert_close(torch.cat(chunks, dim=1), model.slow(ids, positions), atol=1e-5, rtol=1e-4)


def test_attention_spans_what_is_filled(monkeypatch):
    """The capacity of a cache, and what an earlier request left in it, change nothing."""
    model = small_model()
    ids, positions = columns(6), torch.arange(6)
    spans = []
    from lungfish.lm import block

    real = block.attend
    monkeypatch.setattr(block, "attend", lambda q, k, v, mask: spans.append(k.shape[2]) or real(q, k, v, mask))
    cache = model.new_cache(1, 100)
    for layer in cache.layers:
        layer.keys.fill_(float("nan"))
        layer.values.fill_(float("nan"))
    out = model.slow(ids, positions, cache)
    step = model.slow(ids[..., :1], torch.tensor([6]), cache)
    assert torch.isfinite(out).all()
    assert torch.isfinite(step).all()
    assert set(spans) == {6, 7}


def test_batch_rows_are_independent():
    model = small_model()
    ids, positions = columns(9, batch=3), torch.arange(9)
    together = model.slow(ids, positions)
    changed = ids.clone()
    changed[1] = columns(9, seed=5)[0]
    for row in range(3):
        torch.testing.assert_close(together[row], model.slow(ids[row : row + 1], positions)[0], atol=1e-5, rtol=1e-4)
    again = model.slow(changed, positions)
    torch.testing.assert_close(again[[0, 2]], together[[0, 2]])
    assert not torch.allclose(again[1], together[1], atol=1e-2)


def test_positions_may_leave_a_gap():
    """A step after a gap equals the whole forward with the same positions; only distances count."""
    model = small_model()
    ids = columns(8)
    gap = torch.cat((torch.arange(4), torch.arange(30, 34)))
    whole = model.slow(ids, gap)
    assert not torch.allclose(whole[:, 4:], model.slow(ids, torch.arange(8))[:, 4:], atol=1e-3)
    torch.testing.assert_close(whole[:, :4], model.slow(ids, torch.arange(8))[:, :4])
    cache = model.new_cache(1, 8)
    model.slow(ids[..., :4], gap[:4], cache)
    steps = [model.slow(ids[..., at : at + 1], gap[at : at + 1], cache) for at in range(4, 8)]
    torch.testing.assert_close(torch.cat(steps, dim=1), whole[:, 4:], atol=1e-5, rtol=1e-4)


def test_positions_of_each_row():
    model = small_model()
    ids = columns(8, batch=2)
    positions = torch.stack((torch.arange(8), torch.arange(8) + torch.tensor([0, 0, 0, 0, 9, 9, 9, 9])))
    both = model.slow(ids, positions)
    for row in range(2):
        torch.testing.assert_close(both[row], model.slow(ids[row : row + 1], positions[row])[0], atol=1e-5, rtol=1e-4)


@pytest.mark.parametrize("norm_first", [True, False])
def test_fast_passes_equal_teacher_forcing(norm_first):
    """Hidden state and first code enter together: K - 1 passes give the scores of codes 1 to K - 1."""
    model = small_model(norm_fast_input=norm_first)
    hidden, codes = torch.randn(3, model.config.dim), torch.randint(CODES, (3, BOOKS))
    forced = model.fast_logits(hidden, codes)
    assert forced.shape == (3, BOOKS, CODES)
    logits, state = model.fast_prefill(hidden, codes[:, 0])
    passes = [logits]
    for depth in range(1, BOOKS - 1):
        passes.append(model.fast_step(codes[:, depth], state))
    torch.testing.assert_close(torch.stack(passes, dim=1), forced[:, 1:], atol=1e-5, rtol=1e-4)
    cut, _ = model.fast_prefill(hidden, codes[:, 0], rows=5)
    torch.testing.assert_close(cut, logits[:, :5])
    again, _ = model.fast_prefill(hidden, codes[:, 0], state)  # the state serves the next frame
    torch.testing.assert_close(again, logits)


def test_fast_input_before_or_after_the_norm():
    hidden = torch.randn(2, 24) * 3
    after, before = small_model(fast_dim=24), small_model(fast_dim=24, norm_fast_input=False)
    torch.testing.assert_close(after.fast_input(hidden), after.norm(hidden))
    torch.testing.assert_close(before.fast_input(hidden), hidden)


def sample(batch: int = 2, length: int = 10):
    """Inputs and shifted labels; the end follows the last frame."""
    full = columns(length + 1, batch=batch)
    labels = torch.full_like(full, IGNORE)[..., :length]
    start = (length + 1) // 2 - 1
    labels[:, :, start:] = full[:, :, start + 1 :]
    labels[:, 0, -1], labels[:, 1:, -1] = 3, 0
    return full[..., :length], labels


def test_training_forward_scores_labelled_positions():
    model = small_model()
    ids, labels = sample()
    out = model.forward_train(ids, labels)
    whole = model.slow(ids, torch.arange(10))
    torch.testing.assert_close(out.hidden, whole)
    row, time = out.token_index.T
    assert torch.equal(out.token_index, (labels[:, 0] != IGNORE).nonzero())
    torch.testing.assert_close(out.token_logits, model.semantic_logits(whole[row, time]))
    main = labels[row, 0, time]
    assert torch.equal(out.token_targets, torch.where(main == 3, 0, main - SEMANTIC_BEGIN + 1))
    row, time = out.fast_index.T
    assert len(out.fast_index) == len(out.token_index) - 2  # the end has no codes
    assert torch.equal(out.codebook_targets, labels[row, 1:, time])
    torch.testing.assert_close(out.codebook_logits, model.fast_logits(whole[row, time], labels[row, 1:, time]))


def test_training_forward_without_frames():
    """A batch that is only text has nothing to score, and says so with empty tensors."""
    model = small_model()
    ids = columns(6)
    out = model.forward_train(ids, torch.full_like(ids, IGNORE))
    assert out.token_logits.shape == (0, 1 + CODES)
    assert out.codebook_logits.shape == (0, BOOKS, CODES)


def test_fast_fraction_draws_frames():
    model = small_model()
    ids, labels = sample(batch=4)
    everything = model.forward_train(ids, labels)
    some = [
        model.forward_train(ids, labels, fast_fraction=0.25, generator=torch.Generator().manual_seed(seed))
        for seed in (1, 1, 2)
    ]
    assert len(some[0].fast_index) == round(0.25 * len(everything.fast_index))
    assert torch.equal(some[0].fast_index, some[1].fast_index)
    assert not torch.equal(some[0].fast_index, some[2].fast_index)
    least = model.forward_train(ids, labels, fast_fraction=1e-9)
    assert len(least.fast_index) == 1


@pytest.mark.parametrize("side", ["right", "left"])
def test_padding_changes_nothing(side):
    model = small_model()
    ids, labels = sample(batch=1)
    pad_ids, pad_labels = torch.zeros(1, 1 + BOOKS, 3, dtype=torch.long), torch.full((1, 1 + BOOKS, 3), IGNORE)
    order = (lambda a, b: torch.cat((a, b), -1)) if side == "right" else (lambda a, b: torch.cat((b, a), -1))
    padding = order(torch.zeros(1, 10, dtype=torch.bool), torch.ones(1, 3, dtype=torch.bool))
    positions = order(torch.arange(10), torch.zeros(3, dtype=torch.long))
    out = model.forward_train(order(ids, pad_ids), order(labels, pad_labels), padding, positions)
    alone = model.forward_train(ids, labels)
    assert torch.isfinite(out.hidden).all()
    torch.testing.assert_close(out.token_logits, alone.token_logits, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(out.codebook_logits, alone.codebook_logits, atol=1e-5, rtol=1e-4)
    assert (training_mask(padding) is None) == (side == "right")


def test_corrupted_inputs_replace_the_embedding():
    model = small_model()
    ids, labels = sample()
    embedded = model.embed(ids)
    torch.testing.assert_close(
        model.forward_train(ids, labels, embedded=embedded).token_logits, model.forward_train(ids, labels).token_logits
    )
    embedded[:, 5] = 0
    changed = model.forward_train(ids, labels, embedded=embedded)
    assert not torch.allclose(changed.token_logits, model.forward_train(ids, labels).token_logits, atol=1e-3)


def test_maps_of_the_asked_layers():
    model = small_model()
    ids, labels = sample()
    out = model.forward_train(ids, labels, map_layers=(1,), map_head=2)
    assert len(out.maps) == 1
    torch.testing.assert_close(out.maps[0].sum(-1), torch.ones(2, 10))
    torch.testing.assert_close(out.hidden, model.forward_train(ids, labels).hidden)


def test_every_parameter_is_trained():
    torch.manual_seed(0)
    model = DualAR(small_config(dropout=0.1)).train()
    ids, labels = sample()
    out = model.forward_train(ids, labels, map_layers=(0,))
    (out.token_logits.square().mean() + out.codebook_logits.square().mean() + out.maps[0].square().mean()).backward()
    assert [name for name, p in model.named_parameters() if p.grad is None or not p.grad.any()] == []


def test_fresh_weights():
    torch.manual_seed(0)
    model = DualAR(small_config(dim=96, num_layers=8, initializer_range=0.05, qkv_bias=True))
    state = model.state_dict()
    spread = {name: state[f"slow.{name}.weight"].std().item() for name in _MEASURED}
    assert spread == pytest.approx(_MEASURED, rel=0.05)
    assert not state["slow.layers.0.attention.wqkv.bias"].any()
    assert (state["slow.layers.0.attention_norm.weight"] == 1).all()


_MEASURED = {
    "embeddings": 0.05,
    "layers.0.attention.wqkv": 0.05,
    "layers.0.attention.wo": 0.05 / 4,
    "layers.0.feed_forward.w2": 0.05 / 4,
}


def test_the_released_size():
    """S2-Pro: 358 tensors, 4,561,852,416 parameters (spec/lm.md 2.1), built without memory."""
    text = {"vocab_size": 155_776, "n_layer": 36, "n_head": 32, "n_local_heads": 8, "head_dim": 128, "dim": 2560}
    text |= {"intermediate_size": 9728, "attention_qk_norm": True, "max_seq_len": 32_768}
    audio = {"vocab_size": 4096, "num_codebooks": 10, "n_layer": 4, "attention_qk_norm": False}
    ids = {"semantic_start_token_id": 151_678, "semantic_end_token_id": 155_773, "eos_token_id": 151_645}
    raw = {"model_type": "fish_qwen3_omni", **ids, "text_config": text, "audio_decoder_config": audio}
    with torch.device("meta"):
        state = DualAR(DualARConfig.from_dict(raw)).state_dict()
    assert len(state) == 358
    assert sum(tensor.numel() for tensor in state.values()) == 4_561_852_416
