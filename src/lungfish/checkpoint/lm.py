"""Language-model folders <-> `DualAR`.

    load_dual_ar(DIR)           config.json, the tokenizer, and model.safetensors (whole or sharded) or model.pth
    save_dual_ar(model, DIR)    the released S2 layout

Strict: weights that are missing, unexpected or misshapen, and a tokenizer that disagrees with the config, are errors, told
before any weight is read. Nothing is unpickled but tensors. The model is built without memory and filled tensor by tensor.
Source: spec/lm.md 1, 2.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

from lungfish.checkpoint.atomic import write_atomically
from lungfish.checkpoint.devices import resolve_device, resolve_dtype
from lungfish.checkpoint.licence import carry_from_origin, mark_origin
from lungfish.checkpoint.lm_keys import join, sources, to_ours, to_s2
from lungfish.checkpoint.strict import assign, check_fit
from lungfish.checkpoint.tensor_files import INDEX, WEIGHTS, open_tensors
from lungfish.checkpoint.tensor_files import PICKLED as PICKLED
from lungfish.errors import CheckpointError, ConfigError, TokenizerError
from lungfish.lm.config import UNKNOWN_ID, DualARConfig
from lungfish.lm.config_json import states_prompt_style
from lungfish.lm.model import DualAR
from lungfish.text.tokenizer import Tokenizer, has_tiktoken

CONFIG = "config.json"
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
    files = open_tensors(folder)
    check_fit(model, to_ours(files.described), files.where)
    for name, stored in sources(files.described).items():
        tensor = join(name, [files.read(part) for part in stored])
        assign(model, name, tensor.to(device=target, dtype=kind))
    mark_origin(model, folder)
    return model.eval()


def read_config(folder: Path) -> DualARConfig:
    """The config of a checkpoint folder, token ids as it states them.

    The prompt style is what its `lungfish` block says. Without one it is "chat", as the reference prompts them all today,
    but for what only the S1 runtime can read: flat configs with a tiktoken tokenizer, which are "interleave".

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
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"{folder / CONFIG}: not readable as JSON ({error})") from error
    if not isinstance(raw, dict):
        raise ConfigError(f"{folder / CONFIG}: must hold an object")
    config = DualARConfig.from_dict(raw)
    if raw["model_type"] == "dual_ar" and not states_prompt_style(raw) and has_tiktoken(folder):
        return dataclasses.replace(config, prompt_style="interleave")
    return config


def agree(config: DualARConfig, tokenizer: Tokenizer) -> DualARConfig:
    """`config` with the token ids that it leaves open taken from the tokenizer.

    Raises:
        TokenizerError: the two disagree.
    """
    begin, end = tokenizer.semantic_range()
    stated = (config.semantic_begin_id, config.semantic_end_id)
    if stated not in ((0, 0), (begin, end)):
        raise TokenizerError(
            f"tokenizer and config disagree: semantic tokens are {begin}..{end} in {tokenizer.where}, "
            f"{stated[0]}..{stated[1]} in {CONFIG}"
        )
    im_end = tokenizer.token_id(END_TOKEN)
    if config.im_end_id not in (UNKNOWN_ID, im_end):
        raise TokenizerError(
            f"tokenizer and config disagree: {END_TOKEN} is {im_end} in {tokenizer.where}, "
            f"eos_token_id is {config.im_end_id} in {CONFIG}"
        )
    if tokenizer.size > config.vocab_size:
        raise TokenizerError(
            f"tokenizer and config disagree: {tokenizer.where} has ids up to {tokenizer.size - 1}, "
            f"vocab_size is {config.vocab_size} in {CONFIG}"
        )
    if end - begin + 1 > config.codebook_size:
        raise TokenizerError(
            f"tokenizer and config disagree: {end - begin + 1} semantic tokens in {tokenizer.where}, "
            f"codebooks of {config.codebook_size} in {CONFIG}"
        )
    return dataclasses.replace(config, semantic_begin_id=begin, semantic_end_id=end, im_end_id=im_end)


def save_dual_ar(
    model: DualAR,
    directory: str | Path,
    dtype: torch.dtype | None = None,
    *,
    max_shard_bytes: int = MAX_SHARD_BYTES,
    changes: str = "saved again",
) -> Path:
    """Write `config.json` and `model.safetensors` (with an index where there are several). The tokenizer is not touched.

    A model that was loaded takes along the licence of where it came from (`lungfish.checkpoint.licence`).

    Args:
        model: any Dual-AR.
        directory: made if absent. Each file is replaced whole or not at all.
        dtype: on disk; the model's own when absent.
        max_shard_bytes: larger models are cut into files of at most this size, tensors whole.
        changes: for the NOTICE that an inherited licence asks for: what was changed and how.

    Raises:
        OutputError: the folder or a file cannot be written.
    """
    folder = Path(directory)
    kind = dtype or model.dtype
    tensors = {to_s2(name): tensor.detach() for name, tensor in model.state_dict().items()}
    sizes = {name: tensor.numel() * kind.itemsize for name, tensor in tensors.items()}
    shards = _cut(sizes, max_shard_bytes)
    several = len(shards) > 1
    weight_map: dict[str, str] = {}
    for number, shard in enumerate(shards, 1):
        name = f"model-{number:05}-of-{len(shards):05}.safetensors" if several else WEIGHTS
        content = {key: tensors[key].to("cpu", kind, copy=True).contiguous() for key in shard}
        write_atomically(folder / name, partial(save_file, content, metadata={"format": "pt"}))
        weight_map |= dict.fromkeys(shard, name)
    if several:
        _write_json(folder / INDEX, {"metadata": {"total_size": sum(sizes.values())}, "weight_map": weight_map})
    else:
        (folder / INDEX).unlink(missing_ok=True)  # an older index would win over the new file
    dtype_name = str(kind).removeprefix("torch.")
    _write_json(folder / CONFIG, {"dtype": dtype_name, **model.config.to_dict()})
    carry_from_origin(model, folder, f"{changes} (language model, {dtype_name})")
    return folder


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    text = json.dumps(content, indent=1) + "\n"
    write_atomically(path, lambda part: part.write_text(text, encoding="utf-8"))


def _cut(sizes: Mapping[str, int], limit: int) -> list[list[str]]:
    """Names in order, in as few lists as have at most `limit` bytes, or one tensor."""
    shards: list[list[str]] = [[]]
    used = 0
    for name in sorted(sizes):
        if shards[-1] and used + sizes[name] > limit:
            shards.append([])
            used = 0
        shards[-1].append(name)
        used += sizes[name]
    return shards
