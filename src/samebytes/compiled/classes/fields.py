"""What a struct has by name in compiled code, its fields and its methods, and how fields are read."""

from __future__ import annotations

from collections.abc import Callable
from inspect import getattr_static
from typing import Any

from numba import types

from ...errors import Mismatch
from ...layouts import FieldLayout
from ...model.signature import Signature
from ...types import Atomic, CArray, unqualified
from ...values.record import StructRecord
from ..compiler import NumbaCompiler
from ..datamodel.equivalents import is_mirror
from ..datamodel.kinds import ElementType, HandleType, MethodType, RecordType, StructType
from ..lowering.bitfields import read_bits
from ..lowering.memory import (
    alignment,
    array_at,
    array_type,
    is_constant,
    is_copied,
    is_place,
    places,
    read_type,
)
from ..lowering.reading import from_storage
from ..lowering.site import Site
from .elements import element_field, register_element_fields
from .writing import register_writing

# For each compiler, what types and what reads the names that objects have from their class: see ``members``.
CLASS_MEMBERS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {}

# For each compiler, what makes known the classes that Python declares with a method of a name: see ``declared``.
DECLARED: dict[str, Callable[[str], None]] = {}

# The methods of each struct, by name: what has ``type_call``.
METHODS: dict[StructType, dict[str, Any]] = {}

# What is computed of a struct of Python's where its name is read.
PROPERTIES: dict[StructType, dict[str, Any]] = {}


def register_fields(compiler: NumbaCompiler) -> None:
    """Teach a compiler the fields of structs."""
    templates = compiler.templates

    class FieldsOfStruct(templates.AttributeTemplate):  # type: ignore[name-defined,misc]
        key = StructType

        def generic_resolve(self, typ: StructType, attr: str) -> Any:
            return _resolved(compiler, typ, typ, attr)

    class FieldsOfRecord(templates.AttributeTemplate):  # type: ignore[name-defined,misc]
        key = RecordType

        def generic_resolve(self, typ: RecordType, attr: str) -> Any:
            return _resolved(compiler, typ, typ.dtype, attr)

    class MethodsOfElement(templates.AttributeTemplate):  # type: ignore[name-defined,misc]
        key = types.Record

        def generic_resolve(self, typ: Any, attr: str) -> Any:
            return _element_method(compiler, typ, attr)

    # First: Numba's own raises KeyError for what is no field.
    compiler.typing._attributes[types.Record].insert(0, MethodsOfElement(compiler.typing))
    compiler.typing.insert_attributes(FieldsOfStruct(compiler.typing))
    compiler.typing.insert_attributes(FieldsOfRecord(compiler.typing))
    registry = compiler.registry

    @registry.lower_cast(RecordType, StructType)
    def read_record(context: Any, builder: Any, fromty: RecordType, toty: StructType, value: Any) -> Any:
        site = Site(compiler, context, builder)
        return site.load(toty, site.record_data(fromty, value))

    for kind in (StructType, RecordType):
        registry.lower_getattr_generic(kind)(_lower_read(compiler))
    register_writing(compiler)
    register_element_fields(compiler)
    compiler.install()


def _resolved(compiler: NumbaCompiler, typ: Any, struct: StructType, attr: str) -> Any:
    """The type of a method, of a field, or of a static data member or constant of the class."""
    if (computed := PROPERTIES.get(struct, {}).get(attr)) is not None:
        return computed.type_call((typ,), {}, bound=True).return_type
    return (
        _method(typ, struct, attr)
        or _told(compiler, struct, attr, writable=_is_writable(typ, attr))
        or CLASS_MEMBERS[compiler.name][0](compiler, struct, attr)
    )


def _method(typ: Any, struct: StructType, attr: str) -> Any:
    found = METHODS.get(struct, {}).get("operator()" if attr == "__call__" else attr)
    return MethodType(found, typ) if found is not None else None


def _element_method(compiler: NumbaCompiler, typ: Any, attr: str) -> Any:
    """A method of an element of a structured array, or a field that is atomic; None for other fields."""
    if attr in typ.fields:
        return element_field(compiler, typ, attr)
    if isinstance(typ, ElementType):
        return _method(typ, typ.struct, attr)
    DECLARED[compiler.name](attr)
    owners = [
        s for s in METHODS if attr in METHODS[s] and s.dialect == compiler.dialect and is_mirror(typ, s)
    ]
    owners = _latest(owners)
    if len({_code(s, attr) for s in owners}) > 1:
        classes = [s.struct.python for s in owners]
        named = sorted({f"{cls.__module__}.{cls.__name__}" for cls in classes if cls is not None})
        raise compiler.errors.TypingError(
            f"{attr}() may be that of {' or '.join(named)}, which have the same fields: "
            f"call it through the class, Class.{attr}(x)"
        )
    if not owners:
        raise compiler.errors.TypingError(f"elements {typ} have no field and no method {attr!r}")
    return _method(typ, owners[0], attr)


def _latest(owners: list[StructType]) -> list[StructType]:
    """Without classes of Python's whose definition was run anew, as in a notebook."""
    named = [(s.struct.python, s) for s in owners]
    found = {(c.__module__, c.__qualname__) if s.immutable and c is not None else s: s for c, s in named}
    return list(found.values())


def _code(struct: StructType, attr: str) -> Any:
    """What tells methods apart: those of one name, of libraries that are made of the same, do the same."""
    made = METHODS[struct][attr]
    origin = getattr(made, "origin", "")
    if not origin:
        return struct
    said = tuple((_said(d.signature), d.given) for d in made.directs)
    return origin, struct.struct.name, said


def _said(signature: Signature) -> Any:
    parameters = tuple((p.name, p.spelling, p.passing, repr(p.intent)) for p in signature.parameters)
    return signature.qualified, signature.qualifiers, signature.result_spelling, parameters


def _is_writable(typ: Any, attr: str) -> bool:
    """Whether C++ lets a field of a value, a record or an object be written to, and what lies inside of it."""
    if not isinstance(typ, RecordType) or (isinstance(typ, HandleType) and typ.const):
        return False
    if typ.dtype.immutable:
        return False
    place = places(typ.dtype).get(attr)
    return place is None or not is_constant(typ.dtype, place)


def _told(compiler: NumbaCompiler, struct: StructType, attr: str, *, writable: bool) -> Any:
    """The type of a field; what compiled code lacks as an error in words."""
    name, place = struct.struct.short_name, places(struct).get(attr)
    if place is None:
        found = getattr_static(struct.struct.python, attr, None)
        if isinstance(found, property) and found is not getattr(StructRecord, attr, None):
            raise compiler.errors.TypingError(
                f"{name}.{attr} is a C++ object of a class that compiled code cannot read"
            )
        return None
    try:
        return read_type(place.type, struct.dialect, writable=writable)
    except Mismatch as mismatch:
        raise compiler.errors.TypingError(
            f"{name}.{attr} cannot be read by compiled code: {mismatch}"
        ) from None


def _lower_read(compiler: NumbaCompiler) -> Callable[..., Any]:
    def read(context: Any, builder: Any, typ: Any, value: Any, attr: str) -> Any:
        site = Site(compiler, context, builder)
        record = isinstance(typ, RecordType)
        struct = typ.dtype if record else typ
        if (computed := PROPERTIES.get(struct, {}).get(attr)) is not None:
            return computed.lower_call(site, computed.type_call((typ,), {}), [value])
        place = places(struct).get(attr)
        if place is None:
            return CLASS_MEMBERS[compiler.name][1](context, builder, struct, None, attr)
        data = site.record_data(typ, value) if record else site.spill(struct, value)
        type_, inside = unqualified(place.type), site.shift(data, place.offset)
        if place.bit_width:
            return read_bits(site, place, inside)
        writable = _is_writable(typ, attr)
        if isinstance(type_, CArray) and not is_copied(type_, struct.dialect, writable=writable):
            return _array_view(site, typ, value, type_, inside, place, writable=writable)
        if isinstance(type_, Atomic) and not record:
            return from_storage(site, type_.type, inside, struct.dialect, alignment(struct, place))
        if record and is_place(type_, writable=writable):
            kind = read_type(place.type, struct.dialect, writable=writable)
            return site.make_record(kind, inside, _kept_owner(site, typ, value))
        return from_storage(site, type_, inside, struct.dialect, alignment(struct, place))

    return read


def _kept_owner(site: Site, typ: RecordType, value: Any) -> Any:
    """What keeps a record alive, with a reference for what is to point into it; None on GPUs."""
    owner = site.record_owner(typ, value)
    if owner is not None:
        site.context.nrt.incref(site.builder, typ, value)
    return owner


def _array_view(
    site: Site, typ: Any, value: Any, type_: CArray, data: Any, place: FieldLayout, *, writable: bool
) -> Any:
    """A NumPy view of a C array: into the record, or of a value into a copy of its bytes."""
    record = isinstance(typ, RecordType)
    struct = typ.dtype if record else typ
    kind = array_type(type_, struct.dialect, writable=writable)
    owner = None
    if record:
        owner = _kept_owner(site, typ, value)
    elif not site.compiler.cuda:
        copy = site.copied(RecordType(struct), site.shift(data, -place.offset))
        data = site.shift(site.record_data(RecordType(struct), copy), place.offset)
        owner = site.record_owner(RecordType(struct), copy)
    return array_at(site, kind, type_, data, owner)
