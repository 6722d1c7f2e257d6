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
from ...values.vector_arithmetic import in_one_format, number_beside
from ..arguments.numbers import fit_number
from ..compiler import NumbaCompiler
from ..datamodel.equivalents import element_of, numba_type, scalar_of, scalar_type, vector_of
from ..datamodel.fixed import Fixed, NarrowFloat, fixed
from ..lowering.halves import is_rounded, rounded
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
        prefer_literal = True

        def generic(self, args: Any, kws: Any) -> Any:
            try:
                result = _result(sign, args, compiler.dialect)
            except ArgumentError as error:
                raise compiler.errors.TypingError(str(error)) from None
            if result is None and (dtype := _array_dtype(sign, args, compiler.dialect)) is not None:
                return _of_arrays(self.context, sign, args, dtype)
            return templates.signature(result, *args) if result is not None else None

        def get_impl_key(self, signature: Any) -> Any:
            return Elementwise

    Elementwise.key = key
    compiler.augment(key, Elementwise)
    compiler.registry.lower(Elementwise, types.VarArg(types.Any))(_lower_operator(compiler, sign))


def _result(sign: Any, args: Sequence[Any], dialect: str) -> Any:
    """The type of an operation's result: the host's, which computes it with ones; None where it is none of ours.

    Python's numbers, which are Numba's literals, take the format of what they meet. Other numbers have their own.
    """
    ours = [kind for kind in args if isinstance(kind, Fixed) or vector_of(kind) is not None]
    vectors = [found for kind in ours if (found := vector_of(kind)) is not None]
    if not ours or len({v.size for v in vectors}) > 1:
        return None
    own = np.dtype(NUMPY[_format(ours[0], dialect).name])
    operands = [_ones(kind, own, dialect) for kind in args]
    if any(operand is None for operand in operands):
        return None
    if len(operands) > 1:
        operands = [*in_one_format(*operands)]
    try:
        dtype = (_BINARY | _UNARY)[sign](*operands).dtype
        scalar = SCALARS[_NAMES.get(dtype.type, dtype.name)]
        if not vectors:
            return fixed(scalar)
        scalar_type(scalar, dialect)
    except (TypeError, KeyError, Mismatch):
        return None
    return numba_type(Vector(scalar, vectors[0].size), dialect)


def _array_dtype(sign: Any, args: Sequence[Any], dialect: str) -> Any:
    """The elements of what whole arrays give, where narrow floats take part; None where none do."""
    dtypes = [kind.dtype if isinstance(kind, types.Array) else kind for kind in args]
    if all(isinstance(kind, types.Number) for kind in args) or not any(
        isinstance(d, NarrowFloat) for d in dtypes
    ):
        return None
    return _result(sign, dtypes, dialect)


def _of_arrays(typing: Any, sign: Any, args: Sequence[Any], dtype: Any) -> Any:
    """Numba's signature: it fuses an operation on arrays to a loop of that on their elements."""
    if isinstance(dtype, NarrowFloat) or any(
        isinstance(getattr(a, "dtype", None), NarrowFloat) for a in args
    ):
        ndim = max(kind.ndim for kind in args if isinstance(kind, types.Array))
        return typing_signature(
            types.Array(dtype if isinstance(dtype, NarrowFloat) else _plain(dtype), ndim, "C"), *args
        )
    return typing.resolve_function_type(sign, tuple(map(_plain, args)), {})


def _plain(kind: Any) -> Any:
    return kind.plain if isinstance(kind, Fixed) else kind


def _format(kind: Any, dialect: str) -> Any:
    """The format of a number, or of a vector's elements; None for what is neither."""
    vector = vector_of(kind)
    return scalar_of(kind, dialect) if vector is None else vector.element


def _ones(kind: Any, own: np.dtype[Any], dialect: str) -> Any:
    """What stands for an operand beside a vector of a format; None for what is no number."""
    if isinstance(kind, types.Literal) and isinstance(kind.literal_value, int | float):
        return number_beside(own, type(kind.literal_value)(1))
    scalar = _format(kind, dialect)
    return None if scalar is None or scalar.kind in ("bool", "complex") else np.ones(1, NUMPY[scalar.name])


def _lower_operator(compiler: NumbaCompiler, sign: Any) -> Callable[..., Any]:
    def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
        site, result = Site(compiler, context, builder), signature.return_type
        if isinstance(result, types.Array):
            raise compiler.errors.TypingError(
                f"{_spelled(sign)}() of an array of {result.dtype}: a loop computes with its elements"
            )
        scalar = result.plain if isinstance(result, Fixed) else element_of(result)
        inner, compute = _element_operation(site, sign, scalar, len(args))
        operands = [
            _checked(site, sign, signature.args, *pair) for pair in zip(signature.args, args, strict=True)
        ]

        def element(name: str) -> Any:
            pairs = zip(signature.args, operands, inner.args, strict=True)
            parts = [_part(site, kind, value, name, wanted, result) for kind, value, wanted in pairs]
            found = context.cast(builder, compute(builder, parts), inner.return_type, scalar)
            return found if (narrow := _rounded_format(result)) is None else rounded(site, narrow, found)

        if isinstance(result, Fixed):
            return element("")
        made, vector = site.proxy(result), vector_of(result)
        for name in COMPONENTS[: vector.size]:  # type: ignore[union-attr]
            setattr(made, name, element(name))
        return made._getvalue()

    return lower


def _rounded_format(kind: Any) -> Any:
    """The format that float32 stands for in a number, or in a vector's elements; None for others."""
    if isinstance(kind, NarrowFloat):
        return kind.scalar
    return kind.vector.element if is_rounded(kind) else None


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


def _checked(site: Site, sign: Any, kinds: Sequence[Any], kind: Any, value: Any) -> Any:
    """An operand; a literal integer beside integers of a format is of that, or as in Python an error."""
    whole = next(k for k in kinds if isinstance(k, Fixed) or vector_of(k) is not None)
    scalar = _format(whole, site.compiler.dialect)
    if not isinstance(kind, types.IntegerLiteral) or scalar.kind not in ("int", "uint"):
        return value
    call = Call(site.compiler, site.context, site.builder, f"{whole} {_spelled(sign)} x")
    plain = types.unliteral(kind)
    fit_number(scalar, plain, "").lower(call, site.context.cast(site.builder, value, kind, plain))
    return value


def _spelled(sign: Any) -> str:
    return getattr(sign, "__name__", str(sign)).rstrip("_")


def _part(site: Site, kind: Any, value: Any, name: str, wanted: Any, result: Any) -> Any:
    """An operand, or an element of it, as the operation on elements wants it."""
    if vector_of(kind) is not None:
        value, kind = getattr(site.proxy(kind, value), name), element_of(kind)
    elif isinstance(kind, Fixed):
        kind = kind.plain
    elif (narrow := _rounded_format(result)) is not None and wanted == types.float32:
        return rounded(site, narrow, value, kind)  # a number beside such elements is of their format
    if isinstance(kind, types.Integer) and not isinstance(wanted, types.Integer):  # which turns to all floats
        value, kind = site.context.cast(site.builder, value, kind, types.float64), types.float64
    return site.context.cast(site.builder, value, kind, wanted)
