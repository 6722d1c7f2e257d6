"""The command ``samebytes completion``."""

from __future__ import annotations

import click

SHELLS = ("bash", "zsh", "fish")
_INSTALL = {
    "bash": 'eval "$(samebytes completion bash)"     in ~/.bashrc',
    "zsh": 'eval "$(samebytes completion zsh)"     in ~/.zshrc',
    "fish": "samebytes completion fish | source     in ~/.config/fish/config.fish",
}


@click.command(
    "completion",
    epilog="It is for one line of the shell's own file: " + "; ".join(_INSTALL.values()) + ".",
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print what makes a shell complete the words of samebytes."""
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(context.find_root().command, {}, "samebytes", "_SAMEBYTES_COMPLETE").source())
