"""Templates as a header declares them, and their instantiations as functions, variables and classes."""

from __future__ import annotations

import re
from dataclasses import replace

from ...model.module import Template, Variable
from ...model.signature import Signature
from ...types import Struct
from ..clang.comments import clean
from ..clang.kinds import CALLABLES, Decl
from ..clang.libclang import Cursor, children, children_of, kind_of, template_of
from ..cxxtypes.cxxtypes import CannotCross, Types
from ..exposed.exposure import Declared
from ..functions.functions import Ask, location, read_function
from ..functions.methods import read_constructor, read_method
from ..functions.variables import read_variable
from ..questions.instances import ResolvedInstance
from ..spellings import callee, member_of, operator_form

_PUBLIC = 1  # CX_CXXPublic
_KINDS: dict[int, str] = {
    Decl.FUNCTION_TEMPLATE: "function",
    Decl.CLASS_TEMPLATE: "class",
    Decl.PARTIAL_SPECIALIZATION: "class",
    Decl.ALIAS_TEMPLATE: "alias",
    Decl.UNEXPOSED: "variable",
}
_CONVERSION = re.compile(r"operator [A-Za-z_:]")
_OPERATOR = re.compile(r"operator\W")
_PARAMETERS = frozenset({Decl.TYPE_PARAMETER, Decl.VALUE_PARAMETER, Decl.TEMPLATE_PARAMETER})


def is_template(declared: Declared) -> bool:
    """Whether a declaration is that of a template that Python instantiates by its name."""
    return declared.kind in _KINDS


def read_template(group: list[Declared], owner: Struct | None = None) -> Template:
    """A template from its declarations.

    Parameters
    ----------
    owner : Struct, optional
        The class that it is a member of.

    Raises
    ------
    CannotCross
        If Python has no way to instantiate it.
    """
    declared = next((d for d in group if d.cursor.is_definition()), group[0])
    cursor = declared.cursor
    parameters = children_of(cursor, Decl.PARAMETER)
    if declared.kind == Decl.FUNCTION_TEMPLATE and _CONVERSION.match(cursor.spelling):
        raise CannotCross("C++ deduces the type that it converts to from its use, and Python says none")
    packed = any("..." in p.type.spelling for p in parameters)
    return Template(
        cursor.spelling,
        declared.qualified,
        _kind(declared, owner),
        (_words(declared),),
        location(cursor),
        () if packed else tuple(p.spelling for p in parameters),
        owner.name if owner else "",
        operators=_befriended(cursor),
        methods=_methods(cursor) if declared.kind == Decl.CLASS_TEMPLATE else None,
        doc=next(filter(None, (clean(d.cursor.raw_comment) for d in group)), ""),
    )


def _methods(template: Cursor) -> tuple[str, ...] | None:
    """The names of a class template's public functions; None where others may come in."""
    members = children(template)
    if not template.is_definition() or any(kind_of(c) in (Decl.BASE, Decl.USING) for c in members):
        return None
    functions = (*CALLABLES, Decl.FUNCTION_TEMPLATE)
    names = (
        template.spelling if kind_of(c) == Decl.CONSTRUCTOR else c.spelling
        for c in members if kind_of(c) in functions and c.access_specifier.value == _PUBLIC
    )  # fmt: skip
    return tuple(dict.fromkeys(names))


def _befriended(template: Cursor) -> tuple[str, ...]:
    """The operators that a class template has as friends: only they are found through its classes."""
    friends = [f for c in children_of(template, Decl.FRIEND) for f in children(c)]
    names = (f.spelling for f in friends if kind_of(f) in (Decl.FUNCTION, Decl.FUNCTION_TEMPLATE))
    return tuple(dict.fromkeys(name for name in names if _OPERATOR.match(name)))


def _kind(declared: Declared, owner: Struct | None) -> str:
    if owner is None or declared.kind != Decl.FUNCTION_TEMPLATE:
        return _KINDS[declared.kind]
    if declared.cursor.spelling.partition("<")[0] == owner.short_name.partition("<")[0]:
        return "constructor"
    return "function" if declared.cursor.is_static_method() else "method"


def is_instance(function: Cursor) -> bool:
    """Whether a function is made by a template of its own, not only as a member of a class that is."""
    made = template_of(function)
    return made is not None and kind_of(made) == Decl.FUNCTION_TEMPLATE


def _words(declared: Declared) -> str:
    cursor = declared.cursor
    parameters = ", ".join(map(_parameter, (c for c in children(cursor) if kind_of(c) in _PARAMETERS)))
    types = ", ".join(p.type.spelling for p in children_of(cursor, Decl.PARAMETER))
    tail = f"({types})" if declared.kind == Decl.FUNCTION_TEMPLATE else ""
    head = f"template <{parameters}>" if parameters else "template"
    return f"{head} {declared.qualified}{tail}"


def _parameter(cursor: Cursor) -> str:
    kind = "class" if kind_of(cursor) != Decl.VALUE_PARAMETER else cursor.type.spelling
    return f"{kind} {cursor.spelling}".strip()


def read_instance(found: ResolvedInstance, asked: str, types: Types) -> Signature:
    """The signature of an instantiated function or member; C++ reaches it as it was asked for, by its exact type.

    Raises
    ------
    CannotCross
        With the reason.
    """
    kind = kind_of(found.cursor)
    if kind in (Decl.METHOD, Decl.CONSTRUCTOR):
        return _read_member(found, asked, types)
    scope = tuple(callee(found.spelling).removeprefix("::").partition("<")[0].split("::")[:-1])
    signature = read_function([Declared(Decl.FUNCTION, found.cursor, scope)], types)
    return replace(signature, qualified=callee(found.spelling).removeprefix("::"), instance=asked)


def _read_member(found: ResolvedInstance, asked: str, types: Types) -> Signature:
    cursor = found.cursor
    owner = types.value(cursor.semantic_parent.type)
    if not isinstance(owner, Struct):
        raise CannotCross(f"Python knows its class as {owner}")
    group = [Declared(kind_of(cursor), cursor, (owner.name,))]
    if kind_of(cursor) == Decl.CONSTRUCTOR:
        return replace(read_constructor(group, owner, types), instance=asked)
    method = read_method(group, owner, types)
    return replace(method, qualified=f"{owner.name}::{member_of(found.spelling)}", instance=asked)


def read_operator(found: ResolvedInstance, asked: str, types: Types, ask: Ask) -> Signature:
    """The signature of what an operator means between some operands; C++ finds it by the operator.

    Raises
    ------
    CannotCross
        With the reason.
    """
    cursor = found.cursor
    if kind_of(cursor) == Decl.METHOD:
        owner = types.value(cursor.semantic_parent.type)
        if not isinstance(owner, Struct):
            raise CannotCross(f"Python knows its class as {owner}")
        made = read_method([Declared(Decl.METHOD, cursor, (owner.name,))], owner, types)
    else:
        made = read_function([Declared(Decl.FUNCTION, cursor, ())], types, ask)
    return replace(
        made, kind="function", qualified=cursor.spelling, owner="", home="", qualifiers="", instance=asked,
        expression=operator_form(found.spelling),
    )  # fmt: skip


def read_variable_instance(found: ResolvedInstance, types: Types) -> Variable:
    """An instantiated variable.

    Raises
    ------
    CannotCross
        With the reason.
    """
    variable = read_variable([Declared(Decl.VARIABLE, found.cursor, ())], types)
    return replace(variable, qualified=found.spelling.removeprefix("::"), symbol="")


__all__ = [
    "CannotCross",
    "is_instance",
    "is_template",
    "read_instance",
    "read_operator",
    "read_template",
    "read_variable_instance",
]
