"""Copies between arrays of a device and the host, also strided ones: gaps between elements are never written."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from ... import _native
from ...arrays.memory import bytes_of, find_memory, memory_of
from ...arrays.protocols import view
from ...arrays.view import ArrayView, Device
from ...arrays.view.indexing import place
from ...arrays.view.interfaces import dtype_here
from ...arrays.view.streams import finish
from ...errors import ArgumentError, ArrayError, value_words
from .allocation import element, span_of


def device_named(name: Any) -> Device:
    """The device of addresses alone: the first kind of a memory."""
    memory, where = find_memory(name)
    return Device(next(iter(memory.kinds.values())), memory.number(where))


def numpy_dtype(hint: Any) -> np.dtype[Any]:
    """The dtype of elements on the host.

    Raises
    ------
    ArrayError
        If NumPy has none.
    """
    found = element(hint)
    if found[4] is None:
        raise ArrayError(f"NumPy has no dtype for {found[1]} elements")
    dtype: np.dtype[Any] = found[4]
    return dtype


def words_for(seen: ArrayView) -> Any:
    """What makes an array of the same elements."""
    return seen.type if seen.type is not None else dtype_here(seen)


def _host_dtype(seen: ArrayView) -> np.dtype[Any]:
    return dtype_here(seen) or np.dtype(f"V{seen.itemsize}")


def to_host(seen: ArrayView, out: Any = None) -> np.ndarray[Any, Any]:
    """The elements in a NumPy array."""
    dtype = _host_dtype(seen)
    raw = np.dtype(f"V{seen.itemsize}")
    low, nbytes = bytes_of(seen)
    room = np.empty(nbytes, np.uint8)
    if nbytes:
        finish(seen.stream, seen.device)
        memory_of(seen.device).read(span_of(seen), room)
    shown: np.ndarray[Any, Any] = np.ndarray(
        seen.shape, raw, room if nbytes else None, seen.ptr - low, seen.byte_strides
    )
    if out is None:
        return _as_dtype(np.array(shown, order="C"), dtype)
    if not isinstance(out, np.ndarray) or out.shape != seen.shape or out.dtype != dtype:
        raise ArrayError(f"out: expected a NumPy array {dtype}{list(seen.shape)}, got {value_words(out)}")
    if not out.flags.writeable:
        raise ArrayError("out: expected a NumPy array that can be written, got one that is read-only")
    out[...] = _as_dtype(np.array(shown), dtype)
    return out


def _as_dtype(array: np.ndarray[Any, Any], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Elements of raw bytes as those of a dtype; a sub-array's dimensions come last."""
    if dtype.subdtype is None:
        return array.view(dtype)
    base, inner = dtype.subdtype
    return np.ndarray((*array.shape, *inner), base, array.tobytes()).copy()


def from_host(seen: ArrayView, obj: Any, *, broadcast: bool = False) -> None:
    """Overwrite elements with those of an array on the host."""
    if seen.readonly:
        raise ArrayError(f"{seen!r} is read-only")
    finish(seen.stream, seen.device)
    data = _as_raw(seen, obj, broadcast)
    memory = memory_of(seen.device)
    for target, source in _runs(seen):
        row = data[source : source + target.size]
        memory.write(target, row)


def _as_raw(seen: ArrayView, obj: Any, broadcast: bool) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The bytes of the elements in C order."""
    dtype = _host_dtype(seen)
    base, inner = dtype.subdtype or (dtype, ())
    shape = (*seen.shape, *inner)
    array = elements_of(obj, base) if _is_plain(obj) else to_host_array(obj)
    if array.dtype != base:
        advice = f"x.astype({str(base)!r}) converts"
        raise ArrayError(f"expected {base} elements, got {array.dtype}; {advice}")
    if broadcast:
        array = _broadcast(array, shape)
    if array.shape != shape:
        raise ArrayError(f"expected shape {shape}, got {array.shape}")
    raw = array.view(np.dtype(f"V{base.itemsize}"))  # the bytes between fields, too
    return np.frombuffer(raw.tobytes(), np.uint8)


def _broadcast(array: np.ndarray[Any, Any], shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise ArrayError(f"expected shape {shape}, or one that extends to it, got {array.shape}") from None


def _is_plain(obj: Any) -> bool:
    """Whether an object is Python's own values, whose elements have no dtype yet."""
    return not hasattr(obj, "dtype") or isinstance(obj, _native.Value | _native.Record)


def elements_of(obj: Any, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Numbers, texts, records and nested lists of them as an array of a dtype; no value changes but by rounding.

    Raises
    ------
    ArrayError
        If one does not fit, or is of another kind: a fraction is no integer.
    """
    try:
        with np.errstate(over="raise"):
            made: np.ndarray[Any, Any] = np.asarray(obj, dtype)
        fits = isinstance(obj, _native.Value | _native.Record) or _fit(obj, dtype)
    except (TypeError, ValueError, ArithmeticError) as error:
        raise ArrayError(f"expected {dtype} elements, got {value_words(obj)}: {error}") from None
    if not fits:
        raise ArrayError(f"expected {dtype} elements, got {value_words(obj)}, which has others")
    return made


# Elements of which NumPy makes those of a dtype without dropping anything, or with an error, by the dtype's kind.
_TAKEN: dict[str, tuple[type, ...]] = {
    "b": (bool, np.bool_),
    "i": (int, np.integer),
    "u": (int, np.integer),
    "f": (int, float, np.integer, np.floating),
    "c": (int, float, complex, np.number),
    "S": (bytes,),
    "U": (str,),
}
_LETTER = {"S": 1, "U": 4}  # bytes


def _fit(obj: Any, dtype: np.dtype[Any]) -> bool:
    dtype = dtype.base
    if dtype.names is not None and isinstance(obj, tuple):
        return all(_fit(item, dtype[name]) for item, name in zip(obj, dtype.names, strict=True))
    if dtype.names is not None and isinstance(obj, list):
        return all(_fit(item, dtype) for item in obj)
    taken = _TAKEN.get(dtype.kind)
    if taken is None:
        return True
    items: list[Any] = list(np.asarray(obj, object).flat)
    if not all(isinstance(item, taken) for item in items):
        return False
    letter = _LETTER.get(dtype.kind)
    return letter is None or all(len(item) * letter <= dtype.itemsize for item in items)


def host_copy(obj: Any, dtype: Any) -> np.ndarray[Any, Any]:
    """An array, or Python's values, as NumPy's array; of that dtype, if one is named."""
    wanted = None if dtype is None else numpy_dtype(dtype)
    if wanted is not None and _is_plain(obj):
        return elements_of(obj, wanted)
    try:
        return np.asarray(obj, wanted)
    except (TypeError, ValueError, OverflowError) as error:
        raise ArrayError(f"expected an array on the host, got {value_words(obj)}: {error}") from None


def to_host_array(obj: Any) -> np.ndarray[Any, Any]:
    """Any array of the host as NumPy's."""
    if isinstance(obj, np.ndarray | np.generic):
        return np.asarray(obj)
    seen = view(obj)
    if not seen.device.is_host:
        raise ArgumentError(f"expected an array on the host, got {seen!r}: copy_to_host() makes one")
    return np.asarray(seen)


def _runs(seen: ArrayView) -> Iterator[tuple[ArrayView, int]]:
    """Spans without gaps that make up an array, and where their bytes are among those of its elements in C order."""
    if not seen.size:
        return
    run, inner = seen.itemsize, seen.ndim
    while inner and (seen.shape[inner - 1] == 1 or seen.byte_strides[inner - 1] == run):
        inner -= 1
        run *= seen.shape[inner]
    row = span_of(seen)
    for number, at in enumerate(product(*map(range, seen.shape[:inner]))):
        start = seen.ptr + sum(i * s for i, s in zip(at, seen.byte_strides, strict=False))
        yield row.derive(ptr=start, shape=(run,)), number * run


def move(target: ArrayView, source: ArrayView) -> None:
    """Copy elements to contiguous memory of the same device."""
    finish(source.stream, source.device)
    memory = memory_of(target.device)
    row = span_of(target)
    for span, at in _runs(source):
        memory.move(row.derive(ptr=target.ptr + at, shape=span.shape), span)


def clear(seen: ArrayView) -> None:
    """Zero all bytes from the lowest to the highest element."""
    span = span_of(seen)
    if span.size:
        memory_of(seen.device).write(span, np.zeros(span.size, np.uint8))


def part(seen: ArrayView, key: Any) -> ArrayView:
    """The view that a key selects, also where it names one element."""
    if isinstance(key, str):
        found: ArrayView = seen[key]
        return found
    offset, shape, strides, _ = place(key, seen.shape, seen.byte_strides)
    return seen.derive(ptr=seen.ptr + offset, shape=shape, byte_strides=strides)
