"""What a parameter needs of an array, and every reason why an array does not meet it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _native
from ...arrays.protocols import view
from ...arrays.view import ArrayView
from ...arrays.view.device import CUDA, ONEAPI, ROCM
from ...arrays.view.sycl import is_in_context
from ...errors import ArgumentError, ArrayError, Mismatch, ProtocolError, module_of, value_words
from ...frozen import frozen
from ...layouts.dialects import layout
from ...types import ANY_DEVICE, CHAR, SCALARS, VOID, CArray, Enum, Scalar, Struct, Type
from ...values.conversion.structured import dtype_fits, layout_words
from ...values.conversion.tracing import foreign_attribute, speaks

# Element types that serve for a C++ char: text is stored in each. ctypes' and NumPy's characters are arrays of one.
_CHAR_LIKE = frozenset({CHAR, SCALARS["int8"], SCALARS["uint8"], CArray(CHAR, (1,))})


@frozen
class Need:
    """What a parameter asks of an array.

    Attributes
    ----------
    element : Type
        VOID: any elements that are plain bytes.
    ndim : int or None
        None where any rank will do.
    const : bool
        Whether C++ only reads.
    contiguous : bool
        Whether the elements must lie in C order without gaps.
    words : str
        The need, as messages show it.
    anywhere : bool
        Whether memory of a device will do: a C API gets addresses, and only it knows which it wants.
    memory : str
        The device that reads it, ``"cuda:0"``; empty: the host.
    """

    element: Type
    ndim: int | None
    const: bool
    contiguous: bool
    dialect: str
    words: str
    anywhere: bool = False
    memory: str = ""


def checked_view(need: Need, obj: Any) -> ArrayView:
    """The object's view if it meets the need.

    Raises
    ------
    Mismatch
        With every reason why it does not.
    """
    try:
        seen = view(obj, dialect=need.dialect)
    except ProtocolError as error:
        raise _no_array(need, obj, error) from error.__cause__
    reasons = []
    for check in _CHECKS:
        if reason := check(need, seen, obj):
            reasons.append(reason)
            if check is _wrong_element:
                break  # the rest would only be its consequences
    if reasons:
        raise Mismatch(ArrayError, need.words, got_words(obj, seen), "; ".join(reasons))
    return seen


def got_words(obj: Any, seen: ArrayView) -> str:
    """What came, as messages show it."""
    kind = type(obj)
    home = module_of(kind).partition(".")[0]
    name = kind.__qualname__ if home in ("", "builtins") else f"{home}.{kind.__qualname__}"
    only = "read-only " if seen.readonly else ""
    shape = ", ".join(map(str, seen.shape))
    return f"{only}{seen.dtype_name}[{shape}] in {seen.device} ({name}, via {seen.protocol})"


def overlap_words(seen: ArrayView) -> str:
    """That elements share bytes, so that what is written to one changes others; empty: none do."""
    if seen._overlap is False:
        return ""
    may = "" if seen._overlap else "may "
    return f"its elements {may}overlap in memory (strides of {seen.byte_strides} bytes)"


def extents_words(ndim: int) -> str:
    """The extents of an array in letters: ``[n, m]``."""
    return "[" + ", ".join("nmkl"[d] if d < 4 else f"n{d}" for d in range(ndim)) + "]"


def _same_element(element: Type, seen: ArrayView, dialect: str, anywhere: bool) -> bool:
    dtype = seen.dtype if isinstance(seen.dtype, np.dtype) else None
    if element == VOID:
        return dtype is None or not dtype.hasobject
    if element == CHAR:
        return seen.type in _CHAR_LIKE
    if anywhere and element in _CHAR_LIKE and seen.type == CArray(CHAR, (1,)):
        return True
    if isinstance(element, Enum):
        element = element.underlying
    if seen.type is not None and seen.type == element:
        return True
    return dtype is not None and dtype_fits(element, dtype, dialect)


def _wrong_element(need: Need, seen: ArrayView, obj: Any) -> str:
    if _same_element(need.element, seen, need.dialect, need.anywhere):
        return ""
    if isinstance(seen.dtype, np.dtype):
        if seen.dtype.hasobject:
            return "its elements are Python objects, which C++ cannot read"
        if not seen.dtype.isnative:
            return 'x.astype(x.dtype.newbyteorder("=")) makes a copy in this machine\'s byte order'
    if isinstance(obj, _native.Record | _native.Value):
        return "it is one object, and no array"
    if isinstance(need.element, Struct) and isinstance(seen.dtype, np.dtype) and seen.dtype.names:
        return layout_words(need.element, seen.dtype, need.dialect) or _must_be(need)
    if isinstance(need.element, Scalar) and need.element != CHAR and _are_numbers(need.element, seen):
        if seen.protocol == "buffer" and seen.itemsize == 1 and seen.device.is_host:
            return _of_bytes(need.element)
        conversion = _conversion(obj, need)
        return f"{conversion.format(need.element)} makes a converted copy" if conversion else _must_be(need)
    return _must_be(need)


def _of_bytes(element: Scalar) -> str:
    """What makes an array of a buffer of bytes: nothing says whether they are numbers, or the bytes of numbers."""
    return (
        f'numpy.frombuffer(x, "{element}") shows bytes of {element}; where each byte is a number, '
        f'numpy.frombuffer(x, "uint8").astype("{element}") makes a converted copy'
    )


def _must_be(need: Need) -> str:
    return f"the elements must be {need.element}"


def _are_numbers(element: Scalar, seen: ArrayView) -> bool:
    """Whether the elements are numbers, which the array's own library converts, and knows the other format."""
    dtype, known = seen.dtype, element.name in np.sctypeDict
    return known and (dtype.kind in "biufc" if isinstance(dtype, np.dtype) else isinstance(seen.type, Scalar))


def _conversion(obj: Any, need: Need) -> str | None:
    """What converts the elements of an array: its own method, else NumPy, which knows no device's memory."""
    if module_of(type(obj)).partition(".")[0] == "torch":
        return "x.to(torch.{})"
    own = not isinstance(obj, ArrayView) and foreign_attribute(obj, "astype") is not None
    if need.memory and not own:
        return None
    return 'x.astype("{}")' if own else 'numpy.array(x, dtype="{}")'


def _wrong_rank(need: Need, seen: ArrayView, obj: Any) -> str:
    if need.ndim is None or seen.ndim == need.ndim:
        return ""
    plural = "s" if need.ndim != 1 else ""
    return f"pass an array of {need.ndim} dimension{plural}, not {seen.ndim}; reshape() or index it"


def _wrong_device(need: Need, seen: ArrayView, obj: Any) -> str:
    if need.memory:
        return elsewhere_words(need.memory, seen)
    return "" if need.anywhere or seen.device.is_host else "copy it to the host first"


# The kinds of memory that a dialect's devices read. Memory of no one device has no number that counts.
_READ_BY = {"cuda": CUDA, "hip": ROCM, "sycl": frozenset({ONEAPI}), "device": CUDA | ROCM | {ONEAPI}}
_ONE_DEVICE = frozenset({_native.DEVICE_CUDA, _native.DEVICE_ROCM})


_COPY_THERE = 'sb.DeviceArray.from_host(x, device="{}") is a copy {}'


def _copy_there(memory: str) -> str:
    dialect, _, number = memory.partition(":")
    of_kernel = number != ANY_DEVICE
    return _COPY_THERE.format(
        "cuda" if dialect == "device" else dialect, "that the kernel reads" if of_kernel else "there"
    )


def elsewhere_words(memory: str, seen: ArrayView) -> str:
    """What to do with an array that a device does not read; empty: it does."""
    dialect, _, number = memory.partition(":")
    there = seen.device
    if there.type not in _READ_BY[dialect]:
        return _copy_there(memory)
    if number == ANY_DEVICE:
        return ""
    if number and there.type in _ONE_DEVICE and there.id != int(number):
        return f"the kernel was loaded for device {number}: copy it there"
    if number and dialect == "sycl" and not is_in_context(seen, int(number)):
        return "it is no memory of the context of the launch's queue: queue= says one of its own context"
    return ""


def _wrong_access(need: Need, seen: ArrayView, obj: Any) -> str:
    if need.const:
        return ""
    if seen.readonly:
        return "C++ may write to it: pass a writable array, or declare the parameter const"
    words = overlap_words(seen)
    return f"C++ may write to it, and {words}: pass an array whose elements lie apart" if words else ""


# NumPy aligns what it allocates so far, in bytes.
_COPY_ALIGN = 16


def _wrong_alignment(need: Need, seen: ArrayView, obj: Any) -> str:
    align = 1 if need.element == VOID else layout(need.element, need.dialect).align
    misplaced = [seen.ptr, *(s for s, n in zip(seen.byte_strides, seen.shape, strict=True) if n > 1)]
    if seen.size == 0 or all(place % align == 0 for place in misplaced):
        return ""
    copy = (
        "a copy is aligned"
        if align <= _COPY_ALIGN or need.memory
        else f"sb.DeviceArray.from_host(x, align={align}) is a copy that is"
    )
    return f"its elements are not aligned to {align} bytes; {copy}"


def _wrong_strides(need: Need, seen: ArrayView, obj: Any) -> str:
    if need.contiguous and not seen.contiguous:
        if seen.fortran_contiguous:
            return "it is not contiguous in C order but in Fortran's: x.T is the same memory in C order"
        if need.memory:
            return "it is not contiguous in C order: pass a contiguous array"
        if need.const:
            return "it is not contiguous in C order; numpy.ascontiguousarray(x) makes a contiguous copy"
        return (
            "it is not contiguous in C order, and a copy would lose what C++ writes: pass a contiguous array"
        )
    if not seen.divisible:
        return f"its strides {seen.byte_strides} are no multiples of the {seen.itemsize}-byte element"
    return ""


_CHECKS: tuple[Callable[[Need, ArrayView, Any], str], ...] = (
    _wrong_element, _wrong_rank, _wrong_device, _wrong_access, _wrong_alignment, _wrong_strides,
)  # fmt: skip


def _dtype_words(element: Type) -> str:
    """The dtype of arrays of an element type as NumPy spells it; empty where it has no name for it."""
    if isinstance(element, Enum):
        element = element.underlying
    if element == CHAR:
        return '"int8"'
    return f'"{element}"' if isinstance(element, Scalar) else ""


def _no_array(need: Need, obj: Any, error: ProtocolError) -> Mismatch:
    if isinstance(obj, list | tuple) and need.memory:
        return Mismatch(ArgumentError, need.words, f"a {type(obj).__name__}", _copy_there(need.memory))
    if isinstance(obj, list | tuple):
        dtype = _dtype_words(need.element)
        advice = f"numpy.array(x{dtype and f', dtype={dtype}'}) makes an array of it"
        if isinstance(need.element, Struct):
            advice = f"pass a record, {need.element.short_name}(...)"
        return Mismatch(ArgumentError, need.words, f"a {type(obj).__name__}", advice)
    spoken = speaks(obj, "__dlpack__", "__array_interface__")
    kind = ProtocolError if spoken else ArgumentError
    return Mismatch(kind, need.words, value_words(obj), str(error) if spoken else "")
