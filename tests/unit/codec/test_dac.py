from pathlib import Path

import numpy as np
import pytest
import torch

from lungfish.checkpoint.codec import load_codec
from lungfish.codec.dac import ModifiedDAC, code_lengths
from lungfish.codec.protocol import Codec
from lungfish.errors import AudioError, CodesError

GOLDEN = Path(__file__).parents[2] / "golden" / "codec"


@pytest.fixture(scope="module")
def codec() -> ModifiedDAC:
    loaded = load_codec(GOLDEN, device="cpu")
    assert isinstance(loaded, ModifiedDAC)
    return loaded


@pytest.fixture(scope="module")
def waveform() -> torch.Tensor:
    with np.load(GOLDEN / "io.npz") as arrays:
        return torch.from_numpy(arrays["waveform_in"])[None, None]


def test_is_a_codec(codec):
    assert isinstance(codec, Codec)
    assert codec.hop_length == 2048
    assert codec.frame_rate == pytest.approx(21.5332, abs=1e-4)
    assert codec.num_codebooks == len(codec.codebook_sizes) == 10


@pytest.mark.parametrize(("samples", "frames"), [(1, 1), (2047, 1), (2048, 1), (2049, 2), (4096, 2)])
def test_encode_length_rule(codec, samples, frames):
    codes, lengths = codec.encode(torch.randn(1, 1, samples))
    assert codes.shape == (1, 10, frames)
    assert codes.dtype == lengths.dtype == torch.int64
    assert lengths.tolist() == [frames]
    assert codec.decode(codes).shape == (1, 1, 2048 * frames)


def test_code_lengths_are_exact_where_float32_is_not():
    lengths = torch.tensor([0, 1, 2048, 33_554_432, 33_554_433])
    assert code_lengths(lengths, 2048).tolist() == [0, 1, 1, 16384, 16385]


def test_without_lengths_every_clip_gets_its_own(codec):
    assert codec.encode(torch.randn(3, 1, 3000))[1].tolist() == [2, 2, 2]


def test_future_samples_leave_past_codes_alone(codec, waveform):
    whole = codec.latents(waveform[..., : 12 * 2048])
    for frame in (1, 5, 11):
        changed = waveform[..., : 12 * 2048].clone()
        changed[..., frame * 2048 :] = torch.randn(changed.shape[-1] - frame * 2048)
        latents = codec.latents(changed)
        assert torch.equal(latents[..., :frame], whole[..., :frame])
        assert (latents[..., frame] - whole[..., frame]).abs().max() > 1e-3


def test_the_last_sample_of_a_frame_matters(codec, waveform):
    changed = waveform[..., : 4 * 2048].clone()
    changed[..., 3 * 2048 - 1] += 1
    difference = codec.latents(changed) - codec.latents(waveform[..., : 4 * 2048])
    assert difference[..., :2].abs().max() == 0
    assert difference[..., 2].abs().max() > 0


def test_future_codes_leave_past_samples_alone(codec):
    torch.manual_seed(5)
    codes = torch.randint(0, 1024, (1, 10, 24))
    before = codec.decode(codes)
    for frame in (1, 5, 20):
        changed = codes.clone()
        changed[..., frame:] = torch.randint(0, 1024, (1, 10, 24 - frame))
        after = codec.decode(changed)
        assert torch.equal(before[..., : frame * 2048], after[..., : frame * 2048])
        assert before[0, 0, frame * 2048] != after[0, 0, frame * 2048]


def test_a_batch_equals_its_clips_alone(codec, waveform):
    lengths = torch.tensor([30_000, 9_000, 20_480])
    batch = torch.zeros(3, 1, 30_000)
    for row, length in enumerate(lengths.tolist()):
        batch[row, 0, :length] = waveform[0, 0, row * 7000 : row * 7000 + length]
    codes, frames = codec.encode(batch, lengths)
    assert frames.tolist() == [15, 5, 10]
    for row, (length, count) in enumerate(zip(lengths.tolist(), frames.tolist(), strict=True)):
        alone, _ = codec.encode(batch[row : row + 1, :, :length])
        assert torch.equal(codes[row : row + 1, :, :count], alone)
    together = codec.decode(codes)
    for row in range(3):
        torch.testing.assert_close(together[row : row + 1], codec.decode(codes[row : row + 1]), atol=2e-4, rtol=0)


def test_n_quantizers_limits_residual_books_only(codec, waveform):
    clip = waveform[..., :20_000]
    everything, _ = codec.encode(clip)
    for count in (1, 4, 9):
        assert torch.equal(codec.encode(clip, n_quantizers=count)[0], everything[:, : 1 + count])
    for count in (0, 10, -1):
        with pytest.raises(CodesError, match=r"1\.\.9"):
            codec.encode(clip, n_quantizers=count)


def test_fewer_rows_decode(codec):
    codes = torch.randint(0, 1024, (1, 10, 3))
    assert not torch.equal(codec.decode(codes[:, :1]), codec.decode(codes[:, :4]))


def test_callers_tensors_are_left_alone(codec, waveform):
    given = waveform[..., :5000].clone()
    codec.encode(given)
    assert torch.equal(given, waveform[..., :5000])
    codes = torch.full((1, 10, 2), 5000)
    codec.decode(codes, clamp=True)
    assert torch.equal(codes, torch.full((1, 10, 2), 5000))


def test_clamping_takes_the_last_entry_and_only_on_request(codec):
    codes = torch.full((1, 10, 2), 1023)
    codes[:, 0] = 4095
    beyond = codes + 7
    assert torch.equal(codec.decode(beyond, clamp=True), codec.decode(codes))
    with pytest.raises(CodesError, match="book 0 reach 4102, but it has 4096"):
        codec.decode(beyond)
    codes[:, 6, 1] = 1024
    with pytest.raises(CodesError, match="book 6 reach 1024"):
        codec.decode(codes)


@pytest.mark.parametrize("clamp", [False, True])
def test_negative_codes_are_refused(codec, clamp):
    with pytest.raises(CodesError, match="negative"):
        codec.decode(torch.full((1, 10, 2), -1), clamp=clamp)


@pytest.mark.parametrize(
    "codes",
    [
        torch.zeros(10, 3, dtype=torch.long),
        torch.zeros(1, 11, 3, dtype=torch.long),
        torch.zeros(1, 0, 3, dtype=torch.long),
        torch.zeros(1, 10, 0, dtype=torch.long),
        torch.zeros(1, 10, 3),
    ],
)
def test_misshapen_codes_are_refused(codec, codes):
    with pytest.raises(CodesError):
        codec.decode(codes)


def test_int32_codes_will_do(codec):
    codes = torch.randint(0, 1024, (1, 10, 3))
    assert torch.equal(codec.decode(codes.int()), codec.decode(codes))


@pytest.mark.parametrize("shape", [(5000,), (1, 5000), (1, 2, 5000), (1, 1, 0)])
def test_misshapen_waveforms_are_refused(codec, shape):
    with pytest.raises(AudioError):
        codec.encode(torch.zeros(shape))


@pytest.mark.parametrize("lengths", [torch.tensor([5000]), torch.tensor([5000, 5001]), torch.tensor([-1, 5000])])
def test_lengths_that_do_not_fit_are_refused(codec, lengths):
    with pytest.raises(AudioError):
        codec.encode(torch.zeros(2, 1, 5000), lengths)


def test_bfloat16_weights_give_a_float32_waveform(waveform):
    codec = load_codec(GOLDEN, device="cpu", dtype="bfloat16")
    codes, _ = codec.encode(waveform[..., :8192])
    decoded = codec.decode(codes)
    assert decoded.dtype == torch.float32
    assert decoded.isfinite().all()
