"""The modified DAC against the golden bundle: our copy always, the shared one where it is."""

import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from lungfish.evaluation.parity import Stage
from lungfish.evaluation.verify_codec import verify_codec

GOLDEN = Path(__file__).parents[1] / "golden" / "codec"
PER_FILE = 27


def check(stages: list[Stage], files: int) -> None:
    assert len(stages) == len({stage.name for stage in stages}) == PER_FILE * files
    assert not [stage for stage in stages if not stage.passed]


def test_our_copy_in_both_containers(tmp_path):
    for name in ("config.json", "codec.safetensors", "io.npz", "intermediates.npz"):
        shutil.copy(GOLDEN / name, tmp_path)
    torch.save(load_file(GOLDEN / "codec.safetensors"), tmp_path / "codec.pth")  # released spelling, masks and all
    check(verify_codec(tmp_path), files=2)


def test_tolerances_are_the_specified_ones():
    tolerances = {stage.name: stage.tolerance for stage in verify_codec(GOLDEN)}
    assert tolerances["codes from waveform_in"] == tolerances["batch_codes.1"] == tolerances["codes_nq2"] == 0
    assert tolerances["latent from waveform_in"] == pytest.approx(3e-5)
    assert tolerances["post_transformer_out"] == tolerances["upsample_out"] == pytest.approx(1e-5)
    assert tolerances["waveform_out"] == tolerances["waveform_out_of_range"] == pytest.approx(2e-4)


def test_the_shared_bundle(shared):
    check(verify_codec(shared / "golden" / "codec"), files=2)


def test_our_copy_is_the_shared_bundle(shared):
    for path in GOLDEN.iterdir():
        assert path.read_bytes() == (shared / "golden" / "codec" / path.name).read_bytes()
