"""Names of bases as C++ finds them: in the base that its lookup says, or in none, whatever Python's order is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from ...call.c_api.api import PendingMethod
from ...call.candidate import special_of
from ...call.class_conversions import LOST, lost_conversions
from ...model.symbols import overrides
from ...types import Struct
from ...types.naming import python_names
from ...values.record_type import set_own
from ..operators import is_inherited, methods_named

# What Python's protocols ask of a class that has these names.
_PROTOCOLS = {
    "size": ("__len__",),
    "begin": ("__iter__",),
    "find": ("__contains__",),
    "count": ("__contains__",),
}


class _Hidden:
    """A name of a base that does not mean the base's member in a derived class."""

    def __init__(self, words: str) -> None:
        self._words = words

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        raise AttributeError(self._words)

    def __set__(self, instance: Any, value: Any) -> None:
        raise AttributeError(self._words)


def _refusing(words: str) -> Callable[..., NoReturn]:
    """A special method that is not there, of a class whose base has one."""

    def refuse(self: Any, *args: Any) -> NoReturn:
        raise TypeError(words)

    return refuse


def settle_names(classes: Mapping[str, Any]) -> None:
    """Have derived classes find the members of their bases that C++ finds, and no others."""
    known = sorted(classes.values(), key=lambda cls: len(cls.__mro__))  # a base before what derives from it
    for cls in known:
        struct = getattr(cls, "__samebytes_type__", None)
        if not isinstance(struct, Struct):
            continue
        _hide(cls, struct)
        if not overrides(struct):
            _settle(cls, struct, classes)


def _settle(cls: Any, struct: Struct, classes: Mapping[str, Any]) -> None:
    for name, home in struct.found:
        if home in classes:
            _show(cls, name, classes[home])
    if (lost := lost_conversions(cls)) or hasattr(cls, LOST):
        set_own(cls, LOST, lost)
    _forget_truth(cls, struct, lost)


def _hide(cls: Any, struct: Struct) -> None:
    for name in struct.hidden:
        words = (
            f"{cls.__name__} does not inherit {name!r}: it declares the name itself, not public or not bound, "
            "or several bases have it"
        )
        known = python_names([name])[name]
        if is_inherited(cls, known):
            type.__setattr__(cls, known, _Hidden(words))  # a static variable is no more set
        for method in () if overrides(struct) or not name.startswith("operator") else methods_named(name):
            if is_inherited(cls, method):
                set_own(cls, method, _refusing(words))


def _show(cls: Any, name: str, home: Any) -> None:
    """Give a class what one of its bases has under a name, where Python would find another base's."""
    if name.startswith("operator"):
        labels = (python_names([name])[name], *methods_named(name))
    else:
        labels = (python_names([name])[name], *_PROTOCOLS.get(name, ()))
    words = f"C++ finds {name!r} of a {cls.__name__} in {home.__name__}, where it is not bound"
    for number, label in enumerate(labels):
        if label in vars(cls) or _first(cls, label) is home:
            continue
        if label in vars(home):
            _share(cls, label, vars(home)[label])
        elif number and is_inherited(cls, label):
            set_own(cls, label, _refusing(words))


def _forget_truth(cls: Any, struct: Struct, lost: tuple[str, ...]) -> None:
    """Leave the truth of an object to no base, where C++ does not find that base's conversion or ``operator!``."""
    names = [name for name in (*struct.hidden, *(n for n, _ in struct.found)) if _may_say_truth(name)]
    closed = lost or any(name == "operator!" or name.endswith("*") for name in names)
    inherited = bool(names) and is_inherited(cls, "__bool__")
    if inherited or (closed and special_of(cls, "__bool__") is None):
        words = f"whether a {cls.__name__} is true C++ does not say: it finds no one {[*names, *lost][0]} for that"
        set_own(cls, "__bool__", _refusing(words))


def _may_say_truth(name: str) -> bool:
    return name == "operator!" or name.startswith("operator ")


def _first(cls: Any, label: str) -> Any:
    """The class in which Python finds a name."""
    return next((one for one in cls.__mro__ if label in vars(one)), None)


def _share(cls: Any, label: str, member: Any) -> None:
    if isinstance(member, PendingMethod):
        member.stand(cls, label)
    else:
        set_own(cls, label, member)


def finds(cls: Any, name: str, base: Any) -> bool:
    """Whether C++ finds a name of a base, by its name in C++, in objects of a class, and no other member."""
    struct = cls.__samebytes_type__
    if (home := dict(struct.found).get(name)) is not None:
        return bool(home == base.__samebytes_type__.name)
    if name in struct.hidden:
        return False
    direct = cls.__samebytes_direct__.values()
    # A virtual base of a base is direct, too; what C++ finds there, it finds by the base.
    nearest = [one for one in direct if not any(o is not one and issubclass(o, one) for o in direct)]
    return any(one is base or (issubclass(one, base) and finds(one, name, base)) for one in nearest)
