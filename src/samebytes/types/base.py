"""The root of every type description: immutable, hashable, and ignorant of any language."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any


class Type:
    """What a value is, without saying how a language lays it out.

    Equality and hash are structural. ``str(type)`` is the spelling that error messages use.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Void(Type):
    """No value: the result of a C++ ``void`` function, or the pointee of ``void*``."""

    def __str__(self) -> str:
        return "void"


def described(owner: Type, field: str) -> None:
    """Let a hint given to a constructor stand for its type, as in square brackets."""
    if not isinstance(getattr(owner, field), Type):
        from .hints import as_type

        object.__setattr__(owner, field, as_type(getattr(owner, field)))


@dataclass(frozen=True, slots=True)
class Const(Type):
    """A type that the callee may read and not write; written ``sb.const[T]``."""

    type: Type

    def __post_init__(self) -> None:
        described(self, "type")

    def __class_getitem__(cls, hint: object) -> Const:
        from .hints import as_type

        inner = as_type(hint)
        return inner if isinstance(inner, Const) else cls(inner)

    def __str__(self) -> str:
        return f"const[{self.type}]"


def unqualified(type_: Type) -> Type:
    """The type without its outermost const."""
    return type_.type if isinstance(type_, Const) else type_


VOID = Void()


def remembered_hash(self: Any) -> int:
    """The hash that a frozen dataclass without slots would have, computed once: layouts are found by their types."""
    known: int | None = self.__dict__.get("_hash")
    if known is None:
        known = hash(tuple(getattr(self, f.name) for f in fields(self) if f.compare))
        object.__setattr__(self, "_hash", known)
    return known


def without_hash(self: Any) -> dict[str, Any]:
    """What is pickled: hashes of text differ from one process to the next, and what was computed is so again."""
    return {name: value for name, value in self.__dict__.items() if name not in ("_hash", "_layouts")}
