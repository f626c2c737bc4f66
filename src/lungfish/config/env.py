"""The one place that reads environment variables. Everything else takes what it needs as an argument.

LUNGFISH_CACHE   folder for downloads and derived files; ~/.cache/lungfish when unset or empty
"""

from __future__ import annotations

import os
from pathlib import Path


def cache_dir() -> Path:
    """Folder for downloads and derived files. It may not exist yet."""
    chosen = os.environ.get("LUNGFISH_CACHE", "")
    return Path(chosen).expanduser() if chosen else Path.home() / ".cache" / "lungfish"
