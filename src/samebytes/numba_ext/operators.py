"""C++ operators of structs as Python's operators in compiled code: members and free functions alike."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from numba import types

from ..errors import Error
from ..types import Struct, unqualified
from .calls import Overloads
from .kinds import RecordType, StructType
from .models import Site
from .vectors import augment
from .world import World

# Python's function -> C++'s name and its number of operands.
_SIGNS: dict[Any, tuple[str, int]] = {
    operator.add: ("operator+", 2), operator.sub: ("operator-", 2), operator.mul: ("operator*", 2),
    operator.truediv: ("operator/", 2), operator.mod: ("operator%", 2), operator.and_: ("operator&", 2),
    operator.or_: ("operator|", 2), operator.xor: ("operator^", 2), operator.lshift: ("operator<<", 2),
    operator.rshift: ("operator>>", 2), operator.eq: ("operator==", 2), operator.ne: ("operator!=", 2),
    operator.lt: ("operator<", 2), operator.le: ("operator<=", 2), operator.gt: ("operator>", 2),
    operator.ge: ("operator>=", 2), operator.getitem: ("operator[]", 2), operator.neg: ("operator-", 1),
    operator.pos: ("operator+", 1), operator.invert: ("operator~", 1), operator.not_: ("operator!", 1),
    operator.iadd: ("operator+=", 2), operator.isub: ("operator-=", 2), operator.imul: ("operator*=", 2),
    operator.itruediv: ("operator/=", 2), operator.imod: ("operator%=", 2), operator.iand: ("operator&=", 2),
    operator.ior: ("operator|=", 2), operator.ixor: ("operator^=", 2), operator.ilshift: ("operator<<=", 2),
    operator.irshift: ("operator>>=", 2), float: ("operator double", 1), bool: ("operator bool", 1),
    int: ("operator int", 1),
}  # fmt: skip
_CALL = "operator()"

# The operators of each struct, by C++'s name; free functions that take the struct stand here, too.
OPERATORS: dict[StructType, dict[str, Overloads]] = {}


def struct_of(kind: Any) -> StructType | None:
    """The struct of a value or of a record."""
    if isinstance(kind, RecordType):
        return kind.dtype
    return kind if isinstance(kind, StructType) else None


def is_operator(overloads: Overloads) -> bool:
    """Whether a name is an operator's."""
    return overloads.name.startswith("operator") and not overloads.name.isidentifier()


def add_operators(overloads: Overloads, struct: Any) -> None:
    """Make an operator known for the structs among its operands.

    Parameters
    ----------
    struct : callable
        Numba's type of a struct of the library.
    """
    for direct in overloads.directs:
        for parameter in direct.visible:
            type_ = unqualified(parameter.value_type)
            if not isinstance(type_, Struct):
                continue
            named = OPERATORS.setdefault(struct(type_), {})
            known = named.get(overloads.name)
            if known is None:
                named[overloads.name] = overloads
            elif known is not overloads and direct not in known.directs:
                named[overloads.name] = known.joined(overloads)


def _find(name: str, args: Sequence[Any]) -> list[Overloads]:
    found = [OPERATORS.get(s, {}).get(name) for a in args if (s := struct_of(a)) is not None]
    return [o for i, o in enumerate(found) if o is not None and o not in found[:i]]


def _typed(world: World, name: str, args: tuple[Any, ...]) -> Any:
    """Numba's signature of an operation, and the operator; None if there is none."""
    failure: Exception | None = None
    for overloads in _find(name, args):
        try:
            overloads.resolve(args, {})
        except Error as error:
            failure = error
            continue
        return overloads.type_call(args, {}), overloads
    if failure is not None:
        raise world.errors.TypingError(str(failure))
    return None


def register_operators(world: World) -> None:
    """Teach a compiler the operators of structs."""
    for key, (name, count) in _SIGNS.items():
        _register(world, key, name, count)
    _register_calls(world)
    world.install()


def _register(world: World, key: Any, name: str, count: int) -> None:
    templates = world.templates
    in_place = name.endswith("=") and name not in ("operator==", "operator!=", "operator<=", "operator>=")

    class Operation(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key: Any

        def generic(self, args: tuple[Any, ...], kws: Any) -> Any:
            if len(args) != count or all(struct_of(a) is None for a in args):
                return None
            found = _typed(world, name, args)
            if found is None:
                return None
            result = args[0] if in_place else found[0].return_type
            return templates.signature(result, *args)

    Operation.key = key
    augment(world, key, Operation)

    def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
        _, overloads = _typed(world, name, tuple(signature.args))
        answer = overloads.lower(Site(world, context, builder), tuple(signature.args), args)
        if not in_place:
            return answer
        # What such an operator returns is its left operand.
        if context.enable_nrt:
            context.nrt.incref(builder, signature.args[0], args[0])
        return args[0]

    for kind in (StructType, RecordType):
        both = [(kind, StructType), (kind, RecordType)]
        forms = [(kind,)] if count == 1 else [*both, (kind, types.Any), (types.Any, kind)]
        for form in forms:
            world.registry.lower(key, *form)(lower)


def _register_calls(world: World) -> None:
    """Objects that are called: ``operator()``."""

    def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
        _, overloads = _typed(world, _CALL, tuple(signature.args))
        return overloads.lower(Site(world, context, builder), tuple(signature.args), args)

    for kind in (StructType, RecordType):
        world.registry.lower(kind, types.VarArg(types.Any))(lower)
