import math

import pytest
import torch

from lungfish.errors import ConfigError
from lungfish.evaluation.codec_systems import CEILING, Ceiling, CodecSystem, OpusSystem, codec_bit_rate, fit
from tests.toy import toy_codec

RATE = 16_000


@pytest.fixture
def samples():
    return 0.1 * torch.randn(RATE + 123, generator=torch.Generator().manual_seed(0))


def test_the_ceiling_changes_nothing(samples):
    (passage,) = Ceiling().run(samples, RATE)
    assert passage.waveform is samples
    assert (passage.system, passage.bit_rate, passage.codes) == (CEILING, None, None)
    assert (passage.encode_s, passage.decode_s) == (0, 0)


def test_a_codec_gives_back_the_rate_and_the_length(samples):
    codec = toy_codec((32, 16))
    (passage,) = CodecSystem(codec).run(samples, RATE)
    assert passage.waveform.shape == samples.shape
    assert passage.codes is not None
    assert passage.codes.shape == (2, math.ceil(len(samples) / 2 / codec.hop_length))
    assert passage.book_sizes == (32, 16)
    assert passage.encode_s > 0
    assert passage.decode_s > 0


def test_at_the_codecs_own_rate_it_is_what_the_codec_decodes(samples):
    codec = toy_codec()
    (passage,) = CodecSystem(codec).run(samples, codec.sample_rate)
    with torch.inference_mode():
        codes = codec.encode(samples[None, None])[0]
        expected = codec.decode(codes)[0, 0, : len(samples)]
    torch.testing.assert_close(passage.waveform, expected)
    assert passage.codes is not None
    assert torch.equal(passage.codes, codes[0])


def test_the_books_are_rows_of_their_own_most_first(samples):
    codec = toy_codec((32, 16, 16, 16))
    system = CodecSystem(codec, "new", books=[1, 2, 4, 2])
    assert list(system.names) == ["new", "new, 2 books", "new, 1 book"]
    passages = system.run(samples, RATE)
    assert [passage.system for passage in passages] == list(system.names)
    assert [passage.bit_rate for passage in passages] == [codec_bit_rate(codec, count) for count in (4, 2, 1)]
    assert [passage.codes is not None for passage in passages] == [True, False, False]
    assert not torch.equal(passages[0].waveform, passages[2].waveform)


@pytest.mark.parametrize("books", [[0], [5], [1, 9]])
def test_books_that_the_codec_does_not_have(books):
    with pytest.raises(ConfigError, match="the codec has 4 books"):
        CodecSystem(toy_codec(), books=books)


def test_bits_are_the_logarithms_of_the_sizes_times_the_frames():
    codec = toy_codec((32, 16))
    assert codec_bit_rate(codec, 1) == pytest.approx(5 * codec.frame_rate)
    assert codec_bit_rate(codec, 2) == pytest.approx(9 * codec.frame_rate)


@pytest.mark.parametrize("bit_rate", [6_000, 12_000])
def test_opus_says_what_it_really_took(bit_rate):
    pytest.importorskip("av", reason="Opus needs the extra `av`")
    time = torch.arange(3 * RATE) / RATE
    tune = 0.3 * torch.sin(2 * torch.pi * 300 * time) * torch.sin(2 * torch.pi * 2 * time)
    (passage,) = OpusSystem(bit_rate).run(tune, RATE)
    assert passage.system == f"opus {bit_rate // 1000} kbit/s"
    assert passage.waveform.shape == tune.shape
    assert passage.bit_rate is not None
    assert 0.5 * bit_rate < passage.bit_rate < 1.5 * bit_rate
    assert (passage.codes, passage.book_sizes) == (None, ())


def test_fitting_cuts_and_pads():
    assert fit(torch.ones(3), 2).tolist() == [1, 1]
    assert fit(torch.ones(2), 3).tolist() == [1, 1, 0]
