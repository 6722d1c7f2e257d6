"""Handles: C++ objects that are no bytes, because C++ code runs when they are made, copied and destroyed."""

from __future__ import annotations

from dataclasses import field

from ..frozen import frozen
from .struct import Struct, Virtual

# The classes by which a shim sorts what it catches, in their order: the codes of its error record from 1 on.
SORTS_OF_EXCEPTIONS = (
    "std::invalid_argument", "std::out_of_range", "std::bad_alloc", "std::overflow_error", "std::exception"
)  # fmt: skip


@frozen(slots=False)
class Handle(Struct):
    """A class that is not trivially copyable. It travels by address; only C++ makes, copies and destroys one.

    Attributes
    ----------
    copyable : bool
        Whether C++ can copy one, as a parameter by value does.
    copies_mutable : bool
        Whether a constructor of its own, ``T(T&)`` or a template that takes all, copies objects that are not const.
    destructible : bool
        Whether C++ code outside the class can destroy one; else Python sees only objects that C++ owns.
    abstract : bool
        Whether C++ makes objects of derived classes only.
    virtual : bool
        Whether C++ can destroy an object of a derived class as one of this.
    polymorphic : bool
        Whether an object knows of which class it is.
    virtuals : tuple of Virtual
        Its virtual functions, its bases' too.
    exception : str
        Which of :data:`SORTS_OF_EXCEPTIONS` an exception of this class is; empty: none of them.
    """

    copyable: bool = field(default=False, compare=False)
    copies_mutable: bool = field(default=False, compare=False, repr=False)
    destructible: bool = field(default=False, compare=False)
    abstract: bool = field(default=False, compare=False)
    virtual: bool = field(default=False, compare=False)
    polymorphic: bool = field(default=False, compare=False)
    virtuals: tuple[Virtual, ...] = field(default=(), compare=False, repr=False)
    exception: str = field(default="", compare=False)
