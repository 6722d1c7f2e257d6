"""Calls that C++ writes without declaring them: ``a[i] = x``, comparisons by ``<=>``, members read and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from ...model.intents import IN
from ...model.signature import Parameter, Signature
from ...types import BOOL, VOID, Callback, Const, Converted, Handle, Owner, Pointer, Struct, Type, unqualified
from ..clang.kinds import Decl
from ..clang.libclang import Cursor, kind_of
from ..cxxtypes.lifetimes import is_copyable
from .methods import object_parameter

Ask = Callable[..., int | None]

_THREE_WAY = "operator<=>"
_COMPARISONS = ("<", "<=", ">", ">=")


def derived_calls(method: Signature, known: Sequence[Signature], ask: Ask) -> Iterator[Signature]:
    """What follows from one method: assignment to ``a[i]``, and what ``<=>`` makes of comparisons.

    Parameters
    ----------
    known : sequence of Signature
        What is bound already.
    ask : callable
        Asks the front end.
    """
    if method.name == "operator[]" and _is_assignable(method):
        yield _assignment(method)
    if method.name == _THREE_WAY and len(method.parameters) == 2:
        declared = {f.name for f in known if f.owner == method.owner}
        for sign in ("==", *_COMPARISONS):
            if f"operator{sign}" not in declared and _compares(method, sign, ask):
                yield replace(
                    method, name=f"operator{sign}", qualified=method.qualified.replace(_THREE_WAY, f"operator{sign}"),
                    result=BOOL, result_spelling="bool", expression=f"{{0}} {sign} {{1}}", implicit=True, symbol="",
                )  # fmt: skip


def _of_object(
    owner: Struct,
    name: str,
    qualifiers: str,
    expression: str,
    result: Type,
    spelling: str,
    passing: str = "value",
) -> Signature:
    """An expression of an object alone as a method of its class."""
    return Signature(
        name, f"{owner.name}::{name}", (object_parameter(owner, qualifiers),), result, spelling, passing,
        namespace=tuple(owner.name.split("::")), kind="method", owner=owner.name, home=owner.spelling,
        qualifiers=qualifiers, implicit=True, expression=expression,
    )  # fmt: skip


def _owned_member(
    owner: Struct, name: str, type_: Owner, exact: str, *, constant: bool
) -> Iterator[Signature]:
    """What reads and writes a member that is a std::unique_ptr: Python sees the object that it owns."""
    target = unqualified(type_.target)
    assert isinstance(target, Struct)
    spelling = f"{'const ' * isinstance(type_.target, Const)}{target.spelling} *"
    get = _of_object(
        owner, f"operator.{name}", "const", f"{{0}}.{name}.get()", Pointer(type_.target), spelling
    )
    yield get
    if type_.own and not constant:
        yield replace(
            get, name=f"operator.{name}=", qualified=f"{get.qualified}=", result=VOID, result_spelling="void",
            parameters=(object_parameter(owner, ""), Parameter("value", type_, exact)), qualifiers="",
            expression=f"(void)({{0}}.{name} = {{1}})",
        )  # fmt: skip


def _compares(method: Signature, sign: str, ask: Ask) -> bool:
    one, other = (f"(({p.spelling} (*)())0)()" for p in method.parameters)
    return bool(ask("gives", f"{one} {sign} {other}", "bool"))


def _is_assignable(method: Signature) -> bool:
    by_reference = method.result_passing == "lvalue_ref" and not isinstance(method.result, Const)
    return by_reference and not isinstance(method.result, Handle)


def _assignment(method: Signature) -> Signature:
    type_: Type = method.result
    bare = method.result_spelling.rstrip("& ")
    value = Parameter("value", Const(type_), f"const {bare} &", "lvalue_ref")
    return replace(
        method, name="operator[]=", qualified=f"{method.qualified}=", parameters=(*method.parameters, value),
        result=VOID, result_spelling="void", result_passing="value", expression="(void)({0}[{1}] = {2})",
        implicit=True, symbol="",
    )  # fmt: skip


def on_objects(functions: Sequence[Signature]) -> Iterator[Signature]:
    """The same functions, with static methods that share a name with others called on objects, too.

    Python decides by the name alone whether a call has an object.
    """
    owners: dict[str, Struct] = {}
    for f in functions:
        target = f.parameters[0].type if f.kind == "method" else None
        bare = target.type if isinstance(target, Const) else target
        if isinstance(bare, Struct):
            owners.setdefault(f.qualified, bare)
    for f in functions:
        owner = owners.get(f.qualified) if f.kind == "static" else None
        yield f if owner is None else _on_object(f, owner)


def _on_object(static: Signature, owner: Struct) -> Signature:
    arguments = tuple(replace(p, default=None) for p in static.parameters)
    values = ", ".join(f"{{{i}}}" for i in range(1, len(arguments) + 1))
    return replace(
        static, kind="method", parameters=(object_parameter(owner, "const"), *arguments), qualifiers="const",
        expression=f"((void){{0}}, ::{static.qualified}({values}))",
    )  # fmt: skip


# How C++ says whether an object is true, in the order in which C++ programs ask: the question, and the expression.
_TRUTHS = (("constructs", "static_cast<bool>({0})"), ("negates", "!(!{0})"))


def truth(owner: Struct, members: Iterable[Cursor], ask: Ask) -> Iterator[Signature]:
    """Whether an object is true, where C++ says so otherwise than by an ``operator bool`` of the class.

    By a conversion to something that C++ takes for a bool, such as ``operator const void*``, or by ``operator!``.
    """
    members = [c for c in members if kind_of(c) == Decl.CONVERSION or c.spelling == "operator!"]
    if not members or any(c.spelling == "operator bool" for c in members):
        return
    for qualifiers in ("const", ""):
        for form, expression in _TRUTHS:
            if ask(form, object_parameter(owner, qualifiers).spelling):
                made = _of_object(owner, "operator bool", qualifiers, expression, BOOL, "bool")
                yield replace(made, explicit=True)
                return


def field_accessors(owner: Struct, members: Iterable[tuple[str, Type, str]]) -> Iterator[Signature]:
    """What reads and writes the members that are no bytes, and that a shim can convert.

    They are called ``operator.name`` and ``operator.name=``, which no C++ function is.
    """
    for name, type_, spelling in members:
        bare = type_.type if isinstance(type_, Const) else type_
        assert isinstance(bare, Converted)
        exact = spelling.removeprefix("const ")
        if isinstance(bare, Owner) and not bare.shared:
            yield from _owned_member(owner, name, bare, exact, constant=isinstance(type_, Const))
            continue
        if not is_copyable(bare):
            continue
        writes_only = isinstance(bare, Callback)
        expression = f"static_cast<const {exact}&>({{0}}.{name})"
        get = _of_object(
            owner, f"operator.{name}", "const", expression, Const(bare), f"const {exact} &", "lvalue_ref"
        )
        if not writes_only:
            yield get
        if isinstance(type_, Const):
            continue
        value = Parameter("value", Const(bare), f"const {exact} &", "lvalue_ref", IN)
        yield replace(
            get, name=f"operator.{name}=", qualified=f"{get.qualified}=",
            parameters=(object_parameter(owner, ""), value), result=VOID, result_spelling="void",
            result_passing="value", qualifiers="", expression=f"(void)({{0}}.{name} = {{1}})",
        )  # fmt: skip
