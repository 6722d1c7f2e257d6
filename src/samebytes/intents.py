"""What a C++ parameter means to the caller: the intents and the rules they obey."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, ClassVar

from .errors import BindError, IntentError
from .types import VOID, Const, Pointer, Type


@dataclass(frozen=True, slots=True)
class Intent:
    """The root of the intents (Numbast, "Argument intents").

    Attributes
    ----------
    name : str
        The word that configurations use.
    visible : bool
        Whether the parameter stays in the Python call.
    """

    name: ClassVar[str] = ""
    visible: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class In(Intent):
    """The value goes in; what C++ writes to it is not seen. It is the default."""

    name: ClassVar[str] = "in"
    chosen: bool = False  # the user wrote it down, so that discarded outputs are no surprise


@dataclass(frozen=True, slots=True)
class OutReturn(Intent):
    """The parameter leaves the call: storage is made for it, and its value is returned."""

    name: ClassVar[str] = "out_return"
    visible: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class InOutPtr(Intent):
    """The caller passes an addressable object, which C++ reads and changes."""

    name: ClassVar[str] = "inout_ptr"


@dataclass(frozen=True, slots=True)
class OutPtr(Intent):
    """The caller passes storage of its own, which C++ fills."""

    name: ClassVar[str] = "out_ptr"


@dataclass(frozen=True, slots=True)
class OutArrayReturn(Intent):
    """The parameter leaves the call: storage for an array is made, and its elements are returned.

    Attributes
    ----------
    dtype : Type or None
        The element type; None takes it from the declaration.
    length : int, str or None
        Elements; the name of the parameter that says how many; None takes it from the declaration.
    shape : bool
        Nested tuples of the declared extents instead of one flat tuple.
    as_array : bool
        A NumPy array instead of tuples (host only).
    """

    name: ClassVar[str] = "out_array_return"
    visible: ClassVar[bool] = False
    dtype: Type | None = None
    length: int | str | None = None
    shape: bool = False
    as_array: bool = False


IN = In()
INTENTS: dict[str, Intent] = {intent.name: intent for intent in (In(chosen=True), OutReturn())}


def suggest(word: str, known: list[str]) -> str:
    """`` Did you mean 'x'?`` for the nearest known word, or nothing."""
    near = get_close_matches(word, known, n=1)
    return f" Did you mean {near[0]!r}?" if near else ""


def parse_intent(spec: object, where: str) -> Intent:
    """An intent from its name or an :class:`Intent` object.

    Raises
    ------
    IntentError
        If no intent has that name.
    """
    if isinstance(spec, Intent):
        return spec
    if isinstance(spec, str) and spec in INTENTS:
        return INTENTS[spec]
    raise IntentError(
        f"{where}: unknown intent {spec!r}; known: {', '.join(INTENTS)}.{suggest(str(spec), list(INTENTS))}"
    )


def out_type(type_: Type, passing: str, where: str) -> Type:
    """The type of the storage that an output parameter needs.

    Parameters
    ----------
    type_ : Type
        The parameter's type; for a reference, of what it refers to.
    passing : str
        ``"value"``, ``"lvalue_ref"`` or ``"rvalue_ref"``.

    Raises
    ------
    IntentError
        If C++ could not write through the parameter.
    """
    if passing == "value" and isinstance(type_, Pointer):
        if type_.const:
            raise IntentError(f"{where}: {type_} points to const, so C++ cannot write through it; use 'in'.")
        if type_.pointee == VOID:
            raise IntentError(f"{where}: void* does not say how much C++ writes; pass an array.")
        return type_.pointee
    if passing == "value":
        raise IntentError(f"{where}: {type_} is passed by value; an output must be a pointer or a reference.")
    if isinstance(type_, Const):
        raise IntentError(f"{where}: a const reference cannot be an output; use 'in'.")
    return type_


def resolve_intents(function: str, names: tuple[str, ...], spec: Mapping[Any, object]) -> dict[int, Intent]:
    """Intents by parameter index, from a mapping keyed by parameter name or 0-based index.

    Raises
    ------
    BindError
        If a key is neither a parameter's name nor a valid index; the message lists what exists.
    """
    chosen: dict[int, Intent] = {}
    for key, value in spec.items():
        if isinstance(key, bool) or not isinstance(key, int | str):
            raise BindError(f"{function}(): arg_intent key {key!r} is neither a parameter name nor an index.")
        if isinstance(key, int):
            if not 0 <= key < len(names):
                raise BindError(
                    f"{function}(): arg_intent index {key} is out of range for {len(names)} parameters."
                )
            index = key
        else:
            if key not in names:
                raise BindError(
                    f"{function}(): arg_intent names an unknown parameter {key!r}; "
                    f"known: {', '.join(names) or '(none)'}.{suggest(key, list(names))}"
                )
            index = names.index(key)
        if index in chosen:
            raise BindError(f"{function}(): arg_intent names parameter {names[index]!r} twice.")
        chosen[index] = parse_intent(value, f"{function}() parameter {names[index]!r}")
    return chosen
