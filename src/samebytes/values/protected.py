"""What C++ protects: members that objects of classes derived in Python have, and those of C++'s class itself refuse.

C++ gives access through a class of its own, which is built when a class of Python's first uses such a member.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..types import Protected, Struct
from ..types.naming import python_names
from .overriding import is_own, is_way
from .record_type import Refused, set_own

_OPENED = "__samebytes_opened__"  # in a class of C++'s: what opens each of the names
_PACKAGED = (
    "its library is an installed package, which has no header by which C++ could give access; give an attribute of "
    "Python's another name"
)


class Guarded:
    """The name of a member that is protected.

    Parameters
    ----------
    name : str
        In Python.
    owner : str
        The class that declares it.
    """

    __slots__ = ("name", "owner")
    __samebytes_protected__ = True

    def __init__(self, name: str, owner: str) -> None:
        self.name, self.owner = name, owner

    def __get__(self, instance: Any, cls: Any = None) -> Any:
        cls = cls if instance is None else type(instance)
        member = self.meant(cls)
        get = getattr(type(member), "__get__", None)
        return member if get is None else get(member, instance, cls)

    def meant(self, cls: Any) -> Any:
        """The member as a class of Python's has it.

        Raises
        ------
        AttributeError
            If it is a class of C++'s, or C++ gives no access.
        """
        if is_own(cls):
            raise AttributeError(
                f"{self.owner}.{self.name} is protected: only classes that Python derives from {cls.__name__} have it"
            )
        if (own := getattr(cls, "__samebytes_owns__", {}).get(self.name)) is not None:
            return own
        first = next(c for c in cls.__mro__ if is_own(c) and not is_way(c))
        return _found(first, self)


class GuardedData(Guarded):
    """The name of a member that is protected and has a value."""

    __slots__ = ()

    def __set__(self, instance: Any, value: object) -> None:
        member = self.meant(type(instance))
        set_one = getattr(type(member), "__set__", None)
        if set_one is None:
            raise AttributeError(f"{self.owner}.{self.name} is const in C++")
        set_one(member, instance, value)

    def __delete__(self, instance: Any) -> None:
        raise AttributeError(f"{self.owner}.{self.name} is a member of C++'s, which nothing deletes")


def protect(cls: Any, struct: Struct) -> None:
    """Give a class of C++'s the names of what it protects."""
    for member in struct.protected:
        if member.name:
            label = python_names([member.name])[member.name]
            if label not in vars(cls):
                set_own(cls, label, (GuardedData if member.data else Guarded)(label, struct.short_name))


def _found(own: Any, asked: Guarded) -> Any:
    if _OPENED not in vars(own):
        set_own(own, _OPENED, _opened(own))
    opened: Mapping[str, Any] = vars(own)[_OPENED]
    if asked.name not in opened:
        raise AttributeError(
            f"{asked.owner}.{asked.name} is protected, and {own.__name__} does not inherit it so"
        )
    found = opened[asked.name]
    if isinstance(found, str):
        raise AttributeError(f"{asked.owner}.{asked.name} is protected, and {found}")
    member = vars(found).get(asked.name)
    why = "it is a member template, or a type, to which Python gives no access"
    if isinstance(member, Refused):
        why = str(getattr(member.reason, "reason", member.reason))
    elif member is not None:
        return member
    raise AttributeError(f"{asked.owner}.{asked.name} is protected, and not bound: {why}")


def _opened(own: Any) -> dict[str, Any]:
    """The class that has each protected name of a class, or why none has."""
    members = {python_names([name])[name]: member for name, member in _inherited(own).items()}
    made = _class(own, tuple(members.values()))
    if not isinstance(made, str) or len(members) == 1:
        return dict.fromkeys(members, made)
    if made == _PACKAGED:
        return dict.fromkeys(members, made)
    # One that C++ refuses is not to take the others with it.
    return {name: _class(own, (member,)) for name, member in members.items()}


def _class(own: Any, members: tuple[Protected, ...]) -> Any:
    try:
        made = own.__samebytes_opening__(own, members)
    except TypeError as error:
        return str(error)
    return _PACKAGED if made is None else made


def _inherited(cls: Any) -> dict[str, Protected]:
    """The protected members that a class has, its bases' too."""
    struct: Struct = cls.__samebytes_type__
    found = {member.name: member for member in struct.protected if member.name}
    homes = dict(struct.found)
    for name_of_base, base in cls.__samebytes_direct__.items():
        for name, member in _inherited(base).items():
            if name not in struct.hidden and homes.get(name, name_of_base) == name_of_base:
                found.setdefault(name, member)
    return found
