"""What an array or pointer parameter takes, why it refuses, and the bytes it becomes."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _native
from .conversion import Packed, convert, dtype_fits, register
from .dialects import layout
from .errors import ArgumentError, ArrayError, Mismatch, ProtocolError, value_words
from .protocols import view
from .types import CHAR, SCALARS, VOID, Array, CArray, Named, Pointer, Scalar, Struct, Type
from .values.reading import register_value_reader
from .view import HOST, ArrayView

_ADDRESS = struct.Struct("P")
_WORDS = struct.Struct("q")

# Element types that serve for a C++ char: text is stored in either.
_CHAR_LIKE = frozenset({CHAR, SCALARS["int8"], SCALARS["uint8"]})


def _extents_words(ndim: int) -> str:
    return "[" + ", ".join("nmkl"[d] if d < 4 else f"n{d}" for d in range(ndim)) + "]"


def _shape_words(shape: tuple[int, ...]) -> str:
    return "[" + ", ".join(map(str, shape)) + "]"


def _got_words(obj: Any, seen: ArrayView) -> str:
    kind = type(obj)
    name = (
        f"{kind.__module__.partition('.')[0]}.{kind.__qualname__}"
        if kind.__module__ != "builtins"
        else kind.__qualname__
    )
    only = "read-only " if seen.readonly else ""
    return f"{only}{seen.dtype_name}{_shape_words(seen.shape)} in {seen.device} ({name}, via {seen.protocol})"


def _same_element(element: Type, seen: ArrayView, dialect: str) -> bool:
    if element == VOID or (seen.type is not None and seen.type == element):
        return True
    if element == CHAR:
        return seen.type in _CHAR_LIKE
    if isinstance(seen.dtype, np.dtype):
        return dtype_fits(element, seen.dtype, dialect)
    return False


@dataclass(frozen=True, slots=True)
class _Need:
    """What a parameter asks of an array; `ndim` is None where any rank will do."""

    element: Type
    ndim: int | None
    const: bool
    contiguous: bool
    dialect: str
    words: str


def _wrong_element(need: _Need, seen: ArrayView) -> str:
    if _same_element(need.element, seen, need.dialect):
        return ""
    if seen.dtype is not None and not seen.dtype.isnative:
        return 'x.astype(x.dtype.newbyteorder("=")) makes a copy in this machine\'s byte order'
    if isinstance(need.element, Scalar) and need.element != CHAR:
        return f'x.astype("{need.element}") makes a converted copy'
    return f"the elements must be {need.element}"


def _wrong_rank(need: _Need, seen: ArrayView) -> str:
    if need.ndim is None or seen.ndim == need.ndim:
        return ""
    plural = "s" if need.ndim != 1 else ""
    return f"pass an array of {need.ndim} dimension{plural}, not {seen.ndim}; reshape() or index it"


def _wrong_device(need: _Need, seen: ArrayView) -> str:
    return "" if seen.device.is_host else "copy it to the host first"


def _wrong_access(need: _Need, seen: ArrayView) -> str:
    return (
        ""
        if need.const or not seen.readonly
        else "C++ may write to it: pass a writable array, or declare the parameter const"
    )


def _wrong_alignment(need: _Need, seen: ArrayView) -> str:
    align = 1 if need.element == VOID else layout(need.element, need.dialect).align
    misplaced = [seen.ptr, *(s for s, n in zip(seen.byte_strides, seen.shape, strict=True) if n > 1)]
    if seen.size == 0 or all(place % align == 0 for place in misplaced):
        return ""
    return f"its elements are not aligned to {align} bytes; x.copy() makes an aligned copy"


def _wrong_strides(need: _Need, seen: ArrayView) -> str:
    if need.contiguous and not seen.contiguous:
        return "it is not contiguous in C order; numpy.ascontiguousarray(x) makes a contiguous copy"
    if not seen.divisible:
        return f"its strides {seen.byte_strides} are no multiples of the {seen.itemsize}-byte element; x.copy() helps"
    return ""


_CHECKS: tuple[Callable[[_Need, ArrayView], str], ...] = (
    _wrong_element, _wrong_rank, _wrong_device, _wrong_access, _wrong_alignment, _wrong_strides,
)  # fmt: skip


def _checked_view(need: _Need, obj: Any) -> ArrayView:
    """The object's view if it meets the need, else a Mismatch that names every reason."""
    try:
        seen = view(obj)
    except ProtocolError as error:
        raise _no_array(need, obj, error) from error
    reasons = [reason for check in _CHECKS if (reason := check(need, seen))]
    if reasons:
        raise Mismatch(ArrayError, need.words, _got_words(obj, seen), "; ".join(reasons))
    return seen


def _no_array(need: _Need, obj: Any, error: ProtocolError) -> Mismatch:
    if isinstance(obj, list | tuple):
        dtype = f', dtype="{need.element}"' if isinstance(need.element, Scalar) else ""
        return Mismatch(
            ArgumentError,
            need.words,
            f"a {type(obj).__name__}",
            f"numpy.array(x{dtype}) makes an array of it",
        )
    spoken = any(hasattr(obj, name) for name in ("__dlpack__", "__array_interface__"))
    return Mismatch(
        ProtocolError if spoken else ArgumentError, need.words, value_words(obj), str(error) if spoken else ""
    )


def array_rule(type_: Array, obj: Any, dialect: str) -> Packed:
    """The descriptor of an array: address, shape, and strides in elements."""
    spelled = f"samebytes::array<{'const ' if type_.const else ''}{type_.element}, {type_.ndim}>"
    words = f"{type_.element}{_extents_words(type_.ndim)} in host memory ({spelled})"
    seen = _checked_view(_Need(type_.element, type_.ndim, type_.const, False, dialect, words), obj)
    numbers = [*seen.shape, *seen.strides]
    return Packed(_ADDRESS.pack(seen.ptr) + b"".join(map(_WORDS.pack, numbers)), (seen,))


def _pointee_words(type_: Pointer) -> str:
    spelled = f"{'const ' if type_.const else ''}{type_.target}*"
    if isinstance(type_.target, Struct | Named):
        return f"a {type_.target} record, a Pointer or None ({spelled})"
    return f"contiguous {type_.target}[n] in host memory, a Pointer or None ({spelled})"


def pointer_rule(type_: Pointer, obj: Any, dialect: str) -> Packed:
    """The address that an argument stands for."""
    if obj is None:
        return Packed(_ADDRESS.pack(0))
    if isinstance(obj, _native.Pointer):
        return Packed(_ADDRESS.pack(obj.address), (obj,))
    if type_.is_string and isinstance(obj, str | bytes):
        return _text(obj)
    words = _pointee_words(type_)
    if isinstance(obj, int | np.integer) and not type_.const:
        raise Mismatch(
            ArgumentError, words, value_words(obj), "sb.Pointer(address) says that a number is an address"
        )
    target = type_.target
    if isinstance(obj, _native.Record) and (target == VOID or _is_record_of(target, obj)):
        return Packed(_ADDRESS.pack(obj._address), (obj,))
    if type_.const and target != VOID:
        held = _one_value(target, obj, dialect)
        if held is not None:
            return Packed(_ADDRESS.pack(held.__array_interface__["data"][0]), (held,))
    if isinstance(obj, _native.Value):
        raise Mismatch(
            ArgumentError,
            words,
            value_words(obj),
            "C++ may write through it, and the value is immutable: pass a record",
        )
    if isinstance(target, Pointer | Named):
        raise Mismatch(ArgumentError, words, value_words(obj), "")
    element = target.element if isinstance(target, CArray) else target
    seen = _checked_view(_Need(element, None, type_.const, True, dialect, words), obj)
    if isinstance(target, CArray):
        _check_rows(target, seen, obj, words)
    return Packed(_ADDRESS.pack(seen.ptr), (seen,))


def _check_rows(target: CArray, seen: ArrayView, obj: Any, words: str) -> None:
    if seen.shape[-len(target.shape) :] != target.shape:
        rows = "[n, " + ", ".join(map(str, target.shape)) + "]"
        raise Mismatch(ArrayError, words, _got_words(obj, seen), f"the shape must be {rows}")


def _is_record_of(target: Type, record: Any) -> bool:
    described = type(record).__samebytes_type__
    if isinstance(target, Named):  # a record may point to itself, or to one that is declared later
        return bool(described.name == target.name)
    return isinstance(target, Struct) and bool(described == target)


def _one_value(target: Type, obj: Any, dialect: str) -> np.ndarray[Any, Any] | None:
    """Storage with one converted value, if the object is one value of the target type."""
    if isinstance(obj, np.ndarray) and obj.ndim:
        return None
    try:
        data = convert(target, obj, dialect).data
    except Mismatch:
        return None
    facts = layout(target, dialect)
    room = np.zeros(facts.size + facts.align, np.uint8)
    start = -room.__array_interface__["data"][0] % facts.align
    held = room[start : start + facts.size]
    held[:] = np.frombuffer(data, np.uint8)
    return held


def _text(text: str | bytes) -> Packed:
    data = text.encode() if isinstance(text, str) else text
    if b"\0" in data:
        raise Mismatch(ArgumentError, "text without a NUL character (const char*)", value_words(text))
    held = np.frombuffer(data + b"\0", np.uint8)
    return Packed(_ADDRESS.pack(held.__array_interface__["data"][0]), (held,))


def read_array(type_: Array, data: Any, offset: int, owner: Any) -> ArrayView:
    """The array that a descriptor inside a value describes; its elements live as long as the view."""
    numbers = struct.unpack_from(f"P{type_.ndim}Q{type_.ndim}q", data, offset)
    facts = layout(type_.element)
    return ArrayView(
        type=type_.element,
        dtype_name=str(type_.element),
        ptr=numbers[0],
        shape=numbers[1 : 1 + type_.ndim],
        byte_strides=tuple(stride * facts.size for stride in numbers[1 + type_.ndim :]),
        itemsize=facts.size,
        device=HOST,
        readonly=type_.const,
        protocol="descriptor",
        owner=owner,
    )


register(Array, array_rule)
register_value_reader(Array, read_array)
register(Pointer, pointer_rule)
