"""Mirror warp: structs of NVIDIA Warp, with padding written out where Warp would put the next field elsewhere."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

from ...errors import MissingDependency
from ...types import (
    SCALARS,
    Aligned,
    Atomic,
    ByKind,
    CArray,
    Const,
    Enum,
    Extent,
    Field,
    Scalar,
    Struct,
    Type,
    Vector,
)
from .. import Layout, compute, round_up
from ..dialects import Dialect
from .base import Mirror, refused, unreadable

# Warp has the same names, and no complex numbers, no 8-bit floats.
_NUMBERS = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
    "float32", "float64",
)  # fmt: skip
_PADDING = "_padding_"
# Where memory begins that is aligned more than Warp asks for: which never asks for more than a number.
_ALIGN = "_samebytes_align_"


def _warp() -> Any:
    try:
        import warp
    except ImportError:
        raise MissingDependency("NVIDIA Warp is not installed: pip install warp-lang") from None
    return warp


def _number(type_: Scalar, dialect: Dialect) -> Any:
    found = getattr(_warp(), type_.name, None) if type_.name in _NUMBERS else None
    if found is None:
        raise refused("warp", type_, "Warp has no such number")
    return found


def _carray(type_: CArray, dialect: Dialect) -> Any:
    element, shape = type_.element, type_.shape
    if isinstance(element, Vector):
        element, shape = element.element, (*shape, element.size)
    if not isinstance(element, Scalar) or len(shape) > 2 or type_.element == SCALARS["bool"]:
        raise refused("warp", type_, "Warp's structs hold vectors and matrices of numbers")
    number, types = make(element, dialect), _warp().types
    return types.vector(shape[0], number) if len(shape) == 1 else types.matrix(shape, number)


def _vector(type_: Vector, dialect: Dialect) -> Any:
    return _warp().types.vector(type_.size, make(type_.element, dialect))


def _struct(type_: Struct, dialect: Dialect) -> Any:
    if not type_.complete:
        raise refused("warp", type_, "it has members that Python does not see")
    return _made(type_, type_.python, dialect)


@cache  # a struct is the same type to Warp only if it is the same object
def _made(type_: Struct, python: Any, dialect: Dialect) -> Any:
    layout = compute(type_, dialect)
    if any(place.bit_width for place in layout.fields):
        raise refused("warp", type_, "Warp has no bit-fields")
    module = getattr(python, "__module__", None) or "samebytes"
    return _structure(type_, type_.short_name, layout, dialect, module)


def _structure(type_: Type, name: str, layout: Layout, dialect: Dialect, module: str) -> Any:
    warp = _warp()
    hints: dict[str, Any] = {}
    end = own = 0

    def pad(upto: int) -> None:
        # A field of a type that Warp would put there itself is shorter than bytes, and never between two numbers.
        hints[f"{_PADDING}{end}"] = warp.types.vector(upto - end, warp.uint8)

    for place in layout.fields:
        if place.offset < end:
            raise refused("warp", type_, "Warp has no unions")
        made = make(place.type, dialect)
        align = _alignment(made)
        if place.offset % align:
            raise refused("warp", type_, f"Warp aligns {place.name!r} to {align} bytes")
        if round_up(end, align) != place.offset:
            pad(place.offset)
        hints[place.name] = made
        end, own = place.offset + place.size, max(own, align)
    if round_up(end, own or 1) < layout.size:
        pad(layout.size)
    body = {
        "__annotations__": hints,
        "__module__": module,
        "__doc__": f"``{name}`` as samebytes lays it out.",
    }
    made = warp.struct(type(name, (), body))
    if layout.align != own:
        setattr(made, _ALIGN, layout.align)
    return made


def _around(type_: Aligned | Atomic, dialect: Dialect) -> Any:
    inner, layout = make(type_.type, dialect), compute(type_, dialect)
    if layout.size == compute(type_.type, dialect).size:
        return inner
    raise refused("warp", type_, "Warp aligns numbers as C does: a struct's field may be wider")


def make(type_: Type, dialect: Dialect) -> Any:
    """Warp's type of a type in a dialect."""
    rule = _RULES.get(type(type_))
    if rule is None:
        raise refused("warp", type_, _REASONS.get(type(type_).__name__, "Warp has none"))
    return rule(type_, dialect)


_REASONS = {
    "Array": "Warp's arrays are structs of their own, with the gradients' address",
    "Pointer": "Warp has no pointers",
    "Tuple": "Warp has no tuples in structs",
}
_RULES: ByKind[Callable[[Any, Dialect], Any]] = ByKind(
    "layouts: the type of NVIDIA Warp of a type",
    {
        Scalar: _number,
        Enum: lambda type_, dialect: make(type_.underlying, dialect),
        Vector: _vector,
        Struct: _struct,
        CArray: _carray,
        Aligned: _around,
        Atomic: _around,
        Const: lambda type_, dialect: make(type_.type, dialect),
    },
    others="Warp has none, and the mirror refuses",
)


# --- from Warp's types ---


def _form(made: Any) -> Any:
    """The ctypes class of one of Warp's types."""
    if hasattr(made, "ctype"):
        return made.ctype
    return made if issubclass(made, ctypes.Array) else getattr(made, "_type_", ctypes.c_bool)


def _alignment(made: Any) -> int:
    return ctypes.alignment(_form(made))


def measure(made: Any) -> tuple[int, int, tuple[tuple[str, int], ...]]:
    """Size, alignment, and the fields' names and offsets, as Warp's own classes of ctypes say them."""
    form = _form(made)
    names = [name for name in getattr(made, "vars", ()) if not name.startswith(_PADDING)]
    align = getattr(made, _ALIGN, ctypes.alignment(form))
    return ctypes.sizeof(form), align, tuple((name, getattr(form, name).offset) for name in names)


def read(hint: Any) -> Type | None:
    """The type of one of Warp's numbers, vectors, matrices or structs."""
    if hasattr(hint, "vars") and hasattr(hint, "ctype"):
        rows = [
            Field(name, _field(hint, name, var.type), getattr(hint.ctype, name).offset)
            for name, var in hint.vars.items() if not name.startswith(_PADDING)
        ]  # fmt: skip
        if not rows:
            raise unreadable(hint, "it has no fields")
        size, align, _ = measure(hint)
        return Struct(hint.key.rpartition(".")[2], tuple(rows), fixed=Extent(size, align))
    if not isinstance(hint, type):
        return None
    if issubclass(hint, ctypes.Array) and hasattr(hint, "_wp_scalar_type_"):
        return _elements(hint)
    return SCALARS[hint.__name__] if hint.__name__ in _NUMBERS else None


def _elements(hint: Any) -> Type:
    element = read(hint._wp_scalar_type_)
    if not isinstance(element, Scalar):
        raise unreadable(hint, "its elements are no numbers of ours")
    shape = tuple(hint._shape_)
    # Of three our vectors lie as Warp's; others are aligned more, and Warp's are then elements one after another.
    return Vector(element, shape[0]) if shape in ((1,), (3,)) else CArray(element, shape)


def _field(hint: Any, name: str, kind: Any) -> Type:
    found = read(kind)
    if found is None:
        raise unreadable(hint, f"its field {name!r} is none of numbers, vectors, matrices and structs")
    return found


MIRROR = Mirror("warp", ("warp",), make, read, measure)
