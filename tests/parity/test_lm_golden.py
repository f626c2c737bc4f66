"""The language model against its golden bundles: those of the repository, and the same or more beside the checkout."""

from pathlib import Path

import pytest

from lungfish.evaluation.parity import run

GOLDEN = Path(__file__).parents[1] / "golden" / "lm"


def check(folder):
    stages = run(folder)
    assert len(stages) > 30
    assert [f"{stage.name}: {stage.worst} > {stage.tolerance}" for stage in stages if not stage.passed] == []
    exact = {stage.name.split(" ", 1)[-1] for stage in stages if stage.tolerance == 0}
    assert {"prompts", "greedy codes", "batches", "kept sets", "tokens"} <= exact
    float32 = [stage for stage in stages if stage.name.endswith("float32")]
    assert float32
    assert max(stage.tolerance for stage in float32) == 1e-4


def test_bundles_of_the_repository():
    check(GOLDEN)


def test_bundles_beside_the_checkout(shared):
    check(shared / "golden" / "lm")


@pytest.mark.parametrize("name", ["s1_tiny", "s2_tiny"])
def test_one_checkpoint_alone(name):
    stages = run(GOLDEN / name)
    assert len(stages) == 16
    assert all(stage.passed for stage in stages)
