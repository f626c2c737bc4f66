"""The table of `lungfish eval codec` for people: first what holds on any machine, then the speed of this one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lungfish.evaluation.codec_systems import CEILING

if TYPE_CHECKING:
    from lungfish.codec.protocol import Codec
    from lungfish.evaluation.bootstrap import Estimate
    from lungfish.evaluation.codec_figures import CodecReport, PairedDifference, SystemResult
    from lungfish.evaluation.provenance import Provenance

_TITLES = {"mel": "mel", "stft": "STFT", "wer": "WER", "similarity": "similarity", "mos": "MOS"}
_DIGITS = {"mel": 3, "stft": 3, "similarity": 3, "mos": 2}
_COLUMN, _RATE = 18, 7
_WITHOUT_REFERENCE = ("wer", "mos")
"""What the original does not score perfectly by definition."""


def codec_line(name: str, label: str, codec: Codec) -> str:
    """Name, where it is from, and its geometry."""
    sizes = codec.codebook_sizes
    rest = set(sizes[1:])
    if rest <= {sizes[0]}:
        books = f"{len(sizes)} x {sizes[0]}"
    else:
        books = f"{sizes[0]} + {len(sizes) - 1} x {sizes[1]}" if len(rest) == 1 else ", ".join(map(str, sizes))
    return f"{name}: {label}, {codec.sample_rate} Hz, {codec.frame_rate:.2f} frames/s, books {books}"


def about_lines(
    report: CodecReport, judges: Mapping[str, str | None], left_out: Sequence[str], origin: Provenance
) -> list[str]:
    """What was measured on, who judged, and where the figures come from."""
    lines = [
        f"{report.clips} clips, {report.seconds_audio:.1f} s, {report.transcribed} with transcript; "
        f"compared at {report.sample_rate} Hz",
    ]
    lines += [f"{_TITLES[column]} by {name}" for column, name in judges.items() if name is not None]
    if left_out:
        lines.append(f"left out: {', '.join(left_out)}")
    if not report.transcribed and "wer" not in left_out:
        lines.append("no WER: no clip has a transcript")
    return [
        *lines,
        f"lungfish {origin.version}, commit {origin.commit or 'unknown'}; torch {origin.torch}; {origin.machine}",
        f"made by: {origin.command}",
        "below each figure its 95 % interval over clips",
    ]


def report_lines(report: CodecReport, device: str, threads: int) -> list[str]:
    """Table, use of the books, paired differences, speed; each block after an empty line."""
    width = max(len(row.name) for row in report.systems)
    blocks = [_quality(report.systems, width), _books(report.systems, width)]
    blocks += [_paired(pair, width) for pair in report.paired]
    blocks.append(_speed(report.systems, width, device, threads))
    return [line for block in blocks if block for line in ["", *block]]


def _quality(systems: Sequence[SystemResult], width: int) -> list[str]:
    lines = [f"{'':{width}}  {'bit/s':>{_RATE}}" + "".join(f"{title:>{_COLUMN}}" for title in _TITLES.values())]
    for row in systems:
        rate = "-" if row.bit_rate is None else f"{row.bit_rate:.0f}"
        values = "".join(f"{_value(row.metrics[metric], metric):>{_COLUMN}}" for metric in _TITLES)
        intervals = "".join(f"{_interval(row.metrics[metric], metric):>{_COLUMN}}" for metric in _TITLES)
        lines += [f"{row.name:{width}}  {rate:>{_RATE}}{values}", f"{'':{width}}  {'':{_RATE}}{intervals}".rstrip()]
    return lines


def _books(systems: Sequence[SystemResult], width: int) -> list[str]:
    lines = []
    for row in (row for row in systems if row.books):
        frames = row.books[0].frames
        used = "".join(f"{book.used:7d}" for book in row.books)
        perplexity = "".join(f"{book.perplexity:7.0f}" for book in row.books)
        lines += [
            f"{row.name:{width}}  entries used {used}   in {frames} frames",
            f"{'':{width}}  perplexity   {perplexity}",
        ]
    return lines


def _paired(pair: PairedDifference, width: int) -> list[str]:
    title = f"{pair.system} less {pair.baseline}, clip by clip"
    lines = [title]
    for metric, name in _TITLES.items():
        found = pair.metrics[metric]
        if found is not None and (pair.baseline != CEILING or metric in _WITHOUT_REFERENCE):
            value, interval = _value(found, metric, "+"), _interval(found, metric, "+")
            lines.append(f"{name:>{width}}  {value:>10}{interval:>20}  {pair.verdict(metric)}")
    return lines if len(lines) > 1 else []


def _speed(systems: Sequence[SystemResult], width: int, device: str, threads: int) -> list[str]:
    on = f"{device}, {threads} thread{'s' if threads > 1 else ''}"
    lines = [f"times real time on {on}; Opus has one thread", f"{'':{width}}{'encode':>34}{'decode':>34}"]
    for row in systems:
        if row.encode_speed is not None and row.decode_speed is not None:
            lines.append(
                f"{row.name:{width}}" + "".join(f"{_pace(each):>34}" for each in (row.encode_speed, row.decode_speed))
            )
    return lines


def _pace(found: Estimate) -> str:
    return f"{found.value:.3g} ({found.low:.3g} to {found.high:.3g})"


def _value(found: Estimate | None, metric: str, sign: str = "") -> str:
    return "-" if found is None else _number(found.value, metric, sign)


def _interval(found: Estimate | None, metric: str, sign: str = "") -> str:
    if found is None:
        return ""
    return f"{_number(found.low, metric, sign)} to {_number(found.high, metric, sign)}"


def _number(value: float, metric: str, sign: str) -> str:
    kind = ".1%" if metric == "wer" else f".{_DIGITS[metric]}f"
    return format(value, sign + kind)
