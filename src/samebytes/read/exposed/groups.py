"""Which declarations belong to one entity, and which of them count."""

from __future__ import annotations

from collections.abc import Iterable

from ..clang.kinds import RECORDS, TYPEDEFS, Decl
from ..clang.libclang import Cursor, children_of
from .exposure import Declared, Exposure

# What other files may define.
_DEFINED = RECORDS | {Decl.ENUM}


def groups(exposed: Exposure) -> list[list[Declared]]:
    """Declarations of one entity together, entities in the order of the source.

    Classes of which other files hold the definitions are ``exposed.ahead`` afterwards.
    """
    kept = []
    for group in grouped(exposed):
        definition = _defined_elsewhere(group)
        if definition is None:
            kept.append(group)
        else:
            exposed.ahead[group[0].qualified] = group[0].cursor, definition
    return kept


def grouped(declarations: Iterable[Declared]) -> list[list[Declared]]:
    """Declarations of one entity together, wherever its definition is."""
    found: dict[tuple[int, str], list[Declared]] = {}
    for declared in declarations:
        if not _is_redundant(declared):
            found.setdefault((declared.entity, declared.qualified), []).append(declared)
    return list(found.values())


def count(group: list[Declared]) -> int:
    """Declarations in a group: each enumerator of an enum without a name is a constant of its own."""
    if group[0].kind == Decl.ENUM and not is_named(group[0].cursor):
        return len(children_of(group[0].cursor, Decl.ENUM_CONSTANT))
    return 1


def is_named(cursor: Cursor) -> bool:
    """Whether a record or an enum has a name; clang describes those that have none."""
    return _is_name(cursor.spelling)


def _is_name(spelling: str) -> bool:
    return bool(spelling) and "(" not in spelling


def _is_redundant(declared: Declared) -> bool:
    """Whether a declaration adds no name: ``typedef struct {…} T``'s T, a record without a name."""
    if declared.kind in RECORDS:
        return not _is_name(declared.spelling)
    if declared.kind in TYPEDEFS:
        target = declared.cursor.underlying_typedef_type.get_canonical().get_declaration()
        parent, home = declared.cursor.semantic_parent, target.semantic_parent
        return bool(home is not None and home == parent and target.spelling == declared.spelling)
    if declared.kind == Decl.FUNCTION and declared.cursor.get_num_template_arguments() > 0:
        return True  # a specialization: its template has the name
    return declared.spelling.startswith("<deduction guide")


def _defined_elsewhere(group: list[Declared]) -> Cursor | None:
    """The definition, which another file holds, of a record or an enum that these declare ahead."""
    if group[0].kind not in _DEFINED or any(d.cursor.is_definition() for d in group):
        return None
    return group[0].cursor.get_definition()
