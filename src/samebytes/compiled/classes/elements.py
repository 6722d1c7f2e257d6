"""Fields of elements of structured arrays: those of the classes whose dtype the array has, with the classes' rules.

Numba knows a record's numbers and not its class. What a record's field refuses, an element's refuses, too; a member
that is atomic is one there.
"""

from __future__ import annotations

from typing import Any

from numba import types

from ...errors import Error
from ...layouts import FieldLayout, compute
from ...layouts.dialects import find_dialect
from ...types import Atomic, Scalar, Struct, unqualified
from ...values.dtypes import classes_with_dtype
from ..compiler import NumbaCompiler
from ..datamodel.equivalents import is_mirror, struct_type
from ..datamodel.kinds import AtomicType, ElementType, StructType
from ..lowering.memory import places
from ..lowering.site import Call, Site
from ..lowering.storing import store
from .writing import fit_field


def structs_of(compiler: NumbaCompiler, record: Any) -> list[StructType]:
    """The structs that an element may be: that of the array's own class, or all that lie alike in arrays."""
    if isinstance(record, ElementType):
        return [record.struct]
    found = []
    for cls in classes_with_dtype(record.size, tuple(record.fields)):
        type_ = cls.__samebytes_type__  # type: ignore[attr-defined]
        if not isinstance(type_, Struct):
            continue
        struct = struct_type(type_, compiler.dialect, cls)
        if is_mirror(record, struct):
            found.append(struct)
    return found


def element_field(compiler: NumbaCompiler, record: Any, attr: str) -> Any:
    """The type of a field that is atomic; None where Numba's own way of reading it is right."""
    structs = structs_of(compiler, record)
    fields = {struct: unqualified(places(struct)[attr].type) for struct in structs}
    atomics = {struct: type_ for struct, type_ in fields.items() if isinstance(type_, Atomic)}
    if not atomics:
        return None
    if len(atomics) < len(fields):
        names = " or ".join(sorted(s.struct.short_name for s in fields))
        raise compiler.errors.TypingError(
            f"an element of this array may be {names}: they have the same fields, and {attr!r} is not atomic in "
            "each of them. Give the field another name in one"
        )
    kind = AtomicType(next(iter(atomics.values())))
    _lower_atomic(compiler, record, attr, kind)
    return kind


def _lower_atomic(compiler: NumbaCompiler, record: Any, attr: str, kind: AtomicType) -> None:
    @compiler.registry.lower_getattr(record, attr)
    def place(context: Any, builder: Any, typ: Any, value: Any, *name: Any) -> Any:
        site = Site(compiler, context, builder)
        return site.make_record(kind, site.shift(value, typ.offset(attr)), site.no_owner)

    compiler.install()


# --- writing


def _written(compiler: NumbaCompiler, record: Any, attr: str) -> tuple[StructType, FieldLayout] | None:
    """The number that a field is; None where Numba's own way of writing it is right."""
    if (kind := element_field(compiler, record, attr)) is not None:
        raise compiler.errors.TypingError(
            f"{attr!r} of these elements is {kind}: x.{attr}.store(value) writes it, x.{attr}.add(1) adds to it"
        )
    for struct in structs_of(compiler, record):
        place = places(struct)[attr]
        if isinstance(unqualified(place.type), Scalar) and not place.bit_width:
            return struct, place
    return None


def _fit(compiler: NumbaCompiler, record: Any, attr: str, value: Any) -> Any:
    """How a value serves a field of an element; None where Numba's own way is right."""
    if (found := _written(compiler, record, attr)) is None:
        return None
    try:
        return fit_field(found[0], attr, found[1], value)
    except Error as error:
        raise compiler.errors.TypingError(str(error)) from None


def _lower_write(compiler: NumbaCompiler, record: Any, attr: str) -> None:
    @compiler.registry.lower_setattr(record, attr)
    def write(context: Any, builder: Any, signature: Any, args: Any, *name: Any) -> Any:
        typ, given = signature.args
        found = _written(compiler, typ, attr)
        assert found is not None
        struct, place = found
        call = Call(compiler, context, builder, f"{struct.struct.short_name}.{attr}")
        lowered = fit_field(struct, attr, place, given).lower(call, args[1])
        align = compute(place.type, find_dialect(struct.dialect)).align if typ.aligned else 1
        store(call, place.type, call.shift(args[0], typ.offset(attr)), lowered, struct.dialect, align)

    compiler.install()


def _type_write(compiler: NumbaCompiler, record: Any, attr: str, value: Any) -> bool:
    if not isinstance(record, types.Record) or attr not in record.fields:
        return False
    if _fit(compiler, record, attr, value) is None:
        return False
    _lower_write(compiler, record, attr)
    return True


def register_element_fields(compiler: NumbaCompiler) -> None:
    """Teach a compiler to write to such fields, by name and by subscript."""
    templates, original = compiler.templates, compiler.typing.resolve_setattr

    def resolve_setattr(target: Any, attr: str, value: Any) -> Any:
        if _type_write(compiler, target, attr, value):
            return templates.signature(types.none, target, value)
        return original(target, attr, value)

    compiler.typing.resolve_setattr = resolve_setattr

    class Item(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key = "static_getitem"

        def generic(self, args: Any, kws: Any) -> Any:
            record, name = args
            if not isinstance(record, types.Record) or name not in record.fields:
                return None
            found = element_field(compiler, record, name)
            return templates.signature(found, *args) if found is not None else None

    class Assigned(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key = "static_setitem"

        def generic(self, args: Any, kws: Any) -> Any:
            record, name, value = args
            if not _type_write(compiler, record, name, value):
                return None
            return templates.signature(types.void, record, types.literal(name), value)

    for template in (Item, Assigned):  # first: Numba's own take every record
        compiler.typing._functions[template.key].insert(0, template(compiler.typing))
