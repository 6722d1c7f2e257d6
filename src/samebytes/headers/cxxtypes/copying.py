"""Whether C++ really copies objects of a class: a container says that it can be copied, whatever its elements are."""

from __future__ import annotations

from ..clang.kinds import Decl, Kind
from ..clang.libclang import ClangType, Cursor, children, children_of, innermost, kind_of, type_kind
from .standard import template_name

# They share or refer to what they are made of, or say themselves whether they can be copied.
_ALONE = frozenset({"std::shared_ptr", "std::weak_ptr", "std::function", "std::reference_wrapper"})
_MOVED = frozenset(
    {"std::unique_ptr", "std::thread", "std::mutex", "std::promise", "std::future", "std::unique_lock"}
)


def only_moves(type_: ClangType, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a copy of an object, which C++'s traits promise, would not compile for what the object holds."""
    inner = innermost(type_).get_canonical()
    name = inner.spelling.removeprefix("const ")
    if type_kind(inner) != Kind.RECORD or name in seen:
        return False
    seen |= {name}
    if name.startswith("std::"):
        template = template_name(name)
        if template in _MOVED or template in _ALONE:
            return template in _MOVED
        arguments = (
            inner.get_template_argument_type(i) for i in range(max(inner.get_num_template_arguments(), 0))
        )
        return any(only_moves(argument, seen) for argument in arguments)
    cursor = inner.get_declaration()
    if any(_copies(child) for child in children(cursor)):
        return False
    parts = [*children_of(cursor, Decl.BASE), *children_of(cursor, Decl.FIELD)]
    return any(only_moves(part.type, seen) for part in parts)


def _copies(cursor: Cursor) -> bool:
    """Whether a member is a copy constructor that is written out."""
    declared = kind_of(cursor) == Decl.CONSTRUCTOR and cursor.is_copy_constructor()
    return bool(declared and not cursor.is_default_method())
