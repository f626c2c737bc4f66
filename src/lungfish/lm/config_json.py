"""The two `config.json` spellings of a Dual-AR model, translated to and from our names.

Plain dictionaries only; `lungfish.lm.config` checks what comes out. Source: spec/lm.md 1.2, 1.3, with its quirks: head_dim
is 64 where the S2 form leaves it out, and most keys of audio_decoder_config have no say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lungfish.errors import ConfigError

# ours -> theirs
_ID_KEYS = {
    "im_end_id": "eos_token_id",
    "pad_id": "pad_token_id",
    "semantic_begin_id": "semantic_start_token_id",
    "semantic_end_id": "semantic_end_token_id",
}
_TEXT_KEYS = {
    "vocab_size": "vocab_size",
    "num_layers": "n_layer",
    "num_heads": "n_head",
    "num_kv_heads": "n_local_heads",
    "head_dim": "head_dim",
    "dim": "dim",
    "ffn_dim": "intermediate_size",
    "rope_base": "rope_base",
    "norm_eps": "norm_eps",
    "max_seq_len": "max_seq_len",
    "dropout": "dropout",
    "tie_word_embeddings": "tie_word_embeddings",
    "qkv_bias": "attention_qkv_bias",
    "o_bias": "attention_o_bias",
    "qk_norm": "attention_qk_norm",
    "initializer_range": "initializer_range",
}
_AUDIO_KEYS = {
    "codebook_size": "vocab_size",
    "num_codebooks": "num_codebooks",
    "fast_num_layers": "n_layer",
    "fast_dim": "dim",
    "fast_num_heads": "n_head",
    "fast_num_kv_heads": "n_local_heads",
    "fast_head_dim": "head_dim",
    "fast_ffn_dim": "intermediate_size",
    "fast_qkv_bias": "attention_qkv_bias",
    "fast_o_bias": "attention_o_bias",
    "fast_qk_norm": "attention_qk_norm",
}
_FLAT_KEYS = _TEXT_KEYS | {
    "codebook_size": "codebook_size",
    "num_codebooks": "num_codebooks",
    "semantic_begin_id": "semantic_begin_id",
    "semantic_end_id": "semantic_end_id",
    "scale_codebook_embeddings": "scale_codebook_embeddings",
    "norm_fast_input": "norm_fastlayer_input",
}
_FLAT_FAST_KEYS = {
    "fast_num_layers": "n_fast_layer",
    "fast_dim": "fast_dim",
    "fast_num_heads": "fast_n_head",
    "fast_num_kv_heads": "fast_n_local_heads",
    "fast_head_dim": "fast_head_dim",
    "fast_ffn_dim": "fast_intermediate_size",
    "fast_qkv_bias": "fast_attention_qkv_bias",
    "fast_o_bias": "fast_attention_o_bias",
    "fast_qk_norm": "fast_attention_qk_norm",
}
_FLAT_DEFAULTS: dict[str, Any] = {
    "vocab_size": 32_000,
    "num_layers": 32,
    "num_heads": 32,
    "dim": 4096,
    "codebook_size": 160,
    "num_codebooks": 4,
    "scale_codebook_embeddings": False,
    "norm_fast_input": False,
}
_OWN_KEYS = (
    "prompt_style",
    "audio_start",
    "symbol_stride",
    "voices",
    "codec_codebooks",
    "scale_codebook_embeddings",
    "norm_fast_input",
)
_FAST_LIKE_SLOW = ("dim", "num_heads", "num_kv_heads", "head_dim", "ffn_dim", "qkv_bias", "o_bias", "qk_norm")


def _take(raw: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, Any]:
    """Values present and not null, under our names."""
    return {ours: raw[theirs] for ours, theirs in keys.items() if raw.get(theirs) is not None}


def _take_block(
    raw: Mapping[str, Any], name: str, keys: Mapping[str, str], required: tuple[str, ...]
) -> dict[str, Any]:
    block = raw.get(name)
    if not isinstance(block, Mapping):
        raise ConfigError(f"config.json: {name} is missing or is not an object")
    values = _take(block, keys)
    missing = [keys[ours] for ours in required if ours not in values]
    if missing:
        raise ConfigError(f"config.json: {name} lacks {', '.join(missing)}")
    return values


def read_s2(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a `DualARConfig` from the S2 form (`fish_qwen3_omni`).

    Raises:
        ConfigError: a required key is absent.
    """
    slow = _take_block(raw, "text_config", _TEXT_KEYS, ("vocab_size", "num_layers", "num_heads", "dim"))
    needed = ("codebook_size", "num_codebooks", "fast_num_layers")
    fast = _take_block(raw, "audio_decoder_config", _AUDIO_KEYS, needed)
    return _complete({**slow, **_take(raw, _ID_KEYS), **_own(raw)}, fast)


def read_flat(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a `DualARConfig` from the flat form (`dual_ar`)."""
    slow = _FLAT_DEFAULTS | _take(raw, _FLAT_KEYS) | _own(raw)
    if "head_dim" in raw and raw["head_dim"] is None:
        _whole(slow, "dim", "num_heads")
        slow["head_dim"] = slow["dim"] // slow["num_heads"]
    return _complete(slow, {"fast_num_layers": 4, **_take(raw, _FLAT_FAST_KEYS)})


def states_prompt_style(raw: Mapping[str, Any]) -> bool:
    """Whether a `config.json` says how its model is prompted."""
    return "prompt_style" in _own(raw)


def _own(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Our own properties, in either form."""
    block = raw.get("lungfish")
    return (
        {name: block[name] for name in _OWN_KEYS if block.get(name) is not None} if isinstance(block, Mapping) else {}
    )


def _whole(values: Mapping[str, Any], *names: str) -> None:
    for name in names:
        if not isinstance(values[name], int) or values[name] < 1:
            raise ConfigError(f"config.json: {name} must be an integer of at least 1, got {values[name]!r}")


def _complete(slow: dict[str, Any], fast: dict[str, Any]) -> dict[str, Any]:
    """Resolve defaults that depend on other values; 0 counts as absent for the fast sizes, -1 for KV heads."""
    slow = {"head_dim": 64, "num_kv_heads": -1, "qkv_bias": False, "o_bias": False, "qk_norm": False, **slow}
    if slow["num_kv_heads"] == -1:
        slow["num_kv_heads"] = slow["num_heads"]
    _whole(slow, "dim", "num_heads")
    slow.setdefault("ffn_dim", -(-int(2 * 4 * slow["dim"] / 3) // 256) * 256)
    for name in _FAST_LIKE_SLOW:
        value = fast.get(f"fast_{name}")
        if value is None or (value == 0 and not isinstance(value, bool)):
            fast[f"fast_{name}"] = slow[name]
    if fast["fast_num_kv_heads"] == -1:
        fast["fast_num_kv_heads"] = fast["fast_num_heads"]
    return slow | fast


def write_s2(config: Any) -> dict[str, Any]:
    """The S2 form of a `DualARConfig`, plus a `lungfish` block for what S2 readers take as given or do not know."""
    text = {theirs: getattr(config, ours) for ours, theirs in _TEXT_KEYS.items()}
    audio = {theirs: getattr(config, ours) for ours, theirs in _AUDIO_KEYS.items()}
    audio |= {"rope_base": config.rope_base, "norm_eps": config.norm_eps, "max_seq_len": config.num_codebooks + 1}
    own = {name: getattr(config, name) for name in _OWN_KEYS}
    return {
        "model_type": "fish_qwen3_omni",
        **{theirs: getattr(config, ours) for ours, theirs in _ID_KEYS.items()},
        "text_config": {"model_type": "fish_qwen3", "use_moe": False, **text},
        "audio_decoder_config": {
            "model_type": "fish_qwen3_audio_decoder",
            "text_dim": config.dim,
            "tie_word_embeddings": False,
            **audio,
        },
        "lungfish": own | {"voices": list(config.voices)},
    }
