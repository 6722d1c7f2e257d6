"""Tuples of compiled code for what C++ takes and gives element by element: arrays of fixed length, pairs, tuples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types

from ...errors import ArgumentError, ArrayError, Mismatch
from ...layouts import compute, round_up
from ...layouts.dialects import find_dialect
from ...model.signature import Parameter
from ...types import CArray, Held, Product, Tuple, Type, Vector, unqualified
from ..datamodel.models import ADDRESS
from ..lowering.reading import READERS, from_storage
from ..lowering.site import Call, Site
from ..lowering.storing import store
from .arrays import check_extents, holds
from .fit import EXACT, LOSSLESS, Fit
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


def _from_numpy(type_: CArray, argument: Any, dialect: str) -> Fit:
    """The bytes of an array with just these extents, which are checked when it runs."""
    shape, element = type_.shape, unqualified(type_.element)
    words = f"{element}{list(shape)} ({type_})"
    if isinstance(element, CArray | Vector) or argument.ndim != len(shape):
        raise Mismatch(ArrayError, words, str(argument), "")
    if not holds(argument.dtype, element, dialect):
        raise Mismatch(ArrayError, words, str(argument), "")
    if argument.layout != "C":
        raise Mismatch(
            ArrayError, f"C-contiguous {words}", str(argument), "np.ascontiguousarray(x) makes a copy"
        )

    def lower(call: Call, value: Any) -> Any:
        held = call.context.make_array(argument)(call.context, call.builder, value)
        check_extents(call, argument, held, shape)
        return call.builder.bitcast(held.data, ADDRESS)

    return Fit(LOSSLESS, lower)


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
    RULES[Product] = _product
    RULES[Tuple] = _product
    READERS[Tuple] = _read_tuple
    READERS[Held] = _read_held
