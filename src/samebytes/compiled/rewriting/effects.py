"""What calls may write to and what they give, as far as it is known before types are."""

from __future__ import annotations

import operator
from typing import Any

from ...types import Struct, unqualified
from ..arithmetic.operators import operators_of
from ..calls.choosing import Direct
from ..calls.overloads import Overloads
from ..calls.results import refers
from ..classes.constructors import FieldsConstructor

_PURE = frozenset({len, range, print, abs, int, float, bool, complex, min, max, enumerate, zip, tuple})


def is_pure(value: Any) -> bool:
    """Whether a function of Python's leaves its arguments as they are."""
    try:
        return value in _PURE
    except TypeError:
        return False


def makes_struct(bound: Any) -> bool:
    """Whether calls of what is bound surely give a struct."""
    return isinstance(bound, FieldsConstructor) or (isinstance(bound, Overloads) and gives_struct(bound))


def gives_struct(bound: Overloads) -> bool:
    """Whether some overload gives a struct."""
    return any(isinstance(unqualified(d.signature.result), Struct) for d in bound.directs)


def gives_reference(bound: Overloads) -> bool:
    """Whether some overload gives the very struct that C++ refers to."""
    return any(refers(d.signature) for d in bound.directs)


def writes(bound: Overloads, place: int | str, shift: int) -> bool:
    """Whether some overload may write to the argument at a position or of a name."""
    shift -= getattr(bound, "skipped", 0)
    return any(_writes_direct(d, place, shift) for d in bound.directs)


def written_operands(expression: Any) -> list[str]:
    """The variables whose objects an operator, or a subscript, may write to."""
    if expression.op == "unary":
        function, operands = expression.fn, [expression.value]
    elif expression.op == "binop":
        function, operands = expression.fn, [expression.lhs, expression.rhs]
    else:
        function, operands = operator.getitem, [expression.value]
    count = 2 if expression.op not in ("unary", "binop") else len(operands)
    found = operators_of(function, count)
    return [v.name for i, v in enumerate(operands) if any(writes(o, i, 0) for o in found)]


def _writes_direct(direct: Direct, place: int | str, shift: int) -> bool:
    index = direct.names.index(place) if isinstance(place, str) and place in direct.names else place
    if not isinstance(index, int) or not 0 <= index + shift < len(direct.visible):
        return False
    parameter = direct.visible[index + shift]
    if refers(direct.signature) and parameter.passing != "value":
        return True  # what writes to the result may write to it
    pointee = getattr(parameter.value_type, "pointee", None)
    aimed = pointee is not None and not getattr(parameter.value_type, "const", False)
    return parameter.place or aimed
