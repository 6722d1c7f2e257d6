"""``keys()``, ``values()`` and ``items()`` of classes whose elements are pairs that C++ finds by the first of each."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, ValuesView
from typing import Any


class Keys(KeysView[Any]):
    """The keys of an object, in its order."""

    __slots__ = ()
    _mapping: Any

    def __iter__(self) -> Iterator[Any]:
        return (key for key, _ in self._mapping)

    def __repr__(self) -> str:
        return f"keys({list(self)!r})"


class Values(ValuesView[Any]):
    """Its values, in the order of the keys."""

    __slots__ = ()
    _mapping: Any

    def __iter__(self) -> Iterator[Any]:
        return (value for _, value in self._mapping)

    def __contains__(self, value: object) -> bool:
        return any(value is other or value == other for other in self)

    def __repr__(self) -> str:
        return f"values({list(self)!r})"


class Items(ItemsView[Any, Any]):
    """Its pairs, as a loop gives them; C++'s ``[]``, which may add what it does not find, is not asked."""

    __slots__ = ()
    _mapping: Any

    def __iter__(self) -> Iterator[Any]:
        return iter(self._mapping)

    def __contains__(self, item: object) -> bool:
        return any(item == other for other in self)

    def __repr__(self) -> str:
        return f"items({list(self)!r})"


_VIEWS: dict[str, Any] = {"keys": Keys, "values": Values, "items": Items}


def add_mapping(cls: Any, taken: frozenset[str]) -> None:
    """Give a class its views, but for names that C++ has itself.

    Parameters
    ----------
    taken : frozenset of str
        The names of C++'s members.
    """
    for name, view in _VIEWS.items():
        if name not in taken and name not in vars(cls):
            setattr(cls, name, _method(name, view))
    if "__reversed__" not in vars(cls):
        cls.__reversed__ = None  # Python would ask [] for 0, 1, 2 …


def _method(name: str, view: Any) -> Any:
    def method(self: Any) -> Any:
        return view(self)

    method.__name__ = name
    method.__doc__ = view.__doc__
    return method
