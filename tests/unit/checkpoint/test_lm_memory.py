"""Loading a 1 GB checkpoint in a process of its own: the peak of its resident memory is that of the model."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from lungfish.checkpoint.lm_keys import to_s2
from lungfish.checkpoint.tensor_files import INDEX, PICKLED
from lungfish.lm.config import DualARConfig
from lungfish.lm.model import DualAR
from tests.s1_toy import GOLDEN_S1

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]
DIM, FFN, LAYERS = 2048, 8192, 8
CHILD = """
import sys
from lungfish.checkpoint.lm import load_dual_ar

def status(key):  # VmHWM is ru_maxrss without what the parent process had; in kB
    with open("/proc/self/status") as lines:
        return 1024 * int(next(line for line in lines if line.startswith(key)).split()[1])

load_dual_ar(sys.argv[3], device="cpu")  # whatever is loaded once
before = status("VmRSS:")
model = load_dual_ar(sys.argv[1], device="cpu", dtype=sys.argv[2])
weights = sum(parameter.nbytes for parameter in model.parameters())
print(weights, status("VmHWM:") - before, float(model.slow.layers[3].feed_forward.w2.weight[5, 6]))
"""


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    """1 GB in bfloat16, twice: in shards and in one pickled file."""
    raw = json.loads((GOLDEN_S1 / "config.json").read_text())
    raw |= {"dim": DIM, "intermediate_size": FFN, "n_layer": LAYERS, "n_head": 16, "n_local_heads": 16, "head_dim": 128}
    with torch.device("meta"):
        model = DualAR(DualARConfig.from_dict(raw))
    tensors = {name: torch.zeros(t.shape, dtype=torch.bfloat16) for name, t in model.state_dict().items()}
    tensors["slow.layers.3.feed_forward.w2.weight"][5, 6] = 0.5
    assert sum(tensor.nbytes for tensor in tensors.values()) > 1e9

    folders = {form: tmp_path_factory.mktemp(form) for form in ("sharded", "pickled")}
    for folder in folders.values():
        (folder / "config.json").write_text(json.dumps(raw))
        shutil.copy(GOLDEN_S1 / "tokenizer.json", folder)
    torch.save(
        {n.removeprefix("slow.").replace("fast.", "fast_", 1): tensor for n, tensor in tensors.items()},
        folders["pickled"] / PICKLED,
    )
    names = sorted(tensors)
    weight_map = {}
    for at, part in enumerate((names[: len(names) // 2], names[len(names) // 2 :])):
        file = f"model-{at}.safetensors"
        save_file({to_s2(name): tensors[name] for name in part}, folders["sharded"] / file)
        weight_map |= {to_s2(name): file for name in part}
    (folders["sharded"] / INDEX).write_text(json.dumps({"weight_map": weight_map}))
    yield folders
    for folder in folders.values():
        shutil.rmtree(folder)


@pytest.mark.parametrize("form", ["sharded", "pickled"])
@pytest.mark.parametrize("dtype", ["bfloat16", "float32"])
def test_loading_peaks_below_1_2_of_the_weights(checkpoint: dict[str, Path], form: str, dtype: str) -> None:
    command = [sys.executable, "-c", CHILD, str(checkpoint[form]), dtype, str(GOLDEN_S1)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    weights, growth, value = (float(word) for word in done.stdout.split())
    assert weights > 1e9 * (2 if dtype == "float32" else 1)
    assert value == 0.5
    assert growth < 1.2 * weights, f"{growth / weights:.3f} of {weights / 1e9:.2f} GB"
    print(f"{form} {dtype}: peak {growth / weights:.3f} x {weights / 1e9:.2f} GB")
