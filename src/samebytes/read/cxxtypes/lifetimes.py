"""Converted arguments and results that Python could not keep: what rules them out, and what C++ copies."""

from __future__ import annotations

from ...types import (
    Callback,
    Handle,
    Matrix,
    NdArray,
    Object,
    Owner,
    Target,
    Type,
    converted_parts,
    unqualified,
)
from .cxxtypes import CannotCross
from .standard import template_name


def check_made(type_: Type, passing: str, *, const: bool) -> None:
    """Raise for an argument that cannot be made of Python's objects without surprise."""
    whole, kept = unqualified(type_), passing == "lvalue_ref" and not const
    for part in converted_parts(whole):
        template = template_name(part.spelling)
        if template == "std::span" or (template == "std::initializer_list" and (part is not whole or kept)):
            raise CannotCross(f"a {template} inside another class would outlive what it shows")
        if isinstance(part, Matrix) and part.shows and part is not whole:
            raise CannotCross(f"a {template} inside another class would outlive what it shows")
        if isinstance(part, NdArray) and part.writes and part is not whole:
            raise CannotCross(f"a {template} inside another class would outlive what it shows")
        copied = part.target if isinstance(part, Object) and not part.refers else None
        given = isinstance(whole, Callback) and part is whole.function.result  # which is moved
        if isinstance(copied, Handle) and not copied.copyable and not given:
            raise CannotCross(f"its {copied} objects can only be moved, and Python keeps them")
        if not isinstance(part, Owner) or part.shared:
            continue
        if not part.own:
            raise CannotCross("Python's objects are not made for its deleter")
        if part is not whole and passing == "lvalue_ref" and const:
            raise CannotCross("it would take the objects over for a call that only looks at them")


def check_told(result: Type) -> None:
    """Raise for a result that Python could not call."""
    if _calls(result):
        raise CannotCross("Python gets no std::function out of a container; it calls one by itself")


def check_shown(variable: Type) -> None:
    """Raise for a variable that Python could not call."""
    if _calls(variable):
        raise CannotCross(
            "a std::function as a variable does not cross; a function that takes one can set it"
        )


def _calls(type_: Type) -> bool:
    return any(isinstance(part, Callback) for part in converted_parts(unqualified(type_)))


def check_kept(result: Type, passing: str) -> None:
    """Raise for a result that would have to be copied and cannot be."""
    if (passing == "lvalue_ref" or isinstance(result, Target)) and not is_copyable(result):
        raise CannotCross("it refers to objects that can only be moved, so Python gets no copy")


def is_copyable(type_: Type) -> bool:
    """Whether C++ copies a converted object."""
    if isinstance(unqualified(type_), Callback):
        return True  # whatever its callable gives
    parts = list(converted_parts(unqualified(type_)))
    moved = any(
        (isinstance(p, Owner) and not p.shared) or template_name(p.spelling) == "std::unique_ptr"
        for p in parts
    )
    return not moved and all(
        p.refers or getattr(p.target, "copyable", True) for p in parts if isinstance(p, Object)
    )
