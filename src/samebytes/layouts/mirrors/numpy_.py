"""Mirror numpy: dtypes with explicit offsets; alignments that NumPy does not know are metadata."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...types import (
    CHAR,
    NUMPY,
    SCALARS,
    Aligned,
    Array,
    Atomic,
    ByKind,
    CArray,
    Const,
    Enum,
    Extent,
    Field,
    Pointer,
    Scalar,
    Struct,
    Tuple,
    Type,
    Vector,
    Void,
)
from .. import FieldLayout, compute, round_up
from ..dialects import Dialect
from .base import Mirror, record_name, refused, unreadable

Dtype = np.dtype[Any]

_BY_NUMPY = {NUMPY[name]: scalar for name, scalar in SCALARS.items() if name != "char"}
# NumPy has names of its own for formats of the same size: longlong is int64, too.
_BY_CODE = {(t.kind, t.size): t for t in _BY_NUMPY.values() if t.kind in ("int", "uint")}
_KINDS = {"i": "int", "u": "uint"}

_REASONS = {
    "O": "Python objects live in Python only",
    "U": "its characters have four bytes; use bytes (S) for C++'s char",
    "M": 'use x.view("int64"), the ticks',
    "m": 'use x.view("int64"), the ticks',
    "V": "its bytes have no type",
    "g": "C++'s long double has another format on each machine; x.astype(float) rounds it",
    "G": "C++'s long double has another format on each machine; x.astype(complex) rounds it",
}


# --- from types to dtypes ---


def _aligned_to(dtype: Dtype, align: int) -> Dtype:
    if dtype.alignment == align:
        return dtype
    said: Any = {"align": align}
    if dtype.names is None:
        return np.dtype(dtype, metadata=said)
    made: Dtype = np.dtype(_spec(dtype), align=dtype.isalignedstruct, metadata=said)
    return made


def _members(dtype: Dtype) -> tuple[tuple[str, Dtype, int], ...]:
    """Each field's name, dtype and offset in bytes."""
    fields: Any = dtype.fields
    return tuple((name, *fields[name][:2]) for name in dtype.names or ())


def _said_alignment(dtype: Dtype) -> int | None:
    metadata: Any = dtype.metadata or {}
    found: int | None = metadata.get("align")
    return found


def _spec(dtype: Dtype) -> Any:
    names, formats, offsets = zip(*_members(dtype), strict=True)
    return {"names": names, "formats": formats, "offsets": offsets, "itemsize": dtype.itemsize}


def _number(type_: Scalar, dialect: Dialect) -> Dtype:
    return _aligned_to(type_.dtype, compute(type_, dialect).align)


def _fields(type_: Type, dialect: Dialect) -> Dtype:
    if isinstance(type_, Struct) and not type_.complete:
        raise refused("numpy", type_, "it has members that Python does not see")
    layout = compute(type_, dialect)
    if any(place.bit_width for place in layout.fields):
        raise refused("numpy", type_, "NumPy has no bit-fields")
    return _place(layout.fields, layout.size, layout.align, dialect)


def _place(fields: tuple[FieldLayout, ...], size: int, align: int, dialect: Dialect) -> Dtype:
    spec: Any = {
        "names": [place.name for place in fields],
        "formats": [make(place.type, dialect) for place in fields],
        "offsets": [place.offset for place in fields],
        "itemsize": size,
    }
    natural = all(o % f.base.alignment == 0 for o, f in zip(spec["offsets"], spec["formats"], strict=True))
    own = max(f.base.alignment for f in spec["formats"])
    return _aligned_to(np.dtype(spec, align=natural and size % own == 0), align)


def _carray(type_: CArray, dialect: Dialect) -> Dtype:
    element = make(type_.element, dialect)
    return np.dtype(
        (element.base, type_.shape + element.shape)
    )  # an array of arrays is one of more dimensions


def _aligned(type_: Aligned, dialect: Dialect) -> Dtype:
    layout, inner = compute(type_, dialect), compute(type_.type, dialect)
    if layout.size == inner.size and layout.align == inner.align:
        return make(type_.type, dialect)
    # A wrapper of something with fields shows these; anything else is its one field.
    whole = isinstance(type_.type, Struct | Vector)
    if whole:
        make(type_.type, dialect)
    return _place(inner.fields if whole else layout.fields, layout.size, layout.align, dialect)


def _atomic(type_: Atomic, dialect: Dialect) -> Dtype:
    return _aligned_to(make(type_.type, dialect), compute(type_, dialect).align)


def _pointer(type_: Type, dialect: Dialect) -> Dtype:
    raise refused("numpy", type_, "NumPy has no pointers")


_RULES: ByKind[Callable[[Any, Dialect], Dtype]] = ByKind(
    "layouts: the NumPy dtype of a type",
    {
        Scalar: _number,
        Enum: lambda type_, dialect: make(type_.underlying, dialect),
        Vector: _fields,
        Struct: _fields,
        Tuple: _fields,
        CArray: _carray,
        Aligned: _aligned,
        Atomic: _atomic,
        Pointer: _pointer,
        Array: _pointer,
        Void: _pointer,
        Const: lambda type_, dialect: make(type_.type, dialect),
    },
    others="NumPy has none, and the mirror refuses",
)


def make(type_: Type, dialect: Dialect) -> Dtype:
    """The dtype of a type in a dialect."""
    rule = _RULES.get(type(type_))
    if rule is None:
        raise refused("numpy", type_, "its layout is not known")
    return rule(type_, dialect)


def alignment(dtype: Dtype) -> int:
    """Alignment in bytes: the metadata's where there is one, else NumPy's."""
    return _said_alignment(dtype.base) or dtype.base.alignment


def measure(dtype: Dtype) -> tuple[int, int, tuple[tuple[str, int], ...]]:
    """Size, alignment, and the fields' names and offsets."""
    return dtype.itemsize, alignment(dtype), tuple((name, offset) for name, _, offset in _members(dtype))


# --- from dtypes to types ---


def read(hint: Any) -> Type | None:
    """The type of a dtype's elements; its layout is fixed by the dtype, in every dialect."""
    if not isinstance(hint, np.dtype):
        return _scalar_class(hint)
    if hint.subdtype:
        base, shape = hint.subdtype
        if 0 in shape:
            raise unreadable(hint, "it has no elements")
        inner = read(base)
        return CArray(inner, shape) if inner else None
    if not hint.isnative:
        raise unreadable(hint, f"it is not in this machine's byte order, {hint.newbyteorder('=')!r} is")
    if hint.names:
        return _record(hint)
    if hint.kind == "S" and hint.itemsize:
        return CArray(CHAR, (hint.itemsize,))
    found = _BY_NUMPY.get(hint.type) or _BY_CODE.get((_KINDS.get(hint.kind, ""), hint.itemsize))
    if found is None:
        raise unreadable(hint, _REASONS.get(hint.char) or _REASONS.get(hint.kind, "C++ has no such number"))
    said = _said_alignment(hint) or 1
    return Aligned(found, said) if said > hint.alignment else found


def _scalar_class(hint: Any) -> Type | None:
    if not (isinstance(hint, type) and issubclass(hint, np.generic)):
        return None
    if issubclass(hint, np.flexible) or hint in (np.generic, np.number, np.integer, np.floating):
        raise unreadable(hint, "it is no format of numbers")
    return read(np.dtype(hint))


def _record(dtype: Dtype) -> Struct:
    fields, end, natural = list[Field](), 0, 1
    for name, inner, offset in sorted(_members(dtype), key=lambda member: member[2]):
        if offset < end:
            raise unreadable(dtype, f"its field {name!r} overlaps the one before")
        described = read(inner)
        assert described is not None
        fields.append(Field(name, described, offset))
        end, natural = offset + inner.itemsize, max(natural, _natural(described))
    placed = all((f.offset or 0) % _natural(f.type) == 0 for f in fields)
    fits = placed and dtype.itemsize == round_up(dtype.itemsize, natural)
    said = _said_alignment(dtype)
    extent = Extent(dtype.itemsize, (said or max(natural, dtype.alignment)) if fits else 1)
    return Struct(record_name((*fields, extent)), tuple(fields), fixed=extent)


def _natural(type_: Type) -> int:
    """The alignment that C++ gives a member, in bytes."""
    if isinstance(type_, CArray):
        return _natural(type_.element)
    if isinstance(type_, Aligned):
        return type_.align
    if isinstance(type_, Struct) and type_.fixed:
        return type_.fixed.align
    assert isinstance(type_, Scalar)
    return type_.dtype.alignment


MIRROR = Mirror("numpy", ("numpy", "ml_dtypes"), make, read, measure)
