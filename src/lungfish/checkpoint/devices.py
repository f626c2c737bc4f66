"""Where models run and in which number format: the only place that turns `auto` into something."""

from __future__ import annotations

import torch

from lungfish.errors import ConfigError

DEVICES = ("auto", "cpu", "cuda", "mps", "xpu")
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
_PRESENT = {  # in the order that auto prefers; looked up at each call
    "cuda": lambda: torch.cuda.is_available(),
    "xpu": lambda: torch.xpu.is_available(),
    "mps": lambda: torch.backends.mps.is_available(),
}


def resolve_device(device: str | torch.device = "auto") -> torch.device:
    """A device that is there.

    Args:
        device: auto (an accelerator if there is one, else the CPU), cpu, cuda, mps or xpu, with ":N" where several exist.

    Raises:
        ConfigError: unknown, or not available on this machine.
    """
    if isinstance(device, torch.device):
        return device
    if device == "auto":
        return torch.device(next((kind for kind, present in _PRESENT.items() if present()), "cpu"))
    kind, colon, index = device.partition(":")
    if kind not in DEVICES or kind == "auto" or (colon and not index.isdigit()):
        raise ConfigError(f"device must be one of {', '.join(DEVICES)} (cuda:1 for the second), got {device!r}")
    if kind != "cpu" and not _PRESENT[kind]():
        raise ConfigError(f"device {kind} is not available here; use auto or cpu")
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
