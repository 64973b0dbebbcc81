"""The `canasta` command: gathers the commands and turns what goes wrong into one line and an exit code.

0 done, 1 the answer is no, 2 bad input or a failed operation, 130 stopped by Ctrl-C. A command is a module of
pipeline/commands with `register(app)`, which imports what is heavy only when it is called.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from typing import Any

import typer

from engine.errors import BadInput, IllegalChoice
from pipeline import commands

# Typer shows only some of its error classes; this is the one they all come from.
_CommandError: Any = typer.BadParameter.__mro__[2]

DONE, NO, FAILED, STOPPED = 0, 1, 2, 130
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
    try:
        code = make_app()(args=arguments, prog_name="canasta", standalone_mode=False)
        sys.stdout.flush()
        return int(code or DONE)
    except _CommandError as error:
        context = getattr(error, "ctx", None)
        return _fail(error.format_message() + (f" (see {context.command_path} --help)" if context else ""))
    except (BadInput, IllegalChoice) as error:
        return _fail(str(error))
    except (KeyboardInterrupt, typer.Abort):
        print("stopped", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:
        # whoever read our output has seen enough; keep the interpreter from complaining at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        return _fail(describe_os_error(error))
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        return _fail(f"internal error: {type(error).__name__}: {error} ({TRACEBACK}=1 shows where)")


def describe_os_error(error: OSError) -> str:
    """One line for an error of the system: of what, and why."""
    reason = os.strerror(error.errno) if error.errno else " ".join(str(error).split())
    return f"{error.filename}: {reason}" if error.filename else reason


def _fail(message: str) -> int:
    print("canasta: " + " ".join(message.split()), file=sys.stderr)
    return FAILED


def _about(context: typer.Context) -> None:
    """Plays Canasta under any rules, logs every move and answers questions about the games."""
    if context.invoked_subcommand is None:
        print(context.get_help())


if __name__ == "__main__":
    sys.exit(main())
