"""Floats that stand beside an operator in a function's text: Numba has one type for them and for float64 variables.

Python's own numbers take the format of a vector that they meet (Array API, "Mixing arrays with Python scalars").
Literal integers have a type of their own in Numba; here floats get one, as operands and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types

from ..compiler import NumbaCompiler
from ..datamodel.fixed import Fixed
from ..datamodel.kinds import FloatLiteral
from .aliases import assignments
from .folding import Constants

_OPERATIONS = frozenset({"binop", "inplace_binop"})
# What cannot hold a vector, and what has none inside: such functions stay as they are.
_PLAIN = (types.Number, types.Boolean, types.UnicodeType, types.NoneType, types.Omitted)
_WITHOUT_VECTORS = frozenset({"builtins", "math", "cmath", "operator", "numpy"})


class PythonFloat(float):
    """The value of such an operand."""


def register_literals(compiler: NumbaCompiler) -> None:
    """Teach a compiler the type of such operands; to all but vectors it is float64."""

    @compiler.typeof.typeof_impl.register(PythonFloat)
    def typeof_literal(value: Any, context: Any) -> Any:
        return FloatLiteral(float(value))


def mark_literals(compiler: NumbaCompiler, func_ir: Any, arguments: Sequence[Any]) -> None:
    """Give floats beside operators their type, where the function may meet vectors."""
    constants = Constants(compiler, func_ir)
    places = [
        (assign, side, float(number))
        for _, assign in assignments(compiler, func_ir)
        if getattr(assign.value, "op", None) in _OPERATIONS
        for side in ("lhs", "rhs")
        if type(number := constants.of(getattr(assign.value, side))) is float
    ]
    if places and _meets_vectors(compiler, func_ir, arguments):
        for count, (assign, side, number) in enumerate(places):
            _replace(compiler, func_ir, assign, side, PythonFloat(number), count)


def _replace(compiler: NumbaCompiler, func_ir: Any, assign: Any, side: str, number: Any, count: int) -> None:
    ir = compiler.ir
    block = next(b for b in func_ir.blocks.values() if any(s is assign for s in b.body))
    made = ir.Var(block.scope, f"$samebytes.literal.{count}", assign.loc)
    constant = ir.Global("samebytes", number, assign.loc)
    func_ir._definitions[made.name].append(constant)
    place = next(i for i, s in enumerate(block.body) if s is assign)
    block.body.insert(place, ir.Assign(constant, made, assign.loc))
    setattr(assign.value, side, made)


def _meets_vectors(compiler: NumbaCompiler, func_ir: Any, arguments: Sequence[Any]) -> bool:
    """Whether vectors may come from arguments, or from what the function names."""
    ir = compiler.ir
    held = (a.value for _, a in assignments(compiler, func_ir))
    named = (v.value for v in held if isinstance(v, ir.Global | ir.FreeVar))
    return not all(map(_is_plain, arguments)) or any(_may_give(compiler, value) for value in named)


def _is_plain(kind: Any) -> bool:
    if isinstance(kind, types.Array):
        return _is_plain(kind.dtype)
    if isinstance(kind, types.BaseTuple):
        return all(map(_is_plain, kind))
    return isinstance(kind, _PLAIN) and not isinstance(kind, Fixed)


def _may_give(compiler: NumbaCompiler, value: Any) -> bool:
    """Of an object that a function names; numba-cuda has vectors of its own."""
    if isinstance(value, int | float | complex | str | np.generic | np.ndarray):
        return False
    module = getattr(value, "__module__", None) or getattr(value, "__name__", "")
    root = str(module).partition(".")[0]
    return root not in _WITHOUT_VECTORS and (root != "numba" or compiler.cuda)
