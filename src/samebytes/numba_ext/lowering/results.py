"""What compiled calls give back: numbers in registers, structs, vectors and arrays from storage."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

from llvmlite import ir
from numba import types

from ...dialects import find_dialect
from ...errors import IntentError, Mismatch
from ...layout import compute
from ...signature import Parameter, Signature
from ...storage import MOST_COMPILED, result_type, storage_type
from ...types import VOID, Array, CArray, Const, Enum, Pointer, Scalar, Struct, Type, Vector, unqualified
from ..arguments.numbers import narrowed
from ..datamodel.equivalents import numba_type
from ..datamodel.kinds import LARGEST_VALUE, HandleType, RecordType, StructType
from ..datamodel.models import Site
from .halves import is_half, read_half

# A kind of type -> what reads it, where it is a file of its own that does: ``aggregates``.
READERS: dict[type[Type], Callable[[Site, Any, Any, str, Any], Any]] = {}


def given_type(type_: Type, dialect: str) -> Any:
    """The type in which compiled code receives a value: a large struct is a record."""
    found = numba_type(type_, dialect)
    if isinstance(found, StructType) and found.layout.size > LARGEST_VALUE:
        return RecordType(found)
    return found


def result_kind(signature: Signature, dialect: str) -> Any:
    """The type in which compiled code receives a result; an object of C++ may be const."""
    found = given_type(result_type(signature), dialect)
    if isinstance(found, HandleType) and signature.result_passing == "lvalue_ref":
        return HandleType(found.dtype, isinstance(signature.result, Const))
    return found


def output_types(signature: Signature, dialect: str) -> tuple[Any, ...]:
    """The result's type, if there is one, and those of the parameters that are returned."""
    results = [] if signature.result == VOID else [result_kind(signature, dialect)]
    hidden = [p for p in signature.parameters if not p.intent.visible]
    return (*results, *(given_type(output_storage(p), dialect) for p in hidden))


def output_storage(parameter: Parameter) -> Type:
    """The type of an output, whose size compiled code must know.

    Raises
    ------
    Mismatch
        If only the call knows it, or a NumPy array is asked for.
    """
    if getattr(parameter.intent, "as_array", False):
        raise Mismatch(IntentError, "tuples", "as_array=True", f"It is for host calls ({parameter.name!r})")
    found = storage_type(parameter)
    if isinstance(found, Array):
        advice = "Compiled code makes storage of a fixed length: pass an array with out_ptr"
        raise Mismatch(
            IntentError, f"a number as the length of {parameter.name!r}", "the name of a parameter", advice
        )
    if isinstance(found, CArray) and (count := prod(found.shape)) > MOST_COMPILED:
        raise Mismatch(
            IntentError, f"at most {MOST_COMPILED} elements in {parameter.name!r}", str(count),
            "Each is one of its own in compiled code: pass an array with out_ptr",
        )  # fmt: skip
    return found


def return_type(signature: Signature, dialect: str) -> Any:
    """One type: of nothing, of the only output, or of the tuple of all (Numbast, "Argument intents")."""
    found = output_types(signature, dialect)
    if len(found) < 2:
        return found[0] if found else types.void
    return types.Tuple(found)


def from_register(site: Site, type_: Type, value: Any) -> Any:
    """A number or an address as Numba holds it."""
    bare = unqualified(type_)
    if isinstance(bare, Enum):
        small = narrowed(site, bare.underlying, value)
        if bare.python is None:
            return small
        wide = ir.IntType(64)
        if small.type == wide:
            return small
        signed = bare.underlying.kind == "int"
        return site.builder.sext(small, wide) if signed else site.builder.zext(small, wide)
    if isinstance(bare, Pointer):
        return site.builder.bitcast(value, site.context.get_value_type(_held(bare)))
    assert isinstance(bare, Scalar)
    return narrowed(site, bare, value)


def _held(pointer: Pointer) -> Any:
    return numba_type(pointer, "cxx")


def storage(site: Site, type_: Type, dialect: str) -> Any:
    """Zeroed storage on the stack for a value of a type."""
    layout = compute(type_, find_dialect(dialect))
    place = site.stack(layout.size, max(layout.align, 8))
    site.zero(place, layout.size)
    return place


def from_storage(site: Site, type_: Type, data: Any, dialect: str, align: int | None = None) -> Any:
    """The value that lies at an address.

    Parameters
    ----------
    align : int, optional
        Bytes; that of the type.
    """
    bare, kind = unqualified(type_), given_type(type_, dialect)
    if (rule := READERS.get(type(bare))) is not None:
        return rule(site, bare, data, dialect, kind)
    if isinstance(bare, CArray):
        return _array(site, bare, data, dialect, kind)
    if isinstance(bare, Vector):
        return site.load_vector(kind, data)
    if isinstance(bare, Struct):
        return site.copied(kind, data) if isinstance(kind, RecordType) else site.load(kind, data, align)
    if isinstance(bare, Enum) and bare.python is not None:
        form = ir.IntType(8 * bare.underlying.size)
        loaded = site.builder.load(site.at(data, form), align=align or bare.underlying.size)
        wide = ir.IntType(64)
        if form == wide:
            return loaded
        return (
            site.builder.sext(loaded, wide)
            if bare.underlying.kind == "int"
            else site.builder.zext(loaded, wide)
        )
    if is_half(bare, dialect):
        return read_half(site, bare, data, align)  # type: ignore[arg-type]
    form = site.context.get_data_type(kind)
    return site.context.unpack_value(site.builder, kind, site.at(data, form), align)


def _array(site: Site, type_: CArray, data: Any, dialect: str, kind: Any) -> Any:
    extent, *inner = type_.shape
    part = CArray(type_.element, tuple(inner)) if inner else type_.element
    step = compute(part, find_dialect(dialect)).size
    items = [from_storage(site, part, site.shift(data, i * step), dialect) for i in range(extent)]
    return site.context.make_tuple(site.builder, kind, items)
