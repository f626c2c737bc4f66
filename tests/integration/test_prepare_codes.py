import json

import pytest

pytest.importorskip("lightning", reason="training needs the extra `train`")

from lungfish.errors import DataError
from lungfish.training.codec import CodecRecipe, CodecTrainingConfig
from lungfish.training.lm_data import load_utterances
from lungfish.training.prepare_codes import encode_new_clips
from speech_toy import TINY_CODEC, make_toy_pack


@pytest.fixture(scope="module")
def recipe(tmp_path_factory):
    folder = tmp_path_factory.mktemp("codes")
    pack = make_toy_pack(folder, count=12)
    config = CodecTrainingConfig(
        output=folder / "run", pack=pack, model=TINY_CODEC, max_steps=1, learning_rate=1e-3, clips_per_batch=2
    )
    return CodecRecipe(config)


def test_shards_are_added_and_nothing_is_encoded_twice(recipe, tmp_path):
    seen = []
    added, hours = encode_new_clips(recipe, tmp_path / "codes", 1, lambda done, total: seen.append((done, total)))
    assert added == len(seen) == 12
    assert encode_new_clips(recipe, tmp_path / "codes", 1) == (0, hours)
    added, more = encode_new_clips(recipe, tmp_path / "codes", 2)
    assert added == 12
    assert more > 1.8 * hours
    assert len(list((tmp_path / "codes").glob("*.protos"))) == 2
    training, validation = load_utterances(tmp_path / "codes")
    assert len(training) + len(validation) == 24
    for utterance in training:
        assert utterance.codes.shape == (2, len(utterance.phone_position))
        assert utterance.phone_position.min() >= 0
        assert utterance.codes.max() < 32


def test_codes_of_two_codecs_never_mix(recipe, tmp_path):
    encode_new_clips(recipe, tmp_path / "codes", 1)
    ledger = json.loads((tmp_path / "codes" / "codes.json").read_text())
    (tmp_path / "codes" / "codes.json").write_text(json.dumps({**ledger, "codec": "another"}))
    with pytest.raises(DataError, match="another codec"):
        encode_new_clips(recipe, tmp_path / "codes", 1)
