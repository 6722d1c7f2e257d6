"""Functions of C APIs that allocate device memory, whose pointer comes back as a DeviceArray of the bytes it got."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from operator import index
from typing import Any

from ..adapters.device_array import DeviceArray
from ..intents import out_return
from ..signature import Signature
from ..types import Pointer
from ..view import Device
from .lookup import Symbols
from .status import Finish


@dataclass(frozen=True, slots=True)
class Allocation:
    """How one function allocates.

    Attributes
    ----------
    output : str
        The parameter that gets the address.
    size : str
        The parameter that says how many bytes.
    kind : int
        DLPack's number of the device (dlpack.h, DLDeviceType).
    usm : str
        ``"shared"`` where host and device share the memory.
    current : str
        The function that says which device is current, ``status f(int*)``.
    """

    output: str
    size: str
    kind: int
    usm: str
    current: str


def _hip(output: str, size: str = "size", usm: str = "") -> Allocation:
    return Allocation(output, size, 10, usm, "hipGetDevice")


# HIP Python, "DeviceArray", the functions that return one; names of parameters as in hip_runtime_api.h.
ALLOCATIONS = {
    "hipMalloc": _hip("ptr"),
    "hipExtMallocWithFlags": _hip("ptr", "sizeBytes"),
    "hipMallocManaged": _hip("dev_ptr", usm="shared"),
    "hipMallocAsync": _hip("dev_ptr"),
    "hipMallocFromPoolAsync": _hip("dev_ptr"),
}


def arrays(signature: Signature, symbols: Symbols | None) -> Finish | None:
    """What makes a DeviceArray of a function's new memory; None: the function allocates none, as far as is known.

    A header whose parameters have other names, or whose output a user made an input, is bound as any other.
    """
    said = ALLOCATIONS.get(signature.name)
    names = [parameter.name for parameter in signature.visible]
    outputs = [p.name for p in signature.parameters if p.intent == out_return and isinstance(p.type, Pointer)]
    if said is None or outputs != [said.output] or said.size not in names:
        return None
    place = names.index(said.size)

    def finish(results: tuple[Any, ...], arguments: tuple[Any, ...]) -> Any:
        status, address = results
        if int(status) or not address:
            return status, DeviceArray(None)
        device = Device(said.kind, _current(said.current, symbols), said.usm)
        array = DeviceArray(address, device=device)
        return status, array.configure(shape=index(arguments[place]), typestr="|u1", _force=True)

    return finish


def _current(name: str, symbols: Symbols | None) -> int:
    """The number of the current device; the first, where nobody says."""
    function, number = symbols.function(name) if symbols else None, ctypes.c_int()
    failed = function is None or function(ctypes.byref(number))
    return 0 if failed else number.value
