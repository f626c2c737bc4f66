"""One step of the full-size codec against its full-size discriminators, in a process of its own, within 24 GB."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import soundfile

pytest.importorskip("lightning", reason="training needs the extra `train`")

from lungfish.data.audio_pack import SourceClip, append_clips

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="counts memory as Linux does"),
]
RECIPE = Path(__file__).parents[2] / "configs" / "codec_full.yaml"
RATE = 44_100
CLIP_FRAMES = 136  # 6.3 s: more than a window
LIMIT_GB = 24
CHILD = """
import json, logging, resource, sys, time, warnings
from pathlib import Path
import lightning as L
import torch
from lungfish.config.loader import load_config
from lungfish.training.codec import CodecRecipe, CodecTrainingConfig

logging.getLogger('lightning.pytorch').setLevel(logging.WARNING)
warnings.simplefilter('ignore')
torch.set_num_threads(1)
config = load_config(Path(sys.argv[1]), CodecTrainingConfig, sys.argv[2:])
recipe = CodecRecipe(config)
parts = {"codec": recipe.codec, "discriminators": recipe.discriminators}


def sums():  # a copy of the weights would count as memory of the step
    return {
        f"{part}.{name}": (weight.detach().sum(dtype=float).item(), weight.detach().square().sum(dtype=float).item())
        for part, module in parts.items() for name, weight in module.named_parameters()
    }


before = sums()
trainer = L.Trainer(
    max_steps=1, accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False,
    enable_model_summary=False, use_distributed_sampler=False,
)  # that of training/run.py, without the checkpoint of 7 GB
begin = time.monotonic()
trainer.fit(recipe)
seconds = time.monotonic() - begin
after = sums()
print(json.dumps({
    "peak_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9,
    "seconds": seconds,
    "weights": sum(value.numel() for value in recipe.codec.parameters()),
    "unmoved": [name for name, was in before.items() if after[name] == was],
    "losses": recipe.step_metrics,
}))
"""


def test_a_step_of_the_full_size_recipe_fits_a_cpu(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    sources = []
    for number in range(2):
        path = tmp_path / f"clip{number}.wav"
        soundfile.write(path, 0.1 * rng.standard_normal(CLIP_FRAMES * 2048), RATE)
        sources.append(SourceClip(path.stem, "noise", "", path))
    list(append_clips(tmp_path / "pack", sources, RATE))
    changes = {"output": tmp_path / "run", "pack": tmp_path / "pack", "features": "null", "devices": 1, "max_steps": 1}
    changes |= {"clips_per_batch": 1, "clip_frames": CLIP_FRAMES, "accelerator": "cpu"}
    changes |= {"quantizer_dropout": 0, "warmup_steps": 0}  # a step that moves every weight
    overrides = [f"{name}={value}" for name, value in changes.items()]
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(RECIPE), *overrides], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    result = json.loads(done.stdout.splitlines()[-1])
    print({name: result[name] for name in ("peak_gb", "seconds", "losses")})
    assert result["weights"] == 391_430_530
    assert result["peak_gb"] < LIMIT_GB
    assert {"multi_scale_mel", "commitment", "codebook", "adversarial", "features", "discriminator"} <= set(
        result["losses"]
    )
    assert all(np.isfinite(value) for value in result["losses"].values())
    assert result["unmoved"] == []
