import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from lungfish.checkpoint.codec import load_codec, save_codec
from lungfish.codec.config import CodecConfig
from lungfish.codec.dac import ModifiedDAC
from lungfish.codec.spectral import SpectralCodec, SpectralCodecConfig
from lungfish.errors import CheckpointError, ConfigError, OutputError, WeightsError

GOLDEN = Path(__file__).parents[2] / "golden" / "codec"


@pytest.fixture(scope="module")
def codes() -> torch.Tensor:
    with np.load(GOLDEN / "io.npz") as arrays:
        return torch.from_numpy(arrays["codes"][..., :6])


@pytest.fixture(scope="module")
def stored() -> dict[str, torch.Tensor]:
    return load_file(GOLDEN / "codec.safetensors")


@pytest.fixture(scope="module")
def config() -> CodecConfig:
    return CodecConfig.from_dict(json.loads((GOLDEN / "config.json").read_text()))


@pytest.fixture
def folder(tmp_path) -> Path:
    shutil.copy(GOLDEN / "config.json", tmp_path)
    return tmp_path


def same(one, other, codes) -> bool:
    return torch.equal(one.decode(codes), other.decode(codes))


@pytest.mark.parametrize("wrap", ["plain", "state_dict", "generator", "training"])
def test_torch_files_load_wrapped_or_not(folder, stored, codes, wrap):
    state = dict(stored)
    if wrap in ("generator", "training"):
        state = {f"generator.{name}": tensor for name, tensor in state.items()}
        state["discriminator.weight"] = torch.ones(3)
    torch.save(state if wrap in ("plain", "generator") else {"state_dict": state, "epoch": 4}, folder / "codec.pth")
    assert same(load_codec(folder, device="cpu"), load_codec(GOLDEN, device="cpu"), codes)


def test_saving_folds_and_round_trips(tmp_path, codes):
    codec = load_codec(GOLDEN, device="cpu")
    weights = save_codec(codec, tmp_path / "new" / "folder")
    names = set(load_file(weights))
    assert len(names) == 427 - 60 - 20
    assert not any("original" in name or name.endswith(("_g", "_v", "causal_mask", "freqs_cis")) for name in names)
    again = load_codec(tmp_path / "new" / "folder", device="cpu")
    assert isinstance(again, ModifiedDAC)
    assert again.config == codec.config  # type: ignore[attr-defined]
    assert same(codec, again, codes)
    assert sorted(path.name for path in weights.parent.iterdir()) == ["codec.json", "codec.safetensors"]


def test_saving_over_the_file_it_came_from(tmp_path, codes):
    save_codec(load_codec(GOLDEN, device="cpu"), tmp_path)
    codec = load_codec(tmp_path, device="cpu")
    before = codec.decode(codes)
    save_codec(codec, tmp_path, dtype=torch.bfloat16)
    assert torch.equal(codec.decode(codes), before)
    half = load_codec(tmp_path, device="cpu")
    assert {parameter.dtype for parameter in half.parameters()} == {torch.float32}  # type: ignore[attr-defined]


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    codec = load_codec(GOLDEN, device="cpu")
    weights = save_codec(codec, tmp_path)
    before = weights.read_bytes()

    def full(tensors, path, metadata):
        Path(path).write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("lungfish.checkpoint.codec.save_file", full)
    with pytest.raises(OutputError, match="No space left"):
        save_codec(codec, tmp_path)
    assert weights.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 2


def test_saving_into_a_file_is_refused(tmp_path):
    (tmp_path / "taken").write_text("x")
    with pytest.raises(OutputError):
        save_codec(load_codec(GOLDEN, device="cpu"), tmp_path / "taken")


def test_the_spectral_codec_goes_the_same_way(tmp_path):
    torch.manual_seed(0)
    config = SpectralCodecConfig(dim=32, ffn_dim=48, code_ffn_dim=48, decoder_blocks=1, codebook_sizes=(32, 16))
    codec = SpectralCodec(config).eval()
    weights = save_codec(codec, tmp_path)
    again = load_codec(tmp_path, device="cpu")
    assert isinstance(again, SpectralCodec)
    assert again.config == config
    assert not again.training
    waveform = torch.randn(1, 1, 5000) * 0.1
    assert torch.equal(codec.encode(waveform)[0], again.encode(waveform)[0])
    assert same(codec, again, codec.encode(waveform)[0])
    state = load_file(weights)
    state["more"] = torch.ones(1)
    save_file(state, weights)
    with pytest.raises(WeightsError, match=r"1 unexpected \(more\)"):
        load_codec(tmp_path, device="cpu")


def test_wrong_weights_are_listed(folder, stored):
    state = {name: tensor for name, tensor in stored.items() if not name.startswith("decoder.model.6")}
    state["decoder.model.9.bias"] = torch.ones(1)
    state["encoder.block.5.alpha"] = torch.ones(1, 63, 1)
    state["quantizer.quantizer.quantizers.0.codebook.weight"] = torch.ones(1024, 8, dtype=torch.int64)
    save_file(state, folder / "codec.safetensors")
    with pytest.raises(WeightsError) as caught:
        load_codec(folder, device="cpu")
    message = str(caught.value)
    assert "\n" not in message
    assert "2 missing (decoder.model.6.conv.bias, decoder.model.6.conv.weight)" in message
    assert "1 unexpected (decoder.model.9.bias)" in message
    assert "1 misshapen (encoder.block.5.alpha is [1, 63, 1], not [1, 64, 1])" in message
    assert "1 not floating point (quantizer.quantizer.quantizers.0.codebook.weight)" in message


def test_long_lists_are_cut_short(folder):
    save_file({"a": torch.ones(1)}, folder / "codec.safetensors")
    with pytest.raises(WeightsError) as caught:
        load_codec(folder, device="cpu")
    assert "347 missing (" in str(caught.value)
    assert ", ...)" in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("name", ["codec.safetensors", "codec.pth"])
@pytest.mark.parametrize("damage", ["empty", "noise", "half"])
def test_damaged_files_are_one_clear_line(folder, stored, name, damage):
    path = folder / name
    if damage == "half":
        if name.endswith(".pth"):
            torch.save(stored, path)
        else:
            save_file(stored, path)
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    else:
        path.write_bytes(b"" if damage == "empty" else bytes(range(256)) * 40)
    with pytest.raises(WeightsError, match=name) as caught:
        load_codec(folder, device="cpu")
    assert "\n" not in str(caught.value)


class _Payload:
    pass


def test_nothing_but_tensors_is_unpickled(folder):
    torch.save({"a": _Payload()}, folder / "codec.pth")
    with pytest.raises(WeightsError, match=r"codec\.pth") as caught:
        load_codec(folder, device="cpu")
    assert "\n" not in str(caught.value)


def test_a_list_of_tensors_is_no_codec(folder):
    torch.save([torch.ones(1)], folder / "codec.pth")
    with pytest.raises(WeightsError, match="holds a list"):
        load_codec(folder, device="cpu")


def test_absent_files(tmp_path):
    with pytest.raises(CheckpointError, match="no such codec"):
        load_codec(tmp_path / "nowhere")
    with pytest.raises(CheckpointError, match="has neither"):
        load_codec(tmp_path)


def test_which_config_counts(tmp_path, config, codes):
    weights = tmp_path / "some name.safetensors"
    shutil.copy(GOLDEN / "codec.safetensors", weights)
    with pytest.raises(WeightsError, match="misshapen"):  # none there: the released full size
        load_codec(weights, device="cpu")
    (tmp_path / "config.json").write_text('{"model_type": "fish_qwen3_omni"}')  # the language model's: same
    with pytest.raises(WeightsError, match="misshapen"):
        load_codec(weights, device="cpu")
    given = load_codec(weights, device="cpu", config=config)
    shutil.copy(GOLDEN / "config.json", tmp_path / "codec.json")
    assert same(given, load_codec(weights, device="cpu"), codes)
    (tmp_path / "codec.json").write_text("{}")
    with pytest.raises(ConfigError, match="lacks encoder"):
        load_codec(weights, device="cpu")
    (tmp_path / "codec.json").write_text("{")
    with pytest.raises(ConfigError, match=r"codec\.json"):
        load_codec(weights, device="cpu")


def test_dtype_and_device_names_are_checked():
    with pytest.raises(ConfigError, match="dtype"):
        load_codec(GOLDEN, device="cpu", dtype="float8")
    with pytest.raises(ConfigError, match="device"):
        load_codec(GOLDEN, device="toaster")
