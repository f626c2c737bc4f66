import itertools

import numpy as np
import pytest
import soundfile

from lungfish.data.audio_pack import sources_from_manifest
from lungfish.data.kokoro import SAMPLE_RATE, VOICES
from lungfish.data.teach import HEADER, Task, known_sentences, plan, remaining, run, teach
from lungfish.errors import DataError, OutputError, TextError

NAMES = list(VOICES)


class Fake:
    """Speaks a tenth of a second; can stop as Ctrl-C does, and refuses some texts."""

    def __init__(self, stop_at: int | None = None, refuse: str = "-") -> None:
        self.spoken: list[str] = []
        self.stop_at, self.refuse = stop_at, refuse

    def speak(self, text: str, voice: str) -> np.ndarray:
        if len(self.spoken) == self.stop_at:
            raise KeyboardInterrupt
        if text == self.refuse:
            raise TextError("too long")
        self.spoken.append(text)
        return np.full(SAMPLE_RATE // 10, 0.1, np.float32)


@pytest.fixture
def sentences(tmp_path):
    path = tmp_path / "sentences.tsv"
    path.write_text("".join(f"S{number:03d}\ttext {number}\n" for number in range(30)))
    return path


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"


def manifest_rows(folder, name="manifest.tsv"):
    return sources_from_manifest(folder / name, folder, VOICES)


def write_clip(path):
    path.parent.mkdir(exist_ok=True)
    soundfile.write(path, np.zeros(SAMPLE_RATE // 2, np.float32), SAMPLE_RATE)


def test_the_last_rows_are_held_out_and_voices_take_turns(sentences):
    tasks = plan(sentences, NAMES, held_out=10)
    assert {task.sentence_id for task in tasks} == {f"S{number:03d}" for number in range(20)}
    assert [task.teacher_voice for task in tasks[:4]] == NAMES * 2
    assert plan(sentences, NAMES) == []  # 200 by default


def test_the_seed_decides_the_order_and_shards_share_the_work(sentences):
    whole = plan(sentences, NAMES, held_out=0)
    assert whole == plan(sentences, NAMES, held_out=0)
    assert whole != plan(sentences, NAMES, held_out=0, seed=1)
    assert [task.sentence_id for task in whole] != sorted(task.sentence_id for task in whole)
    shards = [plan(sentences, NAMES, (n, 3), held_out=0) for n in range(3)]
    merged = [task for row in itertools.zip_longest(*shards) for task in row if task is not None]
    assert merged == whole


def test_it_goes_on_where_it_stopped(sentences, out):
    tasks = plan(sentences, NAMES, held_out=20)
    first, second = Fake(stop_at=4), Fake()
    with pytest.raises(KeyboardInterrupt):
        list(teach(first, tasks, out))
    assert len(list(teach(second, tasks, out))) == 6
    assert not set(first.spoken) & set(second.spoken)
    assert list(teach(Fake(stop_at=0), tasks, out)) == []
    sources = manifest_rows(out)
    assert [source.text for source in sources] == [task.text for task in tasks]
    assert {source.voice for source in sources} == {"coral", "marlin"}
    info = soundfile.info(sources[0].path)
    assert (info.samplerate, info.frames, info.channels, info.format) == (24_000, 2400, 1, "FLAC")
    assert not list(out.glob(".*part"))


def test_clips_of_the_older_layout_are_accepted(sentences, out):
    tasks = plan(sentences, NAMES, held_out=20)
    other = NAMES[1] if tasks[0].teacher_voice == NAMES[0] else NAMES[0]  # made in another order, so by another voice
    old = f"{other}_{tasks[0].sentence_id}.flac"
    write_clip(out / old)
    (out / "manifest-0.tsv").write_text(f"{old}\t{other}\t{tasks[0].text}\t0.50\n")
    assert [made.task for made in teach(Fake(), tasks, out)] == tasks[1:]
    assert len(manifest_rows(out, "manifest-0.tsv")) == 1
    assert len(manifest_rows(out)) == 9  # what another manifest lists is not listed twice


def test_a_kill_between_clip_and_row_loses_nothing(sentences, out):
    tasks = plan(sentences, NAMES, held_out=20)
    write_clip(out / tasks[3].file_name)
    (out / tasks[4].file_name).write_bytes(b"fLaC, cut off")
    (out / "manifest.tsv").write_bytes(HEADER.encode() + "half a r\u00f6w".encode()[:-2])
    made = list(teach(Fake(), tasks, out))
    assert [one.task for one in made] == tasks[:3] + tasks[4:]
    lines = (out / "manifest.tsv").read_text().splitlines()
    assert lines[0] == HEADER.strip()
    voice = VOICES[tasks[3].teacher_voice]
    assert lines[1] == f"{tasks[3].file_name}\t{voice}\t{tasks[3].teacher_voice}\t{tasks[3].text}\t0.50"
    assert len(manifest_rows(out)) == 10


def test_what_the_teacher_cannot_say_is_skipped_and_told(sentences, out, capsys):
    tasks = plan(sentences, NAMES, held_out=20)
    made = run(Fake(refuse=tasks[2].text), tasks, out)
    assert [one.skipped for one in made] == ["", "", "too long"] + [""] * 7
    assert len(manifest_rows(out)) == 9
    assert f"{tasks[2].sentence_id} is skipped: too long" in capsys.readouterr().out


def test_known_sentences_and_a_time_limit_stop_it(sentences, tmp_path, out):
    tasks = plan(sentences, NAMES, held_out=20)
    manifest = tmp_path / "corpus.tsv"
    manifest.write_text(HEADER + "".join(f"audio/{task.file_name}\tcoral\taf_heart\tx\t1\n" for task in tasks[:7]))
    known = known_sentences(manifest)
    assert {task.sentence_id for task in tasks[:7]} <= known
    ticks = iter(range(0, 10_000, 40))
    made = run(Fake(), tasks, out, "manifest.tsv", 1.0, known, lambda: next(ticks))
    assert [one.task for one in made] == tasks[7:9]
    assert sum(one.seconds for one in made) == pytest.approx(0.2)


def test_ids_may_hold_underscores(out):
    task = Task("LJ_001_02", "text", "af_heart")
    write_clip(out / task.file_name)
    other = Task("LJ_001_03", "text", "af_heart")
    assert remaining([task, other], out) == [other]


def test_what_cannot_work_says_what_to_do(tmp_path, sentences):
    with pytest.raises(DataError, match="id TAB text"):
        plan(tmp_path / "absent.tsv", NAMES)
    with pytest.raises(DataError, match="cannot be read"):
        known_sentences(tmp_path / "absent.tsv")
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(OutputError, match="--output"):
        list(teach(Fake(), plan(sentences, NAMES, held_out=0), blocked))
