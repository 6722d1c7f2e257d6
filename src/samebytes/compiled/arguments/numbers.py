"""Numbers as arguments of compiled calls: which of Numba's types fit which format, how well, and the code for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from llvmlite import ir
from numba import types

from ...emit.shims.direct import MACHINE
from ...errors import ArgumentError, Mismatch, RangeError
from ...types import COMPLEX64, SCALARS, Enum, Scalar
from ...values.conversion.numbers import NO_NUMBER
from ..datamodel.equivalents import scalar_type
from ..lowering.halves import exact_half, is_half, lower_half, read_half
from ..lowering.registers import machine_type
from ..lowering.site import Call
from .fit import CONVERTED, EXACT, LAST, LOSSLESS, Fit

# As for host calls (``call.overloads``), Python's int goes to the first of these that has room.
_INT_ORDER = {"int": EXACT, "long": LOSSLESS, "long long": CONVERTED}
_MANTISSA = {"float32": 24, "float64": 53, "complex64": 24, "complex128": 53}


def limits(scalar: Scalar) -> tuple[int, int]:
    """The smallest and the largest integer of a format."""
    bits = 8 * scalar.size
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if scalar.kind == "int" else (0, (1 << bits) - 1)


def fit_number(scalar: Scalar, argument: Any, spelling: str, dialect: str = "cxx") -> Fit:
    """How a type of Numba's serves a number.

    Raises
    ------
    Mismatch
        If it does not; the message says what does.
    """
    base = types.unliteral(argument)
    if isinstance(base, types.IntEnumMember):
        described = getattr(base.instance_class, "__samebytes_type__", None)
        if isinstance(described, Enum) and described.scoped:
            raise Mismatch(ArgumentError, str(scalar), str(base), NO_NUMBER)
        base = base.dtype
    if scalar.name not in MACHINE and scalar.kind == "float":
        return _small_float(scalar, argument, base, dialect)
    for kind, rules in _RULES.items():
        if isinstance(base, kind) and scalar.kind in rules:
            return rules[scalar.kind](scalar, argument, base, spelling)
    raise Mismatch(ArgumentError, str(scalar), str(base), _advice(scalar, base))


def _small_float(scalar: Scalar, argument: Any, base: Any, dialect: str) -> Fit:
    """Halves and smaller: numba-cuda knows them, and how halves are rounded to."""
    target = scalar_type(scalar, dialect)
    if is_half(scalar, dialect):
        return _rounded(scalar, argument, base)
    if base == target:
        return Fit(EXACT, lambda call, value: value)
    if scalar.size == 1:
        return _as_their_own(_rounded(scalar, argument, base), target)
    if (literal := _literal(argument)) is not None:
        number = exact_half(scalar, literal)
        return Fit(
            LAST, lambda call, value: _cast(call, call.context.get_constant(_HALF, number), _HALF, target)
        )
    if isinstance(base, types.Float):
        return Fit(CONVERTED, partial(_to_half, scalar, base, target))
    if isinstance(base, types.Integer):
        return Fit(LAST, partial(_whole_half, scalar, argument, base, target))
    raise Mismatch(ArgumentError, str(target), str(base), f"{target}(x) rounds it")


def _to_half(scalar: Scalar, base: Any, target: Any, call: Call, value: Any) -> Any:
    """A float as one of 16 bits, which a finite number must not leave as infinite."""
    made = _cast(call, value, base, target)
    _check_finite(call, scalar, value, _cast(call, made, target, _HALF))
    return made


def _whole_half(scalar: Scalar, argument: Any, base: Any, target: Any, call: Call, value: Any) -> Any:
    """An integer as a float of 16 bits that has it."""
    plain = _cast(call, value, argument, base)
    single = _cast(call, plain, base, _HALF)
    made = _cast(call, single, _HALF, target)
    _check_exact(call, scalar, plain, single, base)
    _check_same(call, scalar, _cast(call, made, target, _HALF), single)
    return made


_HALF = types.float32  # what halves are made of


def _cast(call: Call, value: Any, base: Any, target: Any) -> Any:
    return call.context.cast(call.builder, value, base, target)


def _as_their_own(fit: Fit, target: Any) -> Fit:
    """A float of 8 bits, which is rounded here, as the number that numba-cuda has of it."""

    def lower(call: Call, value: Any) -> Any:
        form = call.context.get_data_type(target)
        return call.context.unpack_value(call.builder, target, call.at(fit.lower(call, value), form), 1)

    return Fit(fit.rank, lower)


def _rounded(scalar: Scalar, argument: Any, base: Any) -> Fit:
    """On the CPU: floats are rounded, literal integers are exact."""
    literal = _literal(argument)
    if literal is not None:
        number = exact_half(scalar, literal)
        return Fit(
            LAST,
            lambda call, value: lower_half(
                call, scalar, call.context.get_constant(types.float64, number), types.float64
            ),
        )
    if isinstance(base, types.Integer):
        return Fit(LAST, partial(_whole_rounded, scalar, argument, base))
    if not isinstance(base, types.Float):
        raise Mismatch(ArgumentError, str(scalar), str(base), "")
    return Fit(CONVERTED + 0.5, lambda call, value: lower_half(call, scalar, value, base))


def _whole_rounded(scalar: Scalar, argument: Any, base: Any, call: Call, value: Any) -> Any:
    """The address of an integer as a float that has it."""
    plain = _cast(call, value, argument, base)
    double = _cast(call, plain, base, types.float64)
    place = lower_half(call, scalar, double, types.float64)
    _check_exact(call, scalar, plain, double, base)
    _check_same(call, scalar, _cast(call, read_half(call, scalar, place, None), _HALF, types.float64), double)
    return place


def _check_same(call: Call, scalar: Scalar, made: Any, before: Any) -> None:
    """An integer is what it was before it was rounded."""
    same = call.builder.fcmp_ordered("==", made, before)
    call.require(same, RangeError, f"expected {scalar}, got an integer that it cannot hold exactly")


def _advice(scalar: Scalar, base: Any) -> str:
    if isinstance(base, types.Boolean) and scalar.kind != "bool":
        return "int(x) makes a number of it"
    if isinstance(base, types.Number) and scalar.kind == "bool":
        return "x != 0 makes a bool of it"
    if isinstance(base, types.Float) and scalar.kind in ("int", "uint"):
        return "int(x) truncates"
    return ""


def _literal(argument: Any) -> int | None:
    value = getattr(argument, "literal_value", None)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _bool(scalar: Scalar, argument: Any, base: Any, spelling: str) -> Fit:
    def lower(call: Call, value: Any) -> Any:
        plain = call.context.cast(call.builder, value, argument, types.boolean)
        return call.builder.zext(plain, machine_type(scalar))

    return Fit(EXACT, lower)


def _integer(scalar: Scalar, argument: Any, base: Any, spelling: str) -> Fit:
    low, high = limits(scalar)
    literal = _literal(argument)
    if literal is not None:
        if not low <= literal <= high:
            raise Mismatch(RangeError, f"{scalar} ({low} to {high})", str(literal), "")
        form = machine_type(scalar)
        spelled = spelling.removeprefix("const ").rstrip(" &")
        rank = _INT_ORDER.get(spelled, CONVERTED) if scalar.kind == "int" else CONVERTED
        return Fit(rank, lambda call, value: form(literal))
    least, most = (base.minval, base.maxval)
    fits = low <= least and most <= high
    same = base.bitwidth == 8 * scalar.size and base.signed == (scalar.kind == "int")

    def lower(call: Call, value: Any) -> Any:
        value = call.context.cast(call.builder, value, argument, base)
        wide = ir.IntType(64)
        if value.type.width < 64:
            value = call.builder.sext(value, wide) if base.signed else call.builder.zext(value, wide)
        if not fits:
            _check_integer(call, scalar, value, base)
        form = machine_type(scalar)
        return call.builder.trunc(value, form) if form.width < 64 else value

    return Fit(EXACT if same else LOSSLESS if fits else CONVERTED, lower)


def _check_integer(call: Call, scalar: Scalar, value: Any, base: Any) -> None:
    low, high = limits(scalar)
    compare = call.builder.icmp_signed if base.signed else call.builder.icmp_unsigned
    good = None
    if base.minval < low:
        good = compare(">=", value, value.type(low))
    if base.maxval > high:
        below = compare("<=", value, value.type(high))
        good = below if good is None else call.builder.and_(good, below)
    call.require(good, RangeError, f"expected {scalar} ({low} to {high}), got an integer outside of it")


def _integer_to_float(scalar: Scalar, argument: Any, base: Any, spelling: str) -> Fit:
    literal, digits = _literal(argument), _MANTISSA[scalar.name]
    if literal and (abs(literal) // (literal & -literal)).bit_length() > digits:
        raise Mismatch(RangeError, str(scalar), str(literal), "It has no exact value of that format")
    exact = base.bitwidth - base.signed <= digits
    target = types.float32 if digits == 24 else types.float64

    def lower(call: Call, value: Any) -> Any:
        plain = call.context.cast(
            call.builder, value, argument, base
        )  # of an enumerator Numba makes no float
        made = _cast(call, plain, base, target)
        if literal is None and not exact:
            _check_exact(call, scalar, plain, made, base)
        return made

    return Fit(LAST, lower)


def _check_exact(call: Call, scalar: Scalar, value: Any, made: Any, base: Any) -> None:
    """A double holds each integer up to 2**53; beyond, the way back tells, but where it would overflow."""
    edge = call.builder.fcmp_ordered("<", made, made.type(float(1 << (63 if base.signed else 64))))
    back = call.builder.fptosi(made, value.type) if base.signed else call.builder.fptoui(made, value.type)
    good = call.builder.and_(edge, call.builder.icmp_unsigned("==", back, value))
    call.require(good, RangeError, f"expected {scalar}, got an integer that it cannot hold exactly")


def _float(scalar: Scalar, argument: Any, base: Any, spelling: str) -> Fit:
    bits = 8 * scalar.size
    target = types.float32 if bits == 32 else types.float64

    def lower(call: Call, value: Any) -> Any:
        made = call.context.cast(call.builder, value, base, target)
        if base.bitwidth > bits:
            _check_finite(call, scalar, value, made)
        return made

    return Fit(EXACT if base.bitwidth == bits else LOSSLESS if base.bitwidth < bits else CONVERTED, lower)


def _check_finite(call: Call, scalar: Scalar, value: Any, made: Any) -> None:
    # Infinite afterwards and not before: x - x is 0 for finite numbers only.
    zero = made.type(0.0)
    finite = call.builder.fcmp_ordered("==", call.builder.fsub(made, made), zero)
    before = call.builder.fcmp_ordered("==", call.builder.fsub(value, value), value.type(0.0))
    good = call.builder.or_(finite, call.builder.not_(before))
    call.require(good, RangeError, f"expected {scalar}, got a finite number that it cannot hold")


def _real_to_complex(scalar: Scalar, argument: Any, base: Any, spelling: str) -> Fit:
    target = types.float32 if scalar == COMPLEX64 else types.float64
    part = "float32" if scalar == COMPLEX64 else "float64"
    inner = fit_number(SCALARS[part], argument, spelling)

    def lower(call: Call, value: Any) -> Any:
        real = inner.lower(call, value)
        made = call.proxy(types.complex64 if scalar == COMPLEX64 else types.complex128)
        made.real, made.imag = real, call.context.get_constant(target, 0)
        return made._getvalue()

    return Fit(LAST, lower)


def _complex(scalar: Scalar, argument: Any, base: Any, spelling: str) -> Fit:
    target = types.complex64 if scalar == COMPLEX64 else types.complex128

    def lower(call: Call, value: Any) -> Any:
        return call.context.cast(call.builder, value, base, target)

    return Fit(EXACT if base == target else LOSSLESS if base.bitwidth < target.bitwidth else CONVERTED, lower)


# Numba's class of types -> kind of format -> rule. No row: no conversion, as for host calls.
_RULES: dict[Any, dict[str, Callable[[Scalar, Any, Any, str], Fit]]] = {
    types.Boolean: {"bool": _bool},
    types.Integer: {
        "int": _integer, "uint": _integer, "float": _integer_to_float, "complex": _real_to_complex,
    },
    types.Float: {"float": _float, "complex": _real_to_complex},
    types.Complex: {"complex": _complex},
}  # fmt: skip
