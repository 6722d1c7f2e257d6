"""What the members of a class may refer to, by pointers, references and what hides them: it must outlive the object."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...later import later_pattern
from ...types.struct import UNSEEN
from ..clang.kinds import FUNCTIONS, Decl, Kind
from ..clang.libclang import (
    ClangType,
    children,
    innermost,
    kind_of,
    passing_of,
    template_arguments,
    type_kind,
)

_Spelled = Callable[[ClangType], str]
# Classes of the standard library whose objects are nothing but their elements; any other may hold an address.
_VALUES = later_pattern(
    r"(?:const )?std::(?:__\w+::)*(?:basic_string|vector|deque|list|forward_list|array|pair|tuple|optional|variant"
    r"|(?:unordered_)?(?:multi)?(?:map|set)|complex|atomic|bitset|ratio|duration|time_point|path|char_traits|allocator"
    r"|less|greater|hash|equal_to|monostate|nullopt_t|(?:recursive_|shared_|timed_)*mutex|once_flag)\b"
)
_OWNERS = later_pattern(r"(?:const )?std::(?:__\w+::)*(?:unique_ptr|shared_ptr)<")
_STANDARD = later_pattern(r"(?:const )?(?:std|__gnu_cxx)::")
_NOTHING: frozenset[str] = frozenset()
_ANYTHING = frozenset({UNSEEN})


def referred_classes(
    type_: ClangType,
    bases: Callable[[ClangType], Iterable[ClangType]],
    spelled: _Spelled,
    known: dict[str, frozenset[str]],
) -> frozenset[str]:
    """Those that members refer to, at any depth and whoever may see them, and ``UNSEEN`` for what nobody can tell.

    Parameters
    ----------
    bases : callable
        The bases of a class.
    spelled : callable
        The name of a class.
    known : dict
        What was found in classes before, which is added to: each is looked into once.
    """

    def inside(type_: ClangType) -> frozenset[str]:
        inner = innermost(type_)
        target = _behind(inner)
        if target is not None:
            return behind(target)
        if type_kind(inner) != Kind.RECORD:
            return _NOTHING
        key = inner.get_canonical().spelling
        if key not in known:
            known[key] = _NOTHING  # a class that leads to itself adds nothing by that
            known[key] = of_class(inner, key)
        return known[key]

    def of_class(inner: ClangType, key: str) -> frozenset[str]:
        if _OWNERS.match(key):
            return owned(innermost(inner.get_template_argument_type(0)))
        if _STANDARD.match(key):
            return (
                _NOTHING.union(*map(inside, template_arguments(inner))) if _VALUES.match(key) else _ANYTHING
            )
        return _NOTHING.union(
            *(inside(field.type) for field in inner.get_fields()), *map(inside, bases(inner))
        )

    def owned(target: ClangType) -> frozenset[str]:
        """What an owner may lead to: nothing but its object, if that is nothing but its elements."""
        simple = type_kind(target) != Kind.RECORD or _is_value(target)
        return inside(target) if simple else behind(target)

    def behind(target: ClangType) -> frozenset[str]:
        """What a pointer may lead to: of a class that others may derive from, or that is not known, anything."""
        kind, key = type_kind(target), target.get_canonical().spelling
        if kind in FUNCTIONS:
            return _NOTHING
        unknown = kind != Kind.RECORD or bool(_STANDARD.match(key)) or target.get_size() < 0
        if unknown or _is_polymorphic(target):
            return _ANYTHING
        return inside(target) | {spelled(target)}

    return inside(type_)


def _is_value(type_: ClangType) -> bool:
    return bool(_VALUES.match(type_.get_canonical().spelling))


def _is_polymorphic(type_: ClangType) -> bool:
    """Whether a class declares virtual functions: its objects may be of others, and have members of theirs."""
    found = children(type_.get_declaration())
    return any(kind_of(c) in (Decl.METHOD, Decl.DESTRUCTOR) and c.is_virtual_method() for c in found)


def _behind(type_: ClangType) -> ClangType | None:
    """What is at the end of pointers and references; None where there are none."""
    found = None
    passing, type_ = passing_of(type_)
    while passing != "value" or type_kind(type_) == Kind.POINTER:
        found = innermost(type_ if passing != "value" else type_.get_pointee())
        passing, type_ = passing_of(found)
    return found
