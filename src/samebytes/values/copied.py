"""Containers that are members and variables of C++, as Python reads them: copies that say so when they are written."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple, NoReturn

import numpy as np

from .. import _native
from ..types import (
    ByKind,
    CArray,
    Choice,
    Const,
    Container,
    Dictionary,
    Matrix,
    Maybe,
    NdArray,
    Object,
    Owner,
    Pointer,
    Product,
    Sparse,
    Struct,
    Type,
    converted_parts,
    refers,
    unqualified,
)
from .conversion import structs


class Place(NamedTuple):
    """Where C++ has the original of a copy, as messages say it, ``"Scene.lights"``, and whether nothing sets it."""

    name: str
    const: bool = False


def _refusal(kind: type, name: str) -> Callable[..., NoReturn]:
    """A method that would change an object of a builtin class, and says what to do instead."""

    def refuse(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
        place: Place = self.place
        whole = "" if place.const else f", and assign the whole to {place.name}"
        raise TypeError(
            f"{place.name} is read as a copy, and changing that would change nothing in C++: "
            f"change a {kind.__name__} of your own, {kind.__name__}(...){whole}"
        )

    refuse.__name__ = name
    return refuse


def _renewal(kind: type, name: str) -> Callable[[Any, Any], Any]:
    """What ``+=`` and its like do: they make a plain object, which an assignment then gives to C++ as a whole."""

    def renew(self: Any, other: Any) -> Any:
        return getattr(kind(self), name)(other)

    renew.__name__ = name
    return renew


def _copied(kind: type, changing: str, renewing: str) -> Any:
    """A class of builtin objects that never change; a copy of one, a slice and an unpickled one are plain.

    Parameters
    ----------
    changing, renewing : str
        The methods that change an object, and those that also may give a new one in its place.
    """
    members: dict[str, Any] = {
        "__slots__": ("place",),
        "__module__": __name__,
        "__doc__": f"A {kind.__name__} that is a copy of what C++ has, and never changes.",
        "__repr__": lambda self: repr(kind(self)),
        "__deepcopy__": lambda self, memo: copy.deepcopy(kind(self), memo),
        "__reduce_ex__": lambda self, protocol: (kind, (kind(self),)),
    }
    members |= {name: _refusal(kind, name) for name in changing.split()}
    members |= {name: _renewal(kind, name) for name in renewing.split()}
    members |= {name: _plain(kind, name) for name in ("__copy__", "copy")}
    return type(f"Copied{kind.__name__.capitalize()}", (kind,), members)


def _plain(kind: type, name: str) -> Callable[[Any], Any]:
    def made(self: Any) -> Any:
        return kind(self)

    made.__name__ = name
    return made


CopiedList = _copied(
    list,
    "__setitem__ __delitem__ append extend insert pop remove clear sort reverse",
    "__iadd__ __imul__",
)
CopiedDict = _copied(dict, "__setitem__ __delitem__ clear pop popitem setdefault update", "__ior__")
CopiedSet = _copied(
    set,
    "add discard remove pop clear update intersection_update difference_update symmetric_difference_update",
    "__ior__ __iand__ __isub__ __ixor__",
)


def _made(kind: Any, items: Iterable[Any], place: Place) -> Any:
    found = kind(items)
    found.place = place
    return found


def _array(value: Any, place: Place) -> Any:
    value.setflags(write=False)
    return value


# By exact class: what a call gives for a container, and for what may hold one.
_SHOWN: dict[type, Callable[[Any, Place], Any]] = {
    list: lambda value, place: _made(CopiedList, (copied(item, place) for item in value), place),
    set: lambda value, place: _made(CopiedSet, value, place),
    dict: lambda value, place: _made(
        CopiedDict, ((key, copied(item, place)) for key, item in value.items()), place
    ),
    tuple: lambda value, place: tuple(copied(item, place) for item in value),
    np.ndarray: _array,
}


def copied(value: Any, place: Place) -> Any:
    """The value of a member or a variable, which is a copy: one that no one changes without a word.

    Parameters
    ----------
    place : Place
        Where C++ has the original.
    """
    show = _SHOWN.get(type(value))
    return value if show is None else show(value, place)


Mark = Callable[[Any], Any]


def shows_copies(type_: Type, *, const: bool = False) -> Callable[[Any, Place], Any] | None:
    """What shows the copy that Python gets of a value of a type, so that nothing changes it in vain.

    Parameters
    ----------
    const : bool
        Whether C++ gives the value as const, and so the objects in it.

    Returns
    -------
    callable or None
        ``show(value, place)``, with the objects inside marked as copies; None where there is nothing to change.
    """
    mark = _marks(type_, _mark_const if const or isinstance(type_, Const) else _mark)
    if mark is None:
        return copied if is_copied(type_) else None

    def show(value: Any, place: Place) -> Any:
        mark(value)
        return copied(value, place)

    return show


def _marks(type_: Type, one: Mark) -> Mark | None:
    """What marks the objects that lie in a value of a container, an optional, a product or a variant, each by `one`."""
    made = _MARKED.get(type(unqualified(type_)))
    return None if made is None else made(unqualified(type_), one)


def _inside(type_: Type, one: Mark) -> Mark | None:
    """What marks a part of such a value: an object of a class itself, or those that lie in it."""
    bare = unqualified(type_)
    if isinstance(bare, Struct) or (isinstance(bare, Object) and not bare.refers):
        return one
    return _marks(bare, one)


def _mark(value: Any) -> None:
    if isinstance(value, _native.Record):
        _native.mark_copy(value)


def _mark_const(value: Any) -> None:
    if isinstance(value, _native.Record):
        _native.mark_const(value)


def unmarked(copy_: Any) -> Any:
    """A view of such a copy that may be written to, for a call that says so."""
    owner = copy_ if isinstance(copy_, _native.Handle) else (copy_,)
    return type(copy_).__samebytes_view__(
        structs.address_of(copy_), owner, **({"exact": True} if owner is copy_ else {})
    )


def _each(type_: Container, one: Mark) -> Mark | None:
    mark = _inside(type_.element, one)

    def each(values: Any) -> None:
        for value in values if isinstance(values, list | set | frozenset) else ():
            mark(value)  # type: ignore[misc]

    return mark and each


def _rows(type_: CArray, one: Mark) -> Mark | None:
    """Of a C array or a ``std::array``: tuples of what it has, nested as its extents are."""
    mark = _inside(type_.element, one)
    for _ in type_.shape:
        mark = mark and partial(_all, mark)
    return mark


def _all(mark: Mark, values: Any) -> None:
    for value in values if isinstance(values, tuple) else ():
        mark(value)


def _items(type_: Dictionary, one: Mark) -> Mark | None:
    both = _parts(Product("", (type_.key, type_.value)), one)

    def each(values: Any) -> None:
        for item in values.items() if isinstance(values, dict) else ():
            both(item)  # type: ignore[misc]

    return both and each


def _perhaps(type_: Maybe, one: Mark) -> Mark | None:
    mark = _inside(type_.value, one)
    return mark and (lambda value: None if value is None else mark(value))


def _parts(type_: Product, one: Mark) -> Mark | None:
    marks = [_inside(element, one) for element in type_.elements]

    def each(values: Any) -> None:
        for mark, value in zip(marks, values, strict=True):
            if mark is not None:
                mark(value)

    return each if any(marks) else None


def _alternative(type_: Choice, one: Mark) -> Mark | None:
    # An object that another alternative refers to is C++'s own.
    own = not any(isinstance(unqualified(e), Owner | Pointer) or refers(e) for e in type_.elements)
    return one if own and any(_inside(element, one) for element in type_.elements) else None


_MARKED: ByKind[Callable[[Any, Mark], Mark | None]] = ByKind(
    "values: what marks the objects in a value as copies",
    {
        Container: _each,
        CArray: _rows,
        Dictionary: _items,
        Maybe: _perhaps,
        Product: _parts,
        Choice: _alternative,
    },
    others="no object lies in it as a copy",
)


def is_copied(type_: Type) -> bool:
    """Whether Python sees a copy of a member of a type that it could change in vain."""
    return any(
        isinstance(part, Container | Dictionary | Matrix | NdArray | Sparse)
        for part in converted_parts(unqualified(type_))
    )
