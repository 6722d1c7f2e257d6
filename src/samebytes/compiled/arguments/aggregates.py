"""Tuples of compiled code for what C++ takes and gives element by element: arrays of fixed length, pairs, tuples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from llvmlite import ir
from numba import types

from ...errors import ArgumentError, ArrayError, Mismatch
from ...layouts import compute, overlapping, round_up
from ...layouts.dialects import find_dialect
from ...model.signature import Parameter
from ...types import ArrayRule, CArray, Held, Product, Struct, Tuple, Type, Vector, unqualified
from ..datamodel.equivalents import struct_type, vector_of
from ..datamodel.models import ADDRESS
from ..lowering.reading import READERS, from_storage
from ..lowering.site import Call, Site
from ..lowering.storing import store, write_field
from ..lowering.vectors import spill_vector
from .arrays import Seen, array_reader, has_extents, holds
from .fit import CONVERTED, EXACT, LOSSLESS, Fit
from .objects import fit_struct
from .rules import RULES, fit_type


def _part(type_: CArray) -> Type:
    """What one item of an array is."""
    return CArray(type_.element, type_.shape[1:]) if len(type_.shape) > 1 else type_.element


def _array(type_: CArray, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    if isinstance(argument, types.Array):
        return _from_numpy(type_, argument, dialect)
    if not isinstance(argument, types.BaseTuple):
        words = f"a tuple or an array of {type_.shape[0]} ({type_})"
        raise Mismatch(ArgumentError, words, str(argument), "")
    return _items([_part(type_)] * type_.shape[0], type_, argument, dialect)


def _product(type_: Product | Tuple, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    if not isinstance(argument, types.BaseTuple):
        raise Mismatch(ArgumentError, str(type_), str(argument), "")
    return _items(type_.elements, type_, argument, dialect)


def _items(parts: Sequence[Type], whole: Type, argument: Any, dialect: str) -> Fit:
    """A tuple, item by item."""
    if len(parts) != len(argument):
        raise Mismatch(
            ArgumentError, f"{whole}, of {len(parts)} items", f"{argument}, of {len(argument)}", ""
        )
    fits = [fit_type(unqualified(p), t, dialect) for p, t in zip(parts, argument.types, strict=True)]
    layout, offsets = compute(whole, find_dialect(dialect)), _offsets(parts, dialect)

    def lower(call: Call, value: Any) -> Any:
        place = call.stack(layout.size, max(layout.align, 8))
        for index, (part, offset, fitted) in enumerate(zip(parts, offsets, fits, strict=True)):
            item = fitted.lower(call, call.builder.extract_value(value, index))
            store(call, part, call.shift(place, offset), item, dialect)
        return place

    return Fit(max((f.rank for f in fits), default=EXACT), lower)


def _offsets(parts: Sequence[Type], dialect: str) -> list[int]:
    """Where each item lies: one after another, each aligned."""
    found, end = [], 0
    for part in parts:
        facts = compute(unqualified(part), find_dialect(dialect))
        found.append(round_up(end, facts.align))
        end = found[-1] + facts.size
    return found


def _from_numpy(type_: CArray | Vector, argument: Any, dialect: str) -> Fit:
    """The elements of an array with just these extents, which are checked when it runs, wherever they lie."""
    rule = ArrayRule.of_value(type_)
    words = f"{rule.element}{list(rule.extents)} ({type_})"
    layout, same = compute(type_, find_dialect(dialect)), holds(argument.dtype, rule.element, dialect)
    if same and argument.layout == "C":
        read = array_reader(rule, words, argument, dialect)
        return Fit(LOSSLESS, lambda call, value: call.aligned_address(read(call, value).data, layout))
    if isinstance(rule.element, Vector):
        rule = replace(rule, element=rule.element.element, extents=(*rule.extents, rule.element.size))
    rows = isinstance(type_, CArray) and isinstance(unqualified(type_.element), CArray)
    if argument.ndim != len(rule.extents) or (rows and not same):  # rows of C++'s are converted whole
        raise Mismatch(ArrayError, words, f"{argument.dtype}[{argument.ndim}-d array]", "")
    return _element_by_element(rule, words, argument, layout, dialect)


def _element_by_element(rule: ArrayRule, words: str, argument: Any, layout: Any, dialect: str) -> Fit:
    """A copy of an array in C order, each element converted as an array of no dimensions is."""
    single = types.Array(argument.dtype, 0, "C", readonly=True, aligned=argument.aligned)
    element, size = fit_type(rule.element, single, dialect), compute(rule.element, find_dialect(dialect)).size
    extents = [n for n in rule.extents if n is not None]

    def lower(call: Call, value: Any) -> Any:
        held = call.context.make_array(argument)(call.context, call.builder, value)
        seen = Seen.of(call, argument, held)
        call.require(has_extents(extents, seen), ArrayError, f"expected {words}: the shape is another")
        place = call.stack(layout.size, max(layout.align, 8))
        with call.compiler.cgutils.loop_nest(
            call.builder, [call.size(n) for n in extents], call.size(0).type
        ) as at:
            steps = zip(at, seen.strides, strict=True)
            offset = reduce(call.builder.add, (call.builder.mul(i, step) for i, step in steps))
            index = call.size(0)
            for i, extent in zip(at, extents, strict=True):
                index = call.builder.add(call.builder.mul(index, call.size(extent)), i)
            one = call.context.make_array(single)(call.context, call.builder)
            data = call.builder.gep(call.builder.bitcast(held.data, ADDRESS), [offset])
            one.data = call.builder.bitcast(data, one.data.type)
            to = call.builder.gep(place, [call.builder.mul(index, call.size(size))])
            store(call, rule.element, to, element.lower(call, one._getvalue()), dialect)
        return place

    return Fit(LOSSLESS, lower)


def _vector(type_: Vector, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    """One, or as many numbers."""
    if vector_of(argument) == type_:
        return Fit(EXACT, lambda call, value: spill_vector(call, argument, value))
    if isinstance(argument, types.BaseTuple) and len(argument) == type_.size:
        return _items([type_.element] * type_.size, type_, argument, dialect)
    if isinstance(argument, types.Array) and argument.ndim == 1:
        return _from_numpy(type_, argument, dialect)
    raise Mismatch(ArgumentError, str(type_), str(argument), f"sb.{type_}(...) builds one")


def _struct(type_: Struct, argument: Any, dialect: str, parameter: Parameter | None) -> Fit:
    """One, or a tuple of its fields."""
    if not isinstance(argument, types.BaseTuple) or not type_.of_tuples or type_.flexible is not None:
        return fit_struct(type_, argument, dialect, parameter)
    layout, struct = compute(type_, find_dialect(dialect)), struct_type(type_, dialect, type_.python)
    names = tuple(f.name for f in layout.fields)
    named = getattr(argument, "fields", names)
    if overlapping(type_, find_dialect("cxx")) or named != names or len(argument) != len(names):
        advice = f"{type_.short_name}(...) builds one; a tuple of its fields serves, too"
        raise Mismatch(ArgumentError, f"{type_} ({', '.join(names)})", str(argument), advice)
    rows = list(zip(layout.fields, argument.types, strict=True))
    fits = [fit_type(unqualified(place.type), kind, dialect) for place, kind in rows]

    def lower(call: Call, value: Any) -> Any:
        data = call.stack(layout.size, max(layout.align, 8))
        call.zero(data, layout.size)
        for index, (place, fitted) in enumerate(zip(layout.fields, fits, strict=True)):
            lowered = fitted.lower(call, call.builder.extract_value(value, index))
            write_field(call, struct, place, call.shift(data, place.offset), lowered)
        return data

    return Fit(CONVERTED, lower)


# --- results


def _read_held(site: Site, type_: Held, data: Any, dialect: str, kind: Any) -> Any:
    """The tuple of a result, after which C++ frees what kept it."""
    product = type_.type
    assert isinstance(product, Product)
    facts = compute(product, find_dialect(dialect))
    inside = site.shift(data, round_up(16, facts.align))
    items = [
        from_storage(site, part, site.shift(inside, offset), dialect)
        for part, offset in zip(product.elements, _offsets(product.elements, dialect), strict=True)
    ]
    held = site.builder.load(site.at(data, ADDRESS))
    form = ir.FunctionType(ir.VoidType(), [ADDRESS]).as_pointer()
    drop = site.builder.load(site.at(site.shift(data, 8), form))
    site.builder.call(drop, [held])
    return site.context.make_tuple(site.builder, kind, items)


def _read_tuple(site: Site, type_: Tuple, data: Any, dialect: str, kind: Any) -> Any:
    """A tuple of a struct's: its members are its items."""
    places = compute(type_, find_dialect(dialect)).fields
    items = [from_storage(site, p.type, site.shift(data, p.offset), dialect) for p in places]
    return site.context.make_tuple(site.builder, kind, items)


def register_aggregates() -> None:
    """Add these rules to those of arguments and results."""
    RULES[CArray] = _array
    RULES[Vector] = _vector
    RULES[Struct] = _struct
    RULES[Product] = _product
    RULES[Tuple] = _product
    READERS[Tuple] = _read_tuple
    READERS[Held] = _read_held
