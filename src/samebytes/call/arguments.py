"""Which parameters the arguments of a call bind to, by position, by name and by default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import ArgumentError, Error, arity_error, plain_error
from ..model.signature import Signature, is_unsettled
from ..types import MISSING
from .candidate import Candidate
from .introspection import keyword_names, needed_default_text, unknown_parameter_text, visible_text


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


def completed(
    function: str, signature: Signature, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> dict[str, Any] | Error:
    """All arguments by their names, with the default values that Python knows; or why they do not bind."""
    names = keyword_names(signature, signature.shown)
    error = _error(function, signature, names, args, kwargs)
    if error is not None:
        return error
    found = dict(zip(names, args, strict=False)) | dict(kwargs)
    for name, parameter in zip(names, signature.shown, strict=True):
        if name not in found and parameter.default is not None:
            found[name] = parameter.default.value
    return found


def _error(
    function: str,
    signature: Signature,
    names: tuple[str, ...],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> Error | None:
    if len(args) > len(names):
        return arity_error(function, [visible_text(signature)], len(args) + len(kwargs))
    for name in kwargs:
        if name not in names:
            return plain_error(ArgumentError, function, unknown_parameter_text(signature, name))
        if names.index(name) < len(args):
            return plain_error(
                ArgumentError, function, f"got parameter {name!r} twice, by position and by name"
            )
    missing = [
        (n, p)
        for n, p in zip(names[len(args) :], signature.shown[len(args) :], strict=True)
        if n not in kwargs
    ]
    if any(p.default is None for _, p in missing):
        places = [(signature.name, p.name, p.reason) for p in signature.shown if is_unsettled(p)]
        return arity_error(function, [visible_text(signature)], len(args) + len(kwargs), places)
    unknown = [(n, p) for n, p in missing if p.default is not None and p.default.value is MISSING]
    if unknown:
        name, parameter = unknown[0]
        text = parameter.default.text if parameter.default else ""
        return plain_error(ArgumentError, function, needed_default_text(name, text))
    return None
