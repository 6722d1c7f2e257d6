"""What value and record classes share: their fields, and constructor arguments turned into bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple

from .. import _native
from ..errors import ArgumentError, Mismatch, arity_error, call_error, plain_error, value_error
from ..layouts import FieldLayout, compute, overlapping
from ..layouts.dialects import find_dialect
from ..types import Array, Enum, Scalar, Struct, Type, unqualified
from ..types.naming import python_names
from .atomics import AtomicField, atomic_number
from .codecs import Resolve, codec, field_codecs
from .conversion import Packed, structs
from .reading import PythonField, is_native


class Ready(NamedTuple):
    """Bytes that need no conversion, as a constructor's only argument: ``cls(Ready(data, pointee_owners))``.

    ``pointee_owners`` maps (offset, size) of bytes with pointers to what keeps their targets alive.
    """

    data: bytes
    pointee_owners: Mapping[tuple[int, int], Any] = MappingProxyType({})


def descriptors(struct: Struct, resolve: Resolve | None) -> dict[str, Any]:
    """A descriptor for each field, by its name in Python."""
    found: dict[str, Any] = {}
    names = field_names(struct)
    for place, written in field_codecs(struct, "cxx", resolve):
        name = names[place.name]
        native = _native.Field(place.name, written, place.offset, place.bit_offset, place.bit_width)
        found[name] = native if is_native(place.type) else _python_field(native, place)
        if (atomic := atomic_number(place.type)) is not None:
            found[name] = AtomicField(found[name], atomic, place.offset, name)
    return found


def _python_field(native: Any, place: FieldLayout) -> PythonField:
    # What only Python writes the core reads all the same, where it is an array: objects of classes are no bytes.
    array = isinstance(unqualified(place.type), Array)
    shown = _native.Field(place.name, codec(place.type), place.offset) if array else None
    return PythonField(native, place.type, place.offset, shown)


def as_converted(ready: Ready) -> bytes | tuple[bytes, Any]:
    """What the native core expects of a whole instance: bytes, with what they point into if there is any."""
    return (ready.data, dict(ready.pointee_owners)) if ready.pointee_owners else ready.data


def build(
    cls: Any,
    struct: Struct,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    defaults: Mapping[str, Packed] | None,
) -> bytes | tuple[bytes, Any]:
    """The bytes of a new instance.

    Parameters
    ----------
    defaults : mapping or None
        Converted default values; a field in neither is missing. None: what is missing is zero.

    Raises
    ------
    ArgumentError, RangeError
        With every field that does not fit.
    """
    name = cls.__name__
    # Only code of ours can make one: nothing is checked again.
    if len(args) == 1 and isinstance(args[0], Ready) and not kwargs:
        return as_converted(args[0])
    if not struct.of_tuples and (args or kwargs):
        unread = vars(cls).get("__samebytes_unread__")
        words = f": {unread}" if unread else ": only C++ can fill one"
        if struct.empty:
            raise plain_error(ArgumentError, name, "has no members: it takes no arguments")
        why = (
            "has no constructor that Python could call"
            if struct.complete
            else "has members that Python does not see"
        )
        raise plain_error(ArgumentError, name, f"{why}{words}")
    given = _bind(name, struct, args, _as_declared(name, struct, kwargs))
    missing = [
        f.name
        for f in struct.fields
        if f.name not in given and defaults is not None and f.name not in defaults
    ]
    if missing:
        raise plain_error(
            ArgumentError, name, f"lacks {', '.join(map(repr, missing))}: {signature(cls, struct)}"
        )
    return as_converted(_pack(cls, struct, given, defaults or {}))


def signature(cls: Any, struct: Struct) -> str:
    """A constructor as messages show it."""
    return f"{cls.__name__}({', '.join(f'{f.name}: {f.type}' for f in struct.fields)})"


def field_names(struct: Struct) -> dict[str, str]:
    """The Python name of each field, by its C++ name."""
    return _names(tuple(f.name for f in struct.fields))


def other_names(struct: Struct) -> dict[str, str]:
    """The Python name of the field that each other name of a field means, by that name in Python."""
    if not struct.other_names:
        return {}
    names = _names(tuple(f.name for f in struct.members))
    return {names[o.name]: names[o.field] for o in struct.other_names}


def with_other_names(struct: Struct, members: dict[str, Any]) -> dict[str, Any]:
    """The descriptors of fields under all names that these have."""
    return members | {name: members[field] for name, field in other_names(struct).items()}


@lru_cache(maxsize=1024)
def _names(names: tuple[str, ...]) -> dict[str, str]:
    return python_names(names)


def _as_declared(name: str, struct: Struct, kwargs: Mapping[str, Any]) -> Mapping[str, Any]:
    if not kwargs:
        return kwargs
    declared = {python: field for field, python in field_names(struct).items()}
    declared |= {other: declared[field] for other, field in other_names(struct).items()}
    given: dict[str, str] = {}
    for key in kwargs:
        field = declared.get(key, key)
        if given.setdefault(field, key) != key:
            raise plain_error(
                ArgumentError, name, f"got {given[field]!r} and {key!r}, which name one field: give one"
            )
    return {field: kwargs[key] for field, key in given.items()}


def _bind(name: str, struct: Struct, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    names = [f.name for f in struct.fields]
    if len(args) > len(names):
        shown = f"{name}({', '.join(f'{f.name}: {f.type}' for f in struct.fields)})"
        raise arity_error(name, [shown], len(args) + len(kwargs))
    given = dict(zip(names, args, strict=False))
    for key in kwargs:
        if key not in names:
            raise plain_error(ArgumentError, name, f"has no field {key!r}; its fields are {', '.join(names)}")
        if key in given:
            raise plain_error(ArgumentError, name, f"got {key!r} twice, by position and by name")
    return given | dict(kwargs)


def _blank(cls: Any, size: int) -> bytearray:
    """The bytes of an object none of whose fields is given: the initial values that C++ declares, or zeros."""
    blank = getattr(cls, "__samebytes_blank__", None)
    if blank is None:
        return bytearray(size)
    made = cls.__samebytes_make__(bytes(size))
    blank(made)
    return bytearray(made)


def _pack(cls: Any, struct: Struct, given: Mapping[str, Any], defaults: Mapping[str, Packed]) -> Ready:
    layout = compute(struct, find_dialect("cxx"))
    _check_shared(cls.__name__, struct, given)
    every = all(f.name in given for f in struct.fields)  # then nothing begins as C++ has it
    data = bytearray(layout.size) if every else _blank(cls, layout.size)
    owners, mismatches = dict[tuple[int, int], Any](), list[Mismatch]()
    for index, place in enumerate(layout.fields):
        if place.name not in given and place.name not in defaults:
            continue
        try:
            packed = (
                structs.convert_field(as_taken(struct, place), given[place.name])
                if place.name in given
                else defaults[place.name]
            )
        except Mismatch as mismatch:
            mismatch.path = mismatch.path.removeprefix(f".{place.name}")
            mismatch.index, mismatch.name = index, place.name
            mismatches.append(mismatch)
            continue
        structs.put_field(data, place, packed.data)
        if packed.owners:
            owners[place.offset, place.size] = packed.owners
    if mismatches:
        raise call_error(cls.__name__, mismatches)
    return Ready(bytes(data), owners)


def _check_shared(name: str, struct: Struct, given: Mapping[str, Any]) -> None:
    """Raise if two of the given fields lie in the same bytes: one would overwrite the other."""
    shared = overlapping(struct, find_dialect("cxx"))
    places = [f for f in compute(struct, find_dialect("cxx")).fields if f.name in shared and f.name in given]
    for one, other in combinations(places, 2):
        if max(one.bits.start, other.bits.start) < min(one.bits.stop, other.bits.stop):
            raise plain_error(
                ArgumentError, name, f"got {one.name!r} and {other.name!r}, which share their bytes: give one"
            )


def changed(instance: Any, struct: Struct, changes: Mapping[str, Any]) -> Ready:
    """The bytes of an instance with some fields replaced; all else, padding included, stays as it is."""
    name = type(instance).__name__
    changes = _as_declared(name, struct, changes)
    _bind(name, struct, (), changes)
    places = {f.name: f for f in compute(struct, find_dialect("cxx")).fields}
    held, owners = structs.snapshot(instance)
    data = bytearray(held)
    for key, value in changes.items():
        try:
            packed = structs.convert_field(as_taken(struct, places[key]), value)
        except Mismatch as mismatch:
            raise value_error(f"{name}.replace():", mismatch) from None
        place = places[key]
        structs.put_field(data, place, packed.data)
        end = place.offset + place.size
        # What the old value pointed into need not live on; what other fields point into must.
        owners = {at: owner for at, owner in owners.items() if not (place.offset <= at[0] and sum(at) <= end)}
        if packed.owners:
            owners[place.offset, place.size] = packed.owners
    return Ready(bytes(data), owners)


def struct_of(cls: Any, name: str) -> Struct:
    """The struct that has a field of a class: that of the class, or what opens its protected ones."""
    struct: Struct = cls.__samebytes_type__
    if any(f.name == name for f in struct.fields):
        return struct
    opened = (vars(c).get("__samebytes_opened__", {}).get(name) for c in cls.__mro__)
    found = next((o for o in opened if o is not None), None)
    return struct if found is None else found.__samebytes_type__


def convert_one(cls: Any, struct: Struct, name: str, value: Any) -> bytes | tuple[bytes, Any]:
    """The bytes for an assignment to one field of a record."""
    place = next(f for f in compute(struct, find_dialect("cxx")).fields if f.name == name)
    try:
        packed = structs.convert_field(as_taken(struct, place), value)
        return (packed.data, packed.owners) if packed.owners else packed.data
    except Mismatch as mismatch:
        mismatch.path = f"{cls.__name__}{mismatch.path}"
        raise value_error("", mismatch) from None


def as_taken(struct: Struct, place: FieldLayout) -> FieldLayout:
    """A field's place with the type by which its values are converted."""
    taken = next((f.taken for f in struct.fields if f.name == place.name), None)
    return place if taken is None else replace(place, type=taken)


def has_counted(struct: Struct) -> bool:
    """Whether a member says how many there are of what a pointer points to."""
    return any(field.counted for field in struct.fields)


def field_repr(type_: Type, value: Any) -> str:
    """A field's value as reprs show it: numbers in the fewest digits that their own format needs."""
    type_ = unqualified(type_)
    if isinstance(type_, Scalar) and type_.kind in ("float", "complex"):
        return str(type_.numpy(value))
    if isinstance(type_, Enum) and hasattr(value, "name"):
        kind = type(value).__name__
        return f"{kind}({int(value)})" if value.name is None else f"{kind}.{value.name}"
    return repr(value)


__all__ = [
    "Packed",
    "Ready",
    "as_converted",
    "build",
    "changed",
    "convert_one",
    "descriptors",
    "field_repr",
    "signature",
    "struct_of",
]
