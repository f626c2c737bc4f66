"""Text to token ids, and control tokens by name, as two separate doors.

`encode_text` never yields a control token, whatever the text spells; `token_id` is the only way to one. Reads
`tokenizer.json`, and the tiktoken files of S1 (text/tiktoken_files.py).
Source: spec/lm.md 6.1. We differ: added tokens in text are ordinary characters.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import tokenizers

from lungfish.errors import TextError, TokenizerError
from lungfish.text.tiktoken_files import RANKS_FILE, SPECIAL_FILE, tokenizer_json

_SEMANTIC = re.compile(r"<\|semantic:(\d+)\|>")
TOKENIZER_FILE = "tokenizer.json"
TOKENIZER_FILES = (TOKENIZER_FILE, RANKS_FILE, SPECIAL_FILE)


class Tokenizer:
    """Args:
    source: content of a `tokenizer.json`.
    where: the file that it came from, for messages.

    Raises:
        TokenizerError: not a tokenizer.
    """

    def __init__(self, source: str, where: str = TOKENIZER_FILE) -> None:
        self.where = where
        try:
            self._all = tokenizers.Tokenizer.from_str(source)
            parsed = json.loads(source)
            plain = parsed | {
                "added_tokens": [],
                "post_processor": None,
                "truncation": None,
                "padding": None,
            }
            self._plain = tokenizers.Tokenizer.from_str(json.dumps(plain))
            stated = {token["content"]: token["id"] for token in parsed.get("added_tokens") or ()}
        except Exception as error:
            raise TokenizerError(f"{where}: not a usable tokenizer ({_first_line(error)})") from error
        self._controls = frozenset(self._all.get_added_tokens_decoder())
        self.vocab = self._all.get_vocab(with_added_tokens=True)
        for name, id_ in stated.items():
            if self.vocab.get(name) != id_:  # the library numbers them itself
                raise TokenizerError(f"{where}: token {name} cannot have the id {id_}; the ids before it have gaps")

    @classmethod
    def load(cls, folder: str | Path) -> Tokenizer:
        """Read `tokenizer.json` of a checkpoint folder, or else its tiktoken files.

        Raises:
            TokenizerError: absent or damaged.
        """
        folder = Path(folder)
        if has_tiktoken(folder):
            return cls(tokenizer_json(_read(folder, RANKS_FILE), _read(folder, SPECIAL_FILE)), RANKS_FILE)
        try:
            return cls(_read(folder, TOKENIZER_FILE).decode("utf-8"))
        except UnicodeDecodeError as error:
            raise TokenizerError(f"{folder / TOKENIZER_FILE}: cannot be read ({_first_line(error)})") from error

    @property
    def size(self) -> int:
        """One more than the highest id."""
        return 1 + max(self.vocab.values(), default=-1)

    def encode_text(self, text: str) -> list[int]:
        """Ids of a text, without any control token.

        Raises:
            TextError: text that cannot be encoded (lone surrogates).
        """
        try:
            ids = self._plain.encode(text, add_special_tokens=False).ids
        except (TypeError, UnicodeError) as error:
            raise TextError("the text is not valid Unicode; save it as UTF-8") from error
        if not self._controls.isdisjoint(ids):
            raise TextError("the text spells a control token of this model; write it differently")
        return ids

    def has(self, name: str) -> bool:
        """Whether a token of this name exists."""
        return name in self.vocab

    def token_id(self, name: str) -> int:
        """Id of a control token such as `<|im_end|>`.

        Raises:
            TokenizerError: there is none.
        """
        try:
            return self.vocab[name]
        except KeyError as error:
            raise TokenizerError(f"{self.where}: has no token {name}") from error

    def semantic_range(self) -> tuple[int, int]:
        """First and last id of the tokens `<|semantic:N|>`.

        Raises:
            TokenizerError: none, or code N is not at first + N for all of them.
        """
        codes = {int(found[1]): id_ for name, id_ in self.vocab.items() if (found := _SEMANTIC.fullmatch(name))}
        if not codes:
            raise TokenizerError(f"{self.where}: has no <|semantic:N|> tokens")
        first = min(codes.values())
        if sorted(codes) != list(range(len(codes))) or any(id_ != first + code for code, id_ in codes.items()):
            raise TokenizerError(f"{self.where}: the <|semantic:N|> tokens are not contiguous")
        return first, first + len(codes) - 1


def has_tiktoken(folder: Path) -> bool:
    """Whether a folder's tokenizer is that of S1: tiktoken files and no `tokenizer.json`."""
    return (folder / RANKS_FILE).is_file() and not (folder / TOKENIZER_FILE).is_file()


def _read(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except FileNotFoundError as error:
        raise TokenizerError(f"{folder}: has no {name}") from error
    except OSError as error:
        raise TokenizerError(f"{folder / name}: cannot be read ({_first_line(error)})") from error


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
