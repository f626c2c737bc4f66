import csv
import json

import torch

from lungfish.checkpoint.codec_keys import released_shapes
from lungfish.codec.config import CodecConfig
from lungfish.codec.dac import ModifiedDAC


def full_size() -> ModifiedDAC:
    with torch.device("meta"):
        return ModifiedDAC(CodecConfig.s2())


def test_full_size_has_the_released_parameter_count():
    shapes = released_shapes(full_size().state_dict())
    assert sum(shape.numel() for shape in shapes.values()) == 391_430_530
    assert len(shapes) == 535
    assert len(full_size().state_dict()) == 455


def test_full_size_has_every_released_name_and_shape(shared):
    with (shared / "spec" / "codec_state_dict.tsv").open() as rows:
        table = {
            row["key"]: torch.Size(json.loads(row["shape"]))
            for row in csv.DictReader(rows, delimiter="\t")
            if row["kind"] == "param"
        }
    assert len(table) == 535
    assert released_shapes(full_size().state_dict()) == table


def test_full_size_shapes_beyond_both_windows():
    codec = full_size()
    frames = 200  # 800 encoder latents: past the encoder's window of 512 and the quantizer's of 128
    latents = codec.latents(torch.zeros(2, 1, 2048 * frames - 5, device="meta"))
    assert latents.shape == (2, 1024, frames)
    assert codec.synthesise(latents).shape == (2, 1, 2048 * frames)


def test_parts_have_the_released_sizes():
    shapes = released_shapes(full_size().state_dict())
    count = {part: sum(s.numel() for n, s in shapes.items() if n.startswith(part)) for part in ("enc", "qua", "dec")}
    assert count == {"enc": 76_851_328, "qua": 260_475_040, "dec": 54_104_162}
