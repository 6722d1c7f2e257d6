"""What each C++ parameter takes up in a call, by its intent: what Python fills in, and what C++ fills."""

from __future__ import annotations

import re
from math import prod

from ..errors import READ_AND_CHANGED, IntentError
from ..layouts import has_pointers, walk
from ..types import (
    UNSEEN,
    VOID,
    Array,
    Callback,
    CArray,
    Const,
    Converted,
    FilePath,
    Function,
    Handle,
    Held,
    Named,
    NdArray,
    Owner,
    Pointer,
    Stream,
    Struct,
    Target,
    Text,
    Type,
    converted_parts,
    unqualified,
)
from .intents import OutArrayReturn
from .signature import Parameter, Signature


def refused(parameter: Parameter, reason: str) -> IntentError:
    """The error for an intent that contradicts the declaration."""
    return IntentError(f"parameter {parameter.name!r}: {parameter.intent.name!r} {reason}")


def written_type(parameter: Parameter) -> Type:
    """The type of the object that C++ writes through a parameter.

    Raises
    ------
    IntentError
        If C++ cannot write through it.
    """
    type_ = parameter.type
    if parameter.passing != "value":
        if isinstance(type_, Const):
            raise refused(
                parameter, f"is for outputs, and C++ cannot write through {parameter.spelling}: use 'in'."
            )
        return type_
    if isinstance(type_, Target):
        if parameter.spelling.startswith("const "):
            raise refused(parameter, f"is for outputs, and {parameter.spelling} points to const: use 'in'.")
        return type_.value
    if not isinstance(type_, Pointer):
        raise refused(
            parameter,
            f"needs a reference or a pointer (T&, T&&, T*), and {parameter.spelling} is passed by value.",
        )
    if type_.const:
        raise refused(parameter, f"is for outputs, and {parameter.spelling} points to const: use 'in'.")
    return type_.pointee


def viewed(signature: Signature) -> tuple[Struct, bool] | None:
    """The class and const of the object that a result refers to, where Python gets a view of it; else None.

    Of a record that is const it gets a copy (``const T&``) or a view that refuses to be written to (``const T*``).
    """
    result = signature.result
    target, const = unqualified(result), isinstance(result, Const)
    if signature.result_passing != "lvalue_ref":
        return None if keeps_arguments(signature) else pointed(target)
    refers = isinstance(target, Handle) or (isinstance(target, Struct) and not const)
    return (target, const) if refers and isinstance(target, Struct) else None


def pointed(type_: Type) -> tuple[Struct, bool] | None:
    """The class and const of the object that a pointer of C++ points to, where Python gets a view; else None."""
    if not isinstance(type_, Pointer) or not isinstance(target := type_.target, Struct):
        return None
    # In C a record that is only read is one as any other.
    return target, type_.const and (isinstance(target, Handle) or not type_.viewed)


def grid(parameter: Parameter) -> tuple[Type, tuple[int | None, ...]]:
    """The element type and the declared extents of an array parameter; None for one that is left open.

    ``float out[3][4]`` has (3, 4), ``float* out`` and ``float out[]`` have (None,), ``float& out`` has ().
    """
    target = unqualified(written_type(parameter))
    inner = target.shape if isinstance(target, CArray) else ()
    element = target.element if isinstance(target, CArray) else target
    return unqualified(element), (parameter.extent or None, *inner) if parameter.passing == "value" else inner


def storage_type(parameter: Parameter) -> Type:
    """The type whose bytes the frame holds for a parameter; an array where only the call knows its length."""
    intent = parameter.intent
    if intent.visible:
        place = parameter.place and parameter.passing != "value"
        if intent.place and isinstance(parameter.value_type, Converted):
            made = parameter.value_type.words
            raise refused(
                parameter,
                f"needs an object to write to, and each call makes its own {made}: {READ_AND_CHANGED}.",
            )
        return Pointer(unqualified(written_type(parameter))) if place else parameter.value_type
    if isinstance(intent, OutArrayReturn):
        return _array_type(parameter, intent)
    pointee = unqualified(written_type(parameter))
    if isinstance(pointee, Handle):
        raise refused(parameter, f"needs storage, and only C++ makes a {pointee}: use 'inout_ptr'.")
    if isinstance(pointee, Converted):
        return Held(pointee)
    if not parameter.extent:
        return pointee
    inner = pointee.shape if isinstance(pointee, CArray) else ()
    element = pointee.element if isinstance(pointee, CArray) else pointee
    return CArray(element, (parameter.extent, *inner))


def is_discarded(parameter: Parameter) -> bool:
    """Whether C++ may write to a copy that the call makes, so that nobody sees what."""
    target = isinstance(parameter.value_type, Target)
    if not target and (parameter.passing != "lvalue_ref" or not parameter.may_write):
        return False  # most of them: no intent is compared
    if not parameter.intent.visible or parameter.place or isinstance(parameter.value_type, Stream | NdArray):
        return False
    return not target or not parameter.spelling.startswith("const ")


def is_lent(parameter: Parameter) -> bool:
    """Whether C++ sees a smart pointer that owns the object for the length of the call only."""
    type_ = parameter.value_type
    unique = isinstance(type_, Owner) and not type_.shared
    return unique and parameter.passing == "lvalue_ref" and not parameter.may_write


def is_offered(parameter: Parameter) -> bool:
    """Whether C++ may take an object out of a smart pointer, or leave it there: then it stays Python's."""
    type_ = parameter.value_type
    unique = isinstance(type_, Owner) and not type_.shared
    return unique and parameter.passing != "value" and not is_lent(parameter)


def takes_over(parameter: Parameter) -> bool:
    """Whether C++ comes to own objects of Python's."""
    whole = parameter.value_type
    if not isinstance(whole, Converted) or isinstance(whole, Callback) or is_lent(parameter):
        return False  # what a callable gives, it gives later
    return any(isinstance(part, Owner) and not part.shared for part in converted_parts(whole))


def keeps_arguments(signature: Signature) -> bool:
    """Whether the result may point into an argument that the shim made, which must then outlive the call."""
    result = unqualified(signature.result)
    if not isinstance(result, Pointer) or signature.result_passing != "value":
        return False
    # Text holds no object of a class.
    harmless = (Text, FilePath) if isinstance(result.target, Named | Struct) else ()
    return any(
        p.intent.visible
        and isinstance(p.value_type, Converted)
        and not isinstance(p.value_type, harmless)
        and (p.passing != "value" or isinstance(p.value_type, Target))
        for p in signature.parameters
    )


def keeps_converted(signature: Signature) -> bool:
    """Whether what a call makes may refer to what the shim makes of an argument, which then lives as long as that."""
    made = unqualified(signature.result)
    if not keeps_arguments(signature) and any(is_made(signature.parameters[i]) for _, i in signature.keeps):
        return True
    if signature.result_passing != "value" or isinstance(made, Pointer):
        return False
    converted = [
        p.value_type
        for p in signature.parameters
        if p.intent.visible and p.passing != "value" and isinstance(p.value_type, Converted)
    ]
    if not converted:
        return False
    parts = list(walk(made))
    refers = {name for part in parts for name in _referred(part)}
    targets = [part.target for part in parts if isinstance(part, Pointer)]
    anything = UNSEEN in refers or not all(isinstance(t, Named | Struct | Function) for t in targets)
    # Text holds no object of a class.
    return any(
        anything
        or t.spelling.removeprefix("const ") in refers
        or (bool(refers or targets) and not isinstance(t, Text | FilePath))
        for t in converted
    )


def _referred(part: Type) -> tuple[str, ...]:
    """What the objects of a part of a result may refer to, unseen: of derived classes, nobody knows."""
    if isinstance(part, Owner):
        target = unqualified(part.target)
        open_to_others = isinstance(target, Handle) and target.polymorphic and not target.final
        return (UNSEEN,) if open_to_others else ()
    return part.refers if isinstance(part, Struct) else ()


def is_made(parameter: Parameter) -> bool:
    """Whether C++ gets a reference to what the shim makes of an argument."""
    crosses = parameter.passing != "value" and isinstance(parameter.value_type, Converted)
    return parameter.intent.visible and crosses


def may_keep(signature: Signature) -> bool:
    """Whether a result, or the object of a constructor, can keep what it refers to: it is no number, and no copy."""
    made = unqualified(signature.result)
    if signature.result_passing == "lvalue_ref":
        return viewed(signature) is not None
    if isinstance(made, Pointer):
        return not made.is_text
    parts = [part for part in walk(made) if isinstance(part, Struct)]
    if isinstance(made, Converted):
        return any(isinstance(p, Handle) or not p.complete or has_pointers(p) for p in parts)
    return isinstance(made, Struct)


def keeps_functions(signature: Signature) -> bool:
    """Whether a shim makes a std::function of a C function, which C++ may keep for longer than the call."""
    targets = (getattr(p.value_type, "target", None) for p in signature.parameters)
    return any(isinstance(target, Function) and target.holder for target in targets)


def result_type(signature: Signature) -> Type:
    """The type whose bytes the frame holds for the result."""
    plain = unqualified(signature.result)
    return Held(plain) if isinstance(plain, Converted) or keeps_arguments(signature) else plain


# Elements are Python objects in a tuple, and each is one of its own in compiled code: beyond, they take minutes.
MOST_IN_TUPLE, MOST_COMPILED = 1 << 24, 1024


def _array_type(parameter: Parameter, intent: OutArrayReturn) -> Type:
    element, extents = element_type(parameter), grid(parameter)[1]
    if isinstance(intent.length, str):
        return Array(element, len(extents) if intent.shape else 1)
    assert intent.length is not None
    rows = intent.length // prod(e for e in extents if e)
    shape = tuple(e or rows for e in extents) if intent.shape else (intent.length,)
    return CArray(element, shape)


def element_type(parameter: Parameter) -> Type:
    """The element type of a settled ``out_array_return`` parameter."""
    intent = parameter.intent
    assert isinstance(intent, OutArrayReturn)
    assert isinstance(intent.dtype, Type)
    declared = grid(parameter)[0]
    # The linked one, with its classes, but for void*.
    return intent.dtype if declared == VOID else declared


def factors(length: str) -> tuple[str | int, ...]:
    """The factors of a length: parameters' names, and numbers."""
    return tuple(int(f) if f.isdigit() else f for f in re.split(r"\s*\*\s*", length.strip()))


def fewest_arguments(signature: Signature) -> int:
    """The fewest leading C++ arguments that a call must give for its outputs: all up to the last of them."""
    names = {
        f
        for p in signature.parameters
        if isinstance(p.intent, OutArrayReturn) and isinstance(p.intent.length, str)
        for f in factors(p.intent.length)
    }
    last = [i for i, p in enumerate(signature.parameters, 1) if not p.intent.visible or p.name in names]
    return max(last, default=0)
