"""Layouts to look at: a table of offsets and padding, and a picture of the bytes as SVG or PNG."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...types import as_type, unqualified
from ..dialects import find_dialect
from .cells import Cell, cells
from .drawing import Drawing, draw
from .svg import svg_text

__all__ = ["Cell", "cells", "drawing", "svg", "write_png"]


def drawing(T: Any, dialect: str = "cxx") -> Drawing:  # noqa: N803
    """The shapes of a type's picture; errors as :func:`samebytes.layout`."""
    found = find_dialect(dialect)
    return draw(cells(unqualified(as_type(T)), found), dialect)


def svg(T: Any, dialect: str = "cxx") -> str:  # noqa: N803
    """The picture of a type's bytes as an SVG document.

    Parameters
    ----------
    T : type or Type
    dialect : str

    Returns
    -------
    str
        One ``<svg>`` element: sixteen bytes to a line, padding hatched, nested types above their parts.
    """
    return svg_text(drawing(T, dialect))


def write_png(T: Any, path: Path, dialect: str = "cxx") -> None:  # noqa: N803
    """Write the same picture as a PNG file.

    Raises
    ------
    MissingDependency
        If Matplotlib is not installed.
    """
    from .png import write

    write(drawing(T, dialect), path)
