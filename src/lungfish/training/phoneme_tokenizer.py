"""Makes the tokenizer of a phoneme checkpoint: 256 bytes without merges, the S2 control tokens, phonemes, voices, codes.

The result is an ordinary `tokenizer.json`. Phonemes and voices are added tokens, so that no text can spell them: only a
typed prompt part reaches them.
"""

from __future__ import annotations

import json
from pathlib import Path

from tokenizers import AddedToken, Tokenizer, decoders, pre_tokenizers
from tokenizers.models import BPE

from lungfish.lm.prompt import ANY_VOICE, voice_token
from lungfish.text.phonemes import SYMBOLS, token_name

CONTROLS = (
    "<|endoftext|>",
    "<|pad|>",
    "<|im_start|>",
    "<|im_end|>",
    "<|phoneme_start|>",
    "<|phoneme_end|>",
    "<|text|>",
    "<|voice|>",
    "<|interleave|>",
    "<|audio_start|>",
    "<|audio_end|>",
    "<|audio_pad|>",
)


def write_phoneme_tokenizer(folder: Path, voices: list[str], semantic_size: int) -> Tokenizer:
    """Write `tokenizer.json` and `tokenizer_config.json` into `folder` and return the tokenizer.

    Args:
        folder: exists.
        voices: names of the checkpoint's own voices; a token for any other voice is added.
        semantic_size: entries of the semantic codebook; tokens `<|semantic:0|>` and so on, contiguous, come last.
    """
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(BPE(vocab={character: i for i, character in enumerate(alphabet)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)  # type: ignore[assignment]
    tokenizer.decoder = decoders.ByteLevel()  # type: ignore[assignment]
    names = [*CONTROLS, *map(token_name, SYMBOLS), *map(voice_token, (ANY_VOICE, *voices))]
    names += [f"<|semantic:{code}|>" for code in range(semantic_size)]
    tokenizer.add_special_tokens([AddedToken(name, special=True, normalized=False) for name in names])
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": "<|im_end|>",
        "pad_token": "<|pad|>",
        "model_max_length": 1 << 20,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings, indent=2) + "\n")
    return tokenizer
