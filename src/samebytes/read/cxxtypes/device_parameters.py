"""Parameters that are addresses in a device's memory: ``samebytes::device_ptr<T>``."""

from __future__ import annotations

from ...types import Const, Type
from ..clang.kinds import Kind
from ..clang.libclang import ClangType, passing_of, type_kind
from .cxxtypes import CannotCross, Types, is_const
from .type_names import plain_name

_TEMPLATE = "samebytes::device_ptr<"


def device_parameter(type_: ClangType, types: Types) -> tuple[Type, str] | None:
    """Type and passing of a canonical parameter type that is such an address; None if it is none.

    Raises
    ------
    CannotCross
        With the reason.
    """
    passing, target = passing_of(type_)
    if type_kind(target) != Kind.RECORD or not plain_name(target.spelling).startswith(_TEMPLATE):
        return None
    if passing != "value" and not is_const(target):
        raise CannotCross("a device_ptr that C++ would change has no counterpart in Python; take it by value")
    made = types.value(target)
    return (made if passing == "value" else Const(made)), passing
