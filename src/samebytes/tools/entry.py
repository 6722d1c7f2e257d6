"""Where the program ``samebytes`` begins and ends: interrupted or cut off by ``head``, it ends without a traceback."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

INTERRUPTED = 128 + signal.SIGINT  # as a shell has it for who ended by that signal
CUT_OFF = 1  # as click and rich have it


def main() -> None:
    """The program: never returns."""
    sys.exit(_guarded())


def _guarded() -> int:
    # While Python imports there is nothing to tidy, and an exception would show the importer's own frames.
    asked = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if asked:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .cli import main as command

    try:
        if asked:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return _run(command)
    except KeyboardInterrupt:
        return _interrupted()


def _run(command: Any) -> int:
    """Run the command; its exit status."""
    import click

    try:
        found = command.main(prog_name="samebytes", standalone_mode=False)
        sys.stdout.flush()
        return found if isinstance(found, int) else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.Abort:
        return _interrupted()
    except BrokenPipeError:
        # Whoever read has enough. What is still in the buffer goes nowhere, also when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return CUT_OFF


def _interrupted() -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one has nothing left to end
    print("Interrupted.", file=sys.stderr)
    return INTERRUPTED
