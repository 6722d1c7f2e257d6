"""load(): from compiled kernels and the header that declares them to functions."""

from __future__ import annotations

import os
from typing import Unpack

from ..loading.library import Library
from ..make.options import BuildOptions, takes
from ..options import check_options
from .bind import bind


@takes(BuildOptions)
def load(
    code: str | os.PathLike[str], header: str | os.PathLike[str], **options: Unpack[BuildOptions]
) -> Library:
    """Bind kernels that others compiled: a cubin or PTX, and the header that declares them.

    Parameters
    ----------
    code : str or path
        The file, whose records of parameters are compared with the header.
    header : str or path
        As of :func:`bind`.
    **options
        As of :func:`bind`.

    Notes
    -----
    The result and the errors are those of :func:`compile`; it is ``bind(header, library=code, dialect="cuda")``.
    """
    check_options("load", code=code, header=header)
    for name in ("library", "dialect"):
        if name in options:
            raise TypeError(f"load() got an unexpected keyword argument {name!r}")
    options["library"], options["dialect"] = code, "cuda"
    return bind(header, **options)
