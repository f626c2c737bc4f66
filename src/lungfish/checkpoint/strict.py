"""Giving a model its weights, all of them and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from lungfish.errors import WeightsError

_LISTED = 3  # names per kind of mistake in an error


def fill(model: nn.Module, state: Mapping[str, Tensor], where: str) -> None:
    """Assign `state` to a model built on the meta device.

    Args:
        model: its parameters are replaced by the tensors of `state`.
        state: under the model's own names.
        where: the file, for the message.

    Raises:
        WeightsError: tensors missing, unexpected, misshapen, or not floating point.
    """
    wanted = model.state_dict()
    both = wanted.keys() & state.keys()
    kinds = {
        "missing": wanted.keys() - state.keys(),
        "unexpected": state.keys() - wanted.keys(),
        "misshapen": {
            f"{name} is {list(state[name].shape)}, not {list(wanted[name].shape)}"
            for name in both
            if state[name].shape != wanted[name].shape
        },
        "not floating point": {name for name in both if not state[name].is_floating_point()},
    }
    faults = [f"{len(found)} {kind} ({_some(sorted(found))})" for kind, found in kinds.items() if found]
    if faults:
        raise WeightsError(f"{where} does not fit its config: {'; '.join(faults)}")
    model.load_state_dict(dict(state), assign=True)


def _some(names: list[str]) -> str:
    return ", ".join(names[:_LISTED]) + (", ..." if len(names) > _LISTED else "")
