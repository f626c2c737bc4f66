"""`lungfish data`: make and prepare training data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lungfish.cli import voice_data

app = typer.Typer(no_args_is_help=True, help="Make and prepare training data.")
app.command()(voice_data.pack)
app.command()(voice_data.codes)


@app.command()
def teach(
    sentences: Annotated[Path, typer.Argument(help="Lines of: id TAB text.")],
    voices_folder: Annotated[Path | None, typer.Option(help="The teacher's voices; default: cache/package/voices.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Clips; default: cache/teach/pcm.")] = None,
    voices: Annotated[str, typer.Option(help="Teacher voices, separated by commas; they take turns.")] = "af_heart,am_michael",
    shard: Annotated[str, typer.Option(help="NUMBER/COUNT, to share the work between processes.")] = "0/1",
    seed: Annotated[int, typer.Option(help="Of the order of the sentences.")] = 0,
    minutes: Annotated[float | None, typer.Option(help="Stop after this much wall time.")] = None,
    threads: Annotated[int, typer.Option(min=1)] = 1,
    only_held_out: Annotated[bool, typer.Option(help="Speak the evaluation sentences instead.")] = False,
    rows: Annotated[int, typer.Option(min=0, help="Of the held-out sentences, 0 for all.")] = 0,
) -> None:
    """Have the teacher speak sentences, to make training data; goes on where it stopped."""
    import time

    from lungfish.config.env import cache_dir
    from lungfish.data.teach import Kokoro, plan, run
    from lungfish.errors import ConfigError

    number, slash, count = shard.partition("/")
    if not (slash and number.isdigit() and count.isdigit() and int(number) < int(count)):
        raise ConfigError(f"--shard {shard!r}: write NUMBER/COUNT, such as 0/2")
    tasks = plan(sentences, voices.split(","), (int(number), int(count)), seed, only_held_out=only_held_out)
    if only_held_out and rows:
        from lungfish.evaluation.wer import held_out_rows

        chosen = {row.id for row in held_out_rows(rows)}
        tasks = [task for task in tasks if task.sentence_id in chosen]
    folder = output or cache_dir() / "teach" / ("held_out" if only_held_out else "pcm")
    teacher = Kokoro(voices_folder or cache_dir() / "package" / "voices", threads)
    manifest = "manifest.tsv" if shard == "0/1" else f"manifest-{number}-of-{count}.tsv"
    made, hours = run(teacher, tasks, folder, manifest, minutes, time.monotonic)
    print(f"{made} clips, {hours:.2f} hours, written to {folder}")
