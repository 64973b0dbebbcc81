"""The `canasta` command: gathers the commands and turns what goes wrong into one line and an exit code.

0 done, 1 the answer is no, 2 bad input or a failed operation, 130 stopped by Ctrl-C. A command is a module of
pipeline/commands with `register(app)`, which imports what is heavy only when it is called.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from engine.errors import BadInput, IllegalChoice
from pipeline import commands
from pipeline.progress import Stopped

# Typer shows only some of its error classes; this is the one they all come from.
_CommandError: Any = typer.BadParameter.__mro__[2]

DONE, NO, FAILED, STOPPED = 0, 1, 2, 130
DAMAGE = ("parquet", "dictionary index")
"""What errors of reading say when a file is not as it was written."""
TRACEBACK = "CANASTA_TRACEBACK"
"""Environment variable that, when set, lets an error show where it arose."""


def make_app() -> typer.Typer:
    """The application with all commands."""
    app = typer.Typer(
        name="canasta",
        help="Plays Canasta under any rules, logs every move and answers questions about the games.",
        invoke_without_command=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_about)
    for module in pkgutil.iter_modules(commands.__path__):
        importlib.import_module(f"{commands.__name__}.{module.name}").register(app)
    return app


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    _open_streams()
    try:
        code = make_app()(args=arguments, prog_name="canasta", standalone_mode=False)
        sys.stdout.flush()
        return _stop() if code == STOPPED else int(code or DONE)  # Typer makes a code of Ctrl-C
    except _CommandError as error:
        context = getattr(error, "ctx", None)
        return _fail(error.format_message() + (f" (see {context.command_path} --help)" if context else ""))
    except (BadInput, IllegalChoice) as error:
        return _fail(str(error))
    except (KeyboardInterrupt, typer.Abort):
        return _stop()
    except Stopped as error:
        _fail(str(error))
        return STOPPED
    except SystemExit as error:
        # Typer exits with 1 when whoever read our output has seen enough; nobody else of ours exits here
        if isinstance(error.__context__, BrokenPipeError):
            return _close_output()
        return _fail(
            f"sys.exit({error.code}) was called in {_place_of(error)}; a strategy file must not end the program"
        )
    except BrokenPipeError:
        return _close_output()
    except OSError as error:
        if error.filename is None:
            _close_output()  # it may be standard output that cannot be written: Python would try again at its end
        lost = isinstance(error, FileNotFoundError) and error.filename is None  # Polars misses a file
        return _fail((lost and describe_damage(error)) or describe_os_error(error))
    except MemoryError:
        return _fail("not enough memory; give fewer --workers or fewer games")
    except Exception as error:
        if _is_interrupt(error):
            return _stop()
        if os.environ.get(TRACEBACK):
            raise
        return _fail(
            describe_damage(error) or f"internal error: {type(error).__name__}: {error} ({TRACEBACK}=1 shows where)"
        )


def _open_streams() -> None:
    """Let there be an output and an error stream, even if the caller closed them, that can show any letter."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - until the program ends
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _close_output() -> int:
    """Standard output leads nowhere from here on, so that the interpreter does not complain at its end."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    return DONE


def _stop() -> int:
    print("stopped", file=sys.stderr)
    return STOPPED


def _is_interrupt(error: BaseException) -> bool:
    """Whether Ctrl-C is behind an error: DuckDB ends a query with one of its own."""
    return "interrupt" in type(error).__name__.lower() or "query interrupted" in str(error).lower()


def _place_of(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code.co_filename if trace is not None else "the program"


def describe_os_error(error: OSError) -> str:
    """One line for an error of the system: of what, and why."""
    reason = os.strerror(error.errno) if error.errno else " ".join(str(error).split())
    return f"{error.filename}: {reason}" if error.filename else reason


def describe_damage(error: Exception) -> str | None:
    """One line for a file of a run that DuckDB or Polars could not read, and what mends it; None for other errors."""
    told = " ".join(str(error).split())
    if not any(sign in told.lower() for sign in DAMAGE):
        return None
    return (
        f"a file of the run is damaged or missing: {told}; 'canasta audit RUN' names such files, 'canasta simulate' "
        "with the run's plan plays again what is missing or too short, with --replace everything"
    )


def _fail(message: str) -> int:
    print("canasta: " + " ".join(message.split()), file=sys.stderr)
    return FAILED


def _about(context: typer.Context) -> None:
    """Plays Canasta under any rules, logs every move and answers questions about the games."""
    if context.invoked_subcommand is None:
        print(context.get_help())


if __name__ == "__main__":
    sys.exit(main())
