"""Structs and vectors: from objects that hold such bytes, NumPy records, or sequences of their fields."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from ... import _native
from ...errors import ArgumentError, ArrayError, Mismatch, RangeError, base_twice, value_words
from ...layouts import FieldLayout, compute, overlapping, repack
from ...layouts.dialects import find_dialect
from ...layouts.differences import difference
from ...layouts.namesakes import class_difference
from ...types import Enum, Named, Scalar, Struct, Type, Vector, unqualified
from ..codecs import codec
from . import memory
from .base import Packed, at, convert
from .structured import layout_words


def base_offset(type_: Struct | Named, value: Any) -> int | None:
    """Where the object of a class lies in an object: at 0 in its own, else in one of a derived class; None: nowhere.

    An object of another library's class of that name is one only if the two are the same.
    """
    described = getattr(type(value), "__samebytes_type__", None)
    if not isinstance(described, Struct) or is_destroyed(value) or namesake_difference(type_, type(value)):
        return None
    return part_offset(type_.name, value)


def part_offset(name: str, value: Any) -> int | None:
    """The same of a class that is known by its name to be of the object's own library."""
    if type(value).__samebytes_type__.name == name:
        return 0
    found: int | None = getattr(type(value), "__samebytes_bases__", {}).get(name)
    if found is None and (upcast := getattr(type(value), "__samebytes_virtual__", {}).get(name)):
        address = address_of(value)
        return upcast(address) - address if address else None
    return found


def namesake_difference(type_: Struct | Named, cls: Any) -> str:
    """How a class, or its base, that has the name of one differs from it; empty of any other class."""
    meant: Any = type_
    if isinstance(type_, Named):
        meant = type_.home.struct(type_.name) if type_.home is not None else None
    if not isinstance(meant, Struct):
        return ""
    own = _namesake(meant.name, cls)
    if own is None:
        return ""
    if (found := memory.beyond_host(own, meant)) or meant.python in cls.__mro__:
        return found
    if _are_of_cxx(meant, own):
        return class_difference(meant, own)
    return difference(meant, own, find_dialect("cxx"))


def namesake_advice(type_: Struct | Named, value: Any) -> str:
    """What to say of an object whose class has the expected name and is another one; empty of any other object."""
    return class_advice(type_, type(value))


def class_advice(type_: Struct | Named, cls: Any) -> str:
    """The same of the class of an object, and of one that has the base several times."""
    described = getattr(cls, "__samebytes_type__", None)
    if not isinstance(described, Struct):
        return ""
    if type_.name in described.twice:
        return base_twice(described.short_name, type_.name)
    if not (found := namesake_difference(type_, cls)):
        return ""
    if memory.beyond_host(described, type_):
        return found[0].upper() + found[1:]
    what = "class" if described.name == type_.name else "base"
    return f"Its {what} is named {type_.name}, too, but it is another library's: {found}"


def _namesake(name: str, cls: Any) -> Struct | None:
    """The class of a name that an object's class is, or derives from."""
    open_ = [cls]
    while open_:
        one = open_.pop()
        described = getattr(one, "__samebytes_type__", None)
        if isinstance(described, Struct) and described.name == name:
            return described
        open_ += getattr(one, "__samebytes_direct__", {}).values()
    return None


def teach_base(taught: _native.Codec, name: str, value: Any, offset: int) -> None:
    """Let a codec find the base that objects of a class hold: where this one does, or where each says it by itself."""
    cls = type(value)
    virtual = getattr(cls, "__samebytes_virtual__", {}).get(name)
    if virtual is None or name in cls.__samebytes_bases__:
        taught.accept(cls, offset)
    else:
        taught.accept(cls, virtual.offset, virtual.shim)


def is_destroyed(value: Any) -> bool:
    """Whether a C++ object died before its handle, which a finalizer still has: in a cycle of references."""
    return isinstance(value, _native.Handle) and value.__samebytes_destroyed__


def _base_of(type_: Struct, value: Any, offset: int, dialect: str) -> Packed:
    """The base that an object of a derived class holds."""
    size = compute(type_, find_dialect("cxx")).size
    # A copy of that part alone, as C++ makes one. The object stays: pointers in the copy may lead into it.
    data = ctypes.string_at(address_of(value) + offset, size)
    memory.check_object(type_, data, snapshot(value)[1].values())
    teach_base(codec(type_, dialect), type_.name, value, offset)
    return Packed(repack(data, type_, find_dialect("cxx"), find_dialect(dialect)), (value,))


def _are_of_cxx(*types: Struct) -> bool:
    """Whether C++ declares them all, and not Python."""
    return all(type_.spelling for type_ in types)


def _same_object(type_: Struct | Vector, value: Any, dialect: str) -> Packed:
    """An instance of any class with the same fields; checked once for each class."""
    described = type(value).__samebytes_type__
    if isinstance(type_, Struct) and isinstance(value, _native.Record):
        offset = base_offset(type_, value)
        if offset is not None and described.name != type_.name:
            return _base_of(type_, value, offset, dialect)
        if _are_of_cxx(type_, described) and offset is None:
            # What lies alike is not alike: C++ converts one class to another by its own rules, or not at all.
            advice = namesake_advice(type_, value)
            raise Mismatch(ArgumentError, _struct_words(type_), value_words(value), advice)
    cxx = find_dialect("cxx")
    if found := memory.beyond_host(described, type_):
        advice = found[0].upper() + found[1:]
        raise Mismatch(ArrayError, _struct_words(type_), value_words(value), advice)
    if described != type_ and (found := difference(type_, described, cxx)):
        raise Mismatch(
            ArgumentError, _struct_words(type_), value_words(value), f"Its layout differs: {found}"
        )
    table = find_dialect(dialect)
    native = codec(type_, dialect)
    # Bytes and owners of one moment: another thread may assign to a pointer in between.
    held, targets = snapshot(value)
    memory.check_object(type_, held, targets.values())
    data = repack(held, type_, cxx, table)
    # Only now: from here on the core copies every object of this class, and nobody compares layouts.
    if native.python is not None:
        native.accept(type(value))
    return Packed(data, (value, *targets.values()))


def _hidden(instance: Any, name: str) -> Any:
    """A native attribute, even of a class with a field of that name."""
    base = _native.Record if isinstance(instance, _native.Record) else _native.Value
    return getattr(base, name).__get__(instance)


def address_of(instance: Any) -> int:
    """Where a value's or record's bytes are."""
    address: int = _hidden(instance, "__samebytes_address__")
    return address


def snapshot(instance: Any) -> tuple[bytes, dict[tuple[int, int], Any]]:
    """A copy of the bytes, and (offset, size) of pointers in them -> what those point into at this moment."""
    taken: tuple[bytes, dict[tuple[int, int], Any]] = _hidden(instance, "__samebytes_snapshot__")()
    return taken


def _struct_words(type_: Struct | Vector) -> str:
    if isinstance(type_, Vector):
        return str(type_)
    return f"{type_} ({', '.join(f.name for f in type_.fields)})" if type_.complete else str(type_)


def convert_struct(type_: Struct, value: Any, dialect: str) -> Packed:
    """A record, a value or a NumPy record that lies as the struct does, or a tuple of its fields in order."""
    if type_.flexible is not None:
        advice = (
            f"A copy would have none of the elements of its flexible array {type_.flexible.name!r}: pass one"
        )
        raise Mismatch(ArgumentError, _struct_words(type_), value_words(value), advice)
    if isinstance(value, _native.Value | _native.Record):
        return _same_object(type_, value, dialect)
    if isinstance(value, np.void | np.ndarray):
        return _numpy_record(type_, value, dialect)
    if not isinstance(value, tuple | list) or not type_.of_tuples:
        raise Mismatch(ArgumentError, _struct_words(type_), value_words(value), _struct_advice(type_, value))
    if overlapping(type_, find_dialect("cxx")):
        advice = f"Some of its fields share their bytes: {type_.short_name}(name=...) says which is meant"
        raise Mismatch(ArgumentError, _struct_words(type_), value_words(value), advice)
    names = tuple(f.name for f in type_.fields)
    given = getattr(value, "_fields", names)
    if given != names:
        advice = f"Its fields are {', '.join(given)}: tuple(x) drops their names"
        raise Mismatch(ArgumentError, _struct_words(type_), value_words(value), advice)
    if len(value) != len(names):
        count = f"{len(names)} field{'s' if len(names) != 1 else ''}"
        raise Mismatch(
            ArgumentError, f"{_struct_words(type_)}, {count}", f"{len(value)}: {value_words(value)}"
        )
    return pack_fields(type_, dict(zip(names, value, strict=True)), dialect)


def _struct_advice(type_: Struct, value: Any) -> str:
    constructed = type_.python is not None and vars(type_.python).get("__samebytes_constructed__", False)
    if not type_.complete and not constructed:
        return f"{type_} has members that Python does not see: only C++ can make one"
    if unread := vars(type_.python).get("__samebytes_unread__", "") if type_.python else "":
        return str(unread)  # nobody has read its constructors
    if not type_.aggregate and _has_no_constructor(type_.python):
        if _begins_in_python(type_.python):
            return f"{type_.short_name}() makes one, and its members can be assigned"
        return (
            f"only code of C++'s makes one: Python calls no constructor of {type_.short_name} with arguments"
        )
    if not type_.aggregate:
        shown = "**" if isinstance(value, Mapping) else "*" if isinstance(value, tuple | list) else ""
        return f"{type_.short_name}({shown}{'x' if shown else '...'}) makes one, by C++'s constructors"
    if isinstance(value, Mapping):
        return f"{type_.short_name}(**x) builds one"
    if isinstance(value, complex | np.complexfloating) and _is_pair(type_):
        return "(x.real, x.imag) is one of its fields"
    return f"{type_.short_name}(...) builds one; a tuple of its fields serves, too"


def _has_no_constructor(cls: Any) -> bool:
    """Whether the class of a library has no constructor of C++'s that Python calls with arguments."""
    return cls is not None and vars(cls).get("__samebytes_new__", cls) is None


def _begins_in_python(cls: Any) -> bool:
    """Whether Python makes an object of a class without arguments, by what values/beginning.py knows."""
    blank = vars(cls)["__samebytes_blank__"]
    return not (blank is None or isinstance(blank, FunctionType | partial))


def _is_pair(type_: Struct) -> bool:
    """Whether a struct is two numbers of one format, as CUDA's complex numbers are."""
    formats = {f.type for f in type_.fields}
    one = formats.pop()
    return len(type_.fields) == 2 and not formats and isinstance(one, Scalar) and one.kind == "float"


def _numpy_record(type_: Struct, value: Any, dialect: str) -> Packed:
    if value.dtype.kind != "V":  # plain numbers are no fields
        raise Mismatch(ArgumentError, _struct_words(type_), value_words(value), _struct_advice(type_, value))
    found = layout_words(type_, value.dtype, dialect)
    if not found and value.ndim:
        found = f"it has {value.ndim} dimensions"
    if found:
        raise Mismatch(ArgumentError, _struct_words(type_), value_words(value), found)
    return Packed(value.tobytes(), (value,))


def pack_fields(struct: Struct, values: Mapping[str, Any], dialect: str = "cxx") -> Packed:
    """The bytes of a struct from some of its fields; those that are left out are zero, and so is padding.

    Raises
    ------
    Mismatch
        For the first field that does not fit, with its name in ``path``.
    """
    layout = compute(struct, find_dialect(dialect))
    data, owners = bytearray(layout.size), list[Any]()
    for place in layout.fields:
        if place.name in values:
            packed = convert_field(place, values[place.name], dialect)
            owners += packed.owners
            put_field(data, place, packed.data)
    return Packed(bytes(data), tuple(owners))


def convert_field(place: FieldLayout, value: Any, dialect: str = "cxx") -> Packed:
    """The bytes of one field; of a bit-field: of its storage unit, with the value in the lowest bits."""
    with at(f".{place.name}"):
        packed = convert(place.type, value, dialect)
        if place.bit_width:
            _check_bits(place, value, packed.data)
    return packed


def _is_signed(type_: Type) -> bool:
    bare = unqualified(type_)
    number_type = bare.underlying if isinstance(bare, Enum) else bare
    return isinstance(number_type, Scalar) and number_type.kind == "int"


def _check_bits(place: FieldLayout, value: Any, data: bytes) -> None:
    signed, width = _is_signed(place.type), place.bit_width
    whole = int.from_bytes(data, "little", signed=signed)
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    if not low <= whole <= high:
        raise Mismatch(RangeError, f"a bit-field of {width} bits ({low} to {high})", value_words(value))


def put_field(data: bytearray, place: FieldLayout, packed: bytes) -> None:
    """Write one field's bytes to its place; a bit-field's bits leave their neighbours alone."""
    if not place.bit_width:
        data[place.offset : place.offset + place.size] = packed
        return
    # A bit-field may reach past its storage unit, and the unit past the struct: take what it touches.
    end = place.offset + place.touched
    unit = int.from_bytes(data[place.offset : end], "little")
    mask = (1 << place.bit_width) - 1
    bits = int.from_bytes(packed, "little") & mask
    unit = unit & ~(mask << place.bit_offset) | bits << place.bit_offset
    data[place.offset : end] = unit.to_bytes(end - place.offset, "little")


def convert_vector(type_: Vector, value: Any, dialect: str) -> Packed:
    """A vector of the same elements, or as many numbers."""
    if isinstance(value, _native.Value | _native.Record):
        return _same_object(type_, value, dialect)
    is_sequence = isinstance(value, tuple | list) or (isinstance(value, np.ndarray) and value.ndim == 1)
    if is_sequence and len(value) == type_.size:
        return _elements(type_, value, dialect)
    advice = f"sb.{type_}({', '.join('xyzw'[: type_.size])}) builds one"
    raise Mismatch(ArgumentError, _struct_words(type_), value_words(value), advice)


def _elements(type_: Vector, value: Iterable[Any], dialect: str) -> Packed:
    table = find_dialect(dialect)
    data = bytearray(compute(type_, table).size)
    for place, item in zip(compute(type_, table).fields, tuple(value), strict=True):
        put_field(data, place, convert_field(place, item, dialect).data)
    return Packed(bytes(data))
