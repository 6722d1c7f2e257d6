"""C++ operators of structs as Python's operators in compiled code: members and free functions alike."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import Any

from numba import types

from ...errors import ArgumentError, Error, no_operator
from ...frozen import frozen
from ...loading.linking.lookup import declared_by
from ...model.signature import Parameter
from ...types import Enum, Scalar, Struct, unqualified
from ...types.operators import COUNTERPARTS, ORDERINGS
from ...values.enum import EnumerationType
from ..calls.choosing import Direct
from ..calls.overloads import Overloads
from ..calls.results import return_type
from ..compiler import NumbaCompiler
from ..datamodel.kinds import HandleType, RecordType, StructType
from ..lowering.site import Site

# Python's function -> C++'s name and its number of operands.
_SIGNS: dict[Any, tuple[str, int]] = {
    operator.add: ("operator+", 2), operator.sub: ("operator-", 2), operator.mul: ("operator*", 2),
    operator.truediv: ("operator/", 2), operator.mod: ("operator%", 2), operator.and_: ("operator&", 2),
    operator.or_: ("operator|", 2), operator.xor: ("operator^", 2), operator.lshift: ("operator<<", 2),
    operator.rshift: ("operator>>", 2), operator.eq: ("operator==", 2), operator.ne: ("operator!=", 2),
    operator.lt: ("operator<", 2), operator.le: ("operator<=", 2), operator.gt: ("operator>", 2),
    operator.ge: ("operator>=", 2), operator.getitem: ("operator[]", 2),
    operator.setitem: ("operator[]=", 3), operator.neg: ("operator-", 1),
    operator.pos: ("operator+", 1), operator.invert: ("operator~", 1), operator.not_: ("operator!", 1),
    operator.iadd: ("operator+=", 2), operator.isub: ("operator-=", 2), operator.imul: ("operator*=", 2),
    operator.itruediv: ("operator/=", 2), operator.imod: ("operator%=", 2), operator.iand: ("operator&=", 2),
    operator.ior: ("operator|=", 2), operator.ixor: ("operator^=", 2), operator.ilshift: ("operator<<=", 2),
    operator.irshift: ("operator>>=", 2), float: ("operator double", 1), bool: ("operator bool", 1),
    int: ("operator int", 1),
}  # fmt: skip
_CALL = "operator()"
# Python has one class of numbers for several of C++'s.
_CONVERSIONS = {
    "operator double": ("operator float",),
    "operator int": (
        "operator long", "operator long long", "operator unsigned int", "operator unsigned long",
        "operator unsigned long long", "operator short", "operator unsigned short", "operator char",
        "operator signed char", "operator unsigned char",
    ),
}  # fmt: skip
_COMPARISONS = frozenset(f"operator{sign}" for sign in COUNTERPARTS)

# The operators of each struct and enumeration, by C++'s name; free functions that take it stand here, too.
OPERATORS: dict[Any, dict[str, Overloads]] = {}


def operators_of(function: Any, count: int) -> list[Overloads]:
    """All operators of C++ that an operation of Python on so many operands may mean first."""
    name, operands = _SIGNS.get(function, ("", 0))
    return [o[name] for o in OPERATORS.values() if name in o] if operands == count else []


@frozen(slots=False)
class Meaning:
    """What an operation of Python means in C++.

    Attributes
    ----------
    order : tuple of int
        Which operand each C++ argument is.
    negated : bool
        Whether the answer is ``not`` that of C++: ``!=`` of ``==``.
    """

    overloads: Overloads
    order: tuple[int, ...]
    negated: bool = False

    def arranged(self, operands: Sequence[Any]) -> tuple[Any, ...]:
        """Operands in the order of C++'s arguments."""
        return tuple(operands[i] for i in self.order)


def owner_of(kind: Any) -> Any:
    """Under what a type's operators are kept: the struct of a value or of a record, an enumeration's class."""
    if isinstance(kind, RecordType):
        return kind.dtype
    if isinstance(kind, types.EnumMember):
        return kind.instance_class
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
    for direct in (*overloads.directs, *overloads.unbound):
        for parameter in direct.visible:
            type_ = unqualified(parameter.value_type)
            owner = struct(type_) if isinstance(type_, Struct) else getattr(type_, "python", None)
            if owner is None or not isinstance(type_, Struct | Enum):
                continue
            named = OPERATORS.setdefault(owner, {})
            known = named.get(overloads.name)
            if known is None:
                named[overloads.name] = overloads
            elif known is not overloads and direct not in (*known.directs, *known.unbound):
                named[overloads.name] = known.joined(overloads)


def _ways(name: str, count: int) -> Iterator[tuple[str, tuple[int, ...], bool]]:
    """The operators of C++ that an operation of Python may mean, first the nearest."""
    order = tuple(range(count))
    yield name, order, False
    for other in _CONVERSIONS.get(name, ()):
        yield other, order, False
    # Objects are equal or not; C++ turns no other comparison round.
    if name in ("operator==", "operator!="):
        yield name, (1, 0), False
    if name == "operator!=":
        yield "operator==", (0, 1), True
        yield "operator==", (1, 0), True


def _meant(compiler: NumbaCompiler, name: str, args: tuple[Any, ...]) -> Meaning | None:
    """What an operation means; None if it is none of ours."""
    failure: Exception | None = None
    numbers = any(isinstance(a, types.EnumMember) for a in args)  # Numba has operators of its own for these
    for sign, order, negated in _ways(name, len(args)):
        if _are_compared(name, args) and sign not in (name, "operator=="):
            continue  # C++ has a built-in one, and does not ask for the other
        for overloads in _find(sign, args):
            found = Meaning(overloads, order, negated)
            operands = found.arranged(args)
            every = (*overloads.directs, *overloads.unbound)
            if numbers and not any(_applies(one, operands, _are_compared(name, args)) for one in every):
                continue
            try:
                overloads.resolve(operands, {})
            except Error as error:
                failure = failure or error
                continue
            return found
    if failure is not None:
        raise failure if numbers else compiler.errors.TypingError(str(failure))
    if numbers:
        _check_built_in(name, args)
    else:
        _check_order(compiler, name, args)
    return None


def _check_order(compiler: NumbaCompiler, name: str, args: tuple[Any, ...]) -> None:
    """Raise an error that says so where C++ has a comparison of the operands in the other order alone."""
    sign = name.removeprefix("operator")
    if sign not in ORDERINGS or any(map(_is_a_number, args)):
        return
    turned = COUNTERPARTS[sign]
    if any(_takes(overloads, args[::-1]) for overloads in _find(f"operator{turned}", args[::-1])):
        advice = f"it has operator{turned}, for them in the other order"
        raise compiler.errors.TypingError(str(no_operator(sign, map(str, args), advice)))


def _is_a_number(kind: Any) -> bool:
    """Whether C++ converts an object to a number, of which it has a comparison of its own."""
    known = OPERATORS.get(owner_of(kind), {})
    return any(name in known for first, others in _CONVERSIONS.items() for name in (first, *others))


def _takes(overloads: Overloads, args: tuple[Any, ...]) -> bool:
    try:
        overloads.resolve(args, {})
    except Error:
        return False
    return True


def _applies(direct: Direct, args: Sequence[Any], compared: bool) -> bool:
    """Whether C++ may call an operator for operands, an enumerator among them: it makes none of a number.

    Two of one enumeration it compares by the built-in operator, before one that takes a number.
    """
    parameters = direct.visible
    if len(parameters) != len(args) or not all(map(_may_be_taken, parameters, args)):
        return False
    return not compared or all(isinstance(p.value_type, Enum) for p in parameters)


def _may_be_taken(parameter: Parameter, argument: Any) -> bool:
    type_ = parameter.value_type
    if isinstance(type_, Enum):
        return isinstance(argument, types.EnumMember) and argument.instance_class is type_.python
    if isinstance(type_, Scalar) and isinstance(argument, types.EnumMember):
        return not getattr(_described(argument.instance_class), "scoped", False)
    return not (isinstance(type_, Struct) and isinstance(argument, types.Number))


def _described(cls: Any) -> Any:
    return getattr(cls, "__samebytes_type__", None)


def _are_compared(name: str, args: Sequence[Any]) -> bool:
    """Whether two enumerators of one enumeration are compared."""
    classes = {a.instance_class if isinstance(a, types.EnumMember) else None for a in args}
    return name in _COMPARISONS and len(classes) == 1 and None not in classes


def _check_built_in(name: str, args: Sequence[Any]) -> None:
    """Raise an error where C++ has no built-in operator for operands, or another one that nobody has compiled.

    Raises
    ------
    ArgumentError
        It stands for itself: after an error of its own Numba would compute with the enumerators' numbers.
    """
    classes: list[Any] = [a.instance_class for a in args if isinstance(a, types.EnumMember)]
    ours = [cls for cls in classes if isinstance(cls, EnumerationType)]
    in_place = name.endswith("=") and name not in _COMPARISONS
    for cls in ours:
        known = OPERATORS.get(cls, {})
        if name not in known and declared_by(cls, name.removeprefix("operator")):
            raise ArgumentError(f"{name} of {cls.__name__} is C++'s: {_NOT_COMPILED}")
        if in_place and (name[:-1] in known or declared_by(cls, name[:-1].removeprefix("operator"))):
            raise ArgumentError(f"{name} of {cls.__name__}: C++ declares {name[:-1]} alone. {_WRITTEN_OUT}")
        if name in known and _described(cls).scoped and not _are_compared(name, args):
            raise ArgumentError(str(no_operator(name.removeprefix("operator"), map(str, args), _NO_NUMBER)))


_WRITTEN_OUT = "Write x = x + y"
_NO_NUMBER = "int(x) is the number of an enumerator"
_NOT_COMPILED = 'compiled code calls the operators of a library that is compiled with target="numba"'


def _find(name: str, args: Sequence[Any]) -> list[Overloads]:
    found = [OPERATORS.get(o, {}).get(name) for a in args if (o := owner_of(a)) is not None]
    return [o for i, o in enumerate(found) if o is not None and o not in found[:i]]


def register_operators(compiler: NumbaCompiler) -> None:
    """Teach a compiler the operators of structs."""
    for key, (name, count) in _SIGNS.items():
        _register(compiler, key, name, count)
    _register_calls(compiler)
    compiler.install()


def _register(compiler: NumbaCompiler, key: Any, name: str, count: int) -> None:
    templates = compiler.templates
    in_place = name.endswith("=") and name not in _COMPARISONS and count == 2

    class Operation(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key: Any

        def generic(self, args: tuple[Any, ...], kws: Any) -> Any:
            if len(args) != count or all(owner_of(a) is None for a in args):
                return None
            meant = _meant(compiler, name, args)
            if meant is None:
                return None
            made = meant.overloads.type_call(meant.arranged(args), {})
            result = args[0] if in_place else types.none if count == 3 else made.return_type
            return templates.signature(result, *args)

        def get_impl_key(self, signature: Any) -> Any:
            return Operation

    Operation.key = key
    compiler.augment(key, Operation)

    @compiler.registry.lower(Operation, types.VarArg(types.Any))
    def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
        given = tuple(signature.args)
        meant = _meant(compiler, name, given)
        assert meant is not None
        site = Site(compiler, context, builder)
        answer = meant.overloads.lower(site, meant.arranged(given), meant.arranged(args), keeps=not in_place)
        if not in_place:
            return builder.not_(answer) if meant.negated else answer
        # In Python `a += b` gives its left operand, whatever C++ returns: a reference to it, an object, nothing.
        choice = meant.overloads.resolve(meant.arranged(given), {})
        site.release(return_type(choice.direct.signature, meant.overloads.dialect), answer)
        if context.enable_nrt:
            context.nrt.incref(builder, signature.args[0], args[0])
        return args[0]


def _register_calls(compiler: NumbaCompiler) -> None:
    """Objects that are called: ``operator()``."""

    def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
        meant = _meant(compiler, _CALL, tuple(signature.args))
        assert meant is not None
        return meant.overloads.lower(Site(compiler, context, builder), tuple(signature.args), args)

    for kind in (StructType, RecordType, HandleType):
        compiler.registry.lower(kind, types.VarArg(types.Any))(lower)
