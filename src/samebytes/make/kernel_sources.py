"""Sources of kernels that a compiler of C++ takes whole, with their proofs beside them: HIP's and SYCL's."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..model.module import Module
from ..read.header import read_header
from ..toolchain.compilers import find_compiler, system_includes
from ..toolchain.headers import INCLUDE
from .request import Request


def standard(request: Request) -> str:
    """The standard of C++ that is spoken, of which device code has no GNU extensions."""
    return (request.std or "c++17").replace("gnu++", "c++")


def read_source(request: Request, main: Path, header: str, include: str, flags: Sequence[str] = ()) -> Module:
    """What a source of kernels declares.

    Parameters
    ----------
    header : str
        Of ours: what the parser has to know of the dialect.
    include : str
        Where the dialect's own headers are.

    Raises
    ------
    BindError
        If it cannot be read.
    """
    known = ("-include", os.path.join(INCLUDE, header), *(f"-D{d}" for d in request.defines))
    return read_header(
        main, language="c++", flags=(f"-std={standard(request)}", *flags, *known, *request.flags),
        include_dirs=request.includes(),
        system_includes=(*system_includes(find_compiler("c++"), request.flags), include),
        expose=request.expose, only=request.curation.files, dialect=request.dialect, instances=request.instances,
        alone=request.alone, kernels=True,
    )  # fmt: skip


def searched(request: Request, work: Path) -> tuple[str, ...]:
    """The flags that name the folders in which the source's own ``#include`` are found."""
    beside = (os.path.dirname(request.main),) if request.main else ()
    return tuple(f"-I{path}" for path in (str(work), *beside, *request.includes(), str(INCLUDE)))
