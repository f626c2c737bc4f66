"""The ladder notices planted faults, takes any bundle of the layout, and says what is wrong with a damaged one."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from lungfish.errors import CheckpointError
from lungfish.evaluation.parity import run
from lungfish.evaluation.verify import verify_lm
from lungfish.evaluation.verify_sampler import verify_sampler

GOLDEN = Path(__file__).parents[2] / "golden" / "lm"
STAGES = {
    *("weights", "batches", "prompts", "greedy codes", "cached = uncached", "same choice bfloat16"),
    *(
        f"{what} {dtype}"
        for what in ("semantic logits", "fast input", "fast logits")
        for dtype in ("float32", "bfloat16")
    ),
    *(f"training {what} logits {dtype}" for what in ("token", "codebook") for dtype in ("float32", "bfloat16")),
}


@pytest.fixture
def bundle(tmp_path):
    """One case of one batch, under another name."""
    folder = tmp_path / "lm"
    shutil.copytree(GOLDEN / "s2_tiny", folder / "other")
    texts = json.loads((GOLDEN / "s2_tiny.golden.json").read_text())
    kept = {name: texts[name] for name in ("clone", "clone.0")}
    (folder / "other.golden.json").write_text(json.dumps(kept))
    with np.load(GOLDEN / "s2_tiny.golden.npz") as arrays:
        chosen = {name: arrays[name] for name in arrays.files if name.startswith(("clone", "train"))}
    np.savez(folder / "other.golden.npz", **chosen)
    return folder


def change(bundle, **arrays):
    path = bundle / "other.golden.npz"
    with np.load(path) as old:
        np.savez(path, **{name: old[name] for name in old.files} | arrays)


def array(bundle, name):
    with np.load(bundle / "other.golden.npz") as arrays:
        return arrays[name]


def failed(bundle):
    return {stage.name.removeprefix("other ") for stage in run(bundle) if not stage.passed}


def test_a_bundle_under_any_name_passes(bundle):
    stages = run(bundle)
    assert {stage.name for stage in stages} == {f"other {name}" for name in STAGES}
    assert all(stage.passed for stage in stages)
    assert {stage.name for stage in run(bundle / "other")} == STAGES
    assert {stage.name for stage in run(bundle.parent)} == {f"lm/other {name}" for name in STAGES}


@pytest.mark.parametrize(
    ("name", "stages"),
    [
        ("clone.0.semantic_logits.float32", {"semantic logits float32"}),
        ("clone.0.im_end_logit.float32", {"semantic logits float32"}),
        ("clone.0.fast_input.float32", {"fast input float32"}),
        ("clone.0.fast_logits.float32", {"fast logits float32"}),
        ("train.token_logits.float32", {"training token logits float32"}),
        ("train.codebook_logits.float32", {"training codebook logits float32"}),
    ],
)
def test_a_small_difference_fails_its_stage(bundle, name, stages):
    value = array(bundle, name).copy()
    value.flat[-1] += 2e-4
    change(bundle, **{name: value})
    assert failed(bundle) == stages


@pytest.mark.parametrize("what", ["semantic_logits", "fast_input", "fast_logits"])
def test_a_large_difference_fails_bfloat16(bundle, what):
    name = f"clone.0.{what}.bfloat16"
    change(bundle, **{name: array(bundle, name) + 0.6})
    assert failed(bundle) == {f"{what.replace('_', ' ')} bfloat16"}


def test_another_prompt_fails(bundle):
    prompt = array(bundle, "clone.0.prompt").copy()
    prompt[0, 3] += 1
    change(bundle, **{"clone.0.prompt": prompt})
    assert failed(bundle) == {"prompts"}


def test_another_code_fails(bundle):
    codes = array(bundle, "clone.0.codes.float32").copy()
    codes[3, 5] = (codes[3, 5] + 1) % 256
    change(bundle, **{"clone.0.codes.float32": codes})
    assert failed(bundle) == {"greedy codes"}


def test_other_batches_fail(bundle):
    path = bundle / "other.golden.json"
    texts = json.loads(path.read_text())
    texts["clone"]["text"] += "<|speaker:0|> more"
    path.write_text(json.dumps(texts))
    assert failed(bundle) == {"batches"}


def test_a_model_of_other_weights_fails(bundle):
    """A single changed weight of each stack."""
    from safetensors.torch import load_file, save_file

    path = bundle / "other" / "model-00001-of-00002.safetensors"
    tensors = load_file(path)
    tensors["audio_decoder.layers.0.attention.wo.weight"][0, 0] += 0.5
    save_file(tensors, path)
    assert {"fast logits float32", "training codebook logits float32"} <= failed(bundle)
    assert "semantic logits float32" not in failed(bundle)


def test_an_end_on_the_first_frame_is_expected_of_us(bundle):
    """The reference overlooks it and goes on; we stop. The golden score of the end says which it is."""
    change(bundle, **{"clone.0.im_end_logit.float32": np.float32(99.0)})
    stages = {stage.name.removeprefix("other "): stage for stage in run(bundle)}
    assert not stages["greedy codes"].passed  # this model does not end, so nothing may be claimed
    assert "1 of which end before the first frame" in stages["greedy codes"].note


def test_the_sampler_ladder():
    with np.load(GOLDEN / "sampler.npz") as arrays:
        rows = {name: torch.from_numpy(arrays[name]) for name in arrays.files}
    assert [stage.passed for stage in verify_sampler(rows)] == [True, True, True]
    row = int((rows["top_k"] == 257).nonzero()[0])
    for name, stage in (("kept", 0), ("token", 2)):
        wrong = rows[name].clone()
        wrong[row] = ~wrong[row] if name == "kept" else (wrong[row] + 1) % 257
        assert not verify_sampler(rows | {name: wrong})[stage].passed
    wrong = rows["probs"] + 1e-3
    assert [stage.passed for stage in verify_sampler(rows | {"probs": wrong})] == [True, False, True]
    with pytest.raises(CheckpointError, match="lacks kept"):
        verify_sampler({name: value for name, value in rows.items() if name != "kept"})


def test_a_cut_elsewhere_among_equals_is_no_fault():
    with np.load(GOLDEN / "sampler.npz") as arrays:
        rows = {name: torch.from_numpy(arrays[name]) for name in arrays.files}
    logits, kept = rows["logits"], rows["kept"].clone()
    row = next(i for i in range(40) if rows["top_k"][i] == 1 and (logits[i] == logits[i].max()).sum() > 1)
    equals = (logits[row] == logits[row].max()).nonzero().flatten().tolist()
    other = next(i for i in equals if not kept[row, i])
    kept[row] = False
    kept[row, other] = True
    token = rows["token"].clone()
    token[row] = other
    stages = verify_sampler(
        rows
        | {
            "kept": kept,
            "token": token,
            "probs": torch.where(torch.arange(40)[:, None] == row, kept[row].float(), rows["probs"]),
        }
    )
    assert all(stage.passed for stage in stages)
    assert "of them cut elsewhere among equal logits" in stages[0].note


def test_damaged_bundles(bundle):
    arrays, texts = bundle / "other.golden.npz", bundle / "other.golden.json"
    full, text = arrays.read_bytes(), texts.read_text()
    arrays.write_bytes(full[:500])
    with pytest.raises(CheckpointError, match="damaged"):
        run(bundle)
    arrays.unlink()
    with pytest.raises(CheckpointError, match="not found"):
        run(bundle)
    arrays.write_bytes(full)
    for content in ("{", "[]", '{"a": 1}'):
        texts.write_text(content)
        with pytest.raises(CheckpointError):
            run(bundle)
    texts.write_text(text)
    with np.load(arrays) as old:
        np.savez(arrays, **{name: old[name] for name in old.files if name != "clone.ref0"})
    with pytest.raises(CheckpointError, match=r"lacks clone\.ref0"):
        run(bundle)
    shutil.rmtree(bundle / "other")
    with pytest.raises(CheckpointError):
        run(bundle)


def test_folders_without_bundles(tmp_path):
    with pytest.raises(CheckpointError, match="no such folder"):
        run(tmp_path / "nowhere")
    with pytest.raises(CheckpointError, match="not a golden bundle"):
        run(tmp_path)
    with pytest.raises(CheckpointError, match=r"no \*\.golden\.json"):
        verify_lm(tmp_path)


def test_a_cut_at_a_sum_that_rounds_either_way_is_no_fault():
    with np.load(GOLDEN / "sampler.npz") as arrays:
        rows = {name: torch.from_numpy(arrays[name]) for name in arrays.files}
    row = int(((rows["top_p"] == 1.0) & (rows["top_k"] == 257)).nonzero()[0])
    order = rows["logits"][row].argsort(descending=True)
    for last, passed in ((-1, True), (0, False)):  # the last one lies at a sum of 1, the first one does not
        kept = rows["kept"].clone()
        kept[row] = True
        kept[row, order[last]] = False
        assert verify_sampler({**rows, "kept": kept})[0].passed is passed
