"""Structs: named fields in order, with offsets only where a C++ compiler has fixed them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field, replace
from operator import is_
from typing import Any, Self

from ..frozen import frozen
from .base import Type, remembered_hash, without_hash
from .naming import BENEATH, split_name

MISSING: Any = type(
    "Missing", (), {"__repr__": lambda self: "<no default>", "__reduce__": lambda self: "MISSING"}
)()


# In :attr:`Struct.refers`: some member may refer to what nobody can tell, as a ``std::function`` and a ``void*`` may.
UNSEEN = "*"

# const at the front where the member is no pointer, behind the last star where it is one.
_CONSTANT = r"(const\b[^*&(]*|.*\*\s*const\b[^*]*)$"


@frozen
class Field:
    """One data member.

    Attributes
    ----------
    name : str
    type : Type
    offset : int or None
        Bytes from the start of the struct where C++ has fixed it; None lets the layout engine decide.
        Of a bit-field: of the storage unit (``sizeof(type)`` bytes) that holds it.
    bit_offset, bit_width : int
        Bits, counted from the least significant bit of the storage unit; width 0 means no bit-field.
    spelling : str
        The C++ type as the header writes it (empty: the dialect spells it).
    default : object
        The value that Python uses when none is given.
    text : bool
        Whether an array of ``char`` is read as the bytes of its text, up to the first NUL.
    taken : Type or None
        The type by which values are converted, where that differs: pointers with adapters (``style="c_api"``).
    counted : str
        The field that says how many there are of what a pointer points to (``counts=``); empty: nothing says it.
    """

    name: str
    type: Type
    offset: int | None = None
    bit_offset: int = 0
    bit_width: int = 0
    spelling: str = field(default="", compare=False)
    default: Any = field(default=MISSING, compare=False, repr=False)
    text: bool = field(default=False, compare=False, repr=False)
    taken: Type | None = field(default=None, compare=False, repr=False)
    counted: str = field(default="", compare=False, repr=False)

    @property
    def constant(self) -> bool:
        """Whether C++ declares the member const, so that it is set once, when the object is made."""
        return re.match(_CONSTANT, self.spelling) is not None


@frozen
class Extent:
    """Size and alignment in bytes that a C++ compiler reported for a whole record."""

    size: int
    align: int


@frozen
class Base:
    """A public base class that a C++ class holds at a fixed place.

    Attributes
    ----------
    name : str
        Qualified.
    offset : int
        Bytes from the start of the derived object.
    virtual : bool
        Whether only an object itself knows where it holds the base; ``offset`` means nothing then.
    """

    name: str
    offset: int
    virtual: bool = False


@frozen
class OtherName:
    """A further name of a field: C++ declares a member of the same type in the same place, in an anonymous union.

    Attributes
    ----------
    name : str
    field : str
        The field's own name.
    spelling : str
        As in :class:`Field`.
    """

    name: str
    field: str
    spelling: str = ""


@frozen
class FlexibleArray:
    """The array without a length that a struct ends in, which C calls a flexible array member (C11 6.7.2.1, 18).

    Attributes
    ----------
    name : str
    element : Type
    offset : int
        Bytes from the start of the struct to the first element.
    spelling : str
        The C++ type of an element, as the header writes it.
    counted : str
        The field that says how many there are (``counts=``); empty: nothing says it.
    alone : bool
        Whether Python sees all other members.
    """

    name: str
    element: Type
    offset: int
    spelling: str = field(default="", compare=False)
    counted: str = field(default="", compare=False, repr=False)
    alone: bool = field(default=True, compare=False, repr=False)


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
    extents : tuple of int
        Of each parameter the elements that its declaration counts, ``double out[16]``; 0: it counts none.
    enumeration : str
        The enumeration that its result refers to as const, which is a value to Python; empty: none.
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
    extents: tuple[int, ...] = ()
    enumeration: str = ""

    @property
    def written(self) -> tuple[str, ...]:
        """The types of its parameters as a declaration that counts their elements writes them."""
        extents = (*self.extents, *[0] * len(self.arguments))
        return tuple(
            f"std::remove_pointer<{argument}>::type [{extent}]" if extent else argument
            for argument, extent in zip(self.arguments, extents, strict=False)
        )

    @property
    def key(self) -> tuple[str, tuple[str, ...], str]:
        """What an overriding function has in common with it."""
        return self.name, self.arguments, self.qualifiers

    def __str__(self) -> str:
        return f"{self.home}::{self.name}()"


@frozen
class Protected:
    """One name of a class that classes derived from it may use, and nobody else.

    Attributes
    ----------
    name : str
        Empty for the constructors.
    data : bool
        Whether it is a member that has a value.
    functions : tuple of Virtual
        Of a name that private functions have, too, those that are protected; and the constructors.
    alone : bool
        Of constructors: whether no public one makes a first object.
    """

    name: str
    data: bool = False
    functions: tuple[Virtual, ...] = ()
    alone: bool = False


@frozen(slots=False)
class Struct(Type):
    """A record of fields.

    Attributes
    ----------
    name : str
        ``Point``, or the qualified C++ name ``ns::Sun``.
    fields : tuple of Field
    align : int or None
        The least alignment asked for, in bytes (``@struct(align=)``).
    fixed : Extent or None
        What C++ reported, for a struct read from a header; every field then has an offset.
    complete : bool
        False if the C++ struct has members that Python does not see (private ones, bases without names …):
        such a struct travels as bytes, and is not built from a tuple.
    assignable : bool
        Whether C++ assigns one object of it to another, for code outside of it.
    aggregate : bool
        Whether C++ makes one of its members in braces (ISO C++ [dcl.init.aggr]): it and its bases declare no
        constructor. Where they do, a tuple of fields would set what only they may, and is refused.
    default_constructible : bool
        Whether C++ makes one without arguments, or in empty braces one of zeros.
    initial : tuple of int, or None
        The bytes of an object that C++ makes without arguments, where no code of C++'s makes one for Python (kernels'
        structs); empty: zeros. None: only C++'s code knows them, so that each field has to be given.
    empty : bool
        Whether C++ has no members in it either: its one byte is padding, and only its constructor makes one.
    union : bool
        Whether it was declared as a union: all fields begin at byte 0.
    spelling : str
        How C++ names it, ``struct tm``.
    bases : tuple of Base
        The direct public bases, as far as they are bound and each is there once.
    hidden : tuple of str
        The names of bases that the class itself declares, or that several bases have: only the class's own is meant.
        Operators that are not public are among them, too.
    found : tuple of (str, str)
        Names of bases and the base that C++ finds each in, where Python's order of bases need not find it.
    twice : tuple of str
        The bases that an object has several times: C++ takes it for none of these.
    friends : tuple of str
        The operators that class templates in its line define as friends: C++ finds them by its objects.
    other_names : tuple of OtherName
        Those of the fields.
    flexible : FlexibleArray or None
        The array without a length in which it ends: then it is not ``complete``.
    wide : tuple of str
        The numbers inside that no Python format has, ``long double``: a dialect may lay them out in its own way.
    range : bool
        Whether C++ iterates it: it has ``begin`` and ``end``.
    final : bool
        Whether C++ declares it so: no class derives from it.
    refers : tuple of str
        The classes to which its members refer by pointers and references, private ones too, and :data:`UNSEEN`.
    protected : tuple of Protected
        What it declares for classes derived from it alone.
    copied_by_template : bool
        Whether a template of its constructors may copy objects that are not const, as one of ``T&&``.
    python : type or None
        The class whose instances hold such bytes.
    """

    name: str
    fields: tuple[Field, ...]
    align: int | None = None
    fixed: Extent | None = None
    complete: bool = True
    assignable: bool = field(default=True, compare=False, repr=False)
    aggregate: bool = field(default=True, compare=False, repr=False)
    default_constructible: bool = field(default=True, compare=False, repr=False)
    initial: tuple[int, ...] | None = field(default=(), compare=False, repr=False)
    empty: bool = field(default=False, compare=False, repr=False)
    union: bool = False
    spelling: str = field(default="", compare=False)
    bases: tuple[Base, ...] = field(default=(), compare=False, repr=False)
    hidden: tuple[str, ...] = field(default=(), compare=False, repr=False)
    found: tuple[tuple[str, str], ...] = field(default=(), compare=False, repr=False)
    twice: tuple[str, ...] = field(default=(), compare=False, repr=False)
    friends: tuple[str, ...] = field(default=(), compare=False, repr=False)
    doc: str = field(default="", compare=False, repr=False)
    other_names: tuple[OtherName, ...] = field(default=(), compare=False, repr=False)
    flexible: FlexibleArray | None = field(default=None, repr=False)
    wide: tuple[str, ...] = field(default=(), repr=False)
    range: bool = field(default=False, compare=False, repr=False)
    final: bool = field(default=False, compare=False, repr=False)
    refers: tuple[str, ...] = field(default=(), compare=False, repr=False)
    protected: tuple[Protected, ...] = field(default=(), compare=False, repr=False)
    copied_by_template: bool = field(default=False, compare=False, repr=False)
    python: type | None = field(default=None, compare=False, repr=False)

    __hash__ = remembered_hash
    __getstate__ = without_hash

    @property
    def short_name(self) -> str:
        """The name without its namespaces; of a class that overrides for Python's that of C++'s."""
        return split_name(self.name)[-1].partition(BENEATH)[0]

    @property
    def of_tuples(self) -> bool:
        """Whether a tuple of its fields is one."""
        return self.complete and self.aggregate

    @property
    def begins_as_zeros(self) -> bool:
        """Whether all bytes of an object are zero that is given no fields."""
        declared = any(f.default is not MISSING for f in self.fields)
        return self.default_constructible and self.initial == () and not declared

    @property
    def parts(self) -> tuple[Type, ...]:
        own = tuple(f.type for f in self.fields)
        return own if self.flexible is None else (*own, self.flexible.element)

    def with_parts(self, change: Callable[[Type], Type]) -> Self:
        """The record of fields of changed types."""
        new = tuple(map(change, self.parts))
        if all(map(is_, self.parts, new)):
            return self
        fields = (replace(f, type=type_) for f, type_ in zip(self.fields, new, strict=False))
        flexible = self.flexible and replace(self.flexible, element=new[-1])
        return replace(self, fields=tuple(fields), flexible=flexible)

    @property
    def members(self) -> tuple[Field, ...]:
        """The fields, each followed by itself under its other names."""
        found = []
        for own in self.fields:
            others = [o for o in self.other_names if o.field == own.name]
            found += [own, *(replace(own, name=o.name, spelling=o.spelling) for o in others)]
        return tuple(found)

    def __str__(self) -> str:
        return self.name


@frozen
class Shape:
    """What a class of C++'s is made of, private members too, by which it is told from others of its name.

    Attributes
    ----------
    name : str
        What it is bound as, else the compiler's spelling.
    facts : tuple of (str, str)
        What is compared, in order: ``("its x", "int at byte 0")``.
    reaches : tuple of str
        The classes and enumerations that its members and bases have or point to.
    """

    name: str
    facts: tuple[tuple[str, str], ...]
    reaches: tuple[str, ...] = ()
