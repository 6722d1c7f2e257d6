"""Which overloads fit a call by the number and the names of its arguments; defaults that are skipped are filled in."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from numba import typeof, types

from ...call.introspection import needed_default_text, unknown_parameter_text, visible_text
from ...errors import ArgumentError, Error, arity_error, plain_error
from ...model.signature import Parameter, Signature
from ...types import MISSING


class Shape(Protocol):
    """What is asked of one way to call."""

    @property
    def signature(self) -> Signature: ...
    @property
    def given(self) -> int: ...
    @property
    def visible(self) -> tuple[Parameter, ...]: ...
    @property
    def names(self) -> tuple[str, ...]: ...


Given = tuple[tuple[Any, ...], Mapping[str, Any]]


def by_shape(
    directs: Sequence[Shape], args: tuple[Any, ...], kws: Mapping[str, Any]
) -> list[tuple[int, Given]]:
    """The ways to call whose number and names of arguments fit.

    Returns
    -------
    list of (index, (types, defaults))
        The types of all arguments in order, and the values of those that the call leaves out, by name.
    """
    found: list[tuple[int, Given]] = []
    for index, direct in enumerate(directs):
        rest = direct.names[len(args) :]
        if len(args) + len(kws) == len(direct.names) and set(rest) == set(kws):
            found.append((index, ((*args, *(kws[name] for name in rest)), {})))
    return found or list(_completed(directs, args, kws))


def _completed(directs: Sequence[Shape], args: tuple[Any, ...], kws: Mapping[str, Any]) -> Any:
    """Calls that skip a default and give a later argument by name: Python supplies the constants it knows.

    Of one overload the first way that does counts, the widest: C++ supplies the last defaults by itself.
    """
    done = set[Signature]()
    for index, direct in enumerate(directs):
        if direct.signature in done or len(args) > len(direct.names):
            continue
        rest = dict(zip(direct.names, direct.visible, strict=True))
        for name in direct.names[: len(args)]:
            del rest[name]
        values = {n: p.default.value for n, p in rest.items() if n not in kws and p.default is not None}
        if set(rest) == set(kws) | set(values) and not any(v is MISSING for v in values.values()):
            given = [kws[name] if name in kws else constant_type(values[name]) for name in rest]
            done.add(direct.signature)
            yield index, ((*args, *given), values)


_DOTS = (
    "takes its further arguments (...) from Python alone: for compiled code, write a C function that has them as "
    "parameters"
)


def constant_type(value: Any) -> Any:
    """Numba's type of a constant."""
    return types.literal(value) if type(value) in (bool, int, str) else typeof(value)


def shape_error(name: str, directs: Sequence[Shape], args: Sequence[Any], kws: Mapping[str, Any]) -> Error:
    """The error for arguments that fit no way to call by their number and names."""
    signatures = list(dict.fromkeys(d.signature for d in directs))
    known = {name for d in directs for name in d.names}
    for given in kws:
        if given not in known:
            return plain_error(ArgumentError, name, unknown_parameter_text(signatures[0], given))
    for direct in directs:
        for label, parameter in zip(direct.names[len(args) :], direct.visible[len(args) :], strict=True):
            default = parameter.default
            later = next((n for n in direct.names[direct.names.index(label) :] if n in kws), None)
            if label not in kws and default is not None and default.value is MISSING and later:
                return plain_error(ArgumentError, name, needed_default_text(label, default.text, later))
    if any(s.family or (s.variadic and len(args) > len(s.shown)) for s in signatures):
        return plain_error(ArgumentError, name, _DOTS)
    return arity_error(name, [visible_text(s) for s in signatures], len(args) + len(kws))


def python_signature(names: Sequence[str], defaults: Mapping[str, Any] | None = None) -> inspect.Signature:
    """The names of arguments, in Python's form."""
    kind, none = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
    given = defaults or {}
    # Once one has a default, Python wants one of each that follows; those are given by name.
    made, filled = [], False
    for name in names:
        filled = filled or name in given
        made.append(inspect.Parameter(name, kind, default=given.get(name) if filled else none))
    return inspect.Signature(made)


def named_arguments(
    names: Sequence[str], given: Mapping[str, Any]
) -> tuple[tuple[Any, ...], inspect.Signature]:
    """Arguments of which some are left out, in one order whatever names a call gives.

    A signature forgets names on its way to machine code: what is left out has a type that says so.
    """
    whole = tuple(given.get(name, types.Omitted(None)) for name in names)
    return whole, python_signature(names, dict.fromkeys(names))


def present(names: Sequence[str], given: Sequence[Any], args: Sequence[Any]) -> dict[str, tuple[Any, Any]]:
    """Of such arguments those that are there: type and value by name."""
    rows = zip(names, given, args, strict=True)
    return {name: (kind, value) for name, kind, value in rows if not isinstance(kind, types.Omitted)}
