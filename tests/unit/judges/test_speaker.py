"""The real encoder on real speakers; the weights come with the package."""

import sys

import numpy as np
import pytest

from lungfish.audio.files import read_waveform
from lungfish.errors import DependencyError
from lungfish.judges.speaker import SAMPLE_RATE, SpeakerEncoder, similarity


@pytest.fixture(scope="module")
def encoder():
    pytest.importorskip("webrtcvad", reason="the speaker encoder is installed by dev/judges.sh")
    pytest.importorskip("librosa", reason="the speaker encoder is installed by dev/judges.sh")
    try:
        return SpeakerEncoder()
    except DependencyError as error:
        pytest.skip(f"dev/judges.sh installs it: {error}")


def read(path):
    waveform, rate = read_waveform(path)
    return waveform[0].numpy(), rate


@pytest.fixture(scope="module")
def people(shared):
    """Two clips each of three speakers."""
    folders = sorted(folder for folder in (shared / "speech" / "librispeech").iterdir() if folder.is_dir())[:3]
    return [[read(path) for path in sorted(folder.glob("*.flac"))[:2]] for folder in folders]


def test_a_voice_is_most_like_itself(encoder, people):
    vectors = [[encoder.embed(*clip) for clip in clips] for clips in people]
    assert vectors[0][0].shape == (256,)
    assert vectors[0][0].dtype == np.float32
    assert np.linalg.norm(vectors[0][0]) == pytest.approx(1, abs=1e-4)
    own = [similarity(first, second) for first, second in vectors]
    across = [similarity(vectors[a][0], vectors[b][0]) for a, b in ((0, 1), (0, 2), (1, 2))]
    assert min(own) > max(across) + 0.05
    assert min(own) > 0.7


def test_the_same_clip_gives_the_same_vector_at_any_rate_and_low_level(encoder, people):
    samples, rate = people[0][0]
    vector = encoder.embed(samples, rate)
    assert np.array_equal(vector, encoder.embed(samples, rate))
    quiet, quieter = (encoder.embed(level * samples, rate) for level in (0.02, 0.005))
    assert similarity(quiet, quieter) > 0.99  # both are made equally loud first
    doubled = np.interp(np.arange(2 * len(samples)) / 2, np.arange(len(samples)), samples)
    assert similarity(vector, encoder.embed(doubled, 2 * rate)) > 0.97
    assert similarity(vector, encoder.embed(doubled, rate)) < 0.9  # an octave lower is another voice


def test_long_silences_are_cut(encoder, people):
    samples, rate = people[0][0]
    padded = np.concatenate([samples, np.zeros(6 * rate, np.float32), samples])
    together = np.concatenate([samples, samples])
    vectors = [encoder.embed(clip, rate) for clip in (padded, together)]
    assert similarity(*vectors) > 0.98


@pytest.mark.parametrize("samples", [np.zeros(0), np.zeros(100), np.zeros(SAMPLE_RATE), np.full(SAMPLE_RATE, 1e-7)])
def test_clips_without_a_voice_have_a_vector_too(encoder, samples):
    assert np.isfinite(encoder.embed(samples, SAMPLE_RATE)).all()


def test_similarity_is_the_cosine():
    assert similarity(np.array([1, 0]), np.array([3, 0])) == pytest.approx(1)
    assert similarity(np.array([1, 0]), np.array([0, 2])) == 0
    assert similarity(np.array([1, 1]), np.array([-1, -1])) == pytest.approx(-1)
    assert similarity(np.zeros(2), np.ones(2)) == 0


def test_without_the_package_the_way_to_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "resemblyzer", None)
    with pytest.raises(
        DependencyError, match=r"pip install webrtcvad-wheels .*--no-deps resemblyzer==0\.1\.4"
    ) as caught:
        SpeakerEncoder()
    assert "\n" not in str(caught.value)
