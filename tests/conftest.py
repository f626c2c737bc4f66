"""Fixtures that many tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import torch

CHECKOUT = Path(__file__).parent.parent

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # tests never reach for the network
torch.set_num_threads(1)  # two workers share two cores


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of golden bundles and recordings beside the checkout; skips where a clone has none."""
    folder = CHECKOUT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("needs ../shared, which is not part of the repository")
    return folder
