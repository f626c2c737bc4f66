"""One rung of a parity ladder."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    """A computation compared with its golden value.

    Attributes:
        name: what was compared.
        tolerance: largest absolute error allowed; 0 for exact.
        worst: largest absolute error found, or the number of differing integers; inf where nothing comparable came out.
        passed: verdict.
        note: a remark for people.
    """

    name: str
    tolerance: float
    worst: float
    passed: bool
    note: str = ""
