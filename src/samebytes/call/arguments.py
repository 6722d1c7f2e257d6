"""Which parameters the arguments of a call bind to, by position, by name and by default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import ArgumentError, Error, arity_error, plain_error
from ..frozen import frozen
from ..model.intents import IN
from ..model.signature import Parameter, Signature, is_unsettled
from ..model.slots import is_discarded
from ..types import MISSING, Const, Handle, Pointer, Scalar, Struct, unqualified
from .candidate import Candidate
from .introspection import keyword_names, needed_default_text, visible_text

_PLAIN = (int, float, complex, str, bytes)  # values that no pointer to one takes


def by_shape(
    candidates: Sequence[Candidate], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> list[tuple[int, list[Any]]]:
    """The candidates whose number and names of arguments fit, each with the arguments in its order."""
    found = []
    for index, candidate in enumerate(candidates):
        names = keyword_names(candidate.signature, candidate.parameters)
        rest = names[len(args) :]
        if len(args) + len(kwargs) == len(names) and set(rest) == set(kwargs):
            found.append((index, [*args, *(kwargs[name] for name in rest)]))
    return found


@frozen
class Unbound:
    """Why the arguments of a call do not bind to the parameters of an overload.

    Attributes
    ----------
    signature : Signature
    given : int
        The number of the arguments.
    sentence : str
        What follows the function's name; empty where it is their number.
    outputs : tuple of Parameter
        Those that may be outputs, where the arguments are as many as the others.
    """

    signature: Signature
    given: int
    sentence: str = ""
    outputs: tuple[Parameter, ...] = ()

    def error(self, function: str) -> Error:
        """The error of a function that has this overload alone."""
        if self.sentence:
            form = visible_text(self.signature)
            return plain_error(ArgumentError, function, f"{self.sentence}; it takes {form}")
        places = [(self.signature.name, p.name, p.reason) for p in self.signature.shown if is_unsettled(p)]
        outputs = () if places else tuple(p.name for p in self.outputs)
        return arity_error(function, [visible_text(self.signature)], self.given, places, outputs)


def completed(
    signature: Signature, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> dict[str, Any] | Unbound:
    """All arguments by their names, with the default values that Python knows; or why they do not bind.

    From the first one on that only C++ knows, no default is there: C++ supplies them all.
    """
    names = keyword_names(signature, signature.shown)
    sentence = _refusal(signature, names, args, kwargs)
    if sentence is not None:
        return Unbound(signature, len(args) + len(kwargs), sentence, _outputs(signature, args, kwargs))
    found = dict(zip(names, args, strict=False)) | dict(kwargs)
    for name, parameter in zip(names, signature.shown, strict=True):
        if name not in found and parameter.default is not None:
            if parameter.default.value is MISSING:
                break
            found[name] = parameter.default.value
    return found


def _outputs(signature: Signature, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """The parameters that C++ may write one value to, if those without them are as many as the arguments."""
    if kwargs or not all(p.name for p in signature.shown):
        return ()
    found = tuple(p for p in signature.shown if _may_be_output(p))
    others = [p for p in signature.shown if p not in found]
    if len(others) == len(args) and not any(
        p in found and not isinstance(given, _PLAIN) for p, given in zip(signature.shown, args, strict=False)
    ):
        return found
    behind = signature.shown[len(args) :]
    return behind if behind and all(p in found for p in behind) else ()


def _may_be_output(parameter: Parameter) -> bool:
    """Whether it is a ``T*`` or ``T&`` of a number, a record or a pointer that nobody said anything of."""
    if parameter.intent != IN or parameter.default is not None:
        return False
    if is_discarded(parameter):
        return True
    type_ = unqualified(parameter.type)
    if not isinstance(type_, Pointer) or isinstance(type_.pointee, Const) or type_.memory:
        return False
    return isinstance(type_.pointee, Scalar | Pointer | Struct) and not isinstance(type_.pointee, Handle)


def _refusal(
    signature: Signature, names: tuple[str, ...], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> str | None:
    """Why arguments do not bind, see :class:`Unbound`; None if they do."""
    for name in kwargs:
        if name not in names:
            return f"has no parameter {name!r}"
        if names.index(name) < len(args):
            return f"got parameter {name!r} twice, by position and by name"
    missing = {
        n: p.default
        for n, p in zip(names[len(args) :], signature.shown[len(args) :], strict=False)
        if n not in kwargs
    }
    if len(args) > len(names) or (None in missing.values() and not kwargs):
        return ""
    if any(is_unsettled(p) for n, p in zip(names, signature.shown, strict=True) if missing.get(n, n) is None):
        return ""
    if needed := [n for n, default in missing.items() if default is None]:
        return f"needs {needed[0]!r}"
    unknown = next((n for n, default in missing.items() if default and default.value is MISSING), None)
    later = [name for name in names[names.index(unknown) :] if name in kwargs] if unknown else []
    default = missing[unknown] if unknown and later else None
    return needed_default_text(unknown, default.text, later[0]) if unknown and default else None
