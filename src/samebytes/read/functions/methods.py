"""Members that are called: from the declarations of one overload of a method or a constructor to its signature."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...later import later_pattern
from ...model.intents import InOutPtr
from ...model.signature import Parameter, Signature
from ...types import Const, Handle, Struct
from ..clang.comments import clean
from ..clang.kinds import PUBLIC, Decl
from ..clang.libclang import (
    ClangType,
    Cursor,
    argument_types,
    children_of,
    kind_of,
    overloads,
    passing_of,
    written_class,
)
from ..cxxtypes.copying import only_moves
from ..cxxtypes.cxxtypes import CannotCross, Types
from ..exposed.exposure import Declared
from .annotations import annotated
from .eligibility import check
from .functions import is_noexcept, location, parameters_of, result_of

SELF = "self"
ABSTRACT = "it is abstract"
_QUALIFIERS = later_pattern(r"\)\s*((?:const|volatile|noexcept|&&|&|\s)*)$")


def read_method(group: list[Declared], owner: Struct, types: Types) -> Signature:
    """The signature of one overload of a method, static or not, or of a conversion function.

    Parameters
    ----------
    group : list of Declared
        All its declarations inside the class.
    owner : Struct
        The class.

    Raises
    ------
    CannotCross
        With the reason.
    """
    cursor = group[0].cursor
    check(group, types)
    if cursor.spelling == "operator=" and cursor.is_default_method():
        _check_copies(cursor)
    function = cursor.type.get_canonical()
    static = cursor.is_static_method()
    qualifiers = "" if static else qualifiers_of(function)
    if "volatile" in qualifiers.split() and _is_for_volatile_alone(cursor):
        raise CannotCross("no object of Python's is volatile: for others there is another overload")
    result, result_passing = result_of(cursor, function, types)
    # libclang shortens the type of a conversion.
    exact = f"operator {types.spelling(function.get_result())}" if kind_of(cursor) == Decl.CONVERSION else ""
    return _signature(
        group,
        owner,
        types,
        () if static else (object_parameter(owner, qualifiers),),
        parameters_of(group, function, types),
        name=exact or cursor.spelling,
        result=result,
        result_spelling=types.spelling(function.get_result()),
        result_passing=result_passing,
        noexcept=is_noexcept(cursor, function),
        kind="static" if static else "method",
        qualifiers=qualifiers,
        explicit=_is_explicit(cursor),
    )


def read_constructor(group: list[Declared], owner: Struct, types: Types) -> Signature:
    """The signature of one constructor: a function of the class's name that returns an object of it.

    Raises
    ------
    CannotCross
        With the reason.
    """
    cursor = group[0].cursor
    check(group, types)
    if isinstance(owner, Handle) and (owner.abstract or not owner.destructible):
        why = ABSTRACT if owner.abstract else "its destructor is not public"
        raise CannotCross(f"nothing but a derived class makes a {owner}: {why}")
    if cursor.is_copy_constructor() and cursor.is_default_method():
        _check_copies(cursor)
    function = cursor.type.get_canonical()
    return _signature(
        group,
        owner,
        types,
        (),
        parameters_of(group, function, types),
        name=owner.short_name,
        result=owner,
        result_spelling=owner.spelling,
        noexcept=is_noexcept(cursor, function),
        kind="constructor",
        explicit=_is_explicit(cursor),
    )


def _check_copies(cursor: Cursor) -> None:
    """Raise for a defaulted copy that C++ promises and that would not compile."""
    moves = any(passing_of(t)[0] == "rvalue_ref" for t in argument_types(cursor.type.get_canonical()))
    if not moves and only_moves(cursor.semantic_parent.type):
        raise CannotCross("it would copy what can only be moved")


def used_in(cursor: Cursor) -> Iterator[Cursor]:
    """The members of bases that a class takes over by its using-declarations."""
    for using in children_of(cursor, Decl.USING):
        yield from overloads(using) if using.access_specifier.value == PUBLIC else ()


def used_member(member: Cursor, owner: Struct, types: Types, home: str) -> Signature | None:
    """A method or a constructor of a base that a class takes over; None for constructors that it does not.

    Parameters
    ----------
    home : str
        How C++ names the class that declares it.

    Raises
    ------
    CannotCross
        With the reason.
    """
    group = [Declared(kind_of(member), member, tuple(owner.name.split("::")))]
    if kind_of(member) != Decl.CONSTRUCTOR:
        return replace(read_method(group, owner, types), home=home, implicit=True)
    if member.is_copy_constructor() or member.is_move_constructor():
        return None
    made = replace(read_constructor(group, owner, types), symbol="", implicit=True)
    return made if made.parameters else None  # the class has its own


def object_parameter(owner: Struct, qualifiers: str) -> Parameter:
    """The object of a method: by reference, so that the method works on the object itself."""
    words = qualifiers.split()
    constant = "const" in words
    passing = "rvalue_ref" if "&&" in words else "lvalue_ref"
    sign = "&&" if passing == "rvalue_ref" else "&"
    type_ = Const(owner) if constant else owner
    parameter = Parameter(SELF, type_, f"{'const ' * constant}{owner.spelling} {sign}", passing)
    return parameter if constant else replace(parameter, intent=InOutPtr())


def _is_for_volatile_alone(method: Cursor) -> bool:
    """Whether C++ prefers another function of that name for objects that are not volatile."""
    members = children_of(
        written_class(method.semantic_parent.type), Decl.METHOD
    )  # of an instantiation its template's
    named = (c for c in members if c.spelling == method.spelling)
    return any("volatile" not in qualifiers_of(other.type.get_canonical()).split() for other in named)


def qualifiers_of(function: ClangType) -> str:
    """What stands after a method's parameters: ``const &``, without ``noexcept``."""
    found = _QUALIFIERS.search(_declarator(function))
    return " ".join(word for word in (found[1] if found else "").split() if word != "noexcept")


def _declarator(function: ClangType) -> str:
    """The parameters and what stands after them: a result may stand around these, ``void (*() const)(int)``."""
    text: str = function.spelling
    result: str = function.get_result().spelling
    ends = range(min(len(text), len(result)), -1, -1)
    around = next(n for n in ends if text.startswith(result[:n]) and text.endswith(result[n:]))
    return text[around : len(text) - len(result) + around]


def _signature(
    group: list[Declared], owner: Struct, types: Types, objects: tuple[Parameter, ...],
    arguments: tuple[Parameter, ...], **rest: object,
) -> Signature:  # fmt: skip
    if rest["kind"] != "static" and any(p.name == SELF for p in arguments):
        taken = {p.name for p in arguments}
        free = next(n for n in (f"{SELF}{'_' * i}" for i in range(1, len(taken) + 2)) if n not in taken)
        arguments = tuple(replace(p, name=free) if p.name == SELF else p for p in arguments)
    declared = group[0]
    comments = (clean(d.cursor.raw_comment) for d in group)
    made = Signature(
        qualified="::".join([*declared.scope, str(rest["name"])]),
        parameters=(*objects, *arguments),
        symbol=declared.cursor.mangled_name,
        namespace=declared.scope,
        location=location(declared.cursor),
        doc=next(filter(None, comments), ""),
        owner=owner.name,
        home=owner.spelling,
        **rest,  # type: ignore[arg-type]
    )
    return annotated(made, group, types.unit)


def _is_explicit(cursor: Cursor) -> bool:
    return bool(cursor.is_explicit_method())
