"""Loss curves of a run as PNG, from its metrics.jsonl: one small panel per metric, training and validation together."""

from __future__ import annotations

import json
import math
from pathlib import Path

_SKIP = {"kind", "step", "seconds", "cpu_seconds"}


def plot_metrics(run: Path) -> Path:
    """Draw `run/metrics.png`; returns its path. Panels share the x axis (optimiser steps)."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text(encoding="utf-8").splitlines()]
    series: dict[str, dict[str, list[tuple[int, float]]]] = {}
    for row in rows:
        for key, value in row.items():
            if key not in _SKIP:
                points = series.setdefault(key, {}).setdefault(row["kind"], [])
                while points and points[-1][0] >= row["step"]:
                    points.pop()  # from before a resume, made again
                points.append((row["step"], value))
    columns = min(3, max(1, len(series)))
    lines = math.ceil(len(series) / columns)
    figure, axes = pyplot.subplots(
        lines, columns, figsize=(4.2 * columns, 2.8 * lines), squeeze=False, layout="constrained"
    )
    for axis, (name, kinds) in zip(axes.flat, sorted(series.items()), strict=False):
        for kind, points in sorted(kinds.items()):
            steps, values = zip(*points, strict=True)
            style = {"train": {"color": "tab:blue", "alpha": 0.7}, "validation": {"color": "tab:orange", "marker": "."}}
            axis.plot(steps, values, label=kind, **style.get(kind, {}))
        axis.set_title(name, fontsize=10)
        axis.set_xlabel("step", fontsize=8)
        axis.grid(alpha=0.3)
    for axis in list(axes.flat)[len(series) :]:
        axis.set_visible(False)
    if series:
        axes.flat[0].legend(fontsize=8)
    path = run / "metrics.png"
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
    return path
