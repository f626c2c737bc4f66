import pytest
import torch

from lungfish.codec.mel import CausalLogMel, mel_filters
from lungfish.codec.spectral import SpectralCodec, SpectralCodecConfig
from lungfish.errors import CodesError, ConfigError


def tiny() -> SpectralCodec:
    torch.manual_seed(0)
    config = SpectralCodecConfig(dim=32, ffn_dim=48, code_ffn_dim=48, decoder_blocks=2, codebook_sizes=(32, 16, 16))
    return SpectralCodec(config).eval()


@pytest.fixture(scope="module")
def codec() -> SpectralCodec:
    return tiny()


def test_lengths_round_up_to_whole_frames(codec):
    codes, lengths = codec.encode(torch.randn(2, 1, 3000) * 0.1, torch.tensor([3000, 1024]))
    assert codes.shape == (2, 3, 3)
    assert lengths.tolist() == [3, 1]
    assert codec.decode(codes).shape == (2, 1, 3 * 1024)
    assert codec.frame_rate == pytest.approx(21.53, abs=0.01)


def test_encoder_hears_nothing_of_the_future(codec):
    waveform = torch.randn(1, 1, 8 * 1024) * 0.1
    changed = waveform.clone()
    changed[..., 5 * 1024 :] = 0.3
    assert torch.equal(codec.encode(waveform)[0][..., :5], codec.encode(changed)[0][..., :5])


def test_decoder_looks_ahead_by_less_than_one_frame(codec):
    codes = torch.randint(0, 16, (1, 3, 8))
    changed = codes.clone()
    changed[..., 6:] = 1
    before, after = codec.decode(codes), codec.decode(changed)
    assert torch.allclose(before[..., : 6 * 1024 - 768], after[..., : 6 * 1024 - 768], atol=1e-6)
    assert not torch.allclose(before[..., 6 * 1024 - 768 :], after[..., 6 * 1024 - 768 :], atol=1e-6)


def test_overlap_add_restores_a_signal_from_its_own_spectra(codec):
    # Frames cut by the same window as the decoder's, put where the decoder puts them, add up to the signal.
    signal = torch.randn(1, 40 * 256)
    window = torch.hann_window(1024)
    padded = torch.nn.functional.pad(signal, (768, 0))
    frames = padded.unfold(1, 1024, 256) * window
    codec_frames = torch.fft.irfft(torch.fft.rfft(frames), n=1024) * codec.decoder.window
    codec.decoder.frames, kept = (lambda quantized: codec_frames), codec.decoder.frames
    try:
        out = codec.decoder(torch.zeros(1, 32, 10))
    finally:
        codec.decoder.frames = kept
    assert torch.allclose(out[0, 0, : 36 * 256], signal[0, : 36 * 256], atol=1e-4)


def test_fewer_books_may_be_decoded(codec):
    codes = torch.randint(0, 16, (1, 3, 4))
    assert codec.decode(codes[:, :1]).shape == (1, 1, 4096)


@pytest.mark.parametrize(
    "codes",
    [
        torch.zeros(1, 4, 2, dtype=torch.long),
        torch.zeros(1, 3, 0, dtype=torch.long),
        torch.zeros(3, 2, dtype=torch.long),
        torch.full((1, 3, 2), -1),
        torch.full((1, 3, 2), 16),
    ],
)
def test_bad_codes_are_refused(codec, codes):
    with pytest.raises(CodesError):
        codec.decode(codes)


def test_config_round_trip_and_unknown_keys():
    config = SpectralCodecConfig(dim=32, codebook_sizes=(8, 8))
    assert SpectralCodecConfig.from_dict(config.to_dict()) == config
    with pytest.raises(ConfigError, match="widht"):
        SpectralCodecConfig.from_dict({"widht": 3})
    with pytest.raises(ConfigError, match="4 \\* hop"):
        SpectralCodecConfig(hop=200)


def test_mel_filters_cover_every_band_and_frames_are_causal():
    filters = mel_filters(1024, 80, 22_050)
    assert filters.shape == (80, 513)
    assert bool((filters.sum(1) > 0).all())
    mel = CausalLogMel(22_050, 1024, 256, 80)
    waveform = torch.zeros(1, 1, 2048)
    waveform[..., 1024:] = 0.5 * torch.randn(1024)
    frames = mel(waveform)
    assert frames.shape == (1, 80, 8)
    assert torch.equal(frames[..., 0], frames[..., 3])  # silence until sample 1024
    assert not torch.equal(frames[..., 3], frames[..., 4])
