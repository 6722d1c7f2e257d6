"""Operators of classes that Python declares, in compiled code: ``__add__``, ``__lt__``, ``__getitem__`` and others."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import Any

from numba import types

from ..compiler import NumbaCompiler
from ..datamodel.kinds import SharedType, StructType
from ..lowering.site import Site
from .fields import METHODS

_ARITHMETIC = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift", "and_", "or_", "xor",
)  # fmt: skip
_MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
_UNARY: dict[Any, str] = {
    operator.neg: "__neg__", operator.pos: "__pos__", operator.invert: "__invert__", abs: "__abs__",
    len: "__len__", int: "__int__", float: "__float__",
}  # fmt: skip


def _ways(key: Any) -> Iterator[tuple[str, bool, bool]]:
    """The methods that an operation on two operands asks for, in order; whether of the right one, whether negated."""
    name = key.__name__
    if key is operator.getitem or key is operator.contains:
        yield f"__{name}__", False, False
    elif name in _MIRRORED:
        yield f"__{name}__", False, False
        yield f"__{_MIRRORED[name]}__", True, False
        if name == "ne":
            yield "__eq__", False, True
            yield "__eq__", True, True
    else:
        plain = name.rstrip("_")
        base = plain if name in _ARITHMETIC else plain[1:]
        if base != plain:
            yield f"__{plain}__", False, False
        yield f"__{base}__", False, False
        yield f"__r{base}__", True, False


# Those that ask whether an object is true; whether the answer is negated.
_TRUTH: dict[Any, bool] = {bool: False, operator.not_: True}


def _struct(kind: Any) -> StructType | None:
    found = kind.dtype if isinstance(kind, SharedType) else kind
    return found if isinstance(found, StructType) and found.immutable else None


def _meant(key: Any, args: Sequence[Any]) -> tuple[Any, bool, bool] | None:
    """The method that an operation means; whether its operands are swapped, and its answer negated."""
    if len(args) == 1:
        struct = _struct(args[0])
        methods = METHODS.get(struct, {}) if struct is not None else {}
        for name in ("__bool__", "__len__") if key in _TRUTH else (_UNARY[key],):
            if name in methods:
                return methods[name], False, _TRUTH.get(key, False)
        return None
    for name, swapped, negated in _ways(key):
        struct = _struct(args[1 if swapped else 0])
        if struct is not None and (made := METHODS.get(struct, {}).get(name)) is not None:
            return made, swapped, negated
    return None


def register_declared_operators(compiler: NumbaCompiler) -> None:
    """Teach a compiler the operators that such classes are written with."""
    binary = [getattr(operator, name) for name in _ARITHMETIC]
    binary += [getattr(operator, f"i{name.rstrip('_')}") for name in _ARITHMETIC]
    binary += [getattr(operator, name) for name in _MIRRORED]
    for key in (*binary, operator.getitem, operator.contains):
        _register(compiler, key, 2)
    for key in (*_UNARY, *_TRUTH):
        _register(compiler, key, 1)
    compiler.install()


def _register(compiler: NumbaCompiler, key: Any, count: int) -> None:
    templates = compiler.templates

    class Operation(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key: Any

        def generic(self, args: tuple[Any, ...], kws: Any) -> Any:
            if len(args) != count or (found := _meant(key, args)) is None:
                return None
            method, swapped, negated = found
            made = method.type_call(args[::-1] if swapped else args, {})
            truth = negated or key in _TRUTH
            return templates.signature(types.boolean if truth else made.return_type, *args)

        def get_impl_key(self, signature: Any) -> Any:
            return Operation

    Operation.key = key
    compiler.augment(key, Operation)

    @compiler.registry.lower(Operation, types.VarArg(types.Any))
    def lower(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
        kinds, values = tuple(signature.args), list(args)
        found = _meant(key, kinds)
        assert found is not None
        method, swapped, negated = found
        if swapped:
            kinds, values = kinds[::-1], values[::-1]
        inner = method.type_call(kinds, {})
        values = [context.cast(builder, v, a, b) for v, a, b in zip(values, kinds, inner.args, strict=True)]
        answer = method.lower_call(Site(compiler, context, builder), inner, values)
        if not negated and key not in _TRUTH:
            return answer
        truth = context.cast(builder, answer, inner.return_type, types.boolean)
        return builder.not_(truth) if negated else truth
