"""Types without names: C++ spells one by the variable or the member that has it."""

from __future__ import annotations

from collections.abc import Iterator

from ..clang.kinds import RECORDS, Decl
from ..clang.libclang import ClangType, Cursor, children, innermost, is_inline_namespace, kind_of, rank_of

_UNNAMED = "(unnamed"
_OPEN = frozenset({Decl.NAMESPACE, Decl.LINKAGE})


def is_unnamed(type_: ClangType) -> bool:
    """Whether a type that is no array has no name."""
    return _UNNAMED in type_.spelling


def typeof(variable: Cursor, qualified: str, *, c: bool) -> tuple[ClangType, str, str] | None:
    """What a variable's type is where it has no name, how C or C++ spells it, and its name in Python.

    ``struct { int x; } screen;`` has a ``typeof_screen``. None for a type that has a name.
    """
    inner = innermost(variable.type)
    if not is_unnamed(inner):
        return None
    place = f"{qualified}{'[0]' * rank_of(variable.type.get_canonical())}"
    spelling = f"__typeof__({place})" if c else f"decltype(__typeof__({place}){{}})"
    scope, _, name = qualified.rpartition("::")
    return inner, spelling, "::".join([*filter(None, [scope]), f"typeof_{name}"])


def variables_beside(type_: ClangType) -> Iterator[tuple[Cursor, str]]:
    """The variables of the namespace that declares a type, and how C++ names each."""
    home = type_.get_declaration().semantic_parent
    open_ = [home] if home is not None and kind_of(home) not in RECORDS else []
    path = _path(home) if open_ else []
    while open_:
        for cursor in children(open_.pop()):
            if kind_of(cursor) == Decl.VARIABLE:
                yield cursor, "::".join([*path, cursor.spelling])
            elif kind_of(cursor) == Decl.LINKAGE:
                open_.append(cursor)


def _path(cursor: Cursor) -> list[str]:
    """The names of the namespaces that a name of one is behind."""
    names: list[str] = []
    while cursor is not None and kind_of(cursor) in _OPEN:
        if (
            kind_of(cursor) == Decl.NAMESPACE
            and "(" not in cursor.spelling
            and not is_inline_namespace(cursor)
        ):
            names.insert(0, cursor.spelling)
        cursor = cursor.semantic_parent
    return names
