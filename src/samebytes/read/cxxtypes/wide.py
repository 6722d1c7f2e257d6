"""The numbers of a record that no Python format has: device compilers may lay them out otherwise than the host's."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..clang.kinds import Kind
from ..clang.libclang import ClangType, element_type, innermost, type_kind

_WIDE: dict[int, str] = {
    Kind.LONGDOUBLE: "long double",
    Kind.FLOAT128: "__float128",
    Kind.INT128: "__int128",
    Kind.UINT128: "unsigned __int128",
}


def wide_numbers(
    type_: ClangType, bases: Callable[[ClangType], Iterable[ClangType]], known: dict[str, frozenset[str]]
) -> frozenset[str]:
    """The names of those inside a type, at any depth and whoever may see them; behind pointers is not inside.

    Parameters
    ----------
    bases : callable
        The bases of a class.
    known : dict
        What was found in classes before, which is added to: each is looked into once.
    """
    inner = innermost(type_)
    if type_kind(inner) == Kind.COMPLEX:
        inner = element_type(inner).get_canonical()
    kind = type_kind(inner)
    if kind in _WIDE:
        return frozenset({_WIDE[kind]})
    if kind != Kind.RECORD:
        return frozenset()
    key = inner.get_canonical().spelling
    if key not in known:
        parts = [*(field.type for field in inner.get_fields()), *bases(inner)]
        known[key] = frozenset().union(*(wide_numbers(part, bases, known) for part in parts))
    return known[key]
