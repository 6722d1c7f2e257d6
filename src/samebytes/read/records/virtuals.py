"""The virtual functions of a class, each as the last class that declares it does."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from ...later import later_pattern
from ...types import Virtual
from ...types.naming import python_names
from ...types.operators import special_method
from ..clang.kinds import POINTERS, Decl, Kind
from ..clang.libclang import (
    ClangType,
    Cursor,
    argument_types,
    children,
    children_of,
    kind_of,
    passing_of,
    template_parameters,
    type_kind,
    written_class,
)
from ..cxxtypes.cxxtypes import CannotCross, Types, is_const
from ..cxxtypes.measures import extent_of
from ..cxxtypes.type_names import plain_name
from ..functions.annotations import has_owners
from ..functions.constants import has_default
from ..functions.functions import is_noexcept
from ..functions.methods import qualifiers_of
from ..questions.inheritance import Inheritance

_BY_TEMPLATE = "its class is made by a template, and its types depend on that template's parameters"
# How clang spells a parameter of a template of no other, and a reference to it.
_PARAMETER = later_pattern(r"(const )?type-parameter-0-(\d+)( &{1,2})?")
_NAMED = later_pattern(r"(?!const\b).*[\w>]")
_SEVERAL = "several bases of the class have one"
_MIXED = "other functions of its name are not virtual"
_OPERATOR = "Python has no such operator"
_CONVERSION = "it is a conversion"
_DOTS = "it takes any arguments (...)"
_OWNED = "gsl::owner says that it takes or gives an object to end, which Python's functions do not"
_FUNCTIONS = frozenset({Decl.METHOD, Decl.FUNCTION_TEMPLATE})


def virtual_functions(type_: ClangType, inheritance: Inheritance, types: Types) -> tuple[Virtual, ...]:
    """The virtual functions that a class declares or inherits, public or not; its bases' come first."""
    found = _found(type_, inheritance, types)
    mixed = _not_virtual(type_, inheritance)
    twice = {_home(base, types) for base in inheritance.lookup.twice(type_).values()}

    def checked(virtual: Virtual) -> Virtual:
        why = _SEVERAL if virtual.home in twice else _MIXED if virtual.name in mixed else ""
        return _barred(virtual, why) if why and not virtual.barred else virtual

    return tuple(map(checked, found.values()))


def _found(type_: ClangType, inheritance: Inheritance, types: Types) -> dict[object, Virtual]:
    found: dict[object, Virtual] = {}
    for base in inheritance.of(type_):
        for key, virtual in _found(base.type, inheritance, types).items():
            known = found.setdefault(key, virtual)
            if known.home != virtual.home:
                found[key] = _dominant(known, virtual, type_, inheritance, types) or _barred(known, _SEVERAL)
    for cursor in children(written_class(type_)):
        if kind_of(cursor) in (Decl.METHOD, Decl.CONVERSION) and cursor.is_virtual_method():
            virtual = described(cursor, type_, types)
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
    return replace(
        virtual, result="", arguments=(), names=(), qualifiers="", noexcept=False, final=False, barred=why
    )


def described(cursor: Cursor, type_: ClangType, types: Types) -> Virtual:
    """One function of a class, virtual or not, or a constructor."""
    named = Virtual(
        cursor.spelling,
        _home(type_, types),
        access=cursor.access_specifier.value,
        pure=cursor.is_pure_virtual_method(),
        method=_method(cursor),
    )
    if not cursor.spelling.isidentifier() and (not named.method or _is_conversion(cursor)):
        return _barred(named, _CONVERSION if _is_conversion(cursor) else _OPERATOR)
    function = cursor.type.get_canonical()
    if function.is_function_variadic():
        return _barred(named, _DOTS)
    if has_owners(cursor, types.unit):
        return _barred(named, _OWNED)
    spelling = _of_instance(type_, types) if _is_pattern(written_class(type_)) else types.spelling
    try:
        result = spelling(function.get_result())
        arguments = tuple(spelling(a) for a in argument_types(function))
    except CannotCross as reason:
        return _barred(named, str(reason))
    return replace(
        named,
        result=result,
        arguments=arguments,
        names=tuple(a.spelling for a in cursor.get_arguments()),
        qualifiers=qualifiers_of(function),
        noexcept=is_noexcept(cursor, function),
        final=bool(children_of(cursor, Decl.FINAL_ATTRIBUTE)),
        defaults=sum(has_default(a, types.unit) for a in cursor.get_arguments()),
        extents=tuple(extent_of(a) or 0 for a in cursor.get_arguments()),
        enumeration=_enumeration(function.get_result(), spelling),
    )


def _enumeration(result: ClangType, spelling: Callable[[ClangType], str]) -> str:
    """The enumeration that a result refers to as const; empty: none."""
    passing, target = passing_of(result.get_canonical())
    referred = passing == "lvalue_ref" and is_const(target) and type_kind(target) == Kind.ENUM
    return spelling(target).removeprefix("const ") if referred else ""


def _method(cursor: Cursor) -> str:
    """The name of Python's methods that override a function; empty where Python has none."""
    name = cursor.spelling
    if name.isidentifier():
        return python_names([name])[name]
    if not _is_conversion(cursor):
        return special_method(name, len(list(cursor.get_arguments())))
    given = cursor.type.get_canonical().get_result()
    if Kind.BOOL <= type_kind(given) <= Kind.INT128:
        return "__bool__" if type_kind(given) == Kind.BOOL else "__int__"
    return "__float__" if type_kind(given) in (Kind.FLOAT, Kind.DOUBLE) else _text_method(given)


def _text_method(given: ClangType) -> str:
    spelling = plain_name(given.spelling).removeprefix("const ")
    return "__str__" if spelling.startswith(("std::basic_string<char>", "char *")) else ""


def _is_conversion(cursor: Cursor) -> bool:
    return kind_of(cursor) == Decl.CONVERSION


def _of_instance(instance: ClangType, types: Types) -> Callable[[ClangType], str]:
    """What spells the types of a pattern's functions as an instance has them; the compiler holds it to ``override``."""
    pattern = written_class(instance)
    names = re.compile(
        "|".join(rf"\b{re.escape(p.spelling)}\b" for p in template_parameters(pattern)) or r"\b\B"
    )
    given = instance.get_canonical()
    counted = (
        kind_of(pattern) == Decl.CLASS_TEMPLATE
    )  # a partial specialization's are not those of the instance

    def spelling(type_: ClangType) -> str:
        written = type_.get_canonical().spelling
        found = _PARAMETER.fullmatch(written)
        if found is None and _is_outside(type_) and not names.search(written):
            return types.spelling(type_)
        if found is None or not counted or int(found[2]) >= given.get_num_template_arguments():
            raise CannotCross(_BY_TEMPLATE)
        argument = given.get_template_argument_type(int(found[2]))
        told = "" if type_kind(argument) == Kind.INVALID else types.spelling(argument.get_canonical())
        # A const before a pointer or a reference would mean another type.
        if not told or ((found[1] or found[3]) and not _NAMED.fullmatch(told)):
            raise CannotCross(_BY_TEMPLATE)
        return f"{found[1] or ''}{told}{found[3] or ''}"

    return spelling


def _is_outside(type_: ClangType) -> bool:
    """Whether a type of a pattern is none of the pattern's own, nor made of its parameters."""
    type_ = type_.get_canonical()
    while type_kind(type_) in POINTERS:
        type_ = type_.get_pointee().get_canonical()
    if type_kind(type_) not in (Kind.RECORD, Kind.ENUM):
        return Kind.VOID <= type_kind(type_) <= Kind.LONGDOUBLE
    home = type_.get_declaration().semantic_parent
    while home is not None and not _is_pattern(home):
        home = home.semantic_parent
    return home is None


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
