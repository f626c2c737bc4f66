"""The codec recipe on a toy corpus: it learns, resumes exactly, and leaves alone what it should."""

import json

import pytest
import torch

pytest.importorskip("lightning", reason="training needs the extra `train`")

from lungfish.data.audio_pack import AudioPack
from lungfish.errors import DataError, TrainingError
from lungfish.training.codec import CodecRecipe, CodecTrainingConfig
from lungfish.training.run import RunConfig, fit, learning_rate_at
from speech_toy import TINY_CODEC, make_toy_pack, stopped_and_resumed


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    return make_toy_pack(tmp_path_factory.mktemp("toy"))


def config(pack, output, **changes) -> CodecTrainingConfig:
    values = {
        "output": output,
        "pack": pack,
        "model": TINY_CODEC,
        "max_steps": 12,
        "warmup_steps": 2,
        "learning_rate": 2e-3,
        "gradient_clip": 5.0,
        "clips_per_batch": 2,
        "crop_frames": 6,
        "log_every": 4,
        "validate_every": 12,
        "save_every": 6,
        "accelerator": "cpu",
    }
    return CodecTrainingConfig(**{**values, **changes})


def test_losses_fall_and_the_run_leaves_metrics_and_a_plot(pack, tmp_path):
    run = config(pack, tmp_path / "run", max_steps=60, validate_every=60, log_every=10)
    recipe = CodecRecipe(run)
    fit(recipe, run)
    rows = [json.loads(line) for line in (run.output / "metrics.jsonl").read_text().splitlines()]
    train = [row for row in rows if row["kind"] == "train"]
    assert train[-1]["spectral"] < 0.8 * train[0]["spectral"]
    assert train[-1]["phone"] < train[0]["phone"]
    validation = [row for row in rows if row["kind"] == "validation"][-1]
    assert {"mel", "mel_semantic_only", "phone_error_rate", "perplexity_0"} <= set(validation)
    assert (run.output / "metrics.png").stat().st_size > 10_000


def test_a_stopped_run_resumes_to_the_same_weights(pack, tmp_path):
    whole = config(pack, tmp_path / "whole")
    straight = CodecRecipe(whole)
    fit(straight, whole)

    second = stopped_and_resumed(CodecRecipe, config(pack, tmp_path / "halves"))
    assert second.trainer.global_step == straight.trainer.global_step == 12
    for name, value in straight.state_dict().items():
        assert torch.equal(second.state_dict()[name], value), name


def test_decoder_training_leaves_encoder_and_books_alone(pack, tmp_path):
    first = config(pack, tmp_path / "first", max_steps=4)
    fit(CodecRecipe(first), first)
    run = config(
        pack,
        tmp_path / "second",
        max_steps=4,
        train="decoder",
        start_from=first.output / "checkpoints" / "last.ckpt",
    )
    recipe = CodecRecipe(run)
    before = {name: value.clone() for name, value in recipe.codec.state_dict().items()}
    fit(recipe, run)
    moved = {name for name, value in recipe.codec.state_dict().items() if not torch.equal(value, before[name])}
    assert moved
    assert all(name.startswith("decoder.") for name in moved)


def test_quantizer_dropout_and_phone_weight_turn_something(pack, tmp_path):
    losses = {}
    for name, changes in (("plain", {}), ("dropout", {"quantizer_dropout": 1.0}), ("phones", {"phone_weight": 5.0})):
        run = config(pack, tmp_path / name, **changes)
        recipe = CodecRecipe(run)
        torch.manual_seed(0)
        losses[name] = recipe.training_step(recipe.make_batch(0), 0).item()
    assert losses["phones"] > losses["plain"]
    assert losses["dropout"] != losses["plain"]


def test_a_checkpoint_of_another_model_is_refused(pack, tmp_path):
    run = config(pack, tmp_path / "run", max_steps=2)
    fit(CodecRecipe(run), run)
    other = config(pack, tmp_path / "run", max_steps=4, model={**TINY_CODEC, "dim": 16})
    with pytest.raises(TrainingError, match="does not fit"):
        fit(CodecRecipe(other), other)


def test_a_missing_pack_says_how_to_make_one(tmp_path):
    with pytest.raises(DataError, match="lungfish data pack"):
        AudioPack(tmp_path)


def test_the_schedule_warms_up_and_then_holds_or_falls(tmp_path):
    base = {"output": tmp_path, "max_steps": 100, "learning_rate": 1.0, "warmup_steps": 10}
    hold, cosine = RunConfig(**base, schedule="hold"), RunConfig(**base, final_learning_rate=0.1)
    assert learning_rate_at(0, hold) == pytest.approx(0.1)
    assert learning_rate_at(99, hold) == 1.0
    assert learning_rate_at(10, cosine) == pytest.approx(1.0)
    assert learning_rate_at(100, cosine) == pytest.approx(0.1)
