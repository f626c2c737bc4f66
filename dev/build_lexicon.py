#!/usr/bin/env python3
"""Make src/lungfish/text/lexicon_en.xz from CMUdict's plain file (first pronunciation of each word, comments dropped).

The data is Carnegie Mellon's, under the two-clause BSD licence in src/lungfish/text/lexicon_en.LICENSE. Usage:
    python dev/build_lexicon.py path/to/cmudict.dict
"""

import lzma
import sys
from pathlib import Path

rows = {}
for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
    word, _, pronunciation = line.split("#")[0].strip().partition(" ")
    if word and "(" not in word:
        rows[word] = pronunciation.strip()
out = Path(__file__).parent.parent / "src/lungfish/text/lexicon_en.xz"
text = "".join(f"{word} {rows[word]}\n" for word in sorted(rows))
out.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
print(out, len(rows), "words,", out.stat().st_size, "bytes")
