"""Batches for codec training."""

import numpy as np
import pytest
import soundfile
import torch

from lungfish.data.audio_pack import AudioPack, append_clips, sources_from_folder
from lungfish.data.feature_pack import FeaturePack, extract_features
from lungfish.errors import DataError
from lungfish.training.codec_data import CodecData, clip_labels
from speech_toy import RATE, make_toy_pack

HOP = 1024


class Ramp:
    """One feature: the time in seconds."""

    name, rate_hz = "ramp", 50.0

    def extract(self, waveform, sample_rate):
        return (np.arange(len(waveform) * 50 // sample_rate, dtype=np.float32) / 50)[:, None]


@pytest.fixture(scope="module")
def packs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("packs")
    make_toy_pack(folder)
    (folder / "people" / "anna").mkdir(parents=True)
    for number in range(12):
        noise = 0.1 * np.random.default_rng(number).standard_normal(RATE + 100 * number)
        soundfile.write(folder / "people" / "anna" / f"p{number}.wav", noise.astype(np.float32), RATE)
    list(append_clips(folder / "human", sources_from_folder(folder / "people")))
    packs = [AudioPack(folder / "pack"), AudioPack(folder / "human")]
    list(extract_features(packs[:1], Ramp(), folder / "features"))
    return packs, FeaturePack(folder / "features")


def data(packs, features=None, **changes):
    values = {"sample_rate": RATE, "hop": HOP, "clips_per_batch": 3, "seed": 0}
    return CodecData(packs, features, **{**values, **changes})


def test_a_batch_depends_on_the_seed_and_its_number(packs):
    one, other = data(packs[0], gain_db=(-6.0, 6.0)), data(packs[0], gain_db=(-6.0, 6.0))
    assert torch.equal(one.batch(5).waveform, other.batch(5).waveform)
    assert one.batch(5).waveform.shape != one.batch(6).waveform.shape or not torch.equal(
        one.batch(5).waveform, one.batch(6).waveform
    )
    assert data(packs[0], seed=1).batch(5).waveform.sum() != one.batch(5).waveform.sum()


def test_clips_without_a_transcript_have_no_labels_and_without_features_are_not_taught(packs):
    batch = data(packs[0], packs[1], more_share=1.0).batch(0)
    assert [len(labels) for labels in batch.labels] == [0, 0, 0]
    assert batch.taught is not None
    assert not batch.taught.any()
    batch = data(packs[0], packs[1], more_share=0.0).batch(0)
    assert all(len(labels) for labels in batch.labels)
    assert batch.taught is not None
    assert torch.equal(batch.taught, batch.valid(HOP))


def test_more_share_turns_where_batches_come_from(packs):
    def share(wanted):
        made = data(packs[0], more_share=wanted)
        return np.mean([not len(made.batch(number).labels[0]) for number in range(60)])

    assert share(0.0) == 0
    assert 0.25 < share(0.5) < 0.75
    assert share(1.0) == 1


def test_padding_is_marked(packs):
    batch = data(packs[0]).batch(1)
    assert batch.waveform.shape[-1] == int(batch.frames.max()) * HOP
    for row, frames in enumerate(batch.frames.tolist()):
        assert not batch.waveform[row, 0, frames * HOP :].any()
        assert int(batch.valid(HOP)[row].sum()) == frames


def test_a_cut_clip_keeps_the_features_of_its_stretch_and_loses_its_transcript(packs):
    batch = data(packs[0], packs[1], more_share=0.0, clip_frames=8, clips_per_batch=2).batch(0)
    assert batch.frames.tolist() == [8, 8]
    assert [len(labels) for labels in batch.labels] == [0, 0]
    assert batch.features is not None
    steps = batch.features[:, 1:, 0] - batch.features[:, :-1, 0]
    assert (steps > 0.05).all()  # time goes on within the stretch
    assert batch.features[0, 0, 0] != batch.features[1, 0, 0]


def test_another_rate_or_too_few_clips_are_refused(packs):
    with pytest.raises(DataError, match=r"22050 Hz audio, the codec wants 44100"):
        data(packs[0], sample_rate=44_100)
    with pytest.raises(DataError, match="too few for one batch"):
        data(packs[0], clips_per_batch=50)


def test_labels_are_the_phones_of_the_transcript(packs):
    clip = packs[0][0].clips[0]
    assert len(clip_labels(clip)) >= 3
    assert clip_labels(packs[0][1].clips[0]) == []
