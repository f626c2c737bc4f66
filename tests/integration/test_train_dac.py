"""A tiny modified DAC from training to the folder that ships: adversaries, exact resume, codes, export, warm start."""

import json
from typing import Any

import pytest
import torch

pytest.importorskip("lightning", reason="training needs the extra `train`")

from dac_toy import TINY_DAC, dac_run
from lungfish.checkpoint.codec import load_codec, save_codec
from lungfish.training.codec import CodecRecipe, CodecTrainingConfig, load_codec_run
from lungfish.training.export import export_voice, plain_codec
from lungfish.training.lm import LMRecipe, LMTrainingConfig
from lungfish.training.lm_data import load_utterances
from lungfish.training.prepare_codes import codec_fingerprint, encode_new_clips
from lungfish.training.run import fit
from speech_toy import make_toy_pack, stopped_and_resumed


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    return make_toy_pack(tmp_path_factory.mktemp("toy"), count=16)


@pytest.fixture(scope="module")
def run(pack, tmp_path_factory):
    """Config of a run that was made."""
    config = CodecTrainingConfig(output=tmp_path_factory.mktemp("dac") / "run", pack=pack, **dac_run())
    fit(CodecRecipe(config), config)
    return config


def test_the_run_leaves_metrics_of_all_its_losses(run):
    rows = [json.loads(line) for line in (run.output / "metrics.jsonl").read_text().splitlines()]
    train = [row for row in rows if row["kind"] == "train"][-1]
    losses = {"multi_scale_mel", "commitment", "codebook", "adversarial", "features", "discriminator"}
    assert losses <= set(train)
    validation = [row for row in rows if row["kind"] == "validation"][-1]
    assert {"mel", "mel_1", "perplexity_0", "perplexity_3"} <= set(validation)


def test_the_checkpoint_names_each_weight_once(run):
    state = torch.load(run.output / "checkpoints" / "last.ckpt", weights_only=False)["state_dict"]
    parts = {name.split(".")[0] for name in state}
    assert parts == {"codec", "averages", "averaged", "phone_head", "discriminators"}
    assert "codec.decoder.model.0.conv.parametrizations.weight.original1" in state
    assert {name for name in state if name.startswith("averages.")} == {f"averages.{k}.share" for k in range(4)}


def test_a_stopped_run_resumes_to_the_same_weights(run, pack, tmp_path):
    second = stopped_and_resumed(
        CodecRecipe, CodecTrainingConfig(output=tmp_path / "halves", pack=pack, **dac_run()), stop_at=4
    )
    straight = torch.load(run.output / "checkpoints" / "last.ckpt", weights_only=False)["state_dict"]
    for name, value in straight.items():
        assert torch.equal(second.state_dict()[name], value), name


def test_decoder_training_leaves_encoder_and_books_alone(run, pack, tmp_path):
    changes = dac_run(train="decoder", start_from=run.output / "checkpoints" / "last.ckpt", max_steps=2)
    config = CodecTrainingConfig(output=tmp_path / "decoder", pack=pack, **changes)
    recipe = CodecRecipe(config)
    before = {name: value.clone() for name, value in recipe.codec.state_dict().items()}
    fit(recipe, config)
    moved = {name for name, value in recipe.codec.state_dict().items() if not torch.equal(value, before[name])}
    assert moved
    assert all(name.startswith("decoder.") for name in moved)
    assert codec_fingerprint(load_codec_run(config)) == codec_fingerprint(load_codec_run(run))


def test_a_shipped_codec_starts_a_run(run, pack, tmp_path):
    shipped: Any = plain_codec(load_codec_run(run))
    save_codec(shipped, tmp_path / "shipped")
    for weight_norm in (True, False):
        changes = dac_run(start_from=tmp_path / "shipped", weight_norm=weight_norm, seed=5)
        recipe = CodecRecipe(CodecTrainingConfig(output=tmp_path / "next", pack=pack, **changes))
        for name, value in recipe.trained.plain().items():
            torch.testing.assert_close(value, shipped.state_dict()[name], msg=name)


def test_codes_and_the_folder_that_ships(run, tmp_path):
    codes, recipe = tmp_path / "codes", load_codec_run(run)
    added, _ = encode_new_clips(recipe, codes, variants=1)
    assert added == 16
    training, _ = load_utterances(codes)
    assert training[0].codes.shape == (4, len(training[0].phone_position))
    assert max(int(utterance.codes[1:].max()) for utterance in training) < TINY_DAC.residual_codebook_size

    lm = LMTrainingConfig(
        output=tmp_path / "lm",
        codes=codes,
        codebook_sizes=tuple(TINY_DAC.codebook_sizes),
        max_steps=1,
        learning_rate=1e-3,
        tokens_per_batch=300,
        accelerator="cpu",
        audio_start=96,
        guide_layers=(1,),
        model={"dim": 32, "num_layers": 2, "num_heads": 2, "num_kv_heads": 2, "head_dim": 16, "ffn_dim": 32}
        | {"fast_dim": 16, "fast_num_layers": 1, "fast_num_heads": 1, "fast_num_kv_heads": 1}
        | {"fast_head_dim": 16, "fast_ffn_dim": 32},
    )
    fit(LMRecipe(lm), lm)
    written = export_voice(lm, run, tmp_path / "voice")
    assert written["codec.safetensors"] > 0
    codec = load_codec(tmp_path / "voice", device="cpu")
    assert codec.codebook_sizes == TINY_DAC.codebook_sizes
    assert not any("parametrizations" in name for name in codec.state_dict())  # type: ignore[attr-defined]
    for name, value in recipe.trained.plain().items():
        assert torch.equal(codec.state_dict()[name], value.half().float()), name  # type: ignore[attr-defined]
    tokens = torch.from_numpy(training[0].codes)[None].long()
    torch.testing.assert_close(codec.decode(tokens), recipe.codec.decode(tokens), atol=2e-3, rtol=1e-2)
