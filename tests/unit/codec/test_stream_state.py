"""States of codec streams, on both codecs: constant, explicit, joined and parted, refused when they do not fit."""

import copy
from pathlib import Path

import pytest
import torch
from torch import Tensor

from lungfish.checkpoint.codec import load_codec
from lungfish.codec.protocol import Codec
from lungfish.codec.stream_state import join_states
from lungfish.errors import AudioError, CodesError, InputError, StreamError
from lungfish.nn.streaming import state_tensors
from tests.toy import toy_codec

GOLDEN = Path(__file__).parents[2] / "golden" / "codec"
TOLERANCE = 2e-4


@pytest.fixture(scope="module")
def golden() -> Codec:
    return load_codec(GOLDEN, device="cpu")


@pytest.fixture(scope="module", params=["golden", "spectral"])
def codec(request) -> Codec:
    return request.getfixturevalue("golden") if request.param == "golden" else toy_codec()


def codes_of(codec: Codec, frames: int, seed: int = 0, batch: int = 1) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(0, min(codec.codebook_sizes), (batch, codec.num_codebooks, frames), generator=generator)


def noise(codec: Codec, frames: int, seed: int = 0) -> Tensor:
    return torch.randn(1, 1, frames * codec.hop_length, generator=torch.Generator().manual_seed(seed)) * 0.1


def close(one: Tensor, other: Tensor) -> None:
    torch.testing.assert_close(one, other, atol=TOLERANCE, rtol=0)


def test_a_stream_keeps_as_much_after_10_frames_as_after_200(codec):
    decoding, encoding = codec.new_decode_state(), codec.new_encode_state()
    codes, waveform = codes_of(codec, 200), noise(codec, 200)
    sizes = []
    for start, stop in ((0, 10), (10, 11), (11, 100), (100, 200)):
        codec.decode_step(codes[..., start:stop], decoding)
        codec.encode_step(waveform[..., start * codec.hop_length : stop * codec.hop_length], encoding)
        sizes.append((decoding.num_bytes, encoding.num_bytes))
    assert len(set(sizes)) == 1
    for state in (decoding, encoding):
        tensors = (state.pending, *state_tensors(state.layers))
        assert state.num_bytes == sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def test_keys_and_values_are_window_minus_one_rows_from_the_start(golden):
    state = golden.new_decode_state()
    before = state.num_bytes
    for _ in range(3):
        golden.decode_step(codes_of(golden, 12), state)
    assert state.num_bytes == before
    rows = {tensor.shape[2] for tensor in state_tensors(state.layers) if tensor.dim() == 4}
    assert rows == {golden.config.quantizer_transformer.window - 1}  # type: ignore[attr-defined]


def test_two_streams_on_one_model_do_not_disturb_each_other(codec):
    one, other = codes_of(codec, 9, seed=1), codes_of(codec, 9, seed=2)
    states = codec.new_decode_state(), codec.new_decode_state()
    parts: list[list[Tensor]] = [[], []]
    for at in range(9):
        for codes, state, heard in zip((one, other), states, parts, strict=True):
            heard.append(codec.decode_step(codes[..., at : at + 1], state))
    for codes, state, heard in zip((one, other), states, parts, strict=True):
        close(torch.cat([*heard, codec.decode_flush(state)], dim=-1), codec.decode(codes))


def test_encoding_and_decoding_interleave_too(codec):
    waveform, codes = noise(codec, 6), codes_of(codec, 6)
    encoding, decoding, hop = codec.new_encode_state(), codec.new_decode_state(), codec.hop_length
    heard, found = [], []
    for at in range(6):
        found.append(codec.encode_step(waveform[..., at * hop : (at + 1) * hop], encoding))
        heard.append(codec.decode_step(codes[..., at : at + 1], decoding))
    assert torch.equal(torch.cat(found, dim=-1), codec.encode(waveform)[0])
    close(torch.cat([*heard, codec.decode_flush(decoding)], dim=-1), codec.decode(codes))


def test_callers_tensors_are_left_alone_and_not_kept(codec):
    codes, waveform = codes_of(codec, 3), noise(codec, 2)[..., :-7]
    states = codec.new_decode_state(), codec.new_encode_state()
    given = codes.clone(), waveform.clone()
    heard = codec.decode_step(codes, states[0])
    codec.encode_step(waveform, states[1])
    assert torch.equal(codes, given[0])
    assert torch.equal(waveform, given[1])
    kept = states[1].pending.clone()
    waveform.zero_()
    assert torch.equal(states[1].pending, kept)
    kept = states[0].pending.clone()
    heard.zero_()
    assert torch.equal(states[0].pending, kept)


def test_a_copy_is_a_branch(codec):
    codes, others = codes_of(codec, 6, seed=1), codes_of(codec, 6, seed=2)
    state = codec.new_decode_state()
    start = codec.decode_step(codes[..., :3], state)
    branch = copy.copy(state)
    codec.decode_step(others[..., 3:], branch)
    rest = codec.decode_step(codes[..., 3:], state)
    close(torch.cat([start, rest, codec.decode_flush(state)], dim=-1), codec.decode(codes))


@pytest.mark.parametrize("ahead", [1, 5, 20])
def test_streams_at_different_positions_share_a_batch(codec, ahead):
    one, other = codes_of(codec, ahead + 30, seed=1), codes_of(codec, 31, seed=2)
    states = codec.new_decode_state(), codec.new_decode_state()
    parts = [codec.decode_step(one[..., :ahead], states[0])], [codec.decode_step(other[..., :1], states[1])]
    joined = join_states(states)
    assert joined.batch == 2
    for at in (0, 3, 4, 24):
        size = {0: 3, 3: 1, 4: 20, 24: 6}[at]
        chunk = torch.cat((one[..., ahead + at :][..., :size], other[..., 1 + at :][..., :size]))
        heard = codec.decode_step(chunk, joined)
        for row, part in enumerate(parts):
            part.append(heard[row : row + 1])
    for row, (codes, part) in enumerate(zip((one, other), parts, strict=True)):
        part.append(codec.decode_flush(joined.select([row])))
        close(torch.cat(part, dim=-1), codec.decode(codes))


def test_encoders_at_different_positions_share_a_batch(codec):
    one, other, hop = noise(codec, 40, seed=1), noise(codec, 25, seed=2), codec.hop_length
    states = codec.new_encode_state(), codec.new_encode_state()
    ahead = codec.encode_step(one[..., : 15 * hop + 9], states[0])
    codec.encode_step(other[..., :9], states[1])
    joined = join_states(states)
    together = codec.encode_step(torch.cat((one[..., 15 * hop + 9 :], other[..., 9:])), joined)
    assert torch.equal(torch.cat((ahead, together[:1]), dim=-1), codec.encode(one)[0])
    assert torch.equal(together[1:], codec.encode(other)[0])


def test_a_stream_leaves_its_batch(codec):
    codes = codes_of(codec, 8, batch=3)
    state = codec.new_decode_state(3)
    first = codec.decode_step(codes[..., :4], state)
    left = state.select([2, 0])
    rest = codec.decode_step(codes[[2, 0], :, 4:], left)
    close(torch.cat((first[[2, 0]], rest, codec.decode_flush(left)), dim=-1), codec.decode(codes[[2, 0]]))
    assert state.batch == 3


def test_streams_that_wait_for_different_lengths_cannot_join(codec):
    states = codec.new_encode_state(), codec.new_encode_state()
    codec.encode_step(torch.zeros(1, 1, 5), states[0])
    with pytest.raises(StreamError, match="0 and 5 samples wait"):
        join_states(states)


def test_a_spectral_stream_that_has_not_begun_cannot_join_one_that_has():
    codec = toy_codec()
    states = codec.new_decode_state(), codec.new_decode_state()
    codec.decode_step(codes_of(codec, 1), states[0])
    with pytest.raises(StreamError, match="0 and 192 samples wait"):
        join_states(states)


def test_after_the_flush_nothing_follows(codec):
    decoding, encoding = codec.new_decode_state(), codec.new_encode_state()
    assert codec.decode_flush(decoding).shape == (1, 1, 0)
    assert codec.encode_flush(encoding).shape == (1, codec.num_codebooks, 0)
    for call in (
        lambda: codec.decode_step(codes_of(codec, 1), decoding),
        lambda: codec.decode_flush(decoding),
        lambda: codec.encode_step(torch.zeros(1, 1, 5), encoding),
        lambda: codec.encode_flush(encoding),
        lambda: join_states([decoding, codec.new_decode_state()]),
    ):
        with pytest.raises(StreamError, match="flushed"):
            call()
    assert issubclass(StreamError, InputError)


def test_another_batch_is_refused(codec):
    with pytest.raises(StreamError, match="2 streams, but 1 came"):
        codec.decode_step(codes_of(codec, 1), codec.new_decode_state(2))
    with pytest.raises(StreamError, match="1 streams, but 2 came"):
        codec.encode_step(torch.zeros(2, 1, 5), codec.new_encode_state())


def test_bad_input_leaves_the_stream_as_it_was(codec):
    decoding, encoding = codec.new_decode_state(), codec.new_encode_state()
    codes, waveform = codes_of(codec, 4), noise(codec, 2)
    start = codec.decode_step(codes[..., :2], decoding)
    for bad in (codes[..., :0], codes + 100_000, codes[0]):
        with pytest.raises(CodesError):
            codec.decode_step(bad, decoding)
    for bad in (waveform[0], torch.zeros(1, 2, 10)):
        with pytest.raises(AudioError):
            codec.encode_step(bad, encoding)
    rest = codec.decode_step(codes[..., 2:], decoding)
    close(torch.cat([start, rest, codec.decode_flush(decoding)], dim=-1), codec.decode(codes))
    assert torch.equal(codec.encode_step(waveform, encoding), codec.encode(waveform)[0])


def test_clamping_in_steps(golden):
    codes = torch.full((1, 10, 2), 1023)
    codes[:, 0] = 4095
    heard = golden.decode_step(codes + 7, golden.new_decode_state(), clamp=True)  # type: ignore[call-arg]
    assert torch.equal(heard, golden.decode_step(codes, golden.new_decode_state()))


def test_no_samples_are_no_step(codec):
    state = codec.new_encode_state()
    assert codec.encode_step(torch.zeros(1, 1, 0), state).shape == (1, codec.num_codebooks, 0)
    codec.encode_step(torch.zeros(1, 1, 3), state)
    assert codec.encode_flush(state).shape == (1, codec.num_codebooks, 1)


def test_steps_inside_and_outside_of_inference_mode_mix(codec):
    codes, state = codes_of(codec, 3), codec.new_decode_state()
    parts = [codec.decode_step(codes[..., :1], state)]
    with torch.inference_mode():
        parts.append(codec.decode_step(codes[..., 1:2], state))
    parts += [codec.decode_step(codes[..., 2:], state), codec.decode_flush(state)]
    close(torch.cat(parts, dim=-1), codec.decode(codes))


def test_bfloat16_weights_stream_a_float32_waveform():
    codec = load_codec(GOLDEN, device="cpu", dtype="bfloat16")
    state = codec.new_decode_state()
    heard = torch.cat([codec.decode_step(part, state) for part in codes_of(codec, 6).split(2, dim=-1)], dim=-1)
    assert heard.dtype == torch.float32
    assert heard.isfinite().all()
    assert codec.encode_step(heard, codec.new_encode_state()).shape == (1, 10, 6)
