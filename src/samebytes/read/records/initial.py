"""What an object is that C++ makes without arguments, found by the parser: its members' initial values, as bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from ...layouts import FieldLayout, compute
from ...layouts.dialects import find_dialect
from ...types import (
    COMPONENTS,
    SCALARS,
    ByKind,
    CArray,
    Enum,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
    unqualified,
)

_REAL: dict[Type, Scalar] = {
    SCALARS["complex64"]: SCALARS["float32"],
    SCALARS["complex128"]: SCALARS["float64"],
}
# The parser is asked about each number: a class of more members than these is left to code of C++'s.
_MOST = 1024

Ask = Callable[..., int | None]
# How C++ names a number in an object, what it is, its field, and its offset.
Place = tuple[str, Type, FieldLayout | None, int]


def initial_bytes(struct: Struct, dialect: str, ask: Ask) -> tuple[int, ...] | None:
    """The bytes of ``T{}``; empty where all are zero, None where the parser does not know them.

    Parameters
    ----------
    ask : callable
        ``questions.ask``: what is asked for the first time has no answer yet.
    """
    table = find_dialect(dialect)
    data, known, unknown = bytearray(compute(struct, table).size), set[int](), list[range]()
    places = list(islice(_places("", struct, None, 0, dialect), _MOST + 1))
    if len(places) > _MOST:
        return None
    for name, type_, field, offset in places:
        size = compute(type_, table).size
        first = 8 * offset + (field.bit_offset if field else 0)
        width = (field.bit_width if field else 0) or 8 * size
        number = _NUMBER.get(type(type_))
        value = number(ask, struct.spelling, name, type_, size) if number else None
        bits = range(first, first + width)
        if value is None:  # of members that share their bytes one has a value
            unknown.append(bits)
            continue
        known.update(bits)
        for bit in bits:
            data[bit // 8] |= (value >> (bit - first) & 1) << bit % 8
    if any(known.isdisjoint(bits) for bits in unknown):
        return None
    return tuple(data) if any(data) else ()


def _places(name: str, type_: Type, field: FieldLayout | None, offset: int, dialect: str) -> Iterator[Place]:
    """The numbers and addresses in a value."""
    type_ = unqualified(type_)
    table = find_dialect(dialect)
    if isinstance(type_, Struct) and type_.complete:
        for inner in compute(type_, table).fields:
            yield from _places(f"{name}.{inner.name}", inner.type, inner, offset + inner.offset, dialect)
    elif isinstance(type_, CArray):
        element, step = type_.element, compute(type_.element, table).size
        for number in range(type_.count):
            indices, rest = "", number
            for extent in reversed(type_.shape):
                indices, rest = f"[{rest % extent}]{indices}", rest // extent
            yield from _places(f"{name}{indices}", element, None, offset + number * step, dialect)
    elif isinstance(type_, Vector):
        size = compute(type_.element, table).size
        for number, component in enumerate(COMPONENTS[: type_.size]):
            yield from _places(f"{name}.{component}", type_.element, None, offset + number * size, dialect)
    elif type_ in _REAL:
        part = _REAL[type_]
        for number, method in enumerate(("real", "imag")):
            yield f"{name}.{method}()", part, None, offset + number * part.size
    else:
        yield name, type_, field, offset


def _number(ask: Ask, spelling: str, name: str, type_: Type, size: int) -> int | None:
    kind = getattr(type_, "kind", "int")
    form = f"value of {8 * size} bits" if kind == "float" else "value"
    return ask(form, spelling, name)


def _address(ask: Ask, spelling: str, name: str, type_: Type, size: int) -> int | None:
    return 0 if ask("null", spelling, name) else None


_NUMBER: ByKind[Callable[[Ask, str, str, Type, int], int | None]] = ByKind(
    "read: the initial value of a member",
    {Scalar: _number, Enum: _number, Pointer: _address},
    others="the parser knows no number for it",
)
