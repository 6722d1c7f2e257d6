"""What a mirror is: a library with types of its own that must lie exactly as a layout says, or are refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ...errors import LayoutError
from ...frozen import frozen
from ...later import at_first_use
from ...types import Type
from ..dialects import Dialect

hashlib = at_first_use("hashlib")


@frozen(slots=False, eq=False)
class Mirror:
    """One library.

    Attributes
    ----------
    name : str
    modules : tuple of str
        The top-level modules of its types' classes, by which :func:`as_type` recognises them.
    make : callable
        ``make(type, dialect)``: the library's type with exactly that layout; raises through :func:`refused`.
    read : callable
        ``read(object)``: the type that one of the library's types stands for, or None; TypeError with the
        reason where it has no machine representation of ours.
    measure : callable
        ``measure(object)``: size and alignment in bytes, and each field's name and offset, as the library itself
        says.
    """

    name: str
    modules: tuple[str, ...]
    make: Callable[[Type, Dialect], Any]
    read: Callable[[Any], Type | None]
    measure: Callable[[Any], tuple[int, int, tuple[tuple[str, int], ...]]]


def refused(mirror: str, type_: Type, reason: str) -> LayoutError:
    """The error of a mirror that cannot show a type's layout."""
    return LayoutError(f"{mirror} has no type that lies as {type_}: {reason}")


def unreadable(hint: object, reason: str) -> TypeError:
    """The error of a library's type that has no machine representation."""
    return TypeError(f"{hint!r} has no machine representation: {reason}")


def record_name(parts: Iterable[object]) -> str:
    """A C++ name for a record that has none, the same for the same parts."""
    return f"samebytes_record_{hashlib.sha256(repr(tuple(parts)).encode()).hexdigest()[:16]}"
