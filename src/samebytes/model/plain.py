"""Records that are no matter of other declarations: values that have nothing but fields."""

from __future__ import annotations

from typing import Any

from ..types import CArray, Const, Enum, Named, Pointer, Scalar, Struct, Type

# What the fields of such records are made of. Others give classes to more than the record, as functions do.
_PLAIN = (Scalar, CArray, Const, Pointer, Named, Enum, Struct)


def is_alone(struct: Struct) -> bool:
    """Whether a record is a value without bases, whose fields need no class but those of such records."""
    alone = type(struct) is Struct and not (struct.bases or struct.hidden or struct.friends or struct.range)
    named = struct.name.replace("::", "").isidentifier() and not struct.name.startswith("std::")
    written = struct.spelling.partition("(")[0] not in _UNNAMED
    return alone and named and written and all(map(_is_plain_field, struct.fields))


_UNNAMED = ("decltype", "__typeof__", "std::remove_all_extents<decltype")


def _is_plain_field(field: Any) -> bool:
    return not field.bit_width and _is_plain_type(field.type) and field.taken is None


def _is_plain_type(type_: Type) -> bool:
    while isinstance(type_, CArray | Const | Pointer):
        (type_,) = type_.parts
    return type(type_) in _PLAIN
