"""Which overload C++ calls where some have ``...``, which comes after every conversion (ISO C++ [over.ics.rank])."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import _native
from ...errors import overload_error
from ...model.signature import FURTHER, Parameter, Signature
from ...types import BOOL, Maybe, Struct, unqualified
from .. import overloads, ranking
from ..candidate import Candidate
from ..conversion_sequences import UndecidedError
from ..implicit import converted_fit
from ..introspection import declaration_text


def comes_first(
    name: str, others: Sequence[Candidate], dotted: Sequence[Signature], args: Sequence[Any]
) -> bool:
    """Whether C++ calls an overload without ``...``, be it that the call of it is refused.

    Raises
    ------
    ArgumentError
        If one with ``...`` is as good: its declared parameters are nearer.
    """
    viable = [c for c in others if len(c.parameters) == len(args) and _is_viable(c.parameters, args)]
    rivals = [s for s in dotted if len(s.visible) < len(args)]
    if not viable or not rivals:
        return bool(viable)
    signatures = [*(c.signature for c in viable), *rivals]
    parameters = [*(c.parameters for c in viable), *(_with_further(s, len(args)) for s in rivals)]
    found = _choose(parameters, args)
    tied = found if isinstance(found, list) else []
    if any(i >= len(viable) for i in tied):
        got = ", ".join(type(a).__name__ for a in args)
        raise overload_error(name, [declaration_text(signatures[i]) for i in tied], got, tie=True)
    return True


def best_ellipsis(dotted: Sequence[Signature], args: Sequence[Any]) -> int:
    """The place of the overload with ``...`` that takes some arguments best; the first, if none takes them."""
    found = _choose([_with_further(s, len(args)) for s in dotted], args) if len(dotted) > 1 else 0
    return found if isinstance(found, int) else next(iter(found), 0)


def _choose(parameters: Sequence[Sequence[Parameter]], args: Sequence[Any]) -> int | list[int]:
    values = dict.fromkeys(range(len(parameters)), args)
    return overloads.choose(dict(enumerate(parameters)), values, "cxx", converted_fit)


def _with_further(signature: Signature, count: int) -> tuple[Parameter, ...]:
    visible = tuple(signature.visible)
    return (*visible, *[FURTHER] * (count - len(visible)))


def _is_viable(parameters: Sequence[Parameter], args: Sequence[Any]) -> bool:
    return all(map(_converts, parameters, args))


def _converts(parameter: Parameter, value: Any, *, by_class: bool = True) -> bool:
    """Whether C++ converts an argument, also where samebytes refuses to."""
    source = ranking.source_of(value)
    if source is not None:
        try:
            return ranking.sequence(source, parameter, converts=by_class) is not None
        except UndecidedError:
            pass
    type_ = unqualified(parameter.value_type)
    if type_ == BOOL and source is None:  # an address is true or false
        return isinstance(value, str | bytes | _native.Pointer) or _native.shows(value)
    if isinstance(type_, Maybe) and _converts(_of(type_.value), value):
        return True
    if overloads.rank(parameter, value, "cxx", converted_fit if by_class else None) is not None:
        return True
    makers = vars(getattr(type_, "python", None) or object).get("__samebytes_makers__", ())
    reads = not (parameter.passing == "lvalue_ref" and parameter.may_write)
    return (
        by_class
        and reads
        and isinstance(type_, Struct)
        and any(_converts(maker.parameter, value, by_class=False) for maker in makers)
    )


def _of(type_: Any) -> Parameter:
    return Parameter("", type_, str(type_))
