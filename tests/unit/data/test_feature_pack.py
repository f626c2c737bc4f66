"""Feature packs: what goes in comes out at another rate, standardised; interruptions lose nothing."""

import json

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from lungfish.data.audio_pack import AudioPack, SourceClip, append_clips
from lungfish.data.feature_pack import FeaturePack, extract_features, resample_frames
from lungfish.errors import DataError


class Loudness:
    """Two features, 50 a second: level of the waveform, and a constant."""

    name, rate_hz = "loudness", 50.0

    def __init__(self):
        self.heard = 0

    def extract(self, waveform, sample_rate):
        self.heard += 1
        step = sample_rate // 50
        frames = waveform[: len(waveform) // step * step].reshape(-1, step)
        return np.stack((np.abs(frames).mean(1), np.full(len(frames), 3.0)), axis=1).astype(np.float32)


@pytest.fixture
def pack(tmp_path):
    sources = []
    for number in range(4):
        path = tmp_path / f"c{number}.wav"
        rng = np.random.default_rng(number)
        soundfile.write(path, (0.1 * (number + 1) * rng.uniform(-1, 1, 22_050)).astype(np.float32), 22_050)
        sources.append(SourceClip(f"c{number}", "coral", "x", path))
    list(append_clips(tmp_path / "pack", sources, trim=False))
    return AudioPack(tmp_path / "pack")


def test_every_clip_has_standardised_features_at_the_rate_asked_for(pack, tmp_path):
    assert len(list(extract_features([pack], Loudness(), tmp_path / "features"))) == 4
    features = FeaturePack(tmp_path / "features")
    assert (features.name, features.rate_hz, features.dim) == ("loudness", 50.0, 2)
    clips = [features.frames(f"c{number}", 21, 21.5) for number in range(4)]
    assert all(clip.shape == (21, 2) and clip.dtype == np.float32 for clip in clips)
    levels = [clip[:, 0].mean() for clip in clips]
    assert levels == sorted(levels)
    assert abs(np.mean(levels)) < 0.05
    assert np.abs(clips[0][:, 1]).max() < 0.01  # a constant says nothing


def test_a_second_call_adds_only_what_is_new(pack, tmp_path):
    first = Loudness()
    stopped = extract_features([pack], first, tmp_path / "features")
    next(stopped)
    stopped.close()  # type: ignore[attr-defined]
    assert "c0" in FeaturePack(tmp_path / "features")
    second = Loudness()
    assert [clip.id for clip in extract_features([pack], second, tmp_path / "features")] == ["c1", "c2", "c3"]
    assert second.heard == 3
    assert all(f"c{number}" in FeaturePack(tmp_path / "features") for number in range(4))


def test_features_of_two_models_do_not_mix(pack, tmp_path):
    list(extract_features([pack], Loudness(), tmp_path / "features"))
    other = Loudness()
    other.name = "other"
    with pytest.raises(DataError, match=r"features of loudness, not of other.*another folder"):
        list(extract_features([pack], other, tmp_path / "features"))


def test_what_is_missing_is_named(pack, tmp_path):
    with pytest.raises(DataError, match="lungfish data features"):
        FeaturePack(tmp_path)
    list(extract_features([pack], Loudness(), tmp_path / "features"))
    with pytest.raises(DataError, match="clip nobody has no features"):
        FeaturePack(tmp_path / "features").frames("nobody", 3, 21.5)
    index = tmp_path / "features" / "index.jsonl"
    index.write_text(index.read_text() + json.dumps({"id": "c9"}) + "\n")
    with pytest.raises(DataError, match="line 5 is damaged"):
        FeaturePack(tmp_path / "features")


def test_the_mean_over_a_fractional_span_is_exact():
    features = np.arange(10, dtype=np.float32)[:, None]
    assert np.allclose(resample_frames(features, 50.0, 4, 20.0)[:, 0], [0.8, 3.2, 5.8, 8.2])
    assert np.allclose(resample_frames(features, 50.0, 10, 50.0), features)


@given(st.integers(1, 40), st.integers(1, 60), st.floats(5, 100), st.floats(5, 100))
def test_means_stay_within_the_features_and_constants_stay(length, count, rate, frame_rate):
    features = np.random.default_rng(length).uniform(-1, 1, (length, 2)).astype(np.float32)
    features[:, 1] = 0.5
    made = resample_frames(features, rate, count, frame_rate)
    assert made.shape == (count, 2)
    assert np.all(made[:, 0] >= features[:, 0].min() - 1e-5)
    assert np.all(made[:, 0] <= features[:, 0].max() + 1e-5)
    assert np.allclose(made[:, 1], 0.5, atol=1e-5)
