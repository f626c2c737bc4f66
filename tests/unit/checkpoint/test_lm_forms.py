"""Every form that a language model comes in: S1's files, wrappers, prefixes, split projections; and hostile ones."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from lungfish.api import TTS
from lungfish.checkpoint.codec import save_codec
from lungfish.checkpoint.generation_config import style_defaults
from lungfish.checkpoint.lm import load_dual_ar, save_dual_ar
from lungfish.checkpoint.lm_keys import sources
from lungfish.checkpoint.tensor_files import INDEX, open_tensors
from lungfish.errors import CheckpointError, ConfigError, WeightsError
from tests.s1_toy import GOLDEN_S1, use_tiktoken
from tests.toy import toy_codec

GOLDEN_S2 = GOLDEN_S1.with_name("s2_tiny")
SHARDS = ("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors")


@pytest.fixture
def s2(tmp_path):
    return Path(shutil.copytree(GOLDEN_S2, tmp_path / "s2"))


@pytest.fixture
def s1(tmp_path):
    """As released: flat, pickled, with a tiktoken tokenizer."""
    return use_tiktoken(Path(shutil.copytree(GOLDEN_S1, tmp_path / "s1")))


def load(folder, dtype="float32"):
    return load_dual_ar(folder, device="cpu", dtype=dtype)


def flat_tensors(folder):
    raw = torch.load(folder / "model.pth", weights_only=True)
    return dict(raw.get("state_dict", raw))


def same(first, second):
    a, b = first.state_dict(), second.state_dict()
    return a.keys() == b.keys() and all(torch.equal(a[name], b[name]) for name in a)


# --- S1 -------------------------------------------------------------------------------------------------------------


def test_an_s1_folder_is_the_golden_model_prompted_its_own_way(s1):
    model, golden = load(s1), load(GOLDEN_S1)
    assert same(model, golden)
    assert model.config.prompt_style == "interleave"
    assert golden.config.prompt_style == "chat"  # a tokenizer.json: written by the runtime of today
    assert (model.config.semantic_begin_id, model.config.im_end_id) == (395, 385)


def test_what_a_config_says_of_its_prompts_counts(s1):
    path = s1 / "config.json"
    raw = json.loads(path.read_text())
    path.write_text(json.dumps(raw | {"lungfish": {"prompt_style": "chat"}}))
    assert load(s1).config.prompt_style == "chat"
    path.write_text(json.dumps(raw | {"lungfish": {"prompt_style": "shout"}}))
    with pytest.raises(ConfigError, match="prompt_style must be one of"):
        load(s1)
    path.write_text(json.dumps(raw | {"lungfish": []}))
    assert load(s1).config.prompt_style == "interleave"


def test_a_saved_s1_model_stays_one(s1, tmp_path):
    model = load(s1)
    saved = save_dual_ar(model, tmp_path / "saved")
    for name in ("tokenizer.tiktoken", "special_tokens.json"):
        shutil.copy(s1 / name, saved)
    again = load(saved)
    assert same(again, model)
    assert again.config == model.config


def test_an_s1_folder_speaks(s1):
    save_codec(toy_codec((256, 64, 64, 64)), s1)
    tts = TTS.load(s1, device="cpu")
    assert tts.defaults == style_defaults("interleave")
    assert not tts.defaults.ras
    speech = tts.say("the rain in spain <|im_end|>", seed=1)
    assert speech.frames > 0
    assert int(speech.codes[1:].max()) < 64
    assert torch.equal(speech.codes, tts.say("the rain in spain <|im_end|>", seed=1).codes)


def test_a_checkpoint_without_a_codec_is_refused_before_it_is_read(s2):
    (s2 / SHARDS[0]).write_bytes(b"")  # not looked at
    with pytest.raises(CheckpointError, match=r"has no codec \(codec\.safetensors or codec\.pth\)") as caught:
        TTS.load(s2, device="cpu")
    assert "\n" not in str(caught.value)


# --- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrapped", [False, True])
def test_prefixes_wrappers_and_what_is_left_out_on_purpose(s1, wrapped):
    model = load(s1)
    extra = {
        "layers.0.attention.kv_cache.k_cache": torch.zeros(1, 2, 3),
        "layers.0.attention.kv_cache.v_cache": torch.zeros(1, 2, 3),
        "audio_projector.weight": torch.zeros(3),
        "layers.0.audio_adapter.weight": torch.zeros(3),
    }
    content = {f"model.{name}": tensor for name, tensor in (flat_tensors(s1) | extra).items()}
    torch.save({"state_dict": content, "epoch": 3} if wrapped else content, s1 / "model.pth")
    assert same(load(s1), model)


def test_a_prefix_is_removed_at_the_front_only(s1):
    content = {f"model.{name}": tensor for name, tensor in flat_tensors(s1).items()}
    content["model.layers.0.model.norm.weight"] = torch.zeros(48)
    torch.save(content, s1 / "model.pth")
    with pytest.raises(WeightsError, match=r"1 unexpected \(slow\.layers\.0\.model\.norm\.weight\)"):
        load(s1)


def test_one_tensor_under_two_names_is_refused(s1):
    flat = flat_tensors(s1)
    torch.save({f"model.{name}": tensor for name, tensor in flat.items()} | flat, s1 / "model.pth")
    with pytest.raises(WeightsError, match="with and without the prefix"):
        load(s1)
    with pytest.raises(WeightsError, match="two names of one tensor"):
        sources(["text_model.lm_head.weight", "slow.output.weight"])


def split(tensors, prefix, sizes):
    """Take a fused projection apart."""
    for kind in ("weight", "bias"):
        fused = tensors.pop(f"{prefix}.wqkv.{kind}", None)
        if fused is not None:
            parts = zip(("wv", "wq", "wk"), (2, 0, 1), strict=True)  # in an order of no use
            tensors |= {f"{prefix}.{name}.{kind}": fused.split(sizes)[at].clone() for name, at in parts}
    return tensors


def test_split_projections_in_either_layout(s1, s2):
    flat_model, s2_model = load(s1), load(s2)
    flat = split(flat_tensors(s1), "layers.1.attention", [48, 48, 48])
    assert sum(".wq." in name or ".wv." in name for name in flat) == 4  # weights and biases
    torch.save(flat, s1 / "model.pth")
    assert same(load(s1), flat_model)

    merged = load_file(s2 / SHARDS[0]) | load_file(s2 / SHARDS[1])
    prefix = "text_model.model.layers.1.attention"
    config = s2_model.config
    heads = [config.num_heads, config.num_kv_heads, config.num_kv_heads]
    merged = split(merged, prefix, [count * config.head_dim for count in heads])
    names = sorted(merged)
    save_file({name: merged[name] for name in names if ".wk." not in name}, s2 / SHARDS[0])
    save_file({name: merged[name] for name in names if ".wk." in name}, s2 / SHARDS[1])  # parts in two files
    assert same(load(s2), s2_model)


def test_an_incomplete_split_is_listed(s1):
    flat = split(flat_tensors(s1), "layers.1.attention", [48, 48, 48])
    del flat["layers.1.attention.wk.bias"]
    torch.save(flat, s1 / "model.pth")
    with pytest.raises(WeightsError) as caught:
        load(s1)
    assert "1 missing (slow.layers.1.attention.wqkv.bias)" in str(caught.value)
    assert "2 unexpected (slow.layers.1.attention.wq.bias, slow.layers.1.attention.wv.bias)" in str(caught.value)


@pytest.mark.parametrize(
    "part", [torch.zeros(3), torch.tensor(1.0), torch.zeros(48, 47), torch.ones(48, 48).to(torch.int8)]
)
def test_parts_that_do_not_fit_together(s1, part):
    flat = split(flat_tensors(s1), "layers.1.attention", [48, 48, 48])
    torch.save(flat | {"layers.1.attention.wk.weight": part}, s1 / "model.pth")
    with pytest.raises(
        WeightsError, match=r"the parts of slow\.layers\.1\.attention\.wqkv\.weight do not fit together"
    ):
        load(s1)


def test_tensors_are_planned_in_the_order_of_their_files():
    names = ["norm.weight", "layers.0.attention.wv.bias", "layers.0.attention.wq.bias", "layers.0.attention.wk.bias"]
    assert sources([*names, "fast_norm.weight"]) == {
        "slow.norm.weight": ("norm.weight",),
        "slow.layers.0.attention.wqkv.bias": (names[2], names[3], names[1]),
        "fast.norm.weight": ("fast_norm.weight",),
    }


# --- bytes ----------------------------------------------------------------------------------------------------------


def raw_bytes(*paths):
    """dtype, shape and bytes of every tensor."""
    found = {}
    for path in paths:
        with safe_open(path, framework="pt") as file:
            for name in file.keys():  # noqa: SIM118  # not a dict
                tensor = file.get_tensor(name)
                found[name] = (tensor.dtype, tensor.shape, tensor.contiguous().view(torch.uint8).numpy().tobytes())
    return found


@pytest.mark.parametrize("limit", [1 << 30, 300_000])
def test_saving_gives_every_byte_back(s2, tmp_path, limit):
    released = raw_bytes(*(s2 / name for name in SHARDS))
    assert {dtype for dtype, _, _ in released.values()} == {torch.bfloat16}
    for at, dtype in enumerate(("bfloat16", "float32")):
        folder = save_dual_ar(load(s2, dtype), tmp_path / str(at), torch.bfloat16, max_shard_bytes=limit)
        files = sorted(folder.glob("*.safetensors"))
        assert (len(files) > 1) == (folder / INDEX).exists() == (limit == 300_000)
        assert raw_bytes(*files) == released
        if len(files) > 1:
            index = json.loads((folder / INDEX).read_text())
            assert set(index["weight_map"]) == set(released)
            assert index["metadata"]["total_size"] == sum(len(content) for _, _, content in released.values())
            assert all(sum(len(content) for _, _, content in raw_bytes(file).values()) <= limit for file in files)


@pytest.mark.parametrize("folder", [GOLDEN_S1, GOLDEN_S2])
def test_tensors_have_memory_of_their_own(folder, tmp_path):
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    files = open_tensors(copy)
    stored = {name: files.read(name) for name in files.described}
    first = {name: tensor.clone() for name, tensor in stored.items()}
    for path in copy.glob("model*"):
        path.write_bytes(b"\0" * path.stat().st_size)
    assert all(torch.equal(stored[name], first[name]) for name in stored)
    assert all(tensor.is_contiguous() for tensor in stored.values())
    assert all(files.described[name].shape == tensor.shape for name, tensor in stored.items())
    assert all(files.described[name].dtype is tensor.dtype for name, tensor in stored.items())


def test_odd_tensors_are_read_as_they_are(tmp_path):
    odd = {
        "empty": torch.empty(0, 3),
        "scalar": torch.tensor(2.5, dtype=torch.float64),
        "fp8": torch.tensor([1.0, -2.0]).to(torch.float8_e4m3fn),
        "truth": torch.tensor([True, False]),
        "odd_bytes": torch.arange(3, dtype=torch.int8),
        "after": torch.arange(5, dtype=torch.float32),
    }
    save_file(odd, tmp_path / "model.safetensors", metadata={"format": "pt"})
    files = open_tensors(tmp_path)
    assert set(files.described) == set(odd)
    for name, tensor in odd.items():
        got = files.read(name)
        assert (got.dtype, got.shape) == (tensor.dtype, tensor.shape)
        assert torch.equal(
            got.view(torch.uint8) if got.dim() else got, tensor.view(torch.uint8) if got.dim() else tensor
        )


def test_a_file_that_shrinks_while_it_is_read(s2):
    files = open_tensors(s2)
    for name in SHARDS:
        (s2 / name).write_bytes((s2 / name).read_bytes()[:2000])
    with pytest.raises(WeightsError, match="cannot be read"):
        files.read(next(reversed(files.described)))


def test_pickled_files_are_mapped_anew(s1, monkeypatch):
    model = load(s1)
    monkeypatch.setattr("lungfish.checkpoint.tensor_files.MAPPED_BYTES", 1000)
    assert same(load(s1), model)


# --- bad input ------------------------------------------------------------------------------------------------------


def half(content):
    return content[: len(content) // 2]


def header(length, text=b"{}"):
    return length.to_bytes(8, "little") + text


BROKEN_SHARDS = {
    "half downloaded": half,
    "empty": lambda content: b"",
    "seven bytes": lambda content: content[:7],
    "last byte missing": lambda content: content[:-1],
    "something behind": lambda content: content + b"x",
    "huge header": lambda content: header(1 << 63),
    "header of 101 MB": lambda content: header(101_000_000, b"{}" * 50),
    "negative header": lambda content: b"\xff" * 8 + content[8:],
    "no JSON": lambda content: header(4, b"abcd"),
    "deep JSON": lambda content: header(200_000, b"[" * 200_000),
    "a web page": lambda content: b"<!DOCTYPE html><html>not found</html>",
    "huge shape": lambda content: header(
        68, b'{"a":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]}}'[:68]
    ),
    "offsets beyond the end": lambda content: header(
        62, b'{"a":{"dtype":"F32","shape":[900],"data_offsets":[0,3600]}}   '
    ),
}


@pytest.mark.parametrize("damage", BROKEN_SHARDS.values(), ids=BROKEN_SHARDS)
def test_damaged_shards(s2, damage):
    path = s2 / SHARDS[1]
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(WeightsError, match=rf"{SHARDS[1]}: damaged or only half downloaded, fetch it again") as caught:
        load(s2)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_types_that_nobody_knows(s2):
    text = b'{"a":{"dtype":"C64","shape":[1],"data_offsets":[0,8]}}'
    (s2 / SHARDS[1]).write_bytes(header(len(text), text) + b"\0" * 8)
    with pytest.raises(WeightsError, match=f"{SHARDS[1]}: ") as caught:
        load(s2)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    ["../outside.safetensors", "/etc/passwd", "..", ".", "", "sub/a.safetensors", "..\\a", "C:\\a", "C:a", "a\0b", 3],
)
def test_shards_outside_of_the_folder(s2, name):
    (s2.parent / "outside.safetensors").write_bytes((s2 / SHARDS[0]).read_bytes())
    (s2 / INDEX).write_text(json.dumps({"weight_map": {"a": name}}))
    with pytest.raises(WeightsError, match="names a file outside of the folder") as caught:
        load(s2)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("index", "says"),
    [
        ("{", "not a weight index"),
        ("[" * 100_000, "not a weight index"),
        ("[]", "not a weight index"),
        ("{}", "not a weight index"),
        ('{"weight_map": {}}', "it names no file"),
        ('{"weight_map": ["a"]}', "not a weight index"),
        ('{"weight_map": {"a": ["b"]}}', "not a weight index"),
        ('{"weight_map": {"a": "b", "c": 1}}', "not a weight index"),
        ('{"weight_map": {"a": "absent.safetensors"}}', "shard absent.safetensors is missing, fetch it again"),
        ("\x00\x01", "not a weight index"),
    ],
)
def test_broken_indices(s2, index, says):
    (s2 / INDEX).write_text(index)
    with pytest.raises(WeightsError, match=says) as caught:
        load(s2)
    assert "\n" not in str(caught.value)


def test_an_index_that_is_no_text(s2):
    (s2 / INDEX).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(WeightsError, match="not a weight index"):
        load(s2)
