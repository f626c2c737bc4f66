import math

import numpy as np
import pytest

from lungfish.evaluation.bootstrap import FEWEST_CLIPS
from lungfish.evaluation.codec_figures import (
    METRICS,
    ClipResult,
    CodecReport,
    book_use,
    paired_difference,
    summarise_system,
)

COUNT = FEWEST_CLIPS + 2


def clip(number=0, system="codec", **changes):
    facts = {
        "seconds_audio": 2.0,
        "mel": 0.5,
        "stft": 1.0,
        "words": 10,
        "errors": 1,
        "heard": "x",
        "similarity": 0.9,
        "mos": 3.0,
        "encode_s": 0.1,
        "decode_s": 0.2,
        "bit_rate": 1000.0,
    }
    return ClipResult(system=system, clip=f"c{number}", **(facts | changes))


def test_a_row_is_means_over_clips_and_errors_over_words():
    row = summarise_system(
        "codec", [clip(mel=0.2, errors=0), clip(mel=0.6, words=30, errors=9, bit_rate=500.0, seconds_audio=6.0)], []
    )
    values = {metric: found and found.value for metric, found in row.metrics.items()}
    assert values == {
        "mel": pytest.approx(0.4),
        "stft": pytest.approx(1.0),
        "wer": pytest.approx(9 / 40),
        "similarity": pytest.approx(0.9),
        "mos": pytest.approx(3.0),
    }
    assert row.bit_rate == pytest.approx((1000 * 2 + 500 * 6) / 8)
    assert row.encode_speed is not None
    assert row.decode_speed is not None
    assert (row.encode_speed.value, row.decode_speed.value) == (pytest.approx(40), pytest.approx(20))


def test_what_nobody_judged_is_none_and_not_nought():
    nobody = {"words": None, "errors": None, "heard": None, "similarity": None, "mos": None}
    row = summarise_system("original", [clip(encode_s=0.0, decode_s=0.0, bit_rate=None, **nobody)] * 2, [])  # type: ignore[arg-type]
    assert [metric for metric, found in row.metrics.items() if found is None] == ["wer", "similarity", "mos"]
    assert (row.bit_rate, row.encode_speed, row.decode_speed) == (None, None, None)


def test_only_clips_with_a_transcript_count_towards_words():
    row = summarise_system("codec", [clip(), clip(words=None, errors=None, heard=None)], [])
    found = row.metrics["wer"]
    assert found is not None
    assert (found.value, found.clips) == (pytest.approx(0.1), 1)


def test_differences_are_taken_clip_by_clip():
    """Two codecs whose own intervals overlap by far: clips differ more than codecs do, and the pairs see through that."""
    levels = np.linspace(0, 4, COUNT)
    ours = [clip(number, mel=level, mos=1 + level, errors=2) for number, level in enumerate(levels)]
    theirs = [clip(number, "old", mel=level + 0.1, mos=1.05 + level, errors=2) for number, level in enumerate(levels)]
    pair = paired_difference(ours, theirs)
    mel, mos, wer = (pair.metrics[metric] for metric in ("mel", "mos", "wer"))
    assert mel is not None
    assert mos is not None
    assert wer is not None
    assert (pair.system, pair.baseline) == ("codec", "old")
    assert (mel.value, mos.value, wer.value) == (pytest.approx(-0.1), pytest.approx(-0.05), 0)
    assert {metric: pair.verdict(metric) for metric in METRICS} == {
        "mel": "better",
        "stft": "unclear",
        "wer": "unclear",
        "similarity": "unclear",
        "mos": "worse",
    }


def test_more_errors_are_worse_and_weigh_by_words():
    ours = [clip(number, errors=3, words=10 + number) for number in range(COUNT)]
    pair = paired_difference(ours, [clip(number, "old", errors=1, words=10 + number) for number in range(COUNT)])
    found = pair.metrics["wer"]
    assert found is not None
    assert found.value == pytest.approx(2 * COUNT / sum(10 + number for number in range(COUNT)))
    assert pair.verdict("wer") == "worse"


def test_no_verdict_where_one_side_was_not_judged():
    pair = paired_difference([clip(mos=None)], [clip(system="old")])
    assert pair.metrics["mos"] is None
    assert pair.verdict("mos") == ""


def test_pairs_must_be_of_the_same_clips():
    with pytest.raises(ValueError):
        paired_difference([clip()], [clip(), clip()])


def test_perplexity_is_the_number_of_entries_in_even_use():
    assert book_use(np.array([5, 5, 0, 5, 5])).perplexity == pytest.approx(4)
    skewed = book_use(np.array([3, 1]))
    assert skewed.perplexity == pytest.approx(math.exp(-(0.75 * math.log(0.75) + 0.25 * math.log(0.25))))
    assert (skewed.size, skewed.used, skewed.frames) == (2, 2, 4)
    one = book_use(np.array([0, 7, 0]))
    assert (one.size, one.used, one.frames, one.perplexity) == (3, 1, 7, pytest.approx(1))


def test_as_plain_data_with_the_verdicts():
    clips = [clip(number) for number in range(COUNT)]
    pair = paired_difference(clips, [clip(number, "old", mel=0.9) for number in range(COUNT)])
    report = CodecReport(8000, COUNT, COUNT, 16.0, [summarise_system("codec", clips, [])], [pair])
    facts = report.to_dict()
    assert facts["paired"][0]["verdicts"]["mel"] == "better"
    assert facts["systems"][0]["metrics"]["mos"]["value"] == pytest.approx(3.0)
