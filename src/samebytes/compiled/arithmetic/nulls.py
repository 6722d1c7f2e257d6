"""Pointers: compared with None, where Numba says that no pointer is None; and what is const is not written to."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types

from ..compiler import NumbaCompiler
from ..datamodel.kinds import ConstPointerType

# Whether the answer is that of a null pointer.
_COMPARISONS = {operator.is_: True, operator.eq: True, operator.is_not: False, operator.ne: False}
_POINTERS = (types.CPointer, types.RawPointer)


def register_nulls(compiler: NumbaCompiler) -> None:
    """Teach a compiler ``p is None`` and ``p == None``, of pointers in either place."""
    for key, null in _COMPARISONS.items():
        _register(compiler, key, null=null)
    _register_const(compiler)
    compiler.install()


def _pointer(args: Sequence[Any]) -> int | None:
    """Which of two operands is a pointer that is compared with None."""
    if len(args) != 2:
        return None
    for i, (one, other) in enumerate((args, args[::-1])):
        if isinstance(one, _POINTERS) and isinstance(other, types.NoneType):
            return i
    return None


def _register(compiler: NumbaCompiler, key: Any, *, null: bool) -> None:
    templates = compiler.templates

    class Comparison(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key: Any

        def generic(self, args: tuple[Any, ...], kws: Any) -> Any:
            return None if _pointer(args) is None else templates.signature(types.boolean, *args)

        def get_impl_key(self, signature: Any) -> Any:
            return Comparison

    Comparison.key = key
    compiler.augment(key, Comparison)

    @compiler.registry.lower(Comparison, types.VarArg(types.Any))
    def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
        at = _pointer(signature.args)
        assert at is not None
        return builder.icmp_unsigned("==" if null else "!=", args[at], ir.Constant(args[at].type, None))


def _register_const(compiler: NumbaCompiler) -> None:
    """``p[i] = x`` of ``const T*`` is an error at the line that says so."""

    @compiler.registry.lower(operator.setitem, ConstPointerType, types.Integer, types.Any)
    def write(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
        raise compiler.errors.TypingError(f"{signature.args[0]} is const: nothing is written through it")

    @compiler.registry.lower_cast(types.CPointer, types.CPointer)
    def same(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
        return value
