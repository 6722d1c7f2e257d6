"""Installation prefixes: folders with ``include`` and ``lib``, among them conda's environments."""

from __future__ import annotations

import os
import sys

from ..errors import BindError

# What stands for the active environment.
CONDA = "conda"


def conda_prefix() -> str | None:
    """The active conda environment, else the one that this Python is of: each has a folder ``conda-meta``."""
    for place in (os.environ.get("CONDA_PREFIX"), sys.prefix):
        if place and os.path.isdir(os.path.join(place, "conda-meta")):
            return place
    return None


def found_prefixes(given: tuple[str, ...]) -> tuple[str, ...]:
    """The folders that are meant, absolute.

    Raises
    ------
    BindError
        If one does not exist or has nothing of a prefix, or no environment is active.
    """
    return tuple(_prefix(one) for one in given)


def _prefix(given: str) -> str:
    path: str | None = os.path.abspath(given)
    if given == CONDA:
        path = conda_prefix()
        if path is None:
            raise BindError(
                f"prefixes={CONDA!r}: no conda environment is active ($CONDA_PREFIX, or this Python's own); run `conda "
                "activate NAME` first, or give its folder"
            )
    assert path is not None
    if not given or not os.path.isdir(path):
        raise BindError(
            f"prefixes: {given!r} is no folder; a prefix is where include and lib are, such as '/usr/local'"
        )
    if not any(os.path.isdir(os.path.join(path, inner)) for inner in ("include", "lib")):
        advice = (
            f"; {os.path.dirname(path)!r} may be meant"
            if os.path.basename(path) in ("include", "lib")
            else ""
        )
        raise BindError(f"prefixes: {path} has neither a folder include nor lib{advice}")
    return path


def inside(prefixes: tuple[str, ...], name: str) -> tuple[str, ...]:
    """The folders of a name that the prefixes have."""
    return tuple(path for p in prefixes if os.path.isdir(path := os.path.join(p, name)))
