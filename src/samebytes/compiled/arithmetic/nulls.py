"""Pointers compared with None: compiled code asks whether they are null, where Numba says that no pointer is None."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types

from ..compiler import NumbaCompiler

# Whether the answer is that of a null pointer.
_COMPARISONS = {operator.is_: True, operator.eq: True, operator.is_not: False, operator.ne: False}
_POINTERS = (types.CPointer, types.RawPointer)


def register_nulls(compiler: NumbaCompiler) -> None:
    """Teach a compiler ``p is None`` and ``p == None``, of pointers in either place."""
    for key, null in _COMPARISONS.items():
        _register(compiler, key, null=null)
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
