"""Vectors at addresses: their elements one after another, small floats of the CPU as the bits that C++ has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...types import COMPONENTS, Vector
from ..datamodel.equivalents import element_of, vector_of
from ..datamodel.fixed import FORMATS, bits_of_float
from .halves import is_rounded, read_half, store_bits
from .site import Site


def load_vector(site: Site, kind: Any, data: Any) -> Any:
    """A vector's value from the address of its bytes."""
    vector, made = _vector(kind), site.proxy(kind)
    for name, place in _elements(site, vector, data):
        if is_rounded(kind):
            found = read_half(site, vector.element, place, vector.element.size)
        else:
            form = site.context.get_data_type(element_of(kind))
            found = site.context.unpack_value(
                site.builder, element_of(kind), site.at(place, form), vector.element.size
            )
        setattr(made, name, found)
    return made._getvalue()


def store_vector(site: Site, kind: Any, value: Any, data: Any) -> None:
    """Write a vector's elements to an address."""
    vector, held = _vector(kind), site.proxy(kind, value)
    for name, place in _elements(site, vector, data):
        element = getattr(held, name)
        if is_rounded(kind):  # which are rounded already
            bits = bits_of_float(site.builder, FORMATS[vector.element.name], element)
            store_bits(site, vector.element, bits, place)
        else:
            form = site.context.get_data_type(element_of(kind))
            site.context.pack_value(
                site.builder, element_of(kind), element, site.at(place, form), vector.element.size
            )


def spill_vector(site: Site, kind: Any, value: Any) -> Any:
    """The address of a copy of a vector on the stack."""
    vector = _vector(kind)
    place = site.stack(vector.size * vector.element.size, _align(vector))
    store_vector(site, kind, value, place)
    return place


def _vector(kind: Any) -> Vector:
    vector = vector_of(kind)
    assert vector is not None
    return vector


def _elements(site: Site, vector: Vector, data: Any) -> Iterator[tuple[str, Any]]:
    for i, name in enumerate(COMPONENTS[: vector.size]):
        yield name, site.shift(data, i * vector.element.size)


def _align(vector: Vector) -> int:
    """Bytes: as CUDA's vector types."""
    element, size = vector.element.size, vector.size
    return min(size * element, 16) if size in (2, 4) else element
