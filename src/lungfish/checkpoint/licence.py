"""What a checkpoint's licence asks: recognised from its own text, shown, and carried into whatever is derived from it.

    read_licence(DIR)                      -> Licence | None
    carry_licence(SOURCE, TARGET, "what was changed")
    mark_origin(model, SOURCE); carry_from_origin(model, TARGET, "...")      the same by way of a loaded model

A checkpoint's LICENSE file decides, by its title line; a record that an earlier derivation left in `config.json` counts as
much, and of several the strictest is taken. Only where there is neither, the `license` of the model card does. An unknown
text is never guessed at: it is named by its hash and shown. Source: spec/licence.md.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lungfish.checkpoint.atomic import write_atomically
from lungfish.errors import ConfigError, OutputError

FISH_AUDIO = "fish-audio-research"
NOT_STATED = "not-stated"
NOTICE = "NOTICE"
MAX_TEXT_BYTES = 256 << 10  # of a licence; no text is longer

_CONFIG, _CODEC_CONFIG, _CARD = "config.json", "codec.json", "README.md"
_BLOCK, _ORIGIN = "lungfish", "_checkpoint_folder"
_TITLE_LINES = 8  # within which a text says what it is
_FILE_NAME = re.compile(r"(licen[sc]e|copying)([-._].*)?", re.IGNORECASE)
_CREATIVE_COMMONS = re.compile(
    r"(?:creative commons )?(?:cc[ -]by|attribution)(?P<nc>[ -](?:nc|noncommercial))?"
    r"(?P<variant>[ -](?:sa|sharealike|nd|noderivs|noderivatives))?(?: \(cc[ a-z-]*\))?[ -](?P<version>\d\.\d)\b.*"
)


@dataclass(frozen=True)
class Licence:
    """Attributes:
    id: short and stable; what `--accept-licence` wants to hear.
    name: as people call it.
    notice: the line that a NOTICE file must hold; None where none is prescribed.
    attribution: what must be shown prominently; None where nothing must.
    commercial_use: allowed, not allowed, or (None) not known here.
    limits: on use, weights and outputs, in our words: two lines.
    link: to the text.
    """

    id: str
    name: str
    notice: str | None = None
    attribution: str | None = None
    commercial_use: bool | None = None
    limits: tuple[str, ...] = ()
    link: str = ""

    @property
    def use(self) -> str:
        """What it may be used for, in a few words."""
        if self.commercial_use is None:
            return "terms not known here: read them"
        if self.commercial_use:
            return "commercial use allowed"
        return "research and non-commercial use" if self.id == FISH_AUDIO else "non-commercial use"

    @property
    def banner(self) -> str:
        """One line for logs."""
        return "; ".join(part for part in (self.attribution, self.use, self.name, self.link) if part)

    def to_dict(self) -> dict[str, Any]:
        """The record that travels in a config."""
        return dataclasses.asdict(self) | {"limits": list(self.limits)}

    @classmethod
    def from_dict(cls, raw: Any) -> Licence:
        """Raises:
        ConfigError: not a licence record.
        """
        kinds: dict[str, Any] = {
            "id": str,
            "name": str,
            "notice": str | None,
            "attribution": str | None,
            "commercial_use": bool | None,
            "limits": list | tuple,
            "link": str,
        }
        fits = (
            isinstance(raw, Mapping)
            and {"id", "name"} <= set(raw) <= set(kinds)
            and all(isinstance(value, kinds[name]) for name, value in raw.items())
            and all(isinstance(line, str) for line in raw.get("limits", ()))
        )
        if not fits:
            raise ConfigError(f"{_CONFIG}: {_BLOCK}.licence is not a licence record")
        return cls(**{**raw, "limits": tuple(raw.get("limits", ()))})


def licence_lines(licence: Licence) -> list[str]:
    """For people: name and id, what must be shown and what it may be used for, its limits, the link."""
    shown = "; ".join(part for part in (licence.attribution, licence.use) if part)
    return [line for line in (f"licence: {licence.name} ({licence.id})", shown, *licence.limits, licence.link) if line]


def first_lines(text: str, count: int = 12) -> list[str]:
    """The beginning of a text that nobody here knows, without what could move a terminal's cursor."""
    lines = ["".join(mark for mark in line if mark.isprintable()).strip() for line in text.splitlines()]
    return [line[:160] for line in lines if line][:count]


# --- recognising ----------------------------------------------------------------------------------------------------


def is_licence_file(name: str) -> bool:
    """LICENSE, LICENSE.md, licence.txt, COPYING and the like."""
    return _FILE_NAME.fullmatch(name) is not None


def recognise(text: str) -> Licence:
    """The licence of a text by its title line; an unknown text is named by its hash, so that a yes means this text."""
    lines = [re.sub(r"[\s#*_=]+", " ", line).strip().lower() for line in text.lstrip("\ufeff").splitlines()]
    lines = [line for line in lines if line][:_TITLE_LINES]
    title = lines[0] if lines else ""
    if title.startswith("fish audio research licen"):
        return _fish_audio(text)
    if title.startswith("apache licen") and any("version 2.0" in line for line in lines):
        return _APACHE
    if re.fullmatch(r"(the )?mit licen[sc]e( \(mit\))?", title):
        return _MIT
    for line in lines[:2]:
        found = _creative_commons(line)
        if found is not None:
            return found
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]
    return Licence(
        id=f"other-{digest}",
        name="a licence of its own",
        limits=("This text is not known here, so its limits cannot be summed up.", "Read it before you use the model."),
    )


def from_card(stated: str) -> Licence:
    """The licence that a model card names: an SPDX-like id."""
    name = stated.strip().lower()
    if name.startswith(("fish-audio-research", "fish audio research")):
        return _fish_audio("")
    if name == "apache-2.0":
        return _APACHE
    if name == "mit":
        return _MIT
    found = _creative_commons(name)
    if found is not None:
        return found
    slug = re.sub(r"[^a-z0-9.]+", "-", name).strip("-")[:40]
    if not slug:
        return UNSTATED
    return Licence(
        id=slug,
        name=slug,
        limits=(
            "Named by the model card only; the text is not in the checkpoint.",
            "Read it before you use the model.",
        ),
    )


def _fish_audio(text: str) -> Licence:
    known = "7 March 2026"
    dated = re.search(r"last updated:?[\s*_]*([a-z]+ \d{1,2},? \d{4}|\d{1,2} [a-z]+ \d{4}|\d{4}-\d\d-\d\d)", text, re.I)
    date = set(re.findall(r"[a-z0-9]+", dated.group(1).lower())) if dated else None
    limits = (
        "Research and non-commercial use is free; any commercial purpose (hosted services, APIs and a company's internal"
        " work included) needs a separate written licence.",
        "Weights and derivatives pass on with this agreement, its notice and a word on what was changed; neither they nor"
        " outputs may help to make another foundational generative model.",
    )
    if date not in (None, {"7", "march", "2026"}, {"2026", "03", "07"}):
        limits += (f"These lines sum up the text of {known}; this one is dated otherwise: read it.",)
    return Licence(
        id=FISH_AUDIO,
        name="Fish Audio Research License",
        notice="This model is licensed under the Fish Audio Research License, Copyright © 39 AI, INC. All Rights Reserved.",
        attribution="Built with Fish Audio",
        commercial_use=False,
        limits=limits,
        link="https://huggingface.co/fishaudio/s2-pro",
    )


_APACHE = Licence(
    id="apache-2.0",
    name="Apache License 2.0",
    commercial_use=True,
    limits=(
        "Any use; pass on the licence and the NOTICE with copies, and say what you changed.",
        "No trademark rights, no warranty.",
    ),
    link="https://www.apache.org/licenses/LICENSE-2.0",
)
_MIT = Licence(
    id="mit",
    name="MIT License",
    commercial_use=True,
    limits=("Any use; pass on the copyright line and the licence with copies.", "No warranty."),
    link="https://opensource.org/license/mit",
)
UNSTATED = Licence(
    id=NOT_STATED,
    name="no licence stated",
    limits=(
        "The checkpoint does not say what may be done with it.",
        "Without a licence nothing is allowed: ask its owner.",
    ),
)


def _creative_commons(line: str) -> Licence | None:
    if re.match(r"(creative commons )?cc0\b|cc0[ -]1\.0", line):
        return Licence(
            id="cc0-1.0",
            name="CC0 1.0",
            commercial_use=True,
            limits=("Any use, nothing is asked.", "No warranty."),
            link="https://creativecommons.org/publicdomain/zero/1.0/",
        )
    found = _CREATIVE_COMMONS.fullmatch(line)
    if found is None:
        return None
    kinds = ["by"]
    if found["nc"]:
        kinds.append("nc")
    if found["variant"]:
        kinds.append("sa" if found["variant"][1:].startswith("s") else "nd")
    kind, version = "-".join(kinds), found["version"]
    use = "Non-commercial use only" if "nc" in kinds else "Any use, commercial too"
    shared = {
        "sa": "What is adapted from it must be shared under the same licence.",
        "nd": "What is adapted from it (fine-tunes too) must not be shared.",
    }.get(kinds[-1], "No warranty, no endorsement.")
    return Licence(
        id=f"cc-{kind}-{version}",
        name=f"CC {kind.upper()} {version}",
        commercial_use="nc" not in kinds,
        limits=(f"{use}; name the authors, link the licence and say what you changed.", shared),
        link=f"https://creativecommons.org/licenses/{kind}/{version}/",
    )


# --- in a folder ----------------------------------------------------------------------------------------------------


def read_licence(folder: str | Path) -> Licence | None:
    """The licence of a checkpoint folder: the strictest of its record and its licence files, else its card's, else None.

    Raises:
        ConfigError: the record in its config is damaged.
    """
    where = Path(folder)
    found = [recognise(_text(path)) for path in licence_files(where)]
    recorded = _record(where / _CONFIG)
    if recorded is not None:
        found.append(recorded)
    if found:
        return strictest(found)
    stated = _card_licence(where / _CARD)
    return from_card(stated) if stated else None


def strictest(licences: list[Licence]) -> Licence:
    """The one that allows least; the first of equals."""
    return min(licences, key=lambda licence: (False, None, True).index(licence.commercial_use))


def licence_files(folder: Path) -> list[Path]:
    """Licence texts in a folder, by name."""
    try:
        return sorted(path for path in folder.iterdir() if is_licence_file(path.name) and path.is_file())
    except OSError:
        return []


def carry_licence(source: str | Path, target: str | Path, changes: str) -> Licence | None:
    """Let a derived checkpoint inherit: licence files copied, NOTICE with the required lines and the changes, the record
    in its config (a codec alone has none, and goes with the files). What is there stays, and is not written twice.

    Args:
        source: folder of the checkpoint that it is derived from.
        target: folder of the result, with its config written; may be `source`.
        changes: what was changed and how, one line.

    Returns:
        The licence of the target; None where the source has none.

    Raises:
        ConfigError: a config that cannot be read.
        OutputError: the target has no config, or it cannot be written.
    """
    return _carry(Path(source), read_licence(source), Path(target), changes)


def mark_origin(model: object, folder: Path) -> None:
    """Note in a loaded model (copies of it keep the note) where it came from, so that saving it lets it inherit.

    Raises:
        ConfigError: the licence record there is damaged.
    """
    vars(model)[_ORIGIN] = folder, read_licence(folder)


def carry_from_origin(model: object, target: str | Path, changes: str) -> Licence | None:
    """`carry_licence` from where the model was loaded; None where it was made here."""
    folder, licence = vars(model).get(_ORIGIN, (Path(), None))
    return _carry(folder, licence, Path(target), changes)


def _carry(origin: Path, licence: Licence | None, result: Path, changes: str) -> Licence | None:
    if licence is None:
        return None
    config = result / _CONFIG
    if not config.is_file() and not (result / _CODEC_CONFIG).is_file():
        raise OutputError(f"{result}: has no {_CONFIG} that could carry the licence; write the model first")
    for path in licence_files(origin):
        _copy_text(path, result, licence)
    own = _text(origin / NOTICE).strip() if (origin / NOTICE).is_file() else ""
    kept = _text(result / NOTICE).strip() if (result / NOTICE).is_file() else ""
    stated = licence.notice or f"This model is derived from one under: {licence.name}. {licence.link}".strip()
    for part in (own, stated, licence.attribution or "", f"Changed: {' '.join(changes.split())}"):
        if part and part not in kept:
            kept = f"{kept}\n{part}".strip()
    write_atomically(result / NOTICE, lambda part: part.write_text(kept + "\n", encoding="utf-8"))
    if not config.is_file():
        return licence
    raw = _json(config)
    block = raw.get(_BLOCK)
    block = dict(block) if isinstance(block, Mapping) else {}
    if block.get("licence") is not None:
        licence = strictest([licence, Licence.from_dict(block["licence"])])
    text = json.dumps(raw | {_BLOCK: block | {"licence": licence.to_dict()}}, indent=1) + "\n"
    write_atomically(config, lambda part: part.write_text(text, encoding="utf-8"))
    return licence


def _copy_text(path: Path, folder: Path, licence: Licence) -> None:
    """Beside another licence of the same name it takes a name of its own."""
    target = folder / path.name
    if target.exists():
        if target.read_bytes() == path.read_bytes():
            return
        target = folder / f"LICENSE-{licence.id}"
    write_atomically(target, lambda part: shutil.copyfile(path, part))


def _record(path: Path) -> Licence | None:
    if not path.is_file():
        return None
    block = _json(path).get(_BLOCK)
    raw = block.get("licence") if isinstance(block, Mapping) else None
    return Licence.from_dict(raw) if raw is not None else None


def _json(path: Path) -> dict[str, Any]:
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: not readable as JSON ({error})") from error
    if not isinstance(raw, dict):
        raise ConfigError(f"{path}: must hold an object")
    return raw


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(MAX_TEXT_BYTES).decode("utf-8", "replace")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from error


def _card_licence(card: Path) -> str:
    """What the block at the head of a model card says; empty where it says nothing that can be read."""
    if not card.is_file():
        return ""
    found = re.match(r"\ufeff?---\s*\n(.*?\n)---\s*(?:\n|$)", _text(card), flags=re.DOTALL)
    if found is None:
        return ""
    import yaml

    try:
        head = yaml.safe_load(found.group(1))
    except yaml.YAMLError:
        return ""
    return stated_licence(head) if isinstance(head, Mapping) else ""


def stated_licence(head: Mapping[str, Any]) -> str:
    """The licence in the metadata of a model card: `license`, or `license_name` where that is "other"."""
    stated = head.get("license")
    if stated in (None, "other"):
        stated = head.get("license_name") or stated
    return stated if isinstance(stated, str) else ""
