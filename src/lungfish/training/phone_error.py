"""Phone error rate of generated speech, read from its semantic codes by the codec's phoneme head.

Seconds instead of the minutes that decoding and a recogniser take: the running metric of a language model's training. It
has a floor, the same head's error on the codes of real speech, which is printed beside it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from lungfish.codec.spectral import SpectralCodebook
from lungfish.lm.generate import generate
from lungfish.lm.model import DualAR
from lungfish.lm.prompt import phoneme_prompt
from lungfish.lm.sampling import SamplingParams
from lungfish.text.phonemes import phones_only, to_phonemes
from lungfish.text.tokenizer import Tokenizer
from lungfish.training.lm_data import Utterance
from lungfish.training.phone_head import PHONE_INDEX, PhoneHead, best_path_phones, edit_distance

_SPARE = 1.6  # budget over the real clip's frames


class PhoneReader(nn.Module):
    """Book 0 and the phoneme head of a codec training checkpoint."""

    def __init__(self, checkpoint: Path) -> None:
        super().__init__()
        state = torch.load(checkpoint, map_location="cpu", weights_only=False)["state_dict"]
        prefix = "codec.books.0."
        book = {key.removeprefix(prefix): value for key, value in state.items() if key.startswith(prefix)}
        dim, codebook_dim = book["out_proj.weight"].shape
        self.book = SpectralCodebook(dim, codebook_dim, len(book["codebook.weight"]))
        self.book.load_state_dict(book)
        self.head = PhoneHead(dim)
        self.head.load_state_dict(
            {key.removeprefix("phone_head."): value for key, value in state.items() if key.startswith("phone_head.")}
        )
        self.requires_grad_(False)

    def read(self, semantic_codes: Tensor) -> list[int]:
        """Semantic codes [T] -> phone indices."""
        return best_path_phones(self.head(self.book.decode(semantic_codes[None]))[0])


def phone_error_rate(
    model: DualAR, tokenizer: Tokenizer, reader: PhoneReader, utterances: list[Utterance], params: SamplingParams
) -> dict[str, float]:
    """Speak the utterances' texts and read them back.

    Returns:
        phone_error_rate (capped at 1 per clip), phone_error_floor (of the real codes), length_ratio (mean over clips).
    """
    errors = floor = phones = 0
    ratios = []
    for number, utterance in enumerate(utterances):
        symbols = to_phonemes(utterance.text)
        labels = [PHONE_INDEX[phone] for phone in phones_only(symbols)]
        budget = int(_SPARE * utterance.num_frames)
        prompt = phoneme_prompt(symbols, tokenizer, model.config, utterance.voice)
        clip_params = SamplingParams(**{**vars(params), "seed": number, "max_new_frames": budget})
        codes = generate(model, prompt, clip_params).codes
        heard = reader.read(codes[0]) if codes.shape[1] else []
        real = reader.read(torch.from_numpy(utterance.codes[0].astype(np.int64)))
        errors += min(len(labels), edit_distance(heard, labels))
        floor += min(len(labels), edit_distance(real, labels))
        phones += len(labels)
        ratios.append(codes.shape[1] / utterance.num_frames)
    return {
        "phone_error_rate": errors / max(1, phones),
        "phone_error_floor": floor / max(1, phones),
        "length_ratio": float(np.mean(ratios)),
    }
