"""`tokenizer.tiktoken` and `special_tokens.json` of S1 checkpoints, as the content of an equivalent `tokenizer.json`.

tiktoken knows no merges, only ranks: of all adjacent pairs whose joint bytes are a token, it joins the one of the lowest
rank. So each way to cut a token into two others becomes a merge, in the order of the token's rank. A word that is a token
as a whole stays whole in both. Source: spec/lm.md 6.1. We differ: text is never cut at 400 000 characters, for a go is
never that long.
"""

from __future__ import annotations

import base64
import json
from typing import Any

from lungfish.errors import TokenizerError

RANKS_FILE, SPECIAL_FILE = "tokenizer.tiktoken", "special_tokens.json"
SPLIT = "|".join(
    (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)",
        r"\p{P}",
        r"[^\r\n\p{L}\p{N}]?\p{L}+",
        r"\p{N}",
        r" ?[^\s\p{L}\p{N}]+[\r\n]*",
        r"\s*[\r\n]+",
        r"\s+(\?!\S)",  # the released one has this literal question mark
        r"\s+",
    )
)
_NO_TOKEN = b"="  # stands in the token's place on lines that hold none


def tokenizer_json(ranks_file: bytes, special_file: bytes) -> str:
    """What a `tokenizer.json` of the same tokenizer would hold.

    Args:
        ranks_file: content of `tokenizer.tiktoken`, lines "base64 rank".
        special_file: content of `special_tokens.json`; its keys, in order, get the ids after the ranks.

    Raises:
        TokenizerError: damaged.
    """
    ranks = _read_ranks(ranks_file)
    spelled = {token: "".join(map(_BYTE_NAMES.__getitem__, token)) for token in ranks}
    names = _read_names(special_file)
    text_tokens = set(spelled.values())
    for name in names:
        if name in text_tokens:
            raise TokenizerError(f"{SPECIAL_FILE}: {name} is a token of text as well")
    return json.dumps(
        {
            "version": "1.0",
            "added_tokens": [_added(name, len(ranks) + index) for index, name in enumerate(names)],
            "pre_tokenizer": {
                "type": "Sequence",
                "pretokenizers": [
                    {"type": "Split", "pattern": {"Regex": SPLIT}, "behavior": "Isolated", "invert": False},
                    {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False},
                ],
            },
            "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False},
            "model": {
                "type": "BPE",
                "ignore_merges": True,
                "vocab": {spelled[token]: rank for token, rank in ranks.items()},
                "merges": [(spelled[left], spelled[right]) for left, right in _merges(ranks)],
            },
        }
    )


def _read_ranks(content: bytes) -> dict[bytes, int]:
    """Ranks by token, ascending.

    The ranks are whole, distinct and without gaps other than those of lines that hold no token, so that a file that was cut
    short is found out at its last line.
    """
    ranks: dict[bytes, int] = {}
    skipped = 0
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        try:
            encoded, rank = line.split()
            if encoded == _NO_TOKEN:
                skipped += 1
                continue
            token = base64.b64decode(encoded, validate=True)
            if not token or token in ranks or not rank.isdigit():
                raise ValueError
            ranks[token] = int(rank)
        except ValueError as error:
            raise TokenizerError(f"{RANKS_FILE}: line {number} is no token and rank; fetch it again") from error
    found = set(ranks.values())
    if len(found) != len(ranks) or max(found, default=-1) >= len(ranks) + skipped:
        raise TokenizerError(f"{RANKS_FILE}: the ranks are not those of one whole list; fetch it again")
    if lacking := sum(bytes([byte]) not in ranks for byte in range(256)):
        raise TokenizerError(f"{RANKS_FILE}: has no token for {lacking} of the 256 bytes; fetch it again")
    return dict(sorted(ranks.items(), key=lambda item: item[1]))


def _read_names(content: bytes) -> list[str]:
    try:
        names = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise TokenizerError(f"{SPECIAL_FILE}: not readable as JSON ({error})") from error
    if not isinstance(names, dict) or not names or "" in names:
        raise TokenizerError(f"{SPECIAL_FILE}: must hold an object whose keys are the special tokens")
    return list(names)


def _merges(ranks: dict[bytes, int]) -> list[tuple[bytes, bytes]]:
    """In order of rank; of one token, the shorter left part first, as the leftmost pair wins between equals."""
    return [
        (token[:cut], token[cut:])
        for token in ranks
        for cut in range(1, len(token))
        if token[:cut] in ranks and token[cut:] in ranks
    ]


def _added(name: str, id_: int) -> dict[str, Any]:
    options = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {"id": id_, "content": name, **options}


def byte_names() -> list[str]:
    """The printable character that byte-level vocabularies write for each byte; from 256 on for those that have none."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = (byte for byte in range(256) if byte not in printable)
    moved = {byte: 256 + index for index, byte in enumerate(others)}
    return [chr(moved.get(byte, byte)) for byte in range(256)]


_BYTE_NAMES = byte_names()
