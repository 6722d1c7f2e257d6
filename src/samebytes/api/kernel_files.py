"""load(): from compiled kernels and the header that declares them to functions."""

from __future__ import annotations

import os
from typing import Unpack

from ..loading.library import Library
from ..make.options import BuildOptions, takes
from ..options import check_options
from ..toolchain.amd_code import is_amd_code
from ..toolchain.spirv import is_spirv
from .bind import bind


@takes(BuildOptions)
def load(
    code: str | os.PathLike[str], header: str | os.PathLike[str], **options: Unpack[BuildOptions]
) -> Library:
    """Bind kernels that others compiled: a cubin, PTX, AMD's code or SPIR-V, and the header that declares them.

    Parameters
    ----------
    code : str or path
        The file, whose records of parameters are compared with the header: for CUDA a cubin, PTX,
        or a fat binary of them (``.fatbin``), of which the device in use, or ``arch``, gets what is best for it; for
        HIP a code object (``.hsaco``) or Clang's bundle of several, of which ``arch`` says one; for SYCL SPIR-V
        (``.spv``).
    header : str or path
        As of :func:`bind`.
    **options
        As of :func:`bind`.

    Notes
    -----
    The result and the errors are those of :func:`compile`; it is ``bind(header, library=code, dialect=…)``, with
    the dialect that the file's first bytes say.
    """
    check_options("load", code=code, header=header)
    for name in ("library", "dialect"):
        if name in options:
            raise TypeError(f"load() got an unexpected keyword argument {name!r}")
    options["library"], options["dialect"] = code, _dialect(_first_bytes(code))
    return bind(header, **options)


def _dialect(begins: bytes) -> str:
    if is_spirv(begins):
        return "sycl"
    return "hip" if is_amd_code(begins) else "cuda"


def _first_bytes(code: str | os.PathLike[str]) -> bytes:
    try:
        with open(code, "rb") as file:
            return file.read(64)
    except OSError:  # which bind() words
        return b""
