"""Structs with atomics behind pointers in compiled code: ``p[i]`` is the place itself, which threads share."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from numba import types

from ..compiler import NumbaCompiler
from ..datamodel.kinds import ConstPointerType, SharedType, StructType
from ..lowering.site import Site


def register_pointed(compiler: NumbaCompiler) -> None:
    """Teach a compiler to index such pointers: Numba's own way is a copy."""
    templates = compiler.templates

    class Item(templates.AbstractTemplate):  # type: ignore[name-defined,misc]
        key = operator.getitem

        def generic(self, args: Any, kws: Any) -> Any:
            pointer, index = args
            if not isinstance(pointer, types.CPointer) or not isinstance(index, types.Integer):
                return None
            if not isinstance(pointer.dtype, StructType) or not pointer.dtype.shared:
                return None
            if isinstance(pointer, ConstPointerType):
                raise compiler.errors.TypingError(f"{pointer} is const, and its atomics are for writing, too")
            return templates.signature(SharedType(pointer.dtype), pointer, types.intp)

        def get_impl_key(self, signature: Any) -> Any:
            return Item

    compiler.augment(operator.getitem, Item)

    @compiler.registry.lower(Item, types.VarArg(types.Any))
    def place(context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> Any:
        site, kind = Site(compiler, context, builder), signature.return_type
        start = site.at(args[0], compiler.cgutils.int8_t)
        offset = builder.mul(args[1], args[1].type(kind.dtype.layout.size))
        return site.make_record(kind, builder.gep(start, [offset]), site.no_owner)
