"""Numba's equivalent of each type of C++, by a rule for each kind of type; and of a struct, its record."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from numba import from_dtype, types
from numba.core.errors import NumbaError

from ...errors import ArgumentError, LayoutError, Mismatch
from ...layouts import compute
from ...layouts.dialects import find_dialect
from ...layouts.mirrors import mirror
from ...types import (
    COMPONENTS,
    SCALARS,
    VOID,
    ByKind,
    CArray,
    Converted,
    Enum,
    Handle,
    Held,
    Pointer,
    Product,
    Scalar,
    Struct,
    Tuple,
    Type,
    Vector,
    unqualified,
)
from ..compiler import NumbaCompiler
from .fixed import Fixed, fixed
from .kinds import ConstPointerType, ElementType, HandleType, StructType, VectorType

_SMALL = frozenset({"float16", "bfloat16", "float8e4m3", "float8e5m2"})
_SMALLEST = frozenset(
    {"float8e4m3", "float8e5m2"}
)  # with which GPUs compute as little as CPUs with all these
_NAMES = {"bool": "boolean", "char": "int8"}


def scalar_type(scalar: Scalar, dialect: str = "cxx") -> Any:
    """Numba's number of the same format.

    Raises
    ------
    Mismatch
        If Numba has none.
    """
    if dialect == "cuda" and scalar.name in _SMALL:
        return _small(scalar.name)
    if scalar.name in _SMALL:
        return types.float32  # which holds all of them: see ``lowering.halves``
    found = getattr(types, _NAMES.get(scalar.name, scalar.name), None)
    if not isinstance(found, types.Boolean | types.Number):
        raise Mismatch(ArgumentError, "a number that Numba knows", str(scalar), "")
    return found


@cache
def _scalars(dialect: str) -> dict[Any, Scalar]:
    """What formats Numba's numbers have; small floats are float32 on CPUs, which is a format itself."""
    known = [s for s in SCALARS.values() if s.name != "char" and (dialect == "cuda" or s.name not in _SMALL)]
    return {scalar_type(scalar, dialect): scalar for scalar in known}


def scalar_of(kind: Any, dialect: str) -> Scalar | None:
    """The format of one of Numba's numbers; None of anything else."""
    return kind.scalar if isinstance(kind, Fixed) else _scalars(dialect).get(kind)


def _small(name: str) -> Any:
    from numba.cuda import types as device
    from numba.cuda._internal import cuda_fp8

    return {
        "float16": device.float16, "bfloat16": device.bfloat16,
        "float8e4m3": cuda_fp8._type_fp8_e4m3, "float8e5m2": cuda_fp8._type_fp8_e5m2,
    }[name]  # fmt: skip


def _vector(type_: Vector, dialect: str) -> Any:
    if dialect == "cuda":
        from numba.cuda.vector_types import vector_types

        if str(type_) in vector_types:
            return vector_types[str(type_)]
    return vector_type(type_, dialect)


def vector_of(kind: Any) -> Vector | None:
    """The vector that one of Numba's types is, ours or that of numba-cuda; None for others."""
    if isinstance(kind, VectorType):
        return kind.vector
    if not hasattr(kind, "num_elements") or not hasattr(kind, "base_type"):
        return None
    return Vector(SCALARS[kind.name.rpartition("x")[0]], kind.num_elements)


def vector_classes(compiler: NumbaCompiler) -> tuple[Any, ...]:
    """The classes of the types of vectors: ours and, on GPUs, numba-cuda's."""
    if not compiler.cuda:
        return (VectorType,)
    from numba.cuda.vector_types import VectorType as Theirs

    return VectorType, Theirs


def concrete_classes(cls: Any) -> set[Any]:
    """The classes that types of such a class have: in numba-cuda each type has its own."""
    if cls is VectorType:
        return {cls}
    from numba.cuda.vector_types import vector_types

    return {type(kind) for kind in vector_types.values()}


def element_of(kind: Any) -> Any:
    """Numba's type of a vector's elements: of those that are rounded float32."""
    return kind.element if isinstance(kind, VectorType) else kind.base_type


def array_element(type_: Type, dialect: str) -> Any:
    """Numba's type of the elements of arrays of a type: of floats that it lacks the fixed-format number.

    Raises
    ------
    Mismatch
        If compiled code has no such values.
    """
    narrow = _SMALLEST if dialect == "cuda" else _SMALL
    return fixed(type_) if isinstance(type_, Scalar) and type_.name in narrow else numba_type(type_, dialect)


def item_of(kind: Any) -> Any:
    """The type that reading an element of a vector gives: of its format, with the same register as the element."""
    return kind.item if isinstance(kind, VectorType) else fixed(SCALARS[str(kind.base_type)])


def _enum(type_: Enum, dialect: str) -> Any:
    if type_.python is None:
        return scalar_type(type_.underlying, dialect)
    return types.IntEnumMember(type_.python, enum_number(type_))


def enum_number(type_: Enum) -> Any:
    """The number that Numba takes an enumerator for."""
    wide = type_.underlying.kind == "uint" and type_.underlying.size == 8
    return types.uint64 if wide else types.int64


def _pointer(type_: Pointer, dialect: str) -> Any:
    small = isinstance(type_.target, Scalar) and type_.target.name in _SMALL and dialect != "cuda"
    if type_.target == VOID or small or isinstance(type_.target, Handle):
        return types.voidptr
    try:
        found = numba_type(type_.target, dialect)
        return ConstPointerType(found) if type_.const else types.CPointer(found)
    except (Mismatch, KeyError):
        return types.voidptr


def _carray(type_: CArray, dialect: str) -> Any:
    made = numba_type(type_.element, dialect)
    for extent in reversed(type_.shape):
        made = types.UniTuple(made, extent)
    return made


def _product(type_: Product | Tuple, dialect: str) -> Any:
    return types.Tuple([numba_type(t, dialect) for t in type_.elements])


def _handle(type_: Handle, dialect: str) -> Any:
    if dialect == "cuda":
        raise Mismatch(ArgumentError, "a type that compiled code has", str(type_), "")
    return HandleType(struct_type(type_, dialect, type_.python))


def _held(type_: Held, dialect: str) -> Any:
    if isinstance(type_.type, Product | Converted):
        return numba_type(type_.type, dialect)
    words = f"{type_}, which points into an argument"
    raise Mismatch(ArgumentError, "a type that compiled code has", words, "")


@cache
def struct_type(struct: Struct, dialect: str, python: Any) -> StructType:
    """The one type of a struct; ``python`` tells apart the structs of different libraries."""
    return StructType(struct, dialect)


@cache
def vector_type(vector: Vector, dialect: str) -> VectorType:
    """The one type of a vector."""
    rounded = vector.element.name in (_SMALLEST if dialect == "cuda" else _SMALL)
    element = types.float32 if rounded else scalar_type(vector.element, dialect)
    native = vector.element.name in _SMALL and not rounded  # numba-cuda's own compute in their format
    return VectorType(vector, element, element if native else fixed(vector.element), rounded)


_RULES: ByKind[Callable[[Any, str], Any]] = ByKind(
    "compiled: Numba's type of a type",
    {
        Scalar: scalar_type,
        Enum: _enum,
        Pointer: _pointer,
        Struct: lambda type_, dialect: struct_type(type_, dialect, type_.python),
        Vector: _vector,
        CArray: _carray,
        Product: _product,
        Tuple: _product,
        Handle: _handle,
        Held: _held,
    },
    others="compiled code has none",
)


def numba_type(type_: Type, dialect: str) -> Any:
    """Numba's type of a value of C++.

    Raises
    ------
    Mismatch
        If compiled code has no such values.
    """
    if type_ == VOID:
        return types.void
    bare = unqualified(type_)
    rule = _RULES.get(type(bare))
    if rule is None:
        words = bare.words if isinstance(bare, Converted) else str(bare)
        raise Mismatch(ArgumentError, "a type that compiled code has", words, "")
    return rule(bare, dialect)


@cache
def mirrored(struct: StructType) -> Any:
    """Numba's own record with the struct's layout, as elements of structured arrays are; None if there is none."""
    try:
        return mirror(struct.struct, "numba", struct.dialect)
    except LayoutError:
        return _less_aligned(struct)


def _less_aligned(struct: StructType) -> Any:
    """The record of a struct that is aligned more than any of its fields: the same bytes, wherever an array begins."""
    try:
        dtype = mirror(struct.struct, "numpy", struct.dialect)
    except LayoutError:
        return None
    try:
        return from_dtype(dtype)
    # An AttributeError is a mistake of Numba's own, at arrays of bools in a record.
    except (NumbaError, NotImplementedError, AttributeError):
        return None


def element_type(struct: StructType) -> Any:
    """The elements of an array of a struct; None where Numba has no record with the struct's layout."""
    record = mirrored(struct)
    return ElementType(struct, record) if record is not None else None


@cache
def vector_record(vector: Vector, dialect: str) -> Any:
    """Numba's record for the elements of arrays of a vector; None where it has none."""
    try:
        lacks = dialect == "cuda" and vector.element.name in _SMALL
        return None if lacks else from_dtype(mirror(vector, "numpy", dialect))
    except (NumbaError, NotImplementedError):
        return None


def is_mirror(record: Any, struct: StructType) -> bool:
    """Whether Numba's record lies in memory as the struct does."""
    found = mirrored(struct)
    return found is not None and (found == record or _same_fields(found, record))


def is_vector_mirror(record: Any, vector: Vector, dialect: str) -> bool:
    """Whether Numba's record, as NumPy's dtype of a vector makes it, lies in memory as the vector does."""
    element, layout = array_element(vector.element, dialect), compute(vector, find_dialect(dialect))
    rows = [(n, vector.element.size * i, element) for i, n in enumerate(COMPONENTS[: vector.size])]
    return [(n, f.offset, f.type) for n, f in record.fields.items()] == rows and record.size == layout.size


def _same_fields(one: Any, other: Any) -> bool:
    rows = [[(n, f.offset, f.type) for n, f in r.fields.items()] for r in (one, other)]
    return rows[0] == rows[1] and one.size == other.size and bool(other.aligned)
