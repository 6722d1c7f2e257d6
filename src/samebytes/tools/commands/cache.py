"""The command ``samebytes cache``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from .output import json_option, write_json

if TYPE_CHECKING:
    from ...toolchain.pruning import Build


def _size(count: float) -> str:
    for unit in ("bytes", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} GiB"


def _builds(found: Sequence[Build]) -> str:
    from ...toolchain.pruning import total

    return f"{len(found)} build{'s' if len(found) != 1 else ''}, {_size(total(found))}"


@click.group("cache")
def command() -> None:
    """Show or remove the libraries that were built."""


@command.command("info")
@json_option
def _info(as_json: bool) -> None:
    """Where the builds are, how many, and what is kept."""
    from ...toolchain.cache import default_cache
    from ...toolchain.pruning import builds, limits, total

    found, keep = list(builds(default_cache().root)), limits()
    if as_json:
        facts = {"folder": default_cache().root, "builds": len(found), "bytes": total(found)}
        write_json(facts | {"max_days": keep.days, "max_bytes": keep.size})
        return
    click.echo(f"{default_cache().root}: {_builds(found)}")
    if found:
        days = (time.time() - min(b.used for b in found)) / 86400
        click.echo(f"longest unused: {days:.0f} days")
    click.echo(
        f"kept are builds used in the last {keep.days:g} days, up to {_size(keep.size)} "
        "(SAMEBYTES_CACHE_MAX_DAYS, SAMEBYTES_CACHE_MAX_SIZE)"
    )


@command.command("prune")
@click.option("--days", type=float, help="Remove what was not used in so many days.")
@click.option("--size", help="Remove the longest unused until so much is left: 500M, 2G.")
def _prune(days: float | None, size: str | None) -> None:
    """Remove the longest unused builds; without options, by the limits of the environment."""
    from ...toolchain.cache import default_cache
    from ...toolchain.pruning import Limits, bytes_of, limits, prune

    given = Limits(float("inf") if days is None else days, float("inf") if size is None else bytes_of(size))
    chosen = limits() if days is None and size is None else given
    click.echo(f"removed {_builds(prune(default_cache().root, chosen))}")


@command.command("clear")
def _clear() -> None:
    """Remove all builds; what programs have loaded stays loaded."""
    from ...toolchain.cache import default_cache
    from ...toolchain.pruning import clear

    click.echo(f"removed {_builds(clear(default_cache().root))}")
