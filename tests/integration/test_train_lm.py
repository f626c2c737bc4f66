"""The language-model recipe on toy codes: it learns to listen to the text, resumes exactly, and every knob turns."""

import json
import random

import numpy as np
import pytest
import torch

pytest.importorskip("lightning", reason="training needs the extra `train`")

from lungfish.data.alignments import write_alignments
from lungfish.data.protos import Sentence, TextData, write_shard
from lungfish.errors import DataError
from lungfish.text.lexicon import CONSONANTS, VOWELS
from lungfish.text.phonemes import phones_only, to_phonemes
from lungfish.training.lm import LMRecipe, LMTrainingConfig, guide_loss
from lungfish.training.lm_data import IGNORE, arrange, crop, draw_batch, load_utterances, make_utterance, random_crop
from lungfish.training.phone_head import PHONE_INDEX
from lungfish.training.run import fit
from speech_toy import stopped_and_resumed

WORDS = ["see", "you", "go", "my", "two", "key", "she", "day", "low", "tea", "row", "who", "may", "bay"]
TINY = {
    "dim": 32,
    "num_layers": 2,
    "num_heads": 2,
    "num_kv_heads": 2,
    "head_dim": 16,
    "ffn_dim": 64,
    "fast_dim": 16,
    "fast_num_layers": 1,
    "fast_num_heads": 1,
    "fast_num_kv_heads": 1,
    "fast_head_dim": 16,
    "fast_ffn_dim": 32,
}


@pytest.fixture(scope="module")
def codes(tmp_path_factory):
    """Two frames a phone; the codes are the phone's index, so that the text decides everything."""
    folder = tmp_path_factory.mktemp("codes")
    rng = random.Random(0)
    records, alignments = [], []
    for voice in ("coral", "marlin"):
        sentences = []
        for _ in range(80):
            text = " ".join(rng.choices(WORDS, k=rng.randint(2, 4)))
            phones = [PHONE_INDEX[phone] for phone in phones_only(to_phonemes(text))]
            frames = np.repeat(phones, 2)
            rows = np.stack([frames, (frames * 3 + (voice == "marlin")) % 48])
            sentences.append(Sentence([text], rows.tolist()))
            alignments.append(np.repeat(np.arange(len(phones)), 2).astype(np.float32))
        records.append(TextData("toy", voice, sentences))
    write_shard(folder / "00000000.protos", records)
    write_alignments(folder / "00000000.protos", alignments)
    return folder


def config(codes, output, **changes) -> LMTrainingConfig:
    values = {
        "output": output,
        "codes": codes,
        "codebook_sizes": (48, 48),
        "audio_start": 64,
        "model": TINY,
        "max_steps": 12,
        "warmup_steps": 5,
        "schedule": "hold",
        "learning_rate": 5e-3,
        "tokens_per_batch": 400,
        "guide_layers": (0, 1),
        "log_every": 4,
        "validate_every": 12,
        "save_every": 6,
        "accelerator": "cpu",
    }
    return LMTrainingConfig(**{**values, **changes})


def test_it_learns_to_listen_to_the_text(codes, tmp_path):
    run = config(codes, tmp_path / "run", max_steps=150, validate_every=150, log_every=25, average_decay=0.95)
    fit(LMRecipe(run), run)
    rows = [json.loads(line) for line in (run.output / "metrics.jsonl").read_text().splitlines()]
    train = [row for row in rows if row["kind"] == "train"]
    assert train[-1]["slow"] < 0.7 * train[0]["slow"]
    assert train[-1]["mass"] > train[0]["mass"] + 0.2
    validation = [row for row in rows if row["kind"] == "validation"][-1]
    assert validation["text_dependence"] > 0.3
    assert (run.output / "metrics.png").stat().st_size > 10_000


def test_a_stopped_run_resumes_to_the_same_weights(codes, tmp_path):
    whole = config(codes, tmp_path / "whole")
    straight = LMRecipe(whole)
    fit(straight, whole)

    second = stopped_and_resumed(LMRecipe, config(codes, tmp_path / "halves"))
    for name, value in straight.state_dict().items():
        assert torch.equal(second.state_dict()[name], value), name


def test_training_helps_turn_something_and_inference_has_none_of_them(codes, tmp_path):
    recipe = LMRecipe(config(codes, tmp_path / "run"))
    batch = recipe.make_batch(0)
    recipe.eval()
    plain = recipe.losses(recipe.model, batch, 0.0, 1.0)
    torch.manual_seed(0)
    corrupted = recipe.losses(recipe.model, batch, 0.9, 1.0)
    assert plain["slow"] != corrupted["slow"]
    assert recipe.losses(recipe.model, batch, 0.0, 0.1)["fast"] != plain["fast"]
    recipe.train()
    assert recipe.losses(recipe.model, batch, 0.0, 1.0)["slow"] != plain["slow"]  # dropout
    assert not any("phone" in name for name, _ in recipe.averaged.named_parameters())
    for knob, value in (("guide_weight", 3.0), ("phone_weight", 3.0)):
        losses = []
        for weight in (0.0, value):
            changed = LMRecipe(config(codes, tmp_path / f"{knob}{weight}", **{knob: weight}))
            torch.manual_seed(0)
            losses.append(changed.training_step(batch, 0).item())
        assert losses[1] > losses[0], knob


def test_batches_put_text_audio_and_labels_where_the_docstring_says(codes, tmp_path):
    recipe = LMRecipe(config(codes, tmp_path / "run"))
    batch = recipe.make_batch(3)
    model = recipe.model.config
    for row in range(len(batch.ids)):
        start, frames = int(batch.text_length[row]), int(batch.num_frames[row])
        ids, labels = batch.ids[row], batch.labels[row]
        assert ids[0, start] == recipe.tokenizer.token_to_id("<|audio_start|>")
        assert batch.positions[row, start] == 64
        assert batch.positions[row, :start].tolist() == [int(1.25 * token) for token in range(start)]
        assert torch.equal(labels[:, start : start + frames], ids[:, start + 1 : start + 1 + frames])
        assert labels[0, start + frames] == model.im_end_id
        assert bool((labels[0, :start] == IGNORE).all())
        assert torch.equal(
            ids[0, start + 1 : start + 1 + frames] - model.semantic_begin_id, ids[1, start + 1 :][:frames]
        )


def test_knobs_of_the_data_turn_something(codes, tmp_path):
    def ids(**changes):
        return LMRecipe(config(codes, tmp_path / str(len(changes)), **changes)).make_batch(0).ids[:, 0]

    plain = ids(spell=0.0, any_voice=0.0)
    letters = ids(spell=1.0, any_voice=0.0, seed=0)
    assert not torch.equal(letters[:, 2:], plain[:, 2:])
    nameless = ids(spell=0.0, any_voice=1.0, seed=0, warmup_steps=5)
    assert not torch.equal(nameless[:, 1], plain[:, 1])
    assert ids(tokens_per_batch=100, spell=0.0, any_voice=0.0, seed=0, warmup_steps=5).shape[0] < plain.shape[0]


def test_a_crop_keeps_the_frames_of_its_words():
    text = "see the day two key"
    counts = [len(phones_only(to_phonemes(word))) for word in text.split()]
    position = np.repeat(np.arange(sum(counts)), 3).astype(np.float32)
    codes = np.stack([np.arange(len(position)), np.arange(len(position))])
    utterance = make_utterance("coral", text, codes, position)
    cut = crop(utterance, 1, 4)
    assert cut.words == utterance.words[1:4]
    assert cut.codes[0].tolist() == list(range(3 * counts[0], 3 * sum(counts[:4])))
    assert cut.phone_position.min() == 0
    assert cut.phone_position.max() == sum(counts[1:4]) - 1
    assert crop(utterance, 0, 0) is utterance
    lengths = {random_crop(utterance, random.Random(seed), (2, 3)).codes.shape[1] for seed in range(20)}
    assert max(lengths) < codes.shape[1]
    whole = draw_batch([utterance] * 4, random.Random(0), 10_000)
    cuts = draw_batch([utterance] * 4, random.Random(0), 10_000, 1.0, (1, 2))
    assert {u.num_frames for u in whole} == {codes.shape[1]}
    assert max(u.num_frames for u in cuts) < codes.shape[1]


def test_spelled_words_keep_the_alignment():
    text = "see the day"
    phones = phones_only(to_phonemes(text))
    utterance = make_utterance("coral", text, np.zeros((2, len(phones))), np.arange(len(phones), dtype=np.float32))
    symbols, position, labels = arrange(utterance, [False, False, False])
    assert [symbols[int(p)] for p in position] == phones
    assert labels.tolist() == [PHONE_INDEX[phone] for phone in phones]
    symbols, position, labels = arrange(utterance, [True, False, False])
    assert symbols[:3] == list("see")
    assert position[0] < position[1] <= 2
    assert [symbols[int(p)] for p in position[2:]] == phones[2:]
    assert set(phones) <= VOWELS | CONSONANTS


def test_guide_loss_is_small_only_where_the_head_looks_at_the_spoken_symbol(codes, tmp_path):
    recipe = LMRecipe(config(codes, tmp_path / "run"))
    batch = recipe.make_batch(1)
    length = batch.ids.shape[2]
    good = torch.zeros(len(batch.ids), length, length)
    for row in range(len(batch.ids)):
        for frame in range(int(batch.num_frames[row])):
            query = int(batch.text_length[row]) + frame
            good[row, query, round(float(batch.symbol_position[row, frame]))] = 1.0
    flat = torch.full_like(good, 1 / length)
    assert guide_loss(good, batch, 1.5)[0] < 0.2 < guide_loss(flat, batch, 1.5)[0]


def test_missing_shards_and_alignments_say_what_to_do(tmp_path):
    with pytest.raises(DataError, match="lungfish data codes"):
        load_utterances(tmp_path)
    write_shard(tmp_path / "00000000.protos", [TextData("toy", "coral", [Sentence(["see"], [[1, 2]])])])
    with pytest.raises(DataError, match="alignments"):
        load_utterances(tmp_path)
