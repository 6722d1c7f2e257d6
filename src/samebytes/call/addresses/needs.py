"""What a parameter needs of an array, and every reason why an array does not meet it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _native
from ...arrays.mdspan.checks import f_order
from ...arrays.protocols import view
from ...arrays.view import ArrayView
from ...arrays.view.device import CUDA, ONEAPI, ROCM, Device
from ...arrays.view.sycl import is_in_context
from ...errors import ArgumentError, ArrayError, Mismatch, ProtocolError, module_of, value_words
from ...frozen import frozen
from ...layouts.dialects import layout
from ...types import (
    ANY_DEVICE,
    C_ORDER,
    CHAR,
    F_ORDER,
    POSITIVE,
    SCALARS,
    VOID,
    ArrayRule,
    CArray,
    Enum,
    Pointer,
    Scalar,
    Struct,
    Type,
)
from ...values.conversion.structured import dtype_fits, layout_words
from ...values.conversion.tracing import foreign_attribute, speaks

# Element types that serve for a C++ char: text is stored in each. ctypes' and NumPy's characters are arrays of one.
_CHAR_LIKE = frozenset({CHAR, SCALARS["int8"], SCALARS["uint8"], CArray(CHAR, (1,))})


@frozen
class Need:
    """What a call asks of an array.

    Attributes
    ----------
    rule : ArrayRule
        The parameter's.
    words : str
        The need, as messages show it.
    anywhere : bool
        Whether memory of a device will do: a C API gets addresses, and only it knows which it wants.
    """

    rule: ArrayRule
    dialect: str
    words: str
    anywhere: bool = False


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


def extent_names(ndim: int) -> tuple[str, ...]:
    """A letter for each extent of an array."""
    return tuple("nmkl"[d] if d < 4 else f"n{d}" for d in range(ndim))


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
    if _same_element(need.rule.element, seen, need.dialect, need.anywhere):
        return ""
    if isinstance(seen.dtype, np.dtype):
        if seen.dtype.hasobject:
            return "its elements are Python objects, which C++ cannot read"
        if not seen.dtype.isnative:
            return 'x.astype(x.dtype.newbyteorder("=")) makes a copy in this machine\'s byte order'
    if isinstance(obj, _native.Record | _native.Value):
        return "it is one object, and no array"
    if isinstance(need.rule.element, Struct) and isinstance(seen.dtype, np.dtype) and seen.dtype.names:
        return layout_words(need.rule.element, seen.dtype, need.dialect) or _must_be(need)
    if (
        isinstance(need.rule.element, Scalar)
        and need.rule.element != CHAR
        and _are_numbers(need.rule.element, seen)
    ):
        if seen.protocol == "buffer" and seen.itemsize == 1 and seen.device.is_host:
            return _of_bytes(need.rule.element)
        conversion = _conversion(obj, need)
        return (
            f"{conversion.format(need.rule.element)} makes a converted copy" if conversion else _must_be(need)
        )
    return _must_be(need)


def _of_bytes(element: Scalar) -> str:
    """What makes an array of a buffer of bytes: nothing says whether they are numbers, or the bytes of numbers."""
    return (
        f'numpy.frombuffer(x, "{element}") shows bytes of {element}; where each byte is a number, '
        f'numpy.frombuffer(x, "uint8").astype("{element}") makes a converted copy'
    )


def _must_be(need: Need) -> str:
    return f"the elements must be {need.rule.element}"


def _are_numbers(element: Scalar, seen: ArrayView) -> bool:
    """Whether the elements are numbers, which the array's own library converts, and knows the other format."""
    dtype, known = seen.dtype, element.name in np.sctypeDict
    return known and (dtype.kind in "biufc" if isinstance(dtype, np.dtype) else isinstance(seen.type, Scalar))


def _conversion(obj: Any, need: Need) -> str | None:
    """What converts the elements of an array: its own method, else NumPy, which knows no device's memory."""
    if module_of(type(obj)).partition(".")[0] == "torch":
        return "x.to(torch.{})"
    own = not isinstance(obj, ArrayView) and foreign_attribute(obj, "astype") is not None
    if need.rule.memory and not own:
        return None
    return 'x.astype("{}")' if own else 'numpy.array(x, dtype="{}")'


def _wrong_rank(need: Need, seen: ArrayView, obj: Any) -> str:
    if need.rule.ndim is None or seen.ndim == need.rule.ndim:
        return ""
    plural = "s" if need.rule.ndim != 1 else ""
    return f"pass an array of {need.rule.ndim} dimension{plural}, not {seen.ndim}; reshape() or index it"


def _wrong_device(need: Need, seen: ArrayView, obj: Any) -> str:
    if need.rule.memory:
        return elsewhere_words(need.rule.memory, seen)
    return "" if need.anywhere or seen.device.is_host else "copy it to the host first"


# The kinds of memory that a dialect's devices read. Memory of no one device has no number that counts.
_READ_BY = {"cuda": CUDA, "hip": ROCM, "sycl": frozenset({ONEAPI}), "device": CUDA | ROCM | {ONEAPI}}
_ONE_DEVICE = frozenset({_native.DEVICE_CUDA, _native.DEVICE_ROCM})


def dialect_of(device: Device) -> str:
    """The dialect whose devices read memory that the host does not; empty of the host's, and of other devices'."""
    if device.is_host:
        return ""
    return next((name for name, kinds in _READ_BY.items() if device.type in kinds), "")


def assumed_device(memory: str) -> Device:
    """Where memory is of which only the dialect is known."""
    dialect, _, number = memory.partition(":")
    return Device(_MEMORY[dialect], int(number) if number.isdigit() else 0)


_MEMORY = {
    "cuda": _native.DEVICE_CUDA, "hip": _native.DEVICE_ROCM, "sycl": ONEAPI, "device": _native.DEVICE_CUDA,
}  # fmt: skip


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
    if need.rule.const:
        return ""
    if seen.readonly:
        return "C++ may write to it: pass a writable array, or declare the parameter const"
    words = overlap_words(seen)
    return f"C++ may write to it, and {words}: pass an array whose elements lie apart" if words else ""


# NumPy aligns what it allocates so far, in bytes.
_COPY_ALIGN = 16


def _wrong_alignment(need: Need, seen: ArrayView, obj: Any) -> str:
    align = 1 if need.rule.element == VOID else layout(need.rule.element, need.dialect).align
    misplaced = [seen.ptr, *(s for s, n in zip(seen.byte_strides, seen.shape, strict=True) if n > 1)]
    if seen.size == 0 or all(place % align == 0 for place in misplaced):
        return ""
    copy = (
        "a copy is aligned"
        if align <= _COPY_ALIGN or need.rule.memory
        else f"sb.DeviceArray.from_host(x, align={align}) is a copy that is"
    )
    return f"its elements are not aligned to {align} bytes; {copy}"


def _lying(seen: ArrayView) -> list[tuple[int, int, int]]:
    """Extent, stride and the stride of Fortran order of each dimension whose stride counts."""
    if seen.size == 0:
        return []
    rows = zip(seen.shape, seen.strides, f_order(seen.shape), strict=True)
    return [row for row in rows if row[0] > 1]


_NO_C_ORDER = "it is not contiguous in C order"
IS_FORTRAN_ORDER = f"{_NO_C_ORDER} but in Fortran's: x.T is the same memory in C order"
NO_FORTRAN_ORDER = "it is not contiguous in Fortran order; numpy.asfortranarray(x) makes such a copy"
NOT_POSITIVE = "its strides are not all positive, which layout_stride asks for"


def no_c_order(rule: ArrayRule) -> str:
    """That an array has gaps, and what to do."""
    if rule.memory:
        return f"{_NO_C_ORDER}: pass a contiguous array"
    if rule.const:
        return f"{_NO_C_ORDER}; numpy.ascontiguousarray(x) makes a contiguous copy"
    return f"{_NO_C_ORDER}, and a copy would lose what C++ writes: pass a contiguous array"


def _wrong_strides(need: Need, seen: ArrayView, obj: Any) -> str:
    if need.rule.order == C_ORDER and not seen.contiguous:
        return IS_FORTRAN_ORDER if seen.fortran_contiguous else no_c_order(need.rule)
    if not seen.divisible:
        return f"its strides {seen.byte_strides} are no multiples of the {seen.itemsize}-byte element"
    if need.rule.order == F_ORDER and any(stride != dense for _, stride, dense in _lying(seen)):
        return NO_FORTRAN_ORDER
    if need.rule.order == POSITIVE and any(stride <= 0 for _, stride, _ in _lying(seen)):
        return NOT_POSITIVE
    return ""


def elements_words(target: Type, least: int) -> str:
    """What an array has for a pointer, and how many at least: ``float32[n >= 4]``."""
    return "bytes" if target == VOID else f"{target}[{f'n >= {least}' if least else 'n'}]"


def spelled(type_: Pointer) -> str:
    """A pointer as C++ declares it, without a name: ``const float32*``, ``float32[4]``."""
    extent = f"[{type_.least}]" if type_.least else "*"
    return f"{'const ' * type_.const}{type_.target}{extent}"


def shape_words(rule: ArrayRule) -> str:
    """The extents that an array must have, with letters for those that are free: ``[n >= 2, 3]``."""
    if rule.ndim is None:
        rows = f"n >= {rule.least}" if rule.least else "n"
        return "[" + ", ".join((rows, *map(str, rule.extents))) + "]"
    names = extent_names(rule.ndim)
    fixed = rule.extents or (None,) * rule.ndim
    return "[" + ", ".join(n if m is None else str(m) for n, m in zip(names, fixed, strict=True)) + "]"


def _wrong_extents(need: Need, seen: ArrayView, obj: Any) -> str:
    fixed = need.rule.extents
    last = seen.shape[seen.ndim - len(fixed) :] if seen.ndim >= len(fixed) else ()
    if len(last) == len(fixed) and all(n in (None, m) for n, m in zip(fixed, last, strict=True)):
        return ""
    return "" if _wrong_rank(need, seen, obj) else f"the shape must be {shape_words(need.rule)}"


def _too_few(need: Need, seen: ArrayView, obj: Any) -> str:
    if need.rule.least == 0 or _wrong_extents(need, seen, obj):
        return ""
    there = seen.size // need.rule.row
    what = f"{'row' if need.rule.extents else 'element'}{'s' * (there != 1)}"
    return "" if there >= need.rule.least else f"It has {there} {what}, and {need.rule.least} are declared"


_CHECKS: tuple[Callable[[Need, ArrayView, Any], str], ...] = (
    _wrong_element, _wrong_rank, _wrong_device, _wrong_access, _wrong_alignment, _wrong_strides,
    _wrong_extents, _too_few,
)  # fmt: skip


def _dtype_words(element: Type) -> str:
    """The dtype of arrays of an element type as NumPy spells it; empty where it has no name for it."""
    if isinstance(element, Enum):
        element = element.underlying
    if element == CHAR:
        return '"int8"'
    return f'"{element}"' if isinstance(element, Scalar) else ""


def _no_array(need: Need, obj: Any, error: ProtocolError) -> Mismatch:
    if isinstance(obj, list | tuple) and need.rule.memory:
        return Mismatch(ArgumentError, need.words, f"a {type(obj).__name__}", _copy_there(need.rule.memory))
    if isinstance(obj, list | tuple):
        dtype = _dtype_words(need.rule.element)
        advice = f"numpy.array(x{dtype and f', dtype={dtype}'}) makes an array of it"
        if isinstance(need.rule.element, Struct):
            advice = f"pass a record, {need.rule.element.short_name}(...)"
        return Mismatch(ArgumentError, need.words, f"a {type(obj).__name__}", advice)
    spoken = speaks(obj, "__dlpack__", "__array_interface__")
    kind = ProtocolError if spoken else ArgumentError
    return Mismatch(kind, need.words, value_words(obj), str(error) if spoken else "")
