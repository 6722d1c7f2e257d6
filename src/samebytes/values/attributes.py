"""Attributes of Python's, for objects of classes that Python derives from handles': any, or those of ``__slots__``."""

from __future__ import annotations

from typing import Any

from .. import _native


class Slot:
    """What ``__slots__`` names: an attribute that the core keeps beside the C++ object, as that has no room for it."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        try:
            return _native.attributes(instance)[self.name]
        except KeyError:
            self._refuse(instance)

    def __set__(self, instance: Any, value: Any) -> None:
        _native.attributes(instance)[self.name] = value

    def __delete__(self, instance: Any) -> None:
        if _native.attributes(instance).pop(self.name, self) is self:
            self._refuse(instance)

    def _refuse(self, instance: Any) -> None:
        words = f"{type(instance).__name__!r} object has no attribute {self.name!r}"
        raise AttributeError(words, name=self.name, obj=instance)


def with_attributes(
    name: str, bases: tuple[type, ...], members: dict[str, Any], slots: Any
) -> tuple[type, ...]:
    """The bases by which objects of a class have the attributes that its ``__slots__`` let them have: any without.

    Raises
    ------
    TypeError
        If a slot is none that Python could keep.
    ValueError
        If the class has something else of the name.
    """
    named = () if slots is None else (slots,) if isinstance(slots, str) else tuple(slots)
    for slot in named:
        if not isinstance(slot, str) or not slot.isidentifier():
            raise TypeError(f"class {name} has __slots__ {slot}: objects of C++ have attributes, and no more")
        if slot in members:
            raise ValueError(f"{slot!r} in __slots__ conflicts with class variable")
        if slot not in ("__dict__", "__weakref__"):  # of which every object has the latter
            mangled = (
                f"_{name.lstrip('_')}{slot}" if slot.startswith("__") and not slot.endswith("__") else slot
            )
            members[mangled] = Slot(mangled)
    free = slots is None or "__dict__" in named
    if not free or any(issubclass(base, _native.Attributes) for base in bases):
        return bases
    first = next(i for i, base in enumerate(bases) if issubclass(base, _native.Handle))
    return (*bases[:first], _native.Attributes, *bases[first:])
