from __future__ import annotations

import contextlib
import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from lungfish.checkpoint.header_file import open_local
from lungfish.checkpoint.torch_zip import StoredTensor, read_torch_zip, walk_pickle
from lungfish.errors import WeightsError

GOLDEN = Path(__file__).parents[2] / "golden" / "lm" / "s1_tiny" / "model.pth"


def read(path: Path) -> Any:
    return read_torch_zip(open_local(path))


def shapes(found: dict[str, Any]) -> dict[str, tuple[str, tuple[int, ...]]]:
    return {name: (item.info.dtype, item.info.shape) for name, item in found.items() if isinstance(item, StoredTensor)}


def test_agrees_with_torch_on_the_golden_file() -> None:
    real = torch.load(GOLDEN, weights_only=True)
    found = read(GOLDEN)
    assert shapes(found) == {name: (str(t.dtype)[6:], tuple(t.shape)) for name, t in real.items()}


def test_types_wrappers_views_and_plain_values(tmp_path: Path) -> None:
    base = torch.zeros(6, 4)
    kinds = (torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8)
    tensors: dict[str, torch.Tensor] = {str(k)[6:]: torch.zeros(3, dtype=k) for k in kinds}
    tensors |= {
        "bool": torch.ones(2, 2).bool(),
        "uint8": torch.zeros(1).byte(),
        "complex": torch.zeros(2, dtype=torch.complex64),
    }
    tensors |= {"float8": torch.zeros(4).to(torch.float8_e4m3fn), "view": base[2:, 1], "transposed": base.T}
    tensors |= {
        "expanded": torch.zeros(1).expand(3),
        "parameter": torch.nn.Parameter(torch.zeros(2)),
        "empty": torch.zeros(0, 3),
    }
    module = torch.nn.Linear(3, 2)
    torch.save(
        {
            "state_dict": OrderedDict(tensors),
            "module": module.state_dict(),  # carries an attribute
            "epoch": 3,
            "big": 1 << 80,
            "rate": 0.5,
            "names": ["a", ("b", None, True), b"c"],
            "size": base.shape,
            "device": torch.device("cpu"),
        },
        tmp_path / "x.pth",
    )
    found = read(tmp_path / "x.pth")
    assert shapes(found["state_dict"]) == {name: (str(t.dtype)[6:], tuple(t.shape)) for name, t in tensors.items()}
    assert set(shapes(found["module"])) == {"weight", "bias"}
    assert (found["epoch"], found["big"], found["rate"]) == (3, 1 << 80, 0.5)
    assert found["names"] == ["a", ("b", None, True), b"c"]
    assert found["size"] == (6, 4)


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_pickle_protocols(tmp_path: Path, protocol: int) -> None:
    torch.save({"w": torch.zeros(2, 3), "long": "x" * 300}, tmp_path / "x.pth", pickle_protocol=protocol)
    assert shapes(read(tmp_path / "x.pth")) == {"w": ("float32", (2, 3))}


class Evil:
    """Pickles into a call of `function`."""

    def __init__(self, function: Callable[..., Any], *arguments: Any) -> None:
        self.function, self.arguments = function, arguments

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self.function, self.arguments


def with_pickle(path: Path, content: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", content)
        archive.writestr("archive/data/0", bytes(16))
    return path


def test_a_malicious_pickle_is_refused_and_not_run(tmp_path: Path) -> None:
    mark = tmp_path / "owned"
    for function, arguments in (
        (exec, (f"open({str(mark)!r}, 'w')",)),
        (Path.touch, (mark,)),
        (open, (str(mark), "w")),
    ):
        for protocol in (2, 4):
            path = with_pickle(tmp_path / "evil.pth", pickle.dumps({"w": Evil(function, *arguments)}, protocol))
            with pytest.raises(WeightsError, match=r"asks for .*; only tensors") as caught:
                read(path)
            assert "\n" not in str(caught.value)
    assert not mark.exists()


@pytest.mark.parametrize(
    "content",
    [
        b"cos\nsystem\n(S'true'\ntR.",
        b"\x80\x02cbuiltins\neval\nq\x00.",
        b"(S'true'\nios\nsystem\n.",
        b"\x80\x02ctorch\nload\n.",
        b"\x80\x02ctorch._utils\n_import_dotted_name\n.",
        b"\x80\x02ccollections\nOrderedDict\n)\x81.",
        b"\x82\x01.",
        b"\x80\x02c__main__\nX\n)R}b.",
    ],
)
def test_anything_but_tensors_is_refused(content: bytes) -> None:
    with pytest.raises(WeightsError, match="asks for"):
        walk_pickle(content, "x.pth")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not a pickle",
        b"\x80\x02",
        b"\x80\x02.",
        b"\x80\x02}q\x00",
        b"\x80\x02h\x05.",
        b"\x80\x02t.",
        b"\x80\x02K\x01K\x02s.",
        b"\x80\x02}K\x01K\x02e.",
        b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n)R.",
        b"\x80\x02K\x01Q.",
        b"\x80\x02}(X\x01\x00\x00\x00a))K\x01\x85\x85K\x00u.",
        b"\x8e\xff\xff\xff\xff\xff\xff\xff\x7f.",
    ],
)
def test_damage_is_one_error(content: bytes) -> None:
    with pytest.raises(WeightsError, match=r"x\.pth"):
        walk_pickle(content, "x.pth")


def test_a_key_that_takes_ages_to_hash_is_refused() -> None:
    nested = b"\x80\x02}(" + b")" + b"2\x86" * 60 + b"K\x00u."
    with pytest.raises(WeightsError, match="damaged"):
        walk_pickle(nested, "x.pth")


def test_every_cut_and_flipped_byte_is_at_most_an_error(tmp_path: Path) -> None:
    torch.save({"w": torch.zeros(2, 2), "b": torch.nn.Parameter(torch.ones(3))}, tmp_path / "x.pth")
    with zipfile.ZipFile(tmp_path / "x.pth") as archive:
        pickled = archive.read("x/data.pkl")
    sizes = {"0": 16, "1": 12}
    assert set(walk_pickle(pickled, "x", sizes)) == {"w", "b"}
    for position in range(len(pickled)):
        for damaged in (
            pickled[:position],
            pickled[:position] + bytes([pickled[position] ^ 0x55]) + pickled[position + 1 :],
        ):
            with contextlib.suppress(WeightsError):
                walk_pickle(damaged, "x", sizes)


def test_tensors_must_fit_into_their_records(tmp_path: Path) -> None:
    torch.save({"w": torch.zeros(4)}, tmp_path / "x.pth")
    with zipfile.ZipFile(tmp_path / "x.pth") as archive:
        pickled = archive.read("x/data.pkl")
    for sizes in ({}, {"0": 15}, {"0": 17}):
        with pytest.raises(WeightsError, match="record 0 has"):
            walk_pickle(pickled, "x", sizes)
    larger = pickled.replace(b"K\x00K\x04\x85", b"K\x01K\x04\x85")  # offset 1: one element too far
    assert larger != pickled
    with pytest.raises(WeightsError, match="does not fit"):
        walk_pickle(larger, "x", {"0": 16})


def test_files_that_are_no_torch_checkpoints(tmp_path: Path) -> None:
    whole = GOLDEN.read_bytes()
    path = tmp_path / "x.pth"
    for content in (b"", b"PK\x05\x06", whole[: len(whole) // 2], whole[:-1], whole[100:]):
        path.write_bytes(content)
        with pytest.raises(WeightsError, match=r"x\.pth"):
            read(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(WeightsError, match=r"no data\.pkl"):
        read(path)


def test_a_zip_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lungfish.checkpoint.torch_zip.MAX_PICKLE_BYTES", 1 << 20)
    with zipfile.ZipFile(tmp_path / "x.pth", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/data.pkl", bytes(1 << 22))
    with pytest.raises(WeightsError, match="over 1 MiB"):
        read(tmp_path / "x.pth")
