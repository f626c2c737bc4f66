"""From two training runs to the folder that ships: S2 layout, half precision, the codec beside the language model."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import torch

from lungfish.checkpoint.codec import save_codec
from lungfish.checkpoint.generation_config import save_generation_defaults
from lungfish.checkpoint.lm import save_dual_ar
from lungfish.codec.protocol import Codec
from lungfish.errors import MismatchError, TrainingError
from lungfish.training.codec import CodecRecipe, CodecTrainingConfig, load_codec_run
from lungfish.training.lm import LISTENING, LMRecipe, LMTrainingConfig
from lungfish.training.prepare_codes import LEDGER_NAME, codec_fingerprint

TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json")


def export_voice(lm: LMTrainingConfig, codec: CodecTrainingConfig, output: Path) -> dict[str, float]:
    """Write `model.safetensors`, `config.json`, the tokenizer, decoding defaults, `codec.safetensors` and `codec.json`.

    Args:
        lm: config of the language model's run; its moving average ships.
        codec: config of the codec's (or decoder's) run.
        output: folder; existing files of these names are replaced, each atomically.

    Returns:
        steps trained and sizes in MB.

    Raises:
        TrainingError: a run has no checkpoint.
        MismatchError: the language model was trained on another codec's codes.
    """
    recipe = load_codec_run(codec)
    ledger = json.loads((lm.codes / LEDGER_NAME).read_text())
    if ledger["codec"] != codec_fingerprint(recipe):
        raise MismatchError(
            f"{lm.codes} holds codes of another codec than {codec.output}; export the pair that belongs"
        )
    path = lm.output / "checkpoints" / "last.ckpt"
    if not path.is_file():
        raise TrainingError(f"{path} does not exist; train the language model first with `lungfish train lm`")
    checkpoint = torch.load(path, weights_only=False, map_location="cpu")
    language_model = LMRecipe(lm)
    language_model.load_state_dict(checkpoint["state_dict"])
    output.mkdir(parents=True, exist_ok=True)
    save_dual_ar(language_model.averaged, output, dtype=torch.float16)
    for name in TOKENIZER_FILES:
        shutil.copyfile(lm.output / name, output / name)
    save_codec(plain_codec(recipe), output, dtype=torch.float16)
    save_generation_defaults(LISTENING, output)
    sizes = {name: (output / name).stat().st_size / 1e6 for name in ("model.safetensors", "codec.safetensors")}
    return {"steps": checkpoint["global_step"], **sizes}


def plain_codec(recipe: CodecRecipe) -> Codec:
    """A codec of its own with the weights of `recipe.codec`, without what only training needs."""
    codec = type(recipe.codec)(recipe.codec.config)  # type: ignore[arg-type]
    codec.load_state_dict(recipe.trained.plain())
    return codec.eval()
