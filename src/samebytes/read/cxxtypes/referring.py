"""The classes to which the members of a class refer, by pointers and references: their objects must outlive its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..clang.kinds import Kind
from ..clang.libclang import ClangType, innermost, passing_of, type_kind

_Spelled = Callable[[ClangType], str]


def referred_classes(
    type_: ClangType,
    bases: Callable[[ClangType], Iterable[ClangType]],
    spelled: _Spelled,
    known: dict[str, frozenset[str]],
) -> frozenset[str]:
    """Those that members refer to, at any depth and whoever may see them; what lies behind a pointer is not asked.

    Parameters
    ----------
    bases : callable
        The bases of a class.
    spelled : callable
        The name of a class.
    known : dict
        What was found in classes before, which is added to: each is looked into once.
    """
    inner = innermost(type_)
    behind = _behind(inner)
    if behind is not None:
        return frozenset({spelled(behind)} if type_kind(behind) == Kind.RECORD else ())
    if type_kind(inner) != Kind.RECORD:
        return frozenset()
    key = inner.get_canonical().spelling
    if key not in known:
        parts = [*(field.type for field in inner.get_fields()), *bases(inner)]
        known[key] = frozenset().union(*(referred_classes(part, bases, spelled, known) for part in parts))
    return known[key]


def _behind(type_: ClangType) -> ClangType | None:
    """What is at the end of pointers and references; None where there are none."""
    found = None
    passing, type_ = passing_of(type_)
    while passing != "value" or type_kind(type_) == Kind.POINTER:
        found = innermost(type_ if passing != "value" else type_.get_pointee())
        passing, type_ = passing_of(found)
    return found
