"""Arrays as arguments of compiled calls: what their elements must be, and the descriptor of mdspan and span."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import Any

from llvmlite import ir
from numba import types

from ...call.addresses.needs import IS_FORTRAN_ORDER, NO_FORTRAN_ORDER, NOT_POSITIVE, no_c_order, shape_words
from ...errors import ArrayError, Mismatch
from ...frozen import frozen
from ...layouts import compute
from ...layouts.dialects import find_dialect
from ...model.signature import Parameter
from ...types import ANY_ORDER, C_ORDER, F_ORDER, POSITIVE, VOID, Array, ArrayRule, Enum, Type, Vector
from ..datamodel.equivalents import array_element, is_vector_mirror, vector_of
from ..datamodel.models import ADDRESS
from ..lowering.site import Call, is_aligned
from .fit import EXACT, Fit
from .objects import mirrors_struct


def fit_array(type_: Array, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    """An array that C++ takes with its shape."""
    rule = ArrayRule.of(type_)
    words = f"{type_.element}{shape_words(rule)} ({type_})"
    if not isinstance(argument, types.Array):
        raise Mismatch(ArrayError, words, str(argument), "")
    read = array_reader(rule, words, argument, dialect)
    return Fit(EXACT, lambda call, value: _descriptor(call, argument, read(call, value)))


def _descriptor(call: Call, argument: Any, held: Any) -> Any:
    """``{T* data; uint64_t shape[n]; uint64_t strides[n]}``, strides in elements."""
    builder, unpack = call.builder, call.compiler.cgutils.unpack_tuple
    place = call.stack(8 + 16 * argument.ndim, 8)
    builder.store(builder.bitcast(held.data, ADDRESS), call.at(place, ADDRESS))
    shape, strides = (unpack(builder, part, argument.ndim) for part in (held.shape, held.strides))
    for i, (extent, stride) in enumerate(zip(shape, strides, strict=True)):
        builder.store(extent, call.at(call.shift(place, 8 + 8 * i), extent.type))
        steps = builder.sdiv(stride, held.itemsize)
        builder.store(steps, call.at(call.shift(place, 8 + 8 * (argument.ndim + i)), steps.type))
    return place


# Checks what an array's type leaves open, and reads the array where a call stands.
Reader = Callable[[Call, Any], Any]


def array_reader(rule: ArrayRule, words: str, argument: Any, dialect: str) -> Reader:
    """Hold an array to a rule: what its type shows now, all else when the call runs.

    Raises
    ------
    Mismatch
        If its type shows that it does not serve.
    """
    rule = replace(rule, extents=(*rule.extents, *vector_size(rule.element, argument)))
    same = rule.element == VOID or holds(argument.dtype, rule.element, dialect)
    if not same or argument.ndim < len(rule.extents) or rule.ndim not in (None, argument.ndim):
        raise Mismatch(ArrayError, words, f"{argument.dtype}[{argument.ndim}-d array]", "")
    if not rule.const and not argument.mutable:
        raise Mismatch(ArrayError, f"writable {words}", f"a read-only array ({argument})", "")
    _check_order(rule, words, argument)
    checks = list(_checks(rule, argument, dialect))

    def read(call: Call, value: Any) -> Any:
        held = call.context.make_array(argument)(call.context, call.builder, value)
        seen = Seen.of(call, argument, held)
        for holds_here, sentence in checks:
            call.require(holds_here(seen), ArrayError, f"expected {words}: {sentence}")
        return held

    return read


def vector_size(element: Type, argument: Any) -> tuple[int, ...]:
    """Of an array of numbers that stands for one of vectors: the extent that is a vector's size."""
    if not isinstance(element, Vector) or isinstance(argument.dtype, types.Record):
        return ()
    return (element.size,) if vector_of(argument.dtype) is None else ()


_OTHER_ORDER = {(C_ORDER, "F"): IS_FORTRAN_ORDER, (F_ORDER, "C"): NO_FORTRAN_ORDER}


def _check_order(rule: ArrayRule, words: str, argument: Any) -> None:
    """Refuse what is known to lie in the other order."""
    advice = _OTHER_ORDER.get((rule.order, argument.layout))
    if advice and argument.ndim > 1:
        raise Mismatch(ArrayError, words, str(argument), advice)


def _checks(rule: ArrayRule, argument: Any, dialect: str) -> Iterator[tuple[Callable[[Seen], Any], str]]:
    """What is asked when a call runs, and what is wrong where the answer is no."""
    if argument.layout not in ("C", "F"):
        for check, sentence in _STRIDES[rule.order]:
            yield check, sentence or no_c_order(rule)
        if not rule.const:
            yield _lies_apart, "C++ may write to it, and its elements overlap in memory"
    align = 1 if rule.element == VOID or rule.by_value else compute(rule.element, find_dialect(dialect)).align
    if align > 1:
        yield partial(_is_aligned, align), f"its elements are not aligned to {align} bytes"
    if rule.is_fixed:
        yield partial(has_extents, rule.extents), f"the shape must be {shape_words(rule)}"
    if rule.least:
        yield partial(_has_least, rule.least * rule.row), f"{rule.least} are declared, and it has fewer"
    if rule.count is not None:
        plural = "s" * (rule.count != 1)
        yield partial(_has_count, rule.count), f"it must have {rule.count} element{plural}"


@frozen(slots=False)
class Seen:
    """An array where a call is written: what the checks of it read."""

    builder: Any
    held: Any
    shape: list[Any]
    strides: list[Any]

    @classmethod
    def of(cls, call: Call, argument: Any, held: Any) -> Seen:
        """The array of a type, whose struct is ``held``."""
        unpack = call.compiler.cgutils.unpack_tuple
        parts = (unpack(call.builder, part, argument.ndim) for part in (held.shape, held.strides))
        return cls(call.builder, held, *parts)

    def all(self, conditions: Iterable[Any]) -> Any:
        """Whether all of some conditions hold."""
        return reduce(self.builder.and_, conditions, ir.IntType(1)(1))

    @property
    def is_empty(self) -> Any:
        """Whether there is no element."""
        return self.builder.icmp_signed("==", self.held.nitems, self.held.nitems.type(0))

    def all_strides(self, condition: Callable[[Any], Any]) -> Any:
        """Whether a condition holds for each stride that counts."""
        alone = (self.builder.icmp_signed("<=", n, n.type(1)) for n in self.shape)
        found = [self.builder.or_(a, condition(s)) for a, s in zip(alone, self.strides, strict=True)]
        return self.builder.or_(self.is_empty, self.all(found))


def _is_dense(seen: Seen, nearest_first: Sequence[int]) -> Any:
    """Whether each stride that counts is that of no gaps."""
    builder, step, found = seen.builder, seen.held.itemsize, []
    for i in nearest_first:
        extent, stride = seen.shape[i], seen.strides[i]
        alone = builder.icmp_signed("<=", extent, extent.type(1))
        found.append(builder.or_(alone, builder.icmp_signed("==", stride, step)))
        step = builder.mul(step, extent)
    return builder.or_(seen.is_empty, seen.all(found))


def is_dense_in_c(seen: Seen) -> Any:
    """Whether the elements lie in C order without gaps; strides of one element, or of none, do not count."""
    return _is_dense(seen, range(len(seen.shape))[::-1])


def _is_dense_in_fortran(seen: Seen) -> Any:
    return _is_dense(seen, range(len(seen.shape)))


def _has_positive_strides(seen: Seen) -> Any:
    return seen.all_strides(lambda s: seen.builder.icmp_signed(">", s, s.type(0)))


def _has_whole_steps(seen: Seen) -> Any:
    builder, size = seen.builder, seen.held.itemsize
    return seen.all_strides(lambda s: builder.icmp_signed("==", builder.srem(s, size), s.type(0)))


_WHOLE = (_has_whole_steps, "its strides are no multiples of an element")
# What is asked of the strides of an array of any, by the rule's order; without words: those of the rule.
_STRIDES: dict[str, tuple[tuple[Callable[[Seen], Any], str], ...]] = {
    C_ORDER: ((is_dense_in_c, ""),),
    F_ORDER: ((_is_dense_in_fortran, NO_FORTRAN_ORDER),),
    POSITIVE: (_WHOLE, (_has_positive_strides, NOT_POSITIVE)),
    ANY_ORDER: (_WHOLE,),
}


def _is_aligned(align: int, seen: Seen) -> Any:
    return seen.builder.or_(is_aligned(seen.builder, seen.held.data, align), seen.is_empty)


def has_extents(extents: Sequence[int | None], seen: Seen) -> Any:
    last = seen.shape[len(seen.shape) - len(extents) :]
    pairs = [(n, wanted) for n, wanted in zip(last, extents, strict=True) if wanted is not None]
    return seen.all(seen.builder.icmp_signed("==", n, n.type(wanted)) for n, wanted in pairs)


def _has_least(least: int, seen: Seen) -> Any:
    return seen.builder.icmp_signed(">=", seen.held.nitems, seen.held.nitems.type(least))


def _has_count(count: int, seen: Seen) -> Any:
    return seen.builder.icmp_signed("==", seen.held.nitems, seen.held.nitems.type(count))


def _lies_apart(seen: Seen) -> Any:
    """Whether each dimension steps over all that the shorter steps reach, or the array has no elements."""
    builder, shape, strides, itemsize = seen.builder, seen.shape, seen.strides, seen.held.itemsize
    one, zero = itemsize.type(1), itemsize.type(0)
    sizes = [builder.select(builder.icmp_signed("<", s, zero), builder.neg(s), s) for s in strides]
    apart, empty = ir.IntType(1)(1), ir.IntType(1)(0)
    for i, (extent, size) in enumerate(zip(shape, sizes, strict=True)):
        below = itemsize
        for j, (other, step) in enumerate(zip(shape, sizes, strict=True)):
            if j == i:
                continue
            shorter = builder.icmp_signed("<" if j > i else "<=", step, size)
            reach = builder.mul(builder.sub(other, one), step)
            below = builder.add(below, builder.select(shorter, reach, zero))
        alone = builder.icmp_signed("<=", extent, one)
        apart = builder.and_(apart, builder.or_(alone, builder.icmp_signed(">=", size, below)))
        empty = builder.or_(empty, builder.icmp_signed("==", extent, zero))
    return builder.or_(apart, empty)


def holds(dtype: Any, target: Type, dialect: str) -> bool:
    """Whether elements of an array are values of a type of C++."""
    if isinstance(target, Enum):
        target = target.underlying
    if isinstance(target, Vector):
        if isinstance(dtype, types.Record):
            return is_vector_mirror(dtype, target, dialect)
        return vector_of(dtype) == target or dtype == array_element(target.element, dialect)
    if isinstance(dtype, types.Record):
        return mirrors_struct(dtype, target)
    try:
        return bool(dtype == array_element(target, dialect))
    except Mismatch:
        return False
