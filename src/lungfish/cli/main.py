"""The `lungfish` command: its verbs, and the boundary where an error becomes one line and an exit code.

Exit codes: 0 done; 1 it did not work; 2 what was asked cannot be done (the arguments, the text, the clip); 130 Ctrl-C.
A traceback is always a defect of this project.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from lungfish.cli import codec, data, doctor, evaluate, info, inspect, model, say, text, train, verify
from lungfish.errors import LungfishError, OutputError

EXIT_INTERRUPTED = 130

app = typer.Typer(
    name="lungfish",
    help="Text to speech with a dual autoregressive transformer.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(say.say)
app.command()(text.text)
app.command()(verify.verify)
app.command()(inspect.inspect)
app.command()(info.info)
app.command()(doctor.doctor)
app.add_typer(codec.app, name="codec")
app.add_typer(data.app, name="data")
app.add_typer(evaluate.app, name="eval")
app.add_typer(model.app, name="model")
app.add_typer(train.app, name="train")


@app.callback()
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Text to speech with a dual autoregressive transformer."""
    if version:
        from lungfish import __version__

        typer.echo(f"lungfish {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; errors are printed to standard error as one line."""
    return guarded(lambda: _invoke(arguments))


def _invoke(arguments: Sequence[str] | None) -> int:
    code = app(list(arguments) if arguments is not None else None, prog_name="lungfish", standalone_mode=False)
    sys.stdout.flush()
    if code == EXIT_INTERRUPTED:
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def guarded(action: Callable[[], int]) -> int:
    """The error boundary: `action`'s exit code, or that of the error it raised after one line on standard error."""
    try:
        return action()
    except LungfishError as error:
        return _fail(str(error), error.exit_code)
    except typer.TyperException as error:
        message = error.format_message()
        if not message:  # help was asked for by giving no verb, and has been shown
            return error.exit_code
        context = getattr(error, "ctx", None)
        command = context.command_path if context is not None else "lungfish"
        return _fail(f"{message} (see {command} --help)", error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("interrupted", EXIT_INTERRUPTED)
    except BrokenPipeError:
        return _fail("the reader of the output went away before all of it was written", OutputError.exit_code)
    except MemoryError:
        return _fail("out of memory; try a shorter text, or --dtype bfloat16", 1)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return _fail("no space left on the device", OutputError.exit_code)
        raise


def _fail(message: str, code: int) -> int:
    with contextlib.suppress(OSError):  # nobody may listen on standard error either
        print(f"lungfish: {' '.join(message.split())}", file=sys.stderr, flush=True)
    _silence_closed_stdout()
    return code


def _silence_closed_stdout() -> None:
    """Drop what a closed standard output still holds, or the interpreter complains about it at exit."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Entry point of the `lungfish` script."""
    sys.exit(run())
