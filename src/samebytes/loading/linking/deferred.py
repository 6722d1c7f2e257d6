"""Classes that a function gave before anyone asked for them: their members are bound on first use."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from ...errors import InstantiationError
from ...forks import Lock
from ...values.later_type import OfRecords, complete, end_wait, wait
from ...values.record_type import DEFERRED, set_own
from ..operators import all_special_methods

if TYPE_CHECKING:
    from ..templates.library import Instantiate

# What Python asks without offering an operand to decline: asked again when the class is whole.
_ASKED: dict[str, Callable[..., Any]] = {
    "__iter__": iter, "__len__": len, "__bool__": bool, "__str__": str, "__hash__": hash, "__int__": int,
    "__float__": float, "__contains__": operator.contains, "__reversed__": reversed,
}  # fmt: skip
# What records have in Python, and C++ may name a member.
_RECORDS = ("keys", "replace", "value")
_NOT_DECLINED = {"__call__": "callable", "__getitem__": "subscriptable", "__setitem__": "assignable"}


def defer_members(cls: Any, name: str, instantiate: Instantiate) -> None:
    """Let a class bind its members when one is asked for.

    Parameters
    ----------
    cls : type
        An instantiation of a class template, without its members.
    name : str
        How C++ spells it.
    instantiate : callable
    """
    binding, begun, whole = Lock(), False, False

    def bind() -> bool:
        """Bind the members, or wait for the thread that does; false in that thread meanwhile."""
        nonlocal begun, whole
        with binding:
            if not begun:
                begun, reason = True, ""
                try:
                    instantiate((name,))
                except InstantiationError as error:
                    reason = str(error)
                drop_deferral(cls)
                end_wait(cls)  # the last: until now other threads came here, and waited
                if cls.__dict__.get("__getattr__") is _attribute:
                    type.__delattr__(cls, "__getattr__")
                if reason:
                    set_own(cls, "__getattr__", _without_members(reason))
                whole = True
            return whole

    wait(cls, bind)
    set_own(cls, "__getattr__", _attribute)
    own = cls.__dict__
    for method, asked in _placeholders().items():
        if method not in own:
            set_own(cls, method, asked)
    for label in _RECORDS:
        if label not in own and any(
            label in base.__dict__ for base in cls.__mro__
        ):  # to ask for it would bind
            set_own(cls, label, OfRecords(label))


def _attribute(self: Any, label: str) -> Any:
    if not label.startswith("_"):  # others look for names of theirs
        complete(type(self))
    try:
        return object.__getattribute__(self, label)
    except AttributeError:
        asked = getattr(type(self), "__getattr__", _attribute)
        if asked is _attribute:
            raise
        return asked(self, label)  # which says why they are not there


def _without_members(reason: str) -> Callable[[Any, str], Any]:
    """Say of each member that is asked for why its class has none."""

    def attribute(self: Any, label: str) -> Any:
        if label.startswith("_"):
            return object.__getattribute__(self, label)
        raise AttributeError(f"{type(self).__name__!r} has no {label!r}: its members are not bound: {reason}")

    return attribute


@cache
def _placeholders() -> dict[str, Any]:
    """The special methods of a class that waits: each binds its members, and asks the class's own."""
    made = {method: _special(method) for method in all_special_methods()}
    return made | {method: _protocol(method) for method in _ASKED}


def _special(method: str) -> Any:
    def asked(self: Any, *args: Any) -> Any:
        complete(type(self))
        found = getattr(type(self), method, None)
        if found is not None and not hasattr(found, DEFERRED):
            return found(self, *args)
        if method in _NOT_DECLINED:
            raise TypeError(f"{type(self).__name__!r} object is not {_NOT_DECLINED[method]}")
        return NotImplemented

    setattr(asked, DEFERRED, True)
    return asked


def _protocol(method: str) -> Any:
    def asked(self: Any, *args: Any) -> Any:
        complete(type(self))
        if hasattr(getattr(type(self), method, None), DEFERRED):
            raise TypeError(f"{type(self).__name__!r}: its members are being bound")
        return _ASKED[method](self, *args)

    setattr(asked, DEFERRED, True)
    return asked


def drop_deferral(cls: Any) -> None:
    """Take the special methods away that only ask for the class's own."""
    for name in [name for name, value in cls.__dict__.items() if hasattr(value, DEFERRED)]:
        type.__delattr__(cls, name)
