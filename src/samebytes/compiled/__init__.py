"""Bound libraries in code that Numba compiles: types, fields, calls; Numba itself is imported on use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import BindError, LayoutError
from ..layouts.parts import walk_all
from ..loading.library import Library
from ..model.signature import Signature
from ..options import check_dialect
from ..types import Type, as_type

__all__ = ["install", "numba_signatures", "numba_type"]


def install(
    library: Library,
    target: str,
    dialect: str,
    signature: Callable[[Signature], Signature],
    *,
    address: Callable[[str], int] | None = None,
    device: tuple[Callable[..., bytes], ...] = (),
    tag: str = "",
) -> None:
    """Make what a library binds known to one of Numba's compilers.

    Parameters
    ----------
    target : str
        ``"numba"`` or ``"numba_cuda"``.
    signature : callable
        A signature of the library's model with the classes of its records and enumerations.
    address : callable
        For the CPU: the address of a symbol of the loaded library.
    device : tuple of callable
        For GPUs: each gives, called with a compute capability and ``lto=``, a unit that kernels are linked with.
    tag : str
        For GPUs: what is part of the symbols in that code.

    Raises
    ------
    MissingDependency
        If Numba is not installed.
    """
    from .compiler import numba_compiler

    compiler = numba_compiler(target)
    from .installing import Installer

    Installer(compiler, library, dialect, signature, address, device, tag).install()


def numba_signatures(function: Any) -> tuple[Any, ...]:
    """The signatures by which compiled code calls a bound function, one for each overload and number of arguments.

    They are those of Numbast ("Generated Python signatures"): a value is typed as its value, ``inout_ptr`` and
    ``out_ptr`` as ``CPointer``; ``out_return`` and ``out_array_return`` leave the arguments and are returned, packed
    as a tuple with the C++ result.

    Parameters
    ----------
    function : callable
        Bound with ``target="numba"`` or ``target="numba_cuda"``.

    Returns
    -------
    tuple of numba.core.typing.Signature

    Raises
    ------
    BindError
        If it was bound for another target.
    """
    from .calls.signatures import signature_of
    from .installing import overloads_of

    found = overloads_of(function)
    if found is None:
        raise BindError(f"{function!r} is not bound for Numba: bind(..., target='numba') or 'numba_cuda'")
    return tuple(signature_of(found, direct) for direct in found.directs)


def numba_type(hint: Any, dialect: str | None = None) -> Any:
    """Numba's type of a value of C++.

    Parameters
    ----------
    hint : type or Type
        A record class of a library, a vector class, a number …
    dialect : str, optional
        Whose layout: ``"cxx"``, or ``"cuda"`` in kernels; left out, that of the libraries whose classes are in
        ``hint``, or ``"cxx"`` where none are.

    Raises
    ------
    MissingDependency
        If Numba is not installed.
    LayoutError
        If ``hint`` has classes of libraries of several dialects, and none is given.
    """
    if dialect is not None:
        check_dialect("numba_type", dialect)
    from .compiler import numba_compiler

    compiler = numba_compiler("numba")
    from .calls.signatures import in_words
    from .classes.declared import instance_type, is_declared
    from .datamodel.equivalents import numba_type as found
    from .installing import prepare

    type_ = as_type(hint)
    spoken = _own_dialect(type_) if dialect is None else dialect
    if spoken == "cxx":
        prepare(compiler)  # a signature may be the first that Numba sees of it
        if is_declared(hint):
            return instance_type(compiler, hint)
    return in_words(lambda: found(type_, spoken))


def _own_dialect(type_: Type) -> str:
    """The dialect of the libraries whose classes are in a type."""
    classes = (getattr(part, "python", None) for part in walk_all((type_,)))
    linkers = (getattr(cls, "__samebytes_linker__", None) for cls in classes)
    found = sorted({linker.dialect for linker in linkers if linker is not None})
    if len(found) > 1:
        named = ", ".join(map(repr, found))
        raise LayoutError(
            f"numba_type(): {type_} has classes of libraries of several dialects ({named}): say which one, dialect="
        )
    return found[0] if found else "cxx"
