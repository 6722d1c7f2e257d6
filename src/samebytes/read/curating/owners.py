"""Factories and what ends their objects, as a user pairs them: ``owns={"open": "close", "*_new": "*_free"}``."""

from __future__ import annotations

import re
from dataclasses import replace

from ...errors import BindError, IntentError
from ...model.intents import Owned, suggest
from ...model.module import Module
from ...model.names import names_of
from ...model.signature import RESULT_PLACE, Signature
from ...types import Pointer
from .opening import waits
from .owning import Owning


def apply_owners(module: Module, pairs: tuple[tuple[str, str], ...], *, alone: bool = False) -> Module:
    """The module, whose named functions hand their results over; an intent for a result counts more.

    Parameters
    ----------
    pairs : tuple of (str, str)
        Functions, as intents name them, or patterns with one ``*``, and what ends the objects; there ``*`` is what it
        was in the function's name, and nothing is C++'s ``delete``.
    alone : bool
        Whether the module holds the instantiations of templates and nothing else.

    Raises
    ------
    BindError
        If a function does not exist, or a pattern means none that returns an object by pointer.
    IntentError
        If what is named cannot end the result.
    """
    if not pairs:
        return module
    functions, owning = list(module.functions), Owning(module)
    handed = {i for i, f in enumerate(functions) if f.hands_over}  # by intents
    for name, deleter in pairs:
        found = _meant(functions, name)
        if not found and not alone and not waits(name, module.templates):
            raise _unknown(functions, name)
        for index, between in found.items():
            if index not in handed:
                functions[index] = _owned(
                    module.functions[index], deleter.replace("*", between), name, owning
                )
    return replace(module, functions=tuple(owning.ending(functions)))


def apply_declared(module: Module) -> Module:
    """The module, in which a result that is declared as ``gsl::owner<T*>`` is Python's, and such a parameter C++'s.

    Of what is no object of a class that is bound, or none that ``delete`` ends, nothing follows.
    """
    if not any(f.owners for f in module.functions):
        return module
    owning = Owning(module)
    return replace(module, functions=tuple(_declared(f, owning) if f.owners else f for f in module.functions))


def _declared(signature: Signature, owning: Owning) -> Signature:
    for place in signature.owners:
        try:
            if place != RESULT_PLACE:
                signature = owning.taken(signature, place)
            elif not signature.hands_over:
                signature = owning.result(signature, Owned())
        except IntentError:
            continue
    return signature


def _meant(functions: list[Signature], name: str) -> dict[int, str]:
    """The functions that a name means, each with what its ``*`` stands for; of a pattern, those that give a pointer."""
    if "*" not in name:
        return {i: "" for i, f in enumerate(functions) if name in names_of(f)}
    start, _, end = name.partition("*")
    pattern = re.compile(f"{re.escape(start)}(.+){re.escape(end)}")
    found = {}
    for i, f in enumerate(functions):
        matches = (pattern.fullmatch(one) for one in names_of(f) if "(" not in one)
        if (match := next(filter(None, matches), None)) and (f.hands_over or isinstance(f.result, Pointer)):
            found[i] = match[1]
    return found


def _owned(signature: Signature, deleter: str, name: str, owning: Owning) -> Signature:
    try:
        return owning.result(signature, Owned("" if deleter == "delete" else deleter))
    except IntentError as error:
        raise IntentError(f"owns, {name!r}: {error}") from None


def _unknown(functions: list[Signature], name: str) -> BindError:
    givers = [f for f in functions if f.hands_over or isinstance(f.result, Pointer)]
    known = list(dict.fromkeys(f.qualified for f in givers))
    what = "a pattern that fits no function" if "*" in name else "an unknown function"
    shown = ", ".join(known[:8]) or "(none)"
    near = suggest(name, sorted({one for f in functions for one in names_of(f) if "(" not in one}))
    return BindError(f"owns names {what}, {name!r}; those that return pointers: {shown}.{near}")
