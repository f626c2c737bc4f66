"""The parity ladder of a language-model bundle: weights, prompts, both heads, greedy codes, the training forward, bfloat16.

Nothing about a bundle is assumed but its layout: names, cases, batches and sizes come from its files.
Source: spec/lm.md 8 (the ladder), and the layout that the golden bundles' own page describes.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lungfish.checkpoint.lm import load_dual_ar, save_dual_ar
from lungfish.errors import CheckpointError
from lungfish.evaluation.parity import Stage
from lungfish.evaluation.verify_sampler import verify_sampler
from lungfish.lm.generate import generate
from lungfish.lm.model import DualAR
from lungfish.lm.prompt import Conversation, Prompt, Reference
from lungfish.lm.sampling import END, SamplingParams
from lungfish.text.speakers import plan_batches
from lungfish.text.tokenizer import TOKENIZER_FILES, Tokenizer

FLOAT32_TOLERANCE = 1e-4
BFLOAT16_TOLERANCE = 0.5
CHUNK_BYTES = 200
_GOLDEN = ".golden.json"


def verify_lm(path: str | Path) -> list[Stage]:
    """Climb every language-model ladder of a bundle.

    Args:
        path: folder with NAME.golden.json, NAME.golden.npz, NAME/ (any number of them) and sampler.npz; or NAME itself.

    Raises:
        CheckpointError: files missing or damaged.
    """
    folder = Path(path)
    named = folder.with_name(folder.name + _GOLDEN)
    if named.is_file():
        return _Ladder(named, "").climb()
    found = sorted(folder.glob("*" + _GOLDEN))
    stages = [stage for file in found for stage in _Ladder(file, file.name.removesuffix(_GOLDEN) + " ").climb()]
    if (folder / "sampler.npz").is_file():
        stages += verify_sampler(read_arrays(folder / "sampler.npz"))
    if not stages:
        raise CheckpointError(f"{folder}: no *{_GOLDEN} and no sampler.npz in it")
    return stages


def read_arrays(path: Path) -> dict[str, Tensor]:
    """Arrays of an npz file as tensors.

    Raises:
        CheckpointError: absent or damaged.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return {name: torch.from_numpy(np.asarray(arrays[name])) for name in arrays.files}
    except FileNotFoundError as error:
        raise CheckpointError(f"{path}: not found; the bundle needs it") from error
    except (OSError, ValueError, zipfile.BadZipFile, EOFError, KeyError, TypeError) as error:
        raise CheckpointError(f"{path}: damaged ({error})") from error


def _read_texts(path: Path) -> dict[str, Any]:
    try:
        texts = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path}: not readable as JSON ({error})") from error
    if not isinstance(texts, dict) or not all(isinstance(entry, dict) for entry in texts.values()):
        raise CheckpointError(f"{path}: must hold an object of objects")
    return texts


class _Worst:
    """Largest error over many comparisons."""

    def __init__(self) -> None:
        self.error, self.count = 0.0, 0

    def close(self, got: Tensor, expected: Tensor) -> None:
        same = got.shape == expected.shape
        error = float((got.float() - expected.float()).abs().max()) if same and got.numel() else 0.0
        self.add(error if same and error == error else float("inf"))

    def exact(self, got: Tensor, expected: Tensor) -> None:
        self.add(float((got != expected).sum()) if got.shape == expected.shape else float("inf"))

    def add(self, error: float) -> None:
        self.error, self.count = max(self.error, error), self.count + 1


class _Ladder:
    """One checkpoint of a bundle and its golden values."""

    def __init__(self, golden: Path, prefix: str) -> None:
        self.prefix = prefix
        self.folder = golden.with_name(golden.name.removesuffix(_GOLDEN))
        texts = _read_texts(golden)
        self.arrays = golden.with_name(golden.name.removesuffix(".json") + ".npz")
        self.values = read_arrays(self.arrays)
        self.cases = {name: entry for name, entry in texts.items() if "text" in entry}
        self.batches = {
            case: [texts[f"{case}.{i}"].get("batch_text") for i in range(len(texts)) if f"{case}.{i}" in texts]
            for case in self.cases
        }
        self.tokenizer = Tokenizer.load(self.folder)
        self.stages: list[Stage] = []

    @torch.inference_mode()
    def climb(self) -> list[Stage]:
        model = load_dual_ar(self.folder, device="cpu", dtype="float32")
        self.weights(model)
        self.prompts(model)
        self.heads(model, "float32", FLOAT32_TOLERANCE)
        self.greedy_codes(model)
        self.cached(model)
        self.training(model, "float32", FLOAT32_TOLERANCE)
        if any(name.endswith(".bfloat16") for name in self.values):
            coarse = load_dual_ar(self.folder, device="cpu", dtype="bfloat16")
            self.heads(coarse, "bfloat16", BFLOAT16_TOLERANCE)
            self.same_choice(coarse)
            self.training(coarse, "bfloat16", BFLOAT16_TOLERANCE)
        return self.stages

    def weights(self, model: DualAR) -> None:
        """Write and read again: names, shapes and values survive."""
        with tempfile.TemporaryDirectory() as scratch:
            for name in TOKENIZER_FILES:
                if (self.folder / name).is_file():
                    shutil.copy(self.folder / name, scratch)
            save_dual_ar(model, scratch)
            again = load_dual_ar(scratch, device="cpu", dtype="float32")
        worst = _Worst()
        stored, restored = model.state_dict(), again.state_dict()
        for name, tensor in stored.items():
            worst.exact(restored[name], tensor)
        same = dataclasses.asdict(again.config) == dataclasses.asdict(model.config)
        note = f"{len(stored)} tensors written and read again" + ("" if same else ", with another config")
        self.stages.append(Stage(f"{self.prefix}weights", 0.0, worst.error, same and worst.error == 0, note))

    def prompts(self, model: DualAR) -> None:
        worst, split = _Worst(), _Worst()
        for case, batch_texts in self.batches.items():
            planned = plan_batches(self.cases[case]["text"], CHUNK_BYTES)
            split.add(float(planned != batch_texts))
            for key, prompt in self.conversation(model, case, "float32"):
                worst.exact(prompt.ids, self.value(f"{key}.prompt"))
        self.add("batches", 0.0, split, "cases")
        self.add("prompts", 0.0, worst, "prompts")

    def heads(self, model: DualAR, dtype: str, tolerance: float) -> None:
        """Both stacks at the end of every prompt, the fast one teacher-forced along the first golden frame."""
        slow, entry, fast = _Worst(), _Worst(), _Worst()
        for case in self.cases:
            for key, prompt in self.conversation(model, case, dtype):
                hidden = self.last_hidden(model, prompt)
                logits = model.semantic_logits(hidden)[0]
                slow.close(logits, self.semantic_logits(key, dtype))
                entry.close(model.fast_input(hidden)[0], self.value(f"{key}.fast_input.{dtype}"))
                frame = self.codes(key, dtype)[:, :1]
                if frame.shape[1]:
                    fast.close(model.fast_logits(hidden, frame.T)[0, 1:], self.value(f"{key}.fast_logits.{dtype}"))
        self.add(f"semantic logits {dtype}", tolerance, slow, "prompts")
        self.add(f"fast input {dtype}", tolerance, entry, "prompts")
        self.add(f"fast logits {dtype}", tolerance, fast, "frames")

    def greedy_codes(self, model: DualAR) -> None:
        """Free-running decoding. The reference drops its last frame and overlooks an end on the first; we do neither."""
        worst, ended = _Worst(), 0
        name = ".codes.float32"
        longest = max((codes.shape[1] for key, codes in self.values.items() if key.endswith(name)), default=0)
        greedy = SamplingParams(top_k=1, max_new_frames=longest + 1)
        for case in self.cases:
            for key, prompt in self.conversation(model, case, "float32"):
                expected = self.codes(key, "float32")
                result = generate(model, prompt, greedy)
                if self.semantic_logits(key, "float32").argmax() == END:
                    expected, ended = expected[:, :0], ended + 1
                elif expected.shape[1] == longest and result.finish_reason == "length":
                    expected = torch.cat((expected, result.codes[:, longest:]), dim=1)
                worst.exact(result.codes, expected)
        note = f"batches, {ended} of which end before the first frame" if ended else "batches"
        self.add("greedy codes", 0.0, worst, note)

    def cached(self, model: DualAR) -> None:
        """Step by step through a cache against the whole sequence at once: golden prompt and golden frames."""
        worst = _Worst()
        for case in self.cases:
            for key, prompt in self.conversation(model, case, "float32"):
                codes = self.codes(key, "float32")
                columns = torch.cat((codes[:1] + model.config.semantic_begin_id, codes))
                ids = torch.cat((prompt.ids, columns), dim=1)[None]
                positions = torch.arange(ids.shape[2])
                whole = model.semantic_logits(model.slow(ids, positions))[0]
                cache = model.new_cache(1, ids.shape[2])
                start = prompt.ids.shape[1]
                model.slow(ids[..., :start], positions[:start], cache)
                for at in range(start, ids.shape[2]):
                    hidden = model.slow(ids[..., at : at + 1], positions[at : at + 1], cache)
                    worst.close(model.semantic_logits(hidden)[0, 0], whole[at])
        self.add("cached = uncached", FLOAT32_TOLERANCE, worst, "steps")

    def training(self, model: DualAR, dtype: str, tolerance: float) -> None:
        """The reference's training forward, which does not scale the embeddings."""
        if f"train.token_logits.{dtype}" not in self.values:
            return
        ids, labels = self.value("train.inp").long()[None], self.value("train.labels").long()[None]
        out = model.forward_train(ids, labels, scale=False)
        tokens, codes = _Worst(), _Worst()
        tokens.close(model.slow.token_logits(out.hidden)[0], self.value(f"train.token_logits.{dtype}"))
        codes.close(out.codebook_logits, self.value(f"train.codebook_logits.{dtype}"))
        self.add(f"training token logits {dtype}", tolerance, tokens, "samples")
        self.add(f"training codebook logits {dtype}", tolerance, codes, "samples")

    def same_choice(self, model: DualAR) -> None:
        """bfloat16 names the same likeliest token as float32 wherever float32 is sure by more than the tolerance."""
        worst = _Worst()
        for case in self.cases:
            key, prompt = next(self.conversation(model, case, "bfloat16"))
            hidden = self.last_hidden(model, prompt)
            pairs = [(model.semantic_logits(hidden)[0], self.semantic_logits(key, "float32"))]
            fine, coarse = self.codes(key, "float32")[:, :1], self.codes(key, "bfloat16")[:, :1]
            if fine.shape[1] and coarse.shape[1]:
                agreed = int((fine == coarse)[:, 0].long().cumprod(0).sum())  # depths with an equal past
                scores = model.fast_logits(hidden, coarse.T)[0, 1:]
                pairs += list(zip(scores[:agreed], self.value(f"{key}.fast_logits.float32")[:agreed], strict=True))
            for got, expected in pairs:
                first, second = expected.topk(2).values
                if first - second > BFLOAT16_TOLERANCE:
                    worst.exact(got.argmax(), expected.argmax())
        self.add("same choice bfloat16", 0.0, worst, "choices with a clear margin")

    def conversation(self, model: DualAR, case: str, dtype: str) -> Iterator[tuple[str, Prompt]]:
        """Yields (key, prompt) of each batch; the history holds the golden codes of `dtype`."""
        spoken = self.cases[case].get("prompt_text") or []
        references = [Reference(text, self.value(f"{case}.ref{i}")) for i, text in enumerate(spoken)]
        conversation = Conversation(self.tokenizer, model.config, references)
        for index, text in enumerate(self.batches[case]):
            key = f"{case}.{index}"
            yield key, conversation.ask(text)
            conversation.reply(self.codes(key, dtype))

    def last_hidden(self, model: DualAR, prompt: Prompt) -> Tensor:
        return model.slow(prompt.ids[None], prompt.positions)[:, -1]

    def value(self, name: str) -> Tensor:
        """Raises CheckpointError where the bundle lacks it."""
        if name not in self.values:
            raise CheckpointError(f"{self.arrays}: lacks {name}")
        return self.values[name]

    def codes(self, key: str, dtype: str) -> Tensor:
        """Golden codes [K, n] of a batch."""
        return self.value(f"{key}.codes.{dtype}").long()

    def semantic_logits(self, key: str, dtype: str) -> Tensor:
        """Golden scores of a batch, the end first."""
        end, codes = self.value(f"{key}.im_end_logit.{dtype}"), self.value(f"{key}.semantic_logits.{dtype}")
        return torch.cat((end.reshape(1), codes))

    def add(self, name: str, tolerance: float, worst: _Worst, unit: str) -> None:
        stage = Stage(self.prefix + name, tolerance, worst.error, worst.error <= tolerance, f"{worst.count} {unit}")
        self.stages.append(stage)
