"""SUAI, ``__sycl_usm_array_interface__`` version 1: SYCL USM memory described by a dict."""

from __future__ import annotations

from operator import index
from typing import Any

from ...errors import ProtocolError
from ..view import ArrayView, Device, Usm, c_strides
from ..view.device import ONEAPI
from ..view.sycl import SyclObject, capsule_name
from .base import Described, Protocol, attribute, described, entries, usm_kind, view_of_facts

_NAME = "__sycl_usm_array_interface__"


def _fail(obj: Any, words: str) -> ProtocolError:
    return ProtocolError(f"{type(obj).__qualname__}.{_NAME} {words}")


def _context(obj: Any, syclobj: Any) -> Any:
    """One of the six kinds, as it came: it is opened only when a consumer asks for it."""
    if isinstance(syclobj, str) and syclobj:
        return syclobj
    if capsule_name(syclobj) or callable(getattr(syclobj, "_get_capsule", None)):
        return syclobj
    raise _fail(
        obj,
        f"has a syclobj that is no filter string, SyclContext, SyclQueue, capsule of one of these, or object with "
        f"_get_capsule(): {type(syclobj).__name__}",
    )


def _offset(obj: Any, value: Any) -> int:
    try:
        return 0 if value is None else index(value)
    except TypeError:
        raise _fail(obj, f"has {type(value).__name__} as offset where an integer must stand") from None


def _allocation(obj: Any) -> tuple[int, int] | None:
    """First address and bytes of the memory behind an object, where it shows it as dpctl does."""
    memory = getattr(obj, "usm_data", obj)
    start, size = getattr(memory, "_pointer", None), getattr(memory, "nbytes", None)
    return (start, size) if isinstance(start, int) and isinstance(size, int) else None


def _check_bounds(obj: Any, view: ArrayView) -> None:
    allocation = _allocation(obj)
    if allocation is None or not view.size:
        return
    reach = [(n - 1) * s for n, s in zip(view.shape, view.byte_strides, strict=True)]
    low = view.ptr + sum(r for r in reach if r < 0)
    high = view.ptr + sum(r for r in reach if r > 0) + view.itemsize
    if low < allocation[0] or high > sum(allocation):
        raise _fail(obj, f"shows elements outside the {allocation[1]} bytes of its allocation")


def _kind(obj: Any, context: SyclObject, found: Described) -> str:
    """The kind of the allocation: its context knows best, and knows an address that is none of its own."""
    empty = not found.pointer or 0 in found.shape
    kind = "" if empty else context.usm_kind(found.pointer)
    if kind == "unknown":
        raise _fail(obj, f"shows {found.pointer:#x}, which is no USM allocation of its syclobj's context")
    return kind or usm_kind(getattr(obj, "usm_data", obj))


def describe(obj: Any, stream: int | None = None) -> ArrayView:
    """The view that ``obj.__sycl_usm_array_interface__`` describes; it holds the object and its context."""
    facts = entries(obj, _NAME, attribute(obj, _NAME))
    found = described(obj, _NAME, facts, "biufc")
    version, data, syclobj, raw = (facts.get(n) for n in ("version", "data", "syclobj", "offset"))
    if version != 1 or isinstance(version, bool):
        raise _fail(obj, f"has version {version!r}; only 1 is known")
    if data is None:
        raise _fail(obj, "has no data")
    owner, offset, itemsize = Usm(obj, _context(obj, syclobj)), _offset(obj, raw), found.dtype.itemsize
    # dpctl.memory's objects say True and mean writable.
    writable = type(obj).__module__.startswith("dpctl.memory")
    strides = None if found.strides is None else tuple(s * itemsize for s in found.strides)
    pointer = found.pointer + offset * itemsize if found.pointer else 0
    kind = _kind(obj, owner.syclobj, found)
    view = view_of_facts(
        obj, _NAME, type=found.type, dtype_name=found.words, ptr=pointer, shape=found.shape,
        byte_strides=c_strides(found.shape, itemsize) if strides is None else strides, itemsize=itemsize,
        device=Device(ONEAPI, 0, kind), readonly=found.readonly and not writable,
        owner=owner, dtype=found.dtype,
    )  # fmt: skip
    _check_bounds(obj, view)
    return view


PROTOCOL = Protocol(_NAME, 30, lambda cls: True, describe, dialects=frozenset({"sycl", "cxx"}))
