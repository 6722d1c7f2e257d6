"""The command ``samebytes prove``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .layout import find
from .output import console

if TYPE_CHECKING:
    from rich.console import Console

    from ...layouts.oracle.proof import Proof


def _show(proof: Proof, console: Console) -> None:
    facts = f"{len(proof.facts)} facts"
    _say(console, f"{proof.type} in {proof.dialect}: {facts} confirmed by")
    for compiler in proof.confirmed:
        _say(console, f"  {compiler}")
    for sentence in proof.missing:
        _say(console, f"  not asked: {sentence}", "dim")


def _say(console: Console, text: str, style: str = "") -> None:
    # Names of types and of extras have brackets, which would be read as styles.
    console.print(text, highlight=False, markup=False, style=style)


@click.command("prove")
@click.argument("name", metavar="MODULE:TYPE")
@click.option(
    "--dialect",
    "dialects",
    multiple=True,
    help="A language; may be repeated. Without it: every one there is.",
)
def command(name: str, dialects: tuple[str, ...]) -> None:
    """Ask the real compilers whether they lay a type out as Python assumes; no device is needed."""
    from ...errors import LayoutError, MissingDependency
    from ...layouts.dialects import dialect_names
    from ...layouts.oracle.proof import prove

    type_, where = find(name), console()
    wrong, confirmed = [], 0
    for dialect in dialects or dialect_names():
        try:
            _show(prove(type_, dialect), where)
            confirmed += 1
        except TypeError as error:
            raise click.ClickException(f"{name}: {error}") from None
        except MissingDependency as error:
            if dialects:
                raise
            _say(where, f"{name} in {dialect}: {error}", "dim")
        except LayoutError as error:
            wrong.append(str(error))
    if wrong:
        raise click.ClickException("\n".join(wrong))
    if not confirmed:
        raise click.ClickException("no compiler was found for any dialect")
