"""What is loaded and saved again keeps its licence, and says so when it starts."""

from __future__ import annotations

import copy
import json
import logging
import shutil
from pathlib import Path

import pytest
import torch

from lungfish.api import TTS
from lungfish.checkpoint.codec import load_codec, save_codec
from lungfish.checkpoint.licence import FISH_AUDIO, read_licence
from lungfish.checkpoint.lm import load_dual_ar, save_dual_ar
from lungfish.errors import ConfigError
from tests.toy import write_toy_checkpoint

FISH = "Fish Audio Research License\n\nLast Updated: March 7, 2026\n"


@pytest.fixture
def fish(tmp_path: Path) -> Path:
    folder = write_toy_checkpoint(tmp_path / "fish")
    (folder / "LICENSE").write_text(FISH)
    return folder


def test_a_saved_model_inherits(fish: Path, tmp_path: Path) -> None:
    model = copy.deepcopy(load_dual_ar(fish, device="cpu"))
    shutil.move(fish, tmp_path / "elsewhere")  # the record does not need the folder
    save_dual_ar(model, tmp_path / "gone", changes="fine-tuned")
    assert json.loads((tmp_path / "gone" / "config.json").read_text())["lungfish"]["licence"]["id"] == FISH_AUDIO
    shutil.move(tmp_path / "elsewhere", fish)
    folder = tmp_path / "half"
    save_dual_ar(model, folder, dtype=torch.float16, changes="fine-tuned")
    assert (folder / "LICENSE").read_text() == FISH
    notice = (folder / "NOTICE").read_text()
    assert "Copyright © 39 AI, INC." in notice
    assert "Built with Fish Audio" in notice
    assert "Changed: fine-tuned (language model, float16)" in notice


def test_saving_in_place_keeps_the_record(fish: Path, tmp_path: Path) -> None:
    folder = tmp_path / "derived"
    save_dual_ar(load_dual_ar(fish, device="cpu"), folder)
    shutil.copyfile(fish / "tokenizer.json", folder / "tokenizer.json")
    shutil.copyfile(fish / "tokenizer_config.json", folder / "tokenizer_config.json")
    (folder / "LICENSE").unlink()
    save_dual_ar(load_dual_ar(folder, device="cpu"), folder)
    licence = read_licence(folder)
    assert licence is not None
    assert licence.id == FISH_AUDIO


def test_a_saved_codec_inherits(fish: Path, tmp_path: Path) -> None:
    save_codec(load_codec(fish, device="cpu"), tmp_path / "codec")
    assert (tmp_path / "codec" / "LICENSE").read_text() == FISH
    assert "codec, weight norm folded" in (tmp_path / "codec" / "NOTICE").read_text()
    load_codec(tmp_path / "codec", device="cpu")


def test_what_is_made_here_carries_nothing(tmp_path: Path) -> None:
    folder = write_toy_checkpoint(tmp_path / "toy")
    save_dual_ar(load_dual_ar(folder, device="cpu"), tmp_path / "again")
    assert {path.name for path in (tmp_path / "again").iterdir()} == {"config.json", "model.safetensors"}
    assert "licence" not in json.loads((tmp_path / "again" / "config.json").read_text())["lungfish"]


def test_the_start_says_what_it_is_built_with(fish: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="lungfish"):
        TTS.load(fish, device="cpu", threads=0)
    (record,) = [record for record in caplog.records if record.name == "lungfish.api"]
    assert record.levelno == logging.INFO
    assert "Built with Fish Audio; research and non-commercial use" in record.getMessage()
    assert "\n" not in record.getMessage()


def test_a_damaged_record_is_told_before_anything_is_said(fish: Path) -> None:
    config = json.loads((fish / "config.json").read_text())
    config["lungfish"]["licence"] = {"id": 3}
    (fish / "config.json").write_text(json.dumps(config))
    with pytest.raises(ConfigError, match="not a licence record"):
        TTS.load(fish, device="cpu")
