import copy
from typing import Any

import pytest
import torch
from torch.nn.utils import parametrize

from dac_toy import SMALLEST_DAC
from lungfish.checkpoint.codec_keys import released_shapes
from lungfish.codec.dac import ModifiedDAC
from lungfish.codec.windowed_transformer import WindowedBlock
from lungfish.errors import PartError, TrainingError
from lungfish.training import dac_setup
from lungfish.training.dac_setup import initialise, plain_state_dict, prepare_for_training, set_checkpointing

WAVEFORM = 0.5 * torch.randn(2, 1, 80, generator=torch.Generator().manual_seed(3))


def prepared(weight_norm: bool = True, checkpointing: bool = False, seed: int | None = 0) -> Any:
    torch.manual_seed(9)
    codec = ModifiedDAC(SMALLEST_DAC)
    prepare_for_training(codec, weight_norm, checkpointing, seed)
    return codec


def round_trip(codec: ModifiedDAC) -> torch.Tensor:
    return codec.synthesise(codec.quantizer.quantize(codec.latents(WAVEFORM)).quantized)


def test_initial_weights_depend_on_the_seed_alone():
    codec = prepared(weight_norm=False)
    torch.manual_seed(1234)
    again: Any = ModifiedDAC(SMALLEST_DAC)
    initialise(again, 0)
    for name, value in codec.state_dict().items():
        assert torch.equal(value, again.state_dict()[name]), name
    initialise(again, 1)
    assert not torch.equal(codec.encoder.block[0].conv.weight, again.encoder.block[0].conv.weight)


def test_initial_weights_are_those_of_training_from_scratch():
    state = prepared(weight_norm=False).state_dict()
    assert state["quantizer.pre_module.layers.0.attention.wqkv.weight"].std() == pytest.approx(0.02, rel=0.1)
    assert not state["decoder.model.0.conv.bias"].any()
    assert state["quantizer.pre_module.layers.0.ffn_layer_scale.gamma"].eq(1e-2).all()
    assert state["quantizer.downsample.0.1.gamma"].eq(1e-6).all()
    assert state["encoder.block.1.block.0.block.0.alpha"].eq(1).all()
    assert state["quantizer.semantic_quantizer.quantizers.0.codebook.weight"].std() == pytest.approx(1, rel=0.4)


def test_without_a_seed_the_weights_stay():
    torch.manual_seed(9)
    untouched = ModifiedDAC(SMALLEST_DAC)
    for name, value in plain_state_dict(prepared(weight_norm=False, seed=None)).items():
        assert torch.equal(value, untouched.state_dict()[name]), name


def test_weight_norm_is_where_the_released_file_has_it():
    codec = prepared()
    got = {
        name.replace("_proj.parametrizations.weight.original0", "_proj.weight_g").replace(
            "_proj.parametrizations.weight.original1", "_proj.weight_v"
        ): value.shape
        for name, value in codec.state_dict().items()
    }
    assert got == released_shapes(plain_state_dict(codec))


def test_plain_weights_compute_the_same_to_the_bit():
    codec = prepared(checkpointing=True)
    with torch.no_grad():
        for parameter in codec.parameters():  # magnitudes and directions that no longer fit each other
            parameter.mul_(1 + 0.3 * torch.rand_like(parameter))
    plain = ModifiedDAC(SMALLEST_DAC)
    plain.load_state_dict(plain_state_dict(codec))
    codec.eval()
    plain.eval()
    codes, _ = codec.encode(WAVEFORM)
    assert torch.equal(plain.encode(WAVEFORM)[0], codes)
    assert torch.equal(plain.decode(codes), codec.decode(codes))
    assert torch.equal(plain.latents(WAVEFORM), codec.latents(WAVEFORM))


def test_checkpointing_changes_neither_output_nor_gradients():
    kept, recomputed = prepared(), prepared(checkpointing=True)
    outputs = [round_trip(codec) for codec in (kept, recomputed)]
    assert torch.equal(*outputs)
    for output in outputs:
        output.square().sum().backward()
    for (name, one), other in zip(kept.named_parameters(), recomputed.parameters(), strict=True):
        assert (one.grad is None) == (other.grad is None), name
        if one.grad is not None:
            torch.testing.assert_close(other.grad, one.grad, msg=name)


def test_checkpointing_keeps_less_for_the_backward_pass():
    kept = {}
    for on in (False, True):
        codec, stored = prepared(checkpointing=on), []
        with torch.autograd.graph.saved_tensors_hooks(
            lambda tensor, stored=stored: stored.append(tensor.nbytes) or tensor, lambda tensor: tensor
        ):
            round_trip(codec)
        kept[on] = sum(stored)
    assert kept[True] < 0.5 * kept[False]


def test_checkpointing_comes_off_and_leaves_the_encoders_own_layers_alone():
    codec = prepared(checkpointing=True)
    types = {type(module) for module in codec.modules()}
    assert dac_setup._RecomputedDecoderStage in types
    assert {type(layer) for layer in codec.quantizer.post_module.layers} == {dac_setup._RecomputedBlock}
    assert {type(layer) for layer in codec.encoder.block[2].block[-1].layers} == {WindowedBlock}
    set_checkpointing(codec, False)
    assert not any(isinstance(module, dac_setup._Recomputed) for module in codec.modules())


def test_a_copy_runs_its_own_weights():
    codec = prepared(checkpointing=True)
    other: Any = copy.deepcopy(codec).requires_grad_(False)
    before = round_trip(codec)
    with torch.no_grad():
        for parameter in other.parameters():
            parameter.mul_(1.5)
    assert torch.equal(round_trip(codec), before)
    assert not torch.equal(round_trip(other), before)
    assert parametrize.is_parametrized(other.decoder.model[0].conv)


def test_what_cannot_be_trained_is_refused():
    with pytest.raises(TrainingError, match="before"):
        prepare_for_training(prepared(), True, False, None)
    codec = ModifiedDAC(SMALLEST_DAC)
    codec.drop_encoder()
    with pytest.raises(PartError, match="decoding only"):
        prepare_for_training(codec, True, False, None)
