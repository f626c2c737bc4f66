"""Published configs of released checkpoints, for what can be said of them on paper. Source: spec/lm.md 1.2, 1.3."""

from __future__ import annotations

from typing import Any

S2_PRO: dict[str, Any] = {
    "model_type": "fish_qwen3_omni",
    "dtype": "bfloat16",
    "eos_token_id": 151645,
    "pad_token_id": 151669,
    "audio_pad_token_id": 151677,
    "semantic_start_token_id": 151678,
    "semantic_end_token_id": 155773,
    "text_config": {
        "model_type": "fish_qwen3",
        "vocab_size": 155776,
        "n_layer": 36,
        "n_head": 32,
        "n_local_heads": 8,
        "head_dim": 128,
        "dim": 2560,
        "intermediate_size": 9728,
        "rope_base": 1000000,
        "norm_eps": 1e-6,
        "max_seq_len": 32768,
        "dropout": 0.0,
        "tie_word_embeddings": True,
        "attention_qkv_bias": False,
        "attention_o_bias": False,
        "attention_qk_norm": True,
        "use_moe": False,
    },
    "audio_decoder_config": {
        "model_type": "fish_qwen3_audio_decoder",
        "vocab_size": 4096,
        "num_codebooks": 10,
        "text_dim": 2560,
        "n_layer": 4,
        "dim": 2560,
        "n_head": 32,
        "n_local_heads": 8,
        "head_dim": 128,
        "intermediate_size": 9728,
        "rope_base": 1000000,
        "norm_eps": 1e-6,
        "max_seq_len": 11,
        "tie_word_embeddings": False,
        "attention_qkv_bias": False,
        "attention_o_bias": False,
        "attention_qk_norm": False,
    },
}
