"""Functions: what a function pointer points to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace

from ..frozen import frozen
from . import length_parameters as lengths
from .base import Type, remembered_hash, without_hash
from .pointer import Pointer
from .scalar import Scalar


@frozen
class Argument:
    """One parameter of a function type.

    Attributes
    ----------
    type : Type
        For a reference, the type referred to, with its const.
    passing : str
        ``"value"``, ``"lvalue_ref"`` or ``"rvalue_ref"``.
    spelling : str
        The exact C++ type.
    measured : tuple of int
        The places of the arguments whose product says how many bytes of text there are; empty: it ends with a NUL.
    """

    type: Type
    passing: str = "value"
    spelling: str = field(default="", compare=False)
    measured: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.type}{_SIGNS[self.passing]}"


_SIGNS = {"value": "", "lvalue_ref": "&", "rvalue_ref": "&&"}


@frozen(slots=False)
class Function(Type):
    """The type of a C function; it is met as the pointee of a :class:`Pointer`.

    Attributes
    ----------
    result : Type
        VOID where nothing comes back.
    arguments : tuple of Argument
    barred : str
        Why no Python callable can stand for such a function; empty where one can.
    spelling : str
        How C++ names the pointer, ``int (*)(const void *, const void *)``; empty where no header spelled it.
    result_spelling : str
    holder : str
        The C++ class that a parameter really has and that is made from the pointer, ``std::function<int (int)>``.
    name : str
        The typedef by which it is known, if there is one.
    python : type or None
        The class of pointers to such functions.
    """

    result: Type
    arguments: tuple[Argument, ...]
    barred: str = ""
    spelling: str = ""
    result_spelling: str = field(default="", compare=False)
    result_passing: str = "value"
    holder: str = field(default="", compare=False)
    name: str = field(default="", compare=False)
    python: type | None = field(default=None, compare=False, repr=False)

    @property
    def parts(self) -> tuple[Type, ...]:
        return (self.result, *(a.type for a in self.arguments))

    @property
    def noexcept(self) -> bool:
        """Whether its type says that it throws nothing."""
        return self.spelling.removesuffix(">").endswith(" noexcept")

    def with_parts(self, change: Callable[[Type], Type]) -> Function:
        """The type of functions that take and give back changed types."""
        arguments = tuple(replace(a, type=change(a.type)) for a in self.arguments)
        return replace(self, result=change(self.result), arguments=arguments)

    def named(self, names: Sequence[str]) -> Function:
        """The type with what the names of its parameters, one for each, say about the lengths of texts."""
        found = lengths.measured(names, [_role(a) for a in self.arguments])
        arguments = (replace(a, measured=found.get(i, ())) for i, a in enumerate(self.arguments))
        return replace(self, arguments=tuple(arguments))

    def __str__(self) -> str:
        return f"{self.result}({', '.join(map(str, self.arguments))})" if not self.barred else self.spelling

    __hash__ = remembered_hash
    __getstate__ = without_hash


def _role(argument: Argument) -> lengths.Role:
    type_ = argument.type
    if argument.passing != "value":
        return lengths.Role.OTHER
    if isinstance(type_, Pointer) and type_.is_string:
        return lengths.Role.DATA
    return (
        lengths.Role.NUMBER
        if isinstance(type_, Scalar) and type_.kind in ("int", "uint")
        else lengths.Role.OTHER
    )
