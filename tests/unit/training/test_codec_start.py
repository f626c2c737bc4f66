"""Where a codec's training may start from."""

from typing import Any

import pytest
import torch

pytest.importorskip("lightning", reason="training needs the extra `train`")

from codec_run_toy import ADVERSARIES, config
from dac_toy import TINY_DAC
from lungfish.checkpoint.codec import save_codec
from lungfish.errors import TrainingError
from lungfish.training.codec import CodecRecipe
from lungfish.training.export import plain_codec
from speech_toy import TINY_CODEC, make_toy_pack

MODELS = {"spectral": TINY_CODEC, "dac": TINY_DAC.to_dict()}


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    return make_toy_pack(tmp_path_factory.mktemp("toy"), count=6)


@pytest.fixture
def recipe(pack, tmp_path):
    """Makes recipes on the toy pack."""
    return lambda **changes: CodecRecipe(config(pack, tmp_path / "run", **changes))


def shipped_codec(recipe) -> Any:
    return plain_codec(recipe)


def checkpoint(recipe, path):
    torch.save({"state_dict": recipe.state_dict()}, path)
    return path


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("weight_norm", [True, False])
def test_a_shipped_codec_is_a_start(recipe, tmp_path, kind, weight_norm):
    shipped = shipped_codec(recipe(model=MODELS[kind], seed=1))
    save_codec(shipped, tmp_path / "shipped")
    started = recipe(
        model=MODELS[kind], start_from=tmp_path / "shipped", weight_norm=weight_norm, average_decay=0.9,
        adversaries=ADVERSARIES,
    )  # fmt: skip
    for name, value in shipped_codec(started).state_dict().items():
        torch.testing.assert_close(value, shipped.state_dict()[name], msg=name)
    for name, value in started.averaged.state_dict().items():
        assert torch.equal(value, started.codec.state_dict()[name]), name


def test_averages_of_a_shipped_codec_begin_at_its_rows(recipe, tmp_path):
    shipped = shipped_codec(recipe(seed=1))
    save_codec(shipped, tmp_path / "shipped")
    started = recipe(start_from=tmp_path / "shipped")
    for book, average in zip(shipped.books, started.averages, strict=True):
        assert average.started
        assert torch.equal(average.sums / average.counts[:, None], book.codebook.weight)


@pytest.mark.parametrize("kind", MODELS)
def test_a_run_is_a_start_and_its_average_is_what_counts(recipe, tmp_path, kind):
    before = recipe(model=MODELS[kind], seed=1, average_decay=0.9, adversaries=ADVERSARIES)
    with torch.no_grad():
        for value in before.averaged.parameters():
            value.add_(0.5)
    path = checkpoint(before, tmp_path / "run.ckpt")
    for changes in ({}, {"average_decay": 0.5}):
        started = recipe(model=MODELS[kind], start_from=path, **changes)
        for name, value in started.codec.state_dict().items():
            assert torch.equal(value, before.averaged.state_dict()[name]), name
        for name, value in started.phone_head.state_dict().items():
            assert torch.equal(value, before.phone_head.state_dict()[name]), name
    again = recipe(model=MODELS[kind], start_from=path, adversaries=ADVERSARIES)
    for name, value in again.discriminators.state_dict().items():
        assert torch.equal(value, before.discriminators.state_dict()[name]), name


def test_more_books_than_the_start_has_are_new(recipe, tmp_path):
    before = recipe(seed=1)
    path = checkpoint(before, tmp_path / "run.ckpt")
    started = recipe(model=TINY_CODEC | {"codebook_sizes": [32, 16, 8]}, start_from=path)
    fresh = recipe(model=TINY_CODEC | {"codebook_sizes": [32, 16, 8]})
    for name, value in started.codec.state_dict().items():
        source = fresh if name.startswith("books.2.") else before
        assert torch.equal(value, source.codec.state_dict()[name]), name


@pytest.mark.parametrize(
    "other", [{"dim": 16}, {"codebook_sizes": [32, 8]}, {"codebook_sizes": [32]}, {"decoder_blocks": 2}]
)
def test_other_shapes_are_refused_whichever_the_start(recipe, tmp_path, other):
    before = recipe()
    save_codec(plain_codec(before), tmp_path / "shipped")
    for start in (checkpoint(before, tmp_path / "run.ckpt"), tmp_path / "shipped"):
        with pytest.raises(TrainingError, match=r"does not fit this config: codec\.|averages\."):
            recipe(model=TINY_CODEC | other, start_from=start)


def test_a_codec_of_another_kind_is_refused(recipe, tmp_path):
    save_codec(plain_codec(recipe()), tmp_path / "shipped")
    with pytest.raises(TrainingError, match="does not fit"):
        recipe(model=MODELS["dac"], start_from=tmp_path / "shipped")
