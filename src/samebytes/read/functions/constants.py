"""Constants and default arguments: the values that the compiler knows before the program runs."""

from __future__ import annotations

import re

from ...later import later_pattern
from ...model.signature import Default
from ...types import CHAR, MISSING, Callback, Enum, Maybe, Owner, Pointer, Scalar, Text, Type, unqualified
from ..clang.kinds import EXPRESSIONS, Decl, Kind
from ..clang.libclang import Cursor, children, element_type, evaluate, kind_of, printed, type_kind
from ..clang.parse import ParsedUnit
from ..clang.places import extent_of
from ..cxxtypes.cxxtypes import CannotCross, Types, is_const
from ..cxxtypes.scalars import NUMBERS

_NULL = frozenset({"nullptr", "NULL", "0", "{}", "0L"})
# What C++ writes for a parameter that has nothing, where Python says None.
_NO_VALUE = frozenset({"std::nullopt", "nullopt", "{}"})
_NO_OBJECT = frozenset({"nullptr", "NULL", "{}"})
_ONLY = "only numbers, enumerators and strings become constants"
_UNKNOWN = "its value is not known before the program runs"
_STRINGS = frozenset({"char", "const char"})
_CASTS = frozenset({Decl.UNEXPOSED_EXPRESSION, Decl.PARENTHESES, Decl.C_CAST, Decl.STATIC_CAST})
_DEEPEST = 16
_ADDRESS = (1 << 64) - 1
# A declaration in which the first "=" is certainly a token of its own: clang's tokens cost a hundred times as much.
_ONE_EQUALS = later_pattern(rb"""[^='"/\\]*[^='"/\\<>!+*%&|^-]=(?!=)(.*)""", re.DOTALL)
# Tokens that have a "=" and are none: a macro's argument says ``+=``, and clang's tokens of it are the whole file's.
_LONGER = later_pattern(rb"<=>|<<=|>>=|[=!<>+*/%&|^-]=")
# What may stand around a string literal without changing which text it is.
_SAME_TEXT = frozenset(
    {Decl.STRING_LITERAL, Decl.UNEXPOSED_EXPRESSION, Decl.PARENTHESES, Decl.C_CAST, Decl.STATIC_CAST}
)


class NoConstant(CannotCross):
    """Why something is no constant to Python, though its value may come to it when the program runs."""


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


def default_argument(parameter: Cursor, type_: Type, unit: ParsedUnit) -> Default | None:
    """The default argument that a parameter's declaration writes, or None."""
    text = _after_equals(parameter, unit)
    if text is None:
        return None
    plain = unqualified(type_)
    if isinstance(plain, Pointer):
        if text in _NULL:
            return Default(text, None)
        value = _evaluated(parameter) if plain.is_string else None
        return Default(text, value if isinstance(value, str) else MISSING)
    if isinstance(plain, Maybe) and text in _NO_VALUE:
        return Default(text, None)
    if isinstance(plain, Callback | Owner) and text in _NO_OBJECT:
        return Default(text, None)
    if isinstance(plain, Text):
        value = _evaluated(parameter)
        return Default(text, value if isinstance(value, str) and "\0" not in value else MISSING)
    if not isinstance(plain, Scalar | Enum):
        return Default(text)
    if text == "{}":
        return Default(text, number(0, plain))
    found = number(_evaluated(parameter), plain)
    return Default(text, MISSING if found is None else found)


def has_default(parameter: Cursor, unit: ParsedUnit) -> bool:
    """Whether a parameter's declaration writes a default argument."""
    return _after_equals(parameter, unit) is not None


def constant(variable: Cursor, types: Types) -> bool | int | float | str:
    """The value of a constant at namespace scope or in a class.

    Raises
    ------
    CannotCross
        If it is no constant, or its value is not known to the compiler.
    """
    if not is_const(variable.type.get_canonical()):
        message = types.troubles.type(variable.type)
        raise CannotCross(message or "it is a variable, not a constant")
    return initial(variable, types)


def initial(variable: Cursor, types: Types) -> bool | int | float | str:
    """The value with which a variable begins.

    Raises
    ------
    CannotCross
        If it is neither a number nor a string, or not known to the compiler.
    """
    canonical = variable.type.get_canonical()
    message = types.troubles.type(variable.type)
    if message is not None:
        raise CannotCross(message)
    if type_kind(canonical) == Kind.CONSTANT_ARRAY:
        if element_type(canonical).spelling not in _STRINGS:
            raise NoConstant(f"it is an array; {_ONLY}")
        return _known(evaluate(variable))
    type_ = types.value(variable.type)
    if isinstance(type_, Pointer):
        # The string "…" is a char * in C.
        if not type_.is_string and unqualified(type_.pointee) != CHAR:
            raise NoConstant(f"it is a pointer; {_ONLY}")
        return _text(variable)
    scalar = type_.underlying if isinstance(type_, Enum) else type_
    if not isinstance(scalar, Scalar) or scalar.kind == "complex":
        raise NoConstant(f"it is {type_}; {_ONLY}")
    return _known(number(evaluate(variable), type_))


def address(variable: Cursor, types: Types) -> tuple[int, Pointer] | None:
    """The number that a constant pointer is made of, ``((void *)-1)``, and its type; None for other constants.

    Raises
    ------
    CannotCross
        If what it points to cannot be said.
    """
    if type_kind(variable.type.get_canonical()) != Kind.POINTER:
        return None
    inner, depth = variable, 0
    while type_kind(inner.type.get_canonical()) == Kind.POINTER and depth < _DEEPEST:
        found = [
            c for c in children(inner) if kind_of(c) in _CASTS or type_kind(c.type.get_canonical()) in NUMBERS
        ]
        found = [c for c in found if kind_of(c) not in (Decl.TYPE_REFERENCE, Decl.PARAMETER)]
        if len(found) != 1:
            return None
        inner, depth = found[0], depth + 1
    scalar = NUMBERS.get(type_kind(inner.type.get_canonical()))
    value = number(evaluate(inner), scalar) if scalar is not None else None
    if not isinstance(value, int):
        return None
    type_ = types.value(variable.type)
    assert isinstance(type_, Pointer)
    return value & _ADDRESS, type_


def _text(variable: Cursor) -> str:
    """The string literal that a pointer begins with."""
    literal = variable
    while kind_of(literal) != Decl.STRING_LITERAL:
        inner = [c for c in children(literal) if kind_of(c) in _SAME_TEXT]
        if len(inner) != 1:
            raise NoConstant(_UNKNOWN)
        literal = inner[0]
    # Clang spells a literal with C's escapes; its evaluation would end at the first NUL.
    spelled: str = literal.spelling.removeprefix("u8")[1:-1]
    held = spelled.encode("ascii").decode("unicode_escape").encode("latin-1")
    if b"\0" in held:
        raise CannotCross("its text holds a NUL, at which a C string ends")
    return held.decode("utf-8", "surrogateescape")


def _known(value: bool | int | float | str | None) -> bool | int | float | str:
    if value is None:
        raise NoConstant(_UNKNOWN)
    return value


def _evaluated(parameter: Cursor) -> int | float | str | None:
    """The value of a default argument, which is the last child of its parameter."""
    inner = children(parameter)
    value = evaluate(inner[-1]) if inner else None
    # Bound to a reference, the value is wrapped in nodes that clang does not evaluate.
    while value is None and inner and kind_of(inner[-1]) == Decl.UNEXPOSED_EXPRESSION:
        inner = children(inner[-1])
        value = evaluate(inner[-1]) if len(inner) == 1 else None
    return value


def _after_equals(parameter: Cursor, unit: ParsedUnit) -> str | None:
    """The text after the ``=`` of a parameter's declaration, as written; where a macro wrote it, as clang says it."""
    file, start, end = extent_of(parameter)
    if file is None:
        return None
    text = unit.text(file)[start:end]
    if (plain := _ONE_EQUALS.fullmatch(text)) is not None:
        after = plain[1].decode("utf-8", "replace").strip()
        return after if after.count("(") == after.count(")") else _printed(parameter)
    if b"=" in _LONGER.sub(b"", text):
        for token in parameter.get_tokens():
            if token.spelling == "=":
                after = text[token.extent.end.offset - start :].decode("utf-8", "replace").strip()
                return after if after.count("(") == after.count(")") else _printed(parameter)
    # The extents of an array are expressions, too.
    expressions = sum(kind_of(c) in EXPRESSIONS for c in children(parameter))
    return _printed(parameter) if expressions else None


def _printed(parameter: Cursor) -> str | None:
    """The text of a default argument in clang's words; None where it knows none."""
    _, equals, after = printed(parameter).partition(" = ")
    return after.strip() if equals else None
