"""What is in a checkpoint, and what the loaders would say of it, from the headers of its files alone.

Headers become tensors on the meta device (a type and a shape without memory); these go through the very functions that the
loaders use for names, weight norm and wrappers, and are compared with an empty model of the config. So what is listed here
is what loading would refuse. What is merely unlike a released checkpoint is listed apart (checkpoint/expectation.py).
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

import torch
from torch import Tensor, nn

from lungfish.checkpoint.codec import CONFIG_FILES, WEIGHT_FILES
from lungfish.checkpoint.codec_keys import drop_saved_tables, fold_weight_norm, unwrap
from lungfish.checkpoint.expectation import Facts, differences, find_expectation
from lungfish.checkpoint.headers import TensorInfo, read_safetensors_header
from lungfish.checkpoint.lm import CONFIG, agree
from lungfish.checkpoint.lm_keys import to_ours, unwrap_flat
from lungfish.checkpoint.source import Source
from lungfish.checkpoint.tensor_files import INDEX, PICKLED, WEIGHTS
from lungfish.checkpoint.token_table import TokenTable, read_token_table
from lungfish.checkpoint.torch_zip import StoredTensor, read_torch_zip
from lungfish.codec.config import MODIFIED_DAC, CodecConfig
from lungfish.codec.dac import ModifiedDAC
from lungfish.codec.spectral_config import SpectralCodecConfig
from lungfish.codec.windowed_transformer import WindowedTransformer
from lungfish.errors import CheckpointError, ConfigError, WeightsError
from lungfish.lm.config import DualARConfig
from lungfish.lm.config_json import states_prompt_style
from lungfish.lm.model import DualAR
from lungfish.text.tiktoken_files import RANKS_FILE
from lungfish.text.tokenizer import TOKENIZER_FILE

Kind = Literal["s2", "flat", "modified_dac", "spectral", "adapter", "unknown"]
KIND_NAMES: dict[str, str] = {
    "s2": "language model, S2 layout",
    "flat": "language model, flat layout (S1)",
    "modified_dac": "modified DAC codec",
    "spectral": "spectral codec",
    "adapter": "adapter",
    "unknown": "unknown",
}
_LANGUAGE_MODELS = ("s2", "flat")
_SHARD = re.compile(r".*-\d+-of-\d+\.safetensors")
_TABLES = ("causal_mask", "freqs_cis", "k_cache", "v_cache")
_PARTS = ("embeddings", "codebook_embeddings", "slow", "head", "fast", "encoder", "quantizer", "decoder", "other")
_FLAT_MARKS = ("codebook_embeddings.weight", "fast_output.weight", "fast_embeddings.weight")


@dataclass
class Part:
    """One model of a checkpoint: its language model, its codec, or something else.

    Attributes:
        kind: what it is.
        file: name of its weights, or of their index.
        stored: names of the tensors as they are in the file, saved tables included, on the meta device.
        parameters: numbers of parameters by part; what nobody knows counts as "other".
        tables: saved tables (masks, rotary tables, caches) by name.
        token_ids: of the config and of the tokenizer, as far as they are named.
        config: of the model; None where it could not be read.
        faults: what would not load, by the kind of fault.
        expectation: name of the expectation file, and how the part differs from it.
        notes: what could not be checked.
    """

    kind: Kind
    file: str
    stored: dict[str, Tensor] = field(default_factory=dict)
    parameters: dict[str, int] = field(default_factory=dict)
    tables: dict[str, Tensor] = field(default_factory=dict)
    token_ids: dict[str, int] = field(default_factory=dict)
    config: DualARConfig | CodecConfig | SpectralCodecConfig | None = None
    faults: dict[str, list[str]] = field(default_factory=dict)
    expectation: str | None = None
    differences: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def format(self) -> str:
        return "safetensors" if self.file.endswith((".safetensors", INDEX)) else "torch"

    @property
    def dtypes(self) -> dict[str, int]:
        """Parameters per type, saved tables left out."""
        counts: Counter[str] = Counter()
        for name, tensor in self.stored.items():
            if name not in self.tables:
                counts[str(tensor.dtype).removeprefix("torch.")] += tensor.numel()
        return dict(counts.most_common())

    @property
    def total(self) -> int:
        """Parameters as stored: weight-normed pairs count as two, saved tables not at all."""
        return sum(tensor.numel() for name, tensor in self.stored.items() if name not in self.tables)

    @property
    def nbytes(self) -> int:
        """Of the parameters, as stored."""
        return sum(tensor.nbytes for name, tensor in self.stored.items() if name not in self.tables)

    def complain(self, kind: str, what: Iterable[str]) -> None:
        found = sorted(what)
        if found:
            self.faults.setdefault(kind, []).extend(found)


@dataclass
class Inspection:
    """All parts of a checkpoint, and what is wrong between them."""

    source: Source
    parts: list[Part]
    faults: list[str] = field(default_factory=list)

    @property
    def loads(self) -> bool:
        return not self.faults and not any(part.faults for part in self.parts)

    @property
    def language_model(self) -> Part | None:
        return next((part for part in self.parts if part.kind in _LANGUAGE_MODELS), None)

    @property
    def codec(self) -> Part | None:
        return next((part for part in self.parts if part.kind in ("modified_dac", "spectral")), None)


def inspect_checkpoint(source: Source, expect: str | None = None) -> Inspection:
    """Look at everything that `source` points to.

    Args:
        source: a whole checkpoint, or one file of it.
        expect: the expectation file to compare with, by stem; else the one that fits, if any.

    Raises:
        CheckpointError: nothing in there is weights, or the only weights cannot be read.
        ConfigError: no such expectation file.
    """
    files = [source.focus] if source.focus is not None else _weight_files(source)
    if not files:
        raise CheckpointError(f"{source.label}: has no weights ({WEIGHTS}, {PICKLED}, {' or '.join(WEIGHT_FILES)})")
    parts, failure = [], None
    for file in files:
        try:
            parts.append(_part(source, file))
        except CheckpointError as error:
            failure = error
            parts.append(Part("unknown", file, faults={"unreadable": [str(error)]}))
    if failure is not None and len(files) == 1:
        raise failure
    result = Inspection(source, parts)
    for part in parts:
        _compare(part, source, expect)
    if source.focus is None:
        _together(result)
    return result


# --- files ----------------------------------------------------------------------------------------------------------


def _weight_files(source: Source) -> list[str]:
    """The file (or index) of the language model and that of the codec, in the loaders' order of preference."""
    language_model = source.first((INDEX, WEIGHTS, PICKLED))
    codec = source.first(WEIGHT_FILES)
    adapter = source.first(("adapter_model.safetensors", "adapter.safetensors"))
    return [name for name in (language_model, codec, adapter) if name is not None]


def _read(source: Source, name: str) -> dict[str, Any]:
    """The content of a weights file or of an index: names -> meta tensors, for torch files with wrappers still on."""
    if name.endswith(".index.json"):
        merged: dict[str, Any] = {}
        for shard in _shards(source, name):
            merged |= _read(source, shard)
        return merged
    file = source.file(name)
    if file is None:
        raise CheckpointError(f"{source.label}: has no {name}")
    if file.size == 0:
        raise WeightsError(f"{name}: is empty, fetch it again")
    if name.endswith(".safetensors"):
        return {key: _meta(info) for key, info in read_safetensors_header(file).items()}
    found = _described(read_torch_zip(file))
    if not isinstance(found, dict):
        raise WeightsError(f"{name}: holds a {type(found).__name__}, not named tensors")
    inner = found.get("state_dict")
    return found | {"state_dict": _described(inner)} if isinstance(inner, dict) else found


def _described(value: Any) -> Any:
    """Tensors of a table as meta tensors."""
    if not isinstance(value, dict):
        return value
    return {key: _meta(item.info) if isinstance(item, StoredTensor) else item for key, item in value.items()}


def _meta(info: TensorInfo) -> Tensor:
    return torch.empty(info.shape, dtype=getattr(torch, info.dtype), device="meta")


def _shards(source: Source, index: str) -> list[str]:
    weight_map = _json(source, index).get("weight_map")
    if not isinstance(weight_map, Mapping) or not weight_map:
        raise WeightsError(f"{index}: not a weight index (it has no weight_map)")
    names = sorted({str(name) for name in weight_map.values()})
    for name in names:
        if "/" in name or "\\" in name or name in ("", ".", ".."):
            raise WeightsError(f"{index}: names a file outside of the folder: {name}")
        if not source.has(name):
            raise WeightsError(f"{source.label}: shard {name} is missing, fetch it again")
    return names


def _json(source: Source, name: str) -> dict[str, Any]:
    try:
        found = json.loads(source.read(name) or b"")
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{name}: not readable as JSON ({error})") from error
    if not isinstance(found, dict):
        raise ConfigError(f"{name}: must hold an object")
    return found


# --- parts ----------------------------------------------------------------------------------------------------------


def _part(source: Source, file: str) -> Part:
    raw = _read(source, file)
    kind = _kind(raw)
    part = Part(kind, file)
    torch_file = part.format == "torch"
    if kind in _LANGUAGE_MODELS:
        part.stored = unwrap_flat(raw, file) if torch_file else raw
        _inspect_language_model(part, source)
    elif kind in ("modified_dac", "spectral"):
        part.stored = unwrap(raw, file) if torch_file else raw
        _inspect_codec(part, source)
    else:
        inner = raw.get("state_dict", raw)
        part.stored = {str(name): value for name, value in inner.items() if isinstance(value, Tensor)}
        part.parameters = {"other": sum(tensor.numel() for tensor in part.stored.values())}
        part.complain("not loadable", [f"{KIND_NAMES[kind]}: nothing here loads such a file"])
    return part


def _kind(raw: Mapping[str, Any]) -> Kind:
    inner = raw.get("state_dict", raw)
    names = {str(name).removeprefix("generator.").removeprefix("model.") for name in inner}
    if any(".lora_" in name or "lora_A" in name or "lora_B" in name for name in names):
        return "adapter"
    if any(name.startswith(("text_model.", "audio_decoder.")) for name in {str(name) for name in inner}):
        return "s2"
    if names.intersection(_FLAT_MARKS):
        return "flat"
    if any(name.startswith("quantizer.") for name in names):
        return "modified_dac"
    if any(name.startswith("books.") for name in names):
        return "spectral"
    return "unknown"


def _inspect_language_model(part: Part, source: Source) -> None:
    part.tables = _saved_tables(part.stored)
    ours = to_ours(part.stored)
    part.parameters = _count(ours, _language_model_part, part.total)
    if not source.has(CONFIG):
        part.notes.append(f"no {CONFIG} beside it, so names and shapes are not compared")
        return
    try:
        raw = _json(source, CONFIG)
        config = DualARConfig.from_dict(raw)
    except ConfigError as error:
        part.complain("config", [str(error)])
        return
    tiktoken = source.has(RANKS_FILE) and not source.has(TOKENIZER_FILE)
    if raw["model_type"] == "dual_ar" and tiktoken and not states_prompt_style(raw):  # as checkpoint/lm.py has it
        config = dataclasses.replace(config, prompt_style="interleave")
    part.config = config
    _inspect_tokens(part, config, source)
    with torch.device("meta"):
        model = DualAR(config)
    shard = _SHARD.fullmatch(part.file) is not None
    if shard:
        part.notes.append("one shard of several, so names that are missing are not listed")
    _fit(part, model, ours, missing=not shard)


def _inspect_tokens(part: Part, config: DualARConfig, source: Source) -> None:
    stated = {
        "semantic_begin_id": config.semantic_begin_id,
        "semantic_end_id": config.semantic_end_id,
        "im_end_id": config.im_end_id,
        "pad_id": config.pad_id,
    }
    part.token_ids = stated
    try:
        table = read_token_table(source)
        if table is None and source.focus is None:
            part.complain("tokenizer", ["the checkpoint has no tokenizer"])
        if table is None:
            return
        part.token_ids = stated | _named(table)
        agreed = agree(config, cast(Any, table))
        part.token_ids |= {name: getattr(agreed, name) for name in stated}
    except (CheckpointError, ConfigError) as error:
        part.complain("tokenizer", [str(error)])


def _named(table: TokenTable) -> dict[str, int]:
    """Control tokens, the semantic ones by their ends only."""
    semantic = [name for name in table.added if name.startswith("<|semantic:")]
    ends = {semantic[0], semantic[-1]} if semantic else set()
    return {name: id_ for name, id_ in table.added.items() if name not in semantic or name in ends}


def _inspect_codec(part: Part, source: Source) -> None:
    part.tables = _saved_tables(part.stored)
    part.parameters = _count(part.stored, _codec_part, part.total)
    try:
        model = _codec_model(part, source)
    except ConfigError as error:
        part.complain("config", [str(error)])
        return
    part.config = model.config  # type: ignore[assignment]
    state = dict(part.stored)
    if isinstance(model, ModifiedDAC):
        transformers = [name for name, module in model.named_modules() if isinstance(module, WindowedTransformer)]
        try:
            state = drop_saved_tables(fold_weight_norm(state, part.file), transformers)
        except WeightsError as error:
            part.complain("weight norm", [str(error)])
    _fit(part, model, state)


def _codec_model(part: Part, source: Source) -> nn.Module:
    for name in CONFIG_FILES:
        if not source.has(name):
            continue
        raw = _json(source, name)
        describes_codec = raw.get("type") in (MODIFIED_DAC, "spectral") or {"encoder", "quantizer"} <= set(raw)
        if name == CONFIG_FILES[0] or describes_codec:
            break
    else:
        raw = CodecConfig.s2().to_dict()
        part.notes.append("no config of its own, so the released size is assumed")
    if raw.get("type") == "spectral":
        from lungfish.codec.spectral import SpectralCodec

        return SpectralCodec(SpectralCodecConfig.from_dict(raw))
    with torch.device("meta"):
        return ModifiedDAC(CodecConfig.from_dict(raw))


def _fit(part: Part, model: nn.Module, state: Mapping[str, Tensor], *, missing: bool = True) -> None:
    """List what keeps `state` from filling `model`; the strict check of loading, without its brevity."""
    wanted = model.state_dict()
    both = wanted.keys() & state.keys()
    part.complain("missing", wanted.keys() - state.keys() if missing else ())
    part.complain("unexpected", state.keys() - wanted.keys())
    misshapen = [name for name in both if state[name].shape != wanted[name].shape]
    part.complain("misshapen", [f"{n} is {list(state[n].shape)}, not {list(wanted[n].shape)}" for n in misshapen])
    integers = [name for name in both if not state[name].is_floating_point()]
    part.complain("not floating point", [f"{name} is {str(state[name].dtype)[6:]}" for name in integers])


def _saved_tables(stored: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name: tensor for name, tensor in stored.items() if name.rpartition(".")[2] in _TABLES}


def _count(tensors: Mapping[str, Tensor], part_of: Callable[[str], str], total: int) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for name, tensor in tensors.items():
        if name.rpartition(".")[2] not in _TABLES:
            counts[part_of(name)] += tensor.numel()
    left = total - sum(counts.values())
    return {part: counts[part] for part in _PARTS if part in counts} | ({"not used": left} if left > 0 else {})


def _language_model_part(name: str) -> str:
    for part, prefix in (
        ("embeddings", "slow.embeddings."),
        ("codebook_embeddings", "slow.codebook_embeddings."),
        ("head", "slow.output."),
        ("slow", "slow."),
        ("fast", "fast."),
    ):
        if name.startswith(prefix):
            return part
    return "other"


def _codec_part(name: str) -> str:
    head = name.partition(".")[0]
    return {"books": "quantizer"}.get(head, head if head in ("encoder", "quantizer", "decoder") else "other")


# --- whole ----------------------------------------------------------------------------------------------------------


def _compare(part: Part, source: Source, expect: str | None) -> None:
    try:
        table = read_token_table(source) if part.kind in _LANGUAGE_MODELS and source.focus is None else None
    except CheckpointError:
        table = None  # already among the faults
    tables: dict[str, dict[str, int]] = {}
    for name, tensor in part.tables.items():
        entry = tables.setdefault(name.rpartition(".")[2], {"count": 0, "bytes": 0})
        entry["count"] += 1
        entry["bytes"] += tensor.nbytes
    facts = Facts(
        kind=part.kind,
        format=part.format,
        config=part.config,
        tensors=len(part.stored),
        parameters=part.parameters | {"total": part.total},
        dtypes=part.dtypes,
        tables=tables,
        tokens=None if table is None else table.added,
    )
    expected = find_expectation(facts, source.label, expect)
    if expected is not None:
        part.expectation, part.differences = expected["name"], differences(facts, expected)


def _together(result: Inspection) -> None:
    """What is wrong although every part is in order."""
    language_model, codec = result.language_model, result.codec
    if language_model is None:
        return
    if codec is None:
        if not any(part.file in WEIGHT_FILES for part in result.parts):
            result.faults.append(f"there is no codec ({' or '.join(WEIGHT_FILES)}), so it cannot speak")
        return
    config, codec_config = language_model.config, codec.config
    if isinstance(config, DualARConfig) and isinstance(codec_config, CodecConfig | SpectralCodecConfig):
        sizes = list(codec_config.codebook_sizes)
        codes = config.semantic_end_id - config.semantic_begin_id + 1 if config.semantic_end_id else sizes[0]
        if len(sizes) != config.expected_codec_books or codes != sizes[0]:
            result.faults.append(
                f"the codec has {len(sizes)} codebooks, the first of {sizes[0]} entries; "
                f"the language model wants {config.expected_codec_books}, the first of {codes}"
            )
