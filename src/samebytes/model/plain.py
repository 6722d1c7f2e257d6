"""Records that are no matter of other declarations: values that have nothing but fields."""

from __future__ import annotations

from typing import Any

from ..types import CArray, Const, Enum, Function, Named, Pointer, Scalar, Struct, Type, Void
from ..types.naming import is_unnamed

# What the fields of such records are made of. Others give classes to more than the record, as functions do.
_PLAIN = (Scalar, CArray, Const, Pointer, Named, Enum, Struct)


_WITH_FUNCTIONS = (*_PLAIN, Function, Void)


def is_alone(struct: Struct, kinds: tuple[type[Type], ...] = _PLAIN) -> bool:
    """Whether a record is a value without bases, whose fields need no class but those of such records."""
    alone = type(struct) is Struct and not (struct.bases or struct.hidden or struct.friends or struct.range)
    named = struct.name.replace("::", "").isidentifier() and not struct.name.startswith("std::")
    return (
        alone
        and named
        and not is_unnamed(struct.spelling)
        and all(_is_plain_field(field, kinds) for field in struct.fields)
    )


def _is_plain_field(field: Any, kinds: tuple[type[Type], ...]) -> bool:
    return not field.bit_width and _is_plain_type(field.type, kinds) and field.taken is None


def _is_plain_type(type_: Type, kinds: tuple[type[Type], ...]) -> bool:
    while isinstance(type_, CArray | Const | Pointer):
        (type_,) = type_.parts
    return type(type_) in kinds


def stands_alone(struct: Struct, *, of_c: bool) -> bool:
    """Whether a record that is read with all that its fields lead to is what the whole header makes of it.

    Parameters
    ----------
    of_c : bool
        Whether the header is C's, where nothing but the record itself says what it is.
    """
    if not of_c:
        return is_alone(struct, _WITH_FUNCTIONS)
    return type(struct) is Struct and all(
        _is_plain_type(field.type, _WITH_FUNCTIONS) and field.taken is None for field in struct.fields
    )
