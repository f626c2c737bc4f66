"""The modified DAC made ready for training, and its plain weights taken out again.

    prepare_for_training(codec, ...)    initial weights, weight norm, gradient checkpointing
    set_checkpointing(codec, on)        the last of these by itself
    plain_state_dict(codec)             the weights as they ship

The inference classes know nothing of this. Weight norm is torch's parametrisation, on the convolutions that have it in
the released file; checkpointing swaps the class of a module for a subclass with another `forward`. Neither changes what
the codec computes. Source: spec/codec.md 2.2, 5.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrizations, parametrize
from torch.utils.checkpoint import checkpoint

from lungfish.codec.dac import ModifiedDAC
from lungfish.codec.dac_decoder import DecoderStage
from lungfish.codec.dac_encoder import EncoderStage
from lungfish.codec.quantizer import Codebook
from lungfish.codec.windowed_transformer import WindowedBlock
from lungfish.errors import PartError, TrainingError
from lungfish.nn.convnext import ConvNeXt
from lungfish.nn.norms import LayerScale, RMSNorm
from lungfish.nn.snake import Snake

_WEIGHT_STD = 0.02
_CONVNEXT_GAIN = 1e-6
_LAYER_SCALE = 1e-2


def prepare_for_training(codec: ModifiedDAC, weight_norm: bool, checkpointing: bool, seed: int | None) -> None:
    """Make `codec` trainable, in place, and put it into training mode.

    Args:
        codec: with its encoder.
        weight_norm: train magnitude and direction of the convolutions of encoder, decoder and books apart.
        checkpointing: recompute activations in the backward pass instead of keeping them (`set_checkpointing`).
        seed: of the initial weights; None keeps the weights, of a codec that was loaded.

    Raises:
        PartError: loaded for decoding only.
        TrainingError: its convolutions have weight norm already.
    """
    if not codec.can_encode:
        raise PartError("a codec that was loaded for decoding only cannot be trained; load it whole")
    if any(parametrize.is_parametrized(module) for module in codec.modules()):
        raise TrainingError("this codec was prepared for training before; prepare a new one")
    if seed is not None:
        initialise(codec, seed)
    if weight_norm:
        for module in list(_weight_normed(codec)):
            parametrizations.weight_norm(module)  # over all axes but the first, transposed convolutions too
    set_checkpointing(codec, checkpointing)
    codec.train()


@torch.no_grad()
def initialise(codec: ModifiedDAC, seed: int) -> None:
    """Initial weights that depend on the seed alone, not on the device.

    Convolutions and linears: truncated normal, deviation 0.02, no bias. Books: standard normal, as their embeddings are.
    Gains start small enough for blocks to be nearly the identity; Snake at frequency 1.
    """
    generator = torch.Generator().manual_seed(seed)
    for module in codec.modules():
        if isinstance(module, nn.Conv1d | nn.ConvTranspose1d | nn.Linear):
            drawn = torch.empty(module.weight.shape)
            module.weight.copy_(nn.init.trunc_normal_(drawn, std=_WEIGHT_STD, generator=generator))
            if module.bias is not None:
                module.bias.zero_()
        elif isinstance(module, nn.Embedding):
            module.weight.copy_(torch.empty(module.weight.shape).normal_(generator=generator))
        elif isinstance(module, nn.LayerNorm):
            module.reset_parameters()
        elif isinstance(module, RMSNorm):
            module.weight.fill_(1)
        elif isinstance(module, ConvNeXt):
            module.gamma.fill_(_CONVNEXT_GAIN)
        elif isinstance(module, LayerScale):
            module.gamma.fill_(_LAYER_SCALE)
        elif isinstance(module, Snake):
            module.alpha.fill_(1)


@torch.no_grad()
def plain_state_dict(codec: ModifiedDAC) -> dict[str, Tensor]:
    """Weight norm applied, released names: what an untouched `ModifiedDAC` of the same config loads.

    The weights are the very ones that the codec computes with, to the bit. Those without weight norm share memory with the
    codec's; clone what must outlive the next step.
    """
    state = {name: value for name, value in codec.state_dict().items() if ".parametrizations." not in name}
    for name, module in codec.named_modules():
        if parametrize.is_parametrized(module, "weight"):
            state[f"{name}.weight"] = module.weight.detach()  # type: ignore[union-attr]
    return state


def set_checkpointing(codec: ModifiedDAC, on: bool) -> None:
    """Keep only the inputs of stages and transformer layers for the backward pass, and run them again there; or all.

    Snakes too, inside the stages: each would keep five tensors at its stage's rate while the stage is run again. The
    layers of the encoder's transformer are part of a stage and are not run a third time.
    """
    swaps = dict(_RECOMPUTED) if on else {new: old for old, new in _RECOMPUTED}
    for module in codec.modules():
        module.__class__ = swaps.get(type(module), type(module))
    for stage in codec.encoder.block:
        for module in stage.modules():
            if isinstance(module, _RecomputedBlock):
                module.__class__ = WindowedBlock  # pyright: ignore[reportAttributeAccessIssue]


class _Recomputed(nn.Module):
    """Before an inference class among the bases: its `forward`, run again in the backward pass.

    A class and not a wrapped method, so that a copied module runs its own weights.
    """

    def forward(self, *inputs: Tensor) -> Tensor:
        if not torch.is_grad_enabled():
            return super().forward(*inputs)
        return checkpoint(super().forward, *inputs, use_reentrant=False)  # type: ignore[return-value]


class _RecomputedEncoderStage(_Recomputed, EncoderStage):
    pass


class _RecomputedDecoderStage(_Recomputed, DecoderStage):
    pass


class _RecomputedBlock(_Recomputed, WindowedBlock):
    pass


class _RecomputedSnake(_Recomputed, Snake):
    pass


_RECOMPUTED: tuple[tuple[type[nn.Module], type[nn.Module]], ...] = (
    (EncoderStage, _RecomputedEncoderStage),
    (DecoderStage, _RecomputedDecoderStage),
    (WindowedBlock, _RecomputedBlock),
    (Snake, _RecomputedSnake),
)


def _weight_normed(codec: ModifiedDAC) -> Iterator[nn.Module]:
    """The convolutions that have weight norm in the released file."""
    for part in (codec.encoder, codec.decoder):
        yield from (module for module in part.modules() if isinstance(module, nn.Conv1d | nn.ConvTranspose1d))
    for module in codec.quantizer.modules():
        if isinstance(module, Codebook):
            yield from (module.in_proj, module.out_proj)
