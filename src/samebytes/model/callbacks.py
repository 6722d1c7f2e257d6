"""How a Python callable sees what C++ calls it with: the ways of ``include/samebytes/crossing/callable.hpp``."""

from __future__ import annotations

from ..types import (
    Argument,
    Const,
    Converted,
    Handle,
    Named,
    Object,
    Owner,
    Struct,
    converted_parts,
    unqualified,
)


def shown_as(argument: Argument) -> str:
    """How a callback sees an argument: the name of one of the ways in ``crossing/callable.hpp``."""
    bare = unqualified(argument.type)
    if isinstance(bare, Converted):
        return "kept" if _is_kept(bare, argument.passing) else "copied"
    if isinstance(bare, Handle):
        return "address" if argument.passing == "lvalue_ref" else "object"
    if isinstance(bare, Struct):
        return "address" if argument.passing == "lvalue_ref" and not is_const(argument) else "copied"
    refers = argument.passing != "value" and not isinstance(argument.type, Const)
    return "address" if refers else "copied"


def is_const(argument: Argument) -> bool:
    """Whether a callback may not write to what it is given."""
    return isinstance(argument.type, Const)


def is_lent(argument: Argument) -> bool:
    """Whether C++ shows an object that may be a temporary one, ``const T&``: a callback that keeps it keeps a copy."""
    return (
        argument.passing == "lvalue_ref"
        and is_const(argument)
        and isinstance(unqualified(argument.type), Handle | Named)
    )


def _is_kept(type_: Converted, passing: str) -> bool:
    """Whether Python sees objects inside of a value that passes, which it then owns or shares.

    Of what C++ cannot copy, and lends, they stay C++'s.
    """
    parts = [*converted_parts(type_)]
    objects = [p for p in parts if isinstance(p, Owner) or (isinstance(p, Object) and not p.refers)]
    return bool(objects) and (passing != "lvalue_ref" or all(map(_is_copyable, objects)))


def _is_copyable(part: Converted) -> bool:
    if isinstance(part, Owner):
        return part.shared
    target = unqualified(part.target) if isinstance(part, Object) else None
    return not isinstance(target, Handle) or target.copyable
