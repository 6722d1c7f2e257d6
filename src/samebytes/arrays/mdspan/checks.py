"""The checks of a tensor, in libcu++'s order and words; where libcu++ is wrong (docs/mdspan.md) ours are right."""

from __future__ import annotations

from collections.abc import Callable

from ... import _native
from ...errors import module_of
from ...frozen import frozen
from ...types import CHAR, SCALARS, Scalar
from ...values.conversion.tracing import foreign_attribute
from ..view import ArrayView
from .elements import Element
from .tensor import DLTensor

# where: DLPack's device type and its name
PLACES = {
    "host": (_native.DEVICE_CPU, "kDLCPU"),
    "device": (_native.DEVICE_CUDA, "kDLCUDA"),
    "managed": (_native.DEVICE_CUDA_MANAGED, "kDLCUDAManaged"),
}
_INT64_MAX = (1 << 63) - 1


@frozen
class Want:
    """What a conversion asks for."""

    element: Element
    rank: int
    layout: str
    place: str


def c_order(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides, in elements, of C order without gaps."""
    strides, step = [], 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


def f_order(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides, in elements, of Fortran order without gaps."""
    return tuple(reversed(c_order(tuple(reversed(shape)))))


def address(tensor: DLTensor, layout: str) -> int:
    """Where the view begins: an offset is part of it, except where the mapping keeps it apart."""
    if layout == "relaxed" or not tensor.data:
        return tensor.data
    return (tensor.data + tensor.byte_offset) % (1 << 64)  # byte_offset is unsigned: it may wrap


def _empty(tensor: DLTensor) -> bool:
    return 0 in (tensor.shape or ())


def _device(tensor: DLTensor, want: Want) -> str:
    code, name = PLACES[want.place]
    return (
        "" if tensor.device.type == code else f"DLTensor device type must be {name} for {want.place}_mdspan"
    )


def _rank(tensor: DLTensor, want: Want) -> str:
    return "" if tensor.ndim == want.rank else "DLTensor rank does not match expected rank"


def _type(tensor: DLTensor, want: Want) -> str:
    return "" if tensor.dtype == want.element.dlpack else "DLTensor data type does not match expected type"


def _packing(tensor: DLTensor, want: Want) -> str:
    """Ours: a DLTensor alone does not say how numbers of less than a byte lie in memory."""
    _, bits, lanes = tensor.dtype
    if bits >= 8 or tensor.padded is None:
        return ""
    held = lanes * (8 if tensor.padded else bits)
    if held == 8 * want.element.size:
        return ""
    return (
        f"it is packed: {held} bits for each element, which in C++ takes {want.element.size} "
        f"byte{'s' if want.element.size != 1 else ''}; unpack it to one byte for each number first"
        if held < 8 * want.element.size
        else f"it stores {held // 8} bytes for each element, C++ {want.element.size}"
    )


def _data(tensor: DLTensor, want: Want) -> str:
    return "" if tensor.data or _empty(tensor) else "DLTensor data must be non-null"


def _offset(tensor: DLTensor, want: Want) -> str:
    whole = want.layout != "relaxed" or tensor.byte_offset % want.element.size == 0
    return "" if whole else "DLTensor byte_offset must be a multiple of element size"


def _alignment(tensor: DLTensor, want: Want) -> str:
    aligned = address(tensor, want.layout) % want.element.align == 0
    return "" if aligned else "DLTensor data must be aligned to the data type"


def _shape(tensor: DLTensor, want: Want) -> str:
    if want.rank and tensor.shape is None:
        return "DLTensor shape must be non-null"
    return "DLTensor shapes must be positive" if any(n < 0 for n in tensor.shape or ()) else ""


def _no_strides(tensor: DLTensor, want: Want) -> str:
    if not want.rank or tensor.strides is not None:
        return ""
    if tensor.version >= (1, 2):
        return "strides=nullptr is not supported for DLPack v1.2 and later"
    left = want.layout == "left" and want.rank > 1
    return "strides must be non-null for layout_left" if left else ""


def _dense(tensor: DLTensor, want: Want) -> str:
    shape = tensor.shape or ()
    strides = c_order(shape) if tensor.strides is None else tensor.strides
    if want.layout not in ("right", "left") or _empty(tensor):
        return ""
    for stride, extent, dense in zip(strides, shape, _DENSE[want.layout](shape), strict=True):
        # A dimension with one index puts no constraint on its stride.
        if extent > 1 and dense > _INT64_MAX:
            return "shape overflow"
        if extent > 1 and stride != dense:
            return f"DLTensor strides are not compatible with layout_{want.layout}"
    return ""


def _positive(tensor: DLTensor, want: Want) -> str:
    if want.layout != "stride" or _empty(tensor) or tensor.strides is None:
        return ""
    bad = any(s <= 0 < n - 1 for s, n in zip(tensor.strides, tensor.shape or (), strict=True))
    return "layout_stride requires strictly positive strides" if bad else ""


def _access(tensor: DLTensor, want: Want) -> str:
    """Ours: a DLTensor alone does not say that it is read-only."""
    if want.element.const:
        return ""
    if tensor.overlaps and not tensor.readonly:
        return f"its elements overlap in memory: say sb.const[{want.element.type}] for a view that only reads"
    if not tensor.readonly:
        return ""
    return f"it is read-only: say sb.const[{want.element.type}] for a view that only reads"


_DENSE: dict[str, Callable[[tuple[int, ...]], tuple[int, ...]]] = {"right": c_order, "left": f_order}

CHECKS: tuple[Callable[[DLTensor, Want], str], ...] = (
    _device, _rank, _type, _packing, _data, _offset, _alignment, _shape, _no_strides, _dense, _positive, _access,
)  # fmt: skip


_COPIES = {"right": "ascontiguousarray", "left": "asfortranarray"}

# How a library's arrays are converted, and copied: their own way, else NumPy's.
_OWN = {
    "torch": ("x.to(torch.{})", "x.clone()"),
    "own": ('x.astype("{}")', "x.copy()"),
    "numpy": ('numpy.array(x, dtype="{}")', "numpy.array(x)"),
}

# What to do about it, where one sentence can say: of the tensor, what was asked for, and the key of ``_OWN``.
_ADVICE: dict[Callable[[DLTensor, Want], str], Callable[[DLTensor, Want, str], str]] = {
    _rank: lambda tensor, want, own: f"Pass an array of rank {want.rank}: reshape() or index it",
    _type: lambda tensor, want, own: _type_advice(tensor, want, own),
    _alignment: lambda tensor, want, own: own and f"{_OWN[own][1]} makes an aligned copy",
    _dense: lambda tensor, want, own: (
        f"numpy.{_COPIES[want.layout]}(x) makes such a copy, and layout 'stride' takes more"
    ),
    _positive: lambda tensor, want, own: "Layout 'relaxed' takes any strides",
}


def _type_advice(tensor: DLTensor, want: Want, own: str) -> str:
    if tensor.dtype_name in ("longdouble", "float128"):
        return "NumPy's longdouble is x87's 80-bit format, which is not __float128"
    if not own:
        return ""
    element = SCALARS["int8"] if want.element.type == CHAR else want.element.type
    known = element.dtype if isinstance(element, Scalar) else None
    return f"{_OWN[own][0].format(known.name)} makes a converted copy" if known is not None else ""


def _own(obj: object) -> str:
    """Whose way of converting an array is: a key of ``_OWN``; empty of a tensor, which only its maker converts."""
    if isinstance(obj, DLTensor):
        return ""
    if module_of(type(obj)).partition(".")[0] == "torch":
        return "torch"
    converts = not isinstance(obj, ArrayView) and foreign_attribute(obj, "astype") is not None
    return "own" if converts else "numpy"


def refusal(tensor: DLTensor, want: Want, obj: object) -> tuple[str, str] | None:
    """The first sentence that speaks against the conversion, and advice or an empty text; None if nothing does.

    ``obj`` is the array that the tensor describes.
    """
    for check in CHECKS:
        if why := check(tensor, want):
            return why, _ADVICE[check](tensor, want, _own(obj)) if check in _ADVICE else ""
    return None
