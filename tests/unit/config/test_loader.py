from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from pydantic import Field

from lungfish.config.loader import StrictModel, load_config
from lungfish.errors import ConfigError


class Optimizer(StrictModel):
    learning_rate: float = Field(gt=0)
    betas: tuple[float, float] = (0.9, 0.95)
    kind: Literal["adamw", "muon"] = "adamw"


class Run(StrictModel):
    output: Path
    steps: int = Field(10, gt=0)
    resume: bool = True
    name: str = "run"
    optimizer: Optimizer
    stages: list[Optimizer] = []


GOOD = "output: runs/a\noptimizer: {learning_rate: 1e-4}\n"


def load(tmp_path: Path, text: str, *overrides: str) -> Run:
    path = tmp_path / "run.yaml"
    path.write_text(text)
    return load_config(path, Run, list(overrides))


def test_values_of_every_kind(tmp_path: Path) -> None:
    run = load(
        tmp_path, GOOD + "steps: 0x10\nresume: false\nname: yes\nstages: [{learning_rate: 1, betas: [.5, 1.]}]\n"
    )
    assert run.output == Path("runs/a")
    assert run.optimizer.learning_rate == 1e-4
    assert (run.steps, run.resume, run.name) == (16, False, "yes")
    assert run.stages[0].betas == (0.5, 1.0)


@pytest.mark.parametrize("text", ["1e-4", "1E-4", "1.e-4", "+1e-04", ".0001", "0.0001"])
def test_floats_of_yaml_1_2(tmp_path: Path, text: str) -> None:
    run = load(tmp_path, f"output: a\noptimizer: {{learning_rate: {text}}}\n")
    assert run.optimizer.learning_rate == pytest.approx(1e-4)


def test_scalars_that_yaml_1_1_would_mangle_stay_text(tmp_path: Path) -> None:
    for text in ("on", "no", "2026-12-01", "1:30", "1_000"):
        assert load(tmp_path, GOOD + f"name: {text}\n").name == text


def test_leading_zeros_are_decimal(tmp_path: Path) -> None:
    assert load(tmp_path, GOOD + "steps: 010\n").steps == 10


def test_overrides_win_and_reach_below(tmp_path: Path) -> None:
    text = GOOD + "stages: [{learning_rate: 1}]\n"
    run = load(tmp_path, text, "optimizer.learning_rate=2e-3", "steps=3", "stages.0.kind=muon", "steps=4", "name=a=b")
    assert run.optimizer.learning_rate == 2e-3
    assert (run.steps, run.stages[0].kind, run.name) == (4, "muon", "a=b")


def test_an_override_can_make_a_section(tmp_path: Path) -> None:
    assert load(tmp_path, "output: a\n", "optimizer.learning_rate=1").optimizer.learning_rate == 1.0


def test_an_empty_file_means_defaults(tmp_path: Path) -> None:
    (tmp_path / "empty.yaml").write_text("# nothing\n")

    class Empty(StrictModel):
        steps: int = 3

    assert load_config(tmp_path / "empty.yaml", Empty).steps == 3


def test_models_are_frozen(tmp_path: Path) -> None:
    run = load(tmp_path, GOOD)
    with pytest.raises(ValueError, match="frozen"):
        run.steps = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "overrides", "expected"),
    [
        (GOOD + "stepz: 3\n", [], r"stepz: no such key, did you mean 'steps'\?"),
        (GOOD + "zzz: 3\n", [], "zzz: no such key; allowed: name, optimizer, output, resume, stages, steps"),
        (GOOD, ["optimizer.zzz=3"], "optimizer.zzz: no such key; allowed: betas, kind, learning_rate"),
        (GOOD + "stages: [{learning_rate: 1, zzz: 2}]\n", [], "stages.0.zzz: no such key; allowed: betas, kind"),
        ("output: a\n", [], "optimizer: must be given"),
        (GOOD + "steps: '5'\n", [], r'steps: input should be a valid integer \(got "5"\)'),
        (GOOD + "steps: 0\n", [], r"steps: input should be greater than 0 \(got 0\)"),
        (GOOD + "resume: 1\n", [], "resume: input should be a valid boolean"),
        (GOOD, ["optimizer.kind=sgd"], r"optimizer.kind: input should be 'adamw' or 'muon' \(got \"sgd\"\)"),
        (GOOD + "steps: 1\nsteps: 2\n", [], "line 4, column 1 the key 'steps' is given twice"),
        ("a: [1\n", [], "line 2, column 1"),
        ("- a\n", [], "a config is a mapping"),
        ("output: !!python/object:os.system a\n", [], "could not determine a constructor"),
        (GOOD, ["steps"], "write it as key=value"),
        (GOOD, ["=3"], "write it as key=value"),
        (GOOD, ["steps.more=3"], "steps.more: no such key|input should be a valid integer"),
        (GOOD, ["output.more=3"], "output is a value and has no keys below it"),
        (GOOD + "stages: []\n", ["stages.0.kind=muon"], "'0' is not an index into a list of 0"),
    ],
)
def test_errors_are_one_line_that_names_the_key(tmp_path: Path, text: str, overrides: list[str], expected: str) -> None:
    with pytest.raises(ConfigError, match=expected) as caught:
        load(tmp_path, text, *overrides)
    assert "\n" not in str(caught.value)


def test_a_missing_file_a_folder_and_bytes(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no such config file"):
        load_config(tmp_path / "absent.yaml", Run)
    with pytest.raises(ConfigError, match="Is a directory"):
        load_config(tmp_path, Run)
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="not UTF-8"):
        load_config(tmp_path / "bytes.yaml", Run)
