"""Language-model folders <-> `DualAR`.

    load_dual_ar(DIR)           config.json, tokenizer.json, and model.safetensors (whole or sharded) or model.pth
    save_dual_ar(model, DIR)    the released S2 layout

Strict: weights that are missing, unexpected or misshapen, and a tokenizer that disagrees with the config, are errors.
Nothing is unpickled but tensors. Source: spec/lm.md 1, 2.
"""

from __future__ import annotations

import dataclasses
import json
import pickle
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from lungfish.checkpoint.atomic import write_atomically
from lungfish.checkpoint.devices import resolve_device, resolve_dtype
from lungfish.checkpoint.lm_keys import to_ours, to_s2, unwrap_flat
from lungfish.checkpoint.strict import fill
from lungfish.errors import CheckpointError, ConfigError, TokenizerError, WeightsError
from lungfish.lm.config import UNKNOWN_ID, DualARConfig
from lungfish.lm.model import DualAR
from lungfish.text.tokenizer import Tokenizer

CONFIG, WEIGHTS, PICKLED = "config.json", "model.safetensors", "model.pth"
INDEX = WEIGHTS + ".index.json"
END_TOKEN = "<|im_end|>"
MAX_SHARD_BYTES = 5_000_000_000


def load_dual_ar(
    directory: str | Path, device: str | torch.device = "auto", dtype: str | torch.dtype = "auto"
) -> DualAR:
    """Load a language model for inference.

    Args:
        directory: a checkpoint folder of either layout.
        device, dtype: see `lungfish.checkpoint.devices`.

    Returns:
        The model in eval mode.

    Raises:
        CheckpointError: not a checkpoint folder.
        ConfigError: a config that does not describe a Dual-AR, or a device that is not there.
        TokenizerError: absent, damaged, or at odds with the config.
        WeightsError: damaged, missing, unexpected or misshapen tensors.
    """
    target = resolve_device(device)
    kind = resolve_dtype(dtype, target)
    folder = Path(directory)
    config = agree(read_config(folder), Tokenizer.load(folder))
    with torch.device("meta"):
        model = DualAR(config)
    where, stored = read_tensors(folder)
    fill(model, to_ours(stored), where)
    return model.to(device=target, dtype=kind).requires_grad_(False).eval()


def read_config(folder: Path) -> DualARConfig:
    """The config of a checkpoint folder, token ids as it states them.

    Raises:
        CheckpointError: no such folder, or no config in it.
        ConfigError: not the config of a Dual-AR.
    """
    if not folder.is_dir():
        raise CheckpointError(f"{folder}: no such model folder")
    try:
        raw = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise CheckpointError(f"{folder}: not a model folder, it has no {CONFIG}") from error
    except (OSError, ValueError) as error:
        raise ConfigError(f"{folder / CONFIG}: not readable as JSON ({error})") from error
    if not isinstance(raw, dict):
        raise ConfigError(f"{folder / CONFIG}: must hold an object")
    return DualARConfig.from_dict(raw)


def agree(config: DualARConfig, tokenizer: Tokenizer) -> DualARConfig:
    """`config` with the token ids that it leaves open taken from the tokenizer.

    Raises:
        TokenizerError: the two disagree.
    """
    begin, end = tokenizer.semantic_range()
    stated = (config.semantic_begin_id, config.semantic_end_id)
    if stated not in ((0, 0), (begin, end)):
        raise TokenizerError(
            f"tokenizer and config disagree: semantic tokens are {begin}..{end} in tokenizer.json, "
            f"{stated[0]}..{stated[1]} in {CONFIG}"
        )
    im_end = tokenizer.token_id(END_TOKEN)
    if config.im_end_id not in (UNKNOWN_ID, im_end):
        raise TokenizerError(
            f"tokenizer and config disagree: {END_TOKEN} is {im_end} in tokenizer.json, "
            f"eos_token_id is {config.im_end_id} in {CONFIG}"
        )
    if tokenizer.size > config.vocab_size:
        raise TokenizerError(
            f"tokenizer and config disagree: tokenizer.json has ids up to {tokenizer.size - 1}, "
            f"vocab_size is {config.vocab_size} in {CONFIG}"
        )
    if end - begin + 1 > config.codebook_size:
        raise TokenizerError(
            f"tokenizer and config disagree: {end - begin + 1} semantic tokens in tokenizer.json, "
            f"codebooks of {config.codebook_size} in {CONFIG}"
        )
    return dataclasses.replace(config, semantic_begin_id=begin, semantic_end_id=end, im_end_id=im_end)


def read_tensors(folder: Path) -> tuple[str, dict[str, Tensor]]:
    """File name and tensors, as stored: the sharded index first, then the single file, then the pickled one.

    Raises:
        CheckpointError: no weights in the folder.
        WeightsError: a shard is missing, or a file is damaged.
    """
    if (folder / INDEX).is_file():
        merged: dict[str, Tensor] = {}
        for shard in _shards(folder / INDEX):
            merged |= _read_safetensors(folder / shard)
        return INDEX, merged
    if (folder / WEIGHTS).is_file():
        return WEIGHTS, _read_safetensors(folder / WEIGHTS)
    if (folder / PICKLED).is_file():
        return PICKLED, _read_pickled(folder / PICKLED)
    raise CheckpointError(f"{folder}: has no weights ({INDEX}, {WEIGHTS} or {PICKLED})")


def save_dual_ar(
    model: DualAR,
    directory: str | Path,
    dtype: torch.dtype | None = None,
    *,
    max_shard_bytes: int = MAX_SHARD_BYTES,
) -> Path:
    """Write `config.json` and `model.safetensors` (with an index where there are several). The tokenizer is not touched.

    Args:
        model: any Dual-AR.
        directory: made if absent. Each file is replaced whole or not at all.
        dtype: on disk; the model's own when absent.
        max_shard_bytes: larger models are cut into files of at most this size, tensors whole.

    Raises:
        OutputError: the folder or a file cannot be written.
    """
    folder = Path(directory)
    kind = dtype or model.dtype
    tensors = {
        to_s2(name): tensor.detach().to("cpu", kind, copy=True).contiguous()
        for name, tensor in model.state_dict().items()
    }
    shards = _cut(tensors, max_shard_bytes)
    several = len(shards) > 1
    weight_map: dict[str, str] = {}
    for number, shard in enumerate(shards, 1):
        name = f"model-{number:05}-of-{len(shards):05}.safetensors" if several else WEIGHTS
        write_atomically(folder / name, lambda part, shard=shard: save_file(shard, part, metadata={"format": "pt"}))
        weight_map |= dict.fromkeys(shard, name)
    if several:
        total = sum(tensor.nbytes for tensor in tensors.values())
        _write_json(folder / INDEX, {"metadata": {"total_size": total}, "weight_map": weight_map})
    else:
        (folder / INDEX).unlink(missing_ok=True)  # an older index would win over the new file
    dtype_name = str(kind).removeprefix("torch.")
    _write_json(folder / CONFIG, {"dtype": dtype_name, **model.config.to_dict()})
    return folder


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    text = json.dumps(content, indent=1) + "\n"
    write_atomically(path, lambda part: part.write_text(text, encoding="utf-8"))


def _cut(tensors: Mapping[str, Tensor], limit: int) -> list[dict[str, Tensor]]:
    shards: list[dict[str, Tensor]] = [{}]
    used = 0
    for name in sorted(tensors):
        size = tensors[name].nbytes
        if shards[-1] and used + size > limit:
            shards.append({})
            used = 0
        shards[-1][name] = tensors[name]
        used += size
    return shards


def _shards(index: Path) -> list[str]:
    try:
        files = sorted(set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise WeightsError(f"{index.name}: not a weight index ({error})") from error
    for name in files:
        if not isinstance(name, str) or Path(name).name != name:
            raise WeightsError(f"{index.name}: names a file outside of the folder: {name}")
        if not (index.parent / name).is_file():
            raise WeightsError(f"{index.parent}: shard {name} is missing, fetch it again")
    return files


def _read_safetensors(path: Path) -> dict[str, Tensor]:
    try:
        return load_file(path)
    except (SafetensorError, OSError, ValueError) as error:
        raise WeightsError(f"{path.name}: damaged, fetch it again ({error})") from error


def _read_pickled(path: Path) -> dict[str, Tensor]:
    if not zipfile.is_zipfile(path):
        raise WeightsError(f"{path.name}: damaged or only half downloaded, fetch it again")
    try:
        raw = torch.load(path, map_location="cpu", weights_only=True, mmap=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError, ValueError, KeyError, OSError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise WeightsError(f"{path.name}: cannot be read as tensors ({reason})") from error
    return unwrap_flat(raw, path.name)
