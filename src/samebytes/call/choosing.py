"""One overload chosen by its C++ parameters: ``overload(lib.f, "int, double")`` or ``lib.f.overload(…)``."""

from __future__ import annotations

from typing import Any

from .. import _native
from ..values.overriding import is_own
from ..values.record_type import RecordType
from .binding import Binding, binding_of
from .introspection import declaration_text


def overload(function: Any, parameters: str) -> Any:
    """One overload of a function, whose calls choose no other; a function with overloads has it as its attribute.

    Parameters
    ----------
    function : function, method or class
        What a library bound; of a class, the constructors are meant.
    parameters : str
        The types of the parameters as C++ spells them, ``"int, double"``, after them what tells member functions
        apart, ``"(int) const"``; or the whole declaration that :func:`explain` shows.

    Returns
    -------
    callable
        Arguments are converted as those of a function without overloads, by C++'s rules.

    Raises
    ------
    BindError
        If no overload has these parameters, or several have.
    TypeError
        If the first argument is none of these.
    """
    if isinstance(function, RecordType) and is_own(function):
        making = _binding(vars(function).get("__samebytes_new__"), function)
        return Making(function, making.chosen(parameters, ()))
    if (own := getattr(type(function), "__samebytes_overload__", None)) is not None:  # a kernel's
        return own(function, parameters)
    bound = getattr(function, "__func__", None)
    if bound is not None:
        return overload(bound, parameters).__get__(function.__self__)
    return _binding(function, function).overload(parameters)


class Making:
    """Makes objects of a class by one of its constructors.

    Parameters
    ----------
    cls : type
    binding : Binding
        Of that constructor.
    """

    __slots__ = ("_binding", "_cls")

    def __init__(self, cls: type, binding: Binding) -> None:
        self._cls = cls
        self._binding = binding

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _native.construct_by(self._cls, self._binding.function, args, kwargs)

    def __reduce__(self) -> tuple[Any, ...]:
        return overload, (self._cls, declaration_text(self._binding.signatures[0]))

    def __repr__(self) -> str:
        return f"<constructor {declaration_text(self._binding.signatures[0])}>"


def _binding(function: Any, asked: Any) -> Binding:
    if (found := binding_of(function)) is not None:
        return found
    advice = "; a template's arguments are named in brackets, f[int]" if hasattr(asked, "deduce") else ""
    raise TypeError(
        f"overload() takes a function, a method or a class that a library bound, got {asked!r}{advice}"
    )
