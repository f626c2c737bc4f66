"""Texts that broke other systems: each gives audio or a typed error, in both prompt styles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lungfish import TTS, SamplingParams
from lungfish.errors import TextError
from tests.toy import write_toy_checkpoint

REFUSED = {"punctuation-only", "empty", "emoji-only"}


@pytest.mark.parametrize("style", ["phonemes", "chat"])
def test_every_text_is_spoken_or_refused(style: str, shared: Path, tmp_path: Path) -> None:
    rows = json.loads((shared / "inputs" / "texts.json").read_text(encoding="utf-8"))
    tts = TTS.load(write_toy_checkpoint(tmp_path, style), device="cpu")  # type: ignore[arg-type]
    refused = set()
    for row in rows:
        try:
            assert tts.say(row["text"], seed=1, sampling=SamplingParams(max_new_frames=2)).frames > 0, row["id"]
        except TextError:
            refused.add(row["id"])
    assert refused == REFUSED
