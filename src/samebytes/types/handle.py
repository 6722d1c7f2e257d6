"""Handles: C++ objects that are no bytes, because C++ code runs when they are made, copied and destroyed."""

from __future__ import annotations

from dataclasses import field

from ..frozen import frozen
from .struct import Struct

# The classes by which a shim sorts what it catches, in their order: the codes of its error record from 1 on.
SORTS_OF_EXCEPTIONS = (
    "std::invalid_argument", "std::out_of_range", "std::bad_alloc", "std::overflow_error", "std::exception"
)  # fmt: skip


@frozen
class Virtual:
    """One virtual function of a class, as the last class that declares it does.

    Attributes
    ----------
    name : str
    home : str
        The class that declares it, as C++ spells it.
    result : str
        The exact spelling of its result.
    arguments : tuple of str
        Those of its parameters.
    names : tuple of str
        The names of its parameters; empty where one has none.
    qualifiers : str
        What stands behind them: ``const &``.
    noexcept : bool
    access : int
        1 public, 2 protected, 3 private.
    pure : bool
    final : bool
        Whether no class may override it.
    barred : str
        Why no class of Python's overrides it; empty where one may.
    method : str
        The name of Python's methods that override it; empty where Python has none.
    defaults : int
        How many of its parameters, the last ones, have default arguments.
    """

    name: str
    home: str
    result: str = ""
    arguments: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    qualifiers: str = ""
    noexcept: bool = False
    access: int = 1
    pure: bool = False
    final: bool = False
    barred: str = ""
    method: str = ""
    defaults: int = 0

    @property
    def key(self) -> tuple[str, tuple[str, ...], str]:
        """What an overriding function has in common with it."""
        return self.name, self.arguments, self.qualifiers

    def __str__(self) -> str:
        return f"{self.home}::{self.name}()"


@frozen(slots=False)
class Handle(Struct):
    """A class that is not trivially copyable. It travels by address; only C++ makes, copies and destroys one.

    Attributes
    ----------
    copyable : bool
        Whether C++ can copy one, as a parameter by value does.
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
    destructible: bool = field(default=False, compare=False)
    abstract: bool = field(default=False, compare=False)
    virtual: bool = field(default=False, compare=False)
    polymorphic: bool = field(default=False, compare=False)
    virtuals: tuple[Virtual, ...] = field(default=(), compare=False, repr=False)
    exception: str = field(default="", compare=False)
