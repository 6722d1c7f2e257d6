"""Macros that are expressions: ``#define errno (*__errno_location())``, evaluated by C each time."""

from __future__ import annotations

from ...model.signature import Signature
from ..clang.kinds import ARRAYS
from ..clang.libclang import ClangType, Cursor, type_kind
from ..cxxtypes.cxxtypes import CannotCross, Types
from ..cxxtypes.lifetimes import check_kept, check_told
from ..functions.functions import location, type_and_passing

MACRO = "macro"


def read_expression(macro: Cursor, type_: ClangType, types: Types) -> Signature:
    """What evaluates a macro: like a function without parameters.

    Raises
    ------
    CannotCross
        If its value cannot come to Python.
    """
    canonical = type_.get_canonical()
    if type_kind(canonical) in ARRAYS:
        raise CannotCross(
            "it is an array, of which only C knows where it lies: a function of your own can tell"
        )
    result, passing = type_and_passing(canonical, types)
    check_told(result)
    check_kept(result, passing)
    name = macro.spelling
    return Signature(
        name, name, (), result, types.spelling(canonical), symbol=f"{name} ({MACRO})", kind=MACRO,
        location=location(macro),
    )  # fmt: skip
