"""The class of classes whose members are bound when one is first asked for, of the class or of an object."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from .record_type import LATER, RecordType


def complete(cls: type) -> bool:
    """Bind the members of a class and of its bases that wait; whether there were any, and are there now."""
    binders: list[Callable[[], bool]] = [c.__dict__[LATER] for c in cls.__mro__ if LATER in c.__dict__]
    return True in [bind() for bind in binders]  # all of them


class LaterType(RecordType):
    """What such classes are until their members are there, and those that derive from them.

    It is apart from their usual class, as a class that is asked in vain would be slower to ask for what it has.
    """

    def __new__(mcs, name: str, bases: tuple[type, ...], members: dict[str, Any], **options: Any) -> Any:
        if "__samebytes_type__" not in members:  # Python derives it, and may override what is not there yet
            for base in bases:
                complete(base)
            if not any(isinstance(base, LaterType) for base in bases):
                return RecordType(name, bases, members, **options)
        return super().__new__(mcs, name, bases, members, **options)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        bind = cls.__dict__.get(LATER)
        if bind is not None and bind():
            return cls(*args, **kwargs)
        return type.__call__(cls, *args, **kwargs)  # the class of the class may be another by now

    def __getattr__(cls, name: str) -> Any:
        if not name.startswith("_"):
            complete(cls)
        return type.__getattribute__(cls, name)

    def __dir__(cls) -> list[str]:
        complete(cls)
        return RecordType.__dir__(cls)

    @property
    def __signature__(cls) -> inspect.Signature:
        complete(cls)
        return RecordType.__signature__.fget(cls)  # type: ignore[attr-defined, no-any-return]


class OfRecords:
    """In such a class: a name that all records have, where C++'s member of that name, if there is one, comes first."""

    __slots__ = ("_label",)
    __samebytes_deferred__ = True

    def __init__(self, label: str) -> None:
        self._label = label

    def __get__(self, instance: Any, owner: Any) -> Any:
        complete(owner)
        known = (base.__dict__[self._label] for base in owner.__mro__ if self._label in base.__dict__)
        found = next(value for value in known if not isinstance(value, OfRecords))
        get = getattr(type(found), "__get__", None)
        return found if get is None else get(found, instance, owner)


def wait(cls: Any, bind: Callable[[], bool]) -> None:
    """Let a class bind its members when one is asked for."""
    type.__setattr__(cls, LATER, bind)
    _settle(cls)


def end_wait(cls: Any) -> None:
    """Let a class be one like others."""
    if LATER in cls.__dict__:
        type.__delattr__(cls, LATER)
        _settle(cls)


def _settle(cls: Any) -> None:
    """Give a class, and those that derive from it, the class that is due to them."""
    waits = any(LATER in c.__dict__ for c in cls.__mro__)
    if type(cls) is not (kind := LaterType if waits else RecordType):
        type.__setattr__(cls, "__class__", kind)
    for derived in type.__subclasses__(cls):
        _settle(derived)
