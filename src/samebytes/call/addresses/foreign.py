"""C++ objects that other libraries of Python have: SYCL's, which dpctl holds and gives the addresses of."""

from __future__ import annotations

import struct
import sys
from typing import Any

from ...values.conversion import Packed

_ADDRESS = struct.Struct("P")
# The class of C++, and dpctl's; each object of that holds one, and says where.
_OF_DPCTL = {
    "sycl::queue": "SyclQueue",
    "sycl::device": "SyclDevice",
    "sycl::context": "SyclContext",
    "sycl::event": "SyclEvent",
    "sycl::platform": "SyclPlatform",
}
KEPT = "dpctl keeps it, so that C++ may copy it and not move from it: pass it by reference or by value"


def foreign_object(name: str, obj: Any) -> Packed | None:
    """The address of an object of a class of C++'s that another library's object holds; None if it holds none."""
    if name not in _OF_DPCTL:
        return None
    cls = getattr(sys.modules.get("dpctl"), _OF_DPCTL[name], None)
    if cls is None or not isinstance(obj, cls):
        return None
    return Packed(_ADDRESS.pack(obj.addressof_ref()), (obj,))
