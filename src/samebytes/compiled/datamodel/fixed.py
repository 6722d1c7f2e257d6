"""Fixed-format numbers in Numba: what a vector's elements are, and floats of 16 and 8 bits, which Numba lacks.

Numba computes ``uint8 + uint8`` in 64 bits. The specification's numbers compute in the format of promotion, so that
they are types of their own, which turn into Numba's wherever those are meant.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core.typeconv import Conversion

from ...types import Scalar
from ..compiler import NumbaCompiler

WORD = ir.IntType(32)
_FRACTION, _EXPONENT, _DIGITS, _BIAS = 0x7FFFFF, 0x7F800000, 23, 127  # of float32


class Format(NamedTuple):
    """A float of 16 or 8 bits.

    Attributes
    ----------
    mantissa : int
        Bits that are stored.
    lowest : int
        The smallest exponent of normal numbers.
    limit : int
        The bits after those of the largest number: of infinity, or where there is none of NaN.
    infinite : int
        Whether it has infinity.
    sign : int
        The sign's bit.
    """

    mantissa: int
    lowest: int
    limit: int
    infinite: int
    sign: int

    @property
    def lift(self) -> int:
        """What float32's exponents have more than those of the format, at its place in the bits."""
        return (_BIAS - 1 + self.lowest) << _DIGITS


FORMATS = {
    "float16": Format(10, -14, 0x7C00, 1, 0x8000),
    "bfloat16": Format(7, -126, 0x7F80, 1, 0x8000),
    "float8e4m3": Format(3, -6, 0x7F, 0, 0x80),
    "float8e5m2": Format(2, -14, 0x7C, 1, 0x80),
}


def float_of_bits(builder: Any, form: Format, bits: Any) -> Any:
    """The float32 that bits mean: of NaN with the same sign and leading bits."""
    width, up = bits.type.width, _DIGITS - form.mantissa
    wide = builder.zext(bits, WORD) if width < WORD.width else builder.trunc(bits, WORD)
    plain = builder.and_(wide, WORD(form.sign - 1))
    fraction = builder.and_(plain, WORD((1 << form.mantissa) - 1))
    found = builder.add(builder.shl(plain, WORD(up)), WORD(form.lift))
    if form.lift:  # float32 has numbers for those that are not normal
        small = builder.fmul(
            builder.uitofp(fraction, ir.FloatType()), ir.FloatType()(2.0 ** (form.lowest - form.mantissa))
        )
        below = builder.icmp_unsigned("<", plain, WORD(1 << form.mantissa))
        found = builder.select(below, builder.bitcast(small, WORD), found)
    special = builder.or_(builder.shl(fraction, WORD(up)), WORD(_EXPONENT))
    found = builder.select(builder.icmp_unsigned(">=", plain, WORD(form.limit)), special, found)
    minus = builder.shl(
        builder.and_(wide, WORD(form.sign)), WORD(WORD.width - 1 - (form.sign.bit_length() - 1))
    )
    return builder.bitcast(builder.or_(found, minus), ir.FloatType())


def bits_of_float(builder: Any, form: Format, value: Any) -> Any:
    """The bits of a float32 that the format has: of NaN the sign and the leading bits."""
    down = WORD(_DIGITS - form.mantissa)
    wide = builder.bitcast(value, WORD)
    plain = builder.and_(wide, WORD(0x7FFFFFFF))
    found = builder.lshr(builder.sub(plain, WORD(form.lift)), down)
    if form.lift:
        size = builder.bitcast(plain, ir.FloatType())
        small = builder.fmul(size, ir.FloatType()(2.0 ** (form.mantissa - form.lowest)))
        below = builder.icmp_unsigned("<", plain, WORD(form.lift + (1 << _DIGITS)))
        found = builder.select(below, builder.fptoui(small, WORD), found)
    said = builder.lshr(builder.and_(plain, WORD(_FRACTION)), down)
    odd = builder.icmp_unsigned(">", plain, WORD(_EXPONENT))
    lost = builder.and_(odd, builder.icmp_unsigned("==", said, WORD(0)))
    said = builder.or_(builder.select(lost, WORD(1), said), WORD(form.limit))
    found = builder.select(builder.icmp_unsigned(">=", plain, WORD(_EXPONENT)), said, found)
    minus = builder.icmp_signed("<", wide, WORD(0))
    return builder.or_(found, builder.select(minus, WORD(form.sign), WORD(0)))


class Fixed:
    """What fixed-format numbers share.

    Attributes
    ----------
    scalar : Scalar
    plain : type
        The number of Numba's that they are to all who do not know them.
    """

    scalar: Scalar
    plain: Any
    is_internal = True  # or Numba would not fuse operations on arrays where one takes part

    @property
    def key(self) -> Any:
        return self.scalar

    def unify(self, typingctx: Any, other: Any) -> Any:
        """Where two ways have different numbers, Numba's: NumPy has no common one of ml_dtypes' and integers."""
        if self == other:
            return self
        plain = other.plain if isinstance(other, Fixed) else types.unliteral(other)
        return typingctx.unify_pairs(self.plain, plain) if isinstance(plain, types.Number) else None

    def can_convert_to(self, typingctx: Any, other: Any) -> Any:
        """As Numba's number, but not quite as well."""
        return _no_better(typingctx.can_convert(self.plain, other), Conversion.promote)

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """The same."""
        if isinstance(other, Fixed):
            return None
        least = Conversion.unsafe if self.scalar.name in FORMATS else Conversion.promote
        return _no_better(typingctx.can_convert(other, self.plain), least)


def _no_better(found: Any, least: Any) -> Any:
    return None if found is None else max(found, least)


class WideFixed(Fixed):
    """Those that Numba has a number of the same format for."""

    def __unliteral__(self) -> Any:
        """What Numba's own functions are given, as of its literals: they know their own numbers alone."""
        return self.plain


class FixedInteger(WideFixed, types.Integer):  # type: ignore[misc]
    """An integer of one format, with its arithmetic."""

    def __init__(self, scalar: Scalar) -> None:
        self.scalar, self.plain = scalar, getattr(types, scalar.name)
        super().__init__(scalar.name, self.plain.bitwidth, self.plain.signed)


class FixedFloat(WideFixed, types.Float):  # type: ignore[misc]
    """A float of 32 or 64 bits."""

    def __init__(self, scalar: Scalar) -> None:
        self.scalar, self.plain = scalar, getattr(types, scalar.name)
        types.Number.__init__(self, scalar.name)
        self.bitwidth = self.plain.bitwidth


class NarrowFloat(Fixed, types.Float):  # type: ignore[misc]
    """A float of 16 or 8 bits: float32 in registers, of which each is one that the format has."""

    def __init__(self, scalar: Scalar) -> None:
        self.scalar, self.plain = scalar, types.float32
        types.Number.__init__(self, scalar.dtype.name)
        self.bitwidth = types.float32.bitwidth

    def cast_python_value(self, value: Any) -> Any:
        """NumPy's or ml_dtypes' scalar."""
        return self.scalar.numpy(value)


FIXED = (FixedInteger, FixedFloat, NarrowFloat)


@cache
def fixed(scalar: Scalar) -> Any:
    """The one type of fixed-format numbers of a format."""
    if scalar.name in FORMATS:
        return NarrowFloat(scalar)
    return (FixedFloat if scalar.kind == "float" else FixedInteger)(scalar)


def register_fixed_models(compiler: NumbaCompiler) -> None:
    """Teach a compiler how they lie in registers and in memory."""
    models = compiler.models

    class NarrowModel(models.PrimitiveModel):  # type: ignore[name-defined,misc]
        def __init__(self, dmm: Any, fe_type: Any) -> None:
            super().__init__(dmm, fe_type, ir.FloatType())
            self._form = FORMATS[fe_type.scalar.name]
            self._data = ir.IntType(8 * fe_type.scalar.size)

        def get_data_type(self) -> Any:
            return self._data

        def as_data(self, builder: Any, value: Any) -> Any:
            return builder.trunc(bits_of_float(builder, self._form, value), self._data)

        def from_data(self, builder: Any, value: Any) -> Any:
            return float_of_bits(builder, self._form, value)

    for kind in (FixedInteger, FixedFloat):
        compiler.store_model(kind, lambda dmm, ty: dmm[ty.plain])
    compiler.store_model(NarrowFloat, NarrowModel)
