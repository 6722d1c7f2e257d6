"""Fields of structs in compiled code: reading, and writing where the struct is a record."""

from __future__ import annotations

from collections.abc import Callable
from inspect import getattr_static
from typing import Any

from llvmlite import ir
from numba import types

from ..errors import ArgumentError, Error, Mismatch, RangeError, call_error
from ..generate.shims.direct import machine_format
from ..layout import FieldLayout
from ..naming import python_names
from ..types import CArray, Enum, Scalar, Struct, Type, Vector, unqualified
from ..values.building import other_names
from ..values.record import StructRecord
from .arguments import fit_type
from .halves import is_half
from .kinds import (
    ElementType,
    MethodType,
    RecordType,
    StructType,
    element_type,
    is_mirror,
    numba_type,
    struct_type,
)
from .models import Site
from .numbers import Call
from .results import from_storage
from .storing import store, stored
from .world import World

# For each compiler, what types and what reads the names that objects have from their class: see ``members``.
CLASS_MEMBERS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {}

# The methods of each struct, by name: what has ``type_call``.
METHODS: dict[StructType, dict[str, Any]] = {}


def places(struct: StructType) -> dict[str, FieldLayout]:
    """Where each field lies, by all its names in Python."""
    found = struct.layout.fields
    names = python_names(f.name for f in found)
    own = {names[f.name]: f for f in found}
    return own | {name: own[field] for name, field in further_names(struct).items()}


def further_names(struct: StructType) -> dict[str, str]:
    """The field that each other name of a field means."""
    return other_names(struct.struct) if isinstance(struct.struct, Struct) else {}


def register_fields(world: World) -> None:
    """Teach a compiler the fields of structs."""
    templates = world.templates

    class FieldsOfStruct(templates.AttributeTemplate):  # type: ignore[name-defined,misc]
        key = StructType

        def generic_resolve(self, typ: StructType, attr: str) -> Any:
            return (
                _method(typ, typ, attr)
                or _told(world, typ, attr, record=False)
                or _of_class(world, typ, attr)
            )

    class FieldsOfRecord(templates.AttributeTemplate):  # type: ignore[name-defined,misc]
        key = RecordType

        def generic_resolve(self, typ: RecordType, attr: str) -> Any:
            found = _method(typ, typ.dtype, attr) or _told(world, typ.dtype, attr, record=True)
            return found or _of_class(world, typ.dtype, attr)

    class MethodsOfElement(templates.AttributeTemplate):  # type: ignore[name-defined,misc]
        key = types.Record

        def generic_resolve(self, typ: Any, attr: str) -> Any:
            return _element_method(world, typ, attr)

    # First: Numba's own raises KeyError for what is no field.
    world.typing._attributes[types.Record].insert(0, MethodsOfElement(world.typing))
    world.typing.insert_attributes(FieldsOfStruct(world.typing))
    world.typing.insert_attributes(FieldsOfRecord(world.typing))
    registry = world.registry

    @registry.lower_cast(RecordType, StructType)
    def read_record(context: Any, builder: Any, fromty: RecordType, toty: StructType, value: Any) -> Any:
        site = Site(world, context, builder)
        return site.load(toty, site.record_data(fromty, value))

    for kind in (StructType, RecordType):
        registry.lower_getattr_generic(kind)(_lower_read(world))
    registry.lower_setattr_generic(RecordType)(_lower_write(world))
    world.install()
    _type_writes(world)


def _method(typ: Any, struct: StructType, attr: str) -> Any:
    found = METHODS.get(struct, {}).get("operator()" if attr == "__call__" else attr)
    return MethodType(found, typ) if found is not None else None


def _element_method(world: World, typ: Any, attr: str) -> Any:
    """A method of an element of a structured array; None for its fields."""
    if attr in typ.fields:
        return None
    if isinstance(typ, ElementType):
        return _method(typ, typ.struct, attr)
    owners = [s for s in METHODS if attr in METHODS[s] and s.dialect == world.dialect and is_mirror(typ, s)]
    if len(owners) > 1:
        raise world.errors.TypingError(
            f"{attr}() may be that of {' or '.join(sorted(str(o) for o in owners))}, which have the same fields: "
            f"call it through the class, Class.{attr}(x)"
        )
    if not owners:
        raise world.errors.TypingError(f"elements {typ} have no field and no method {attr!r}")
    return _method(typ, owners[0], attr)


def _of_class(world: World, struct: StructType, attr: str) -> Any:
    """The type of a static data member or a constant of the class."""
    return CLASS_MEMBERS[world.name][0](world, struct, attr)


def _told(world: World, struct: StructType, attr: str, *, record: bool) -> Any:
    """The type of a field; what compiled code lacks as an error in words."""
    name = struct.struct.short_name
    found = getattr_static(struct.struct.python, attr, None)
    if (
        isinstance(found, property)
        and attr not in places(struct)
        and found is not getattr(StructRecord, attr, None)
    ):
        raise world.errors.TypingError(
            f"{name}.{attr} is a C++ object of a class that compiled code cannot read"
        )
    try:
        return _read_type(struct, attr, record=record)
    except Mismatch as mismatch:
        raise world.errors.TypingError(f"{name}.{attr} cannot be read by compiled code: {mismatch}") from None


def _read_type(struct: StructType, attr: str, *, record: bool) -> Any:
    place = places(struct).get(attr)
    if place is None:
        return None
    return read_type(place.type, struct.dialect, writable=record)


def read_type(type_: Type, dialect: str, *, writable: bool) -> Any:
    """What reading a place of a type gives: a struct that can be written to is a record, an array a view.

    Raises
    ------
    Mismatch
        If compiled code has no such values.
    """
    bare = unqualified(type_)
    if isinstance(bare, CArray):
        return _array_type(bare, dialect, writable=writable)
    if isinstance(bare, Struct) and writable:
        return RecordType(struct_type(bare, dialect, bare.python))
    return numba_type(bare, dialect)


def _array_type(type_: CArray, dialect: str, *, writable: bool) -> Any:
    element, rank = unqualified(type_.element), len(type_.shape)
    if isinstance(element, Enum):
        element = element.underlying
    if isinstance(element, Vector):
        element, rank = element.element, rank + 1
    if is_half(element, dialect):
        raise Mismatch(ArgumentError, "an array of numbers that Numba knows", str(type_), "")
    dtype = numba_type(element, dialect)
    if isinstance(dtype, StructType):
        dtype = element_type(dtype)
        if dtype is None:
            raise Mismatch(ArgumentError, "an array of what Numba has records for", str(type_), "")
    return types.Array(dtype, rank, "C", readonly=not writable)


# --- reading


def _lower_read(world: World) -> Callable[..., Any]:
    def read(context: Any, builder: Any, typ: Any, value: Any, attr: str) -> Any:
        site = Site(world, context, builder)
        record = isinstance(typ, RecordType)
        struct = typ.dtype if record else typ
        if attr not in places(struct):
            return CLASS_MEMBERS[world.name][1](context, builder, struct, None, attr)
        data = site.record_data(typ, value) if record else site.spill(struct, value)
        place, type_ = places(struct)[attr], unqualified(places(struct)[attr].type)
        inside = site.shift(data, place.offset)
        if place.bit_width:
            return _read_bits(site, place, inside)
        if isinstance(type_, CArray):
            return _array_view(site, typ, value, type_, inside, place)
        kind = _read_type(struct, attr, record=record)
        if isinstance(kind, RecordType):
            return _part(site, typ, value, kind, inside)
        return from_storage(site, type_, inside, struct.dialect, _alignment(struct, place))

    return read


def _alignment(struct: StructType, place: FieldLayout) -> int:
    """What is known of a field's address: the struct's alignment and the field's offset."""
    align = struct.layout.align
    while place.offset % align:
        align //= 2
    return align


def _part(site: Site, typ: RecordType, value: Any, kind: RecordType, data: Any) -> Any:
    owner = site.record_owner(typ, value)
    if owner is not None:
        site.context.nrt.incref(site.builder, typ, value)
    return site.make_record(kind, data, owner)


def _read_bits(site: Site, place: FieldLayout, data: Any) -> Any:
    scalar = _underlying(place.type)
    form = ir.IntType(8 * scalar.size)
    unit = site.builder.load(site.at(data, form), align=1)
    left = form.width - place.bit_offset - place.bit_width
    shifted = site.builder.shl(unit, form(left))
    back = form(form.width - place.bit_width)
    signed = scalar.kind == "int"
    value = site.builder.ashr(shifted, back) if signed else site.builder.lshr(shifted, back)
    if scalar.kind == "bool":
        return site.builder.trunc(value, ir.IntType(1))
    return _of_enum(site, place.type, value)


def _of_enum(site: Site, type_: Type, value: Any) -> Any:
    bare = unqualified(type_)
    if not isinstance(bare, Enum) or bare.python is None or value.type.width == 64:
        return value
    wide = ir.IntType(64)
    return site.builder.sext(value, wide) if bare.underlying.kind == "int" else site.builder.zext(value, wide)


def _underlying(type_: Type) -> Scalar:
    bare = unqualified(type_)
    scalar = bare.underlying if isinstance(bare, Enum) else bare
    assert isinstance(scalar, Scalar)
    return scalar


def _array_view(site: Site, typ: Any, value: Any, type_: CArray, data: Any, place: FieldLayout) -> Any:
    """A NumPy view of a C array: into the record, or of a value into a copy of its bytes."""
    record = isinstance(typ, RecordType)
    struct = typ.dtype if record else typ
    kind = _array_type(type_, struct.dialect, writable=record)
    owner = None
    if record:
        owner = site.record_owner(typ, value)
        if owner is not None:
            site.context.nrt.incref(site.builder, typ, value)
    elif not site.world.cuda:
        copy = site.copied(RecordType(struct), site.shift(data, -place.offset))
        data = site.shift(site.record_data(RecordType(struct), copy), place.offset)
        owner = site.record_owner(RecordType(struct), copy)
    return array_at(site, kind, type_, data, owner)


def array_at(site: Site, kind: Any, type_: CArray, data: Any, owner: Any) -> Any:
    """A NumPy view of a C array at an address."""
    form = site.context.get_data_type(kind.dtype)
    size = kind.dtype.size if isinstance(kind.dtype, types.Record) else site.context.get_abi_sizeof(form)
    element = unqualified(type_.element)
    shape = [*type_.shape, *((element.size,) if isinstance(element, Vector) else ())]
    strides = [size] * len(shape)
    for i in range(len(shape) - 2, -1, -1):
        strides[i] = strides[i + 1] * shape[i + 1]
    made = site.context.make_array(kind)(site.context, site.builder)
    site.world.arrays.populate_array(
        made, data=site.at(data, form), shape=[site.size(n) for n in shape],
        strides=[site.size(n) for n in strides], itemsize=site.size(size), meminfo=owner,
    )  # fmt: skip
    return made._getvalue()


# --- writing


def _type_writes(world: World) -> None:
    """A record's fields accept what parameters of their types accept."""
    original = world.typing.resolve_setattr

    def resolve_setattr(target: Any, attr: str, value: Any) -> Any:
        if isinstance(target, StructType) and attr in places(target):
            name = target.struct.short_name
            raise world.errors.TypingError(
                f"{name}.{attr} cannot be written: it is a value that a call returned; {name}(x) makes a record of it"
            )
        if not isinstance(target, RecordType):
            return original(target, attr, value)
        place = places(target.dtype).get(attr)
        if place is None:
            return None
        if any(f.name == attr and f.constant for f in target.dtype.struct.members):
            name = target.dtype.struct.short_name
            raise world.errors.TypingError(f"{name}.{attr} is const in C++ and cannot be changed")
        try:
            _fit_field(target.dtype, attr, place, value)
        except Error as error:
            raise world.errors.TypingError(str(error)) from None
        return world.templates.signature(types.none, target, value)

    world.typing.resolve_setattr = resolve_setattr


def _fit_field(struct: StructType, attr: str, place: FieldLayout, value: Any) -> Any:
    try:
        type_ = unqualified(place.type)
        if isinstance(type_, CArray):
            raise Mismatch(Error, f"{attr}[...] = x", "the whole array")
        return fit_type(type_, value, struct.dialect)
    except Mismatch as mismatch:
        mismatch.index, mismatch.name = 0, attr
        raise call_error(f"{struct.struct.short_name}.{attr} = x, in", [mismatch]) from None


def _lower_write(world: World) -> Callable[..., Any]:
    def write(context: Any, builder: Any, signature: Any, args: Any, attr: str) -> Any:
        typ, given = signature.args
        struct = typ.dtype
        place = places(struct)[attr]
        call = Call(world, context, builder, f"{struct.struct.short_name}.{attr}")
        lowered = _fit_field(struct, attr, place, given).lower(call, args[1])
        inside = call.shift(call.record_data(typ, args[0]), place.offset)
        write_field(call, struct, place, inside, lowered)

    return write


def write_field(site: Call, struct: StructType, place: FieldLayout, data: Any, lowered: Any) -> None:
    """Store an argument in its register form, or behind its address, in a field."""
    if not place.bit_width:
        store(site, place.type, data, lowered, struct.dialect, _alignment(struct, place))
        return
    machine = machine_format(place.type)
    assert isinstance(machine, Scalar)
    plain = stored(site, machine, lowered)
    _check_bits(site, place, plain, signed=machine.kind == "int")
    site.builder.store(_with_bits(site, place, data, plain), site.at(data, plain.type), align=1)


def _check_bits(call: Call, place: FieldLayout, value: Any, *, signed: bool) -> None:
    """As in Python, an integer that a bit-field cannot hold is an error, not another integer."""
    width, form = place.bit_width, value.type
    if width >= form.width:
        return
    gap = form(form.width - width)
    back = call.builder.ashr if signed else call.builder.lshr
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    call.require(
        call.builder.icmp_unsigned("==", back(call.builder.shl(value, gap), gap), value),
        RangeError,
        f"expected a bit-field of {width} bits ({low} to {high}), got an integer outside of it",
    )


def _with_bits(site: Site, place: FieldLayout, data: Any, value: Any) -> Any:
    form = value.type
    ones = ((1 << place.bit_width) - 1) << place.bit_offset
    unit = site.builder.load(site.at(data, form), align=1)
    kept = site.builder.and_(unit, form(~ones & ((1 << form.width) - 1)))
    moved = site.builder.and_(site.builder.shl(value, form(place.bit_offset)), form(ones))
    return site.builder.or_(kept, moved)
