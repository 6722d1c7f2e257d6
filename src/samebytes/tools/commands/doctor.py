"""The command ``samebytes doctor``."""

from __future__ import annotations

import click

from .output import console, json_option, write_json


@click.command("doctor")
@json_option
def command(as_json: bool) -> None:
    """Show what was found on this machine, and what each missing part would add."""
    from ..doctor import complete, examine, facts

    if as_json:
        found = facts()
        write_json(found)
        whole = complete(found)
    else:
        whole = examine(console())
    if not whole:
        raise SystemExit(1)
