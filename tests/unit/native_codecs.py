"""Codecs, classes and plans in one line each, for the tests of the compiled core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from samebytes import _native
from samebytes._native import Codec, Field, Plan, Record, Value

_native.set_route(np.ndarray, "numpy")
_native.set_route(bytearray, "buffer")

# kind -> (scalar class, size in bytes)
SCALARS: dict[str, tuple[type, int]] = {
    "bool": (np.bool_, 1),
    **{
        f"{sign}int{bits}": (getattr(np, f"{sign}int{bits}"), bits // 8)
        for sign in ("", "u")
        for bits in (8, 16, 32, 64)
    },
    "float16": (np.float16, 2),
    "bfloat16": (ml_dtypes.bfloat16, 2),
    "float32": (np.float32, 4),
    "float64": (np.float64, 8),
    "float8e4m3": (ml_dtypes.float8_e4m3fn, 1),
    "float8e5m2": (ml_dtypes.float8_e5m2, 1),
    "complex64": (np.complex64, 8),
    "complex128": (np.complex128, 16),
}


def number(kind: str, align: int = 0) -> Codec:
    """The codec of a number."""
    scalar, size = SCALARS[kind]
    return Codec(kind, size=size, align=align or min(size, 8), type=kind, scalar=scalar)


INT32, INT64, FLOAT32, FLOAT64 = number("int32"), number("int64"), number("float32"), number("float64")
UINT64, BOOL, INT8 = number("uint64"), number("bool"), number("int8")
TEXT = Codec("string", size=8, align=8)


def pointer(element: Codec | None = FLOAT64, **options: Any) -> Codec:
    """A pointer; to double unless told otherwise."""
    dtype = np.dtype(element.type) if element and element.type in SCALARS else None
    return Codec("pointer", size=8, align=8, element=element, dtype=dtype, **options)


def array(ndim: int, **options: Any) -> Codec:
    """A descriptor of doubles."""
    return Codec(
        "array", size=8 + 16 * ndim, align=8, element=FLOAT64, dtype=np.dtype("d"), ndim=ndim, **options
    )


def make_class(
    base: type[Value] | type[Record], size: int, fields: dict[str, tuple[Any, ...]], align: int = 8
) -> Any:
    """A class with fields `name: (offset, codec[, bit_offset, bit_width])`, and its codec."""
    full = [(name, f[0], f[1], *(f[2:] or (0, 0))) for name, f in fields.items()]
    body: dict[str, Any] = {"__slots__": ()}
    body |= {name: Field(name, codec, offset, *bits) for name, offset, codec, *bits in full}
    body["__samebytes_readonly__"] = classmethod(_readonly)
    body["__samebytes_convert__"] = classmethod(_no_conversion)
    body["__samebytes_convert_field__"] = classmethod(_no_conversion)
    made: Any = type(f"{base.__name__}Class", (base,), body)
    made.__samebytes_codec__ = Codec(
        "struct", size=size, align=align, type=made, python=made, fields=tuple(full)
    )
    return made


def _readonly(cls: type, name: str) -> None:
    raise AttributeError(f"{name} is read-only here")


def _no_conversion(cls: type, *args: Any) -> Any:
    raise TypeError(f"cannot convert {args}")


def make_pair(base: type[Value] | type[Record]) -> Any:
    """native_shims.cpp's Pair: an int32 `a` and a double `b` after four bytes of padding."""
    return make_class(base, 16, {"a": (0, INT32), "b": (8, FLOAT64)})


class Refused(Exception):
    """What the plans of these tests raise; its arguments are explain()'s."""


def explain(args: tuple[Any, ...], kwargs: dict[str, Any], candidate: int) -> Any:
    raise Refused(args, kwargs, candidate)


def no_fallback(candidate: int, argument: int, obj: Any) -> None:
    return None


def no_resolve(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[int, bool]:
    raise AssertionError("resolve() is for several candidates")


def candidate(
    address: int, *inputs: Codec | tuple[Codec, int], result: Codec | None = None, **changes: Any
) -> Any:
    """A candidate whose inputs, `codec` or `(codec, flags)`, are the C++ parameters in order."""
    offset, slots = 0, []
    pairs = [item if isinstance(item, tuple) else (item, 0) for item in inputs]

    def place(codec: Codec) -> int:
        nonlocal offset
        start = -(-offset // codec.align) * codec.align
        offset = start + codec.size
        return start

    for i, (codec, flags) in enumerate(pairs):
        slots.append((i, codec, place(codec), flags))
    described = {
        "address": address,
        "names": tuple(f"x{i}" for i in range(len(pairs))),
        "inputs": tuple(slots),
        "outputs": (),
        "result": (result, place(result)) if result else None,
        "argv": len(pairs),
        "frame_align": max([16, *(codec.align for codec, _ in pairs)]),
        "nogil": False,
    }
    return described | {"frame_size": max(offset, 1)} | changes


def plan(
    *candidates: Any,
    name: str = "f",
    doc: str | None = None,
    fallback: Callable[..., Any] = no_fallback,
    explain: Callable[..., Any] = explain,
    resolve: Callable[..., Any] = no_resolve,
    reduce: tuple[Any, ...] | None = None,
) -> Plan:
    return Plan(name, doc, "tests.module", candidates, fallback, explain, resolve, reduce)


def function(*args: Any, **options: Any) -> Callable[..., Any]:
    """The builtin function of a plan with these candidates."""
    return plan(*args, **options).function
