"""The header of a safetensors file, read by ourselves: 8 bytes of length, then JSON; never the tensors.

Layout: u64 little-endian N, N bytes of JSON {name: {dtype, shape, data_offsets: [begin, end]}, "__metadata__": {...}},
then the data, without holes. Every claim is checked against the size of the file. Source: the safetensors format page.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lungfish.checkpoint.header_file import HeaderFile
from lungfish.errors import WeightsError

MAX_HEADER_BYTES = 100_000_000  # the format's own limit
_MAX_NUMBERS = 64
DTYPES = {  # as files spell them -> as torch does
    "BOOL": "bool",
    "U8": "uint8",
    "I8": "int8",
    "F8_E4M3": "float8_e4m3fn",
    "F8_E5M2": "float8_e5m2",
    "I16": "int16",
    "U16": "uint16",
    "F16": "float16",
    "BF16": "bfloat16",
    "I32": "int32",
    "U32": "uint32",
    "F32": "float32",
    "I64": "int64",
    "U64": "uint64",
    "F64": "float64",
    "C64": "complex64",
}
ITEM_BYTES = {
    name: size
    for size, names in {
        1: ("bool", "uint8", "int8", "float8_e4m3fn", "float8_e5m2"),
        2: ("int16", "uint16", "float16", "bfloat16"),
        4: ("int32", "uint32", "float32"),
        8: ("int64", "uint64", "float64", "complex64"),
    }.items()
    for name in names
}


@dataclass(frozen=True)
class TensorInfo:
    """What a header says of one tensor. `dtype` is torch's name of it."""

    dtype: str
    shape: tuple[int, ...]

    @property
    def numel(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.numel * ITEM_BYTES[self.dtype]


def read_safetensors_header(file: HeaderFile) -> dict[str, TensorInfo]:
    """Names, types and shapes.

    Raises:
        WeightsError: not such a file, damaged, or only half downloaded.
        CheckpointError: it cannot be read.
    """
    where = file.name
    file.seek(0)
    head = file.read(8)
    length = int.from_bytes(head, "little")
    if len(head) < 8 or length < 2 or length > file.size - 8:
        raise WeightsError(
            f"{where}: not a safetensors file, or only half downloaded"
            f" (a header of {length} bytes in a file of {file.size})"
        )
    if length > MAX_HEADER_BYTES:
        raise WeightsError(f"{where}: claims a header of {length} bytes, more than the format allows; damaged?")
    try:
        header = json.loads(file.read(length).decode("utf-8"), object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        raise WeightsError(f"{where}: its header is not readable as JSON ({error})") from error
    if not isinstance(header, dict):
        raise WeightsError(f"{where}: its header is not a table of tensors")
    header.pop("__metadata__", None)
    entries = {str(name): _entry(name, raw, where) for name, raw in header.items()}
    end = 0
    for name, (info, first, last) in sorted(entries.items(), key=lambda item: item[1][1:]):
        if first != end or last - first != info.nbytes:
            raise WeightsError(f"{where}: tensor {name} does not lie where its type and shape say; damaged")
        end = last
    if 8 + length + end != file.size:
        raise WeightsError(f"{where}: is {file.size} bytes, its header describes {8 + length + end}; fetch it again")
    return {name: info for name, (info, _, _) in entries.items()}


def are_sizes(numbers: tuple[Any, ...]) -> bool:
    """Whether these can be sizes and offsets of one tensor: few, whole, and such as fit into 63 bits."""
    return len(numbers) <= _MAX_NUMBERS and all(type(number) is int and 0 <= number < 1 << 63 for number in numbers)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("a name occurs twice")
    return table


def _entry(name: object, raw: object, where: str) -> tuple[TensorInfo, int, int]:
    try:
        if not isinstance(raw, Mapping):
            raise TypeError("no object")
        dtype, shape, (first, last) = raw["dtype"], raw["shape"], raw["data_offsets"]
        if dtype not in DTYPES:
            raise WeightsError(f"{where}: tensor {name} has the type {str(dtype)[:20]!r}, which is not known here")
        if not are_sizes((*shape, first, last)):
            raise TypeError("no sizes")
        return TensorInfo(DTYPES[dtype], tuple(shape)), first, last
    except (KeyError, TypeError, ValueError) as error:
        raise WeightsError(f"{where}: the header's entry of {name} makes no sense; damaged") from error
