"""What each loss of the codec recipe moves, and that every key of its config turns something."""

import numpy as np
import pytest
import torch

pytest.importorskip("lightning", reason="training needs the extra `train`")

from codec_run_toy import ADVERSARIES, config
from dac_toy import TINY_DAC
from lungfish.data.audio_pack import AudioPack
from lungfish.data.feature_pack import extract_features
from lungfish.training.adversarial import discriminator_step_loss, generator_step_losses
from lungfish.training.codec import CodecRecipe
from lungfish.training.run import fit
from speech_toy import make_toy_pack


class Level:
    """Two features: how loud 20 ms are, and their highest sample."""

    name, rate_hz = "level", 50.0

    def extract(self, waveform, sample_rate):
        frames = waveform[: len(waveform) * 50 // sample_rate * (sample_rate // 50)].reshape(-1, sample_rate // 50)
        return np.stack((frames.std(1), frames.max(1)), axis=1).astype(np.float32)


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("toy")
    pack = make_toy_pack(folder, count=30)
    make_toy_pack(folder / "other", count=12)
    list(extract_features([AudioPack(pack)], Level(), folder / "features"))
    return folder


def resolved(toy, changes):
    """Changes whose paths begin at the toy's folder."""
    paths = {"features": lambda value: toy / value, "more_packs": lambda value: tuple(toy / one for one in value)}
    return {key: paths[key](value) if key in paths and value else value for key, value in changes.items()}


def recipe_of(toy, output, **changes):
    return CodecRecipe(config(toy / "pack", output, **resolved(toy, changes)))


def losses_of(recipe):
    """By name (weight, loss), those of the adversaries too."""
    torch.manual_seed(0)
    generated, target, losses = recipe.forward_losses(recipe.make_batch(0))
    if recipe.discriminators is not None:
        real, fake = target[:, None], generated[:, None]
        made = generator_step_losses(recipe.discriminators, real, fake)
        losses["adversarial"], losses["features"] = (1.0, made.adversarial), (1.0, made.feature)
        losses["discriminator"] = (1.0, discriminator_step_loss(recipe.discriminators, real, fake))
    return losses


def total_of(recipe):
    return torch.stack([weight * loss for weight, loss in losses_of(recipe).values()]).sum()


def part(name):
    """encoder, book 0, further books, what is around them, decoder; heads and discriminators."""
    whole, *rest = name.split(".")
    if whole != "codec":
        return whole
    if rest[0] == "books":
        return "book 0" if rest[1] == "0" else "books"
    if rest[0] == "quantizer":
        return {"semantic_quantizer": "book 0", "quantizer": "books"}.get(rest[1], rest[1])
    return rest[0]


CODEC = {"encoder", "book 0", "books", "decoder"}
BEFORE, AFTER = {"downsample", "pre_module"}, {"post_module", "upsample"}
MOVES = {
    "spectral": {
        "spectral": CODEC,
        "commitment": CODEC - {"decoder"},
        "phone": {"encoder", "book 0", "phone_head"},
        "distillation": {"encoder", "book 0", "semantic_head"},
        "adversarial": CODEC,
        "features": CODEC,
        "discriminator": {"discriminators"},
    },
    "dac": {
        "multi_scale_mel": CODEC | BEFORE | AFTER,
        "commitment": CODEC - {"decoder"} | BEFORE,
        "codebook": {"book 0", "books"},
        "phone": {"encoder", "book 0", "phone_head"} | BEFORE,
        "distillation": {"encoder", "book 0", "semantic_head"} | BEFORE,
        "adversarial": CODEC | BEFORE | AFTER,
        "features": CODEC | BEFORE | AFTER,
        "discriminator": {"discriminators"},
    },
}
DAC = {"model": TINY_DAC.to_dict(), "reconstruction": "mel"}


@pytest.mark.parametrize("kind", MOVES)
def test_every_loss_moves_its_own_parts(toy, tmp_path, kind):
    changes = DAC if kind == "dac" else {}
    recipe = recipe_of(
        toy, tmp_path, features="features", adversaries=ADVERSARIES, average_decay=0.9, quantizer_dropout=0.0, **changes
    )
    with torch.no_grad():  # tiny decoders begin below the floor of the mels
        for name, value in recipe.codec.decoder.named_parameters():
            value.mul_(20 if name.endswith("weight.original0") else 1)
    losses = losses_of(recipe)
    assert {name for name, (_, loss) in losses.items() if loss.requires_grad} == set(MOVES[kind])
    for name, parts in MOVES[kind].items():
        recipe.zero_grad()
        losses[name][1].backward(retain_graph=True)
        moved = {part(n) for n, p in recipe.named_parameters() if p.grad is not None and p.grad.any()}
        # The codebook loss moves rows and nothing that makes or reads them.
        rows = {n for n, p in recipe.named_parameters() if name == "codebook" and p.grad is not None and p.grad.any()}
        assert moved == parts, name
        assert all(n.endswith("codebook.weight") for n in rows)


def test_no_loss_of_decoder_training_reaches_the_encoder(toy, tmp_path):
    recipe = recipe_of(toy, tmp_path, train="decoder", features="features", adversaries=ADVERSARIES)
    losses = losses_of(recipe)
    assert set(losses) == {"mel", "spectral", "adversarial", "features", "discriminator"}
    torch.stack([loss for _, loss in losses.values()]).sum().backward()
    moved = {part(name) for name, p in recipe.named_parameters() if p.grad is not None}
    assert moved == {"decoder", "discriminators"}


MORE = {"more_packs": ("other/pack",), "more_share": 1.0}
LOSS_KEYS = [
    ({}, {"seed": 1}),
    ({}, MORE),
    (MORE, {"more_share": 0.0}),
    ({}, {"clips_per_batch": 3}),
    ({}, {"clip_frames": 6}),
    ({}, {"crop_frames": 9}),
    ({}, {"gain_db": (-20.0, -10.0)}),
    ({}, {"turn_phase": True}),
    ({}, {"quantizer_dropout": 1.0}),
    ({"quantizer_dropout": 1.0, "dropout_books": (1,)}, {"dropout_books": (2,)}),
    ({}, {"codebook_decay": 0.5}),
    ({}, {"commitment_weight": 5.0}),
    ({}, {"reconstruction": "mel"}),
    ({}, {"reconstruction_weight": 5.0}),
    ({}, {"phone_weight": 5.0}),
    ({}, {"features": "features"}),
    ({"features": "features"}, {"distillation_weight": 5.0}),
    (DAC, {"codebook_weight": 5.0}),
]


@pytest.mark.parametrize(("base", "changes"), LOSS_KEYS, ids=lambda keys: "+".join(keys) or "plain")
def test_every_key_of_data_and_losses_turns_something(toy, tmp_path, base, changes):
    base = {"gain_db": (0.0, 0.0), "quantizer_dropout": 0.0} | base
    total = [total_of(recipe_of(toy, tmp_path, **keys)).item() for keys in (base, base, base | changes)]
    assert total[0] == total[1] != total[2]


SHORT_DAC = DAC | {"clip_frames": 4}
GAN = {"adversaries": ADVERSARIES, "max_steps": 2, "validate_every": 2}
RUN_KEYS = [
    ({"max_steps": 2, "validate_every": 2}, {"adversaries": ADVERSARIES}),
    (GAN, {"adversaries": ADVERSARIES | {"band_channels": 8}}),
    (GAN, {"adversarial_weight": 5.0}),
    (GAN, {"feature_weight": 5.0}),
    (GAN, {"adversarial_from": 1}),
    (GAN, {"weight_decay": 0.5}),
    (GAN, {"gradient_clip": 1e-8}),
    (GAN | SHORT_DAC, {"weight_norm": False}),
]


@pytest.fixture(scope="module")
def trained(toy, tmp_path_factory):
    """The encoder's first weight at the end of a run; runs of the same keys are made once."""
    known = {}

    def weight(keys):
        if str(keys) not in known:
            recipe = recipe_of(toy, tmp_path_factory.mktemp("run"), **keys)
            fit(recipe, recipe.config)
            known[str(keys)] = next(recipe.codec.encoder.parameters()).detach()
        return known[str(keys)]

    return weight


@pytest.mark.parametrize(("base", "changes"), RUN_KEYS, ids=lambda keys: "+".join(keys))
def test_every_key_of_the_steps_turns_something(trained, base, changes):
    assert not torch.equal(trained(base), trained(base | changes))


def test_discriminators_may_have_a_learning_rate_of_their_own(toy, tmp_path):
    made = []
    for number, keys in enumerate(({}, {"adversary_learning_rate": 1e-5})):
        recipe = recipe_of(toy, tmp_path / str(number), warmup_steps=0, **(GAN | {"max_steps": 1}), **keys)
        start = {name: value.clone() for name, value in recipe.state_dict().items()}
        fit(recipe, recipe.config)
        made.append({name: (value - start[name]).abs().max().item() for name, value in recipe.named_parameters()})
    fast, slow = made
    judges = [name for name in fast if name.startswith("discriminators.")]
    assert max(slow[name] for name in judges) < 0.02 * max(fast[name] for name in judges)
    assert slow["codec.encoder.conv.conv.weight"] == pytest.approx(fast["codec.encoder.conv.conv.weight"], rel=0.1)


def test_recomputed_activations_give_the_same_gradients(toy, tmp_path):
    gradients, classes = [], []
    for on in (False, True):
        recipe = recipe_of(toy, tmp_path, **SHORT_DAC, checkpointing=on, adversaries=ADVERSARIES)
        total_of(recipe).backward()
        gradients.append({name: p.grad for name, p in recipe.named_parameters() if p.grad is not None})
        classes.append({type(module).__name__ for module in recipe.codec.modules()})
    assert classes[0] != classes[1]
    assert set(gradients[0]) == set(gradients[1])
    for name, gradient in gradients[0].items():
        torch.testing.assert_close(gradients[1][name], gradient, msg=name)
