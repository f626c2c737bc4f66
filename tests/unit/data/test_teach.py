import itertools

import numpy as np
import pytest
import soundfile

from lungfish.data.audio_pack import sources_from_manifest
from lungfish.data.teach import SAMPLE_RATE, VOICES, Kokoro, plan, run, teach
from lungfish.errors import DataError, DependencyError


class Fake:
    def __init__(self, fail_at: int | None = None) -> None:
        self.spoken: list[str] = []
        self.fail_at = fail_at

    def speak(self, text: str, voice: str) -> np.ndarray:
        if self.fail_at is not None and len(self.spoken) == self.fail_at:
            raise KeyboardInterrupt
        self.spoken.append(text)
        return np.full(SAMPLE_RATE // 10, 0.1, np.float32)


@pytest.fixture
def sentences(tmp_path):
    path = tmp_path / "sentences.tsv"
    path.write_text("".join(f"S{number:03d}\ttext {number}\n" for number in range(30)))
    return path


def test_the_last_rows_are_held_out_and_voices_take_turns(sentences):
    tasks = plan(sentences, ["af_heart", "am_michael"], held_out=10)
    assert {task.sentence_id for task in tasks} == {f"S{number:03d}" for number in range(20)}
    assert [task.teacher_voice for task in tasks[:4]] == ["af_heart", "am_michael"] * 2
    held = plan(sentences, ["af_heart"], held_out=10, only_held_out=True)
    assert [task.sentence_id for task in held] == [f"S{number:03d}" for number in range(20, 30)]


def test_the_seed_decides_the_order_and_shards_share_the_work(sentences):
    whole = plan(sentences, ["af_heart", "am_michael"], held_out=0)
    assert whole == plan(sentences, ["af_heart", "am_michael"], held_out=0)
    assert whole != plan(sentences, ["af_heart", "am_michael"], held_out=0, seed=1)
    shards = [plan(sentences, ["af_heart", "am_michael"], (n, 3), held_out=0) for n in range(3)]
    merged = [task for row in itertools.zip_longest(*shards) for task in row if task is not None]
    assert merged == whole


def test_it_goes_on_where_it_stopped(sentences, tmp_path):
    tasks = plan(sentences, list(VOICES), held_out=20)
    first = Fake(fail_at=4)
    with pytest.raises(KeyboardInterrupt):
        list(teach(first, tasks, tmp_path / "out"))
    second = Fake()
    assert len(list(teach(second, tasks, tmp_path / "out"))) == 6
    assert not set(first.spoken) & set(second.spoken)
    assert list(teach(Fake(), tasks, tmp_path / "out")) == []
    sources = sources_from_manifest(tmp_path / "out" / "manifest.tsv", tmp_path / "out", VOICES)
    assert len(sources) == 10
    assert {source.voice for source in sources} == {"coral", "marlin"}
    samples, rate = soundfile.read(sources[0].path)
    assert (rate, len(samples)) == (24_000, 2400)
    assert not list((tmp_path / "out").glob(".*part"))


def test_known_sentences_and_a_time_limit_stop_it(sentences, tmp_path):
    tasks = plan(sentences, list(VOICES), held_out=20)
    known = frozenset(task.sentence_id for task in tasks[:7])
    ticks = iter(range(0, 10_000, 40))
    made, hours = run(Fake(), tasks, tmp_path / "out", "manifest.tsv", 1.0, lambda: next(ticks), known)
    assert made == 2
    assert hours == pytest.approx(2 * 0.1 / 3600)


def test_what_cannot_work_says_what_to_do(tmp_path, sentences):
    with pytest.raises(DataError, match="id TAB text"):
        plan(tmp_path / "absent.tsv", ["af_heart"])
    (tmp_path / "bad.tsv").write_text("no tab here\n")
    with pytest.raises(DataError, match="id TAB text"):
        plan(tmp_path / "bad.tsv", ["af_heart"])
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(DataError, match="--output"):
        list(teach(Fake(), plan(sentences, ["af_heart"], held_out=0), blocked))
    with pytest.raises(DependencyError, match=r"teacher-setup\.sh"):
        Kokoro(tmp_path)
