"""Every exception that Lungfish raises on purpose.

One tree, so that a caller can catch as wide or as narrow as needed. Each message is one line that says what is wrong and
what to do; the command line prints it as it is and exits with `exit_code`. Anything else that escapes is a defect.

    LungfishError
    ├── ConfigError            a YAML/JSON config or an option that does not fit
    ├── DependencyError        an optional package (an extra) is not installed
    ├── CheckpointError        a model folder or file that cannot be used
    │   ├── WeightsError       missing, unexpected, misshapen or damaged tensors
    │   ├── TokenizerError     tokenizer absent, damaged, or at odds with the config
    │   ├── DownloadError      what the hub does not give: no network, no such revision, other bytes than announced
    │   └── MismatchError      two parts (codec and language model, say) that do not fit together
    ├── InputError             what the caller asked for cannot be done
    │   ├── TextError          empty, unspeakable or too long text
    │   ├── AudioError         a clip that cannot be read
    │   ├── VoiceError         a voice or speaker that does not exist
    │   ├── CodesError         codes of the wrong shape or out of range
    │   ├── StreamError        a codec stream that has ended, or streams that cannot share a batch
    │   ├── PartError          a model loaded without the part that is asked for
    │   ├── LicenceError       a checkpoint whose licence was not accepted
    │   └── SamplingError      a sampling parameter out of range
    ├── OutputError            a result that cannot be written
    ├── DataError              training data that is missing or damaged
    └── TrainingError          a run that cannot start, resume or go on
"""

from __future__ import annotations


def shortened(text: str, limit: int = 40) -> str:
    """`text` as a message quotes it: `limit` characters at most."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


class LungfishError(Exception):
    """Base of all deliberate errors. `exit_code` is what the command line returns."""

    exit_code = 1


class ConfigError(LungfishError):
    exit_code = 2


class DependencyError(LungfishError):
    """An optional dependency is missing; the message names the extra to install."""


class CheckpointError(LungfishError):
    """A checkpoint folder or file cannot be used."""


class WeightsError(CheckpointError):
    """Tensors are missing, unexpected, of the wrong shape, or damaged."""


class TokenizerError(CheckpointError):
    """The tokenizer is absent, damaged, or disagrees with the config."""


class DownloadError(CheckpointError):
    """The hub cannot be reached, has no such thing, or sent other bytes than it announced."""


class MismatchError(CheckpointError):
    """Two parts of a checkpoint do not fit together."""


class InputError(LungfishError):
    """What the caller asked for cannot be done."""

    exit_code = 2


class TextError(InputError):
    """Text is empty, unspeakable or too long."""


class AudioError(InputError):
    """An audio file cannot be read."""


class VoiceError(InputError):
    """A voice does not exist."""


class CodesError(InputError):
    """Codes have the wrong shape or are out of range."""


class StreamError(InputError):
    """A codec stream has ended, has another batch, or cannot share one."""


class PartError(InputError):
    """A model was loaded without the part that is asked for."""


class LicenceError(InputError):
    """A checkpoint's licence was not accepted."""


class SamplingError(InputError):
    """A sampling parameter is out of range."""


class OutputError(LungfishError):
    """A result cannot be written."""


class DataError(LungfishError):
    """Training data is missing or damaged."""


class TrainingError(LungfishError):
    """A training run cannot start, resume or go on."""
