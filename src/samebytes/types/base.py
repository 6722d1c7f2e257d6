"""The root of every type description: immutable, hashable, and ignorant of any language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from operator import is_
from typing import Any, ClassVar, Self

from ..frozen import frozen


class Type:
    """What a value is, without saying how a language lays it out.

    Equality and hash are structural. ``str(type)`` is the spelling that error messages use.
    """

    __slots__ = ()

    # The fields that hold the types, or tuples of types, that this one is made of.
    INSIDE: ClassVar[tuple[str, ...]] = ()

    @property
    def parts(self) -> tuple[Type, ...]:
        """The types that this one is made of, pointees included, in order."""
        found: list[Type] = []
        for name in self.INSIDE:
            held = getattr(self, name)
            found += held if isinstance(held, tuple) else (held,)
        return tuple(found)

    def with_parts(self, change: Callable[[Type], Type]) -> Self:
        """The type made of changed parts; itself where none changes."""
        changed: dict[str, Any] = {}
        for name in self.INSIDE:
            held = getattr(self, name)
            parts = held if isinstance(held, tuple) else (held,)
            new = tuple(map(change, parts))
            if not all(map(is_, parts, new)):  # by identity: what is equal may have another Python class
                changed[name] = new if isinstance(held, tuple) else new[0]
        return replace(self, **changed) if changed else self  # type: ignore[type-var]  # each kind is a dataclass


@frozen
class Void(Type):
    """No value: the result of a C++ ``void`` function, or the pointee of ``void*``."""

    def __str__(self) -> str:
        return "void"


VOID = Void()


class UnknownName(TypeError):
    """Text that names no type.

    Attributes
    ----------
    near : bool
        Whether a type's name is so like it that it is probably meant.
    """

    near = False


# How types are said, Python's own way first; each gives None for what is none of its own.
Reader = Callable[[Any], Type | None]
_READERS: list[Reader] = []


def register_reader(reader: Reader) -> None:
    """Let :func:`as_type` understand more: NumPy's structured dtypes, ctypes, C++ spellings …

    ``reader(hint)`` gives the type, or None where the hint is not its business; it raises TypeError
    for one that is and has no machine representation.
    """
    _READERS.append(reader)


def as_type(hint: Any) -> Type:
    """The type that a hint stands for.

    Parameters
    ----------
    hint : Type, type, numpy.dtype, str …
        A description (``sb.array[sb.float32, 2]``), a builtin number class, a NumPy or ml_dtypes scalar
        class or dtype (structured ones included), a vector or struct class, ``tuple[int, float]``, a ctypes
        class, a PyTorch dtype, or C++ (``"const float*"``, ``"cuda::std::complex<float>"``).

    Raises
    ------
    TypeError
        If the hint has no machine representation; the message says which hints have one.
    """
    if isinstance(hint, Type):
        return hint
    if hint is None or hint is type(None):
        return VOID
    own = getattr(hint, "__samebytes_type__", None)
    if isinstance(own, Type):
        return own
    python, *others = _READERS
    if found := python(hint):
        return found
    try:
        for reader in others:
            if found := reader(hint):
                return found
    except RecursionError:
        raise TypeError("the hint is nested too deeply to be a type") from None
    raise TypeError(
        f"{hint!r} has no machine representation: use bool, int, float, complex, a fixed-format number such as "
        "sb.float32, a vector, an @sb.struct class, tuple[...], or sb.array[...], sb.carray[...], sb.pointer[...], "
        "sb.const[...]"
    )


def described(owner: Type, field: str) -> None:
    """Let a hint given to a constructor stand for its type, as in square brackets."""
    if not isinstance(getattr(owner, field), Type):
        object.__setattr__(owner, field, as_type(getattr(owner, field)))


@frozen
class Const(Type):
    """A type that the callee may read and not write; written ``sb.const[T]``."""

    INSIDE: ClassVar = ("type",)

    type: Type

    def __post_init__(self) -> None:
        described(self, "type")

    def __class_getitem__(cls, hint: object) -> Const:
        inner = as_type(hint)
        return inner if isinstance(inner, Const) else cls(inner)

    def __str__(self) -> str:
        return f"const[{self.type}]"


def unqualified(type_: Type) -> Type:
    """The type without its outermost const."""
    return type_.type if isinstance(type_, Const) else type_


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
