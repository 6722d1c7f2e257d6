"""From a type and a dialect to the compiled codec that reads and writes such values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from .. import _native
from ..frozen import frozen
from ..layouts import FieldLayout, compute, in_device_memory, moves, walk
from ..layouts.dialects import Dialect, find_dialect
from ..types import (
    CHAR,
    SCALARS,
    VOID,
    Aligned,
    Array,
    ArrayRule,
    Atomic,
    ByKind,
    CArray,
    Choice,
    Const,
    Container,
    Converted,
    Enum,
    Function,
    Handle,
    Held,
    Maybe,
    Mdspan,
    Named,
    Pointer,
    Product,
    Scalar,
    Span,
    Struct,
    Target,
    Tuple,
    Type,
    Vector,
    Void,
    unqualified,
)
from . import wires

# Finds the Python class for a struct, an enumeration or a record known by name; None where there is none.
Resolve = Callable[[Any], type | None]


# Makes the class of a vector type. Such a class has a codec itself, so that its file looks at this one, which therefore
# is told.
_vector_class: list[Callable[[Vector], type]] = []


def read_vectors_as(make: Callable[[Vector], type]) -> None:
    """Say which objects vectors are read as."""
    _vector_class[:] = [make]


# Makes the view of what a descriptor describes: views are of a later room.
_view_of: list[Callable[[Array, bytes, Any], Any]] = []


def read_descriptors_as(make: Callable[[Array, bytes, Any], Any]) -> None:
    """Say what a descriptor that C++ made is read as: ``make(type, its bytes, what keeps the elements alive)``."""
    _view_of[:] = [make]


# The file of the room of calls that knows where arrays lie: call/addresses/device_pointers.py.
WHERE: list[Any] = []

# Loads what the core asks of Python where it reads arrays and addresses, which is of a later room, too.
_before_addresses: list[Callable[[], object]] = []
_ALONE = frozenset({*SCALARS, "enum"})  # kinds of which it is never asked


def before_addresses(load: Callable[[], object]) -> None:
    """Say what is to be called once before the core has the first codec of anything but numbers."""
    _before_addresses[:] = [load]


def _described(type_: Array, data: bytes, owner: Any) -> Any:
    return _view_of[0](type_, data, owner)


@frozen
class _Context:
    dialect: Dialect
    resolve: Resolve | None

    def python(self, type_: Struct | Enum | Named | Function) -> type | None:
        found = self.resolve(type_) if self.resolve else None
        return found or getattr(type_, "python", None)

    def codec(self, type_: Type) -> _native.Codec:
        return _BUILDERS[type(type_)](type_, self)


@frozen
class _Values(_Context):
    """Where a struct is a tuple alone: of a record C++ would get a copy, and change that."""

    def python(self, type_: Struct | Enum | Named | Function) -> type | None:
        return None if isinstance(type_, Struct) else getattr(type_, "python", None)


def codec(type_: Type, dialect: str = "cxx", resolve: Resolve | None = None) -> _native.Codec:
    """The codec of a type.

    Parameters
    ----------
    type_ : Type
    dialect : str
        Whose layout the bytes have.
    resolve : callable, optional
        ``resolve(Struct | Enum | Named) -> type or None``: the classes that a library made for its own
        records; without it, or where it gives None, ``type.python`` counts. A struct without a class is
        read as a tuple.

    Raises
    ------
    LayoutError
        If the type has no layout in that dialect.
    """
    if resolve is None and not any(
        isinstance(part, Struct | Enum | Function | Named) for part in walk(type_)
    ):
        return _shared(type_, dialect)
    return _Context(find_dialect(dialect), resolve).codec(type_)


def place_codec(type_: Pointer, dialect: str = "cxx") -> _native.Codec:
    """The codec of the address of exactly one object that C++ may change, which a reference names."""
    context = _Context(find_dialect(dialect), None)
    target = type_.target
    count = target.count if isinstance(target, CArray) else 1
    unit = unqualified(target.element if isinstance(target, CArray) else target)
    python = context.python(target) if isinstance(target, Struct | Named) else None
    element = None if isinstance(unit, Void | Named) else context.codec(unit)
    return _make(
        "pointer",
        type_,
        context,
        element=element,
        python=python,
        count=count,
        nullable=False,
        levels=type_.levels,
        **_array_facts(unit),
    )


def values_codec(type_: Type, dialect: str = "cxx") -> _native.Codec:
    """The codec of what C++ may write to, for plain values alone: it takes no lists, no arrays and no records."""
    context = _Values(find_dialect(dialect), None)
    if isinstance(type_, CArray):
        return _carray(type_, context, lists=False)
    if isinstance(type_, Target | Maybe | Product | Choice):
        return _wire(type_, context, partial(values_codec, dialect=dialect))
    if (
        isinstance(type_, Container) and type_.numbers is not None
    ):  # without a dtype the core leaves arrays to Python
        return _make(
            "array",
            Array(type_.numbers, 1),
            context,
            element=context.codec(type_.numbers),
            ndim=1,
            const=True,
        )
    return context.codec(type_)


@lru_cache(maxsize=4096)
def _shared(type_: Type, dialect: str) -> _native.Codec:
    return _Context(find_dialect(dialect), None).codec(type_)


def struct_codec(
    struct: Struct, python: type | None, dialect: str = "cxx", resolve: Resolve | None = None
) -> _native.Codec:
    """The codec of a struct whose instances are of a class that is just being made."""
    return _struct(struct, python, _Context(find_dialect(dialect), resolve))


def field_codecs(
    struct: Struct, dialect: str = "cxx", resolve: Resolve | None = None
) -> tuple[tuple[FieldLayout, _native.Codec], ...]:
    """Each field's place and codec."""
    context = _Context(find_dialect(dialect), resolve)
    return tuple((f, _member(f.type, context)) for f in compute(struct, context.dialect).fields)


def _make(kind: str, type_: Type, context: _Context, **rest: Any) -> _native.Codec:
    if _before_addresses and kind not in _ALONE:
        for load in tuple(_before_addresses):
            load()
        _before_addresses.clear()
    layout = compute(type_, context.dialect)
    return _native.Codec(kind, size=layout.size, align=layout.align, type=type_, **rest)


def _number(type_: Scalar, context: _Context) -> _native.Codec:
    kind = "int8" if type_.name == "char" else type_.name
    return _make(kind, type_, context, scalar=type_.numpy)


def _enum(type_: Enum, context: _Context) -> _native.Codec:
    python = context.python(type_)
    shared: dict[str, _native.Codec] = vars(python).get("__samebytes_codecs__", {}) if python else {}
    if (known := shared.get(context.dialect.name)) is not None:
        return known
    made = _make("enum", type_, context, element=context.codec(type_.underlying), python=python)
    return shared.setdefault(context.dialect.name, made)


def view_codec(type_: Struct, *, const: bool, dialect: str = "cxx") -> _native.Codec:
    """The codec of the address of a record or a handle, read as a view of it."""
    element = _Context(find_dialect(dialect), None).codec(type_)
    return _native.Codec("view", size=8, align=8, type=Pointer(type_), element=element, const=const)


def is_record(type_: Struct) -> bool:
    """Whether Python has objects of a class that are its bytes, and may be changed."""
    return issubclass(type_.python or object, _native.Record)


def const_codec(type_: Struct, dialect: str = "cxx") -> _native.Codec:
    """The codec of a record that C++ gives as const: what is read is a copy that refuses to be changed."""
    context = _Context(find_dialect(dialect), None)
    return _struct(type_, context.python(type_), context, const=True)


def shown_codec(type_: Type, show: Callable[[Any], Any]) -> _native.Codec:
    """The codec of a value that ``show`` is given when it is read; of Held what is held."""
    context = _Context(find_dialect("cxx"), None)

    def inner(part: Type) -> _native.Codec:
        return _make("read", part, context, element=context.codec(part), reader=show)

    return _wire(type_, context, inner) if isinstance(type_, Held) else inner(type_)


def handle_codec(type_: Handle, python: type) -> tuple[Handle, _native.Codec]:
    """The description and the codec of a handle whose class is just being made."""
    made = replace(type_, python=python)
    return made, _make("handle", made, _Context(find_dialect("cxx"), None), python=python)


def _handle(type_: Handle, context: _Context) -> _native.Codec:
    python = context.python(type_)
    own = getattr(python, "__samebytes_codec__", None)
    return own or _make("handle", type_, context, python=python)


def _named_struct(type_: Struct, context: _Context) -> _native.Codec:
    if context.dialect.name != "cxx" and in_device_memory(type_):
        return _opaque(type_, context)  # where its addresses lead is looked at in each call
    python = context.python(type_)
    own = getattr(python, "__samebytes_codec__", None)
    if own is not None and context.dialect.name == "cxx":
        made: _native.Codec = own
        return made
    return _struct(type_, python, context)


def _struct(type_: Struct, python: type | None, context: _Context, *, const: bool = False) -> _native.Codec:
    if python is not None and moves(type_, find_dialect("cxx"), context.dialect) is not None:
        python = None  # its objects have cxx's layout: they must be repacked, not copied
    fields = [
        (f.name, f.offset, _member(f.type, context), f.bit_offset, f.bit_width)
        for f in compute(type_, context.dialect).fields
    ]
    # Of an incomplete struct only whole objects can cross.
    return _make(
        "struct", type_, context, python=python, fields=tuple(fields), tuples=type_.of_tuples, const=const
    )


def _vector(type_: Vector, context: _Context) -> _native.Codec:
    return _struct_of_vector(type_, _vector_class[0](type_), context)


def _struct_of_vector(type_: Vector, python: type, context: _Context) -> _native.Codec:
    own: _native.Codec | None = python.__dict__.get("__samebytes_codec__")
    if own is not None and moves(type_, find_dialect("cxx"), context.dialect) is None:
        return own
    fields = tuple(
        (f.name, f.offset, context.codec(f.type), 0, 0) for f in compute(type_, context.dialect).fields
    )
    python_here = python if own is None else None
    return _make("struct", type_, context, python=python_here, fields=fields, dl=type_.element.dlpack)


def vector_codec(type_: Vector, python: type) -> _native.Codec:
    """The codec of a vector class that is just being made."""
    return _struct_of_vector(type_, python, _Context(find_dialect("cxx"), None))


def _carray(type_: CArray, context: _Context, **outer: bool) -> _native.Codec:
    element, inner = type_.element, _member(type_.element, context)
    for extent in reversed(type_.shape):
        element = CArray(element, (extent,))
        inner = _make("carray", element, context, element=inner, count=extent, **outer)
    return inner


def _array_facts(type_: Type) -> dict[str, Any]:
    return {"dtype": type_.dtype, "dl": type_.dlpack} if isinstance(type_, Scalar) else {}


_WIDE = 4  # bytes of a character of which some numbers are no codes


def _pointer(type_: Pointer, context: _Context) -> _native.Codec:
    if type_.memory:  # what lies in a device's memory is looked at by Python
        return _opaque(type_, context)
    if type_.is_text and not type_.least and not type_.measured:
        reader = partial(wires.refuse_codes, str(type_)) if type_.unit == _WIDE else None
        return _make("string", type_, context, count=type_.unit, nullable=not type_.nonnull, reader=reader)
    target = type_.target
    python = context.python(target) if isinstance(target, Struct | Named | Function) else None
    python = type_.row or python
    element = None if isinstance(target, Void | Named | Function) else context.codec(target)
    # Text is made as long as an array of it is declared, and lists are counted: by Python. The core counts elements.
    facts = {} if type_.is_string else _array_facts(target)
    rule = ArrayRule.of(type_)
    count = rule.least * rule.row
    items = None if type_.least else _ITEMS.get(type_.adapter)
    return _make(
        "pointer", type_, context, element=element, python=python, const=rule.const, adapts=bool(type_.adapter),
        items=context.codec(items) if items else None, anything=isinstance(target, Void),
        launch=_LAUNCHES.get(type_.adapter, 0), count=count, least=bool(rule.least),
        nullable=not type_.nonnull, levels=type_.levels, **facts,
    )  # fmt: skip


# The lists of a kernel's arguments.
_LAUNCHES = {"KernelParams": _native.LAUNCH_PARAMS, "LaunchExtra": _native.LAUNCH_EXTRA}
# What a list is an array of, by the adapter that takes it (HIP Python, "List Types").
_ITEMS: dict[str, Type] = {
    "ListOfBytes": Pointer(Const(CHAR)),
    "ListOfPointer": Pointer(VOID),
    "ListOfInt": SCALARS["int32"],
    "ListOfUnsigned": SCALARS["uint32"],
    "ListOfLong": SCALARS["int64"],
    "ListOfUnsignedLong": SCALARS["uint64"],
    "ListOfInt64": SCALARS["int64"],
    "ListOfUInt64": SCALARS["uint64"],
}


def _array(type_: Array, context: _Context) -> _native.Codec:
    if type_.memory:
        return _opaque(type_, context)
    return _described_array(type_, context, described=True, reader=partial(_described, type_))


def _described_array(type_: Array, context: _Context, **more: Any) -> _native.Codec:
    rule = ArrayRule.of(type_)
    # Extents that C++ fixes are Python's to check: without a dtype the core leaves every array to it.
    facts = {} if rule.is_fixed else _array_facts(rule.element)
    element = context.codec(rule.element)
    return _make(
        "array", type_, context, element=element, ndim=rule.ndim, const=rule.const, order=rule.order, **facts,
        **more,
    )  # fmt: skip


def _span(type_: Span, context: _Context) -> _native.Codec:
    if type_.memory:
        return _opaque(type_, context)
    return _described_array(type_, context)


def _opaque(type_: Type, context: _Context) -> _native.Codec:
    """For what only Python converts and reads: all that the core sees is whether there are pointers inside."""
    inside = any(isinstance(t, Pointer | Array) for t in walk(type_))
    fields = (("", 0, _native.Codec("pointer", size=8, align=8, type=None), 0, 0),) if inside else ()
    return _make("struct", type_, context, fields=fields, tuples=False)


def _member(type_: Type, context: _Context) -> _native.Codec:
    # An array that is an argument is a descriptor that the core writes; inside a value it is Python's to keep.
    return _opaque(type_, context) if isinstance(unqualified(type_), Array) else context.codec(type_)


def _wire(type_: Type, context: _Context, inner: wires.Inner | None = None) -> _native.Codec:
    def make(kind: str, own: Type, **rest: Any) -> _native.Codec:
        return _make(kind, own, context, **rest)

    return wires.BUILDERS[type(type_)](type_, inner or context.codec, make)


_BUILDERS: ByKind[Callable[[Any, _Context], _native.Codec]] = ByKind(
    "values: the core's reader and writer of a type",
    {
        Scalar: _number,
        Void: _opaque,
        Aligned: _opaque,
        Atomic: lambda type_, context: context.codec(type_.type),
        Tuple: lambda type_, context: _struct(type_, None, context),
        Mdspan: lambda type_, context: _struct(type_, None, context),
        Enum: _enum,
        Struct: _named_struct,
        Handle: _handle,
        Vector: _vector,
        CArray: _carray,
        Pointer: _pointer,
        Array: _array,
        Span: _span,
        Const: lambda type_, context: context.codec(type_.type),
        **dict.fromkeys(wires.BUILDERS, _wire),
    },
    without={
        "it is the root of others": (Converted,),
        "only a pointer to it is a value": (
            Function,
            Named,
        ),
    },
)

# NumPy's classes of integers, which the core reads by itself.
for _type in {np.dtype(code).type for code in "bhilqBHILQ"}:
    _number_type = np.dtype(_type)
    _native.set_integer(
        _type, codec(SCALARS[f"{'u' * (_number_type.kind == 'u')}int{8 * _number_type.itemsize}"])
    )
