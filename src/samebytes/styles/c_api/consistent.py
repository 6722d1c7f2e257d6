"""What one function of a header settles for its kin: a parameter of the same name and type is the same thing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...model.intents import OutReturn
from ...model.signature import Parameter, Signature
from ...types import Enum, Pointer, Scalar, Type, unqualified
from . import evidence, vocabulary
from .arrays import is_many, is_named_after
from .capacities import with_capacities
from .cases import Case, Surroundings, free_counts, is_char, may_be_output
from .code import BY_CODE, NOTHING
from .number_kinds import is_extent, is_strict

_Key = tuple[str, Type]
_SHORT = 3  # a name of fewer letters is nobody's in particular


def settle(functions: Sequence[Signature], around: Surroundings) -> tuple[Signature, ...]:
    """The functions, where what nothing is said of is an output if it is one wherever else it stands in the header.

    Not settled so are handles, which go in as often, and names that are of anything: ``len``, ``value``, ``data``.
    """
    said = _said(functions)
    return tuple(_with(function, said, around) for function in functions)


def _said(functions: Sequence[Signature]) -> Mapping[_Key, str]:
    """Of each name and type, one function that it comes out of; nothing where another says that it goes in."""
    outputs: dict[_Key, str] = {}
    proven: dict[_Key, list[str]] = {}
    against = set()
    for function in functions:
        for p in function.parameters:
            key = (p.name, p.type)
            if p.reason == BY_CODE:
                proven.setdefault(key, []).append(function.name)
            elif isinstance(p.intent, OutReturn) and not p.intent.capacity:
                outputs.setdefault(key, function.name)
            elif p.reason and p.reason != NOTHING and not evidence.takes(function.name):
                against.add(key)
    # What code settles of one function is no word about its kin: of several it is a habit, but for what may be rows.
    habits = {key: names[0] for key, names in proven.items() if len(names) > 1 and not _is_real(key[1])}
    return {key: name for key, name in (habits | outputs).items() if key not in against}


def _is_real(type_: Type) -> bool:
    target = unqualified(type_.target) if isinstance(type_, Pointer) else type_
    return isinstance(target, Scalar) and target.kind not in ("int", "uint", "bool")


def _with(function: Signature, said: Mapping[_Key, str], around: Surroundings) -> Signature:
    parameters = tuple(_settled(function, i, said, around) for i in range(len(function.parameters)))
    if parameters == function.parameters:
        return function
    return with_capacities(replace(function, parameters=parameters))


def _settled(function: Signature, index: int, said: Mapping[_Key, str], around: Surroundings) -> Parameter:
    parameter = function.parameters[index]
    other = said.get((parameter.name, parameter.type), "")
    if not other or parameter.reason != NOTHING or not _is_particular(parameter):
        return parameter
    case = Case.of(function, index, around)
    counted = free_counts(function, index) or (is_strict(case) and any(map(is_extent, case.others)))
    # The length of what stands beside it says how much room there is, too.
    counted = counted or any(is_named_after(parameter.name, p.name) for p in case.others)
    if counted or evidence.takes(function.name):
        return parameter
    return replace(parameter, intent=OutReturn(guessed=True), reason=f"it comes out of {other}(), too")


def _is_particular(parameter: Parameter) -> bool:
    """Whether a name is that of one thing alone."""
    name, type_ = parameter.name, parameter.type
    if not isinstance(type_, Pointer) or not may_be_output(parameter) or evidence.is_unnamed(name):
        return False
    target = unqualified(type_.target)
    number = isinstance(target, Scalar | Enum)
    vague = name in vocabulary.VALUES or evidence.is_both(name) or is_many(name)
    vague = vague or (number and evidence.is_vector(name, getattr(target, "kind", "") == "float"))
    if len(name) < _SHORT or vague or vocabulary.BARE_COUNTS.fullmatch(name):
        return False
    return number or is_char(target)
