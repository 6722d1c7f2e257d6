"""Views as the dictionaries of ``__array_interface__``, the CUDA Array Interface and SUAI, and as NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import ArrayError
from .device import CUDA, ONEAPI, ROCM
from .dtypes import dtype_of
from .facts import Facts
from .streams import finish
from .sycl import syclobj_of


def dtype_here(view: Facts) -> np.dtype[Any] | None:
    """The dtype of a view's elements: the producer's own, else the one of their type."""
    if isinstance(view.dtype, np.dtype):
        return view.dtype
    found = dtype_of(view.type)
    return found if found is not None and found.itemsize == view.itemsize else None


class _Shown:
    """Carries a dict alone, and holds the view: it becomes the base of the NumPy array."""

    __slots__ = ("__array_interface__", "view")

    def __init__(self, interface: dict[str, Any], view: Facts) -> None:
        self.__array_interface__ = interface
        self.view = view


def as_numpy(view: Facts) -> np.ndarray[Any, Any]:
    """A NumPy array of host memory, which holds the view."""
    dtype = dtype_here(view)
    if not view.device.is_host:
        raise ArrayError(f"NumPy reads host memory only, and this is in {view.device}")
    if dtype is None or dtype.hasobject or not dtype.itemsize:
        raise ArrayError(f"NumPy has no dtype for {view.dtype_name} elements")
    raw = np.asarray(_Shown(_facts(view, f"|V{view.itemsize}"), view))
    return raw.view(dtype)


def _facts(view: Facts, typestr: str) -> dict[str, Any]:
    return {
        "shape": view.shape,
        "typestr": typestr,
        "data": (view.ptr if view.size else 0, view.readonly),
        "strides": None if view.contiguous else view.byte_strides,
        "version": 3,
    }


def _says(dtype: np.dtype[Any]) -> bool:
    """Whether a type string and ``descr`` mean this dtype to everyone: bfloat16's ``<V2`` does not."""
    if dtype.subdtype:
        return _says(dtype.subdtype[0])
    if dtype.fields:
        return all(_says(inner[0]) for inner in dtype.fields.values())
    return dtype.kind in "biufcSUmM" and dtype.isbuiltin != 2


def _described(view: Facts, protocol: str, kinds: str = "") -> dict[str, Any]:
    """The entries that the three dictionaries share.

    Raises
    ------
    AttributeError
        If the protocol has no word for the elements, so that ``hasattr`` says no.
    """
    dtype = dtype_here(view)
    if dtype is None or not _says(dtype) or (kinds and dtype.kind not in kinds):
        raise AttributeError(f"{protocol} has no type string for {view.dtype_name} elements")
    found = _facts(view, dtype.str)
    if dtype.fields:
        try:
            found["descr"] = dtype.descr
        except ValueError:
            raise AttributeError(
                f"{protocol} cannot describe fields that overlap or are out of order"
            ) from None
    return found


def host(view: Facts) -> dict[str, Any]:
    """``__array_interface__`` (NumPy, "The array interface protocol", version 3); strides in bytes."""
    if not view.device.is_host:
        raise AttributeError(f"__array_interface__ shows host memory only, and this is in {view.device}")
    return _described(view, "__array_interface__")


def cuda(view: Facts) -> dict[str, Any]:
    """``__cuda_array_interface__`` version 3; strides in bytes; the consumer orders itself after ``stream``."""
    if view.device.type not in CUDA | ROCM:
        raise AttributeError(
            f"__cuda_array_interface__ shows CUDA and ROCm memory only, and this is in {view.device}"
        )
    found = _described(view, "__cuda_array_interface__")
    stream = view.stream
    if stream in (0, 1, 2) and view.device.type in ROCM:
        finish(stream, view.device)  # the interface forbids 0, and ROCm's runtimes take 1 and 2 for pointers
        stream = None
    return found | {"stream": stream}


def sycl(view: Facts) -> dict[str, Any]:
    """``__sycl_usm_array_interface__`` version 1; strides and offset in elements.

    ``data`` is the lowest address that an element has, so that the offset is never negative.
    """
    syclobj = syclobj_of(view)
    if view.device.type != ONEAPI or syclobj is None:
        raise AttributeError(
            f"__sycl_usm_array_interface__ shows SYCL USM with a known context only, and this is in {view.device}"
        )
    found = _described(view, "__sycl_usm_array_interface__", "biufc")
    if not view.divisible:
        raise AttributeError("__sycl_usm_array_interface__ needs strides of whole elements")
    back = (
        sum(-s * (n - 1) for s, n in zip(view.strides, view.shape, strict=True) if s < 0) if view.size else 0
    )
    base = view.ptr - back * view.itemsize if view.size else view.ptr
    return found | {
        "data": (base, view.readonly), "strides": view.strides, "offset": back, "syclobj": syclobj, "version": 1,
    }  # fmt: skip
