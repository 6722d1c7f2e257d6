"""Array protocols: one file each, found by file name; `view` asks them in order."""

from __future__ import annotations

import importlib
import pkgutil
from contextlib import suppress
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from .. import _native
from ..errors import ProtocolError
from ..view import ArrayView
from .base import Protocol, Refused

_by_class: WeakKeyDictionary[type, tuple[Protocol, ...]] = WeakKeyDictionary()

_taught: WeakSet[type] = WeakSet()


@cache
def protocols() -> tuple[Protocol, ...]:
    """Every protocol of this folder, in the order in which they are asked."""
    names = [m.name for m in pkgutil.iter_modules(__path__) if m.name != "base"]
    found = [importlib.import_module(f"{__name__}.{name}").PROTOCOL for name in names]
    return tuple(sorted(found, key=lambda p: p.rank))


def protocols_of(cls: type) -> tuple[Protocol, ...]:
    """The protocols that objects of a class speak, in order; cached by class."""
    known = _by_class.get(cls)
    if known is None:
        known = _by_class[cls] = tuple(p for p in protocols() if p.recognises(cls))
    return known


def teach(cls: type, name: str) -> None:
    """Let the native core read objects of a class by itself, after the protocol ``name`` has described one."""
    if cls in _taught:
        return
    _taught.add(cls)
    for protocol in protocols_of(cls):
        if protocol.name == name and (route := protocol.route(cls)):
            with suppress(
                TypeError, ValueError
            ):  # such a class has no such route after all; Python goes on describing it
                _native.set_route(cls, route[0], readonly=route[1])


def view(obj: Any) -> ArrayView:
    """Describe any array object without copying it.

    Parameters
    ----------
    obj : object
        A NumPy array, or anything that speaks DLPack, ``__array_interface__`` or the buffer protocol.

    Returns
    -------
    ArrayView
        It holds its owner: the memory stays valid while the view lives.

    Raises
    ------
    ProtocolError
        If the object speaks no protocol, or breaks the one it speaks. The order is the array-protocol order of the
        CUDA Python device specification, "Arrays": DLPack first; on a refusal of the dtype, the next one.
    """
    if isinstance(obj, ArrayView):
        return obj
    refusals = []
    for protocol in protocols_of(type(obj)):
        try:
            return protocol.describe(obj)
        except Refused as refusal:
            refusals.append(f"{protocol.name}: {refusal}")
    raise ProtocolError(f"{type(obj).__qualname__} shows no array by any protocol ({'; '.join(refusals)})")
