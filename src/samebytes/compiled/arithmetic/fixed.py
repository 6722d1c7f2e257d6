"""Floats of 16 and 8 bits as numbers of compiled code: NumPy's and ml_dtypes' scalars, and elements of arrays."""

from __future__ import annotations

import operator
from importlib import import_module
from typing import Any

import numpy as np
from numba import types

from ...types import NUMPY, SCALARS
from ..compiler import NumbaCompiler
from ..datamodel.equivalents import scalar_of
from ..datamodel.fixed import FIXED, FORMATS, Fixed, FixedFloat, FixedInteger, NarrowFloat, fixed
from ..datamodel.kinds import FloatLiteral
from ..lowering.halves import rounded
from ..lowering.site import Site


def register_fixed(compiler: NumbaCompiler) -> None:
    """Teach a compiler to round to them, and Numba their names: its own types of arrays are made of those."""

    def round_to(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
        plain = fromty.plain if isinstance(fromty, Fixed) else fromty
        return rounded(Site(compiler, context, builder), toty.scalar, value, plain)

    for kind in (types.Float, types.Integer, types.IntegerLiteral):
        compiler.registry.lower_cast(kind, NarrowFloat)(round_to)
    _register_float(compiler)
    for sign in _COMPARISONS:
        _register_comparison(compiler, sign)
    for domain in ("number_domain", "real_domain"):  # what Numba takes for a number, type by type
        setattr(types, domain, getattr(types, domain) | {fixed(SCALARS[name]) for name in FORMATS})
    _register_unknown_to_numpy(compiler)
    support = import_module("numba.cuda.np.numpy_support" if compiler.cuda else "numba.np.numpy_support")
    for name in FORMATS:
        support.FROM_DTYPE.setdefault(np.dtype(NUMPY[name]), fixed(SCALARS[name]))
    if not compiler.cuda:
        support.FROM_DTYPE[np.dtype(np.float16)] = fixed(SCALARS["float16"])  # Numba's own has no values
        _register_boxing(compiler)


def _register_unknown_to_numpy(compiler: NumbaCompiler) -> None:
    """Where Numba asks NumPy about numbers of ml_dtypes, which NumPy's rules leave out, they are float32."""
    number = types.Number
    if not getattr(number.unify, "knows_fixed", False):
        original = number.unify

        def unify(self: Any, typingctx: Any, other: Any) -> Any:
            if isinstance(other, Fixed):
                return other.unify(typingctx, self)
            return original(self, typingctx, other)

        unify.knows_fixed = True  # type: ignore[attr-defined]
        number.unify = unify
    if compiler.cuda:
        return
    for name in ("numba.core.typing.npydecl", "numba.np.npyimpl"):
        module = import_module(name)
        if hasattr(module, "ufunc_find_matching_loop"):
            vars(module)["ufunc_find_matching_loop"] = _with_float32(module.ufunc_find_matching_loop)


def _with_float32(find: Any) -> Any:
    def find_loop(ufunc: Any, kinds: Any) -> Any:
        return find(ufunc, [kind.plain if isinstance(kind, NarrowFloat) else kind for kind in kinds])

    return find_loop


def _register_float(compiler: NumbaCompiler) -> None:
    """``float(x)`` is Python's number, whose arithmetic is no longer that of the format."""
    templates = compiler.templates

    class AsFloat(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key = float

        def generic(self, args: Any, kws: Any) -> Any:
            scalar = scalar_of(args[0], compiler.dialect) if len(args) == 1 else None
            narrow = scalar is not None and scalar.name in FORMATS
            return templates.signature(types.float64, types.float64) if narrow else None

    compiler.augment(float, AsFloat)


_COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)


def _register_comparison(compiler: NumbaCompiler, sign: Any) -> None:
    """They are compared as the float32 that they are."""
    templates = compiler.templates

    class Comparison(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key: Any

        def generic(self, args: Any, kws: Any) -> Any:
            numbers = all(isinstance(kind, types.Number) for kind in args)
            if not numbers or not any(isinstance(kind, NarrowFloat) for kind in args):
                return None
            plain = tuple(kind.plain if isinstance(kind, NarrowFloat) else kind for kind in args)
            return self.context.resolve_function_type(sign, plain, {})

    Comparison.key = sign
    compiler.augment(sign, Comparison)


def _register_boxing(compiler: NumbaCompiler) -> None:
    box, unbox, native = compiler.pythonapi.box, compiler.pythonapi.unbox, compiler.pythonapi.NativeValue

    def box_number(typ: Any, value: Any, c: Any) -> Any:
        plain = c.box(typ.plain, value)
        address = c.context.add_dynamic_addr(c.builder, id(typ.scalar.numpy), info=str(typ))
        made = c.pyapi.call_function_objargs(c.builder.bitcast(address, c.pyapi.pyobj), (plain,))
        c.pyapi.decref(plain)
        return made

    for kind in FIXED:
        box(kind)(box_number)

    for wide in (
        FixedInteger,
        FixedFloat,
        FloatLiteral,
    ):  # arguments of what Numba makes of operations on arrays
        unbox(wide)(lambda typ, obj, c: c.unbox(types.unliteral(typ), obj))

    @unbox(NarrowFloat)
    def unbox_number(typ: Any, obj: Any, c: Any) -> Any:
        number = c.pyapi.number_float(obj)
        found = c.builder.fptrunc(c.pyapi.float_as_double(number), c.context.get_value_type(types.float32))
        c.pyapi.decref(number)
        return native(found)
