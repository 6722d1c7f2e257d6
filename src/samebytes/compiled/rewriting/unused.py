"""Operators whose result nobody uses: Numba drops them where it inlines functions; those of C++ do things, and fail."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

from ..datamodel.kinds import RecordType, StructType

_OPERATIONS = frozenset({"binop", "unary", "inplace_binop", "getitem", "static_getitem", "typed_getitem"})
_CALLERS = ("numba.core.inline_closurecall", "numba.core.typed_passes")


def register_unused() -> None:
    """Have Numba leave them where they stand; what is pure after all, LLVM removes."""
    utilities: Any = import_module("numba.core.ir_utils")
    eliminate, pure = utilities.dead_code_elimination, utilities.has_no_side_effect

    @wraps(eliminate)
    def kept(func_ir: Any, typemap: Any = None, *rest: Any, **named: Any) -> Any:
        # Numba compiles one function at a time.
        utilities.has_no_side_effect = _unless_ours(pure, typemap)
        try:
            return eliminate(func_ir, typemap, *rest, **named)
        finally:
            utilities.has_no_side_effect = pure

    for name in _CALLERS:
        caller: Any = import_module(name)
        caller.dead_code_elimination = kept


def _unless_ours(pure: Callable[..., bool], typemap: Any) -> Callable[..., bool]:
    """Before there are types, every operator may be one of C++."""

    def has_no_side_effect(rhs: Any, lives: Any, call_table: Any) -> bool:
        if getattr(rhs, "op", None) in _OPERATIONS and (
            typemap is None
            or any(isinstance(typemap.get(v.name), RecordType | StructType) for v in rhs.list_vars())
        ):
            return False
        return bool(pure(rhs, lives, call_table))

    return has_no_side_effect
