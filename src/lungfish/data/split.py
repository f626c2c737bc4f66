"""Which clips are for validation: decided by the clip's id alone, so that a growing data set keeps its split."""

from __future__ import annotations

import hashlib

_ONE_IN = 40


def is_validation(clip_id: str) -> bool:
    """True for about one clip in forty."""
    return int(hashlib.sha1(clip_id.encode(), usedforsecurity=False).hexdigest()[:8], 16) % _ONE_IN == 0
