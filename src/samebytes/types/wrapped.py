"""Types that put something around another: a larger alignment, or atomic access."""

from __future__ import annotations

from dataclasses import field
from operator import index
from typing import Any, ClassVar

from .. import _native
from ..frozen import frozen
from .array import Array, CArray
from .base import Const, Type, Void, as_type, unqualified
from .pointer import Named


def check_alignment(n: object) -> int:
    """The alignment itself.

    Raises
    ------
    ValueError
        If it is no power of two, or larger than compilers allow.
    """
    try:
        least = 0 if isinstance(n, bool) else index(n)  # type: ignore[arg-type]
    except TypeError:
        least = 0
    if least < 1 or least & (least - 1):
        raise ValueError(f"align={n!r} is no power of two")
    if least > _native.MAX_ALIGN:
        raise ValueError(f"align={n} is larger than compilers allow ({_native.MAX_ALIGN})")
    return least


@frozen
class Aligned(Type):
    """A type with a least alignment in bytes; made by :func:`align`.

    As a member of a struct or tuple it keeps its size; alone, as an array's element or a pointee it is a
    wrapper whose size is rounded up to the alignment.

    Calling it calls the class that was aligned: the values are the same.
    """

    INSIDE: ClassVar = ("type",)

    type: Type
    align: int
    python: Any = field(default=None, compare=False, repr=False)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.python is None:
            raise TypeError(f"{self} is not made of a class: make a value of {self.type}")
        return self.python(*args, **kwargs)

    def __str__(self) -> str:
        return f"align({self.type}, {self.align})"


@frozen
class Atomic(Type):
    """A value that threads read and write atomically; made by :func:`atomic`."""

    INSIDE: ClassVar = ("type",)

    type: Type

    def __str__(self) -> str:
        return f"Atomic({self.type})"


def align(t: Any, n: int) -> Aligned:
    """A type equivalent to ``t`` and aligned to at least ``n`` bytes (specification, "align").

    Parameters
    ----------
    t : type or Type
        Whatever has a machine representation, ``@sb.struct`` and vector classes included.
    n : int
        Bytes, a power of two. The effective alignment is the larger of ``n`` and the type's own in the
        dialect, and that is what C++ declarations say.

    Returns
    -------
    Aligned
        An annotation, an array's dtype, a type for ``pack`` … As a struct's or tuple's member its size does
        not change; elsewhere the size is rounded up to the alignment.

    Raises
    ------
    ValueError
        If ``n`` is no power of two.
    TypeError
        If ``t`` has no machine representation.
    """
    least, inner = check_alignment(n), as_type(t)
    if isinstance(inner, Aligned):
        return Aligned(inner.type, max(least, inner.align), inner.python)
    return Aligned(inner, least, t if isinstance(t, type) else None)


def atomic(T: Any, *, align: int | None = None) -> Atomic | Aligned:  # noqa: N803
    """The type of an atomic ``T``: its representation, and in C++ its name (specification, "User-Defined Types").

    Parameters
    ----------
    T : type or Type
        A number, an enumeration, a pointer, a vector, a tuple or a struct.
    align : int, optional
        Bytes, a power of two: the least alignment.

    Returns
    -------
    Atomic or Aligned
        ``sizeof(T)`` bytes; aligned to that size where it is a power of two up to 16, else as ``T``. Values
        read and pack as those of ``T``. C++ spells it ``std::atomic<T>`` or ``cuda::std::atomic<T>`` where
        that is exactly such storage, else ``samebytes::atomic<T>``, which is storage for an ``atomic_ref``.

    Raises
    ------
    TypeError
        If ``T`` cannot be atomic.
    ValueError
        If ``align`` is no power of two.
    """
    inner = unqualified(as_type(T))
    least = inner.align if isinstance(inner, Aligned) else 1
    if isinstance(inner, Aligned):
        inner = unqualified(inner.type)
    if isinstance(inner, Array | Atomic | CArray | Const | Named | Void):
        raise TypeError(
            f"{inner} cannot be atomic: use a number, an enumeration, a pointer, a vector or a struct"
        )
    least = max(least, check_alignment(align) if align is not None else 1)
    return Aligned(Atomic(inner), least) if least > 1 else Atomic(inner)
