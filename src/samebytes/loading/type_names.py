"""Names of C++ types that have no class of their own: typedefs and aliases of numbers, pointers, arrays, containers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ArgumentError, plain_error
from ..types import Scalar, Type, unqualified
from ..types.scalar import NUMPY

if TYPE_CHECKING:
    from ..model.module import Alias

# The scalar classes that mean the same C++ type wherever one stands for a type, as samebytes.int32 is ``int``.
NUMBERS = {
    "bool": "bool", "signed char": "int8", "short": "int16", "int": "int32", "long": "int64",
    "unsigned char": "uint8", "unsigned short": "uint16", "unsigned int": "uint32", "unsigned long": "uint64",
    "float": "float32", "double": "float64", "std::complex<float>": "complex64", "std::complex<double>": "complex128",
}  # fmt: skip


class TypeName:
    """A C++ type under a name: it serves where a type is asked for, as a template's argument does.

    Attributes
    ----------
    __samebytes_type__ : Type
    __samebytes_spelling__ : str
        How C++ reaches it.
    """

    def __init__(self, name: str, spelling: str, type_: Type) -> None:
        self.__name__ = name
        self.__samebytes_spelling__ = spelling
        self.__samebytes_type__ = type_

    def __call__(self, *args: object) -> Any:
        """A number as NumPy holds it; objects of other types are Python's own, or C++ makes them."""
        type_ = self.__samebytes_type__
        if isinstance(type_, Scalar):
            return NUMPY[type_.name](*args)
        words = f"names a type that has no class here, and makes no objects: a {type_} is given as it is"
        raise plain_error(ArgumentError, self.__name__, words)

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's, of a number."""
        type_ = self.__samebytes_type__
        if isinstance(type_, Scalar):
            found: np.dtype[Any] = np.dtype(NUMPY[type_.name])
            return found
        raise AttributeError(f"{self.__name__} is {type_}, no number")

    def __repr__(self) -> str:
        return f"<C++ type {self.__samebytes_spelling__}: {self.__samebytes_type__}>"


def named_type(alias: Alias, type_: Type) -> Any:
    """What an alias of a type without a class is: a number's scalar class where that says it all, else a name.

    Parameters
    ----------
    type_ : Type
        Its type, linked.
    """
    bare = unqualified(type_)
    known = NUMBERS.get(alias.spelling.removeprefix("const "))
    return NUMPY[known] if known else TypeName(alias.name, alias.qualified, bare)
