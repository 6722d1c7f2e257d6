"""The fields of an instance all at once: their values, what equality looks at, and how a repr shows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import _native
from ..layouts import FieldLayout, compute, overlapping, walk
from ..layouts.dialects import find_dialect
from ..types import CArray, Field, Pointer, Struct, Type, unqualified
from .building import field_names, field_repr, other_names
from .peeking import text_shown
from .reading import piece
from .record_type import has_own
from .texts import Measured


def descriptor(cls: type, name: str) -> Any:
    """A field's descriptor, also where a subclass hides it."""
    return next(base.__dict__[name] for base in cls.__mro__ if name in base.__dict__)


def shared_fields(struct: Struct) -> frozenset[str]:
    """The fields that share bytes with others: nothing says which of them is valid."""
    return overlapping(struct, find_dialect("cxx"))


def field_values(instance: Any) -> tuple[Any, ...]:
    """The fields' values in order; of text that shares its bytes with others, and of what is counted, the address."""
    struct: Struct = instance.__samebytes_type__
    shared = shared_fields(struct)
    names = field_names(struct)
    return tuple(
        _address(instance, f.name)
        if f.counted or (f.name in shared and _is_text(f.type))
        else _get(instance, names[f.name])
        for f in struct.fields
    )


def iterated_fields(instance: Any) -> Iterator[Any]:
    """The fields' values in order, unless C++ says what the object is made of otherwise.

    Raises
    ------
    TypeError
        If the object has ``begin`` and ``end``, or ``operator[]``.
    """
    cls, struct = type(instance), instance.__samebytes_type__
    subscripted = has_own(cls, "__getitem__") and not isinstance(instance, _native.Value)
    if struct.range or subscripted:
        has = (
            "begin() and end(), and Python does not call these"
            if struct.range
            else "operator[], which has no end"
        )
        raise TypeError(
            f"{cls.__name__!r} object is not iterable: in C++ it has {has}; .keys() names its fields"
        )
    return iter(field_values(instance))


def has_compared_fields(struct: Struct) -> bool:
    """Whether objects are equal where their fields are: Python sees all of them, and each has a value to compare.

    Else nothing but C++'s ``operator==`` says what is equal: members that Python does not see may differ, and of those
    that share their bytes nothing says which is valid.
    """
    # Each class once: two of each inside the next are as many leaves as two to the power of the depth.
    waiting, seen = [struct], {(struct, struct.python)}
    while waiting:
        whole = waiting.pop()
        if not (whole.complete or whole.empty) or whole.union or shared_fields(whole):
            return False
        for part in map(_element, whole.fields):
            if isinstance(part, Struct) and (part, part.python) not in seen and not _compares_itself(part):
                seen.add((part, part.python))
                waiting.append(part)
    return True


def _element(field: Field) -> Type:
    type_ = unqualified(field.type)
    while isinstance(type_, CArray):
        type_ = unqualified(type_.element)
    return type_


def _compares_itself(struct: Struct) -> bool:
    return struct.python is not None and has_own(struct.python, "__eq__")


def field_text(instance: Any) -> str:
    """``Point(x=1, y=2.0)``; three dots where C++ has more than Python sees: ``Date(…)``."""
    struct: Struct = instance.__samebytes_type__
    shared = shared_fields(struct)
    names = field_names(struct)

    def text(f: Field) -> str:
        if _has_text(f.type):
            return f"<{f.type}>" if f.name in shared else _texts(instance, f, names[f.name])
        return field_repr(f.type, _address(instance, f.name) if f.counted else _get(instance, names[f.name]))

    parts = [f"{f.name}={text(f)}" for f in struct.fields]
    if not (struct.complete or struct.empty):
        parts.append("…")
    return f"{type(instance).__name__}({', '.join(parts)})"


def _texts(instance: Any, field: Field, name: str) -> str:
    """Texts as a repr shows them: a record that a library gave may be gone, and its texts with it."""
    type_ = unqualified(field.type)
    if isinstance(type_, CArray) and _is_text(type_.element):
        places = np.frombuffer(_bytes(instance, field.name), np.uintp)
        unit = unqualified(type_.element).unit  # type: ignore[attr-defined]
        return f"({', '.join(text_shown(place, unit=unit) for place in places.tolist())})"
    if not _is_text(type_):
        return field_repr(field.type, _get(instance, name))
    found = descriptor(type(instance), name)
    size = found.size(instance) if isinstance(found, Measured) else None
    return text_shown(int.from_bytes(_bytes(instance, field.name), "little"), size, type_.unit)  # type: ignore[attr-defined]


def _get(instance: Any, name: str) -> Any:
    return descriptor(type(instance), name).__get__(instance)


def _place(struct: Struct, name: str) -> FieldLayout:
    return next(f for f in compute(struct, find_dialect("cxx")).fields if f.name == name)


def _bytes(instance: Any, name: str) -> bytes:
    place = _place(instance.__samebytes_type__, name)
    return piece(instance, place.offset, place.touched if place.bit_width else place.size)


def _address(instance: Any, name: str) -> _native.Pointer:
    return _native.Pointer(int.from_bytes(_bytes(instance, name), "little"), instance)


def _is_text(type_: Any) -> bool:
    bare = unqualified(type_)
    return isinstance(bare, Pointer) and bare.is_text


def _has_text(type_: Any) -> bool:
    """Whether showing such a value would follow a pointer to text, which may point nowhere."""
    return any(_is_text(part) for part in walk(type_))


def has_field(record: Any, name: object) -> bool:
    """Whether ``record[name]`` is a field."""
    try:
        return isinstance(name, str) and known_name(record, name) != ""
    except (KeyError, TypeError):
        return False


def known_name(record: Any, name: object) -> str:
    """The Python name of a field that is given by name, or by its place."""
    names = field_names(type(record).__samebytes_type__)
    if not names:
        raise TypeError(f"{type(record).__name__!r} object is not subscriptable: Python sees no field of it")
    if isinstance(name, int):
        for becomes in getattr(type(record), "__samebytes_becomes__", ()):
            if isinstance(unqualified(becomes.result), Pointer):  # C++ takes what that points to for [i]
                words = f"in C++ [{name}] is of what {becomes.text} gives; fields are attributes"
                raise TypeError(f"{type(record).__name__!r} object has no [{name}] by its fields: {words}")
        if not 0 <= name < len(names):
            raise IndexError(
                f"{type(record).__name__} has {len(names)} fields, counted from 0: there is no [{name}]"
            )
        return [*names.values()][name]
    for declared, python in names.items():
        if name in (declared, python):
            return python
    if name in (others := other_names(type(record).__samebytes_type__)):
        return others[name]
    raise KeyError(f"{type(record).__name__} has no field {name!r}; its fields are {', '.join(names)}")
