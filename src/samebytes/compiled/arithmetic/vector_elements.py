"""Vectors as elements of arrays in compiled code, ``a[i] = v`` and ``float32x3(a[i])``, and as tuples."""

from __future__ import annotations

import operator
from typing import Any

from numba import types

from ...types import COMPONENTS, Vector
from ..compiler import NumbaCompiler
from ..datamodel.equivalents import item_of, vector_classes, vector_of, vector_record
from ..lowering.site import Site
from ..lowering.vectors import spill_vector


def is_element(kind: Any, vector: Vector, dialect: str) -> bool:
    """Whether a type is that of elements of arrays of a vector."""
    return isinstance(kind, types.Record) and kind == vector_record(vector, dialect)


def register_vector_elements(compiler: NumbaCompiler) -> None:
    """Teach a compiler to store vectors in arrays of them, and ``tuple(v)``."""
    templates = compiler.templates

    class Element(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key = operator.setitem

        def generic(self, args: Any, kws: Any) -> Any:
            array, index, value = args
            vector = vector_of(value)
            if not isinstance(array, types.Array) or vector is None or not array.mutable:
                return None
            if not is_element(array.dtype, vector, compiler.dialect):
                return None
            found = compiler.arraydecl.get_array_index_type(array, index)
            if found is None or isinstance(found.result, types.Array):
                return None
            return templates.signature(types.none, array, found.index, found.result)

    class AsTuple(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key = tuple

        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) != 1 or (vector := vector_of(args[0])) is None:
                return None
            return templates.signature(types.UniTuple(item_of(args[0]), vector.size), args[0])

    compiler.augment(operator.setitem, Element)
    compiler.augment(tuple, AsTuple)

    def stored(context: Any, builder: Any, fromty: Any, toty: Any, value: Any) -> Any:
        data = spill_vector(Site(compiler, context, builder), fromty, value)
        return builder.bitcast(data, context.get_value_type(toty))

    def as_tuple(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0]
        held, size = Site(compiler, context, builder).proxy(kind, args[0]), vector_of(kind).size  # type: ignore[union-attr]
        items = [getattr(held, name) for name in COMPONENTS[:size]]
        return context.make_tuple(builder, signature.return_type, items)

    for kind in vector_classes(compiler):
        compiler.registry.lower_cast(kind, types.Record)(stored)
        compiler.registry.lower(tuple, kind)(as_tuple)
