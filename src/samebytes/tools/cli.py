"""The command ``samebytes``."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.console import Console

from ..errors import Error
from ..layouts.oracle.command import command as prove
from ..layouts.picture.command import layout
from ..toolchain.command import command as cache
from .commands.bind import command as bind
from .commands.explain import command as explain


class _Commands(click.Group):
    """A group whose commands end with the sentence of the error, not with a traceback."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (Error, OSError) as error:
            raise click.ClickException(str(error)) from error


def _console() -> Console:
    # Without a terminal nothing can be asked about its width; tables then take the room they need.
    return Console() if sys.stdout.isatty() else Console(width=120)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="samebytes", prog_name="samebytes")
def main() -> None:
    """Call native C++ from Python with the same bytes on both sides."""


@main.command()
@click.option(
    "--out",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    default=Path("hillshade.png"),
    show_default=True,
    help="The PNG file to write.",
)
def demo(out: Path) -> None:
    """Shade real mountains in C++, called with every array library found."""
    from .demo import run

    if not run(out, _console()):
        raise SystemExit(1)


@main.command()
def doctor() -> None:
    """Show what was found on this machine, and what each missing part would add."""
    from .doctor import examine

    if not examine(_console()):
        raise SystemExit(1)


main.add_command(bind)
main.add_command(cache)
main.add_command(explain)
main.add_command(layout)
main.add_command(prove)
