"""``__array_interface__``: host memory described by a dict; NumPy itself reads and checks it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ProtocolError
from ..view import ArrayView
from .base import Protocol, Refused, from_ndarray


class _Shown:
    """Carries the dict alone, so that NumPy takes no other protocol of the producer."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, interface: dict[str, Any], owner: object) -> None:
        self.__array_interface__ = interface
        self.owner = owner


def describe(obj: Any) -> ArrayView:
    """The view that ``obj.__array_interface__`` describes, without a copy."""
    interface = getattr(obj, "__array_interface__", None)
    if interface is None:
        raise Refused("it has none")
    if interface.get("mask") is not None:
        raise ProtocolError(f"{type(obj).__qualname__} masks elements, which C++ would not see")
    try:
        array = np.asarray(_Shown(interface, obj))
    except Exception as error:
        raise ProtocolError(f"{type(obj).__qualname__}.__array_interface__ is not usable: {error}") from error
    if array.dtype == object:
        raise ProtocolError(
            f"{type(obj).__qualname__}.__array_interface__ describes Python objects, not numbers"
        )
    # A NumPy scalar shows a copy of itself.
    return from_ndarray(array, "__array_interface__", readonly=isinstance(obj, np.generic))


# Each object is asked: unlike a method, the dict is often an attribute of the instance alone.
PROTOCOL = Protocol("__array_interface__", 40, lambda cls: True, describe)
