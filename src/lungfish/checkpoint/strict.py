"""Giving a model its weights, all of them and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from lungfish.errors import WeightsError

_LISTED = 3  # names per kind of mistake in an error


def check_fit(model: nn.Module, described: Mapping[str, Tensor], where: str) -> None:
    """Compare names, shapes and types before any weight is read.

    Args:
        model: may be on the meta device.
        described: under the model's own names; may be on the meta device.
        where: the file, for the message.

    Raises:
        WeightsError: tensors missing, unexpected, misshapen, or not floating point.
    """
    wanted = model.state_dict()
    both = wanted.keys() & described.keys()
    kinds = {
        "missing": wanted.keys() - described.keys(),
        "unexpected": described.keys() - wanted.keys(),
        "misshapen": {
            f"{name} is {list(described[name].shape)}, not {list(wanted[name].shape)}"
            for name in both
            if described[name].shape != wanted[name].shape
        },
        "not floating point": {name for name in both if not described[name].is_floating_point()},
    }
    faults = [f"{len(found)} {kind} ({_some(sorted(found))})" for kind, found in kinds.items() if found]
    if faults:
        raise WeightsError(f"{where} does not fit its config: {'; '.join(faults)}")


def assign(model: nn.Module, name: str, tensor: Tensor) -> None:
    """Put `tensor` in the place of the parameter `name`, without a gradient."""
    module, _, leaf = name.rpartition(".")
    setattr(model.get_submodule(module), leaf, nn.Parameter(tensor, requires_grad=False))


def _some(names: list[str]) -> str:
    return ", ".join(names[:_LISTED]) + (", ..." if len(names) > _LISTED else "")
