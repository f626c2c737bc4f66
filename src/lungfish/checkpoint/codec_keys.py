"""Tensor names of codec files: wrappers off, weight norm folded, saved tables dropped; and the released spelling back.

Works on plain mappings name -> tensor; opens no file and builds no model. Source: spec/codec.md 2.1, 2.2, 2.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import torch
from torch import Tensor

from lungfish.errors import WeightsError

# (suffix of the magnitude, suffix of the direction, suffix of what they fold into)
_WEIGHT_NORM = (
    (".parametrizations.weight.original0", ".parametrizations.weight.original1", ".weight"),
    (".weight_g", ".weight_v", ".weight"),
)
_SAVED_TABLES = (".causal_mask", ".freqs_cis")
_GENERATOR = "generator."
_ENCODE_ONLY = ("encoder.", "quantizer.downsample.", "quantizer.pre_module.")


def unwrap(raw: Mapping[str, object], where: str) -> dict[str, Tensor]:
    """Descend into a training checkpoint's `state_dict`; keep only its generator where it has one.

    Raises:
        WeightsError: something in there is not a tensor.
    """
    inner = raw.get("state_dict", raw)
    if not isinstance(inner, Mapping):
        raise WeightsError(f"{where}: state_dict does not hold named tensors")
    if any(str(name).startswith(_GENERATOR) for name in inner):
        inner = {
            name.removeprefix(_GENERATOR): value
            for name, value in inner.items()
            if isinstance(name, str) and name.startswith(_GENERATOR)
        }
    state = {name: value for name, value in inner.items() if isinstance(name, str) and isinstance(value, Tensor)}
    if len(state) != len(inner):
        raise WeightsError(f"{where}: holds {len(inner) - len(state)} entries that are not named tensors")
    return state


def fold_weight_norm(state: Mapping[str, Tensor], where: str) -> dict[str, Tensor]:
    """Replace each magnitude g and direction v by weight = g * v / ||v||, the norm over all axes but the first.

    Axis 0 is the output channel of a convolution and the input channel of a transposed one; the rule is the same.
    Folds in float32 and returns the type of v. Halves without their partner, or beside a plain weight, are left for the
    strict check to report.

    Raises:
        WeightsError: a magnitude that does not fit its direction.
    """
    folded = dict(state)
    for magnitude_suffix, direction_suffix, weight_suffix in _WEIGHT_NORM:
        for name in [name for name in folded if name.endswith(direction_suffix)]:
            module = name.removesuffix(direction_suffix)
            magnitude_name, weight_name = module + magnitude_suffix, module + weight_suffix
            if magnitude_name not in folded or weight_name in folded:
                continue
            magnitude, direction = folded.pop(magnitude_name), folded.pop(name)
            if magnitude.shape != direction.shape[:1] + (1,) * (direction.dim() - 1) or direction.dim() < 2:
                raise WeightsError(
                    f"{where}: weight norm of {module} has magnitudes {list(magnitude.shape)}"
                    f" for directions {list(direction.shape)}"
                )
            wide = direction.float()
            norm = torch.linalg.vector_norm(wide, dim=tuple(range(1, wide.dim())), keepdim=True)
            folded[weight_name] = (wide * (magnitude.float() / norm)).to(direction.dtype)
    return folded


def drop_saved_tables(state: Mapping[str, Tensor], transformers: Iterable[str]) -> dict[str, Tensor]:
    """Leave out the masks and rope tables that older files saved inside the named transformer modules."""
    tables = {module + suffix for module in transformers for suffix in _SAVED_TABLES}
    return {name: tensor for name, tensor in state.items() if name not in tables}


def is_encode_only(name: str) -> bool:
    """Whether a tensor of either codec, in any spelling, serves encoding alone. `drop_encoder` of the codecs agrees."""
    return name.startswith(_ENCODE_ONLY) or ".in_proj." in name


def released_shapes(folded: Mapping[str, Tensor]) -> dict[str, torch.Size]:
    """Names and shapes of the released file for a modified DAC's folded parameters.

    Encoder and decoder convolutions are weight-normed in one spelling, the books' projections in the other; the rate
    changes between them, all linears and all else are plain.
    """
    shapes: dict[str, torch.Size] = {}
    for name, tensor in folded.items():
        module, shape = name.removesuffix(".weight"), tensor.shape
        if name.startswith(("encoder.", "decoder.")) and name.endswith(".conv.weight"):
            magnitude, direction, _ = _WEIGHT_NORM[0]
        elif name.endswith((".in_proj.weight", ".out_proj.weight")):
            magnitude, direction, _ = _WEIGHT_NORM[1]
        else:
            shapes[name] = shape
            continue
        shapes[module + magnitude] = torch.Size((shape[0],) + (1,) * (len(shape) - 1))
        shapes[module + direction] = shape
    return shapes
