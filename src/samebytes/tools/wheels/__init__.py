"""Wheels of bindings: one for every Python, as their library asks nothing of Python's own interface."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from ...frozen import frozen
from ...make.request import Request
from ..packages import write_package
from .archive import write_archive
from .metadata import Metadata, plain_metadata, project_metadata
from .platforms import Platform, platform_of

__all__ = [
    "Metadata",
    "Platform",
    "Wheel",
    "plain_metadata",
    "platform_of",
    "project_metadata",
    "write_wheel",
]

_ELF = b"\x7fELF"


@frozen
class Wheel:
    """A wheel that was written.

    Attributes
    ----------
    path : Path
    platform : Platform
        For which systems it is, and why.
    """

    path: Path
    platform: Platform


def write_wheel(
    request: Request, metadata: Metadata, out: Path, *, further: Path | None = None, **options: Any
) -> Wheel:
    """Write a package as a wheel.

    Parameters
    ----------
    request : Request
        What is bound; its name is the package's.
    metadata : Metadata
    out : Path
        The folder of the wheel.
    further : Path, optional
        A folder whose files are installed beside the package.
    **options
        As of :func:`samebytes.tools.packages.write_package`.

    Raises
    ------
    BindError
        If nothing is bound, or a name serves no package.
    """
    with tempfile.TemporaryDirectory(prefix="samebytes-") as work:
        write_package(request, Path(work), **options)
        files = files_below(Path(work))
    if further is not None:
        files = files_below(further) | files
    compiled = {Path(name).name: data for name, data in files.items() if data.startswith(_ELF)}
    platform = platform_of(compiled, request.flags)
    return Wheel(write_archive(files, metadata, platform.tag, out), platform)


def files_below(folder: Path) -> dict[str, bytes]:
    """The files of a folder by their paths there, without what Python compiled of them."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
