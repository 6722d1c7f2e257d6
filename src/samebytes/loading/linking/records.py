"""What the classes of records need of a compiled module: proof of bit-fields, initial values, life and death."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ... import _native
from ...errors import LayoutError
from ...layouts.dialects import layout
from ...model.signature import Signature
from ...model.symbols import (
    bit_fields,
    derived_classes,
    destroy_symbol,
    dynamic_symbol,
    given_away,
    probe_symbol,
    room_symbol,
    unroom_symbol,
)
from ...types import Enum, Field, Handle, Struct, Type, unqualified
from ...values.conversion import structs
from ...values.fields import has_field
from ..backends import Loaded
from .loaded_module import LoadedModule


def complete_records(compiled: LoadedModule) -> None:
    """Give records their initial values, and objects their destructors.

    Raises
    ------
    LayoutError
        If a bit-field is not where Python assumes it.
    """
    linker, owned = compiled.linker, given_away(compiled.module)
    for index, struct in _made(compiled):
        if bit_fields(struct):
            compiled.loaded.when([probe_symbol(index)], partial(_check_bits, index, struct, compiled.loaded))
        cls = linker.records[struct.name]
        complete_record(compiled, cls, struct)
        if isinstance(struct, Handle) and struct.destructible:
            if struct.name in owned:
                cls.__samebytes_given__ = True  # C++ may take its objects over
            compiled.loaded.when(
                [destroy_symbol(index)], partial(_end, compiled, index, cls, owned=struct.name in owned)
            )


def _end(compiled: LoadedModule, index: int, cls: Any, *, owned: bool) -> None:
    """Say how objects of a class end, unless a library that shares its classes has said so."""
    linker, loaded, name = compiled.linker, compiled.loaded, cls.__samebytes_type__.name
    if name in linker.destroyed:
        return
    linker.destroyed.add(name)
    if owned:
        places = (room_symbol(index), unroom_symbol(index))
        cls.__samebytes_codec__.set_room(*map(loaded.address, places))
    cls.__samebytes_codec__.set_destroy(loaded.address(destroy_symbol(index)))


def complete_record(compiled: LoadedModule, cls: Any, struct: Struct) -> None:
    """Give the class of a record what it has of the library's language or style."""
    if compiled.api.style or compiled.linker.in_c:
        # As HIP Python's classes have them.
        cls.__int__, cls.__contains__ = structs.address_of, has_field


def _made(compiled: LoadedModule) -> Iterator[tuple[int, Struct]]:
    """The records that have their classes, each with its number; those that wait are completed when they are made."""
    records = compiled.linker.records
    return ((i, s) for i, s in enumerate(compiled.module.records) if not records.waits(s.name))


def add_derived(compiled: LoadedModule) -> None:
    """Let objects that C++ gives as of a base be of the class that they really are."""
    records, derived = compiled.linker.records, derived_classes(compiled.module)
    for index, struct in _made(compiled):
        if struct.name in derived:
            known = tuple(records[s.name] for s in derived[struct.name])
            tell = partial(_tell, compiled, index, struct.name, known)
            compiled.loaded.when([dynamic_symbol(index)], tell)


def _tell(compiled: LoadedModule, index: int, name: str, known: tuple[Any, ...]) -> None:
    """Say what tells of objects of a class which they are, unless a library that shares its classes has said so."""
    linker, symbol = compiled.linker, dynamic_symbol(index)
    if name in linker.dynamic or not compiled.loaded.has(symbol):
        return
    linker.dynamic.add(name)
    linker.records[name].__samebytes_codec__.set_dynamic(compiled.loaded.address(symbol), known)


def add_constructors(compiled: LoadedModule, constructors: Mapping[str, Any]) -> None:
    """Let classes make their objects by the constructors of C++."""
    declared: dict[str, list[Signature]] = {}
    for function in compiled.module.functions:
        if function.kind == "constructor":
            declared.setdefault(function.owner, []).append(function)
    for owner, constructor in constructors.items():
        add_constructor(compiled.linker.records[owner], constructor, declared[owner])


def add_constructor(cls: Any, constructor: Any, declared: Sequence[Signature]) -> None:
    """Let a class make its objects by a constructor of the declared ones of C++."""
    blank = all(f.implicit and not f.parameters for f in declared)
    if blank and not isinstance(cls.__samebytes_type__, Handle):
        cls.__samebytes_blank__ = constructor  # an aggregate, or nobody has read what else makes one
    else:
        cls.__samebytes_new__ = constructor
        cls.__samebytes_constructed__ = not all(_copies(f) for f in declared)
        _native.set_direct(cls)


def _copies(constructor: Signature) -> bool:
    """Whether a constructor takes another object of the class alone."""
    taken = [unqualified(p.type) for p in constructor.parameters]
    return len(taken) == 1 and isinstance(taken[0], Struct) and taken[0].name == constructor.owner


def _check_bits(index: int, struct: Struct, loaded: Loaded) -> None:
    """Ask the compiled library where its bit-fields lie; C++ has no assertion for that."""
    fields = bit_fields(struct)
    if not fields:
        return
    size, count = layout(struct).size, len(fields)
    shown = [bytearray(size) for _ in range(2 * count)] + [bytearray(1) for _ in range(count)]
    loaded.call(probe_symbol(index), shown)
    for number, field in enumerate(fields):
        ones, one, (sign,) = shown[number], shown[count + number], shown[2 * count + number]
        place = 8 * (field.offset or 0) + field.bit_offset
        width = 1 if getattr(field.type, "kind", "") == "bool" else field.bit_width
        _check_image(struct, field, ((1 << width) - 1) << place, ones)
        if any(one):  # a package that an earlier samebytes generated does not say it
            _check_image(struct, field, 1 << place, one)
        if sign and (sign == _NEGATIVE) != _is_signed(field.type):
            raise LayoutError(
                f"{struct.name}.{field.name}: Python assumes a sign where the compiler sees none, or none where it "
                f"sees one: a flag such as -funsigned-bitfields decides it. Declare it signed or unsigned"
            )


_NEGATIVE = 2  # what the probe says of a field that reads -1 as less than 0


def _check_image(struct: Struct, field: Field, assumed: int, real: bytearray) -> None:
    found = int.from_bytes(real, "little")
    if found != assumed:
        raise LayoutError(
            f"{struct.name}.{field.name}: Python assumes the bits {assumed:#x} of the record, "
            f"the compiler uses {found:#x}"
        )


def _is_signed(type_: Type) -> bool:
    """Whether a bit-field of a type may be less than 0."""
    plain = unqualified(type_)
    return getattr(plain.underlying if isinstance(plain, Enum) else plain, "kind", "") == "int"
