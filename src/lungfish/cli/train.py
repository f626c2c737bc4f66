"""`lungfish train codec|lm CONFIG [key=value ...]`: training from a strict YAML config; resumes by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="Train the codec or the language model from a YAML config.")

_Config = Annotated[Path, typer.Argument(help="YAML config, see configs/.")]
_Overrides = Annotated[list[str] | None, typer.Argument(help="key=value, over the config's values.")]
_Resume = Annotated[bool, typer.Option(help="Go on from the run's last checkpoint.")]


def _need_training_extra() -> None:
    from importlib.util import find_spec

    from lungfish.errors import DependencyError

    for package in ("lightning", "matplotlib"):
        if find_spec(package) is None:
            raise DependencyError(f"training needs the package {package}: pip install 'lungfish[train]'")


@app.command()
def codec(config: _Config, overrides: _Overrides = None, resume: _Resume = True) -> None:
    """Train the spectral codec (or its decoder alone) on packed audio."""
    _need_training_extra()
    from lungfish.config.loader import load_config
    from lungfish.training.codec import CodecRecipe, CodecTrainingConfig
    from lungfish.training.run import fit

    loaded = load_config(config, CodecTrainingConfig, overrides or [])
    fit(CodecRecipe(loaded), loaded, resume=resume)


@app.command()
def lm(config: _Config, overrides: _Overrides = None, resume: _Resume = True) -> None:
    """Train the Dual-AR language model on packed codes."""
    _need_training_extra()
    from lungfish.config.loader import load_config
    from lungfish.training.lm import LMRecipe, LMTrainingConfig
    from lungfish.training.run import fit

    loaded = load_config(config, LMTrainingConfig, overrides or [])
    fit(LMRecipe(loaded), loaded, resume=resume)


@app.command()
def export(
    lm_config: Annotated[Path, typer.Argument(help="Config of the language model's run.")],
    codec_config: Annotated[Path, typer.Argument(help="Config of the codec's (or decoder's) run.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the checkpoint.")],
) -> None:
    """Write the folder that ships: S2 layout, half precision, the codec beside the language model."""
    _need_training_extra()
    from lungfish.config.loader import load_config
    from lungfish.training.codec import CodecTrainingConfig
    from lungfish.training.export import export_voice
    from lungfish.training.lm import LMTrainingConfig

    written = export_voice(
        load_config(lm_config, LMTrainingConfig), load_config(codec_config, CodecTrainingConfig), output
    )
    print(f"{output}: " + ", ".join(f"{name} {value:,.6g}" for name, value in written.items()))
