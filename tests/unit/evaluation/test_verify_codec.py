import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from lungfish.checkpoint.codec import save_codec
from lungfish.codec import windowed_transformer
from lungfish.codec.spectral import SpectralCodec, SpectralCodecConfig
from lungfish.errors import CheckpointError
from lungfish.evaluation.verify_codec import verify_codec
from lungfish.nn import convnext, norms, rope

GOLDEN = Path(__file__).parents[2] / "golden" / "codec"


def failed(bundle: Path = GOLDEN) -> set[str]:
    return {stage.name for stage in verify_codec(bundle) if not stage.passed}


def test_the_ladder_notices_a_wrong_window(monkeypatch):
    right = windowed_transformer.banded_attention
    monkeypatch.setattr(windowed_transformer, "banded_attention", lambda q, k, v, w: right(q, k, v, w + 1))
    assert {"encoder_transformer_out", "latent", "post_transformer_out", "waveform_out"} <= failed()


def test_the_ladder_notices_an_unrounded_rope_table(monkeypatch):
    def unrounded(positions, head_dim, base):
        angles = positions.double()[:, None] * base ** (-torch.arange(0, head_dim, 2).double() / head_dim)
        return torch.stack((angles.cos(), angles.sin()), dim=-1).float()

    assert rope.rope_table is windowed_transformer.rope_table
    monkeypatch.setattr(windowed_transformer, "rope_table", unrounded)
    found = failed()
    assert {"latent", "post_transformer_out", "upsample_out"} <= found
    assert "codes from latent" not in found


def test_the_ladder_notices_an_approximate_gelu(monkeypatch):
    exact = convnext.nn.functional.gelu
    monkeypatch.setattr(convnext.nn.functional, "gelu", lambda x: exact(x, approximate="tanh"))
    assert {"downsample_out", "upsample_out"} <= failed()


def test_the_ladder_notices_another_norm_epsilon(monkeypatch):
    forward = norms.RMSNorm.forward

    def other(self, x):
        self.eps = 1e-6
        return forward(self, x)

    monkeypatch.setattr(norms.RMSNorm, "forward", other)
    assert failed()


def test_a_missing_or_damaged_part_of_a_bundle_is_named(tmp_path):
    for name in ("config.json", "codec.safetensors", "io.npz"):
        shutil.copy(GOLDEN / name, tmp_path)
    with pytest.raises(CheckpointError, match=r"intermediates\.npz"):
        verify_codec(tmp_path)
    (tmp_path / "intermediates.npz").write_bytes(b"PK\x03\x04 and so on")
    with pytest.raises(CheckpointError, match="damaged"):
        verify_codec(tmp_path)
    np.savez(tmp_path / "intermediates.npz", latent=np.zeros(1))
    with pytest.raises(CheckpointError, match=r"lacks .*encoder_out"):
        verify_codec(tmp_path)
    (tmp_path / "codec.safetensors").unlink()
    with pytest.raises(CheckpointError, match="neither"):
        verify_codec(tmp_path)


def test_a_codec_of_another_kind_has_no_bundle(tmp_path):
    for name in ("io.npz", "intermediates.npz"):
        shutil.copy(GOLDEN / name, tmp_path)
    save_codec(SpectralCodec(SpectralCodecConfig(dim=16, ffn_dim=16, code_ffn_dim=16)), tmp_path)
    with pytest.raises(CheckpointError, match="modified DAC"):
        verify_codec(tmp_path)
