"""Where models run and in which number format: the only place that turns `auto` into something."""

from __future__ import annotations

import torch

from lungfish.errors import ConfigError

DEVICES = ("auto", "cpu", "cuda", "mps", "xpu")
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


def resolve_device(device: str | torch.device = "auto") -> torch.device:
    """A device that is there.

    Args:
        device: auto (an accelerator if there is one, else the CPU), cpu, cuda, mps or xpu, with ":N" where several exist.

    Raises:
        ConfigError: unknown, or not available on this machine.
    """
    if isinstance(device, torch.device):
        return device
    kind, _, index = device.partition(":")
    if kind not in DEVICES or (index and not index.isdigit()):
        raise ConfigError(f"device must be one of {', '.join(DEVICES)}, got {device}")
    present = _accelerator()
    if kind == "auto":
        return torch.device(present or "cpu")
    if kind != "cpu" and kind != present:
        raise ConfigError(f"device {kind} is not available here; use {present or 'cpu'} or auto")
    if kind != "cpu" and index and int(index) >= torch.accelerator.device_count():
        raise ConfigError(f"device {device} does not exist, this machine has {torch.accelerator.device_count()}")
    return torch.device(device)


def resolve_dtype(dtype: str | torch.dtype, device: torch.device) -> torch.dtype:
    """The number format of a language model.

    Args:
        dtype: auto (bfloat16 on cuda and xpu, float32 elsewhere), float32, bfloat16 or float16.
        device: from `resolve_device`.

    Raises:
        ConfigError: unknown.
    """
    if isinstance(dtype, torch.dtype):
        return dtype
    if dtype == "auto":
        return torch.bfloat16 if device.type in ("cuda", "xpu") else torch.float32
    if dtype not in DTYPES:
        raise ConfigError(f"dtype must be one of auto, {', '.join(DTYPES)}, got {dtype}")
    return DTYPES[dtype]


def _accelerator() -> str | None:
    if not torch.accelerator.is_available():
        return None
    found = torch.accelerator.current_accelerator()
    return found.type if found is not None else None
