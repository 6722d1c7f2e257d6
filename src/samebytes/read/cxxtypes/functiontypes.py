"""Types of functions that something points to, and std::function: results, parameters, spellings."""

from __future__ import annotations

from dataclasses import replace

from ...later import later_pattern
from ...types import (
    VOID,
    Argument,
    Callback,
    Const,
    Converted,
    Enum,
    Function,
    Handle,
    Matrix,
    NdArray,
    Object,
    Pointer,
    Scalar,
    Struct,
    Type,
    converted_parts,
    unqualified,
)
from ..clang.kinds import FUNCTIONS, Kind
from ..clang.libclang import ClangType, argument_types, passing_of, type_kind
from .cxxtypes import CannotCross, Types, is_const, whole
from .type_names import plain_name

_VARIADIC = "it takes a variable number of arguments (...)"
_OPEN = "in C an empty parameter list leaves the parameters open"
# The place where a declaration would have the name, of a pointer that is const itself.
_QUALIFIED = later_pattern(r"\(\*(?:const|volatile| )+\)")
_HOLDER = later_pattern(r"std::(__\w+::)?function<")
_PLAIN = later_pattern(r"([^()]*)(\([^()]*\).*)")


def read_function_type(types: Types, type_: ClangType, pointer: str) -> Function:
    """A canonical function type, given how the pointer to it is spelled.

    Where a part of it cannot cross, the pointer still can, without Python callables.

    Raises
    ------
    CannotCross
        If its result has no spelling.
    """
    pointer = _QUALIFIED.sub("(*)", pointer, count=1)
    if types.functions is not None:
        types.functions.add(type_.get_canonical().spelling)
    result = types.spelling(type_.get_result())
    try:
        returned, passing = _passed(type_.get_result(), types)
        arguments = tuple(_argument(argument, types) for argument in argument_types(type_))
    except CannotCross as reason:
        return Function(VOID, (), str(reason), pointer, result)
    barred = ""
    if type_kind(type_) != Kind.FUNCTION:
        barred = _OPEN
    elif type_.is_function_variadic():
        barred = _VARIADIC
    return Function(returned, arguments, barred, pointer, result, passing)


def function_alias(type_: ClangType, types: Types) -> Pointer | None:
    """The pointer for a typedef of a function type, ``typedef int compare(int, int)``; None for other types."""
    canonical = type_.get_canonical()
    if type_kind(canonical) not in FUNCTIONS:
        return None
    spelling = types.spelling(canonical)
    plain = _PLAIN.fullmatch(spelling)
    form = "__typeof__({}) *" if types.unit.c else "samebytes_to<{}>"
    pointer = f"{plain[1]}(*){plain[2]}" if plain else form.format(spelling)
    return Pointer(read_function_type(types, canonical, pointer))


def is_function(type_: ClangType) -> bool:
    """Whether a canonical type is a ``std::function``."""
    return type_kind(type_) == Kind.RECORD and _HOLDER.match(plain_name(type_.spelling)) is not None


def function_holder(type_: ClangType, types: Types) -> tuple[Type, str] | None:
    """Type and passing of a canonical parameter type that is a ``std::function``; None if it is none.

    Raises
    ------
    CannotCross
        With the reason.
    """
    passing, target = passing_of(type_)
    if not is_function(target):
        return None
    if passing == "lvalue_ref" and not is_const(target):
        raise CannotCross("a std::function that C++ would change has no counterpart in Python")
    made = function_alias(target.get_template_argument_type(0), types)
    if made is None or not isinstance(made.pointee, Function):
        return None
    spelling = types.spelling(target).removeprefix("const ")
    if not _is_plain(made.pointee):
        made_here = callback(target, types)
        return Const(made_here) if is_const(target) else made_here, passing
    return Pointer(replace(made.pointee, holder=spelling)), "value"


def given_function(type_: ClangType, types: Types) -> tuple[Type, str] | None:
    """Type and passing of a canonical type that C++ gives and that is a ``std::function``: Python calls the object.

    None if it is none.

    Raises
    ------
    CannotCross
        With the reason.
    """
    passing, target = passing_of(type_)
    if not is_function(target):
        return None
    found = types.value(target)
    return Const(found) if is_const(target) else found, passing


def _is_plain(function: Function) -> bool:
    """Whether a C function is made of a Python callable: numbers and pointers come back, no objects go in."""
    result = function.result
    numbers = isinstance(result, Scalar) and result.kind != "complex"
    simple = function.result_passing == "value" and (
        numbers or isinstance(result, Enum | Pointer | type(VOID))
    )
    return (
        not function.barred
        and simple
        and not any(isinstance(unqualified(a.type), Struct) for a in function.arguments)
    )


def callback(type_: ClangType, types: Types) -> Callback:
    """A canonical ``std::function``, as what keeps the callable that it is made of.

    Raises
    ------
    CannotCross
        With the reason.
    """
    spelling = plain_name(types.spelling(type_))
    called = type_.get_template_argument_type(0).get_canonical()
    arguments = tuple(_shown(argument, types) for argument in argument_types(called))
    returned = called.get_result().get_canonical()
    if passing_of(returned)[0] != "value":
        raise CannotCross("what a Python callable returns is gone when C++ looks at a reference to it")
    result: Type = VOID if type_kind(returned) == Kind.VOID else whole(types.crossing(returned))
    if isinstance(result, Handle):
        result = Object(plain_name(types.spelling(returned)), result)
    return Callback(spelling, Function(result, arguments, spelling=spelling))


def _shown(type_: ClangType, types: Types) -> Argument:
    type_ = type_.get_canonical()
    given = given_function(type_, types)
    if given is not None:
        return Argument(*given, types.spelling(type_))
    passing, target = passing_of(type_)
    found = types.crossing(target)
    if any(isinstance(part, Callback) for part in converted_parts(unqualified(found))):
        raise CannotCross(
            "a Python callable cannot take a container of std::function, of which it gets no objects"
        )
    if (isinstance(found, Matrix) and found.shows == "writes") or (
        isinstance(found, NdArray) and found.writes
    ):
        raise CannotCross(
            f"a Python callable cannot take {types.spelling(type_)}, as it would write to a copy"
        )
    if passing == "lvalue_ref" and isinstance(found, Converted) and not is_const(target):
        raise CannotCross(f"a Python callable cannot take {types.spelling(type_)}")
    return Argument(Const(found) if is_const(target) else found, passing, types.spelling(type_))


def _argument(type_: ClangType, types: Types) -> Argument:
    type_ = type_.get_canonical()
    read, passing = _passed(type_, types)
    return Argument(read, passing, types.spelling(type_))


def _passed(type_: ClangType, types: Types) -> tuple[Type, str]:
    type_ = type_.get_canonical()
    if type_kind(type_) == Kind.VOID:
        return VOID, "value"
    passing, target = passing_of(type_)
    if passing == "value":
        return whole(types.value(target)), passing
    return types.qualified_value(target), passing
