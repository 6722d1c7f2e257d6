"""Calls that C++ writes without declaring them: ``a[i] = x``, comparisons by ``<=>``, members read and written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...model.intents import IN
from ...model.module import UnboundOverload
from ...model.signature import Parameter, Signature
from ...model.symbols import ON_OBJECT
from ...types import (
    BOOL,
    SCALARS,
    VOID,
    Callback,
    Const,
    Converted,
    Named,
    Owner,
    Pointer,
    Scalar,
    Struct,
    Type,
    converted_parts,
    shows_elements,
    shows_text,
    unqualified,
)
from ..clang.libclang import Cursor, tells_truth
from ..cxxtypes.lifetimes import is_copyable
from .eligibility import DELETED
from .methods import object_parameter

Ask = Callable[..., int | None]

THREE_WAY = "operator<=>"
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
    if method.name == "operator[]" and _is_assignable(method, ask):
        referred = Parameter("value", Const(method.result), _constant(method.result_spelling), "lvalue_ref")
        yield _assignment(method, referred)
    if method.name == THREE_WAY and len(method.parameters) == 2:
        declared = {compared(f) for f in known}
        for sign in ("==", *_COMPARISONS):
            if (f"operator{sign}", *compared(method)[1:]) not in declared and _compares(method, sign, ask):
                yield replace(
                    method, name=f"operator{sign}", qualified=method.qualified.replace(THREE_WAY, f"operator{sign}"),
                    result=BOOL, result_spelling="bool", expression=f"{{0}} {sign} {{1}}", implicit=True, symbol="",
                )  # fmt: skip


def compared(function: Signature) -> tuple[str, ...]:
    """What tells operators apart: the name, the class, and what they take beside its object."""
    if function.owner:
        return (function.name, function.owner, *(str(unqualified(p.type)) for p in function.parameters[1:]))
    return (function.name, "", *(p.spelling for p in function.parameters))


def of_object(
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


def befriended_comparisons(
    owner: Struct, friends: Collection[str], known: Iterable[Signature], ask: Ask
) -> Iterator[Signature]:
    """The comparisons of two objects of a class that friends of class templates make, as far as it has none itself."""
    every = ("==", "!=", *_COMPARISONS)
    signs = every if THREE_WAY in friends else [s for s in every if f"operator{s}" in friends]
    has = {f.name for f in known if _compares_two(f, owner)} if signs else ()
    yield from comparisons(owner, ask, [s for s in signs if f"operator{s}" not in has])


def _compares_two(function: Signature, owner: Struct) -> bool:
    operands = [unqualified(p.type) for p in function.parameters]
    return len(operands) == 2 and all(isinstance(t, Struct) and t.name == owner.name for t in operands)


def equality(owner: Struct, ask: Ask) -> Iterator[Signature]:
    """``==`` of two objects of a class whose header is not read, if C++ has it."""
    yield from _comparison(owner, "==", ask)


def comparisons(owner: Struct, ask: Ask, signs: Iterable[str]) -> Iterator[Signature]:
    """What C++ makes of comparisons of two objects of a class, whoever declares it."""
    for sign in signs:
        for made in _comparison(owner, sign, ask):
            yield replace(made, implicit=True)


def _comparison(owner: Struct, sign: str, ask: Ask) -> Iterator[Signature]:
    of_one = of_object(owner, f"operator{sign}", "const", f"{{0}} {sign} {{1}}", BOOL, "bool")
    other = Parameter("other", Const(owner), f"const {owner.spelling} &", "lvalue_ref")
    made = replace(of_one, parameters=(*of_one.parameters, other))
    if _compares(made, sign, ask):
        yield made


def _owned_member(
    owner: Struct, name: str, type_: Owner, exact: str, *, constant: bool
) -> Iterator[Signature]:
    """What reads and writes a member that is a std::unique_ptr: Python sees the object that it owns."""
    target = unqualified(type_.target)
    assert isinstance(target, Struct)
    spelling = f"{'const ' * isinstance(type_.target, Const)}{target.spelling} *"
    get = of_object(
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


def _is_assignable(method: Signature, ask: Ask) -> bool:
    if method.result_passing != "lvalue_ref" or isinstance(method.result, Const):
        return False
    if isinstance(method.result, Pointer) and isinstance(unqualified(method.result.target), Named | Struct):
        return False  # nothing would keep the object
    return not isinstance(method.result, Struct) or bool(ask("assigns", _referred(method)))


def through_proxies(functions: Sequence[Signature], ask: Ask) -> Iterator[Signature]:
    """Assignments to ``a[i]`` where that is an object whose ``operator=`` takes other things, as a proxy's does.

    Of one that ``[]`` gives by reference those of its own class are there already. Nobody reads the ``operator=`` of
    classes of ``std``: what one of them converts to is asked about.
    """
    taken: dict[str, list[Signature]] = {}
    for f in functions:
        if f.name == "operator=" and f.kind == "method" and len(f.parameters) == 2:
            taken.setdefault(f.owner, []).append(f)
    known = {_subscripted(f.owner, f.parameters[:-1]) for f in functions if f.name == "operator[]="}
    for f in functions:
        if f.name != "operator[]" or not isinstance(f.result, Struct):
            continue
        every = taken.get(f.result.name, ())
        if f.result.name.startswith("std::") and f.result_passing == "value":
            yield from (_assignment(f, value) for value in _values(f, functions, ask))
        if f.result_passing == "lvalue_ref":
            yield from (_assignment(f, one.parameters[1]) for one in every if _other(one))
        elif _subscripted(f.owner, f.parameters) not in known and any(map(_other, every)):
            yield from (_assignment(f, one.parameters[1]) for one in every)
            if all(map(_other, every)) and ask("assigns", _referred(f)):
                yield _assignment(f, _copied(f))  # by the operator= that C++ declares itself


def _subscripted(owner: str, parameters: Sequence[Parameter]) -> tuple[str, ...]:
    """What tells one ``operator[]`` of a class from another: the object and the subscript."""
    return (owner, *(p.spelling for p in parameters))


def unbound_through_proxies(
    functions: Sequence[Signature], unbound: Iterable[UnboundOverload], ask: Ask
) -> Iterator[UnboundOverload]:
    """Assignments to ``a[i]`` by an ``operator=`` of its class that is not bound, or that C++ has deleted itself."""
    assigned = {f.owner for f in functions if f.name == "operator[]="}
    taken = {f.owner for f in functions if f.name == "operator=" and not _other(f)}
    lost: dict[str, list[UnboundOverload]] = {}
    for overload in unbound:
        if overload.signature.name == "operator=":
            lost.setdefault(overload.signature.owner, []).append(overload)
    for f in functions:
        if f.name == "operator[]" and f.owner in assigned and isinstance(f.result, Struct):
            every = lost.get(f.result.name, ())
            yield from (replace(o, signature=_assignment(f, o.signature.parameters[1])) for o in every)
            copied = f.result.name in taken or any(not _other(o.signature) for o in every)
            if not copied and ask("assigns", _referred(f)) == 0:
                yield UnboundOverload(_assignment(f, _copied(f)), DELETED)


def _copied(method: Signature) -> Parameter:
    """What the ``operator=`` takes that copies what a method gives."""
    assert isinstance(method.result, Struct)
    return Parameter("value", Const(method.result), f"const {_referred(method)} &", "lvalue_ref")


def unconverted(functions: Iterable[Signature], has_others: Callable[[str], bool]) -> Iterator[Signature]:
    """The functions; ``a[i] = x`` makes no object of ``x`` where a class has an ``operator=`` that C++ may prefer.

    Parameters
    ----------
    has_others : callable
        Whether a class has an ``operator=`` that is not bound.
    """
    for f in functions:
        taken = unqualified(f.parameters[-1].type) if f.name == "operator[]=" else VOID
        if isinstance(taken, Struct) and has_others(taken.name):
            f = replace(f, parameters=(*f.parameters[:-1], replace(f.parameters[-1], converts=False)))
        yield f


def _values(method: Signature, functions: Sequence[Signature], ask: Ask) -> Iterator[Parameter]:
    """What a class of ``std`` converts its objects to, and takes as their values."""
    for f in functions:
        converts = f.name.startswith("operator ") and isinstance(f.result, Scalar)
        own = isinstance(method.result, Struct) and f.owner == method.result.name
        if converts and own and ask("takes", method.result_spelling, f.result_spelling):
            yield Parameter("value", f.result, f.result_spelling)


def _other(assignment: Signature) -> bool:
    """Whether an ``operator=`` takes something else than objects of its class."""
    taken = unqualified(assignment.parameters[1].type)
    return not (isinstance(taken, Struct) and taken.name == assignment.owner)


def _referred(method: Signature) -> str:
    return method.result_spelling.rstrip("& ")


def _assignment(method: Signature, value: Parameter) -> Signature:
    parameters = (*method.parameters, replace(value, name="value"))
    return replace(
        method, name="operator[]=", qualified=f"{method.qualified}=", parameters=parameters,
        result=VOID, result_spelling="void", result_passing="value", expression="(void)({0}[{1}] = {2})",
        implicit=True, symbol="",
    )  # fmt: skip


def _constant(reference: str) -> str:
    """A reference as one to a constant: of a pointer, the ``const`` stands behind the star."""
    if "(*&)" in reference:
        return reference.replace("(*&)", "(*const &)", 1)
    bare = reference.rstrip("& ")
    return f"{bare}const &" if bare.endswith("*") else f"const {bare} &"


def by_constraints(functions: Sequence[Signature], ask: Ask) -> Iterator[Signature]:
    """The functions, of members that differ by their ``requires`` alone the one that C++ calls, by a call.

    An address does not tell them apart (GCC finds it ambiguous), and Python's arguments do not either.
    """
    alike: dict[tuple[Any, ...], list[Signature]] = {}
    for f in functions:
        alike.setdefault(_told_by(f), []).append(f)
    for f in functions:
        group = alike[_told_by(f)]
        if len(group) == 1:
            yield f
        elif f is group[0]:
            chosen = next((one for one in group if ask("gives", _called(one), one.result_spelling)), f)
            yield replace(chosen, expression=f"{{0}}.{f.name}(")


def _told_by(function: Signature) -> tuple[Any, ...]:
    """What tells a method from others, as a call has it; of what is none, the function itself."""
    plain = function.kind == "method" and not (function.expression or function.instance)
    plain = plain and function.name.isidentifier()
    if not plain:
        return (id(function),)
    return function.qualified, function.qualifiers, *(p.spelling for p in function.parameters)


def _called(method: Signature) -> str:
    one, *given = (f"(({p.spelling} (*)())0)()" for p in method.parameters)
    return f"{one}.{method.name}({', '.join(given)})"


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
    return replace(
        static, kind="method", parameters=(object_parameter(owner, "const"), *static.parameters), qualifiers="const",
        expression=f"{ON_OBJECT}{static.qualified}(",
    )  # fmt: skip


# How C++ says whether an object is true, in the order in which C++ programs ask: the question, and the expression.
_TRUTHS = (("constructs", "static_cast<bool>({0})"), ("negates", "!(!{0})"))


def truth(owner: Struct, members: Iterable[Cursor], ask: Ask) -> Iterator[Signature]:
    """Whether an object is true, where C++ says so otherwise than by an ``operator bool`` of the class.

    By a conversion to something that C++ takes for a bool, such as ``operator const void*``, or by ``operator!``.
    """
    members = [c for c in members if tells_truth(c)]
    if members and not any(c.spelling == "operator bool" for c in members):
        yield from told_truth(owner, ask)


def told_truth(owner: Struct, ask: Ask) -> Iterator[Signature]:
    """Whether an object is true, by what C++ finds for it; functions beside the class count, too."""
    for qualifiers in ("const", ""):
        for form, expression in _TRUTHS:
            if ask(form, object_parameter(owner, qualifiers).spelling):
                made = of_object(owner, "operator bool", qualifiers, expression, BOOL, "bool")
                yield replace(made, explicit=True)
                return


def field_accessors(
    owner: Struct, members: Iterable[tuple[str, Type, str]], structs: Mapping[str, Struct]
) -> Iterator[Signature]:
    """What reads and writes the members that are no bytes, and that a shim can convert.

    They are called ``operator.name`` and ``operator.name=``, which no C++ function is.

    Parameters
    ----------
    structs : mapping
        Every record by name, those that a ``std::function`` is among them.
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
        writes_only = any(isinstance(part, Callback) for part in converted_parts(bare))
        expression = f"static_cast<const {exact}&>({{0}}.{name})"
        get = of_object(
            owner, f"operator.{name}", "const", expression, Const(bare), f"const {exact} &", "lvalue_ref"
        )
        if not writes_only:
            yield get
        elif isinstance(bare, Callback) and (function := structs.get(bare.spelling)) is not None:
            copied = f"{exact}({{0}}.{name})"
            yield replace(
                get, result=function, result_spelling=exact, result_passing="value", expression=copied
            )
        if isinstance(type_, Const) or shows_text(bare) or shows_elements(bare):
            continue  # nothing would keep what Python gives
        value = Parameter("value", Const(bare), f"const {exact} &", "lvalue_ref", IN)
        put = replace(
            get, name=f"operator.{name}=", qualified=f"{get.qualified}=",
            parameters=(object_parameter(owner, ""), value), result=VOID, result_spelling="void",
            result_passing="value", qualifiers="", expression=f"(void)({{0}}.{name} = {{1}})",
        )  # fmt: skip
        yield _telling(put) if any(isinstance(p, Pointer | Struct) for p in _held(bare)) else put


def _held(bare: Type) -> Iterator[Type]:
    """What is in a container, and in those inside of it; what has a smart pointer there keeps itself."""
    for part in () if isinstance(bare, Owner) else bare.parts:
        yield unqualified(part)
        if isinstance(unqualified(part), Converted):
            yield from _held(unqualified(part))


def _telling(put: Signature) -> Signature:
    """What sets a member, and tells where it lies."""
    place = put.expression.removeprefix("(void)")
    return replace(
        put,
        result=SCALARS["uint64"],
        result_spelling="unsigned long",
        expression=f"reinterpret_cast<unsigned long>(&{place})",
    )
