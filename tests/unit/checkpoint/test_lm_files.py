"""Language-model folders: both layouts, strict loading, and a clear line for every kind of damage."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from lungfish.checkpoint.lm import load_dual_ar, save_dual_ar
from lungfish.checkpoint.lm_keys import to_ours, to_s2
from lungfish.checkpoint.tensor_files import INDEX, open_tensors
from lungfish.errors import CheckpointError, ConfigError, TokenizerError, WeightsError
from tests.toy import toy_config, toy_model

GOLDEN = Path(__file__).parents[2] / "golden" / "lm"


@pytest.fixture
def s2(tmp_path):
    return Path(shutil.copytree(GOLDEN / "s2_tiny", tmp_path / "s2"))


@pytest.fixture
def s1(tmp_path):
    return Path(shutil.copytree(GOLDEN / "s1_tiny", tmp_path / "s1"))


def edit(path, **changes):
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def load(folder):
    return load_dual_ar(folder, device="cpu", dtype="float32")


def same(first, second):
    a, b = first.state_dict(), second.state_dict()
    return a.keys() == b.keys() and all(torch.equal(a[name], b[name]) for name in a)


def test_a_loaded_model_is_ready_for_inference(s2):
    model = load(s2)
    assert not model.training
    assert not any(p.requires_grad for p in model.parameters())
    assert not list(model.buffers())
    assert model.dtype is torch.float32
    assert load_dual_ar(s2, device="cpu", dtype="bfloat16").dtype is torch.bfloat16
    assert load_dual_ar(s2, device="cpu").dtype is torch.float32


def test_released_names_round_trip(s2):
    stored = open_tensors(s2).described
    ours = to_ours(stored)
    assert {to_s2(name) for name in ours} == set(stored)


@pytest.mark.parametrize("name", ["s1_tiny", "s2_tiny"])
def test_saved_models_are_the_same_models(tmp_path, name):
    model = load(GOLDEN / name)
    shutil.copy(GOLDEN / name / "tokenizer.json", tmp_path)
    save_dual_ar(model, tmp_path)
    again = load(tmp_path)
    assert same(model, again)
    assert again.config == model.config
    names = load_file(tmp_path / "model.safetensors")
    assert all(key.startswith(("text_model.", "audio_decoder.")) for key in names)
    assert ("text_model.lm_head.weight" in names) == (name == "s1_tiny")


def test_phoneme_checkpoints_keep_their_style(tmp_path):
    model = toy_model(toy_config(tmp_path))
    save_dual_ar(model, tmp_path, dtype=torch.float16)
    again = load(tmp_path)
    assert again.config == model.config
    assert json.loads((tmp_path / "config.json").read_text())["dtype"] == "float16"
    torch.testing.assert_close(
        again.slow.norm.weight, model.slow.norm.weight.half().float(), msg="half on disk, float32 in memory"
    )


def test_large_models_are_cut_into_shards(tmp_path, s2):
    model = load(s2)
    shutil.copy(s2 / "tokenizer.json", tmp_path)
    save_dual_ar(model, tmp_path, max_shard_bytes=100_000)
    shards = sorted(path.name for path in tmp_path.glob("model-*.safetensors"))
    assert len(shards) > 5
    assert sorted(set(json.loads((tmp_path / INDEX).read_text())["weight_map"].values())) == shards
    assert same(load(tmp_path), model)
    save_dual_ar(load(s2), tmp_path)  # in one file again: the old index must not win
    assert not (tmp_path / INDEX).exists()
    assert same(load(tmp_path), model)


def test_the_index_wins_over_the_single_file(s2):
    model = load(s2)
    save_file({"nothing": torch.zeros(1)}, s2 / "model.safetensors")
    assert same(load(s2), model)


def test_flat_files_in_any_wrapping(s1):
    model = load(s1)
    raw = torch.load(s1 / "model.pth", weights_only=True)
    flat = raw.get("state_dict", raw)
    wrapped = {f"model.{name}": tensor for name, tensor in flat.items()}
    wrapped["model.layers.0.attention.kv_cache.k_cache"] = torch.zeros(1)
    wrapped["model.audio_projector.weight"] = torch.zeros(1)
    torch.save({"state_dict": wrapped}, s1 / "model.pth")
    assert same(load(s1), model)


def test_split_projections_are_joined(s1):
    model = load(s1)
    raw = torch.load(s1 / "model.pth", weights_only=True)
    flat = dict(raw.get("state_dict", raw))
    for kind in ("weight", "bias"):
        parts = flat.pop(f"layers.0.attention.wqkv.{kind}").split(48)
        flat |= {
            f"layers.0.attention.{name}.{kind}": part.clone()
            for name, part in zip(("wq", "wk", "wv"), parts, strict=True)
        }
    torch.save(flat, s1 / "model.pth")
    assert same(load(s1), model)


def test_an_audio_encoder_is_passed_over(s2):
    model = load(s2)
    name = "model-00001-of-00002.safetensors"
    tensors = load_file(s2 / name) | {"audio_encoder.conv.weight": torch.zeros(2)}
    save_file(tensors, s2 / name)
    assert same(load(s2), model)


def shard(folder):
    return folder / "model-00002-of-00002.safetensors"


def test_weights_that_do_not_fit_are_listed(s2):
    tensors = load_file(shard(s2))
    gone = "text_model.model.norm.weight"
    changed = {name: tensor for name, tensor in tensors.items() if name != gone}
    changed["text_model.model.extra.weight"] = torch.zeros(2)
    wide = next(name for name in changed if name.endswith("w1.weight"))
    changed[wide] = torch.zeros(3, 3)
    save_file(changed, shard(s2))
    with pytest.raises(WeightsError) as caught:
        load(s2)
    message = str(caught.value)
    assert "1 missing (slow.norm.weight)" in message
    assert "1 unexpected (slow.extra.weight)" in message
    assert "1 misshapen" in message
    assert "is [3, 3], not [96, 48]" in message


def test_integer_weights_are_refused(s2):
    tensors = load_file(shard(s2))
    name = "text_model.model.norm.weight"
    save_file(tensors | {name: tensors[name].to(torch.int8)}, shard(s2))
    with pytest.raises(WeightsError, match="1 not floating point"):
        load(s2)


def test_damaged_and_missing_files(s2):
    whole = shard(s2).read_bytes()
    for damaged in (b"", whole[:1000], b"x" * 100):
        shard(s2).write_bytes(damaged)
        with pytest.raises(WeightsError, match=r"model-00002-of-00002\.safetensors: damaged"):
            load(s2)
    shard(s2).unlink()
    with pytest.raises(WeightsError, match=r"shard model-00002-of-00002\.safetensors is missing"):
        load(s2)
    for index in ("{", "[]", '{"weight_map": 3}'):
        (s2 / INDEX).write_text(index)
        with pytest.raises(WeightsError, match="not a weight index"):
            load(s2)
    (s2 / INDEX).write_text('{"weight_map": {"a": "../x.safetensors"}}')
    with pytest.raises(WeightsError, match="outside of the folder"):
        load(s2)
    (s2 / INDEX).unlink()
    with pytest.raises(CheckpointError, match="has no weights"):
        load(s2)


class _Evil:
    def __reduce__(self):
        return (print, ("unpickled",))


def test_damaged_and_hostile_pickles(s1, capsys):
    whole = (s1 / "model.pth").read_bytes()
    for damaged in (b"", b"abc", whole[:2000], whole[: len(whole) // 2]):
        (s1 / "model.pth").write_bytes(damaged)
        with pytest.raises(WeightsError, match=r"model\.pth: damaged"):
            load(s1)
    torch.save({"embeddings.weight": _Evil()}, s1 / "model.pth")
    with pytest.raises(WeightsError, match="cannot be read as tensors") as caught:
        load(s1)
    assert "\n" not in str(caught.value)
    assert "unpickled" not in capsys.readouterr().out
    for content in ([torch.zeros(1)], {}, {"a": 3}, {"state_dict": {"a": "b"}}):
        torch.save(content, s1 / "model.pth")
        with pytest.raises(WeightsError, match="holds no named tensors"):
            load(s1)


def test_folders_that_are_no_checkpoints(tmp_path):
    with pytest.raises(CheckpointError, match="no such model folder"):
        load(tmp_path / "nowhere")
    with pytest.raises(CheckpointError, match=r"no config\.json"):
        load(tmp_path)
    for content in ("{", "[1]", "\x00"):
        (tmp_path / "config.json").write_text(content)
        with pytest.raises(ConfigError):
            load(tmp_path)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"semantic_start_token_id": 394, "semantic_end_token_id": 649}, "semantic tokens are 395..650"),
        ({"eos_token_id": 384}, "<|im_end|> is 385"),
    ],
)
def test_a_tokenizer_that_disagrees_is_refused(s2, changes, says):
    edit(s2 / "config.json", **changes)
    with pytest.raises(TokenizerError) as caught:
        load(s2)
    assert says in str(caught.value)


def test_a_tokenizer_of_another_size_is_refused(s2):
    raw = json.loads((s2 / "config.json").read_text())
    raw["audio_decoder_config"]["vocab_size"] = 255
    (s2 / "config.json").write_text(json.dumps(raw))
    with pytest.raises(TokenizerError, match="256 semantic tokens"):
        load(s2)
    tokenizer = json.loads((s2 / "tokenizer.json").read_text())
    extra = {**tokenizer["added_tokens"][-1], "content": "<|more|>"}
    tokenizer["added_tokens"] += [{**extra, "id": 651 + i, "content": f"<|more{i}|>"} for i in range(6)]
    (s2 / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(TokenizerError, match="ids up to 656"):
        load(s2)


def test_the_flat_form_takes_its_ids_from_the_tokenizer(s1):
    config = load(s1).config
    assert (config.semantic_begin_id, config.semantic_end_id, config.im_end_id) == (395, 650, 385)
    (s1 / "tokenizer.json").unlink()
    with pytest.raises(TokenizerError, match=r"has no tokenizer\.json"):
        load(s1)
