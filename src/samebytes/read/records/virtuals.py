"""The virtual functions of a class, each as the last class that declares it does."""

from __future__ import annotations

from ...types import Virtual
from ..clang.kinds import Decl
from ..clang.libclang import (
    ClangType,
    Cursor,
    argument_types,
    children,
    children_of,
    kind_of,
    written_class,
)
from ..cxxtypes.cxxtypes import CannotCross, Types
from ..functions.functions import is_noexcept
from ..functions.methods import qualifiers_of
from ..questions.inheritance import Inheritance

_BY_TEMPLATE = "its class is made by a template, of whose virtual functions nothing is read"
_SEVERAL = "several bases of the class have one"
_MIXED = "other functions of its name are not virtual"
_OPERATOR = "it is an operator"
_DOTS = "it takes any arguments (...)"
_FUNCTIONS = frozenset({Decl.METHOD, Decl.FUNCTION_TEMPLATE})


def virtual_functions(type_: ClangType, inheritance: Inheritance, types: Types) -> tuple[Virtual, ...]:
    """The virtual functions that a class declares or inherits, public or not; its bases' come first."""
    found = _found(type_, inheritance, types)
    mixed = _not_virtual(type_, inheritance)
    return tuple(
        _barred(virtual, _MIXED) if virtual.name in mixed and not virtual.barred else virtual
        for virtual in found.values()
    )


def _found(type_: ClangType, inheritance: Inheritance, types: Types) -> dict[object, Virtual]:
    found: dict[object, Virtual] = {}
    for base in inheritance.of(type_):
        for key, virtual in _found(base.type, inheritance, types).items():
            known = found.setdefault(key, virtual)
            if known.home != virtual.home:
                found[key] = _dominant(known, virtual, type_, inheritance, types) or _barred(known, _SEVERAL)
    for cursor in children_of(written_class(type_), Decl.METHOD):
        if cursor.is_virtual_method():
            virtual = _virtual(cursor, type_, types)
            found[virtual.key] = virtual
    return found


def _dominant(
    one: Virtual, other: Virtual, type_: ClangType, inheritance: Inheritance, types: Types
) -> Virtual | None:
    """Of functions of two bases the one that overrides the other's, in a base that is there once, as it is virtual."""
    line = {_home(base, types): base for base in inheritance.line(type_)}
    for over, under in ((one, other), (other, one)):
        above = inheritance.line(line[over.home]) if over.home in line else ()
        if under.home in {_home(base, types) for base in above} and _is_shared(
            under.home, type_, inheritance, types
        ):
            return over
    return None


def _is_shared(home: str, type_: ClangType, inheritance: Inheritance, types: Types) -> bool:
    """Whether a class derives from another by virtual inheritance alone."""
    bases = [(base.virtual, base.type) for base in inheritance.of(type_)]
    direct = [virtual for virtual, base in bases if _home(base, types) == home]
    return all(direct) and all(_is_shared(home, base, inheritance, types) for _, base in bases)


def _barred(virtual: Virtual, why: str) -> Virtual:
    return Virtual(virtual.name, virtual.home, access=virtual.access, pure=virtual.pure, barred=why)


def _virtual(cursor: Cursor, type_: ClangType, types: Types) -> Virtual:
    named = Virtual(
        cursor.spelling,
        _home(type_, types),
        access=cursor.access_specifier.value,
        pure=cursor.is_pure_virtual_method(),
    )
    if _is_pattern(written_class(type_)):
        return _barred(named, _BY_TEMPLATE)
    if not cursor.spelling.isidentifier():
        return _barred(named, _OPERATOR)
    function = cursor.type.get_canonical()
    if function.is_function_variadic():
        return _barred(named, _DOTS)
    try:
        result = types.spelling(function.get_result())
        arguments = tuple(types.spelling(a) for a in argument_types(function))
    except CannotCross as reason:
        return _barred(named, str(reason))
    return Virtual(
        named.name,
        named.home,
        result,
        arguments,
        tuple(a.spelling for a in cursor.get_arguments()),
        qualifiers_of(function),
        is_noexcept(cursor, function),
        named.access,
        named.pure,
        bool(children_of(cursor, Decl.FINAL_ATTRIBUTE)),
    )


def _home(type_: ClangType, types: Types) -> str:
    try:
        return types.spelling(type_.get_canonical())
    except CannotCross:
        spelling: str = type_.get_canonical().spelling
        return spelling


def _is_pattern(cursor: Cursor) -> bool:
    return kind_of(cursor) in (Decl.CLASS_TEMPLATE, Decl.PARTIAL_SPECIALIZATION)


def _not_virtual(type_: ClangType, inheritance: Inheritance) -> set[str]:
    """The names of functions that are not virtual, or templates, in a class or its bases."""
    own = {
        c.spelling
        for c in children(written_class(type_))
        if kind_of(c) in _FUNCTIONS and not (kind_of(c) == Decl.METHOD and c.is_virtual_method())
    }
    return own.union(*(_not_virtual(base.type, inheritance) for base in inheritance.of(type_)))
