"""Whether C++ really copies objects of a class: a container says that it can be copied, whatever its elements are."""

from __future__ import annotations

import re

from ..clang.kinds import PUBLIC, Decl, Kind
from ..clang.libclang import (
    ClangType,
    Cursor,
    children,
    children_of,
    innermost,
    kind_of,
    type_kind,
    written_class,
)
from .standard import template_name

# They share or refer to what they are made of, or say themselves whether they can be copied.
_ALONE = frozenset({"std::shared_ptr", "std::weak_ptr", "std::function", "std::reference_wrapper"})
_MOVED = frozenset(
    {"std::unique_ptr", "std::thread", "std::mutex", "std::promise", "std::future", "std::unique_lock"}
)


def only_moves(type_: ClangType, known: dict[str, bool] | None = None) -> bool:
    """Whether a copy of an object, which C++'s traits promise, would not compile for what the object holds.

    Parameters
    ----------
    known : dict, optional
        What was found of classes before, which is added to: each is looked into once, however classes nest.
    """
    known = {} if known is None else known
    first = _name(type_)
    waiting, seen = [type_], set[str]()
    while waiting:
        inner = innermost(waiting.pop()).get_canonical()
        name = _name(inner)
        if type_kind(inner) != Kind.RECORD or name in seen:
            continue
        if (found := known.get(name)) is False:
            continue  # nor does what it holds
        seen.add(name)
        if name.startswith("std::") and (template := template_name(name)) in _MOVED | _ALONE:
            found = template in _MOVED
        else:
            found = found or _refuses(inner.get_declaration()) or None
        if found:
            known[first] = True
            return True
        if found is None:
            waiting += _parts(inner, name)
    known.update(dict.fromkeys(seen, False))  # nothing that they hold moves only, either
    return False


def copies_mutable(type_: ClangType) -> bool:
    """Whether a class has a constructor that copies objects that are not const, ``T(T&)``: C++ prefers it for these."""
    constructors = (c for c in children(written_class(type_)) if kind_of(c) == Decl.CONSTRUCTOR)
    copying = (c for c in constructors if c.is_copy_constructor())
    return any(not c.get_arguments()[0].type.get_pointee().is_const_qualified() for c in copying)


def copied_by_templates(type_: ClangType) -> tuple[bool, bool]:
    """Whether templates of a class's constructors may copy objects that are not const, and whether one may take all.

    C++ prefers a template of ``T&&`` or ``T&`` to ``A(const A&)`` there, unless its constraints leave the class out.
    """
    owner = written_class(type_)
    name = owner.spelling.partition("<")[0]
    templates = (c for c in children(owner) if kind_of(c) == Decl.FUNCTION_TEMPLATE)
    found = [c for c in templates if c.spelling.partition("<")[0] == name and _takes_lvalues(c)]
    return bool(found), any(map(_may_take_all, found))


# The type of a parameter to which a template deduces a reference to what is not const, ``T&&`` or ``T &&...``.
_DEDUCED = re.compile(r"(\w+) ?&&?(?: ?\.\.\.)?")


def _takes_lvalues(template: Cursor) -> bool:
    parameters = children_of(template, Decl.PARAMETER)
    taken = _DEDUCED.fullmatch(parameters[0].type.spelling) if parameters else None
    names = {p.spelling for p in children(template) if kind_of(p) == Decl.TYPE_PARAMETER}
    return taken is not None and (taken[1] in names or taken[1] == "auto")


_COMPARED = {"is_same", "is_same_v", "same_as", "is_base_of", "is_base_of_v", "derived_from"}
_STRIPPED = re.compile(r"decay(_t)?|remove_\w+")


def _may_take_all(template: Cursor) -> bool:
    """Whether a template may take an object of the class: its declaration does not show that it leaves them out.

    A comparison of the very type leaves none out: it is ``A&`` there, and not ``A``. What other constraints mean
    nothing tells here.
    """
    words = [token.spelling for token in template.get_tokens()]
    head = words[: words.index("{")] if "{" in words else words
    if "explicit" in head and head[head.index("explicit") + 1] != "(":
        return False
    return _COMPARED.isdisjoint(head) or not any(map(_STRIPPED.fullmatch, head))


def _name(type_: ClangType) -> str:
    return str(innermost(type_).get_canonical().spelling).removeprefix("const ")


def _parts(type_: ClangType, name: str) -> list[ClangType]:
    """What is copied with an object of a class."""
    if name.startswith("std::"):
        return [
            type_.get_template_argument_type(i) for i in range(max(type_.get_num_template_arguments(), 0))
        ]
    cursor = type_.get_declaration()
    if any(_copies(child) for child in children(cursor)):
        return []
    return [part.type for part in (*children_of(cursor, Decl.BASE), *children_of(cursor, Decl.FIELD))]


def _refuses(cursor: Cursor) -> bool:
    """Whether a class itself has no copy constructor that others could call."""
    constructors = children_of(cursor, Decl.CONSTRUCTOR)
    copying = [c for c in constructors if c.is_copy_constructor()]
    if not copying:  # C++ declares none beside one that moves
        return any(c.is_move_constructor() for c in constructors) or any(
            _moves(c, cursor) for c in children_of(cursor, Decl.METHOD)
        )
    return all(c.is_deleted_method() or c.access_specifier.value != PUBLIC for c in copying)


def _moves(method: Cursor, owner: Cursor) -> bool:
    """Whether a method assigns from what is moved."""
    given = list(method.get_arguments()) if method.spelling == "operator=" else []
    references = [g.type for g in given if type_kind(g.type) == Kind.RVALUE_REF]
    return any(_name(r.get_pointee()) == _name(owner.type) for r in references)


def _copies(cursor: Cursor) -> bool:
    """Whether a member is a copy constructor that is written out."""
    declared = kind_of(cursor) == Decl.CONSTRUCTOR and cursor.is_copy_constructor()
    return bool(declared and not cursor.is_default_method())
