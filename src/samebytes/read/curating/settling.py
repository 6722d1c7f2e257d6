"""Chosen intents against the declaration: what contradicts it is refused, what it says is filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import prod
from typing import Any

from ...model.intents import In, InOutPtr, Intent, OutArrayReturn, OutPtr, OutReturn, Owned, suggest
from ...model.signature import Parameter, Signature
from ...model.slots import MOST_IN_TUPLE, factors, grid, refused, storage_type, written_type
from ...types import VOID, CArray, Named, Pointer, Scalar, Struct, Type, unqualified

# Finds the type that a name means, or raises TypeError.
Lookup = Callable[[str], Type]


def settle(parameter: Parameter, signature: Signature, lookup: Lookup, known: Mapping[str, str]) -> Parameter:
    """The parameter with its intent checked, and completed from the declaration.

    Parameters
    ----------
    parameter : Parameter
        With the intent that the user chose.
    signature : Signature
        Its function, with all intents.
    lookup : callable
        The type that a name in ``dtype`` means.
    known : dict of str to str
        The records that are bound: why no storage can be made for one; empty where it can.

    Raises
    ------
    IntentError
        If the intent contradicts the declaration.
    """
    if signature.kind == "constructor" and not parameter.intent.visible:
        raise refused(
            parameter, "has no place in a constructor, whose call returns the object: use 'inout_ptr'."
        )
    return _RULES[type(parameter.intent)](parameter, signature, lookup, known)


def _as_it_is(parameter: Parameter, *_: Any) -> Parameter:
    return parameter


def _place(parameter: Parameter, *_: Any) -> Parameter:
    written_type(parameter)
    storage_type(parameter)
    return parameter


def _returned(
    parameter: Parameter, signature: Signature, lookup: Lookup, known: Mapping[str, str]
) -> Parameter:
    if unqualified(written_type(parameter)) == VOID:
        raise refused(
            parameter, f"cannot tell how much C++ writes through {parameter.spelling}: pass an array, or choose "
            "'out_array_return' with dtype and length."
        )  # fmt: skip
    stored = storage_type(parameter)
    _check_bound(parameter, stored, known)
    _check_capacity(parameter, signature, stored)
    if isinstance(stored, CArray):
        _check_number(parameter, prod(stored.shape))
    return parameter


def _check_capacity(parameter: Parameter, signature: Signature, stored: Type) -> None:
    """What measures a buffer is one whole number, and the buffer a pointer that a call gives."""
    assert isinstance(parameter.intent, OutReturn)
    buffer = parameter.intent.capacity
    buffers = {
        p.name: p for p in signature.arguments if p.intent.visible and isinstance(p.value_type, Pointer)
    }
    if not buffer:
        return
    if not isinstance(stored, Scalar) or stored.kind not in ("int", "uint"):
        raise refused(parameter, f"has a capacity, and {parameter.spelling} is no place of a whole number.")
    if buffer not in buffers and not parameter.intent.guessed:
        known = ", ".join(buffers) or "(none)"
        raise refused(
            parameter, f"has capacity {buffer!r}, and that is no pointer that a call gives; those are: {known}."
            f"{suggest(buffer, list(buffers))}"
        )  # fmt: skip


def _check_bound(parameter: Parameter, stored: Type, known: Mapping[str, str]) -> None:
    unbound = "is not bound" if isinstance(stored, Named) else ""
    why = known.get(stored.name, unbound) if isinstance(stored, Named | Struct) else ""
    if why:
        raise refused(parameter, f"needs storage, and {stored} {why}, so none can be made for it: use 'in'.")


def _check_number(parameter: Parameter, length: int) -> None:
    if length > MOST_IN_TUPLE:
        raise refused(
            parameter, f"would return {length} elements one by one, and a tuple gets at most {MOST_IN_TUPLE}: choose "
            "'out_array_return' with as_array=True, or pass an array ('in')."
        )  # fmt: skip


def _array(parameter: Parameter, signature: Signature, lookup: Lookup, known: Mapping[str, str]) -> Parameter:
    intent = parameter.intent
    assert isinstance(intent, OutArrayReturn)
    declared, extents = grid(parameter)
    if not extents:
        raise refused(
            parameter,
            f"needs a pointer or an array, and {parameter.spelling} is one {declared}: use 'out_return'.",
        )
    dtype = _element(parameter, declared, intent.dtype, lookup)
    _check_bound(parameter, dtype, known)
    length = _length(parameter, signature, extents, intent.length)
    if isinstance(length, int) and not intent.as_array:
        _check_number(parameter, length)
    return replace(parameter, intent=replace(intent, dtype=dtype, length=length))


def _element(parameter: Parameter, declared: Type, said: Type | str | None, lookup: Lookup) -> Type:
    if said is None:
        if declared == VOID:
            raise refused(parameter, "on void* needs dtype and length: the declaration does not say them.")
        return declared
    try:
        meant = said if isinstance(said, Type) else lookup(said)
    except TypeError as error:
        raise refused(parameter, f"has dtype {said!r}: {error}") from None
    if declared in (VOID, meant) or str(declared) == str(meant):
        return meant if declared == VOID else declared
    raise refused(
        parameter, f"has dtype {said}, and the declaration says {declared} ({parameter.declaration}): leave dtype out."
    )  # fmt: skip


def _length(
    parameter: Parameter, signature: Signature, extents: tuple[int | None, ...], said: int | str | None
) -> int | str:
    fixed = prod(e for e in extents if e is not None)
    open_ = None in extents
    if said is None:
        if open_:
            raise refused(
                parameter, f"needs a length: {parameter.declaration} does not say how many elements C++ writes; "
                "give length=12, or length=\"n\" for the parameter that says it."
            )  # fmt: skip
        return fixed
    if isinstance(said, str):
        if not open_:
            raise refused(
                parameter, f"has length {said!r}, and {parameter.declaration} says {fixed}: leave length out."
            )
        _check_factors(parameter, signature, said)
        return said
    if said % fixed if open_ else said != fixed:
        words = f"rows of {fixed} elements" if open_ else f"{fixed} elements"
        raise refused(parameter, f"has length {said}, and {parameter.declaration} says {words}.")
    return said


def _check_factors(parameter: Parameter, signature: Signature, length: str) -> None:
    numbers = {p.name: p for p in signature.parameters if p.intent.visible and _is_integer(p)}
    for factor in factors(length):
        if isinstance(factor, str) and factor not in numbers:
            known = ", ".join(numbers) or "(none)"
            raise refused(
                parameter, f"has length {length!r}, and {factor!r} is no integer parameter of the call; "
                f"those are: {known}.{suggest(factor, list(numbers))}"
            )  # fmt: skip


def _is_integer(parameter: Parameter) -> bool:
    type_ = unqualified(parameter.value_type)
    return isinstance(type_, Scalar) and type_.kind in ("int", "uint") and not parameter.place


_RULES: dict[type[Intent], Callable[..., Parameter]] = {
    In: _as_it_is, Owned: _as_it_is, InOutPtr: _place, OutPtr: _place, OutReturn: _returned, OutArrayReturn: _array,
}  # fmt: skip
