import csv
import json

import torch

from lungfish.checkpoint.codec_keys import released_shapes
from lungfish.codec.config import CodecConfig
from lungfish.codec.dac import ModifiedDAC
from lungfish.nn.streaming import state_tensors


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


def test_the_decoding_side_is_184_million_parameters():
    codec = full_size()
    codec.drop_encoder()
    shapes = released_shapes(codec.state_dict())
    books = 10 * (1024 * 8 + 1024 + 1024) + 4096 * 8 + 9 * 1024 * 8  # out_proj in its released spelling, codebooks
    assert sum(shape.numel() for shape in shapes.values()) == books + 109_085_696 + 21_006_336 + 54_104_162
    assert round(sum(parameter.numel() for parameter in codec.parameters()) / 1e6) == 184


def test_a_stream_keeps_the_specified_number_of_floats():
    codec = full_size()

    def floats(layers) -> int:
        return sum(tensor.numel() for tensor in state_tensors(layers) if tensor.is_floating_point())

    decoding = 2_080_768 + 12_288 + 6_144 + 2_880 + 112_320 + 576
    encoding = 6 + 74_880 + 6_784 + 4_186_112 + 2_048 + 12_288 + 2_080_768
    assert floats(codec.new_decode_state().layers) == decoding
    assert floats(codec.new_encode_state().layers) == encoding
    assert floats(codec.new_decode_state(3).layers) == 3 * decoding
