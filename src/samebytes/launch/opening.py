"""From compiled kernels on disk to Python's: none without the check."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import LayoutError
from ..model.module import Module
from ..model.signature import Signature
from ..toolchain.kernel_metadata import every_kernel
from .checking import check_kernel
from .code import Code
from .kernel import Kernel


def open_kernels(
    name: str, module: Module, linked: Callable[[Signature], Signature], file: Path, architecture: str,
    home: Callable[[str], tuple[Any, ...]],
) -> dict[str, Kernel]:  # fmt: skip
    """The kernels of a cubin, by their qualified names.

    Parameters
    ----------
    name : str
        The library's.
    module : Module
        What its source declares.
    linked : callable
        A signature with the classes of the library.
    file : Path
    architecture : str
        ``"sm_90"``.
    home : callable
        How a kernel is pickled, by its qualified name.

    Raises
    ------
    LayoutError
        If the code says otherwise of a kernel's parameters than its declaration.
    """
    code = Code(file.read_bytes(), architecture)
    signatures = [linked(signature) for signature in module.functions]
    places = every_kernel(code.data)
    for signature in signatures:
        if signature.symbol not in places:
            raise LayoutError(f"{signature.qualified}() is not in the compiled code {file}")
        check_kernel(signature, places[signature.symbol], "cuda")
    overloads: dict[str, list[Signature]] = {}
    for signature in signatures:
        overloads.setdefault(signature.qualified, []).append(signature)
    return {qualified: Kernel(found, name, code, home(qualified)) for qualified, found in overloads.items()}
