"""From compiled kernels on disk to Python's: none without the check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ..errors import LayoutError
from ..layouts.dialects import layout
from ..model.module import Module, Variable
from ..model.signature import Signature
from ..toolchain import spirv
from ..toolchain.kernel_metadata import every_kernel, variable_sizes
from ..types import Type, unqualified
from .checking import check_kernel, check_sycl_kernel
from .code import Code, Image
from .kernel import Kernel
from .sycl import SyclCode
from .sycl_kernel import SyclKernel
from .variables import DeviceVariable, size_error


class Linking(Protocol):
    """Gives types the classes of a library."""

    def signature(self, signature: Signature) -> Signature:
        """A signature of linked types."""

    def link(self, type_: Type) -> Type:
        """A linked type."""


def open_kernels(
    name: str, module: Module, linker: Linking, images: Sequence[Image],
    home: Callable[[str], tuple[Any, ...]], dialect: str = "cuda", code: Code | None = None,
) -> tuple[dict[str, Kernel], dict[str, DeviceVariable]]:  # fmt: skip
    """The kernels of compiled code, by their names or as what they were asked for, and its variables by their names.

    Parameters
    ----------
    name : str
        The library's.
    module : Module
        What its source declares.
    linker : Linker
        Which knows the classes of the library.
    images : sequence of Image
        The code, for one architecture or several.
    home : callable
        How a kernel is pickled, by its qualified name.
    dialect : str
        Whose it is.
    code : Code, optional
        The same, where functions of the host launch it, too.

    Raises
    ------
    LayoutError
        If the code says otherwise of a kernel's parameters than its declaration.
    """
    code = code or Code(images, dialect)
    signatures = [linker.signature(signature) for signature in module.functions]
    for image in images:
        places = every_kernel(image.data)
        for signature in signatures:
            if signature.symbol not in places:
                where = f"the compiled code for {image.architecture}"
                raise LayoutError(f"{signature.qualified}() is not in {where}")
            check_kernel(signature, places[signature.symbol], dialect)
    overloads: dict[str, list[Signature]] = {}
    for signature in signatures:
        overloads.setdefault(signature.key, []).append(signature)
    kernels = {q: Kernel(found, name, code, home(q)) for q, found in overloads.items()}
    return kernels, {v.qualified: _variable(v, linker, code) for v in module.variables}


def open_images(
    name: str, module: Module, linker: Linking, images: Sequence[Image],
    home: Callable[[str], tuple[Any, ...]], dialect: str,
) -> tuple[dict[str, Kernel], dict[str, DeviceVariable]]:  # fmt: skip
    """The same of any dialect; SYCL's code is one image, for all devices."""
    if dialect == "sycl":
        return _open_sycl(name, module, linker, images[0].data, images[0].architecture, home)
    return open_kernels(name, module, linker, images, home, dialect)


def _open_cuda(
    name: str, module: Module, linker: Linking, code: bytes, architecture: str,
    home: Callable[[str], tuple[Any, ...]],
) -> tuple[dict[str, Kernel], dict[str, DeviceVariable]]:  # fmt: skip
    return open_kernels(name, module, linker, [Image(code, architecture)], home)


def _open_hip(
    name: str, module: Module, linker: Linking, code: bytes, architecture: str,
    home: Callable[[str], tuple[Any, ...]],
) -> tuple[dict[str, Kernel], dict[str, DeviceVariable]]:  # fmt: skip
    return open_kernels(name, module, linker, [Image(code, architecture)], home, "hip")


def _open_sycl(
    name: str, module: Module, linker: Linking, code: bytes, architecture: str,
    home: Callable[[str], tuple[Any, ...]],
) -> tuple[dict[str, Kernel], dict[str, DeviceVariable]]:  # fmt: skip
    made = SyclCode(spirv.unpacked(code))
    overloads: dict[str, list[Signature]] = {}
    for function in module.functions:
        signature = linker.signature(function)
        if signature.symbol not in made.parameters:
            raise LayoutError(f"{signature.qualified}() is not in the compiled code")
        check_sycl_kernel(signature, made.parameters[signature.symbol])
        overloads.setdefault(signature.key, []).append(signature)
    return {q: SyclKernel(found, name, made, home(q)) for q, found in overloads.items()}, {}


# What a build's file is opened by.
OPENED = {"cuda": _open_cuda, "hip": _open_hip, "sycl": _open_sycl}


def _variable(variable: Variable, linker: Linking, code: Code) -> DeviceVariable:
    type_ = linker.link(variable.type)
    ours = layout(unqualified(type_), code.dialect).size
    for image in code.images:
        theirs = variable_sizes(image.data).get(variable.symbol, 0)
        if theirs and ours != theirs:
            raise size_error(variable.qualified, ours, theirs)
    return DeviceVariable(variable.qualified, variable.symbol, type_, code)
