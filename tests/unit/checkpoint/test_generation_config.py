import pytest

from lungfish.checkpoint.generation_config import NAME, load_generation_defaults, save_generation_defaults
from lungfish.errors import ConfigError, SamplingError
from lungfish.lm.sampling import SamplingParams


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
