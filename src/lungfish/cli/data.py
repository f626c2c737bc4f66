"""`lungfish data`: make and prepare training data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lungfish.cli import voice_data
from lungfish.errors import ConfigError

app = typer.Typer(no_args_is_help=True, help="Make and prepare training data.")
app.command()(voice_data.pack)
app.command()(voice_data.features)
app.command()(voice_data.codes)


@app.command()
def teach(
    sentences: Annotated[
        Path | None, typer.Argument(help="Lines of: id TAB text. With --only-held-out: those that ship with Lungfish.")
    ] = None,
    voices_folder: Annotated[
        Path | None, typer.Option(help="The teacher's VOICE.bin files. Default: where dev/teacher-setup.sh puts them.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder of clips. Default: teach/pcm or teach/held_out of the cache."),
    ] = None,
    voices: Annotated[
        str, typer.Option(help="Teacher voices, separated by commas; they take turns.")
    ] = "af_heart,am_michael",
    shard: Annotated[str, typer.Option(help="NUMBER/COUNT, to share the work between processes.")] = "0/1",
    seed: Annotated[int, typer.Option(help="Of the order of the sentences.")] = 0,
    minutes: Annotated[float | None, typer.Option(min=0, help="Stop after this much wall time.")] = None,
    threads: Annotated[int, typer.Option(min=1, help="CPU threads.")] = 1,
    held_out: Annotated[int, typer.Option(min=0, help="Last rows of SENTENCES, never spoken for training.")] = 200,
    known: Annotated[
        list[Path] | None, typer.Option(help="Manifest of clips that you have elsewhere; may be given several times.")
    ] = None,
    only_held_out: Annotated[
        bool, typer.Option("--only-held-out", help="Speak evaluation sentences instead, to compare a model with.")
    ] = False,
    rows: Annotated[int, typer.Option(min=1, help="How many of them, the choice of `lungfish eval wer`.")] = 60,
) -> None:
    """Have the teacher speak sentences, to make training data; goes on where it stopped.

    LJSpeech's 13,100 sentences do well: cut -d'|' -f1,3 metadata.csv | tr '|' '\\t' > sentences.tsv
    """
    from lungfish.config.env import cache_dir
    from lungfish.data.kokoro import Kokoro
    from lungfish.data.teach import MANIFEST, assign_voices, known_sentences, plan, run
    from lungfish.evaluation.held_out import held_out_rows

    names = [name.strip() for name in voices.split(",")]
    part = _shard(shard)
    if only_held_out:
        tasks = assign_voices(held_out_rows(rows, sentences), names)[part[0] :: part[1]]
    elif sentences is not None:
        tasks = plan(sentences, names, part, seed, held_out)
    else:
        raise ConfigError("give SENTENCES, a file with lines of: id TAB text; or --only-held-out")
    elsewhere = frozenset(row_id for manifest in known or [] for row_id in known_sentences(manifest))
    folder = output or cache_dir() / "teach" / ("held_out" if only_held_out else "pcm")
    manifest = MANIFEST if part[1] == 1 else f"manifest-{part[0]}-of-{part[1]}.tsv"
    teacher = Kokoro(voices_folder or cache_dir() / "package" / "voices", names, threads)
    made = run(teacher, tasks, folder, manifest, minutes, elsewhere)
    hours = sum(one.seconds for one in made) / 3600
    skipped = sum(bool(one.skipped) for one in made)
    print(f"{folder / manifest}: {len(made) - skipped} new clips ({hours:.2f} hours), {skipped} sentences skipped")


def _shard(text: str) -> tuple[int, int]:
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and int(number) < int(count)):
        raise ConfigError(f"--shard {text!r}: write NUMBER/COUNT, such as 0/2 and 1/2")
    return int(number), int(count)
