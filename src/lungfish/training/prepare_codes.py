"""Packed audio to packed codes: encode every clip with a trained codec and align it with its phones.

Shards only ever get added, so a language model can train while more speech is made: each call encodes the clips that no
shard holds yet into one new shard. `codes.json` remembers which clips are done and which codec made them; codes of two
codecs never mix. Each clip is encoded several times, from starts a fraction of a frame apart: the same speech in other
codes, so that a language model with few hours to learn from does not learn them by heart.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from lungfish.checkpoint.atomic import write_atomically
from lungfish.data.alignments import write_alignments
from lungfish.data.audio_pack import Clip
from lungfish.data.protos import Sentence, TextData, write_shard
from lungfish.errors import DataError
from lungfish.training.codec import CodecRecipe, clip_labels
from lungfish.training.phone_head import align

LEDGER_NAME = "codes.json"
START_SHARES = (0.0, 0.5, 0.25, 0.75)  # of a frame that each variant leaves out at the start


def codec_fingerprint(recipe: CodecRecipe) -> str:
    """Hash of everything that decides the codes: encoder and books (the decoder may go on improving)."""
    digest = hashlib.sha256()
    for name, tensor in sorted(recipe.codec.state_dict().items()):
        if not name.startswith("decoder."):
            digest.update(name.encode())
            digest.update(tensor.detach().cpu().numpy().tobytes())
    return digest.hexdigest()[:16]


@torch.no_grad()
def encode_clip(recipe: CodecRecipe, clip: Clip, skip_samples: int = 0) -> tuple[np.ndarray, np.ndarray] | None:
    """Codes [K, T] and phone positions [T] of one clip without its first samples.

    Returns None when the transcript has no phone, or too many for the clip's length.
    """
    waveform = torch.from_numpy(recipe.pack.waveform(clip)[skip_samples:])[None, None].to(recipe.device)
    codes, _ = recipe.codec.encode(waveform)
    log_probs = recipe.phone_head(recipe.trained.semantic(codes[:, 0]))[0].cpu().numpy()
    labels = clip_labels(clip)
    if not 1 <= len(labels) < len(log_probs):
        return None
    position, _ = align(log_probs, labels)
    return codes[0].cpu().numpy(), position.reshape(codes.shape[-1], -1).mean(1)


def encode_new_clips(
    recipe: CodecRecipe,
    output: Path,
    variants: int = 4,
    on_clip: Callable[[int, int], None] | None = None,
    books: int | None = None,
) -> tuple[int, float]:
    """Encode what `output` lacks of the recipe's pack into one more shard.

    Args:
        recipe: a trained codec with its phoneme head and pack.
        output: folder of shards; made when absent.
        variants: encodings of each clip, 1 to 4; those that an earlier call made are not made again.
        on_clip: called with (done, total) after each clip.
        books: keep this many, the first; all without it.

    Returns:
        encodings added, hours in all shards (every variant counted).

    Raises:
        DataError: the folder holds codes of another codec.
    """
    output.mkdir(parents=True, exist_ok=True)
    path = output / LEDGER_NAME
    fingerprint = codec_fingerprint(recipe)
    ledger = {"codec": fingerprint, "clips": {}, "frames": 0, "shards": 0}
    if path.is_file():
        ledger = json.loads(path.read_text())
        if ledger["codec"] != fingerprint:
            raise DataError(f"{output} holds codes of another codec; choose another folder or delete it")
    recipe.eval()
    done_variants: dict[str, int] = ledger["clips"]
    new = [(clip, variant) for clip in recipe.pack.clips for variant in range(done_variants.get(clip.id, 0), variants)]
    by_voice: dict[str, list[tuple[str, np.ndarray, np.ndarray]]] = {}
    for done, (clip, variant) in enumerate(new, 1):
        encoded = encode_clip(recipe, clip, int(START_SHARES[variant] * recipe.codec.hop_length))
        if encoded is not None:
            codes, position = encoded
            by_voice.setdefault(clip.voice, []).append((clip.text, codes[:books], position))
        if on_clip is not None:
            on_clip(done, len(new))
    if by_voice:
        records = [
            TextData("teacher", voice, [Sentence([text], codes.tolist()) for text, codes, _ in rows])
            for voice, rows in by_voice.items()
        ]
        shard = output / f"{ledger['shards']:08d}.protos"
        write_alignments(shard, [position for rows in by_voice.values() for *_, position in rows])
        write_shard(shard, records)
        ledger["shards"] += 1
        ledger["frames"] += sum(codes.shape[1] for rows in by_voice.values() for _, codes, _ in rows)
    ledger["clips"] = done_variants | {clip.id: variant + 1 for clip, variant in new}
    write_atomically(path, lambda part: part.write_text(json.dumps(ledger), encoding="utf-8"))
    return len(new), ledger["frames"] / recipe.codec.frame_rate / 3600
