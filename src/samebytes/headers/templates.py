"""Templates as a header declares them, and their instantiations as functions, variables and classes."""

from __future__ import annotations

from dataclasses import replace

from ..signature import Signature
from .comments import clean
from .cxxtypes import CannotCross, Types
from .exposure import Declared
from .functions import location, read_function
from .instances import Found
from .libclang import RECORDS, Cursor, Decl, children_of, kind_of
from .model import Template, Variable
from .spellings import callee
from .variables import read_variable

_KINDS: dict[int, str] = {
    Decl.FUNCTION_TEMPLATE: "function",
    Decl.CLASS_TEMPLATE: "class",
    Decl.PARTIAL_SPECIALIZATION: "class",
    Decl.ALIAS_TEMPLATE: "alias",
    Decl.UNEXPOSED: "variable",
}
_PARAMETERS = frozenset({Decl.TYPE_PARAMETER, Decl.VALUE_PARAMETER, Decl.TEMPLATE_PARAMETER})


def is_template(declared: Declared) -> bool:
    """Whether a declaration is that of a template that Python instantiates by its name."""
    return declared.kind in _KINDS and kind_of(declared.cursor.semantic_parent) not in RECORDS


def read_template(group: list[Declared]) -> Template:
    """A template from its declarations."""
    declared = next((d for d in group if d.cursor.is_definition()), group[0])
    cursor = declared.cursor
    parameters = children_of(cursor, Decl.PARAMETER)
    packed = any("..." in p.type.spelling for p in parameters)
    return Template(
        cursor.spelling,
        declared.qualified,
        _KINDS[declared.kind],
        (_words(declared),),
        location(cursor),
        () if packed else tuple(p.spelling for p in parameters),
        next(filter(None, (clean(d.cursor.raw_comment) for d in group)), ""),
    )


def _words(declared: Declared) -> str:
    cursor = declared.cursor
    parameters = ", ".join(map(_parameter, (c for c in cursor.get_children() if kind_of(c) in _PARAMETERS)))
    types = ", ".join(p.type.spelling for p in children_of(cursor, Decl.PARAMETER))
    tail = f"({types})" if declared.kind == Decl.FUNCTION_TEMPLATE else ""
    head = f"template <{parameters}>" if parameters else "template"
    return f"{head} {declared.qualified}{tail}"


def _parameter(cursor: Cursor) -> str:
    kind = "class" if kind_of(cursor) != Decl.VALUE_PARAMETER else cursor.type.spelling
    return f"{kind} {cursor.spelling}".strip()


def read_instance(found: Found, asked: str, types: Types) -> Signature:
    """The signature of an instantiated function; C++ reaches it as it was asked for, by its exact type.

    Raises
    ------
    CannotCross
        With the reason.
    """
    scope = tuple(callee(found.spelling).removeprefix("::").partition("<")[0].split("::")[:-1])
    signature = read_function([Declared(Decl.FUNCTION, found.cursor, scope)], types)
    return replace(signature, qualified=callee(found.spelling).removeprefix("::"), instance=asked)


def read_variable_instance(found: Found, types: Types) -> Variable:
    """An instantiated variable.

    Raises
    ------
    CannotCross
        With the reason.
    """
    variable = read_variable([Declared(Decl.VARIABLE, found.cursor, ())], types)
    return replace(variable, qualified=found.spelling.removeprefix("::"), symbol="")


__all__ = ["CannotCross", "is_template", "read_instance", "read_template", "read_variable_instance"]
