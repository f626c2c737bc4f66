"""Packed training data: speaker groups of sentences with their codes, in framed protobuf messages.

    file      = (length: 4 bytes little-endian, TextData)*
    TextData  = 1 source, 2 name, 4 sentences        SampledData = 1 source, 2 name, 3 samples
    Sentence  = 1 texts, 3 semantics                 Semantics   = 1 values, packed; one per codebook

Own reader and writer of the few wire types that occur, so that no protobuf runtime is needed; fields ascend, so that
writing back what was read gives the same bytes. Unknown fields are skipped. Source: spec/system.md 6.1, 6.2.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lungfish.errors import DataError

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_SENTENCES_IN_TEXT_DATA, _SENTENCES_IN_SAMPLED_DATA = 4, 3
_MAX_VARINT_BYTES = 10


@dataclass
class Sentence:
    """Transcripts of one clip and its codes, `semantics[codebook][frame]`."""

    texts: list[str] = field(default_factory=list)
    semantics: list[list[int]] = field(default_factory=list)


@dataclass
class TextData:
    """One record: the sentences of one speaker."""

    source: str = ""
    name: str = ""
    sentences: list[Sentence] = field(default_factory=list)


def read_shard(path: Path) -> Iterator[TextData]:
    """The records of a `.protos` file, one at a time.

    Raises:
        DataError: the file cannot be read, ends within a record, or a record is damaged; names file and offset.
    """
    try:
        with path.open("rb") as file:
            while True:
                offset = file.tell()
                head = file.read(4)
                if not head:
                    return
                size = struct.unpack("<I", head)[0] if len(head) == 4 else 0
                body = file.read(size)
                if len(head) < 4 or len(body) < size:
                    raise DataError(f"{path}: the record at byte {offset} is cut off; copy or make the shard again")
                try:
                    record = decode_text_data(body)
                except (ValueError, UnicodeDecodeError) as error:
                    raise DataError(f"{path}: the record at byte {offset} is damaged ({error})") from error
                yield record
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error


def write_shard(path: Path, records: Iterable[TextData]) -> None:
    """Write records; the file appears whole or not at all.

    Raises:
        DataError: it cannot be written, or a code is negative.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            for record in records:
                body = encode_text_data(record)
                file.write(struct.pack("<I", len(body)) + body)
        os.replace(part, path)
    except OSError as error:
        raise DataError(f"{path}: cannot be written ({error.strerror})") from error
    finally:
        part.unlink(missing_ok=True)


def encode_text_data(record: TextData, sampled: bool = False) -> bytes:
    """One message without framing; `sampled` writes the SampledData variant."""
    number = _SENTENCES_IN_SAMPLED_DATA if sampled else _SENTENCES_IN_TEXT_DATA
    parts = [_text_field(1, record.source), _text_field(2, record.name)]
    parts += [_bytes_field(number, _encode_sentence(sentence)) for sentence in record.sentences]
    return b"".join(parts)


def decode_text_data(body: bytes, sampled: bool = False) -> TextData:
    """Inverse of `encode_text_data`.

    Raises:
        ValueError: not such a message.
    """
    number = _SENTENCES_IN_SAMPLED_DATA if sampled else _SENTENCES_IN_TEXT_DATA
    record = TextData()
    for key, value in _fields(body):
        if key == 1:
            record.source = _as_bytes(value).decode()
        elif key == 2:
            record.name = _as_bytes(value).decode()
        elif key == number:
            record.sentences.append(_decode_sentence(_as_bytes(value)))
    return record


def _encode_sentence(sentence: Sentence) -> bytes:
    parts = [_bytes_field(1, text.encode()) for text in sentence.texts]
    for row in sentence.semantics:
        packed = b"".join(map(_varint, row))
        parts.append(_bytes_field(3, _bytes_field(1, packed) if row else b""))
    return b"".join(parts)


def _decode_sentence(body: bytes) -> Sentence:
    sentence = Sentence()
    for key, value in _fields(body):
        if key == 1:
            sentence.texts.append(_as_bytes(value).decode())
        elif key == 3:
            sentence.semantics.append(_decode_semantics(_as_bytes(value)))
    return sentence


def _decode_semantics(body: bytes) -> list[int]:
    values: list[int] = []
    for key, value in _fields(body):
        if key != 1:
            continue
        if isinstance(value, int):  # an unpacked element, which readers must accept
            values.append(value)
            continue
        position = 0
        while position < len(value):
            number, position = _read_varint(value, position)
            values.append(number)
    return values


def _varint(number: int) -> bytes:
    if number < 0:
        raise DataError(f"a code must not be negative, got {number}")
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _bytes_field(number: int, value: bytes) -> bytes:
    return _varint(number << 3 | _BYTES) + _varint(len(value)) + value


def _text_field(number: int, value: str) -> bytes:
    """A singular string: the default, empty, is not written."""
    return _bytes_field(number, value.encode()) if value else b""


def _read_varint(body: bytes, position: int) -> tuple[int, int]:
    number = 0
    for shift in range(_MAX_VARINT_BYTES):
        if position >= len(body):
            raise ValueError("a number is cut off")
        byte = body[position]
        position += 1
        number |= (byte & 0x7F) << (7 * shift)
        if byte < 0x80:
            return number, position
    raise ValueError("a number is too long")


def _as_bytes(value: int | bytes) -> bytes:
    if isinstance(value, int):
        raise ValueError("a number where text or a message is expected")
    return value


def _fields(body: bytes) -> Iterator[tuple[int, int | bytes]]:
    position = 0
    while position < len(body):
        key, position = _read_varint(body, position)
        number, kind = key >> 3, key & 7
        if kind == _VARINT:
            value, position = _read_varint(body, position)
            yield number, value
            continue
        if kind == _BYTES:
            size, position = _read_varint(body, position)
        elif kind in (_FIXED32, _FIXED64):
            size = 4 if kind == _FIXED32 else 8
        else:
            raise ValueError(f"wire type {kind} does not occur in this format")
        if position + size > len(body):
            raise ValueError("a field is cut off")
        yield number, body[position : position + size]
        position += size


def as_semantics(codes: Sequence[Sequence[int]]) -> list[list[int]]:
    """Codes [K, T] of any array type as plain rows."""
    return [[int(code) for code in row] for row in codes]
