"""The codec recipe on a toy corpus: it learns, resumes exactly, and leaves alone what it should."""

import json

import pytest
import torch

pytest.importorskip("lightning", reason="training needs the extra `train`")

from codec_run_toy import ADVERSARIES, config
from dac_toy import dac_run
from lungfish.data.audio_pack import AudioPack
from lungfish.errors import DataError, TrainingError
from lungfish.training.codec import CodecRecipe, load_codec_run
from lungfish.training.run import RunConfig, fit, learning_rate_at
from speech_toy import TINY_CODEC, make_toy_pack, stopped_and_resumed


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    return make_toy_pack(tmp_path_factory.mktemp("toy"))


def weights(module):
    return {name: value.detach().clone() for name, value in module.state_dict().items()}


def moved(before, after):
    return {name for name, value in after.items() if not torch.equal(value, before[name])}


def test_losses_fall_and_the_run_leaves_metrics_and_a_plot(pack, tmp_path):
    run = config(pack, tmp_path / "run", max_steps=60, validate_every=60, log_every=10)
    recipe = CodecRecipe(run)
    fit(recipe, run)
    rows = [json.loads(line) for line in (run.output / "metrics.jsonl").read_text().splitlines()]
    train = [row for row in rows if row["kind"] == "train"]
    assert train[-1]["spectral"] < 0.8 * train[0]["spectral"]
    assert train[-1]["phone"] < train[0]["phone"]
    validation = [row for row in rows if row["kind"] == "validation"][-1]
    assert {"mel", "mel_1", "phone_error_rate", "perplexity_0"} <= set(validation)
    assert (run.output / "metrics.png").stat().st_size > 10_000


def test_adversaries_learn_beside_the_codec(pack, tmp_path):
    run = config(pack, tmp_path / "run", max_steps=40, log_every=10, adversaries=ADVERSARIES, adversarial_from=20)
    fit(CodecRecipe(run), run)
    rows = [json.loads(line) for line in (run.output / "metrics.jsonl").read_text().splitlines()]
    early, _, begun, late = [row for row in rows if row["kind"] == "train"]
    assert {"discriminator", "adversarial", "features"}.isdisjoint(early)
    assert late["discriminator"] < begun["discriminator"]
    assert late["spectral"] < early["spectral"]


RUNS = {
    "spectral": {},
    "adversaries": {"adversaries": ADVERSARIES, "adversarial_from": 4, "average_decay": 0.9},
    "dac": dac_run(max_steps=12, save_every=6, validate_every=12),
}


@pytest.mark.parametrize("kind", RUNS)
def test_a_stopped_run_resumes_to_the_same_weights(pack, tmp_path, kind):
    whole = config(pack, tmp_path / "whole", **RUNS[kind])
    straight = CodecRecipe(whole)
    fit(straight, whole)

    second = stopped_and_resumed(CodecRecipe, config(pack, tmp_path / "halves", **RUNS[kind]))
    assert second.trainer.global_step == straight.trainer.global_step == 12
    assert not moved(straight.state_dict(), second.state_dict())
    assert len(straight.trainer.optimizers) == (1 if kind == "spectral" else 2)
    for one, other in zip(straight.trainer.optimizers, second.trainer.optimizers, strict=True):
        ours, theirs = one.state_dict(), other.state_dict()
        assert ours["param_groups"] == theirs["param_groups"]
        assert ours["state"]
        for number, moments in ours["state"].items():
            assert not moved(moments, theirs["state"][number])


def test_each_step_moves_its_own_side(pack, tmp_path):
    before, seen = {}, ([], [])

    class Watched(CodecRecipe):
        def configure_optimizers(self):
            made = super().configure_optimizers()
            for optimizer, moves in zip(made[0], seen, strict=True):
                optimizer.register_step_pre_hook(lambda *_: before.update(weights(self)))
                optimizer.register_step_post_hook(lambda *_, to=moves: to.append(moved(before, weights(self))))
            return made

    run = config(pack, tmp_path / "run", max_steps=3, adversaries=ADVERSARIES, average_decay=0.9)
    fit(Watched(run), run)
    codec, judges = seen
    assert len(codec) == len(judges) == 3
    assert all(moves and all(name.startswith("discriminators.") for name in moves) for moves in judges)
    assert all(moves and all(name.startswith(("codec.", "phone_head.")) for name in moves) for moves in codec)


def test_what_ships_is_the_average(pack, tmp_path):
    path = []

    class Watched(CodecRecipe):
        def on_train_batch_end(self, *_):
            path.append([weights(self.codec), weights(self.averaged)])

    run = config(pack, tmp_path / "run", schedule="hold", average_decay=0.9)
    recipe = Watched(run)
    start = weights(recipe.codec)
    fit(recipe, run)
    assert recipe.averaged is not None
    assert not moved(recipe.averaged.state_dict(), load_codec_run(run).codec.state_dict())
    name = "decoder.head.weight"
    steps = torch.stack([start[name], *(codec[name] for codec, _ in path)])
    averaged = path[-1][1][name]
    slack = 1e-6
    assert (steps.amin(0) - slack <= averaged).all()
    assert (averaged <= steps.amax(0) + slack).all()
    last = [(path[-1][k][name] - path[-2][k][name]).norm() for k in range(2)]
    assert 0 < last[1] < last[0]
    assert (path[0][1][name] - start[name]).norm() > 0.8 * (
        steps[1] - start[name]
    ).norm()  # the start is soon forgotten


def test_decoder_training_leaves_encoder_and_books_alone(pack, tmp_path):
    first = config(pack, tmp_path / "first", max_steps=4)
    fit(CodecRecipe(first), first)
    run = config(
        pack,
        tmp_path / "second",
        max_steps=4,
        train="decoder",
        start_from=first.output / "checkpoints" / "last.ckpt",
        adversaries=ADVERSARIES,
        average_decay=0.5,
    )
    recipe = CodecRecipe(run)
    before = weights(recipe)
    fit(recipe, run)
    parts = {name.rsplit(".", name.count(".") - 1)[0] for name in moved(before, recipe.state_dict())}
    assert {part.split(".")[0] for part in parts} == {"codec", "averaged", "discriminators"}
    assert all(part.endswith(".decoder") for part in parts if not part.startswith("discriminators"))


def test_a_checkpoint_of_another_model_is_refused(pack, tmp_path):
    run = config(pack, tmp_path / "run", max_steps=2)
    fit(CodecRecipe(run), run)
    other = config(pack, tmp_path / "run", max_steps=4, model={**TINY_CODEC, "dim": 16})
    with pytest.raises(TrainingError, match="does not fit"):
        fit(CodecRecipe(other), other)


def test_a_run_without_a_checkpoint_cannot_be_loaded(pack, tmp_path):
    with pytest.raises(TrainingError, match="lungfish train codec"):
        load_codec_run(config(pack, tmp_path / "run"))


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
