"""C++ enumerations as Python's IntEnum classes."""

from __future__ import annotations

import copyreg
import re
from collections.abc import Callable
from dataclasses import replace
from enum import EnumType, IntEnum
from keyword import iskeyword
from typing import Any, cast

from ..types import Enum
from ..types.naming import another_names, normalized

# Names that Python's enum module keeps for itself.
_RESERVED = re.compile(r"mro|name|value|__\w*__|_\w*_")


class EnumerationType(EnumType):
    """The class of enumeration classes: they pickle as their library's."""

    def __call__(cls, *args: Any, **keywords: Any) -> Any:
        # From Python 3.12 on, Python's own takes a class without members for a base whose members are given now.
        if not cls._member_map_ and "__samebytes_type__" in cls.__dict__:
            made: Any = cls
            return made.__new__(made, *args, **keywords)
        return super().__call__(*args, **keywords)


def _reduce_class(cls: Any) -> str | tuple[Any, ...]:
    restore = cls.__dict__.get("__samebytes_restore__")
    return restore(cls.__samebytes_type__.name, None) if restore else str(cls.__qualname__)


copyreg.pickle(EnumerationType, _reduce_class)


class _Enumeration(IntEnum, metaclass=EnumerationType):
    """What the classes of C++ enumerations share: numbers that no member has are values, too."""

    @classmethod
    def _missing_(cls, value: object) -> Any:
        described: Enum | None = cls.__dict__.get("__samebytes_type__")
        if type(value) is not int or described is None:
            return None
        scalar = described.underlying
        bits = 8 * scalar.size
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if scalar.kind == "int" else (0, (1 << bits) - 1)
        if scalar.kind == "bool" or not low <= value <= high:
            return None
        made = int.__new__(cls, value)
        made._name_, made._value_ = None, value  # type: ignore[assignment]
        return made

    def _refuse_class(self, cls: type | None = None) -> None:
        name = type(self).__name__
        raise TypeError(f"the class of a {name} cannot be changed: its number is one of its enumeration")

    __class__ = property(type, _refuse_class, _refuse_class)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        # By value, as Python does from 3.11.4 on: before, it asked for the name, which not each number has.
        return type(self), (self._value_,)

    def __repr__(self) -> str:
        name = f".{self._name_}" if self._name_ is not None else ""
        return f"<{type(self).__name__}{name}: {self._value_}>"


class _Scoped(_Enumeration):
    """What the classes of ``enum class`` share: to C++ an enumerator is no number, and only ``int(x)`` makes one."""

    def __int__(self) -> int:
        # The core takes for an int what leaves int() as it was.
        return int(self._value_)


class _Codecs(dict[str, Any]):
    """A class's one codec for each dialect, which learns which others it takes: a pickled class has none yet."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _Codecs, ()


def _without_members(cls: Any, value: object) -> Any:
    if type(value) is cls:
        return value
    made = cls._missing_(value)
    if made is None:
        raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
    return made


def _members(values: dict[str, int]) -> dict[str, int]:
    """The members by their names in Python, second ones behind all that are C++'s."""
    reserved = [name for name in values if _RESERVED.fullmatch(name)]
    keywords = [name for name in values if iskeyword(name)]
    others = another_names((*reserved, *keywords), values)
    found = {others[name] if name in reserved else name: value for name, value in values.items()}
    return found | {others[name]: values[name] for name in keywords}


def enum_class(enum: Enum, module: str, restore: Callable[..., Any] | None = None) -> type[IntEnum]:
    """The class of a C++ enumeration.

    Parameters
    ----------
    enum : Enum
    module : str
        The ``__module__`` of the class.
    restore : callable, optional
        ``restore(name, None)``: what ``__reduce__`` gives for the class.

    Returns
    -------
    type
        An IntEnum; a number without a name is an instance, too, whose ``name`` is None, as far as the underlying
        type holds it. Two members of one value are one member and an alias. A name that Python's enums reserve
        gets an underscore; one of Python's keywords has a second name with an underscore. Its
        ``__samebytes_type__`` is the description, with the class as its ``python``.
    """
    members = _members(dict(enum.members))
    members = {name if normalized(name) in members else normalized(name): v for name, v in members.items()}
    made: Any = cast(Any, _Scoped if enum.scoped else _Enumeration)(
        enum.short_name or "Enum", members, module=module
    )
    made.__doc__ = enum.doc or f"The C++ enumeration {enum.name}."
    if not members:
        made.__new__ = _without_members  # Python's own refuses any number
    made.__samebytes_type__ = replace(enum, python=made)
    made.__samebytes_restore__ = restore
    made.__samebytes_codecs__ = _Codecs()
    return cast(type[IntEnum], made)
