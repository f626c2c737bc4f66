"""`lungfish data teach` with a teacher that hums."""

import numpy as np
import pytest

from lungfish.cli.main import run
from lungfish.data import kokoro
from lungfish.evaluation.held_out import held_out_rows


class Hum:
    def __init__(self, voices_folder, voices, threads):
        self.voices = voices

    def speak(self, text, voice):
        assert voice in self.voices
        return np.zeros(2400, np.float32)


@pytest.fixture
def sentences(tmp_path):
    path = tmp_path / "s.tsv"
    path.write_text("".join(f"S{number}\ttext {number}\n" for number in range(12)))
    return path


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(kokoro, "Kokoro", Hum)
    monkeypatch.setenv("LUNGFISH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_shards_fill_one_folder_and_a_second_run_has_nothing_to_do(sentences, cache, capsys):
    for shard in ("0/2", "1/2", "0/2"):
        assert run(["data", "teach", str(sentences), "--held-out", "2", "--shard", shard]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert ["5 new clips" in line for line in lines] == [True, True, False]
    folder = cache / "teach" / "pcm"
    assert len(list(folder.glob("*.flac"))) == 10
    assert sorted(path.name for path in folder.glob("*.tsv")) == ["manifest-0-of-2.tsv", "manifest-1-of-2.tsv"]
    assert not {f"{voice}_S{number}.flac" for voice in kokoro.VOICES for number in (10, 11)} & {
        path.name for path in folder.iterdir()
    }


def test_known_clips_are_not_made_again(sentences, cache, tmp_path):
    manifest = tmp_path / "m.tsv"
    manifest.write_text("af_heart_S3.ogg\tcoral\taf_heart\ttext 3\t1.0\n")
    assert run(["data", "teach", str(sentences), "--held-out", "0", "--known", str(manifest)]) == 0
    assert len(list((cache / "teach" / "pcm").glob("*.flac"))) == 11


def test_the_held_out_rows_are_those_of_the_evaluation(cache):
    assert run(["data", "teach", "--only-held-out", "--rows", "4", "--minutes", "5"]) == 0
    names = [f"{voice}_{row.id}.flac" for voice, row in zip(list(kokoro.VOICES) * 2, held_out_rows(4), strict=True)]
    assert sorted(path.name for path in (cache / "teach" / "held_out").glob("*.flac")) == sorted(names)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], "give SENTENCES"),
        (["{sentences}", "--shard", "2/2"], "write NUMBER/COUNT"),
        (["{sentences}", "--shard", "x"], "write NUMBER/COUNT"),
        (["absent.tsv"], "id TAB text"),
    ],
)
def test_mistakes_are_one_line(arguments, expected, sentences, cache, capsys):
    assert run(["data", "teach", *(part.format(sentences=sentences) for part in arguments)]) != 0
    shown = capsys.readouterr().err.strip()
    assert expected in shown
    assert "\n" not in shown
