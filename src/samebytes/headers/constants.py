"""Constants and default arguments: the values that the compiler knows before the program runs."""

from __future__ import annotations

from ..signature import Default
from ..types import MISSING, Enum, Pointer, Scalar, Type, unqualified
from .cxxtypes import CannotCross, Types, is_const
from .libclang import Cursor, Kind, element_type, evaluate, type_kind
from .parse import Unit

_NULL = frozenset({"nullptr", "NULL", "0", "{}", "0L"})
_STRINGS = frozenset({"char", "const char"})


def number(value: object, type_: Type) -> bool | int | float | None:
    """A value that clang evaluated, as the type holds it; None where the type is no such number."""
    scalar = type_.underlying if isinstance(type_, Enum) else type_
    if not isinstance(scalar, Scalar) or not isinstance(value, int | float):
        return None
    if scalar.kind == "bool":
        return bool(value)
    if scalar.kind == "float":
        return float(value)
    if scalar.kind not in ("int", "uint") or isinstance(value, float):
        return None
    bits = 8 * scalar.size
    value &= (1 << bits) - 1
    return value - (1 << bits) if scalar.kind == "int" and value >> (bits - 1) else value


def default_argument(parameter: Cursor, type_: Type, unit: Unit) -> Default | None:
    """The default argument that a parameter's declaration writes, or None."""
    text = _after_equals(parameter, unit)
    if text is None:
        return None
    plain = unqualified(type_)
    if isinstance(plain, Pointer):
        if text in _NULL:
            return Default(text, None)
        value = evaluate(_initialiser(parameter)) if plain.is_string else None
        return Default(text, value if isinstance(value, str) else MISSING)
    if not isinstance(plain, Scalar | Enum):
        return Default(text)
    if text == "{}":
        return Default(text, number(0, plain))
    found = number(evaluate(_initialiser(parameter)), plain)
    return Default(text, MISSING if found is None else found)


def constant(variable: Cursor, types: Types) -> bool | int | float | str:
    """The value of a constant at namespace scope.

    Raises
    ------
    CannotCross
        If it is no constant, or its value is not known to the compiler.
    """
    canonical = variable.type.get_canonical()
    element = element_type(canonical) if type_kind(canonical) == Kind.CONSTANT_ARRAY else canonical
    message = types.troubles.type(variable.type)
    if message is not None:
        raise CannotCross(message)
    if not is_const(canonical):
        raise CannotCross("it is a variable, not a constant")
    if type_kind(canonical) == Kind.CONSTANT_ARRAY:
        if element.spelling not in _STRINGS:
            raise CannotCross("it is an array; only numbers, enumerators and strings become constants")
        return _known(evaluate(variable))
    type_ = types.value(variable.type)
    if isinstance(type_, Pointer):
        if not type_.is_string:
            raise CannotCross("it is a pointer; only numbers, enumerators and strings become constants")
        return _known(evaluate(variable))
    return _known(number(evaluate(variable), type_))


def _known(value: bool | int | float | str | None) -> bool | int | float | str:
    if value is None:
        raise CannotCross("its value is not known before the program runs, or it is no number and no string")
    return value


def _initialiser(parameter: Cursor) -> Cursor:
    """The expression of a default argument: the last child of the parameter."""
    children = list(parameter.get_children())
    return children[-1] if children else parameter


def _after_equals(parameter: Cursor, unit: Unit) -> str | None:
    """The text after the ``=`` of a parameter's declaration, as written."""
    extent = parameter.extent
    if extent.start.file is None:
        return None
    text = unit.text(extent.start.file.name)[extent.start.offset : extent.end.offset]
    if b"=" not in text:
        return None
    for token in parameter.get_tokens():
        if token.spelling == "=":
            after = text[token.extent.end.offset - extent.start.offset :]
            return after.decode("utf-8", "replace").strip()
    return None
