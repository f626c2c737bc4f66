"""What a torch checkpoint holds, without unpickling it: the zip directory, and a walk over the opcodes of its `data.pkl`.

The walk is a small machine of its own that knows how to stack up constants, tuples, lists and tables, and turns the four
calls that rebuild a tensor into `StoredTensor`s. It imports nothing and calls nothing; a file that asks for anything else
is refused by name. Sources: the pickle opcodes of the Python library reference (pickletools); torch.serialization's notes.
"""

from __future__ import annotations

import math
import pickletools
import zipfile
import zlib
from dataclasses import dataclass
from typing import Any

from lungfish.checkpoint.header_file import HeaderFile
from lungfish.checkpoint.headers import ITEM_BYTES, TensorInfo, are_sizes
from lungfish.errors import WeightsError

MAX_PICKLE_BYTES = 64 << 20
_STORAGES = {
    "FloatStorage": "float32",
    "DoubleStorage": "float64",
    "HalfStorage": "float16",
    "BFloat16Storage": "bfloat16",
    "LongStorage": "int64",
    "IntStorage": "int32",
    "ShortStorage": "int16",
    "CharStorage": "int8",
    "ByteStorage": "uint8",
    "BoolStorage": "bool",
    "ComplexFloatStorage": "complex64",
    "UntypedStorage": "uint8",
}
_TENSORS = {"_rebuild_tensor", "_rebuild_tensor_v2", "_rebuild_tensor_v3"}
_PARAMETERS = {"_rebuild_parameter"}
_HARMLESS = {
    ("collections", "OrderedDict"),
    ("torch", "Size"),
    ("torch", "device"),
    ("torch.nn.parameter", "Parameter"),
    ("_codecs", "encode"),  # how older pickles spell bytes
}


@dataclass(frozen=True)
class StoredTensor:
    """A tensor that the pickle describes: `info`, and the record of the archive that holds its data."""

    info: TensorInfo
    record: str


@dataclass(frozen=True)
class _Global:
    module: str
    name: str


@dataclass(frozen=True)
class _Storage:
    dtype: str
    record: str
    numel: int


class _Mark:
    pass


class _Opaque:
    """Something harmless that is not looked into: a device, a hook table, a set."""


_MARK = _Mark()
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_IGNORED = {"PROTO", "FRAME", "STOP"}


def read_torch_zip(file: HeaderFile) -> Any:
    """The pickled object, with `StoredTensor` in place of tensors; tables, lists, tuples and constants as they are.

    Raises:
        WeightsError: not a torch zip file, damaged, half downloaded, or holding more than tensors and constants.
        CheckpointError: it cannot be read.
    """
    where = file.name
    try:
        with zipfile.ZipFile(file) as archive:  # type: ignore[call-overload]  # reads, seeks and tells, as it needs
            records = {info.filename: info.file_size for info in archive.infolist()}
            names = [name for name in records if name == "data.pkl" or name.endswith("/data.pkl")]
            if len(names) != 1:
                raise WeightsError(f"{where}: is a zip file but not a torch checkpoint, it has no data.pkl")
            with archive.open(names[0]) as member:
                pickled = member.read(MAX_PICKLE_BYTES + 1)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError, OSError) as error:
        raise WeightsError(
            f"{where}: not a torch zip checkpoint; damaged or only half downloaded? ({error})"
        ) from error
    if len(pickled) > MAX_PICKLE_BYTES:
        raise WeightsError(f"{where}: its table of contents is over {MAX_PICKLE_BYTES >> 20} MiB; damaged?")
    prefix = names[0].removesuffix("data.pkl") + "data/"
    sizes = {name.removeprefix(prefix): size for name, size in records.items() if name.startswith(prefix)}
    return walk_pickle(pickled, where, sizes)


def walk_pickle(pickled: bytes, where: str, records: dict[str, int] | None = None) -> Any:
    """See `read_torch_zip`.

    Args:
        pickled: content of `data.pkl`.
        where: the file, for messages.
        records: bytes of each data record; None does not compare.

    Raises:
        WeightsError: see `read_torch_zip`.
    """
    machine = _Machine(where, records)
    try:
        for opcode, argument, _ in pickletools.genops(pickled):
            machine.step(opcode.name, argument)
        return machine.stack.pop()
    except WeightsError:
        raise
    except (ValueError, IndexError, KeyError, TypeError, AttributeError, UnicodeError, OverflowError) as error:
        raise WeightsError(f"{where}: its table of contents is damaged ({type(error).__name__})") from error


class _Machine:
    """The stack and memo of a pickle, holding descriptions only."""

    def __init__(self, where: str, records: dict[str, int] | None) -> None:
        self.where, self.records = where, records
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}

    def step(self, name: str, argument: Any) -> None:
        stack = self.stack
        if name in _IGNORED:
            return
        if name in _CONSTANTS:
            stack.append(_CONSTANTS[name])
        elif name in ("MARK",):
            stack.append(_MARK)
        elif name in ("PUT", "BINPUT", "LONG_BINPUT"):
            self.memo[argument] = stack[-1]
        elif name == "MEMOIZE":
            self.memo[len(self.memo)] = stack[-1]
        elif name in ("GET", "BINGET", "LONG_BINGET"):
            stack.append(self.memo[argument])
        elif name in ("GLOBAL", "STACK_GLOBAL"):
            self._global(argument)
        elif name in ("PERSID", "BINPERSID"):
            stack.append(self._storage(argument if name == "PERSID" else stack.pop()))
        elif name == "REDUCE":
            arguments, function = stack.pop(), stack.pop()
            stack.append(self._call(function, arguments))
        elif name == "BUILD":  # attributes of a table (a state dict's version numbers)
            stack.pop()
            if not isinstance(stack[-1], dict | _Opaque | StoredTensor):
                raise self._refusal("to fill in an object")
        elif not self._container(name) and not self._constant(name, argument):
            raise self._refusal(f"for the pickle operation {name}")

    def _container(self, name: str) -> bool:
        stack = self.stack
        if name in ("EMPTY_DICT", "EMPTY_LIST", "EMPTY_TUPLE"):
            stack.append({"EMPTY_DICT": dict, "EMPTY_LIST": list, "EMPTY_TUPLE": tuple}[name]())
        elif name == "EMPTY_SET":
            stack.append(_Opaque())
        elif name in ("TUPLE", "LIST", "DICT", "FROZENSET"):
            items = self._to_mark()
            made = {"TUPLE": tuple, "LIST": list, "DICT": _table, "FROZENSET": lambda _: _Opaque()}[name]
            stack.append(made(items))
        elif name in ("TUPLE1", "TUPLE2", "TUPLE3"):
            count = int(name[-1])
            items = tuple(stack[-count:])
            if len(items) < count:
                raise IndexError
            del stack[-count:]
            stack.append(items)
        elif name == "APPEND":
            item = stack.pop()
            _as(stack[-1], list).append(item)
        elif name == "APPENDS":
            items = self._to_mark()
            _as(stack[-1], list).extend(items)
        elif name == "SETITEM":
            value, key = stack.pop(), stack.pop()
            _as(stack[-1], dict).update(_table([key, value]))
        elif name == "SETITEMS":
            items = self._to_mark()
            _as(stack[-1], dict).update(_table(items))
        elif name == "ADDITEMS":
            self._to_mark()
        elif name == "POP":
            stack.pop()
        elif name == "POP_MARK":
            self._to_mark()
        elif name == "DUP":
            stack.append(stack[-1])
        else:
            return False
        return True

    def _constant(self, name: str, argument: Any) -> bool:
        """Numbers and strings: the opcodes whose argument is the value."""
        known = name in ("INT", "LONG", "FLOAT", "STRING", "UNICODE") or name.startswith(
            ("BININT", "BINFLOAT", "LONG1", "LONG4", "BINSTRING", "SHORT_BIN", "BINUNICODE", "BINBYTES")
        )
        if known:
            self.stack.append(argument)
        return known

    def _to_mark(self) -> list[Any]:
        items: list[Any] = []
        while (top := self.stack.pop()) is not _MARK:
            items.append(top)
        return items[::-1]

    def _global(self, argument: str | None) -> None:
        if argument is None:
            name, module = self.stack.pop(), self.stack.pop()
        else:
            module, _, name = argument.partition(" ")
        known = (
            (module, name) in _HARMLESS
            or (module in ("torch._utils", "torch._tensor") and name in _TENSORS | _PARAMETERS)
            or (module in ("torch", "torch.storage") and name in _STORAGES)
            or (module == "torch" and name in ITEM_BYTES)
        )
        if not known:
            raise self._refusal(f"for {module}.{name}"[:100])
        self.stack.append(_Global(module, name))

    def _storage(self, identity: Any) -> _Storage:
        kind, storage, record, _, numel = identity
        if kind != "storage" or not isinstance(record, str) or type(numel) is not int or numel < 0:
            raise ValueError("no storage")
        dtype = _STORAGES[_as(storage, _Global).name]
        needed = numel * ITEM_BYTES[dtype]
        if self.records is not None and self.records.get(record, -1) != needed:
            found = self.records.get(record)
            raise WeightsError(f"{self.where}: record {record[:40]} has {found} bytes, not {needed}; fetch it again")
        return _Storage(dtype, record, numel)

    def _call(self, function: Any, arguments: Any) -> Any:
        function, arguments = _as(function, _Global), _as(arguments, tuple)
        if function.name in _TENSORS:
            return self._tensor(function.name, arguments)
        if function.name in _PARAMETERS or function.name == "Parameter":
            return _as(arguments[0], StoredTensor)
        if function.name == "OrderedDict":
            return _table([item for pair in (arguments[0] if arguments else ()) for item in pair])
        if function.name == "Size":
            return tuple(arguments[0])
        if function.name == "encode":
            return _as(arguments[0], str).encode("latin1")
        if function.name == "device":
            return _Opaque()
        raise self._refusal(f"to call {function.module}.{function.name}")

    def _tensor(self, function: str, arguments: tuple[Any, ...]) -> StoredTensor:
        storage, offset, shape, stride = arguments[:4]
        storage, shape, stride = _as(storage, _Storage), _as(shape, tuple), _as(stride, tuple)
        dtype = storage.dtype
        if function.endswith("_v3"):
            dtype = _as(arguments[6], _Global).name
        if dtype not in ITEM_BYTES or len(shape) != len(stride) or not are_sizes((offset, *shape, *stride)):
            raise ValueError("no tensor")
        info = TensorInfo(dtype, shape)
        last = offset + sum((size - 1) * step for size, step in zip(shape, stride, strict=True))
        room = storage.numel * ITEM_BYTES[storage.dtype]
        if math.prod(shape) and ((last + 1) * ITEM_BYTES[dtype] > room or info.nbytes > 64 * room):
            raise WeightsError(
                f"{self.where}: a tensor {list(shape)} does not fit into its record {storage.record[:40]}"
            )
        return StoredTensor(info, storage.record)

    def _refusal(self, what: str) -> WeightsError:
        return WeightsError(f"{self.where}: asks {what}; only tensors and plain values are read from such a file")


def _as(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"no {kind.__name__}")
    return value


def _table(items: list[Any]) -> dict[Any, Any]:
    keys = items[::2]
    if not all(isinstance(key, str | int | float | bytes | None) for key in keys):  # a nested key can take ages to hash
        raise TypeError("no plain key")
    return dict(zip(keys, items[1::2], strict=True))
