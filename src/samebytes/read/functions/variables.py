"""Variables at namespace scope: where they lie, and what Python may do with them."""

from __future__ import annotations

import re

from ...model.module import Variable
from ...types import Const, Converted, Pointer, Type
from ..clang.comments import clean
from ..clang.kinds import Decl, Kind
from ..clang.libclang import (
    ClangType,
    Cursor,
    element_type,
    is_internal,
    is_thread_local,
    kind_of,
    passing_of,
    type_kind,
)
from ..clang.places import extent_of, offset_of
from ..cxxtypes.cxxtypes import CannotCross, Types, is_const, whole
from ..cxxtypes.devices import is_managed
from ..cxxtypes.lifetimes import check_shown, is_copyable
from ..cxxtypes.measures import with_measures
from ..cxxtypes.standard import atomic
from ..exposed.exposure import Declared
from .functions import location


def read_variable(group: list[Declared], types: Types) -> Variable:
    """A variable from its declarations.

    Raises
    ------
    CannotCross
        With the reason.
    """
    cursor = group[-1].cursor
    if is_managed([d.cursor for d in group]):
        raise CannotCross("__managed__ memory is not reached by name: a kernel takes its address")
    _, canonical = passing_of(cursor.type.get_canonical())
    unsized = type_kind(canonical) == Kind.INCOMPLETE_ARRAY
    return Variable(
        cursor.spelling,
        group[0].qualified,
        _first(canonical, types) if unsized else _type(canonical, cursor, types),
        types.spelling(canonical),
        symbol=cursor.mangled_name,
        thread_local=is_thread_local(cursor),
        repeated=_is_repeated(group, types),
        unsized=unsized,
        location=location(cursor),
        doc=next(filter(None, (clean(d.cursor.raw_comment) for d in group)), ""),
    )


def _type(canonical: ClangType, cursor: Cursor, types: Types) -> Type:
    inner = with_measures(atomic(canonical, types.value) or whole(types.crossing(canonical)), cursor)
    check_shown(inner)
    if isinstance(inner, Converted) and not is_copyable(inner):
        raise CannotCross("its objects can only be moved, so Python gets no copy")
    return Const(inner) if is_const(canonical) else inner


def _first(canonical: ClangType, types: Types) -> Type:
    """The type of a pointer to the first element."""
    inner = types.crossing(element_type(canonical))
    return Const(Pointer(Const(inner) if is_const(canonical) else inner))


def _is_repeated(group: list[Declared], types: Types) -> bool:
    """Whether every translation unit, or every library made of it, gets a variable of its own."""
    return any(
        kind_of(d.cursor) == Decl.FIELD  # of an anonymous union, which is static
        or is_internal(d.cursor)
        or (d.cursor.is_definition() and not _is_inline(d.cursor, types))
        for d in group
    )


def _is_inline(cursor: Cursor, types: Types) -> bool:
    file, start, _ = extent_of(cursor)
    head = types.unit.text(file)[start : offset_of(cursor)] if file else b""
    return re.search(rb"\binline\b", head) is not None
