import pytest
import torch

from lungfish.checkpoint.devices import resolve_device, resolve_dtype
from lungfish.errors import ConfigError


def test_auto_takes_the_best_there_is(monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    monkeypatch.setattr("torch.xpu.is_available", lambda: False)
    monkeypatch.setattr("torch.backends.mps.is_available", lambda: False)
    assert resolve_device("auto") == resolve_device("cpu") == torch.device("cpu")
    with pytest.raises(ConfigError, match="cuda is not available"):
        resolve_device("cuda")
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    assert resolve_device("auto").type == "cuda"
    assert resolve_device("cuda:1") == torch.device("cuda", 1)


@pytest.mark.parametrize("name", ["toaster", "", "cuda:", "cuda:x", "auto:0"])
def test_unknown_devices_are_refused(name):
    with pytest.raises(ConfigError, match="device must be one of"):
        resolve_device(name)


def test_dtypes():
    assert resolve_dtype("auto", torch.device("cpu")) is torch.float32
    assert resolve_dtype("auto", torch.device("mps")) is torch.float32
    assert resolve_dtype("auto", torch.device("cuda")) is torch.bfloat16
    assert resolve_dtype("float16", torch.device("cpu")) is torch.float16
    with pytest.raises(ConfigError, match="dtype must be one of"):
        resolve_dtype("int4", torch.device("cpu"))
