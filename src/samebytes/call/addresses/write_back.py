"""Lists that stand for arrays which C may write to: what it wrote is written into the list when the call has ended."""

from __future__ import annotations

from typing import Any

from ... import _native
from ...errors import IntentError
from ...layouts import compute
from ...layouts.dialects import find_dialect
from ...types import Named, Pointer

LISTS = frozenset(
    f"ListOf{kind}"
    for kind in ("Bytes", "Pointer", "Int", "Unsigned", "Long", "UnsignedLong", "Int64", "UInt64")
)
"""The adapters that make arrays of lists."""


class ListArray:
    """A list or tuple, and the array that a call made of it.

    Parameters
    ----------
    items : list, tuple or array
        An array's rows have their addresses there.
    given : tuple
        What it held when the array was made of it.
    made : buffer
        The array.
    type_ : Pointer
        The parameter's.
    """

    __slots__ = ("_before", "_given", "_items", "_made", "_size", "_type")

    def __init__(self, items: Any, given: tuple[Any, ...], made: Any, type_: Pointer) -> None:
        self._items, self._given, self._made, self._type = items, given, made, type_
        self._size = compute(type_.target, find_dialect("cxx")).size
        self._before = self._bytes(len(given))

    def _bytes(self, count: int) -> list[bytes]:
        raw = bytes(memoryview(self._made).cast("B")[: count * self._size])
        return [raw[i : i + self._size] for i in range(0, len(raw), self._size)]

    def write_back(self, function: str) -> None:
        """Put the elements that C changed into the list; called by the core after a call.

        Raises
        ------
        IntentError
            If they are a tuple's, which never changes, or an array's, whose rows stay where they are, or a list's that
            is not the one that was given any more: it was given twice, or a callback changed it.
        """
        now = self._bytes(len(self._before))
        if now == self._before:
            return
        changed = [i for i, (old, new) in enumerate(zip(self._before, now, strict=True)) if old != new]
        if isinstance(self._items, tuple):
            raise IntentError(
                f"{function}() wrote to element {changed[0]} of the tuple {self._items!r}, which never changes: pass a "
                "list, into which it is written, or an array"
            )
        if not isinstance(self._items, list):
            raise IntentError(
                f"{function}() put another address at row {changed[0]} of an array, whose rows stay where they "
                "are: pass a list of its rows, into which it is written"
            )
        changed = [i for i in changed if i < len(self._items)]  # a callback may have shortened it
        if any(self._items[i] is not self._given[i] for i in changed):
            raise IntentError(
                f"{function}() wrote to element {changed[0]} of a list that has changed since it was given: by another "
                "parameter that got the same list, or by a callback. Pass an array, or a list for each parameter"
            )
        own = dict(zip(self._before, self._given, strict=False))
        for i in changed:
            self._items[i] = own[now[i]] if self._is_own(now[i]) else self._value(now[i])

    def _is_own(self, raw: bytes) -> bool:
        """Whether an address is that of another element, which C has moved."""
        return isinstance(self._type.target, Pointer) and any(raw) and raw in self._before

    def _value(self, raw: bytes) -> Any:
        target = self._type.target
        if not isinstance(target, Pointer):
            return int.from_bytes(raw, "little", signed=getattr(target, "kind", "") == "int")
        inner = target.target
        python = inner.python if isinstance(inner, Named) else None
        kind: Any = python or _native.Pointer
        return kind._behind(int.from_bytes(raw, "little"), None, target.levels[0])


_native.set_list_array(ListArray)
