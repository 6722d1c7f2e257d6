"""``%load_ext samebytes``: the cell magic ``%%samebytes``, and HTML of functions and of what is not bound."""

from __future__ import annotations

import shlex
import sys
import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import click

_HELP = """Compile the cell as C++ and bind it to NAME, which is 'lib' where it is left out.

The options are those of the command line: --flag=-O3 --std c++20 -D N=4 -I include -l z."""


def load_ipython_extension(shell: Any) -> None:
    """Teach an IPython shell; ``%load_ext samebytes`` calls it."""
    from ..loading.explaining import explain
    from ..loading.explaining.fragments import skipped_html
    from ..model.module import Skipped

    shell.register_magic_function(_magic(shell), "cell", "samebytes")
    html = shell.display_formatter.formatters["text/html"]

    def function_html(function: Any) -> str | None:
        try:
            return str(explain(function)._repr_html_())
        except TypeError:  # of somebody else's making
            return None

    def tuple_html(found: tuple[Any, ...]) -> str | None:
        ours = bool(found) and all(isinstance(one, Skipped) for one in found)
        return skipped_html(found) if ours else None

    html.for_type(type(len), function_html)
    html.for_type(tuple, tuple_html)


def _magic(shell: Any) -> Any:
    def samebytes(line: str, cell: str) -> Any:
        import click

        from ..api.bind import compile
        from ..errors import BindWarning
        from .commands.words import spoken

        command = _command()
        try:
            given = command.make_context("%%samebytes", shlex.split(line)).params
        except click.exceptions.Exit:  # --help, which has been printed
            return None
        except click.ClickException as error:
            raise _usage(error) from None
        name = given.pop("name") or "lib"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", BindWarning)
            library = compile(cell, name=name, **given)
        for warning in caught:  # there is no line of the user's that they could point to
            print(spoken(str(warning.message)), file=sys.stderr)
        shell.push({name: library})
        return library

    samebytes.__doc__ = _HELP
    return samebytes


def _command() -> click.Command:
    """What reads the line of the magic: the options of compile(), as the command line has them."""
    import click

    from ..make.options import OF_COMPILE
    from .commands.options import spelled

    def command(**given: Any) -> None: ...

    for name, option in reversed(OF_COMPILE.items()):
        if option.command:
            command = spelled(name, option)(command)
    command = click.argument("name", required=False)(command)
    return click.command("samebytes", help=_HELP)(command)


def _usage(error: click.ClickException) -> Exception:
    from ..errors import BindError

    return BindError(f"%%samebytes: {error.format_message()}")
