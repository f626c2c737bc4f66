from __future__ import annotations

import base64
import json
import math
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from lungfish.checkpoint.codec_keys import released_shapes
from lungfish.checkpoint.inspection import Inspection, Part, inspect_checkpoint
from lungfish.checkpoint.lm import load_dual_ar
from lungfish.checkpoint.lm_keys import to_s2
from lungfish.checkpoint.source import open_source
from lungfish.checkpoint.token_table import read_token_table
from lungfish.codec.config import CodecConfig
from lungfish.codec.dac import ModifiedDAC
from lungfish.errors import CheckpointError, ConfigError, WeightsError
from lungfish.lm.config import DualARConfig
from lungfish.lm.model import DualAR
from tests.header_toy import serve, write_hollow
from tests.released import S2_PRO
from tests.toy import write_toy_checkpoint

GOLDEN = Path(__file__).parents[2] / "golden"


def look(path: Path | str, expect: str | None = None) -> Inspection:
    return inspect_checkpoint(open_source(str(path)), expect)


def only(result: Inspection) -> Part:
    (part,) = result.parts
    return part


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_toy_checkpoint(tmp_path_factory.mktemp("toy") / "voice")


@pytest.fixture
def folder(toy: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(toy, tmp_path / "copy"))


def change(path: Path, **tensors: torch.Tensor | None) -> None:
    """Replace (or with None remove) tensors of a file; `__` stands for a dot."""
    stored = load_file(path)
    for name, tensor in tensors.items():
        stored.pop(name.replace("__", "."), None)
        if tensor is not None:
            stored[name.replace("__", ".")] = tensor
    save_file(stored, path)


class TestGolden:
    def test_the_toy_would_load(self, toy: Path) -> None:
        result = look(toy)
        assert result.loads
        assert [part.kind for part in result.parts] == ["s2", "spectral"]
        assert [part.file for part in result.parts] == ["model.safetensors", "codec.safetensors"]
        model = load_dual_ar(toy, device="cpu")
        assert result.parts[0].total == sum(parameter.numel() for parameter in model.parameters())
        assert sum(result.parts[0].parameters.values()) == result.parts[0].total
        assert result.parts[0].token_ids["<|im_end|>"] == model.config.im_end_id
        assert result.parts[0].token_ids["semantic_begin_id"] == model.config.semantic_begin_id

    @pytest.mark.parametrize(("name", "kind", "head"), [("s2_tiny", "s2", 0), ("s1_tiny", "flat", 656 * 48)])
    def test_language_models(self, name: str, kind: str, head: int) -> None:
        result = look(GOLDEN / "lm" / name)
        part = only(result)
        assert (part.kind, part.faults, part.expectation) == (kind, {}, None)
        assert part.parameters.get("head", 0) == head
        assert set(part.dtypes) == {"bfloat16"}
        assert result.faults == ["there is no codec (codec.safetensors or codec.pth), so it cannot speak"]

    def test_a_codec_and_its_saved_tables(self) -> None:
        part = only(look(GOLDEN / "codec"))
        assert (part.kind, part.faults) == ("modified_dac", {})
        assert set(part.parameters) == {"encoder", "quantizer", "decoder"}
        assert len(part.tables) == 6
        assert all(name.endswith((".causal_mask", ".freqs_cis")) for name in part.tables)

    def test_one_file_of_several(self) -> None:
        whole = only(look(GOLDEN / "lm" / "s2_tiny"))
        shards = [only(look(path)) for path in sorted((GOLDEN / "lm" / "s2_tiny").glob("*.safetensors"))]
        assert all(part.faults == {} and "one shard" in part.notes[0] for part in shards)
        assert sum(part.total for part in shards) == whole.total

    def test_by_http(self, toy: Path) -> None:
        with serve(toy) as server:
            remote = look(server.url)
        assert remote.loads
        assert [(p.kind, p.parameters, p.token_ids) for p in remote.parts] == [
            (p.kind, p.parameters, p.token_ids) for p in look(toy).parts
        ]


class TestFaults:
    def test_all_of_a_mismatch_is_listed(self, folder: Path) -> None:
        change(
            folder / "model.safetensors",
            text_model__model__norm__weight=None,
            audio_decoder__norm__weight=None,
            audio_decoder__output__weight=torch.zeros(5, 6),
            text_model__model__layers__0__ffn_norm__weight=torch.zeros(32, dtype=torch.int8),
            extra=torch.zeros(3),
            **{f"more{i}": torch.zeros(1) for i in range(9)},
        )
        result = look(folder)
        assert not result.loads
        assert result.parts[0].faults == {
            "missing": ["fast.norm.weight", "slow.norm.weight"],
            "unexpected": ["extra", *(f"more{i}" for i in range(9))],
            "misshapen": ["fast.output.weight is [5, 6], not [32, 32]"],
            "not floating point": ["slow.layers.0.ffn_norm.weight is int8"],
        }
        assert result.parts[0].parameters["other"] == 3 + 9
        with pytest.raises(WeightsError):
            load_dual_ar(folder, device="cpu")

    def test_of_the_codec(self, folder: Path) -> None:
        change(folder / "codec.safetensors", encoder__norm__weight=None, stray=torch.zeros(2))
        faults = look(folder).parts[1].faults
        assert faults == {"missing": ["encoder.norm.weight"], "unexpected": ["stray"]}

    def test_config_and_tokenizer(self, folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(config | {"eos_token_id": 5}))
        assert "eos_token_id is 5" in look(folder).parts[0].faults["tokenizer"][0]
        (folder / "tokenizer.json").unlink()
        assert look(folder).parts[0].faults == {"tokenizer": ["the checkpoint has no tokenizer"]}
        (folder / "config.json").write_text("{}")
        assert "model_type None" in look(folder).parts[0].faults["config"][0]

    def test_parts_of_two_checkpoints(self, folder: Path, tmp_path: Path) -> None:
        shutil.copy(GOLDEN / "codec" / "codec.safetensors", folder)
        shutil.copy(GOLDEN / "codec" / "config.json", folder / "codec.json")
        result = look(folder)
        assert not any(part.faults for part in result.parts)
        assert "the codec has 10 codebooks" in result.faults[0]

    def test_a_damaged_part_leaves_the_other(self, folder: Path) -> None:
        path = folder / "codec.safetensors"
        path.write_bytes(path.read_bytes()[:-100])
        result = look(folder)
        assert result.parts[0].faults == {}
        assert "fetch it again" in result.parts[1].faults["unreadable"][0]
        with pytest.raises(WeightsError, match="fetch it again"):
            look(path)

    @pytest.mark.parametrize(
        ("weight_map", "expected"),
        [
            ({"w": "../../etc/passwd"}, "outside of the folder"),
            ({"w": "absent.safetensors"}, "shard absent.safetensors is missing"),
            ({}, "no weight_map"),
            (3, "no weight_map"),
        ],
    )
    def test_a_bad_index(self, tmp_path: Path, weight_map: object, expected: str) -> None:
        (tmp_path / "model.safetensors.index.json").write_text(json.dumps({"weight_map": weight_map}))
        with pytest.raises(CheckpointError, match=expected):
            look(tmp_path)

    def test_adapters_and_strangers(self, tmp_path: Path) -> None:
        save_file({"x.lora_A.weight": torch.zeros(2, 2)}, tmp_path / "adapter.safetensors")
        save_file({"what": torch.zeros(2, 2)}, tmp_path / "x.safetensors")
        for name, kind in (("adapter", "adapter"), ("x", "unknown")):
            part = only(look(tmp_path / f"{name}.safetensors"))
            assert part.kind == kind
            assert part.faults
            assert part.parameters == {"other": 4}

    def test_nothing_there(self, tmp_path: Path) -> None:
        with pytest.raises(CheckpointError, match="has no weights"):
            look(tmp_path)


class TestWrapped:
    @pytest.mark.parametrize("form", ["plain", "state_dict", "prefixed"])
    def test_flat_files(self, tmp_path: Path, form: str) -> None:
        shutil.copytree(GOLDEN / "lm" / "s1_tiny", tmp_path / "s1")
        stored = torch.load(tmp_path / "s1" / "model.pth", weights_only=True)
        if form == "prefixed":
            stored = {f"model.{name}": tensor for name, tensor in stored.items()}
        torch.save({"state_dict": stored, "step": 3} if form == "state_dict" else stored, tmp_path / "s1" / "model.pth")
        assert only(look(tmp_path / "s1")).faults == {}

    def test_codecs(self, tmp_path: Path) -> None:
        shutil.copy(GOLDEN / "codec" / "config.json", tmp_path)
        stored: dict[str, Any] = {
            f"generator.{n}": t for n, t in load_file(GOLDEN / "codec" / "codec.safetensors").items()
        }
        torch.save({"state_dict": stored | {"discriminator.x": torch.zeros(2)}}, tmp_path / "codec.pth")
        part = only(look(tmp_path))
        assert (part.kind, part.format, part.faults, len(part.tables)) == ("modified_dac", "torch", {}, 6)


def write_full_size(folder: Path, speakers: bool = False) -> DualARConfig:
    """S2-Pro with holes for weights: two shards, config, and a tokenizer of the real ids."""
    config = DualARConfig.from_dict(S2_PRO)
    with torch.device("meta"):
        state = DualAR(config).state_dict()
    names = [(to_s2(name), tuple(tensor.shape)) for name, tensor in state.items()]
    weight_map = {}
    for index, part in enumerate((names[:200], names[200:]), 1):
        file = f"model-{index:05}-of-00002.safetensors"
        write_hollow(folder / file, {name: ("BF16", shape) for name, shape in part})
        weight_map |= {name: file for name, _ in part}
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": weight_map}))
    (folder / "config.json").write_text(json.dumps(S2_PRO))
    added = {"<|endoftext|>": 151643, "<|im_start|>": 151644, "<|im_end|>": 151645}
    added |= {f"<tool{i}>": i for i in range(151646, 151669)}
    names_in_order = [
        "pad",
        "phoneme_start",
        "phoneme_end",
        "text",
        "voice",
        "interleave",
        "audio_start",
        "audio_end",
        "audio_pad",
    ]
    added |= {f"<|{name}|>": 151669 + i for i, name in enumerate(names_in_order)}
    added |= {f"<|semantic:{i}|>": 151678 + i for i in range(4096)}
    if speakers:
        added["<|speaker:1|>"] = 155774
    entries = [{"id": id_, "content": name, "special": True} for name, id_ in added.items()]
    vocab = {f"word{i}": i for i in range(151643)}
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "added_tokens": entries,
        "model": {"type": "BPE", "vocab": vocab},
    }
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    return config


class TestExpectations:
    def test_full_size_s2_pro_is_as_it_should_be(self, tmp_path: Path) -> None:
        write_full_size(tmp_path)
        part = only(look(tmp_path))
        assert (part.expectation, part.differences, part.faults) == ("S2-Pro", [], {})
        assert len(part.stored) == 358
        assert part.total == 4_561_852_416
        assert part.parameters["slow"] + part.parameters["embeddings"] == 4_032_298_496

    def test_headers_of_nine_gigabytes_cost_little(self, tmp_path: Path) -> None:
        write_full_size(tmp_path)
        with serve(tmp_path) as server:
            assert only(look(server.url)).total == 4_561_852_416
            assert sum(server.sent) < 8 << 20

    def test_what_is_otherwise_is_listed_but_loads(self, tmp_path: Path) -> None:
        write_full_size(tmp_path, speakers=True)
        part = only(look(tmp_path))
        assert part.faults == {}
        assert part.differences == [
            "4,132 added tokens, not 4,131",
            "<|speaker:1|> is a token of its own (155774), not plain text",
        ]

    def test_the_wrong_ids_are_named(self, tmp_path: Path) -> None:
        write_full_size(tmp_path)
        config = S2_PRO | {"semantic_start_token_id": 151677, "semantic_end_token_id": 155772}
        (tmp_path / "config.json").write_text(json.dumps(config))
        assert "151677..155772" in only(look(tmp_path)).faults["tokenizer"][0]

    def test_a_file_is_chosen_by_name(self, toy: Path) -> None:
        part = look(toy, "s2_pro").parts[0]
        assert part.expectation == "S2-Pro"
        assert "31 tensors, not 358" in part.differences
        assert "stored as float32, not bfloat16" in part.differences
        assert "dim is 32, not 2560" in part.differences
        assert look(toy).parts[0].expectation is None
        with pytest.raises(ConfigError, match="there are modified_dac, s1_mini, s2_pro"):
            look(toy, "nonsense")

    def test_the_released_codec(self, tmp_path: Path) -> None:
        with torch.device("meta"):
            shapes = {n: tuple(s) for n, s in released_shapes(ModifiedDAC(CodecConfig.s2()).state_dict()).items()}
        tensors: dict[str, tuple[str, tuple[int, ...]]] = {name: ("F32", shape) for name, shape in shapes.items()}
        for module, size in (
            ("encoder.block.4.block.5", 16384),
            ("quantizer.pre_module", 4096),
            ("quantizer.post_module", 4096),
        ):
            tensors[f"{module}.causal_mask"] = ("BOOL", (size, size))
            tensors[f"{module}.freqs_cis"] = ("BF16", (size, 32, 2))
        write_hollow(tmp_path / "codec.safetensors", tensors)
        part = only(look(tmp_path, "modified_dac"))
        assert (part.expectation, part.differences, part.faults) == ("the released 44.1 kHz codec", [], {})
        assert len(part.stored) == 541
        assert sum(table.nbytes for name, table in part.tables.items() if name.endswith("mask")) == 301_989_888
        assert only(look(tmp_path)).expectation is None  # a converted file is another file
        del tensors["quantizer.pre_module.freqs_cis"]
        write_hollow(tmp_path / "codec.safetensors", tensors)
        assert only(look(tmp_path, "modified_dac")).differences == [
            "540 tensors, not 541",
            "2 saved freqs_cis of 2,621,440 bytes, not 3 of 3,145,728",
        ]


class TestTokens:
    def test_s1_tokens_follow_the_ranks(self, tmp_path: Path) -> None:
        lines = [b"%s %d" % (base64.b64encode(bytes([byte])), byte) for byte in range(256)] + [b"= 256"]
        (tmp_path / "tokenizer.tiktoken").write_bytes(b"\n".join(lines) + b"\n")
        names = ["<|end_of_text|>", "<|im_end|>", "<|semantic:0|>", "<|semantic:1|>"]
        (tmp_path / "special_tokens.json").write_text(json.dumps(dict.fromkeys(names, 9)))
        table = read_token_table(open_source(str(tmp_path)))
        assert table is not None
        assert table.added == {name: 256 + index for index, name in enumerate(names)}
        assert (table.size, table.semantic_range()) == (260, (258, 259))

    def test_a_large_tokenizer_is_read_by_its_head(self, tmp_path: Path) -> None:
        write_full_size(tmp_path)
        path = tmp_path / "tokenizer.json"
        path.write_text(path.read_text().removesuffix("}}") + ', "filler": "' + "x" * (5 << 20) + '"}}')
        with serve(tmp_path) as server:
            table = read_token_table(open_source(server.url))
            assert sum(server.sent) < 5 << 20
        assert table is not None
        assert len(table.added) == 4131
        assert math.isclose(table.size, 155_774)
