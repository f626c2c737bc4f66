"""Text to token ids, and control tokens by name, as two separate doors.

`encode_text` never yields a control token, whatever the text spells; `token_id` is the only way to one.
Source: spec/lm.md 6.1. We differ: added tokens in text are ordinary characters.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import tokenizers

from lungfish.errors import TextError, TokenizerError

_SEMANTIC = re.compile(r"<\|semantic:(\d+)\|>")
TOKENIZER_FILE = "tokenizer.json"


class Tokenizer:
    """Args:
    source: content of a `tokenizer.json`.

    Raises:
        TokenizerError: not a tokenizer.
    """

    def __init__(self, source: str) -> None:
        try:
            self._all = tokenizers.Tokenizer.from_str(source)
            plain = json.loads(source) | {
                "added_tokens": [],
                "post_processor": None,
                "truncation": None,
                "padding": None,
            }
            self._plain = tokenizers.Tokenizer.from_str(json.dumps(plain))
        except Exception as error:
            raise TokenizerError(f"{TOKENIZER_FILE}: not a usable tokenizer ({_first_line(error)})") from error
        self._controls = frozenset(self._all.get_added_tokens_decoder())
        self.vocab = self._all.get_vocab(with_added_tokens=True)

    @classmethod
    def load(cls, folder: str | Path) -> Tokenizer:
        """Read `tokenizer.json` of a checkpoint folder.

        Raises:
            TokenizerError: absent or damaged.
        """
        path = Path(folder) / TOKENIZER_FILE
        try:
            return cls(path.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise TokenizerError(f"{folder}: has no {TOKENIZER_FILE}") from error
        except (OSError, UnicodeDecodeError) as error:
            raise TokenizerError(f"{path}: cannot be read ({_first_line(error)})") from error

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
            raise TokenizerError(f"{TOKENIZER_FILE}: has no token {name}") from error

    def semantic_range(self) -> tuple[int, int]:
        """First and last id of the tokens `<|semantic:N|>`.

        Raises:
            TokenizerError: none, or code N is not at first + N for all of them.
        """
        codes = {int(found[1]): id_ for name, id_ in self.vocab.items() if (found := _SEMANTIC.fullmatch(name))}
        if not codes:
            raise TokenizerError(f"{TOKENIZER_FILE}: has no <|semantic:N|> tokens")
        first = min(codes.values())
        if sorted(codes) != list(range(len(codes))) or any(id_ != first + code for code, id_ in codes.items()):
            raise TokenizerError(f"{TOKENIZER_FILE}: the <|semantic:N|> tokens are not contiguous")
        return first, first + len(codes) - 1


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
