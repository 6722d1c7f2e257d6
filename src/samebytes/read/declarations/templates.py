"""Templates as a header declares them, and their instantiations as functions, variables and classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ...model.module import ENUM_OPERAND, Template, Variable
from ...model.signature import Signature
from ...types import Struct
from ..clang.comments import clean
from ..clang.kinds import CALLABLES, PUBLIC, RECORDS, Decl, Kind
from ..clang.libclang import (
    ClangType,
    Cursor,
    argument_types,
    children,
    children_of,
    friend_functions,
    kind_of,
    passing_of,
    printed,
    template_of,
    template_parameters,
    type_kind,
)
from ..clang.places import extent_of
from ..cxxtypes.cxxtypes import CannotCross, Types
from ..cxxtypes.devices import runs_elsewhere
from ..exposed.exposure import Declared, qualified_name
from ..functions.functions import Ask, location, read_function
from ..functions.methods import read_constructor, read_method, used_in
from ..functions.variables import read_variable
from ..questions.instances import ResolvedInstance
from ..spellings import call_types, callee, member_of, operator_form

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
    return declared.kind in _KINDS and not is_binding(declared)


def is_binding(declared: Declared) -> bool:
    """Whether it is a name of a structured binding, of which its name is all that is written.

    libclang has no kind for one, nor for a variable template and its instantiations, which begin with a type.
    """
    if declared.kind != Decl.UNEXPOSED or type_kind(declared.cursor.type) == Kind.INVALID:
        return False
    _, start, end = extent_of(declared.cursor)
    return end - start == len(declared.cursor.spelling.encode())


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
        packed=any(map(_is_pack, template_parameters(cursor))),
        operators=_befriended(cursor),
        operands=_operands(cursor) if declared.kind == Decl.FUNCTION_TEMPLATE else None,
        methods=_methods(cursor) if declared.kind == Decl.CLASS_TEMPLATE else None,
        doc=next(filter(None, (clean(d.cursor.raw_comment) for d in group)), ""),
    )


def read_kernel_template(group: list[Declared]) -> Template:
    """A template among kernels: of kernels, or of classes, of which kernels take values.

    Raises
    ------
    CannotCross
        If it is of what the host does not launch.
    """
    if group[0].kind in (Decl.FUNCTION_TEMPLATE, Decl.UNEXPOSED):
        elsewhere = runs_elsewhere([d.cursor for d in group], kernels=True)
        if elsewhere:
            raise CannotCross(elsewhere)
        return replace(read_template(group), kind="kernel")
    return read_template(group)


def _methods(template: Cursor) -> tuple[str, ...] | None:
    """The names of a class template's public functions; None where others may come in."""
    members = children(template)
    if not template.is_definition() or any(kind_of(c) in (Decl.BASE, Decl.USING) for c in members):
        return None
    functions = (*CALLABLES, Decl.FUNCTION_TEMPLATE)
    names = (
        template.spelling if kind_of(c) == Decl.CONSTRUCTOR else c.spelling
        for c in members if kind_of(c) in functions and c.access_specifier.value == PUBLIC
    )  # fmt: skip
    return tuple(dict.fromkeys(names))


def _operands(template: Cursor) -> tuple[str, ...] | None:
    """What each parameter of an operator takes, as :class:`samebytes.model.module.Template` says it."""
    types = [p.type for p in children_of(template, Decl.PARAMETER)]
    if not _OPERATOR.match(template.spelling) or any("..." in type_.spelling for type_ in types):
        return None
    return tuple(map(_operand, types))


def _operand(type_: ClangType) -> str:
    bare = passing_of(type_)[1]
    if type_kind(bare) == Kind.POINTER:
        return "*"
    made = bare.get_declaration()
    if kind_of(made) == Decl.ENUM:
        return ENUM_OPERAND + qualified_name(made)
    return qualified_name(made) if kind_of(made) == Decl.CLASS_TEMPLATE else ""


def _befriended(template: Cursor) -> tuple[str, ...]:
    """The operators that a class template, and classes inside of it, have as friends: found through their objects."""
    within = [template, *_classes_within(template)]
    names = (friend.spelling for owner in within for friend in friend_functions(owner))
    return tuple(dict.fromkeys(name for name in names if _OPERATOR.match(name)))


def _classes_within(owner: Cursor) -> Iterator[Cursor]:
    for child in children(owner):
        if kind_of(child) in RECORDS and child.is_definition():
            yield child
            yield from _classes_within(child)


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


def is_inheriting(function: Cursor) -> bool:
    """Whether a constructor is one that a template of a base's makes, and that a using-declaration takes over."""
    owner = function.semantic_parent
    if kind_of(function) != Decl.CONSTRUCTOR or owner is None or "<" in owner.type.spelling:
        return False
    known = [c for c in (*children(owner), *used_in(owner)) if kind_of(c) == Decl.CONSTRUCTOR]
    return not any(_spelled(c) == _spelled(function) for c in known) and not function.is_copy_constructor()


def _spelled(function: Cursor) -> list[str]:
    return [t.spelling for t in argument_types(function.type.get_canonical())]


def _words(declared: Declared) -> str:
    cursor = declared.cursor
    parameters = ", ".join(map(_parameter, (c for c in children(cursor) if kind_of(c) in _PARAMETERS)))
    types = ", ".join(p.type.spelling for p in children_of(cursor, Decl.PARAMETER))
    tail = f"({types})" if declared.kind == Decl.FUNCTION_TEMPLATE else ""
    head = f"template <{parameters}>" if parameters else "template"
    return f"{head} {declared.qualified}{tail}"


def _parameter(cursor: Cursor) -> str:
    kind = "class" if kind_of(cursor) != Decl.VALUE_PARAMETER else cursor.type.spelling.removesuffix("...")
    return f"{kind}{'...' * _is_pack(cursor)} {cursor.spelling}".strip()


def _is_pack(parameter: Cursor) -> bool:
    """Whether a template's parameter stands for any number of arguments."""
    return "..." in printed(parameter)


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


def is_rivalled(function: Cursor) -> bool:
    """Whether a function's template is one of several of its name and place, and one of them takes any arguments."""
    made = template_of(function)
    if made is None:
        return False
    rivals = [
        c for c in children_of(made.lexical_parent, Decl.FUNCTION_TEMPLATE) if c.spelling == made.spelling
    ]
    return len(rivals) > 1 and any(_is_pack(p) for c in rivals for p in template_parameters(c))


def as_called(signature: Signature, spelling: str) -> Signature:
    """An instantiation that C++ chooses again as the call did: by arguments of the same categories.

    Its address may not tell it from others: [temp.deduct.partial] orders templates by their parameters for a call,
    and by their whole types for an address.
    """
    own = signature.object
    types = call_types(spelling)
    given = ", ".join(
        f"samebytes_given<{type_}>({{{place}}})" for place, type_ in enumerate(types, bool(own))
    )
    last = member_of(spelling)
    name = f"{{0}}.{'template ' * ('<' in last)}{last}" if own else f"::{callee(spelling).removeprefix('::')}"
    if len(types) + bool(own) != len(signature.parameters):
        return signature  # the call leaves some to their defaults
    return replace(signature, expression=f"{name}({given})" if signature.parameters else name)


def _read_member(found: ResolvedInstance, asked: str, types: Types) -> Signature:
    cursor, parent = found.cursor, found.cursor.semantic_parent.type.get_canonical()
    derived = found.object is not None and found.object.get_declaration() != parent.get_declaration()
    owner = types.value(
        found.object if derived else parent
    )  # the base may not be public: a using-declaration is
    if not isinstance(owner, Struct):
        raise CannotCross(f"Python knows its class as {owner}")
    group = [Declared(kind_of(cursor), cursor, (owner.name,))]
    if kind_of(cursor) == Decl.CONSTRUCTOR:
        return replace(read_constructor(group, owner, types), instance=asked)
    method = read_method(group, owner, types)
    method = replace(method, qualified=f"{owner.name}::{member_of(found.spelling)}", instance=asked)
    return replace(method, home=types.spelling(parent)) if derived else method


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
    "is_binding",
    "is_inheriting",
    "is_instance",
    "is_template",
    "read_instance",
    "read_kernel_template",
    "read_operator",
    "read_template",
    "read_variable_instance",
]
