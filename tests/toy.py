"""A tiny checkpoint with random weights: it says nothing sensible, and everything around it is tested in milliseconds."""

from __future__ import annotations

from pathlib import Path

import torch

from lungfish.checkpoint.codec import save_codec
from lungfish.checkpoint.lm import save_dual_ar
from lungfish.codec.spectral import SpectralCodec, SpectralCodecConfig
from lungfish.lm.config import DualARConfig, PromptStyle
from lungfish.lm.model import DualAR
from lungfish.text.tokenizer import Tokenizer
from lungfish.training.phoneme_tokenizer import write_phoneme_tokenizer

BOOKS = (32, 32, 32, 32)
VOICES = ("coral", "marlin")
AUDIO_START = 64


def toy_codec(books: tuple[int, ...] = BOOKS) -> SpectralCodec:
    """8 kHz, 31.25 frames a second."""
    torch.manual_seed(1)
    config = SpectralCodecConfig(
        sample_rate=8000,
        n_fft=256,
        hop=64,
        num_mels=20,
        dim=16,
        ffn_dim=32,
        code_ffn_dim=32,
        encoder_blocks=1,
        encoder_code_blocks=1,
        decoder_code_blocks=1,
        decoder_blocks=1,
        codebook_sizes=books,
    )
    return SpectralCodec(config).eval()


def toy_config(tokenizer_folder: Path, style: PromptStyle = "phonemes", books: tuple[int, ...] = BOOKS) -> DualARConfig:
    """Writes the tokenizer into `tokenizer_folder` and fits the config to it."""
    write_phoneme_tokenizer(tokenizer_folder, list(VOICES), books[0])
    tokenizer = Tokenizer.load(tokenizer_folder)
    phonemes = style == "phonemes"
    return DualARConfig(
        vocab_size=tokenizer.size,
        dim=32,
        num_layers=2,
        num_heads=2,
        num_kv_heads=1,
        head_dim=16,
        ffn_dim=64,
        qk_norm=True,
        max_seq_len=512,
        codebook_size=books[0],
        num_codebooks=len(books),
        semantic_begin_id=tokenizer.semantic_range()[0],
        semantic_end_id=tokenizer.semantic_range()[1],
        im_end_id=tokenizer.token_id("<|im_end|>"),
        pad_id=tokenizer.token_id("<|pad|>"),
        fast_dim=32,
        fast_num_layers=1,
        fast_num_heads=2,
        fast_num_kv_heads=2,
        fast_head_dim=16,
        fast_ffn_dim=64,
        initializer_range=0.4,  # large, so that whatever is asked makes a difference
        prompt_style=style,
        audio_start=AUDIO_START if phonemes else None,
        voices=VOICES if phonemes else (),
    )


def toy_model(config: DualARConfig) -> DualAR:
    torch.manual_seed(2)
    model = DualAR(config).eval()
    with torch.no_grad():
        model.slow.embeddings.weight[config.im_end_id] = 0  # so that it rarely ends before the budget does
    return model


def write_toy_checkpoint(folder: Path, style: PromptStyle = "phonemes") -> Path:
    """Language model, tokenizer and codec in `folder`, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    save_dual_ar(toy_model(toy_config(folder, style)), folder)
    save_codec(toy_codec(), folder)
    return folder
