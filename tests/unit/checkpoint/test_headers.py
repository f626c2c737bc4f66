from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from lungfish.checkpoint.header_file import MAX_READ_BYTES, HeaderFile, open_local
from lungfish.checkpoint.headers import DTYPES, ITEM_BYTES, TensorInfo, read_safetensors_header
from lungfish.errors import CheckpointError, WeightsError
from tests.header_toy import safetensors_header, write_hollow


def test_reads_what_the_library_wrote(tmp_path: Path) -> None:
    tensors = {
        "a": torch.zeros(2, 3, dtype=torch.bfloat16),
        "b.c": torch.zeros(4, dtype=torch.int64),
        "empty": torch.zeros(0, 5),
        "scalar": torch.zeros((), dtype=torch.bool),
    }
    save_file(tensors, tmp_path / "x.safetensors", metadata={"format": "pt"})
    found = read_safetensors_header(open_local(tmp_path / "x.safetensors"))
    assert found == {name: TensorInfo(str(t.dtype)[6:], tuple(t.shape)) for name, t in tensors.items()}
    assert {name: info.nbytes for name, info in found.items()} == {name: t.nbytes for name, t in tensors.items()}


def test_every_type_is_torchs_and_of_its_size() -> None:
    for name in DTYPES.values():
        assert getattr(torch, name).itemsize == ITEM_BYTES[name]


def test_a_large_file_costs_one_window(tmp_path: Path) -> None:
    path = write_hollow(tmp_path / "x.safetensors", {"w": ("F32", (1 << 14, 1 << 14))})
    file = open_local(path)
    assert read_safetensors_header(file)["w"].numel == 1 << 28
    assert file.bytes_read <= 1 << 16


def raw(header: object, data: int, length: int | None = None) -> bytes:
    text = json.dumps(header).encode() if not isinstance(header, bytes) else header
    return (len(text) if length is None else length).to_bytes(8, "little") + text + bytes(data)


def entry(**changes: object) -> dict[str, object]:
    return {"w": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]} | changes}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "half downloaded"),
        (b"\x08\0\0", "half downloaded"),
        (raw(entry(), 16)[:40], "half downloaded"),
        (raw(entry(), 15), "fetch it again"),
        (raw(entry(), 17), "fetch it again"),
        (raw(entry(), 16, length=1 << 62), "half downloaded"),
        (raw(entry(), 16, length=0), "not a safetensors file"),
        (raw(b"{nonsense}", 0), "not readable as JSON"),
        (raw(b"[" * 50_000, 0), "not readable as JSON"),
        (raw(b"\xff\xfe", 0), "not readable as JSON"),
        (raw([1, 2], 0), "not a table of tensors"),
        (raw(b'{"a": 1, "a": 2}', 0), "a name occurs twice"),
        (raw({"w": 3}, 0), "makes no sense"),
        (raw(entry(dtype="F5"), 16), "'F5', which is not known"),
        (raw(entry(dtype=[]), 16), "not known|makes no sense"),
        (raw(entry(shape=[2, -2]), 16), "makes no sense"),
        (raw(entry(shape=[2.0, 2]), 16), "makes no sense"),
        (raw(entry(shape=[1] * 999), 16), "makes no sense"),
        (raw(entry(shape=[1 << 70]), 16), "makes no sense"),
        (raw(entry(shape="22"), 16), "makes no sense"),
        (raw(entry(data_offsets=[0, 12]), 16), "does not lie where"),
        (raw(entry(data_offsets=[4, 20]), 20), "does not lie where"),
    ],
)
def test_damage_is_named(tmp_path: Path, content: bytes, expected: str) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(content)
    with pytest.raises(WeightsError, match=expected) as caught:
        read_safetensors_header(open_local(path))
    assert "x.safetensors" in str(caught.value)


def test_overlapping_tensors_are_refused(tmp_path: Path) -> None:
    header, _ = safetensors_header({"a": ("F32", (2,)), "b": ("F32", (2,))})
    header["b"]["data_offsets"] = [0, 8]
    (tmp_path / "x").write_bytes(raw(header, 8))
    with pytest.raises(WeightsError, match="does not lie where"):
        read_safetensors_header(open_local(tmp_path / "x"))


def test_an_absurd_length_in_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    with path.open("wb") as file:
        file.write((1 << 30).to_bytes(8, "little"))
        file.truncate(1 << 31)
    opened = open_local(path)
    with pytest.raises(WeightsError, match="more than the format allows"):
        read_safetensors_header(opened)
    assert opened.bytes_read <= 1 << 16


class TestHeaderFile:
    def test_reads_any_part_in_any_order(self) -> None:
        content = bytes(range(256)) * 1024
        file = HeaderFile("x", len(content), lambda offset, length: content[offset : offset + length])
        for offset, length in ((0, 8), (250_000, 100), (8, 100_000), (262_100, 500), (0, 0), (9_999_999, 5)):
            file.seek(offset)
            assert file.read(length) == content[offset : offset + length]
        file.seek(-3, 2)
        assert file.read() == content[-3:]

    def test_has_a_limit(self) -> None:
        file = HeaderFile("x", 1 << 40, lambda offset, length: b"")
        with pytest.raises(WeightsError, match="headers claim more"):
            file.read(MAX_READ_BYTES + 1)

    def test_a_file_that_shrinks_is_named(self) -> None:
        with pytest.raises(CheckpointError, match="ends early"):
            HeaderFile("x", 100, lambda offset, length: b"short").read(50)

    def test_an_absent_file_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(CheckpointError, match="cannot be read"):
            open_local(tmp_path / "absent")
