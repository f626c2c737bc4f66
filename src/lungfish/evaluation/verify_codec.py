"""The parity ladder of a codec bundle: every stage of the modified DAC against golden tensors.

A bundle is a folder with config.json, codec.safetensors and/or codec.pth, io.npz and intermediates.npz. Each stage is
fed from golden input, so that a fault shows where it is. Source: spec/codec.md 7.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from lungfish.checkpoint.codec import WEIGHT_FILES, load_codec
from lungfish.codec.dac import ModifiedDAC
from lungfish.errors import CheckpointError
from lungfish.evaluation.parity import Stage

_LATENT = 3e-5
_QUANTIZED = 1e-5
_WAVEFORM = 2e-4
_SECOND_CLIP = 20_000  # sample of waveform_in where the second clip of the batch case starts

_GOLDEN = (
    *("waveform_in", "codes", "code_lengths", "waveform_out", "codes_out_of_range", "waveform_out_of_range"),
    *("batch_in_lengths", "batch_codes", "batch_code_lengths"),
    *("encoder_transformer_in", "encoder_transformer_out", "encoder_out", "downsample_out", "latent", "vq_latents"),
    *("semantic_z_encode", "quantized_encode", "semantic_z_decode", "quantized_decode"),
    *("post_transformer_out", "upsample_out", "decoder_out"),
)


def verify_codec(bundle: str | Path, device: str = "cpu") -> list[Stage]:
    """Run the ladder on every weight file of the bundle.

    Args:
        bundle: the folder.
        device: where to compute; the tolerances are meant for float32 on the CPU.

    Returns:
        One stage per comparison; the name starts with the file's when there are two.

    Raises:
        CheckpointError: files missing or damaged, weights that do not fit, or a codec of another kind.
    """
    folder = Path(bundle)
    golden = {**_read_npz(folder / "io.npz"), **_read_npz(folder / "intermediates.npz")}
    files = [name for name in WEIGHT_FILES if (folder / name).is_file()]
    if not files:
        raise CheckpointError(f"{folder}: has neither {' nor '.join(WEIGHT_FILES)}")
    stages: list[Stage] = []
    for name in files:
        codec = load_codec(folder / name, device=device, dtype="float32")
        if not isinstance(codec, ModifiedDAC):
            raise CheckpointError(f"{folder}: golden bundles exist for the modified DAC only")
        absent = sorted({*_GOLDEN, f"encoder_block{codec.config.encoder_transformer_stage}_out"} - set(golden))
        if absent:
            raise CheckpointError(f"{folder}: the bundle lacks {', '.join(absent)}")
        prefix = f"{name} " if len(files) > 1 else ""
        stages += _Ladder(codec, golden, prefix).climb()
    return stages


class _Ladder:
    """One weight file's climb: `golden` names -> tensors, `stages` as they are reached."""

    def __init__(self, codec: ModifiedDAC, golden: Mapping[str, Tensor], prefix: str) -> None:
        self.codec, self.prefix, self.stages = codec, prefix, list[Stage]()
        device = next(codec.parameters()).device
        self.golden = {name: tensor.to(device) for name, tensor in golden.items()}
        self.waveform = self.golden["waveform_in"].reshape(1, 1, -1)

    @torch.no_grad()
    def climb(self) -> list[Stage]:
        self.encoder()
        self.quantizer()
        self.decoder()
        self.cases()
        return self.stages

    def encoder(self) -> None:
        codec, golden = self.codec, self.golden
        blocks = codec.encoder.block
        stage = codec.config.encoder_transformer_stage + 1
        at_stage = blocks[stage].block
        assert isinstance(at_stage, nn.Sequential)
        padded = nn.functional.pad(self.waveform, (0, -self.waveform.shape[-1] % codec.hop_length))
        before = f"encoder_block{stage - 1}_out"
        self.close(before, blocks[:stage](padded), _LATENT)
        self.close("encoder_transformer_in", at_stage[:-1](golden[before]), _LATENT)
        self.close("encoder_transformer_out", at_stage[-1](golden["encoder_transformer_in"]), _LATENT)
        self.close("encoder_out", blocks[stage + 1 :](golden["encoder_transformer_out"]), _LATENT)
        self.close("downsample_out", codec.quantizer.downsample(golden["encoder_out"]), _LATENT)
        self.close("latent", codec.quantizer.pre_module(golden["downsample_out"]), _LATENT)
        self.close("latent", codec.latents(self.waveform), _LATENT, source="waveform_in")

    def quantizer(self) -> None:
        quantizer, golden = self.codec.quantizer, self.golden
        result = quantizer.quantize(golden["latent"])
        self.close("vq_latents", result.projections, _LATENT)
        self.close("semantic_z_encode", result.semantic, _QUANTIZED)
        self.close("quantized_encode", result.quantized, _QUANTIZED)
        self.exact("codes from latent", result.codes, golden["codes"])
        codes = golden["codes"]
        self.close("semantic_z_decode", quantizer.semantic_quantizer.value(codes[:, :1]), _QUANTIZED)
        self.close("quantized_decode", quantizer.dequantize(codes), _QUANTIZED)
        self.close("post_transformer_out", quantizer.post_module(quantizer.dequantize(codes)), _QUANTIZED)
        self.close("upsample_out", quantizer.decoder_latents(quantizer.dequantize(codes)), _QUANTIZED)

    def decoder(self) -> None:
        golden, model = self.golden, self.codec.decoder.model
        source, start = "upsample_out", 0
        found = (re.fullmatch(r"decoder_model(\d+)_out", name) for name in golden)
        for index in sorted(int(match[1]) for match in found if match):
            name, given = f"decoder_model{index}_out", golden[source]
            part = model[start : index + 1]
            self.close(name, part(given), _LATENT)
            source, start = name, index + 1
        self.close("decoder_out", torch.tanh(model[start:](golden[source])), _WAVEFORM)
        self.close("waveform_out", self.codec.decode(golden["codes"]), _WAVEFORM)

    def cases(self) -> None:
        codec, golden = self.codec, self.golden
        lengths = torch.tensor([self.waveform.shape[-1]], device=self.waveform.device)
        codes, code_lengths = codec.encode(self.waveform, lengths)
        self.exact("codes from waveform_in", codes, golden["codes"])
        self.exact("code_lengths", code_lengths, golden["code_lengths"])

        given = golden["codes_out_of_range"].clone()
        self.close("waveform_out_of_range", codec.decode(given, clamp=True), _WAVEFORM, "clamped")
        self.exact("codes_out_of_range untouched", given, golden["codes_out_of_range"], "the caller's own tensor")

        lengths = golden["batch_in_lengths"]
        batch = torch.zeros(2, 1, int(lengths.max()), device=self.waveform.device)
        for clip, start, length in zip(batch, (0, _SECOND_CLIP), lengths.tolist(), strict=True):
            part = self.waveform[0, 0, start : start + length]
            clip[0, : len(part)] = part
        codes, code_lengths = codec.encode(batch, lengths)
        self.exact("batch_code_lengths", code_lengths, golden["batch_code_lengths"])
        for row, length in enumerate(golden["batch_code_lengths"].tolist()):
            expected = golden["batch_codes"][row, :, :length]
            self.exact(f"batch_codes.{row}", codes[row, :, :length], expected)

        for name in golden:
            if match := re.fullmatch(r"codes_nq(\d+)", name):
                count = int(match[1])
                self.exact(name, codec.encode(self.waveform, n_quantizers=count)[0], golden[name])

    def close(self, key: str, got: Tensor, tolerance: float, note: str = "", source: str = "") -> None:
        """Compare with golden tensor `key`; `source` tells apart two ways to come to it."""
        expected, name = self.golden[key], f"{key} from {source}" if source else key
        worst = float((got - expected).abs().max()) if got.shape == expected.shape else float("inf")
        self.stages.append(Stage(self.prefix + name, tolerance, worst, worst <= tolerance, note))

    def exact(self, name: str, got: Tensor, expected: Tensor, note: str = "") -> None:
        worst = float((got != expected).sum()) if got.shape == expected.shape else float("inf")
        self.stages.append(Stage(self.prefix + name, 0.0, worst, worst == 0, note))


def _read_npz(path: Path) -> dict[str, Tensor]:
    """Raises CheckpointError if absent or damaged."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return {name: torch.from_numpy(arrays[name]) for name in arrays.files}
    except FileNotFoundError as error:
        raise CheckpointError(f"{path}: not found; a codec bundle needs it") from error
    except (OSError, ValueError, zipfile.BadZipFile, EOFError, KeyError) as error:
        raise CheckpointError(f"{path}: damaged ({error})") from error
