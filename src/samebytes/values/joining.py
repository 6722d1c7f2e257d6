"""Classes of Python's that derive from several of C++'s: one class of C++'s that is all of them, and what makes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _native
from .overriding import is_own, is_way

_PARTS = "__samebytes_parts__"


def with_joined(bases: tuple[type, ...]) -> tuple[type, ...]:
    """The bases of a class of Python's, one of C++'s in place of several."""
    tops: list[Any] = []
    for base in bases:
        top = next((c for c in base.__mro__ if is_own(c) and not is_way(c)), None)
        if top is not None and not any(issubclass(known, top) for known in tops):
            tops = [known for known in tops if not issubclass(top, known)] + [top]
    if len(tops) < 2 or any(_PARTS in vars(top) for top in tops):
        return bases
    first = tops[0]
    if any(getattr(top, "__samebytes_linker__", None) is not first.__samebytes_linker__ for top in tops):
        return bases
    _check_order([base for base in bases if any(map(is_own, base.__mro__))], tops)
    through = first.__samebytes_joining__(tuple(tops))
    if through is None:
        return bases
    if _PARTS not in vars(through) and issubclass(through, _native.Handle):
        _open(through, tuple(tops))
    # Where Python looks for what the first of them has, and behind its own class, if that is the first.
    at = next(i for i, base in enumerate(bases) if any(map(is_own, base.__mro__)))
    at += bases[at] not in tops
    before = [base for base in bases[:at] if base not in tops]
    return (*before, through, *(base for base in bases[at:] if base not in tops))


def _check_order(bases: list[Any], tops: list[Any]) -> None:
    """Raise where ``super()`` in a class of Python's would reach another one of Python's in place of C++'s."""
    first = bases[0]
    if first in tops:
        return  # then each class of Python's is right before its own of C++'s
    shown = {name for c in first.__mro__ if is_own(c) for name in vars(c) if not name.startswith("__")}
    for base in bases[1:]:
        own = next(i for i, c in enumerate(base.__mro__) if is_own(c))
        names = {name for c in base.__mro__[:own] for name in vars(c)}
        if found := sorted(names & (shown | {"__init__"})):
            raise TypeError(
                f"a class derives from {first.__name__} and {base.__name__}, which has {found[0]}: Python would find "
                f"it where {first.__name__} means that of C++; name {base.__name__} first"
            )


def _open(through: Any, parts: tuple[Any, ...]) -> None:
    """Have each base take the arguments of its constructor, and the last of them make the object."""
    type.__setattr__(through, _PARTS, parts)
    type.__setattr__(through, "__init__", _init_of_all(parts))
    for part in parts:
        if not hasattr(vars(part).get("__init__"), "__samebytes_of__"):
            type.__setattr__(part, "__init__", _init_of(part))


def _init_of(part: Any) -> Callable[..., None]:
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        if not isinstance(self, _native.Handle):  # a record, which is made of its bytes
            super(part, self).__init__(*args, **kwargs)
            return
        through = next((c for c in type(self).__mro__ if _PARTS in vars(c)), None)
        if through is None or not self.__samebytes_pending__ or part not in getattr(through, _PARTS):
            _native.Handle.__init__(self, *args, **kwargs)
            return
        known = _native.attributes(self)
        given = known.setdefault(_PARTS, {})
        if part in given:
            raise TypeError(f"{part.__name__}.__init__() has been called for this object")
        given[part] = args, kwargs
        if len(given) == len(getattr(through, _PARTS)):
            del known[_PARTS]
            _make(self, through, given)

    init.__samebytes_of__ = part  # type: ignore[attr-defined]
    return init


def _init_of_all(parts: tuple[Any, ...]) -> Callable[..., None]:
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        given = self.__samebytes_pending__ and _PARTS in _native.attributes(self)
        if not self.__samebytes_pending__ or not (args or kwargs or given):
            _native.Handle.__init__(self, *args, **kwargs)
        elif not kwargs and len(args) == len(parts) and all(isinstance(arg, tuple) for arg in args):
            for part, of_part in zip(parts, args, strict=True):
                part.__init__(self, *of_part)
        else:  # it stands in the order of classes right before the first
            parts[0].__init__(self, *args, **kwargs)

    init.__samebytes_of__ = parts  # type: ignore[attr-defined]
    return init


def _make(self: Any, through: Any, given: dict[Any, Any]) -> None:
    parts, copied = getattr(through, _PARTS), through.__samebytes_copied__
    said = [part for part in parts if any(given[part])]
    if not said:
        _native.Handle.__init__(self)
    elif all(part in copied for part in said):
        _native.Handle.__init__(self, *(part(*given[part][0], **given[part][1]) for part in copied))
    elif len(said) == 1:
        _native.Handle.__init__(self, *given[said[0]][0], **given[said[0]][1])
    else:
        words = " and ".join(part.__name__ for part in said)
        raise TypeError(
            f"{type(self).__name__} gives arguments to {words}, and C++ makes one of several bases of arguments only "
            "where it can copy each of these and none is abstract"
        )
