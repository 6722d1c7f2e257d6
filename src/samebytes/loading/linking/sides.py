"""Comparisons of a derived class's own: Python asks it first, whichever side of the sign its object stands on."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from ...errors import ArgumentError, sides_error
from ...values.record_type import has_own, set_own
from ..operators import hides

# On a special method: it answers as C++ does on both sides of the sign.
RESOLVES = "__samebytes_resolves__"
_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "gt": ">", "le": "<=", "ge": ">="}
_MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


def settle_sides(cls: Any) -> None:
    """Have a class's comparisons with an object of a base answer only what C++ answers on both sides.

    For ``base < derived`` Python calls ``derived > base``, and nothing tells that from the latter: what C++ says of the
    two need not agree. A comparison that the class inherits is settled, too, since Python asks for it first.
    """
    for name, turned in _MIRRORED.items():
        method = f"__{name}__"
        if any(has_own(base, f"__{turned}__") for base in cls.__bases__) and _finds(cls, method, name):
            function = getattr(cls, method)
            if hasattr(function, RESOLVES):
                continue
            set_own(cls, method, _settled(getattr(function, "__wrapped__", function), name))


def _finds(cls: Any, method: str, name: str) -> bool:
    """Whether C++ finds a comparison that a class has or inherits: no class on the way to it hides it."""
    for one in cls.__mro__:
        if method in vars(one):
            return has_own(cls, method)
        if hides(one, f"operator{_SIGNS[name]}"):
            return False
    return False


def _settled(function: Callable[[Any, Any], Any], name: str) -> Any:
    mirrored = f"__{_MIRRORED[name]}__"

    def compare(self: Any, other: Any) -> Any:
        answer, kind = function(self, other), type(other)
        if kind is type(self) or kind not in type(self).__mro__ or answer is NotImplemented:
            return answer
        turned = getattr(kind, mirrored)
        back = getattr(turned, "__wrapped__", turned)(other, self)
        if back is NotImplemented or (isinstance(answer, bool) and back == answer):
            return answer
        asked = (type(self).__name__, _SIGNS[name], kind.__name__, answer)
        shown = (kind.__name__, _SIGNS[_MIRRORED[name]], type(self).__name__, back)
        raise sides_error(ArgumentError, asked, shown, (f"__{name}__", mirrored))

    return update_wrapper(compare, function, ("__name__", "__qualname__", "__doc__"), ())
