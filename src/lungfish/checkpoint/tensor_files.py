"""Weight files of a language model: names, types and shapes at once, then the tensors one by one.

    files = open_tensors(FOLDER)     an index of shards first, then model.safetensors, then model.pth
    files.described                  tensors on the meta device, in the order of the files
    files.read(name)                 one tensor, in memory of its own

Nothing of a file stays in memory but what was read: no page of it is kept mapped for long, so that loading peaks at the
model and one tensor. Source: spec/lm.md 1.1.
"""

from __future__ import annotations

import json
import pickle
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from lungfish.checkpoint.lm_keys import unwrap_flat
from lungfish.errors import CheckpointError, WeightsError

WEIGHTS, PICKLED = "model.safetensors", "model.pth"
INDEX = WEIGHTS + ".index.json"
MAPPED_BYTES = 64 << 20  # of a pickled file that may be read before its pages are let go
_DTYPES = {  # as safetensors spells them
    "BOOL": torch.bool,
    "U8": torch.uint8,
    "I8": torch.int8,
    "F8_E4M3": torch.float8_e4m3fn,
    "F8_E5M2": torch.float8_e5m2,
    "I16": torch.int16,
    "U16": torch.uint16,
    "F16": torch.float16,
    "BF16": torch.bfloat16,
    "I32": torch.int32,
    "U32": torch.uint32,
    "F32": torch.float32,
    "I64": torch.int64,
    "U64": torch.uint64,
    "F64": torch.float64,
}


class TensorFiles:
    """Open weight files. Make one with `open_tensors`.

    Attributes:
        where: the file that names the weights, for messages.
        described: every tensor by its stored name, on the meta device.
    """

    def __init__(self, where: str) -> None:
        self.where = where
        self.described: dict[str, Tensor] = {}
        self._readers: dict[str, Callable[[str], Tensor]] = {}

    def add(self, described: Mapping[str, Tensor], reader: Callable[[str], Tensor]) -> None:
        """Tensors of one more file; they win over those of the same name before."""
        self.described.update(described)
        self._readers |= dict.fromkeys(described, reader)

    def read(self, name: str) -> Tensor:
        """A tensor as stored, on the CPU, contiguous, sharing memory with nothing.

        Raises:
            WeightsError: the file cannot be read any more.
        """
        return self._readers[name](name)


def open_tensors(folder: Path) -> TensorFiles:
    """The weights of a checkpoint folder.

    Raises:
        CheckpointError: no weights in the folder.
        WeightsError: a shard is missing, or a file is damaged.
    """
    if (folder / INDEX).is_file():
        files = TensorFiles(INDEX)
        for shard in _shards(folder / INDEX):
            _add_safetensors(files, folder / shard)
    elif (folder / WEIGHTS).is_file():
        files = TensorFiles(WEIGHTS)
        _add_safetensors(files, folder / WEIGHTS)
    elif (folder / PICKLED).is_file():
        files = TensorFiles(PICKLED)
        pickled = _Pickled(folder / PICKLED)
        files.add(pickled.described, pickled.read)
    else:
        raise CheckpointError(f"{folder}: has no weights ({INDEX}, {WEIGHTS} or {PICKLED})")
    return files


def _shards(index: Path) -> list[str]:
    """Names of the files that an index speaks of, each beside it."""
    try:
        files = sorted(set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise WeightsError(f"{index.name}: not a weight index ({_reason(error)})") from error
    if not files:
        raise WeightsError(f"{index.name}: not a weight index (it names no file)")
    for name in files:
        if not isinstance(name, str) or name in ("", ".", "..") or any(mark in name for mark in "/\\:\0"):
            raise WeightsError(f"{index.name}: names a file outside of the folder: {str(name)[:100]!r}")
        if not (index.parent / name).is_file():
            raise WeightsError(f"{index.parent}: shard {name} is missing, fetch it again")
    return files


def _add_safetensors(files: TensorFiles, path: Path) -> None:
    try:
        with safe_open(path, framework="pt"):  # checks the header against itself and against the size of the file
            pass
        shard = _Safetensors(path)
    except (SafetensorError, OSError, ValueError, KeyError, RecursionError) as error:
        raise WeightsError(
            f"{path.name}: damaged or only half downloaded, fetch it again ({_reason(error)})"
        ) from error
    files.add(shard.described, shard.read)


class _Safetensors:
    """A file that safetensors found to be sound: u64 length of the header, the header as JSON, the data."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header: dict[str, dict[str, Any]] = json.loads(file.read(length))
        header.pop("__metadata__", None)
        self._data = 8 + length
        self._entries = dict(sorted(header.items(), key=lambda entry: entry[1]["data_offsets"]))
        self.described = {
            name: torch.empty(entry["shape"], dtype=_dtype(entry["dtype"], path.name), device="meta")
            for name, entry in self._entries.items()
        }

    def read(self, name: str) -> Tensor:
        entry, like = self._entries[name], self.described[name]
        begin, end = entry["data_offsets"]
        raw = torch.empty(end - begin, dtype=torch.uint8)
        try:
            with self._path.open("rb", buffering=0) as file:
                file.seek(self._data + begin)
                _fill(file, raw)
        except OSError as error:
            raise WeightsError(f"{self._path.name}: cannot be read ({_reason(error)})") from error
        return raw.view(like.dtype).reshape(like.shape)


def _dtype(spelling: str, where: str) -> torch.dtype:
    if spelling not in _DTYPES:
        raise WeightsError(f"{where}: has tensors of type {spelling[:20]}, which is not known here")
    return _DTYPES[spelling]


def _fill(file: Any, raw: Tensor) -> None:
    """Read until `raw` is full; one call gives 2 GiB at most."""
    room = raw.numpy().data
    while room:
        got = file.readinto(room)
        if not got:
            raise OSError("it has become shorter")
        room = room[got:]


class _Pickled:
    """A torch zip file. It is mapped, and mapped anew after every `MAPPED_BYTES`, which gives the pages read back."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._tensors = self._map()
        self._read_bytes = 0
        self.described = {name: torch.empty_like(tensor, device="meta") for name, tensor in self._tensors.items()}

    def read(self, name: str) -> Tensor:
        if self._read_bytes > MAPPED_BYTES:
            self._tensors, self._read_bytes = {}, 0
            self._tensors = self._map()
        stored = self._tensors[name].detach()
        self._read_bytes += stored.nbytes
        return stored.clone(memory_format=torch.contiguous_format)

    def _map(self) -> dict[str, Tensor]:
        name = self._path.name
        if not zipfile.is_zipfile(self._path):
            raise WeightsError(f"{name}: damaged or only half downloaded, fetch it again")
        try:
            raw = torch.load(self._path, map_location="cpu", weights_only=True, mmap=True)
        except (pickle.UnpicklingError, RuntimeError, EOFError, ValueError, KeyError, OSError) as error:
            raise WeightsError(f"{name}: cannot be read as tensors ({_reason(error)})") from error
        return unwrap_flat(raw, name)


def _reason(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
