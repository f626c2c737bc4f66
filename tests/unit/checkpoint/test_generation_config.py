import dataclasses

import pytest
import torch

from lungfish.checkpoint.generation_config import NAME, load_generation_defaults, save_generation_defaults
from lungfish.errors import ConfigError, SamplingError
from lungfish.lm.sampling import SamplingParams, candidates


def test_round_trip_keeps_only_what_differs(tmp_path):
    params = SamplingParams(temperature=0.5, ras=False)
    save_generation_defaults(params, tmp_path)
    assert load_generation_defaults(tmp_path) == params
    assert "top_k" not in (tmp_path / NAME).read_text()


def test_a_folder_without_the_file_has_no_wishes(tmp_path):
    assert load_generation_defaults(tmp_path) == SamplingParams()


@pytest.mark.parametrize(
    ("text", "error"),
    [('{"temprature": 1}', ConfigError), ("{", ConfigError), ("[1]", ConfigError), ('{"top_p": 7}', SamplingError)],
)
def test_mistakes_are_named(tmp_path, text, error):
    (tmp_path / NAME).write_text(text)
    with pytest.raises(error):
        load_generation_defaults(tmp_path)


def test_s1_has_the_defaults_of_its_own_runtime(tmp_path):
    params = load_generation_defaults(tmp_path, "interleave")
    assert (params.temperature, params.top_p, params.ras) == (0.8, 0.8, False)
    assert (params.repetition_penalty, params.repetition_window) == (1.1, 16)
    _, kept = candidates(torch.zeros(4097), 1.0, 1.0, params.top_k)
    assert kept.sum() > 4000  # no top-k
    own = SamplingParams(temperature=0.6, ras=True)
    save_generation_defaults(own, tmp_path, "interleave")
    assert load_generation_defaults(tmp_path, "interleave") == own
    (tmp_path / NAME).write_text('{"temperature": 0.7}')
    assert load_generation_defaults(tmp_path, "interleave") == dataclasses.replace(params, temperature=0.7)
    (tmp_path / NAME).write_text("[" * 100_000)
    with pytest.raises(ConfigError, match="not readable as JSON"):
        load_generation_defaults(tmp_path)
