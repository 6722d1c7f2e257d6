"""Array protocols: one file each, found by file name; `view` asks them in order."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from ... import _native
from ...errors import ProtocolError
from ...options import check_dialect
from ...plugins import Plugins
from ..view import ArrayView
from ..view.streams import order
from .base import Protocol, Refusals, Refused

_by_class: WeakKeyDictionary[type, tuple[Protocol, ...]] = WeakKeyDictionary()

_taught: WeakSet[type] = WeakSet()


@cache
def protocols() -> tuple[Protocol, ...]:
    """Every protocol of this folder, in the order in which they are asked."""
    found: Plugins[Protocol] = Plugins(__name__, "PROTOCOL")
    return tuple(sorted(found.all(), key=lambda p: p.rank))


def protocols_of(cls: type) -> tuple[Protocol, ...]:
    """The protocols that objects of a class speak, in order; cached by class."""
    known = _by_class.get(cls)
    if known is None:
        known = _by_class[cls] = tuple(p for p in protocols() if p.recognises(cls))
    return known


def teach(cls: type, name: str) -> None:
    """Let the native core read objects of a class by itself, after the protocol ``name`` has described one."""
    if cls in _taught or issubclass(cls, ArrayView):  # views have a route of their own
        return
    _taught.add(cls)
    for protocol in protocols_of(cls):
        if protocol.name == name and (route := protocol.route(cls)):
            with suppress(
                TypeError, ValueError
            ):  # such a class has no such route after all; Python goes on describing it
                _native.set_route(cls, route[0], readonly=route[1])


@_native.describes
def view(obj: Any, *, stream: int | None = None, dialect: str | None = None) -> ArrayView:
    """Describe any array object without copying it.

    Parameters
    ----------
    obj : object
        A NumPy array, or anything that speaks DLPack, the CUDA Array Interface, SUAI, ``__array_interface__`` or the
        buffer protocol.
    stream : int, optional
        The stream, as DLPack numbers it, on which the memory will be used: it is ordered after the producer's work.
        -1 asks for no order. Without it, ``view.stream`` says after which stream a consumer must be ordered.
    dialect : str, optional
        Ask only the protocols that may serve parameters of that dialect: for ``cuda`` and ``hip``, DLPack and the
        CUDA Array Interface.

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
    if dialect is not None and type(dialect) is not str:
        check_dialect("view", dialect)
    if isinstance(obj, ArrayView):
        return obj if stream is None else _on(obj, stream)
    with Refusals() as refusals:
        for protocol in protocols_of(type(obj)):
            if dialect is not None and protocol.dialects is not None and dialect not in protocol.dialects:
                continue
            try:
                seen = protocol.describe(obj, stream)
            except Refused as refusal:
                refusals.add(protocol, refusal)
            else:
                teach(type(obj), protocol.name)
                return seen
        words = f"{type(obj).__qualname__} shows no array by any protocol ({refusals})"
        raise refusals.caused(ProtocolError(words))


def _on(seen: ArrayView, stream: int) -> ArrayView:
    if seen.stream is None:
        return seen
    order(stream, seen.stream, seen.device)
    return seen.derive(stream=None if stream == -1 else stream)
