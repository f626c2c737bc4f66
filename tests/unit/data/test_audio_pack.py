import json

import numpy as np
import pytest
import soundfile

from lungfish.data.audio_pack import (
    AudioPack,
    SourceClip,
    append_clips,
    copy_as_mulaw,
    mulaw_decode,
    mulaw_encode,
    sources_from_manifest,
    trim_silence,
)
from lungfish.data.split import is_validation
from lungfish.errors import DataError

RATE = 22_050


def tone(seconds: float, level: float = 0.3) -> np.ndarray:
    return (level * np.sin(2 * np.pi * 220 * np.arange(int(seconds * RATE)) / RATE)).astype(np.float32)


@pytest.fixture
def sources(tmp_path):
    made = []
    for number in range(3):
        path = tmp_path / f"c{number}.wav"
        soundfile.write(path, tone(0.3 + 0.1 * number), RATE)
        made.append(SourceClip(f"c{number}", "coral", f"text {number}", path))
    return made


def test_clips_come_back_as_they_were(tmp_path, sources):
    added = list(append_clips(tmp_path / "pack", sources, RATE, trim=False))
    pack = AudioPack(tmp_path / "pack")
    assert [clip.id for clip in pack.clips] == ["c0", "c1", "c2"] == [clip.id for clip in added]
    assert pack.clips[1].text == "text 1"
    assert np.abs(pack.waveform(pack.clips[2]) - tone(0.5)).max() < 1e-3
    assert pack.hours == pytest.approx(1.2 / 3600, rel=1e-3)


def test_known_clips_are_skipped_and_orphaned_samples_overwritten(tmp_path, sources):
    folder = tmp_path / "pack"
    list(append_clips(folder, sources[:2], RATE, trim=False))
    with (folder / "audio.i16").open("ab") as file:
        file.write(b"\1\2" * 999)  # an interrupted append
    added = list(append_clips(folder, sources, RATE, trim=False))
    assert [clip.id for clip in added] == ["c2"]
    pack = AudioPack(folder)
    assert np.abs(pack.waveform(pack.clips[2]) - tone(0.5)).max() < 1e-3


def test_another_rate_and_a_damaged_index_are_refused(tmp_path, sources):
    folder = tmp_path / "pack"
    list(append_clips(folder, sources[:1], RATE))
    with pytest.raises(DataError, match="22050 Hz"):
        list(append_clips(folder, sources, 16_000))
    with (folder / "index.jsonl").open("a") as file:
        file.write("{half a ro")
    with pytest.raises(DataError, match="line 2"):
        AudioPack(folder)


def test_other_rates_are_resampled(tmp_path):
    path = tmp_path / "a.wav"
    soundfile.write(path, tone(0.5)[::2], RATE // 2)
    (clip,) = append_clips(tmp_path / "pack", [SourceClip("a", "coral", "x", path)], RATE, trim=False)
    assert abs(clip.num_samples - len(tone(0.5))) <= 2


def test_silence_is_cut_at_both_ends_only():
    gap = np.zeros(RATE // 2, np.float32)
    samples = np.concatenate([gap, tone(0.2), gap, tone(0.2), gap])
    cut = trim_silence(samples, RATE)
    assert 1.05 * RATE < len(cut) < 1.2 * RATE
    assert len(trim_silence(gap, RATE)) == len(gap)


def test_mulaw_keeps_speech_within_its_steps():
    samples = np.linspace(-1, 1, 10_001).astype(np.float32)
    error = np.abs(mulaw_decode(mulaw_encode(samples)) - samples)
    assert error.max() < 0.023
    assert error[np.abs(samples) < 0.01].max() < 3e-4


def test_a_mulaw_copy_holds_what_fits(tmp_path, sources):
    list(append_clips(tmp_path / "pack", sources, RATE, trim=False))
    whole = AudioPack(tmp_path / "pack")
    first_two = sum(clip.num_samples for clip in whole.clips[:2])
    assert copy_as_mulaw(whole, tmp_path / "copy", first_two + 10) == 2
    copy = AudioPack(tmp_path / "copy")
    assert np.abs(copy.waveform(copy.clips[1]) - whole.waveform(whole.clips[1])).max() < 0.02
    with pytest.raises(DataError, match="allow more"):
        copy_as_mulaw(whole, tmp_path / "none", 10)


def test_manifests_of_both_forms(tmp_path):
    path = tmp_path / "manifest.tsv"
    path.write_text("file\tvoice\tteacher_voice\ttext\tseconds\na.ogg\tcoral\taf_heart\tHello\t1.0\n")
    (source,) = sources_from_manifest(path, tmp_path, {"af_heart": "coral"})
    assert (source.id, source.voice, source.text, source.path) == ("a", "coral", "Hello", tmp_path / "a.ogg")
    path.write_text("b.flac\taf_heart\tYes\t1.0\n")
    assert sources_from_manifest(path, tmp_path, {"af_heart": "coral"})[0].text == "Yes"
    path.write_text("b.flac\tunknown\tYes\t1.0\n")
    with pytest.raises(DataError, match="line 1"):
        sources_from_manifest(path, tmp_path, {"af_heart": "coral"})


def test_the_split_depends_on_the_id_alone():
    chosen = [number for number in range(4000) if is_validation(f"clip{number}")]
    assert 60 < len(chosen) < 140
    assert json.dumps(chosen) == json.dumps([n for n in range(4000) if is_validation(f"clip{n}")])
