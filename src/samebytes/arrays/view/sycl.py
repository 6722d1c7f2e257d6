"""SYCL contexts that travel with USM memory: kept as they came, and shown again as often as asked."""

from __future__ import annotations

import ctypes
import importlib
import sys
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from ...errors import MissingDependency
from .facts import Facts

CAPSULES = {"SyclContextRef": "SyclContext", "SyclQueueRef": "SyclQueue"}
_KINDS = ("unknown", "device", "shared", "host")  # dpctl_sycl_enum_types.h, DPCTLSyclUSMType


class SyclObject:
    """A context that any number of consumers can take: ``_get_capsule()`` gives a new capsule each time.

    A raw capsule is for one consumer only, which renames it: dpctl turns it into an object that can be asked again.

    Parameters
    ----------
    raw : object
        A filter string, an object with ``_get_capsule()`` (a SyclContext, a SyclQueue …), or a capsule named
        ``SyclContextRef`` or ``SyclQueueRef``.
    """

    __slots__ = ("_source", "raw")

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self._source: Any = raw if hasattr(raw, "_get_capsule") else None

    def _get_capsule(self) -> Any:
        if self._source is None:
            self._source = _opened(self.raw)
        return self._source._get_capsule()

    def usm_kind(self, pointer: int) -> str:
        """The kind of the allocation at an address in this context: ``device``, ``shared``, ``host`` or ``unknown``.

        Empty where nobody can be asked: dpctl is not loaded, or there is no such context. Capsules are not asked:
        a stranger's has a single use, and may hold anything.
        """
        dpctl: Any = sys.modules.get("dpctl")
        library = _interface()
        if library is None or not isinstance(self.raw, (str, dpctl.SyclQueue, dpctl.SyclContext)):
            return ""
        try:
            if self._source is None:
                self._source = _opened(self.raw)
            context = getattr(self._source, "sycl_context", self._source)
            if not _has_usm(context):
                return ""  # the question ends the process where a platform has no USM
            return _KINDS[library.DPCTLUSM_GetPointerType(pointer, context.addressof_ref())]
        except Exception:  # a filter string that selects no device here
            return ""

    def __repr__(self) -> str:
        return f"SyclObject({self.raw!r})"


def capsule_name(raw: Any) -> str:
    """The name of a capsule that holds a context or a queue; empty for anything else."""
    if type(raw).__name__ != "PyCapsule":
        return ""
    text = repr(raw)  # <capsule object "SyclContextRef" at 0x...>
    name = text.partition('"')[2].partition('"')[0]
    return name if name in CAPSULES else ""


def _opened(raw: Any) -> Any:
    try:
        dpctl = importlib.import_module("dpctl")
    except ImportError as error:
        raise MissingDependency(
            f"dpctl is needed to hand on the SYCL context {raw!r}: pip install dpctl"
        ) from error
    if isinstance(raw, str):
        return dpctl.SyclDevice(raw).sycl_platform.default_context
    return getattr(dpctl, CAPSULES[capsule_name(raw)])(raw)


@lru_cache(maxsize=64)
def _has_usm(context: Any) -> bool:
    return all(device.has_aspect_usm_device_allocations for device in context.get_devices())


def finish_queue(view: Facts) -> None:
    """Wait for what the library of a view's array still does with it on a queue of its own.

    Neither DLPack nor SUAI says on which queue that is: the array does, as those of dpnp and dpctl.
    """
    owners: list[Any] = [view.owner]
    while owners:
        owner = owners.pop()
        if isinstance(owner, Usm):
            owners.append(owner.producer)
        elif isinstance(owner, tuple):
            owners.extend(owner)
        elif hasattr(owner, "byte_strides"):
            owners.append(owner.owner)
        elif (wait := getattr(getattr(owner, "sycl_queue", None), "wait", None)) is not None:
            wait()


# The contexts on whose queues kernels are launched; a type names one by its place here.
_contexts: list[Any] = []


def context_number(context: Any) -> int:
    """The number of a context of dpctl's, the same for all that are equal."""
    if context not in _contexts:
        _contexts.append(context)
    return _contexts.index(context)


def is_in_context(view: Facts, number: int) -> bool:
    """Whether a view shows USM memory of a context; what has no elements is anybody's."""
    library = _interface()
    if not view.size or library is None:
        return not view.size
    return bool(library.DPCTLUSM_GetPointerType(view.ptr, _contexts[number].addressof_ref()))


def _interface() -> Any:
    """The C interface of the dpctl that is loaded: only then can SYCL objects be at hand."""
    place = getattr(sys.modules.get("dpctl"), "__file__", None)
    return _loaded(place) if place else None


@cache
def _loaded(place: str) -> Any:
    try:
        library = ctypes.CDLL(str(Path(place).with_name("libDPCTLSyclInterface.so")))
        function = library.DPCTLUSM_GetPointerType
    except (OSError, AttributeError):
        return None
    function.argtypes, function.restype = (ctypes.c_void_p, ctypes.c_void_p), ctypes.c_int
    return library


class Usm:
    """The owner of USM memory: the producer, and the context of its allocation."""

    __slots__ = ("producer", "syclobj")

    def __init__(self, producer: Any, syclobj: Any) -> None:
        self.producer = producer
        self.syclobj = syclobj if isinstance(syclobj, SyclObject) else SyclObject(syclobj)


def syclobj_of(view: Facts) -> SyclObject | None:
    """The context of a view's memory, found through its owners."""
    owners: list[Any] = [view.owner]
    while owners:
        owner = owners.pop()
        if isinstance(owner, Usm):
            return owner.syclobj
        if isinstance(owner, tuple):
            owners.extend(owner)
        elif hasattr(owner, "byte_strides"):
            owners.append(owner.owner)
    return None
