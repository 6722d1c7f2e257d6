"""From what producers say to a view: types, ranges, devices, and what is refused in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from .... import _native
from ....errors import OVERWHELMED, ProtocolError, module_of
from ....types import SCALARS, Type, Vector
from ...view import HOST, ArrayView, numpy_type, numpy_words
from .protocol import Refused

_BY_DLPACK: dict[tuple[int, int, int], Type] = {s.dlpack: s for s in SCALARS.values() if s.name != "char"}

_CODES = {code: name for name, code in _native.DLPACK_CODES.items()}


def dlpack_type(code: int, bits: int, lanes: int) -> tuple[Type | None, str]:
    """The type of a DLPack dtype, and its name in words also where we have no such type."""
    found = _BY_DLPACK.get((code, bits, lanes))
    if found is None and lanes in (2, 3, 4):
        found = _vector(_BY_DLPACK.get((code, bits, 1)), lanes)
    name = _CODES.get(code, f"DLPack type {code} of bits ")
    width = "" if name[-1:] != " " and "_" in name else str(bits)
    words = str(found) if found else f"{name}{width}" + (f" × {lanes} lanes" if lanes != 1 else "")
    return found, words


def _vector(element: Any, size: int) -> Vector | None:
    try:
        return Vector(element, size) if element else None
    except TypeError:
        return None


def view_of_facts(obj: Any, protocol: str, **facts: Any) -> ArrayView:
    """A view of what a producer says.

    Raises
    ------
    ProtocolError
        If that cannot be: negative or uncountable extents, elements outside the address space or without memory.
    """
    try:
        return ArrayView(protocol=protocol, **facts)
    except (ValueError, OverflowError, TypeError) as error:
        raise ProtocolError(
            f"{type(obj).__qualname__} shows no possible array by {protocol}: {error}"
        ) from None


def from_ndarray(array: np.ndarray[Any, Any], protocol: str, *, readonly: bool = False) -> ArrayView:
    """The view of a NumPy array."""
    address, shape, strides, dtype, itemsize, _, _, locked, owner = _native.describe_ndarray(array)
    return ArrayView(
        numpy_type(dtype), numpy_words(dtype), address, shape, strides, itemsize, HOST, locked or readonly,
        protocol, owner, dtype=dtype,
    )  # fmt: skip


def library(cls: type) -> str:
    """The package that a class comes from."""
    return module_of(cls).partition(".")[0]


def interface_route(cls: type) -> tuple[str, bool] | None:
    """The native core's route for objects that show themselves by a dict.

    None where another protocol would have to be asked first, or where the dict leaves something out: torch and HIP
    Python show ROCm's memory as CUDA's, and the dict of a NumPy scalar points at a copy.
    """
    asked = hasattr(cls, "__dlpack__") or issubclass(cls, np.generic)
    return (
        None
        if asked or any(library(base) in ("torch", "hip") for base in cls.__mro__)
        else ("interface", False)
    )


def attribute(obj: Any, name: str) -> Any:
    """An attribute that a protocol reads from the object.

    Raises
    ------
    Refused
        If the object has none, or does not give it: torch's tensors raise where an array must not be shown.
    """
    try:
        found = getattr(obj, name)
    except AttributeError:
        raise Refused("it has none") from None
    except OVERWHELMED:
        raise
    except Exception as error:
        raise Refused(str(error)) from error
    if found is None:
        raise Refused("it has none")
    return found


def usm_kind(obj: Any) -> str:
    """Whether a SYCL allocation is of kind device, shared or host; empty where its producer does not tell."""
    kind = getattr(obj, "usm_type", None)
    if kind is None and hasattr(obj, "get_usm_type"):
        kind = obj.get_usm_type()
    return kind if kind in ("device", "shared", "host") else ""
