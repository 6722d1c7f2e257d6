"""Arithmetic of vectors in compiled code, element by element."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numba import types
from numba.core.callconv import create_error_model
from numba.core.typing import signature as typing_signature

from ...errors import ArgumentError, Mismatch
from ...types import COMPONENTS, NUMPY, SCALARS, Vector
from ...values.vector_arithmetic import in_one_format
from ..arguments.numbers import fit_number
from ..compiler import NumbaCompiler
from ..datamodel.equivalents import element_of, numba_type, scalar_type, vector_classes, vector_of
from ..lowering.halves import rounded, small_on_cpu
from ..lowering.site import Call, Site

# Python's operator -> NumPy's function, whose result says the format of an element.
_BINARY: dict[Any, Any] = {
    operator.add: np.add, operator.sub: np.subtract, operator.mul: np.multiply, operator.truediv: np.true_divide,
    operator.floordiv: np.floor_divide, operator.mod: np.remainder, operator.pow: np.power,
    operator.and_: np.bitwise_and, operator.or_: np.bitwise_or, operator.xor: np.bitwise_xor,
    operator.lshift: np.left_shift, operator.rshift: np.right_shift,
}  # fmt: skip
_UNARY: dict[Any, Any] = {
    operator.neg: np.negative,
    operator.pos: np.positive,
    operator.invert: np.invert,
    abs: np.absolute,
}
_SHIFTS = (operator.lshift, operator.rshift)
_DIVISIONS = (operator.truediv, operator.floordiv, operator.mod)
# ml_dtypes' names are others.
_NAMES = {NUMPY[name]: name for name in ("float8e4m3", "float8e5m2")}


def register_arithmetic(compiler: NumbaCompiler) -> None:
    """Teach a compiler the operators of vectors."""
    for sign in _BINARY:
        _register_operator(compiler, sign, sign)
        _register_operator(compiler, _in_place(sign), sign)
    for sign in _UNARY:
        _register_operator(compiler, sign, sign)


def _in_place(sign: Any) -> Any:
    return getattr(operator, "i" + sign.__name__.rstrip("_"))


def _register_operator(compiler: NumbaCompiler, key: Any, sign: Any) -> None:
    templates = compiler.templates

    class Elementwise(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key: Any

        def generic(self, args: Any, kws: Any) -> Any:
            try:
                result = _result(sign, args, compiler.dialect)
            except ArgumentError as error:
                raise compiler.errors.TypingError(str(error)) from None
            return templates.signature(result, *args) if result is not None else None

    Elementwise.key = key
    compiler.augment(key, Elementwise)
    lower = _lower_operator(compiler, sign)
    for kind in vector_classes(compiler):
        pairs = [(kind, other) for other in vector_classes(compiler)]
        mixed = [(kind, types.Number), (types.Number, kind)]
        for form in [(kind,)] if sign in _UNARY else [*pairs, *mixed]:
            compiler.registry.lower(key, *form)(lower)


def _result(sign: Any, args: Sequence[Any], dialect: str) -> Any:
    """The vector type of an operation; None where it is none of ours.

    A number takes the format of the vector it meets (Array API, "Mixing arrays with Python scalars"); numbers of a
    higher kind have no such format.
    """
    vectors = [found for a in args if (found := vector_of(a)) is not None]
    if not vectors or len({v.size for v in vectors}) > 1:
        return None
    dtypes = [NUMPY[v.element.name] for v in vectors]
    others = [a for a in args if vector_of(a) is None]
    for other in others:
        if not isinstance(other, types.Integer | types.Float):
            return None
        if isinstance(other, types.Float) and vectors[0].element.kind != "float":
            return None
    operands = [np.ones(1, t) for t in (dtypes * 2)[: len(args)]]
    try:
        if len(operands) > 1:
            operands = [*in_one_format(*operands)]
        dtype = (_BINARY | _UNARY)[sign](*operands).dtype
        found = Vector(SCALARS[_NAMES.get(dtype.type, dtype.name)], vectors[0].size)
        scalar_type(found.element, dialect)
    except (TypeError, KeyError, Mismatch):
        return None
    return numba_type(found, dialect)


def _lower_operator(compiler: NumbaCompiler, sign: Any) -> Callable[..., Any]:
    def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
        site = Site(compiler, context, builder)
        result = signature.return_type
        scalar = element_of(result)
        inner, compute = _element_operation(site, sign, scalar, len(args))
        made = site.proxy(result)
        numbers = [
            _checked(site, vector_of(result), sign, *pair) for pair in zip(signature.args, args, strict=True)
        ]
        for name in COMPONENTS[: vector_of(result).size]:  # type: ignore[union-attr]
            parts = [
                _part(site, typ, value, name, expected, result)
                for typ, value, expected in zip(signature.args, numbers, inner.args, strict=True)
            ]
            found = compute(builder, parts)
            element = context.cast(builder, found, inner.return_type, scalar)
            if small_on_cpu(result):
                element = rounded(site, result.vector.element, element)
            setattr(made, name, element)
        return made._getvalue()

    return lower


def _element_operation(site: Site, sign: Any, scalar: Any, count: int) -> tuple[Any, Any]:
    """Numba's signature of an operation on elements, and what writes it as NumPy computes it."""
    typing, context = site.context.typing_context, site.context
    inner = typing.resolve_function_type(sign, (scalar,) * count, {})
    if sign in _SHIFTS:
        return typing_signature(scalar, scalar, scalar), _shift(scalar, sign)
    if sign in _DIVISIONS and not site.compiler.cuda:  # by zero: infinity or NaN, of integers 0
        context = context.subtarget(error_model=create_error_model("numpy", context))
    compute = context.get_function(typing.resolve_value_type(sign), inner)
    if not isinstance(scalar, types.Integer) or not scalar.signed:
        return inner, compute
    if sign is operator.floordiv:
        return inner, _floored(compute)
    return inner, _power(site, scalar, compute) if sign is operator.pow else compute


def _floored(compute: Any) -> Callable[[Any, Sequence[Any]], Any]:
    """Division of signed integers: the lowest one by -1 is itself, as in NumPy."""

    def write(builder: Any, parts: Sequence[Any]) -> Any:
        held, by = parts
        return builder.select(
            builder.icmp_signed("==", by, by.type(-1)), builder.neg(held), compute(builder, parts)
        )

    return write


def _power(site: Site, scalar: Any, compute: Any) -> Callable[[Any, Sequence[Any]], Any]:
    """Powers of integers, of which there is none that is negative."""

    def write(builder: Any, parts: Sequence[Any]) -> Any:
        call = Call(site.compiler, site.context, builder, f"{scalar} ** x")
        there = builder.icmp_signed(">=", parts[1], parts[1].type(0))
        call.require(there, ValueError, "expected a power of 0 or more: integers have no others")
        return compute(builder, parts)

    return write


def _shift(scalar: Any, sign: Any) -> Callable[[Any, Sequence[Any]], Any]:
    """A shift: by more bits than there are, or by a negative number, nothing is left but the sign."""

    def write(builder: Any, parts: Sequence[Any]) -> Any:
        held, by = parts
        within = builder.icmp_unsigned("<", by, by.type(scalar.bitwidth))
        by = builder.select(within, by, by.type(0))
        if sign is operator.lshift:
            return builder.select(within, builder.shl(held, by), held.type(0))
        if not scalar.signed:
            return builder.select(within, builder.lshr(held, by), held.type(0))
        left = builder.ashr(held, held.type(scalar.bitwidth - 1))
        return builder.select(within, builder.ashr(held, by), left)

    return write


def _checked(site: Site, vector: Any, sign: Any, typ: Any, value: Any) -> Any:
    """An operand; an integer beside a vector is of its format, and as in Python one that it cannot hold an error."""
    if not isinstance(typ, types.Integer) or vector.element.kind not in ("int", "uint"):
        return value
    call = Call(site.compiler, site.context, site.builder, f"{vector} {_spelled(sign)} x")
    fit_number(vector.element, typ, "").lower(call, value)
    return value


def _spelled(sign: Any) -> str:
    return getattr(sign, "__name__", str(sign)).rstrip("_")


def _part(site: Site, typ: Any, value: Any, name: str, expected: Any, result: Any) -> Any:
    if vector_of(typ) is not None:
        return site.context.cast(
            site.builder, getattr(site.proxy(typ, value), name), element_of(typ), expected
        )
    made = site.context.cast(site.builder, value, typ, expected)
    if small_on_cpu(result) and expected == types.float32:  # a number beside a vector is of its format
        made = rounded(site, result.vector.element, made)
    return made
