"""Codec files <-> codec models, both kinds.

    load_codec(DIR or FILE) -> Codec        codec.safetensors | codec.pth, plus codec.json | config.json beside it
    load_codec(..., part="decode")          without the encoding side: less than half of the modified DAC
    save_codec(codec, DIR)                  codec.safetensors (weight norm folded) and codec.json

Strict: weights that are missing, unexpected or misshapen are an error that lists them. Only tensors are unpickled.
Source: spec/codec.md 2.
"""

from __future__ import annotations

import json
import pickle
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from lungfish.checkpoint.atomic import write_atomically
from lungfish.checkpoint.codec_keys import drop_saved_tables, fold_weight_norm, is_encode_only, unwrap
from lungfish.checkpoint.devices import resolve_device
from lungfish.checkpoint.licence import carry_from_origin, mark_origin
from lungfish.codec.config import MODIFIED_DAC, CodecConfig
from lungfish.codec.dac import ModifiedDAC
from lungfish.codec.protocol import Codec
from lungfish.codec.spectral import SpectralCodec
from lungfish.codec.spectral_config import SpectralCodecConfig
from lungfish.codec.windowed_transformer import WindowedTransformer
from lungfish.errors import CheckpointError, ConfigError, PartError, WeightsError

WEIGHT_FILES = ("codec.safetensors", "codec.pth")
CONFIG_FILES = ("codec.json", "config.json")
_DTYPES = {"auto": torch.float32, "float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
_SPECTRAL = "spectral"
_LISTED = 3  # names per kind of mistake in an error


def load_codec(
    path: str | Path,
    device: str | torch.device = "auto",
    dtype: str | torch.dtype = "auto",
    config: Mapping[str, Any] | CodecConfig | None = None,
    part: Literal["all", "decode"] = "all",
) -> Codec:
    """Load a codec for inference.

    Args:
        path: a folder with codec.safetensors or codec.pth (the first wins), or such a file under any name.
        device: auto, cpu, cuda, mps, xpu, or a torch device.
        dtype: auto is float32 on every device, because codes of a coarser encoder differ; else bfloat16 or float16.
        config: geometry; else codec.json or a codec's config.json beside the weights; else the released full size.
        part: "decode" leaves out what serves encoding alone; such tensors of the file are neither read nor checked, and
            need not be there.

    Returns:
        `ModifiedDAC`, or `SpectralCodec` where the config's type says "spectral"; in eval mode.

    Raises:
        CheckpointError: no such file or folder.
        WeightsError: damaged file; tensors missing, unexpected or misshapen.
        ConfigError: a config that does not describe a codec, or a dtype, device or part that does not exist.
    """
    if part not in ("all", "decode"):
        raise ConfigError(f'part must be "all" or "decode", got {part!r}')
    target = resolve_device(device) if isinstance(device, str) else device
    if isinstance(dtype, str) and dtype not in _DTYPES:
        raise ConfigError(f"dtype must be one of {', '.join(_DTYPES)}, got {dtype}")
    kind = _DTYPES[dtype] if isinstance(dtype, str) else dtype
    weights = _weights_file(Path(path))
    model = _build(config if config is not None else _config_beside(weights))
    stored = read_codec_tensors(weights)
    if part == "decode":
        model.drop_encoder()
        stored = {name: tensor for name, tensor in stored.items() if not is_encode_only(name)}
    _fill(model, stored, weights.name)
    model.to(device=target, dtype=kind).eval()
    mark_origin(model, weights.parent)
    assert isinstance(model, Codec)
    return model


def save_codec(codec: Codec, directory: str | Path, dtype: torch.dtype | None = None) -> Path:
    """Write `codec.safetensors` (plain weights) and `codec.json`; each file is replaced whole or not at all.

    Args:
        codec: a `ModifiedDAC` or `SpectralCodec`.
        directory: made if absent.
        dtype: type on disk; the model's own when absent.

    Returns:
        Path of the weights.

    Raises:
        OutputError: the folder or a file cannot be written.
        PartError: loaded for decoding only; the file would be no codec.
    """
    assert isinstance(codec, nn.Module)
    if not codec.can_encode:
        raise PartError("a codec that was loaded for decoding only cannot be saved; load it whole")
    tensors = {name: tensor.detach().to("cpu", dtype).contiguous() for name, tensor in codec.state_dict().items()}
    config = json.dumps(codec.config.to_dict(), indent=1) + "\n"  # type: ignore[union-attr, operator]
    weights = Path(directory) / WEIGHT_FILES[0]
    write_atomically(weights, lambda part: save_file(tensors, part, metadata={"format": "pt"}))
    write_atomically(weights.with_name(CONFIG_FILES[0]), lambda part: part.write_text(config, encoding="utf-8"))
    carry_from_origin(codec, weights.parent, "saved again (codec, weight norm folded)")
    return weights


def read_codec_tensors(path: Path) -> dict[str, Tensor]:
    """Named tensors of a file as stored, wrappers off; memory-mapped where the format allows.

    Raises:
        WeightsError: damaged, or holding other things than tensors.
    """
    try:
        if path.suffix == ".safetensors":
            return load_file(path)
        if not zipfile.is_zipfile(path):
            raise WeightsError(f"{path.name}: not a torch zip checkpoint; damaged or only half downloaded?")
        raw = torch.load(path, map_location="cpu", weights_only=True, mmap=True)
    except (SafetensorError, pickle.UnpicklingError, RuntimeError, EOFError, ValueError, KeyError, OSError) as error:
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise WeightsError(f"{path.name}: cannot be read, fetch it again ({reason[0]})") from error
    if not isinstance(raw, Mapping):
        raise WeightsError(f"{path.name}: holds a {type(raw).__name__}, not named tensors")
    return unwrap(raw, path.name)


def _weights_file(path: Path) -> Path:
    if path.is_file():
        return path
    if not path.is_dir():
        raise CheckpointError(f"{path}: no such codec file or folder")
    for name in WEIGHT_FILES:
        if (path / name).is_file():
            return path / name
    raise CheckpointError(f"{path}: has neither {' nor '.join(WEIGHT_FILES)}")


def _config_beside(weights: Path) -> Mapping[str, Any] | CodecConfig:
    """The config in the weights' folder. A config.json that is no codec's (the language model's) does not count."""
    for name in CONFIG_FILES:
        path = weights.with_name(name)
        if not path.is_file():
            continue
        try:
            raw = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ConfigError(f"{name}: not readable as JSON ({error})") from error
        if not isinstance(raw, dict):
            raise ConfigError(f"{name}: must hold an object")
        describes_codec = raw.get("type") in (MODIFIED_DAC, _SPECTRAL) or {"encoder", "quantizer"} <= set(raw)
        if name == CONFIG_FILES[0] or describes_codec:
            return raw
    return CodecConfig.s2()


def _build(config: Mapping[str, Any] | CodecConfig) -> ModifiedDAC | SpectralCodec:
    """An empty model; the modified DAC, which has no buffers, without memory of its own."""
    if not isinstance(config, CodecConfig):
        if config.get("type") == _SPECTRAL:
            return SpectralCodec(SpectralCodecConfig.from_dict(dict(config)))
        config = CodecConfig.from_dict(config)
    with torch.device("meta"):
        return ModifiedDAC(config)


def _fill(model: nn.Module, stored: Mapping[str, Tensor], where: str) -> None:
    """Give the model its weights, or say what is wrong with them."""
    state = dict(stored)
    if isinstance(model, ModifiedDAC):
        transformers = [name for name, module in model.named_modules() if isinstance(module, WindowedTransformer)]
        state = drop_saved_tables(fold_weight_norm(state, where), transformers)
    wanted = model.state_dict()
    missing = sorted(set(wanted) - set(state))
    unexpected = sorted(set(state) - set(wanted))
    misshapen = [
        f"{name} is {list(state[name].shape)}, not {list(tensor.shape)}"
        for name, tensor in wanted.items()
        if name in state and state[name].shape != tensor.shape
    ]
    integers = [name for name in wanted if name in state and not state[name].is_floating_point()]
    kinds = {"missing": missing, "unexpected": unexpected, "misshapen": misshapen, "not floating point": integers}
    faults = [_listing(kind, found) for kind, found in kinds.items() if found]
    if faults:
        raise WeightsError(f"{where} does not fit its codec config: {'; '.join(faults)}")
    model.load_state_dict(state, assign=True)


def _listing(kind: str, found: list[str]) -> str:
    more = ", ..." if len(found) > _LISTED else ""
    return f"{len(found)} {kind} ({', '.join(found[:_LISTED])}{more})"
