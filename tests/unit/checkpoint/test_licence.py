from __future__ import annotations

import json
from pathlib import Path

import pytest

from lungfish.checkpoint.licence import (
    FISH_AUDIO,
    Licence,
    carry_licence,
    first_lines,
    from_card,
    is_licence_file,
    licence_lines,
    read_licence,
    recognise,
    strictest,
)
from lungfish.errors import ConfigError, OutputError

FISH = "# Fish Audio Research License\n\n**Last Updated: March 7, 2026**\n\nsome terms\n"
NOTICE_LINE = (
    "This model is licensed under the Fish Audio Research License, Copyright © 39 AI, INC. All Rights Reserved."
)


def checkpoint(folder: Path, text: str | None = None, **config: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps({"model_type": "x", **config}))
    if text is not None:
        (folder / "LICENSE").write_text(text)
    return folder


@pytest.mark.parametrize(
    ("text", "expected", "commercial"),
    [
        (FISH, FISH_AUDIO, False),
        ("\ufeffFISH AUDIO RESEARCH LICENSE AGREEMENT\r\n\r\nx", FISH_AUDIO, False),
        ("\n\n      Apache License\n   Version 2.0, January 2004\n", "apache-2.0", True),
        ("MIT License\n\nCopyright (c) 2026", "mit", True),
        ("The MIT License (MIT)\n", "mit", True),
        ("Attribution 4.0 International\n\n=====\n", "cc-by-4.0", True),
        ("Creative Commons Attribution-NonCommercial 4.0 International Public License", "cc-by-nc-4.0", False),
        ("Attribution-NonCommercial-ShareAlike 4.0 International", "cc-by-nc-sa-4.0", False),
        ("Attribution-NoDerivatives 4.0 International", "cc-by-nd-4.0", True),
        ("Creative Commons Legal Code\n\nAttribution-NonCommercial 3.0 Unported", "cc-by-nc-3.0", False),
        ("CC BY-NC-SA 4.0", "cc-by-nc-sa-4.0", False),
        ("Creative Commons Legal Code\n\nCC0 1.0 Universal\n", "cc0-1.0", True),
    ],
)
def test_a_text_is_known_by_its_title(text: str, expected: str, commercial: bool) -> None:
    licence = recognise(text)
    assert (licence.id, licence.commercial_use) == (expected, commercial)
    assert len(licence.limits) == 2
    assert licence.link


@pytest.mark.parametrize(
    "text",
    [
        "",
        "My own terms\nuse it well",
        "Apache License\nVersion 1.1",
        "This repository is not under the MIT License",
        "Terms\n\nlike the Fish Audio Research License, but other",
        "Attribution is nice 4.0",
        "\x00\xff binary",
    ],
)
def test_an_unknown_text_is_named_by_its_hash(text: str) -> None:
    licence = recognise(text)
    assert licence.id.startswith("other-")
    assert licence.commercial_use is None
    assert recognise(text) == licence
    assert recognise(text + "!").id != licence.id


def test_what_fish_audio_asks() -> None:
    licence = recognise(FISH)
    assert (licence.notice, licence.attribution) == (NOTICE_LINE, "Built with Fish Audio")
    lines = licence_lines(licence)
    assert any("Built with Fish Audio" in line and "research and non-commercial use" in line for line in lines)
    assert lines[-1] == licence.link
    assert all("\n" not in line for line in lines)
    assert "Built with Fish Audio; research and non-commercial use" in licence.banner


def test_another_version_of_the_text_is_pointed_out() -> None:
    assert len(recognise(FISH.replace("March 7, 2026", "7 March 2026")).limits) == 2
    newer = recognise(FISH.replace("March 7, 2026", "January 1, 2027"))
    assert newer.id == FISH_AUDIO
    assert "dated otherwise" in newer.limits[2]


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("apache-2.0", "apache-2.0"),
        ("MIT", "mit"),
        ("cc-by-nc-sa-4.0", "cc-by-nc-sa-4.0"),
        ("cc-by-4.0", "cc-by-4.0"),
        ("cc0-1.0", "cc0-1.0"),
        ("fish-audio-research-license", FISH_AUDIO),
        ("OpenRAIL++", "openrail"),
        ("  ", "not-stated"),
    ],
)
def test_a_card_names_a_licence(stated: str, expected: str) -> None:
    assert from_card(stated).id == expected


def test_names_of_licence_files() -> None:
    for name in ("LICENSE", "LICENSE.md", "licence.txt", "COPYING", "LICENSE-codec"):
        assert is_licence_file(name)
    for name in ("NOTICE", "LICENSED.md", "README.md", "my-LICENSE"):
        assert not is_licence_file(name)


def test_an_unknown_text_cannot_move_the_cursor() -> None:
    assert first_lines("a\x1b[2Jb\n\n\nc\r\n" + "x" * 500) == ["a[2Jb", "c", "x" * 160]


def test_a_folder_says_what_its_licence_is(tmp_path: Path) -> None:
    assert read_licence(tmp_path) is None
    assert read_licence(tmp_path / "absent") is None
    assert read_licence(checkpoint(tmp_path / "plain")) is None
    fish = read_licence(checkpoint(tmp_path / "fish", FISH))
    assert fish is not None
    assert fish.id == FISH_AUDIO


def test_the_card_counts_where_there_is_no_text(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path)
    card = folder / "README.md"
    for head, expected in (
        ("---\nlicense: cc-by-nc-sa-4.0\ntags: [tts]\n---\n# Voice", "cc-by-nc-sa-4.0"),
        ("---\nlicense: other\nlicense_name: fish-audio-research-license\n---\n", FISH_AUDIO),
        ("# Voice\nlicense: mit", None),
        ("---\nlicense: [\n---\n", None),
        ("---\nlicense: 7\n---\n", None),
    ):
        card.write_text(head)
        licence = read_licence(folder)
        assert (licence.id if licence else None) == expected
    (folder / "LICENSE").write_text("MIT License")
    card.write_text("---\nlicense: cc-by-nc-4.0\n---\n")
    licence = read_licence(folder)
    assert licence is not None
    assert licence.id == "mit"  # the checkpoint's own text decides


def test_the_strictest_of_several_counts(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path, "MIT License", lungfish={"licence": recognise(FISH).to_dict()})
    (folder / "LICENSE-codec").write_text("terms of my own")
    licence = read_licence(folder)
    assert licence == recognise(FISH)
    assert strictest([recognise("MIT License"), recognise("own")]).commercial_use is None


def test_a_record_survives_json() -> None:
    for text in (FISH, "MIT License", "own"):
        licence = recognise(text)
        assert Licence.from_dict(json.loads(json.dumps(licence.to_dict()))) == licence


@pytest.mark.parametrize(
    "record",
    [
        "mit",
        [],
        {"id": "mit"},
        {"id": 1, "name": "x"},
        {"id": "a", "name": "b", "more": 1},
        {"id": "a", "name": "b", "limits": "text"},
        {"id": "a", "name": "b", "limits": [1]},
        {"id": "a", "name": "b", "commercial_use": "no"},
    ],
)
def test_a_damaged_record_is_one_line(tmp_path: Path, record: object) -> None:
    folder = checkpoint(tmp_path, lungfish={"licence": record})
    with pytest.raises(ConfigError, match="not a licence record"):
        read_licence(folder)


def test_what_is_derived_inherits(tmp_path: Path) -> None:
    source = checkpoint(tmp_path / "source", FISH)
    target = checkpoint(tmp_path / "target", lungfish={"voices": ["a"]})
    licence = carry_licence(source, target, "merged an adapter\ninto it")
    assert licence == recognise(FISH)
    assert (target / "LICENSE").read_text() == FISH
    notice = (target / "NOTICE").read_text().splitlines()
    assert notice == [NOTICE_LINE, "Built with Fish Audio", "Changed: merged an adapter into it"]
    config = json.loads((target / "config.json").read_text())
    assert config["lungfish"]["voices"] == ["a"]
    assert config["lungfish"]["licence"]["commercial_use"] is False
    assert read_licence(target) == licence
    assert not list(target.glob(".*"))

    (target / "LICENSE").unlink()  # the record alone is enough to inherit again
    further = checkpoint(tmp_path / "further")
    carry_licence(target, further, "int8 weights")
    assert (further / "NOTICE").read_text().splitlines() == [*notice, "Changed: int8 weights"]
    assert read_licence(further) == licence


def test_carrying_again_changes_nothing(tmp_path: Path) -> None:
    source, target = checkpoint(tmp_path / "source", FISH), checkpoint(tmp_path / "target")
    for _ in range(2):
        carry_licence(source, target, "x")
        carry_licence(target, target, "x")
    assert (target / "NOTICE").read_text().count(NOTICE_LINE) == 1
    assert sorted(path.name for path in target.iterdir()) == ["LICENSE", "NOTICE", "config.json"]


def test_of_two_parents_the_stricter_stays(tmp_path: Path) -> None:
    free, fish = checkpoint(tmp_path / "free", "MIT License\nCopyright A"), checkpoint(tmp_path / "fish", FISH)
    for first, second in ((free, fish), (fish, free)):
        target = checkpoint(tmp_path / f"of-{first.name}")
        carry_licence(first, target, "language model")
        licence = carry_licence(second, target, "codec")
        assert licence is not None
        assert licence.id == FISH_AUDIO
        assert {recognise(path.read_text()).id for path in target.glob("LICENSE*")} == {"mit", FISH_AUDIO}
        assert NOTICE_LINE in (target / "NOTICE").read_text()
        assert read_licence(target) == licence


def test_a_codec_alone_takes_the_files_along(tmp_path: Path) -> None:
    target = tmp_path / "codec"
    target.mkdir()
    (target / "codec.json").write_text("{}")
    carry_licence(checkpoint(tmp_path / "source", FISH), target, "weights folded")
    assert (target / "codec.json").read_text() == "{}"
    assert read_licence(target) == recognise(FISH)


def test_nothing_to_inherit_and_nowhere_to_put_it(tmp_path: Path) -> None:
    target = checkpoint(tmp_path / "target")
    assert carry_licence(checkpoint(tmp_path / "own"), target, "x") is None
    assert [path.name for path in target.iterdir()] == ["config.json"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(OutputError, match="write the model first"):
        carry_licence(checkpoint(tmp_path / "source", FISH), tmp_path / "empty", "x")
    assert not list((tmp_path / "empty").iterdir())
