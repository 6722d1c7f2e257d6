"""C++ objects that are no bytes: by the address of the object itself, or of the base that it holds."""

from __future__ import annotations

import struct
import sys
from collections.abc import Mapping
from typing import Any

from ... import _native
from ...errors import CONST_OBJECT, COPIED, GIVEN_AS_CONST, ArgumentError, IntentError, Mismatch, value_words
from ...types import Container, Dictionary, Handle, Object, Owner, Struct, unqualified
from ...types.naming import BENEATH
from ..codecs import codec
from ..ending import gone_words, still_there
from .base import Packed
from .structs import address_of, base_offset, is_destroyed, namesake_advice, teach_base

_ADDRESS = struct.Struct("P")
_GONE = "It was destroyed with the cycle of references that it was part of"


def convert_handle(type_: Handle, value: Any, dialect: str, *, writes: bool = False) -> Packed:
    """The address of an object of a class, or of a class derived from it.

    Parameters
    ----------
    writes : bool
        Whether C++ may change the object.

    Raises
    ------
    Mismatch
        With IntentError as its error if C++ gave the object as const.
    """
    offset = base_offset(type_, value)
    check_present(str(type_), value)
    if offset is None:
        advice = _GONE if is_destroyed(value) else _of_elements(type_, value) or object_advice(type_, value)
        known = type_.short_name if BENEATH in type_.name else type_
        raise Mismatch(ArgumentError, f"an object of {known}", value_words(value), advice)
    if writes:
        _check_writable(type_, value)
        _native.note_written(value)
    teach_base(codec(type_, dialect), type_.name, value, offset)
    return Packed(_ADDRESS.pack(address_of(value) + offset), (value,))


def check_present(expected: str, value: Any) -> None:
    """Raise a Mismatch for an object that C++ has taken over."""
    if isinstance(value, _native.Handle) and value.__samebytes_taken__ and not value.__samebytes_awaits__:
        why = _native.why_gone(value)
        gone = f"It {gone_words(why)}" if why else CONFLICTS["gone"]
        raise Mismatch(IntentError, f"an object of {expected}", f"{type(value).__name__} object", gone)


def _check_writable(type_: Struct, value: Any) -> None:
    copied = _native.is_copy(value)
    if copied or _native.is_const(value):
        words = f"an object of {type_} that C++ may change"
        const = CONST_OBJECT if getattr(type_, "copyable", True) else GIVEN_AS_CONST
        raise Mismatch(IntentError, words, value_words(value), COPIED if copied else const)


def convert_object(type_: Object, value: Any, dialect: str) -> Packed:
    """The address of an object that C++ copies, or moves if it cannot, or refers to by a std::reference_wrapper."""
    target = unqualified(type_.target)
    assert isinstance(target, Struct)
    writes = type_.refers and target is type_.target
    if isinstance(target, Handle):
        writes = writes or not (type_.refers or target.copyable)
        return convert_handle(target, value, dialect, writes=writes)
    offset = base_offset(target, value)
    if offset is None or not isinstance(value, _native.Record):
        raise Mismatch(
            ArgumentError, f"an object of {target}", value_words(value), object_advice(target, value)
        )
    if writes:
        _check_writable(target, value)
        _native.note_written(value)
    return Packed(_ADDRESS.pack(address_of(value) + offset), (value,))


_OWNER = struct.Struct("PPPP")


def convert_owner(type_: Owner, value: Any, dialect: str) -> Packed:
    """The object that a smart pointer is to share or to own; None for null."""
    if value is None:
        return Packed(bytes(_OWNER.size))
    target = unqualified(type_.target)
    assert isinstance(target, Struct)
    check_present(str(target), value)
    offset = base_offset(target, value)
    if offset is None:
        raise Mismatch(
            ArgumentError, f"an object of {target} or None", value_words(value), object_advice(target, value)
        )
    if target is type_.target:
        _check_writable(target, value)
        _native.note_written(value)
    box = _native.ownership(value)[0]
    owner = value if type_.shared else None  # C++ copies the bytes of a record
    if not type_.shared and isinstance(target, Handle):
        _check_given(type_, target, value)
        owner = _native.Claim(value, _owned_words(type_, target))
    # The wire names the owner, which the call keeps: C++ takes a reference of its own, or what is claimed.
    held = 0 if owner is None else id(owner)
    packed = _OWNER.pack(address_of(value) + offset, box, held, _native.OWNER_API)
    return Packed(packed, (value if owner is None else owner,))


def _owned_words(type_: Owner, target: Handle) -> str:
    return f"an object of {target} that C++ can own ({type_.words})"


# Why C++ cannot have an object, by the core's reasons: `_native.REASONS`; of what is "seen", still_there() tells.
CONFLICTS = {
    "gone": "It is gone: a std::unique_ptr took it over in an earlier call",
    "unwatched": "Its class is Python's, and C++ would not say when it ends the object: the class of C++'s has no "
    "virtual destructor, is final, or is derived from in a package. Give C++ a std::shared_ptr, or an object of C++'s "
    "own class",
    "shared": "C++ shares it: a std::shared_ptr still holds it",
    "twice": "Another argument of this call is it, or lies inside of it, or refers to it",
    "used": "A call that is still running uses it",
    "made": "Python made it, where only Python can end it: sb.delete() does",
    "kept": "Python owns it, and ends it with the last reference to it or to what lies inside of it",
    "replaced": "A call that is still running uses the object that it would replace, and end",
    "beyond": "Python has objects that may lie inside of the object that it would replace, and end: drop them first",
}


def conflict(expected: str, value: Any, reason: str) -> Mismatch:
    """Why C++ cannot take an object over, or move from it, although it fits: who else has it."""
    why = still_there(value) if reason == "seen" else CONFLICTS[reason]
    return Mismatch(IntentError, expected, value_words(value), why)


def claim(packed: Packed) -> Packed:
    """Have C++ own what a value gives away, which it is about to take; the arguments of calls claim by themselves.

    Raises
    ------
    Mismatch
        If C++ cannot have one of the objects now: then it gets none.
    """
    found = _native.claim(packed.owners)
    if found is not None:
        value, expected, reason = found
        raise conflict(expected, value, reason)
    return packed


def _check_given(type_: Owner, target: Handle, value: Any) -> None:
    """Raise a Mismatch unless C++ may take an object over and delete it."""
    box, given, shared = _native.ownership(value)
    # Where Python's object holds C++'s, there is nothing that C++ could delete.
    inside = not (box or given or shared) and 0 <= value.__samebytes_address__ - id(value) < sys.getsizeof(
        value
    )
    derived = type(value).__samebytes_type__.name != target.name
    name = target.short_name
    reasons = (
        (inside, f"Its library makes it inside of Python's object: {name}(x), a copy, can be taken over"),
        (not given, "It is not Python's to give: C++ or another object holds it"),
        (shared, CONFLICTS["shared"]),
        (
            derived and not target.virtual,
            f"{target.short_name} has no virtual destructor, so C++ could not destroy it",
        ),
    )
    for applies, reason in reasons:
        if applies:
            raise Mismatch(IntentError, _owned_words(type_, target), value_words(value), reason)


def _of_elements(type_: Handle, value: Any) -> str:
    """How a class makes an object of a list or a dict whose elements are its own: C++ converts those only in braces."""
    name, makers = (
        type_.short_name,
        vars(type_.python).get("__samebytes_makers__", ()) if type_.python else (),
    )
    for made in (maker.parameter.value_type for maker in makers):
        parts = (made.element,) if isinstance(made, Container) else ()
        parts = (made.value,) if isinstance(made, Dictionary) else parts
        if not any(
            isinstance(p, Object) and getattr(p.target, "name", "") == type_.name
            for p in map(unqualified, parts)
        ):
            continue
        if isinstance(made, Dictionary) and isinstance(value, Mapping):
            return f"A dict of its objects serves, {{key: {name}(...)}}"
        if isinstance(made, Container) and isinstance(value, list | tuple):
            return f"A list of its objects serves, [{name}(...), ...]"
    return ""


def object_advice(type_: Struct, value: Any = None) -> str:
    """Why an object is none of a class of that name; else how Python comes to one, or why it makes none."""
    if advice := namesake_advice(type_, value):
        return advice
    if getattr(type_, "abstract", False):
        return ""
    cls: Any = type_.python
    if isinstance(type_, Handle) and cls is not None and cls.__samebytes_new__ is None:
        return f"{type_.short_name}() makes none: {cls.__samebytes_unmade__()}"
    return f"{type_.short_name}(...) makes one"
