import json
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lungfish.data.protos import (
    SampledData,
    Sentence,
    TextData,
    decode_sampled_data,
    decode_text_data,
    encode_sampled_data,
    encode_text_data,
    read_shard,
    write_shard,
)
from lungfish.errors import DataError, OutputError
from tests.conftest import CHECKOUT

GOLDEN = CHECKOUT / "tests" / "golden" / "data"
RECORD = TextData("folder", "SPK", [Sentence(["one", "uno"], [[0, 127, 128], [4095, 16383, 16384]])])

codes = st.integers(0, 2**32 - 1)
sentences = st.builds(Sentence, st.lists(st.text()), st.lists(st.lists(codes, max_size=12), max_size=4))
records = st.builds(TextData, st.text(), st.text(), st.lists(sentences, max_size=3))


def from_json(row, key):
    return row["source"], row["name"], [Sentence(s["texts"], s["semantics"]) for s in row[key]]


@pytest.mark.parametrize("name", ["00000000", "edge"])
def test_golden_shards_are_read_and_written_back_byte_for_byte(name, tmp_path):
    content = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["text_data"]
    got = list(read_shard(GOLDEN / f"{name}.protos"))
    assert got == [TextData(*from_json(row, "sentences")) for row in content]
    write_shard(tmp_path / "copy.protos", got)
    assert (tmp_path / "copy.protos").read_bytes() == (GOLDEN / f"{name}.protos").read_bytes()


def test_golden_sampled_data():
    body = (GOLDEN / "sampled_data.bin").read_bytes()
    content = json.loads((GOLDEN / "sampled_data.json").read_text(encoding="utf-8"))["sampled_data"]
    assert decode_sampled_data(body) == SampledData(*from_json(content, "samples"))
    assert encode_sampled_data(decode_sampled_data(body)) == body


def test_the_golden_copies_are_the_shared_ones(shared):
    for path in GOLDEN.iterdir():
        assert path.read_bytes() == (shared / "golden" / "data" / path.name).read_bytes()


@settings(deadline=None)
@given(records)
def test_what_is_written_is_read(record):
    assert decode_text_data(encode_text_data(record)) == record


@settings(deadline=None)
@given(records)
def test_any_cut_is_told_or_gives_whole_fields_only(record):
    body = encode_text_data(record)
    for length in {0, len(body) // 3, len(body) // 2, max(0, len(body) - 1)}:
        try:
            part = decode_text_data(body[:length])
        except DataError:
            continue
        assert part.sentences == record.sentences[: len(part.sentences)]


@settings(deadline=None)
@given(st.binary(max_size=64))
def test_noise_never_escapes_as_another_error(noise):
    for decode in (decode_text_data, decode_sampled_data):
        try:
            decode(noise)
        except DataError:
            continue


def test_records_stream_one_at_a_time(tmp_path):
    path = tmp_path / "a.protos"
    write_shard(path, (TextData(name=str(number)) for number in range(3)))
    path.write_bytes(path.read_bytes()[:-1])  # only the last record suffers
    shard = read_shard(path)
    assert [next(shard).name, next(shard).name] == ["0", "1"]
    with pytest.raises(DataError, match="cut off"):
        next(shard)


def test_an_empty_file_has_no_records(tmp_path):
    write_shard(tmp_path / "a.protos", [])
    assert (tmp_path / "a.protos").read_bytes() == b""
    assert list(read_shard(tmp_path / "a.protos")) == []


def test_unpacked_unknown_and_repeated_fields_are_understood():
    unknown = b"\x48\x07" + b"\x4d\0\0\0\0" + b"\x51" + bytes(8) + b"\x5a\x02hi"  # numbers 9, 9, 10, 11
    sentence = b"\x1a\x04\x08\x05\x08\x06"  # semantics, each value a field of its own
    body = b"\x12\x01a" + unknown + b"\x22" + bytes([len(sentence)]) + sentence + b"\x12\x01b"
    assert decode_text_data(body) == TextData(name="b", sentences=[Sentence([], [[5, 6]])])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"\x0a\x05ab", "field is cut off"),
        (b"\x0a", "number is cut off"),
        (b"\x0a" + b"\xff" * 10 + b"\x01", "number is too long"),
        (b"\x0a\x02\xff\xfe", "not UTF-8"),
        (b"\x08\x01", "number where text"),
        (b"\x0b", "wire type 3"),
        (b"\x02\x00", "number 0"),
        (b"\x22\x05\x1a\x03\x0a\x01\x80", "code is cut off"),
        (b"\x22\x0a\x1a\x08\x0a\x06" + b"\xff" * 5 + b"\x01", "code is too long"),
        (b"\x22\x09\x1a\x07\x0a\x05" + b"\xff" * 4 + b"\x7f", "code is over"),
    ],
)
def test_damage_names_file_offset_and_reason(body, reason, tmp_path):
    good = encode_text_data(RECORD)
    path = tmp_path / "bad.protos"
    path.write_bytes(struct.pack("<I", len(good)) + good + struct.pack("<I", len(body)) + body)
    with pytest.raises(DataError, match=reason) as caught:
        list(read_shard(path))
    assert f"{path}: the record at byte {4 + len(good)} is damaged" in str(caught.value)


@pytest.mark.parametrize("tail", [b"\x01", b"\x01\0\0", b"\x05\0\0\0abcd", b"\xff\xff\xff\xff"])
def test_a_cut_file_names_the_offset(tail, tmp_path):
    path = tmp_path / "cut.protos"
    write_shard(path, [RECORD])
    whole = path.stat().st_size
    path.write_bytes(path.read_bytes() + tail)
    with pytest.raises(DataError, match=f"the record at byte {whole} is cut off"):
        list(read_shard(path))


def test_a_missing_file_and_a_folder_are_told(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        list(read_shard(tmp_path / "absent.protos"))
    with pytest.raises(DataError, match="cannot be read"):
        list(read_shard(tmp_path))


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        (Sentence([], [[1, -1]]), "codes must be"),
        (Sentence([], [[2**32]]), "codes must be"),
        (Sentence(["\ud83d"], []), "surrogate"),
    ],
)
def test_what_cannot_be_written_leaves_the_old_file(sentence, reason, tmp_path):
    path = tmp_path / "a.protos"
    write_shard(path, [RECORD])
    with pytest.raises(DataError, match=reason):
        write_shard(path, [RECORD, TextData(sentences=[sentence])])
    assert list(read_shard(path)) == [RECORD]
    assert list(tmp_path.iterdir()) == [path]


def test_a_target_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"):
        write_shard(tmp_path / "file" / "a.protos", [RECORD])
