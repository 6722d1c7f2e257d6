"""The ``operator()`` of a ``std::function`` that C++ gives to Python: the standard library's classes are not read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...model.signature import Parameter, Signature
from ...types import VOID, Struct, Type
from ..clang.kinds import Kind
from ..clang.libclang import ClangType, argument_types, type_kind
from ..cxxtypes.cxxtypes import CannotCross, Types
from ..cxxtypes.functiontypes import given_function
from ..cxxtypes.lifetimes import check_kept, check_told
from .derived import of_object
from .functions import parameter_type, type_and_passing, unstated_intent


def call_operator(owner: Struct, type_: ClangType, types: Types) -> Signature:
    """What calls an object of a class that a ``std::function`` is.

    Raises
    ------
    CannotCross
        With the reason.
    """
    called = type_.get_canonical().get_template_argument_type(0).get_canonical()
    parameters = tuple(_parameters(called, types))
    values = ", ".join(f"{{{i}}}" for i in range(1, len(parameters) + 1))
    returned = called.get_result().get_canonical()
    result, passing = _result(returned, types)
    made = of_object(
        owner, "operator()", "const", f"{{0}}({values})", result, types.spelling(returned), passing
    )
    return replace(made, parameters=(*made.parameters, *parameters))


def _parameters(called: ClangType, types: Types) -> Iterator[Parameter]:
    for i, canonical in enumerate(argument_types(called)):
        canonical = canonical.get_canonical()
        try:
            type_, passing = parameter_type(canonical, types)
            spelling = types.spelling(canonical)
        except CannotCross as reason:
            raise CannotCross(f"its argument {i + 1} ({types.shown(canonical)}): {reason}") from None
        yield Parameter(f"arg{i}", type_, spelling, passing, unstated_intent(type_, passing))


def _result(returned: ClangType, types: Types) -> tuple[Type, str]:
    if type_kind(returned) == Kind.VOID:
        return VOID, "value"
    try:
        result, passing = given_function(returned, types) or type_and_passing(returned, types)
        check_told(result)
        check_kept(result, passing)
    except CannotCross as reason:
        raise CannotCross(f"its result ({types.shown(returned)}): {reason}") from None
    return result, passing
