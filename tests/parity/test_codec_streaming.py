"""Codecs in steps against the whole utterance: any chunking, within the tolerances of the golden bundle."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from lungfish.checkpoint.codec import WEIGHT_FILES, load_codec
from lungfish.codec.protocol import Codec
from lungfish.voices import library
from tests.toy import toy_codec

GOLDEN = Path(__file__).parents[1] / "golden" / "codec"
GOLDEN_WAVEFORM, SPECTRAL_WAVEFORM = 2e-4, 1e-5
FRAMES = 37  # of the golden utterance


def decode(codec: Codec, codes: Tensor, cuts: list[int]) -> Tensor:
    """Decode in steps that end at `cuts`."""
    state, bounds = codec.new_decode_state(codes.shape[0]), sorted({0, *cuts, codes.shape[-1]})
    parts = [codec.decode_step(codes[..., start:stop], state) for start, stop in pairwise(bounds)]
    return torch.cat([*parts, codec.decode_flush(state)], dim=-1)


def encode(codec: Codec, waveform: Tensor, cuts: list[int]) -> Tensor:
    """Encode in steps that end at `cuts`, some of which may bring nothing."""
    state, bounds = codec.new_encode_state(waveform.shape[0]), sorted([0, *cuts, waveform.shape[-1]])
    parts = [codec.encode_step(waveform[..., start:stop], state) for start, stop in pairwise(bounds)]
    return torch.cat([*parts, codec.encode_flush(state)], dim=-1)


@pytest.fixture(scope="module")
def golden() -> Codec:
    return load_codec(GOLDEN, device="cpu")


@pytest.fixture(scope="module")
def io() -> dict[str, Tensor]:
    with np.load(GOLDEN / "io.npz") as arrays:
        return {name: torch.from_numpy(arrays[name]) for name in ("waveform_in", "codes", "waveform_out")}


@pytest.fixture(scope="module")
def spectral() -> Codec:
    return toy_codec()


@pytest.mark.parametrize("size", [1, 3, 8, 20, FRAMES])
def test_golden_decode_in_equal_steps(golden, io, size):
    waveform = decode(golden, io["codes"], list(range(size, FRAMES, size)))
    torch.testing.assert_close(waveform, io["waveform_out"], atol=GOLDEN_WAVEFORM, rtol=0)


@settings(deadline=None, max_examples=6)
@given(cuts=st.lists(st.integers(1, FRAMES - 1), max_size=8))
def test_golden_decode_in_any_steps(golden, io, cuts):
    waveform = decode(golden, io["codes"], cuts)
    torch.testing.assert_close(waveform, io["waveform_out"], atol=GOLDEN_WAVEFORM, rtol=0)


@pytest.mark.parametrize("size", [2048, 4 * 2048, 441, 74_970])
def test_golden_encode_in_equal_steps(golden, io, size):
    waveform = io["waveform_in"].reshape(1, 1, -1)
    codes = encode(golden, waveform, list(range(size, waveform.shape[-1], size)))
    assert torch.equal(codes, io["codes"])


@settings(deadline=None, max_examples=6)
@given(cuts=st.lists(st.integers(0, 74_970), max_size=8))
def test_golden_encode_in_any_steps(golden, io, cuts):
    assert torch.equal(encode(golden, io["waveform_in"].reshape(1, 1, -1), cuts), io["codes"])


@settings(deadline=None, max_examples=25)
@given(
    cuts=st.lists(st.integers(1, 39), max_size=12),
    frames=st.integers(1, 40),
    books=st.integers(1, 4),
    batch=st.integers(1, 2),
)
def test_spectral_decode_in_any_steps(spectral, cuts, frames, books, batch):
    codes = torch.randint(0, 32, (batch, books, frames), generator=torch.Generator().manual_seed(3))
    waveform = decode(spectral, codes, [cut for cut in cuts if cut < frames])
    torch.testing.assert_close(waveform, spectral.decode(codes), atol=SPECTRAL_WAVEFORM, rtol=0)


@settings(deadline=None, max_examples=25)
@given(cuts=st.lists(st.integers(0, 5000), max_size=12), samples=st.integers(1, 5000))
def test_spectral_encode_in_any_steps(spectral, cuts, samples):
    waveform = torch.randn(1, 1, 5000, generator=torch.Generator().manual_seed(4))[..., :samples] * 0.1
    codes = encode(spectral, waveform, [min(cut, samples) for cut in cuts])
    assert torch.equal(codes, spectral.encode(waveform)[0])


def test_spectral_first_step_is_three_hops_short(spectral):
    codes, state = torch.randint(0, 32, (1, 4, 5)), spectral.new_decode_state()
    hop = spectral.hop_length // 4
    lengths = [spectral.decode_step(codes[..., at : at + 1], state).shape[-1] for at in range(5)]
    assert lengths == [hop, *[4 * hop] * 4]
    assert spectral.decode_flush(state).shape[-1] == 3 * hop


def test_modified_dac_holds_nothing_back(golden, io):
    state = golden.new_decode_state()
    assert golden.decode_step(io["codes"][..., :2], state).shape == (1, 1, 2 * 2048)
    assert golden.decode_flush(state).shape == (1, 1, 0)


def test_the_bundled_codec():
    bundled = Path(library.__file__).parent / "bundled"
    if not any((bundled / name).is_file() for name in WEIGHT_FILES):
        pytest.skip("this checkout has no bundled voice")
    codec = load_codec(bundled, device="cpu")
    generator = torch.Generator().manual_seed(5)
    codes = torch.stack([torch.randint(0, size, (1, 50), generator=generator) for size in codec.codebook_sizes], dim=1)
    whole = codec.decode(codes)
    for size in (1, 7, 25):
        waveform = decode(codec, codes, list(range(size, 50, size)))
        torch.testing.assert_close(waveform, whole, atol=SPECTRAL_WAVEFORM, rtol=0)
    for size in (codec.hop_length, 441):
        assert torch.equal(
            encode(codec, whole, list(range(size, whole.shape[-1], size))),
            codec.encode(whole)[0],
        )
