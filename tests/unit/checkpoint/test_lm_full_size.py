"""Released language models at full size, on the meta device: no weights, but every name, shape and number."""

from __future__ import annotations

from typing import Any

import torch

from lungfish.checkpoint.lm_keys import sources, to_s2
from lungfish.lm.config import DualARConfig
from lungfish.lm.model import DualAR
from tests.released import S2_PRO

S1_MINI: dict[str, Any] = {
    "model_type": "dual_ar",
    "vocab_size": 155776,
    "n_layer": 28,
    "n_head": 16,
    "n_local_heads": 8,
    "head_dim": 128,
    "dim": 1024,
    "intermediate_size": 3072,
    "attention_qk_norm": True,
    "attention_qkv_bias": False,
    "attention_o_bias": False,
    "rope_base": 1000000,
    "norm_eps": 1e-6,
    "max_seq_len": 8192,
    "codebook_size": 4096,
    "num_codebooks": 10,
    "scale_codebook_embeddings": True,
    "tie_word_embeddings": False,
    "n_fast_layer": 4,
    "fast_dim": 1024,
    "fast_n_head": 16,
    "fast_n_local_heads": 8,
    "fast_head_dim": 64,
    "fast_intermediate_size": 3072,
    "fast_attention_qk_norm": False,
    "fast_attention_qkv_bias": False,
    "initializer_range": 0.03125,
}


def shapes(raw: dict[str, Any]) -> dict[str, list[int]]:
    with torch.device("meta"):
        model = DualAR(DualARConfig.from_dict(raw))
    return {name: list(tensor.shape) for name, tensor in model.state_dict().items()}


def total(found: dict[str, list[int]], prefix: str = "") -> int:
    return sum(torch.Size(shape).numel() for name, shape in found.items() if name.startswith(prefix))


def test_s2_pro() -> None:
    found = shapes(S2_PRO)
    assert (len(found), total(found)) == (358, 4_561_852_416)
    table = total(found, "slow.codebook_embeddings.")
    assert (total(found, "slow.") - table, table, total(found, "fast.")) == (4_032_298_496, 104_857_600, 424_696_320)
    assert [sum(name.startswith(part) for name in found) for part in ("slow.", "fast.")] == [327, 31]
    released = {to_s2(name): shape for name, shape in found.items()}
    assert sources(released) == {name: (to_s2(name),) for name in found}
    assert released["text_model.model.embeddings.weight"] == [155776, 2560]
    assert released["text_model.model.layers.35.attention.wqkv.weight"] == [(32 + 2 * 8) * 128, 2560]
    assert released["text_model.model.layers.0.attention.q_norm.weight"] == [128]
    assert released["audio_decoder.codebook_embeddings.weight"] == [40960, 2560]
    assert released["audio_decoder.layers.3.feed_forward.w2.weight"] == [2560, 9728]
    assert released["audio_decoder.output.weight"] == [4096, 2560]
    config = DualARConfig.from_dict(S2_PRO)
    assert (config.semantic_begin_id, config.semantic_end_id, config.im_end_id) == (151678, 155773, 151645)
    assert (config.scale_codebook_embeddings, config.norm_fast_input, config.prompt_style) == (True, True, "chat")
    assert DualARConfig.from_dict(config.to_dict()) == config


def test_s1_mini() -> None:
    found = shapes(S1_MINI)
    assert [sum(name.startswith(part) for name in found) for part in ("slow.", "fast.")] == [28 * 9 + 4, 31]
    slow_layer = (32 * 128 + 2048) * 1024 + 2 * 128 + 3 * 3072 * 1024 + 2 * 1024
    fast_layer = (32 * 64 + 1024) * 1024 + 3 * 3072 * 1024 + 2 * 1024
    tables = (2 * 155776 + 40960 + 2 * 4096) * 1024
    assert total(found) == 28 * slow_layer + 4 * fast_layer + tables + 2 * 1024
    assert found["fast.layers.0.attention.wqkv.weight"] == [32 * 64, 1024]  # heads of 64, not of 128
    assert found["slow.output.weight"] == [155776, 1024]
    assert not any("project_in" in name for name in found)
    config = DualARConfig.from_dict(S1_MINI)
    assert (config.scale_codebook_embeddings, config.norm_fast_input) == (True, False)
