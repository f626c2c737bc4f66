"""Geometry and token ids of a Dual-AR model, and the two `config.json` spellings that they are read from.

`from_dict` reads the S2 form (`fish_qwen3_omni`) and the flat form (`dual_ar`); `to_dict` writes the S2 form with a
`lungfish` block for what that form cannot say. Invariant: a `DualARConfig` that exists is consistent.
Source: spec/lm.md 1.2, 1.3.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from lungfish.errors import ConfigError
from lungfish.lm.config_json import read_flat, read_s2, write_s2

PromptStyle = Literal["chat", "interleave", "phonemes"]
PROMPT_STYLES: tuple[PromptStyle, ...] = ("chat", "interleave", "phonemes")
UNKNOWN_ID = -1


@dataclass(frozen=True)
class StackShape:
    """What one stack of transformer blocks needs to know; the slow and the fast stack are built from it alike.

    Attributes:
        rounds_steps: attention rounds to the model's type after each of its steps, see lm/block.py.
    """

    dim: int
    num_layers: int
    num_heads: int
    num_kv_heads: int
    head_dim: int
    ffn_dim: int
    qkv_bias: bool
    o_bias: bool
    qk_norm: bool
    rope_base: float
    norm_eps: float
    dropout: float
    rounds_steps: bool = False


@dataclass(frozen=True)
class DualARConfig:
    """Every property of a Dual-AR model. Nothing is derived from anything else: head_dim is not dim / num_heads.

    Attributes:
        codebook_size: entries per codebook (C); also the stride between codebooks in the embedding table.
        num_codebooks: codes per frame (K).
        semantic_begin_id, semantic_end_id: first and last token id of the semantic codes, inclusive.
        scale_codebook_embeddings: divide the embedding of semantic positions by sqrt(K + 1).
        norm_fast_input: hand the hidden state to the fast stack after the final norm (S2) or before it (S1).
        im_end_id: token that ends an utterance; UNKNOWN_ID until a tokenizer tells.
        dropout: on the residual branches, in training only.
        initializer_range: standard deviation of fresh weights.
        prompt_style: how text becomes a prompt, see lm/prompt.py.
        audio_start: position of `<|audio_start|>` in the "phonemes" style.
        symbol_stride: positions that one token of text takes in the "phonemes" style: frames per symbol of ordinary speech,
            so that text and audio advance at the same pace and an aligned head keeps an almost constant rotary offset.
        voices: names of the checkpoint's own voices, in the "phonemes" style.
        codec_codebooks: books of the checkpoint's codec where the model speaks only the first K of them: a small model whose
            codec carries other voices in more books than it could learn to write. None: as many as the model.

    Raises:
        ConfigError: values that no model can be built from.
    """

    vocab_size: int
    dim: int
    num_layers: int
    num_heads: int
    num_kv_heads: int
    head_dim: int
    ffn_dim: int
    codebook_size: int
    num_codebooks: int
    fast_dim: int
    fast_num_layers: int
    fast_num_heads: int
    fast_num_kv_heads: int
    fast_head_dim: int
    fast_ffn_dim: int
    rope_base: float = 10_000.0
    norm_eps: float = 1e-5
    max_seq_len: int = 2048
    dropout: float = 0.0
    tie_word_embeddings: bool = True
    qkv_bias: bool = False
    o_bias: bool = False
    qk_norm: bool = False
    fast_qkv_bias: bool = False
    fast_o_bias: bool = False
    fast_qk_norm: bool = False
    semantic_begin_id: int = 0
    semantic_end_id: int = 0
    scale_codebook_embeddings: bool = True
    norm_fast_input: bool = True
    im_end_id: int = UNKNOWN_ID
    pad_id: int = 0
    initializer_range: float = 0.02
    prompt_style: PromptStyle = "chat"
    audio_start: int | None = None
    symbol_stride: float = 1.0
    voices: tuple[str, ...] = ()
    codec_codebooks: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.voices, list | tuple) or not all(isinstance(name, str) for name in self.voices):
            raise ConfigError(f"model config: voices must be a list of names, got {self.voices!r}")
        object.__setattr__(self, "voices", tuple(self.voices))
        _check(self)

    @property
    def expected_codec_books(self) -> int:
        """Books that the codec beside this model must have."""
        return self.num_codebooks if self.codec_codebooks is None else self.codec_codebooks

    @property
    def slow_shape(self) -> StackShape:
        """The time-axis stack."""
        return StackShape(**{name: getattr(self, name) for name in _STACK_FIELDS})

    @property
    def fast_shape(self) -> StackShape:
        """The depth-axis stack. It shares rope base and norm epsilon with the slow one (spec/lm.md 1.2)."""
        values = {name: getattr(self, f"fast_{name}", getattr(self, name)) for name in _STACK_FIELDS}
        return StackShape(**values, rounds_steps=True)

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> DualARConfig:
        """Read a `config.json` of either form.

        Raises:
            ConfigError: unknown form, a required key is absent, or values that do not fit together.
        """
        kind = raw.get("model_type")
        if kind == "fish_qwen3_omni":
            return cls(**read_s2(raw))
        if kind == "dual_ar":
            return cls(**read_flat(raw))
        raise ConfigError(f"config.json: model_type {kind!r} is not supported, expected fish_qwen3_omni or dual_ar")

    def to_dict(self) -> dict[str, Any]:
        """The S2 form, plus a `lungfish` block for what S2 readers take as given or do not know."""
        return write_s2(self)


_STACK_FIELDS = tuple(field.name for field in dataclasses.fields(StackShape) if field.name != "rounds_steps")
_SIZES = ("vocab_size", "codebook_size", "num_codebooks", "max_seq_len")


def _check(config: DualARConfig) -> None:
    for field in dataclasses.fields(config):
        _check_type(field.name, str(field.type), getattr(config, field.name))
    for prefix in ("", "fast_"):
        heads, kv_heads = getattr(config, f"{prefix}num_heads"), getattr(config, f"{prefix}num_kv_heads")
        if heads % kv_heads:
            raise ConfigError(f"model config: {prefix}num_heads {heads} is not a multiple of {kv_heads} KV heads")
        if getattr(config, f"{prefix}head_dim") % 2:
            raise ConfigError(f"model config: {prefix}head_dim must be even for rotary positions")
    if config.prompt_style not in PROMPT_STYLES:
        raise ConfigError(f"model config: prompt_style must be one of {', '.join(PROMPT_STYLES)}")
    if config.prompt_style == "phonemes" and not 0 < (config.audio_start or 0) < config.max_seq_len:
        raise ConfigError("model config: the phonemes prompt style needs audio_start between 1 and max_seq_len - 1")
    if config.codec_codebooks is not None and not config.num_codebooks <= config.codec_codebooks:
        raise ConfigError(
            f"model config: codec_codebooks {config.codec_codebooks} is less than the {config.num_codebooks} codebooks that"
            " the model speaks"
        )
    if config.symbol_stride < 1:
        raise ConfigError(f"model config: symbol_stride must be at least 1, got {config.symbol_stride}")
    if not 0 <= config.dropout < 1:
        raise ConfigError(f"model config: dropout must be in [0, 1), got {config.dropout}")
    if not 0 <= config.semantic_begin_id <= config.semantic_end_id < config.vocab_size:
        span = f"{config.semantic_begin_id}..{config.semantic_end_id}"
        raise ConfigError(f"model config: semantic ids {span} do not lie in a vocabulary of {config.vocab_size}")
    if not UNKNOWN_ID <= config.im_end_id < config.vocab_size:
        raise ConfigError(f"model config: im_end id {config.im_end_id} is outside of {config.vocab_size} tokens")


def _check_type(name: str, kind: str, value: Any) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    optional = name in ("audio_start", "codec_codebooks") and value is not None
    if (kind == "int" or optional) and not (number and isinstance(value, int)):
        raise ConfigError(f"model config: {name} must be an integer, got {value!r}")
    if kind == "float" and not number:
        raise ConfigError(f"model config: {name} must be a number, got {value!r}")
    if kind == "bool" and not isinstance(value, bool):
        raise ConfigError(f"model config: {name} must be true or false, got {value!r}")
    sized = name in _SIZES or name.endswith(("dim", "layers", "heads"))
    if sized and value is not None and value < 1:
        raise ConfigError(f"model config: {name} must be at least 1, got {value}")
