"""The two config forms, their defaults and traps."""

import json

import pytest

from lungfish.errors import ConfigError
from lungfish.lm.config import DualARConfig
from tests.toy_lm import small_config


def s2(**changes):
    """A minimal S2 config; a value of ... removes a key, dotted keys reach into blocks."""
    raw = {
        "model_type": "fish_qwen3_omni",
        "text_config": {"vocab_size": 600, "n_layer": 2, "n_head": 4, "dim": 48},
        "audio_decoder_config": {"vocab_size": 64, "num_codebooks": 3, "n_layer": 1},
    }
    for key, value in changes.items():
        block, _, name = key.rpartition("__")
        target = raw[block] if block else raw
        if value is ...:
            del target[name]
        else:
            target[name] = value
    return raw


def test_s2_defaults():
    config = DualARConfig.from_dict(s2())
    assert (config.num_kv_heads, config.head_dim) == (4, 64)  # not dim / heads
    assert (config.rope_base, config.norm_eps, config.max_seq_len) == (10_000, 1e-5, 2048)
    assert config.ffn_dim == 256  # 2 * 4 * 48 / 3 rounded up
    assert config.tie_word_embeddings
    assert config.scale_codebook_embeddings
    assert config.norm_fast_input
    assert (config.codebook_size, config.num_codebooks) == (64, 3)
    assert (config.fast_dim, config.fast_num_heads, config.fast_num_kv_heads, config.fast_head_dim) == (48, 4, 4, 64)
    assert config.prompt_style == "chat"


def test_the_fast_stack_takes_rope_and_eps_from_the_text_config():
    raw = s2(text_config__rope_base=1e6, text_config__norm_eps=1e-6, audio_decoder_config__rope_base=5.0)
    config = DualARConfig.from_dict(raw)
    assert (config.fast_shape.rope_base, config.fast_shape.norm_eps) == (1e6, 1e-6)
    assert config.fast_shape.num_layers == 1


def test_an_explicit_false_of_the_fast_stack_is_respected():
    on = s2(text_config__attention_qk_norm=True)
    assert DualARConfig.from_dict(on).fast_qk_norm
    assert not DualARConfig.from_dict(
        on | {"audio_decoder_config": {**on["audio_decoder_config"], "attention_qk_norm": False}}
    ).fast_qk_norm


def test_zero_and_null_sizes_of_the_fast_stack_mean_the_slow_one():
    raw = s2(audio_decoder_config__dim=0, audio_decoder_config__head_dim=None, audio_decoder_config__n_local_heads=-1)
    config = DualARConfig.from_dict(raw)
    assert (config.fast_dim, config.fast_head_dim, config.fast_num_kv_heads) == (48, 64, 4)


def test_flat_defaults():
    config = DualARConfig.from_dict({"model_type": "dual_ar", "dim": 64, "n_head": 4, "n_layer": 1, "vocab_size": 200})
    assert (config.codebook_size, config.num_codebooks, config.fast_num_layers) == (160, 4, 4)
    assert not config.scale_codebook_embeddings
    assert not config.norm_fast_input
    assert config.head_dim == 64
    null = {"model_type": "dual_ar", "dim": 64, "n_head": 4, "n_layer": 1, "vocab_size": 200, "head_dim": None}
    assert DualARConfig.from_dict(null).head_dim == 16


def test_own_properties_survive_the_s2_form():
    config = small_config(
        prompt_style="phonemes",
        audio_start=50,
        voices=("coral", "marlin"),
        scale_codebook_embeddings=False,
        norm_fast_input=False,
        tie_word_embeddings=False,
        dropout=0.1,
    )
    raw = json.loads(json.dumps(config.to_dict()))
    assert raw["model_type"] == "fish_qwen3_omni"
    assert raw["text_config"]["n_local_heads"] == 2
    assert DualARConfig.from_dict(raw) == config


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ({}, "model_type None"),
        ({"model_type": "naive"}, "model_type 'naive'"),
        (s2(text_config=...), "text_config is missing"),
        (s2(audio_decoder_config=3), "audio_decoder_config is missing or is not an object"),
        (s2(text_config__n_layer=..., text_config__dim=None), "text_config lacks n_layer, dim"),
        (s2(audio_decoder_config__num_codebooks=...), "lacks num_codebooks"),
        (s2(text_config__dim="wide"), "dim must be an integer"),
        (s2(text_config__dim=0), "dim must be an integer of at least 1"),
        (s2(text_config__ffn_dim=0, text_config__head_dim=0), "head_dim must be at least 1"),
        (s2(lungfish={"voices": "coral"}), "voices must be a list"),
        (s2(lungfish={"voices": [1]}), "voices must be a list"),
        (s2(lungfish={"audio_start": "late"}), "audio_start must be an integer"),
        (s2(text_config__n_local_heads=3), "not a multiple of 3"),
        (s2(text_config__head_dim=5), "head_dim must be even"),
        (s2(text_config__dropout=1.0), "dropout"),
        (s2(text_config__rope_base="far"), "rope_base must be a number"),
        (s2(text_config__tie_word_embeddings=1), "tie_word_embeddings must be true or false"),
        (s2(semantic_start_token_id=590, semantic_end_token_id=653), "do not lie in a vocabulary of 600"),
        (s2(eos_token_id=600), "im_end id 600"),
        (s2(lungfish={"prompt_style": "poem"}), "prompt_style must be one of"),
        (s2(lungfish={"prompt_style": "phonemes"}), "needs audio_start"),
        (s2(lungfish={"prompt_style": "phonemes", "audio_start": 4096}), "needs audio_start"),
    ],
)
def test_what_no_model_can_be_built_from_is_refused(raw, says):
    with pytest.raises(ConfigError) as caught:
        DualARConfig.from_dict(raw)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
