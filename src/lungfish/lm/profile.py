"""What a checkpoint can do with text, as the text pipeline asks.

Checkpoints that read phonemes speak English, were trained on normalised words and perform no tag but a pause, which is
silence. Those that read text (S1, S2) were trained on it as people write it, in any language, with any phrase in brackets.
"""

from __future__ import annotations

from lungfish.lm.config import DualARConfig
from lungfish.text.options import TextProfile
from lungfish.text.tags import BUNDLED, FREE_TEXT, TagPolicy

_PAUSES = ("pause", "long pause")


def text_profile(config: DualARConfig) -> TextProfile:
    """The profile of a checkpoint with this config."""
    if config.prompt_style != "phonemes":
        return TextProfile(tags=FREE_TEXT, normalise=False, languages=(), voices=config.voices, phonemes=False)
    aliases = {alias: name for alias, name in BUNDLED.aliases.items() if name in _PAUSES}
    return TextProfile(
        TagPolicy(_PAUSES, aliases), normalise=True, languages=("en",), voices=config.voices, phonemes=True
    )
