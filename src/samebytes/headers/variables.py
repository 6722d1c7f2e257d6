"""Variables at namespace scope: where they lie, and what Python may do with them."""

from __future__ import annotations

from ..types import Const
from .comments import clean
from .cxxtypes import Types, is_const
from .exposure import Declared
from .functions import location
from .libclang import Kind, is_thread_local, type_kind
from .model import Variable

_REFERENCES = frozenset({Kind.LVALUE_REF, Kind.RVALUE_REF})


def read_variable(group: list[Declared], types: Types) -> Variable:
    """A variable from its declarations.

    Raises
    ------
    CannotCross
        With the reason.
    """
    cursor = group[-1].cursor
    canonical = cursor.type.get_canonical()
    if type_kind(canonical) in _REFERENCES:
        canonical = canonical.get_pointee()
    inner = types.crossing(canonical)
    return Variable(
        cursor.spelling,
        group[0].qualified,
        Const(inner) if is_const(canonical) else inner,
        types.spelling(canonical),
        symbol=cursor.mangled_name,
        thread_local=is_thread_local(cursor),
        location=location(cursor),
        doc=next(filter(None, (clean(d.cursor.raw_comment) for d in group)), ""),
    )
