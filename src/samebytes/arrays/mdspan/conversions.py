"""The three conversions, as libcu++ names them."""

from __future__ import annotations

from typing import Any

from ...errors import ArgumentError, ArrayError, Error, Mismatch, ProtocolError, call_error, value_words
from ...types import MDSPAN_LAYOUTS
from ...values.conversion.tracing import speaks
from .checks import Want, refusal
from .elements import element_of
from .tensor import tensor_of
from .views import Mdspan, make

_MEMORY = {"host": "host memory", "device": "CUDA device memory", "managed": "CUDA managed memory"}


def _convert(place: str, obj: Any, dtype: Any, rank: int, layout: str, dialect: str) -> Mdspan:
    function = f"to_{place}_mdspan"
    if layout not in MDSPAN_LAYOUTS:
        known = ", ".join(map(repr, MDSPAN_LAYOUTS))
        raise ArgumentError(f"{function}() argument 4 'layout': expected one of {known}, got {layout!r}")
    if isinstance(rank, bool) or not isinstance(rank, int) or rank < 0:
        raise ArgumentError(f"{function}() argument 3 'rank': expected a number of dimensions, got {rank!r}")
    want = Want(element_of(dtype, dialect, function), rank, layout, place)
    try:
        tensor = obj.to_dlpack() if isinstance(obj, Mdspan) else tensor_of(obj, apart=layout == "relaxed")
    except ProtocolError as error:
        spoken = speaks(obj, "__dlpack__", "__array_interface__", "__cuda_array_interface__")
        kind: type[Error] = ProtocolError if spoken else ArgumentError
        mismatch = Mismatch(
            kind, _words(want), value_words(obj), str(error) if spoken else "", index=0, name="obj"
        )
        raise call_error(function, [mismatch]) from error
    if refused := refusal(tensor, want, tensor if isinstance(obj, Mdspan) else obj):
        advice = ". ".join(filter(None, refused))
        raise call_error(
            function, [Mismatch(ArrayError, _words(want), str(tensor), advice, index=0, name="obj")]
        )
    return make(tensor, want)


def _words(want: Want) -> str:
    extents = ", ".join("nmkl"[d] if d < 4 else f"n{d}" for d in range(want.rank))
    const = "const " if want.element.const else ""
    return f"{const}{want.element.type}[{extents}] in {_MEMORY[want.place]}, layout {want.layout!r}"


def to_host_mdspan(
    obj: Any, dtype: Any, rank: int, layout: str = "stride", *, dialect: str = "cxx"
) -> Mdspan:
    """A view of an array in host memory, as ``cuda::to_host_mdspan`` makes it of a DLPack tensor.

    Parameters
    ----------
    obj : array, DLTensor or Mdspan
        Whatever :func:`samebytes.view` understands.
    dtype : type or Type
        The element type; it must be the array's. ``sb.const[T]`` makes a view for reading. Vectors by their lanes;
        further formats by name: ``"__float128"``, ``"__nv_fp6_e2m3"`` … (docs/mdspan.md).
    rank : int
        The number of dimensions; it must be the array's.
    layout : str
        ``"right"`` (C order), ``"left"`` (Fortran order), ``"stride"`` (positive strides) or ``"relaxed"`` (any
        strides and an offset: libcu++'s ``layout_stride_relaxed``).
    dialect : str
        Whose alignment of the elements is asked for: a ``std::complex<float>`` is aligned to 4 bytes, a
        ``cuda::std::complex<float>`` to 8.

    Raises
    ------
    ArrayError
        With libcu++'s sentence, if the array is not what was asked for. The checks and their order: libcu++,
        "DLPack to mdspan", Runtime errors.
    ProtocolError
        If the object breaks the protocol by which it shows its memory.
    ArgumentError
        If it shows none, or another argument is not understood.
    """
    return _convert("host", obj, dtype, rank, layout, dialect)


def to_device_mdspan(
    obj: Any, dtype: Any, rank: int, layout: str = "stride", *, dialect: str = "cuda"
) -> Mdspan:
    """A view of an array in CUDA device memory; otherwise as :func:`to_host_mdspan`."""
    return _convert("device", obj, dtype, rank, layout, dialect)


def to_managed_mdspan(
    obj: Any, dtype: Any, rank: int, layout: str = "stride", *, dialect: str = "cuda"
) -> Mdspan:
    """A view of an array in CUDA managed memory; otherwise as :func:`to_host_mdspan`."""
    return _convert("managed", obj, dtype, rank, layout, dialect)
