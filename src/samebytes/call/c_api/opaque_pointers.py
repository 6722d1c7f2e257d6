"""Handles of a C API: pointers to what a header only names, each a class of its own."""

from __future__ import annotations

from typing import Any, ClassVar

from ... import _native
from ...types import Named, Pointer
from ...values.pointer_type import PointerType


class OpaquePointer(_native.Pointer, metaclass=PointerType):
    """What all classes of handles share: the address of an object that only the C library knows.

    Where such a handle is due, a handle of another class is refused; ``int(handle)`` and plain pointers pass.
    """

    __slots__ = ()
    __samebytes_type__: ClassVar[Pointer]


def opaque_pointer_class(name: str, module: str) -> type[OpaquePointer]:
    """The class of pointers to an opaque type.

    Parameters
    ----------
    name : str
        The type's name in C, ``ihipStream_t``.
    """
    made: Any = PointerType(
        name.rpartition("::")[2], (OpaquePointer,), {"__slots__": (), "__module__": module}
    )
    made.__doc__ = f"A pointer to {name}, which the header only declares."
    made.__samebytes_type__ = Pointer(Named(name))
    return made  # type: ignore[no-any-return]
