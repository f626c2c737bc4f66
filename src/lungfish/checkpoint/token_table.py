"""Which control tokens a checkpoint's tokenizer adds, without building the tokenizer.

`tokenizer.json` lists them near its start, so that the megabytes of vocabulary behind need not be fetched; the S1 form is
`special_tokens.json`, whose ids follow the ranks of `tokenizer.tiktoken`. Source: spec/lm.md 6.1.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from lungfish.checkpoint.source import Source
from lungfish.errors import TokenizerError
from lungfish.text.tiktoken_files import RANKS_FILE, SPECIAL_FILE
from lungfish.text.tokenizer import TOKENIZER_FILE

_HEAD_BYTES = 4 << 20
_SEMANTIC = re.compile(r"<\|semantic:(\d+)\|>")


@dataclass(frozen=True)
class TokenTable:
    """Added tokens; answers what `checkpoint.lm.agree` asks of a `Tokenizer`.

    Attributes:
        where: the file.
        added: ids by name.
        size: one more than the highest id.
    """

    where: str
    added: dict[str, int]
    size: int

    def has(self, name: str) -> bool:
        return name in self.added

    def token_id(self, name: str) -> int:
        """Raises TokenizerError where there is no such token."""
        if name not in self.added:
            raise TokenizerError(f"{self.where}: has no token {name}")
        return self.added[name]

    def semantic_range(self) -> tuple[int, int]:
        """First and last id of the semantic tokens.

        Raises:
            TokenizerError: none, or not contiguous.
        """
        codes = {int(found[1]): id_ for name, id_ in self.added.items() if (found := _SEMANTIC.fullmatch(name))}
        first = min(codes.values(), default=0)
        if not codes or any(codes.get(code) != first + code for code in range(len(codes))):
            raise TokenizerError(f"{self.where}: the <|semantic:N|> tokens are absent or not contiguous")
        return first, first + len(codes) - 1


def read_token_table(source: Source) -> TokenTable | None:
    """None where the checkpoint has no tokenizer.

    Raises:
        TokenizerError: damaged.
        CheckpointError: a file cannot be read.
    """
    if source.has(TOKENIZER_FILE):
        return _of_tokenizer_json(source)
    if source.has(RANKS_FILE) and source.has(SPECIAL_FILE):
        return _of_tiktoken(source)
    return None


def _of_tokenizer_json(source: Source) -> TokenTable:
    file = source.file(TOKENIZER_FILE)
    assert file is not None
    head = file.read(_HEAD_BYTES).decode("utf-8", errors="ignore")
    entries = _list_after(head, '"added_tokens"')
    try:
        whole = (
            {} if entries is not None and file.size > _HEAD_BYTES else json.loads(source.read(TOKENIZER_FILE) or b"")
        )
        entries = whole["added_tokens"] if whole else entries
        added = {str(entry["content"]): int(entry["id"]) for entry in entries or ()}
        model = whole.get("model", {}).get("vocab", {})
        ids = [*added.values(), *(model.values() if isinstance(model, dict) else ())]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise TokenizerError(f"{TOKENIZER_FILE}: not a usable tokenizer ({type(error).__name__}: {error})") from error
    return TokenTable(TOKENIZER_FILE, added, 1 + max(ids, default=-1))


def _list_after(text: str, key: str) -> list[Any] | None:
    """The JSON list that follows `key`, if it ends within `text`."""
    begin = text.find("[", text.find(key))
    if key not in text or begin < 0:
        return None
    try:
        found, _ = json.JSONDecoder().raw_decode(text, begin)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, list) else None


def _of_tiktoken(source: Source) -> TokenTable:
    try:
        lines = (source.read(RANKS_FILE) or b"").splitlines()
        ranks = sum(1 for line in lines if line.strip() and line.split()[0] != b"=")
        names = json.loads(source.read(SPECIAL_FILE) or b"")
        added = {str(name): ranks + index for index, name in enumerate(names)}
    except (ValueError, TypeError, RecursionError) as error:
        raise TokenizerError(f"{SPECIAL_FILE}: not readable ({error})") from error
    return TokenTable(SPECIAL_FILE, added, ranks + len(added))
