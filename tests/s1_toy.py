"""S1's tokenizer files made of the golden tokenizer, whose ids they keep."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from lungfish.text.tiktoken_files import RANKS_FILE, SPECIAL_FILE, byte_names

GOLDEN_S1 = Path(__file__).parent / "golden" / "lm" / "s1_tiny"


def spelled(name: str) -> bytes:
    """The bytes behind an entry of a byte-level vocabulary."""
    return bytes(byte_names().index(character) for character in name)


def ranks_file(ranks: Mapping[bytes, int]) -> bytes:
    return b"".join(base64.b64encode(token) + b" %d\n" % rank for token, rank in ranks.items())


def special_file(names: Iterable[str]) -> bytes:
    return json.dumps({name: index for index, name in enumerate(names)}).encode()


def use_tiktoken(folder: Path) -> Path:
    """Replace a folder's `tokenizer.json` by the two files of the same tokenizer."""
    path = folder / "tokenizer.json"
    tokenizer = json.loads(path.read_text())
    vocab = sorted(tokenizer["model"]["vocab"].items(), key=lambda entry: entry[1])
    (folder / RANKS_FILE).write_bytes(ranks_file({spelled(name): id_ for name, id_ in vocab}))
    (folder / SPECIAL_FILE).write_bytes(special_file(token["content"] for token in tokenizer["added_tokens"]))
    path.unlink()
    return folder
