"""Variables at namespace scope: where they lie, and what Python may do with them."""

from __future__ import annotations

import re

from ..types import Const
from .comments import clean
from .cxxtypes import Types, is_const
from .exposure import Declared
from .functions import location
from .libclang import Cursor, is_internal, is_thread_local, passing_of
from .measures import with_measures
from .model import Variable


def read_variable(group: list[Declared], types: Types) -> Variable:
    """A variable from its declarations.

    Raises
    ------
    CannotCross
        With the reason.
    """
    cursor = group[-1].cursor
    _, canonical = passing_of(cursor.type.get_canonical())
    inner = with_measures(types.crossing(canonical), cursor)
    return Variable(
        cursor.spelling,
        group[0].qualified,
        Const(inner) if is_const(canonical) else inner,
        types.spelling(canonical),
        symbol=cursor.mangled_name,
        thread_local=is_thread_local(cursor),
        repeated=_is_repeated(group, types),
        location=location(cursor),
        doc=next(filter(None, (clean(d.cursor.raw_comment) for d in group)), ""),
    )


def _is_repeated(group: list[Declared], types: Types) -> bool:
    """Whether every translation unit, or every library made of it, gets a variable of its own."""
    return any(
        is_internal(d.cursor) or (d.cursor.is_definition() and not _is_inline(d.cursor, types)) for d in group
    )


def _is_inline(cursor: Cursor, types: Types) -> bool:
    start = cursor.extent.start
    head = types.unit.text(start.file.name)[start.offset : cursor.location.offset] if start.file else b""
    return re.search(rb"\binline\b", head) is not None
