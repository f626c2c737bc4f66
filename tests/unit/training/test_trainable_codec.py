from typing import Any

import pytest
import torch
from torch import nn

from dac_toy import SMALLEST_DAC
from lungfish.codec.dac import ModifiedDAC
from lungfish.codec.spectral import SpectralCodec
from lungfish.errors import ConfigError
from lungfish.training.trainable_codec import Quantization, trainable_codec
from speech_toy import TINY_CODEC

MODELS = {"spectral": TINY_CODEC, "dac": SMALLEST_DAC.to_dict()}


def make(kind: str, seed: int = 0) -> Any:
    return trainable_codec(MODELS[kind], codebook_decay=0.9, weight_norm=True, checkpointing=True, seed=seed)


def waveform(trained: Any, frames: int = 6) -> torch.Tensor:
    return 0.3 * torch.randn(2, 1, frames * trained.codec.hop_length, generator=torch.Generator().manual_seed(5))


def quantized(trained: Any, update: bool = False, used: int | None = None, frames: int = 6) -> Quantization:
    books = torch.full((2,), used or trained.codec.num_codebooks)
    return trained.quantize(waveform(trained, frames), torch.ones(2, frames, dtype=torch.bool), books, update)


@pytest.mark.parametrize("kind", MODELS)
def test_semantic_codes_give_what_quantize_calls_semantic(kind):
    trained = make(kind)
    made = quantized(trained)
    assert made.semantic.shape == (2, 6, trained.latent_dim)
    codes, _ = trained.codec.encode(waveform(trained))
    torch.testing.assert_close(trained.semantic(codes[:, 0]), made.semantic)


@pytest.mark.parametrize("kind", MODELS)
def test_decode_gives_the_waveform_with_gradients(kind):
    trained = make(kind)
    made = quantized(trained)
    out = trained.decode(made.quantized)
    assert out.shape == waveform(trained).shape
    codes, _ = trained.codec.encode(waveform(trained))
    torch.testing.assert_close(out.detach(), trained.codec.decode(codes), atol=1e-5, rtol=1e-4)
    out.square().sum().backward()
    first = next(iter(trained.codec.encoder.parameters()))
    assert first.grad is not None
    assert first.grad.abs().sum() > 0


@pytest.mark.parametrize("kind", MODELS)
def test_plain_weights_fill_an_untouched_codec(kind):
    trained = make(kind)
    plain = type(trained.codec)(trained.codec.config)
    plain.load_state_dict(trained.plain())
    codes, _ = trained.codec.encode(waveform(trained))
    assert torch.equal(plain.encode(waveform(trained))[0], codes)
    assert torch.equal(plain.decode(codes), trained.codec.decode(codes))


@pytest.mark.parametrize("kind", MODELS)
def test_the_seed_decides_the_weights(kind):
    first, second, other = make(kind), make(kind), make(kind, seed=1)
    for name, value in first.plain().items():
        assert torch.equal(second.plain()[name], value), name
    assert any(not torch.equal(other.plain()[name], value) for name, value in first.plain().items())


@pytest.mark.parametrize("kind", MODELS)
def test_books_change_only_when_asked(kind):
    trained = make(kind)
    before = {name: value.clone() for name, value in trained.books.state_dict().items()}
    quantized(trained)
    assert all(torch.equal(value, before[name]) for name, value in trained.books.state_dict().items())
    quantized(trained, update=True)
    assert any(not torch.equal(value, before[name]) for name, value in trained.books.state_dict().items())
    assert all(book.perplexity() >= 1 for book in trained.books)


def test_kinds_differ_in_what_they_need():
    spectral, dac = make("spectral"), make("dac")
    assert isinstance(spectral.codec, SpectralCodec)
    assert isinstance(dac.codec, ModifiedDAC)
    assert spectral.crops_decoder
    assert not dac.crops_decoder
    assert quantized(spectral).codebook is None
    codebook = quantized(dac).codebook
    assert codebook is not None
    assert codebook > 0
    # Plain classes: the recipe's names of the parts are the only ones in a checkpoint.
    assert not isinstance(spectral, nn.Module)
    assert not isinstance(dac, nn.Module)


def test_the_semantic_book_survives_every_dropout():
    dac = make("dac")
    made = quantized(dac, used=1)
    torch.testing.assert_close(made.quantized.transpose(1, 2), made.semantic)
    assert not torch.equal(quantized(dac).quantized, made.quantized)


def test_revived_rows_lose_their_moments_in_the_optimizer():
    dac = make("dac")
    dac.optimizer = torch.optim.AdamW(dac.codec.parameters(), lr=1e-3)
    made = quantized(dac)
    assert made.codebook is not None
    made.codebook.backward()
    dac.optimizer.step()
    weight = dac.codec.quantizer.semantic_quantizer.books()[0].codebook.weight
    moments = dac.optimizer.state[weight]["exp_avg"]
    chosen = moments.abs().sum(1) > 0
    share = dac.books[0].share
    dac.books[0].decay = 1.0  # what is met now counts for nothing
    share.fill_(1.0)
    share[chosen] = 0.0
    quantized(dac, update=True)
    moved = share == 1 / len(weight)
    assert chosen.any()
    assert torch.equal(moved, chosen)
    assert not moments[moved].any()


def test_a_config_that_describes_no_codec_is_refused():
    with pytest.raises(ConfigError, match="encoder"):
        trainable_codec({"type": "modified_dac"}, codebook_decay=0.9, weight_norm=True, checkpointing=False, seed=0)
