"""The command ``samebytes``: its commands by name, each imported when it is asked for."""

from __future__ import annotations

from importlib import import_module

import click

from ..version import __version__

# A command is a file of this name in ``commands/``. The sentence is its own first one; it stands here so that help
# imports none of them.
COMMANDS = {
    "bind": "Write a Python package for HEADER that needs neither the header nor a compiler where it is used.",
    "cache": "Show or remove the libraries that were built.",
    "completion": "Print what makes a shell complete the words of samebytes.",
    "demo": "Shade real mountains in C++, called with every array library found.",
    "doctor": "Show what was found on this machine, and what each missing part would add.",
    "explain": "Show what is bound of HEADER and how: signatures, intents, conversions, costs, and what is skipped "
    "and why.",
    "init": "Write a new project of bindings: header, source, tests, pyproject.toml and a CI file.",
    "layout": "Show where a type's bytes lie: offsets, sizes, alignment and padding.",
    "prove": "Ask the real compilers whether they lay a type out as Python assumes; no device is needed.",
    "wheel": "Write one wheel for HEADER that every Python and many systems can install.",
}


class _Commands(click.Group):
    """A group whose commands end with the sentence of the error, not with a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = import_module(f".commands.{cmd_name}", __package__).command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise click.ClickException(str(error)) from error
        except Exception as error:
            from ..errors import Error
            from .commands.words import spoken_error

            if not isinstance(error, Error):
                raise
            raise click.ClickException(spoken_error(error)) from error


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="samebytes")
def main() -> None:
    """Call native C++ from Python with the same bytes on both sides."""
