"""Classes of Python's that derive from several of C++'s: one class of C++'s that is all of them, and what makes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _native
from .overriding import is_own

_PARTS = "__samebytes_parts__"


def with_joined(bases: tuple[type, ...]) -> tuple[type, ...]:
    """The bases of a class of Python's, one of C++'s in place of several."""
    tops: list[Any] = []
    for base in bases:
        top = next((c for c in base.__mro__ if is_own(c)), None)
        if top is not None and not any(issubclass(known, top) for known in tops):
            tops = [known for known in tops if not issubclass(top, known)] + [top]
    if len(tops) < 2 or not all(issubclass(top, _native.Handle) for top in tops):
        return bases
    if any("__samebytes_way__" in vars(c) for base in bases for c in base.__mro__):
        return bases  # its objects are laid out already
    first = tops[0]
    if any(getattr(top, "__samebytes_linker__", None) is not first.__samebytes_linker__ for top in tops):
        return bases
    through = first.__samebytes_joining__(tuple(tops))
    if through is None:
        return bases
    if _PARTS not in vars(through):
        _open(through, tuple(tops))
    at = next((i for i, base in enumerate(bases) if base in tops), len(bases))
    kept = [base for base in bases if base not in tops]
    before = sum(base not in tops for base in bases[:at])
    return (*kept[:before], through, *kept[before:])


def _open(through: Any, parts: tuple[Any, ...]) -> None:
    """Have each base take the arguments of its constructor, and the last of them make the object."""
    type.__setattr__(through, _PARTS, parts)
    type.__setattr__(through, "__init__", _init_of_all(parts))
    for part in parts:
        if not hasattr(vars(part).get("__init__"), "__samebytes_of__"):
            type.__setattr__(part, "__init__", _init_of(part))


def _init_of(part: Any) -> Callable[..., None]:
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        through = next((c for c in type(self).__mro__ if _PARTS in vars(c)), None)
        if through is None or not self._unmade or part not in getattr(through, _PARTS):
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
        if not self._unmade or not (args or kwargs):
            _native.Handle.__init__(self, *args, **kwargs)
        elif not kwargs and len(args) == len(parts) and all(isinstance(arg, tuple) for arg in args):
            for part, given in zip(parts, args, strict=True):
                part.__init__(self, *given)
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
