"""Packed training data: speaker groups of sentences with their codes, in framed protobuf messages.

    file      = (length: 4 bytes little-endian, TextData)*
    TextData  = 1 source, 2 name, 4 sentences        SampledData = 1 source, 2 name, 3 samples
    Sentence  = 1 texts, 3 semantics                 Semantics   = 1 values, packed; one per codebook

Own reader and writer of the few wire types that occur, so that no protobuf runtime is needed; fields ascend, so that
writing back what was read gives the same bytes. Unknown fields are skipped. Source: spec/system.md 6.1, 6.2; we define
the byte order, which the reference takes from the machine, and name the place where a file is damaged.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from lungfish.checkpoint.atomic import write_atomically
from lungfish.errors import DataError

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_SENTENCES_IN_TEXT_DATA, _SAMPLES_IN_SAMPLED_DATA = 4, 3
_LENGTH_BYTES = 4
_MAX_UINT32 = 2**32 - 1
_VARINT_SHIFTS = 7 * np.arange(5, dtype=np.uint64)  # a uint32 takes 1 to 5 bytes of 7 bits
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


@dataclass
class SampledData:
    """Sentences that were drawn from a record; one bare message, without framing."""

    source: str = ""
    name: str = ""
    samples: list[Sentence] = field(default_factory=list)


def read_shard(path: Path) -> Iterator[TextData]:
    """The records of a `.protos` file, one at a time.

    Raises:
        DataError: the file cannot be read, ends within a record, or a record is damaged; names file and offset.
    """
    try:
        with path.open("rb") as file:
            end = os.fstat(file.fileno()).st_size
            while head := file.read(_LENGTH_BYTES):
                offset = file.tell() - len(head)
                size = int.from_bytes(head, "little")
                if len(head) < _LENGTH_BYTES or offset + _LENGTH_BYTES + size > end:
                    raise DataError(f"{path}: the record at byte {offset} is cut off; copy or make the shard again")
                try:
                    record = decode_text_data(file.read(size))
                except DataError as error:
                    raise DataError(f"{path}: the record at byte {offset} is damaged ({error})") from error
                yield record
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror})") from error


def write_shard(path: Path, records: Iterable[TextData]) -> None:
    """Write records as they come; the file appears whole or not at all.

    Raises:
        DataError: a code is not in 0..2^32-1, a text is not text, or a record is too large for the format.
        OutputError: the file cannot be written.
    """

    def write(part: Path) -> None:
        with part.open("wb") as file:
            for number, record in enumerate(records):
                body = encode_text_data(record)
                if len(body) > _MAX_UINT32:
                    raise DataError(f"{path}: record {number} ({record.name}) is over 4 GiB; split its sentences")
                file.write(struct.pack("<I", len(body)) + body)

    write_atomically(path, write)


def encode_text_data(record: TextData) -> bytes:
    """One message, without framing.

    Raises:
        DataError: a code is not in 0..2^32-1, or a text is not text.
    """
    return _encode_group(record.source, record.name, _SENTENCES_IN_TEXT_DATA, record.sentences)


def decode_text_data(body: bytes) -> TextData:
    """Inverse of `encode_text_data`.

    Raises:
        DataError: not such a message.
    """
    return TextData(*_decode_group(body, _SENTENCES_IN_TEXT_DATA))


def encode_sampled_data(data: SampledData) -> bytes:
    """One message, without framing.

    Raises:
        DataError: a code is not in 0..2^32-1, or a text is not text.
    """
    return _encode_group(data.source, data.name, _SAMPLES_IN_SAMPLED_DATA, data.samples)


def decode_sampled_data(body: bytes) -> SampledData:
    """Inverse of `encode_sampled_data`.

    Raises:
        DataError: not such a message.
    """
    return SampledData(*_decode_group(body, _SAMPLES_IN_SAMPLED_DATA))


# --- messages -------------------------------------------------------------------------------------------------------


def _encode_group(source: str, name: str, number: int, sentences: list[Sentence]) -> bytes:
    parts = [_bytes_field(key, _utf8(text)) for key, text in ((1, source), (2, name)) if text]  # empty is the default
    return b"".join(parts + [_bytes_field(number, _encode_sentence(sentence)) for sentence in sentences])


def _decode_group(body: bytes, number: int) -> tuple[str, str, list[Sentence]]:
    source, name, sentences = "", "", []
    for key, value in _fields(body):
        if key == 1:
            source = _text(value)
        elif key == 2:
            name = _text(value)
        elif key == number:
            sentences.append(_decode_sentence(_as_bytes(value)))
    return source, name, sentences


def _encode_sentence(sentence: Sentence) -> bytes:
    parts = [_bytes_field(1, _utf8(text)) for text in sentence.texts]
    for row in sentence.semantics:
        parts.append(_bytes_field(3, _bytes_field(1, _pack(row)) if len(row) else b""))
    return b"".join(parts)


def _decode_sentence(body: bytes) -> Sentence:
    sentence = Sentence()
    for key, value in _fields(body):
        if key == 1:
            sentence.texts.append(_text(value))
        elif key == 3:
            sentence.semantics.append(_decode_semantics(_as_bytes(value)))
    return sentence


def _decode_semantics(body: bytes) -> list[int]:
    values: list[int] = []
    for key, value in _fields(body):
        if key == 1:  # a single element is not packed, which readers must accept
            values += [value & _MAX_UINT32] if isinstance(value, int) else _unpack(value)
    return values


# --- wire format ----------------------------------------------------------------------------------------------------


def _pack(row: list[int]) -> bytes:
    """Numbers as varints, one after the other."""
    if min(row) < 0 or max(row) > _MAX_UINT32:
        raise DataError(f"codes must be in 0..{_MAX_UINT32}, got {min(row)} to {max(row)}")
    groups = np.asarray(row, dtype=np.uint64)[:, None] >> _VARINT_SHIFTS  # [N, 5]
    used = groups > 0
    used[:, 0] = True
    more = np.pad(used[:, 1:], ((0, 0), (0, 1)))  # bit 7 says that another byte follows
    return (groups & 0x7F | more.astype(np.uint64) << np.uint64(7)).astype(np.uint8)[used].tobytes()


def _unpack(packed: bytes) -> list[int]:
    """Inverse of `_pack`."""
    if not packed:
        return []
    data = np.frombuffer(packed, np.uint8)
    ends = np.flatnonzero(data < 0x80)
    if not len(ends) or ends[-1] != len(data) - 1:
        raise DataError("a code is cut off")
    starts = np.concatenate([[0], ends[:-1] + 1])
    lengths = ends - starts + 1
    if lengths.max() > len(_VARINT_SHIFTS):
        raise DataError("a code is too long")
    shifts = 7 * (np.arange(len(data)) - np.repeat(starts, lengths)).astype(np.uint64)
    numbers = np.add.reduceat((data & 0x7F).astype(np.uint64) << shifts, starts)
    if numbers.max() > _MAX_UINT32:
        raise DataError(f"a code is over {_MAX_UINT32}")
    return numbers.tolist()


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _read_varint(body: bytes, position: int) -> tuple[int, int]:
    """Number and the position after it."""
    number = 0
    for shift in range(_MAX_VARINT_BYTES):
        if position >= len(body):
            raise DataError("a number is cut off")
        byte = body[position]
        position += 1
        number |= (byte & 0x7F) << (7 * shift)
        if byte < 0x80:
            return number, position
    raise DataError("a number is too long")


def _bytes_field(number: int, value: bytes) -> bytes:
    return _varint(number << 3 | _BYTES) + _varint(len(value)) + value


def _fields(body: bytes) -> Iterator[tuple[int, int | bytes]]:
    """(field number, value): an int for numbers, bytes for all else."""
    position = 0
    while position < len(body):
        key, position = _read_varint(body, position)
        number, kind = key >> 3, key & 7
        if number == 0:
            raise DataError("a field has number 0")
        if kind == _VARINT:
            value, position = _read_varint(body, position)
            yield number, value
            continue
        if kind == _BYTES:
            size, position = _read_varint(body, position)
        elif kind in (_FIXED32, _FIXED64):
            size = 4 if kind == _FIXED32 else 8
        else:
            raise DataError(f"wire type {kind} does not occur in this format")
        if position + size > len(body):
            raise DataError("a field is cut off")
        yield number, body[position : position + size]
        position += size


def _as_bytes(value: int | bytes) -> bytes:
    if isinstance(value, int):
        raise DataError("a number where text or a message is expected")
    return value


def _text(value: int | bytes) -> str:
    try:
        return _as_bytes(value).decode()
    except UnicodeDecodeError as error:
        raise DataError("a text is not UTF-8") from error


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise DataError(f"the text {text!r} has half a surrogate pair; clean it first") from error
