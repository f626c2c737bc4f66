"""What a model is and what it needs, from its config and the headers of its files: sizes, memory, licence, cost of a frame.

Nothing is loaded, so it answers in a moment for a model of any size. Source of the cost model: lm/cost.py.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import torch
from torch import nn

from lungfish.checkpoint.devices import resolve_device, resolve_dtype
from lungfish.checkpoint.inspection import Inspection, inspect_checkpoint
from lungfish.checkpoint.licence import Licence, read_licence
from lungfish.checkpoint.source import Source
from lungfish.codec.config import CodecConfig
from lungfish.codec.dac import ModifiedDAC
from lungfish.codec.spectral import SpectralCodec
from lungfish.codec.spectral_config import SpectralCodecConfig
from lungfish.errors import CheckpointError
from lungfish.lm.config import DualARConfig
from lungfish.lm.cost import FrameCost, Plan, Reads, at_frame_rate, frame_cost, kv_bytes_per_token, reference_plan

CODEC_CHUNK_FRAMES = 16  # frames that one call of the codec decodes, in the cost model
_CODEC_BYTES_EACH = 4  # it stays in float32
_OTHER_RATES_HZ = (12.5, 86.1328125)  # what other codecs run at; the second is a plain DAC's
_DECODER_PARTS = ("decoder.", "quantizer.post_module.", "quantizer.upsample.")


@dataclass(frozen=True)
class MemoryPlan:
    """Bytes that a model takes where it runs.

    Attributes:
        language_model, codec: weights.
        kv_per_token: keys and values of one position of one stream.
        kv_at_most: of one stream at its longest.
        available: free on the device; None where it cannot be told.
    """

    language_model: int
    codec: int
    kv_per_token: int
    kv_at_most: int
    available: int | None

    @property
    def total(self) -> int:
        """With one stream at its longest."""
        return self.language_model + self.codec + self.kv_at_most


@dataclass(frozen=True)
class ModelInfo:
    """Attributes:
    inspection: parts, sizes and faults.
    config, codec_config: of the two models; the codec's is None where there is none.
    frame_rate: frames per second of the codec (of the released one where there is none).
    device, dtype: that `auto` and the like stand for here.
    kernels: what computes, one line each.
    licence: of the folder; None where it states none, or is not on this disk.
    """

    inspection: Inspection
    config: DualARConfig
    codec_config: CodecConfig | SpectralCodecConfig | None
    frame_rate: float
    device: torch.device
    dtype: torch.dtype
    memory: MemoryPlan
    kernels: list[str]
    licence: Licence | None


@dataclass(frozen=True)
class CostRow:
    """One way of computing the model, and what a frame of it reads."""

    name: str
    cost: FrameCost


def model_info(source: Source, device: str = "auto", dtype: str = "auto") -> ModelInfo:
    """Args:
        source: a whole checkpoint.
        device, dtype: see `lungfish.checkpoint.devices`.

    Raises:
        CheckpointError: no language model in there that a config describes.
        ConfigError: no such device or dtype.
    """
    target = resolve_device(device)
    kind = resolve_dtype(dtype, target)
    inspection = inspect_checkpoint(source)
    part, codec_part = inspection.language_model, inspection.codec
    if part is None or not isinstance(part.config, DualARConfig):
        raise CheckpointError(f"{source.label}: has no language model with a config; see lungfish inspect")
    config = part.config
    codec_config = codec_part.config if codec_part is not None else None
    assert not isinstance(codec_config, DualARConfig)
    frame_rate = _frame_rate(codec_config or CodecConfig.s2())
    per_token = int(kv_bytes_per_token(config.slow_shape, kind.itemsize))
    memory = MemoryPlan(
        language_model=part.total * kind.itemsize,
        codec=codec_part.total * _CODEC_BYTES_EACH if codec_part is not None else 0,
        kv_per_token=per_token,
        kv_at_most=per_token * config.max_seq_len,
        available=_free_bytes(target),
    )
    licence = read_licence(source.folder) if source.folder is not None else None
    return ModelInfo(inspection, config, codec_config, frame_rate, target, kind, memory, _kernels(target), licence)


def cost_table(info: ModelInfo, context: int = 1000) -> list[CostRow]:
    """The reference, this package, the model without a depth axis, and the model at other frame rates.

    Args:
        info: of the model.
        context: positions in the cache, see `lungfish.lm.cost.frame_cost`.
    """
    config = info.config
    each = float(info.dtype.itemsize)
    codec = codec_cost(info.codec_config) if info.codec_config is not None else None

    def cost(plan: Plan) -> FrameCost:
        return frame_cost(
            config,
            plan,
            context=context,
            weight_bytes_each=each,
            kv_bytes_each=each,
            frame_rate=info.frame_rate,
            codec=codec,
        )

    # The depth head is cut to the codec's books (`lm/generate.py`).
    books = info.codec_config.codebook_sizes[1 : config.num_codebooks] if info.codec_config is not None else []
    here = cost(Plan(residual_rows=max(books, default=None)))
    rows = [CostRow("reference", cost(reference_plan(config))), CostRow("here", here)]
    rows.append(CostRow("here, flattened", cost(Plan(flattened=True))))
    rows.append(CostRow("reference, flattened", cost(Plan(flattened=True, whole_head=True, whole_cache=True))))
    rows += [CostRow(f"here, at {rate:.4g} Hz", at_frame_rate(here, rate)) for rate in _OTHER_RATES_HZ]
    return rows


def codec_cost(config: CodecConfig | SpectralCodecConfig) -> Reads:
    """Reads of decoding one frame, `CODEC_CHUNK_FRAMES` of them per call."""
    with torch.device("meta"):
        model: nn.Module = ModifiedDAC(config) if isinstance(config, CodecConfig) else SpectralCodec(config)
    weights = sum(
        parameter.numel()
        for name, parameter in model.named_parameters()
        if name.startswith(_DECODER_PARTS) or ".out_proj." in name
    )
    kv_bytes = 0
    if isinstance(config, CodecConfig):
        shape = config.quantizer_transformer
        kv_bytes = 2 * shape.num_layers * shape.num_heads * shape.head_dim * shape.window * _CODEC_BYTES_EACH
    return Reads(weights // CODEC_CHUNK_FRAMES, kv_bytes / CODEC_CHUNK_FRAMES)


def _frame_rate(config: CodecConfig | SpectralCodecConfig) -> float:
    hop = config.hop_length if isinstance(config, CodecConfig) else config.frame_length
    return config.sample_rate / hop


def _free_bytes(device: torch.device) -> int | None:
    if device.type == "cuda":
        return torch.cuda.mem_get_info(device)[0]
    if device.type == "cpu":
        try:
            return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        except (AttributeError, OSError, ValueError):  # not on every system
            return None
    return None


def _kernels(device: torch.device) -> list[str]:
    lines = [f"torch {torch.__version__}, plain operations", "attention: torch scaled_dot_product_attention"]
    if device.type == "cuda":
        lines.append(f"{torch.cuda.get_device_name(device)}, CUDA {torch.version.cuda}")
    if device.type == "cpu":
        lines.append(f"CPU with {torch.backends.cpu.get_cpu_capability()}, {torch.get_num_threads()} threads")
    return lines
