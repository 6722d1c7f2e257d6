"""Rules of numbers that rest on a whole declaration: as many out as in, one of each type, a quantity by its name."""

from __future__ import annotations

from ...model.signature import Parameter
from ...types import Enum, Pointer, Scalar, unqualified
from . import evidence, vocabulary
from .arrays import is_many
from .cases import Case, Verdict, free_counts, is_bytes, is_constant_data, may_be_output, place, tells, yes
from .documents import IN, INOUT
from .number_kinds import counts, is_extent, is_float

_PAIR = 2


def as_many_as_go_in(case: Case) -> Verdict | None:
    """``forward(double, double, projection*, double*, double*)``: as many numbers come out as go in by value."""
    parameters = case.signature.parameters
    run = _last_of_a_type(parameters)
    whole = [p for p in parameters if isinstance(unqualified(p.type), Scalar | Enum)]
    real = {is_float(unqualified(p.type)) for p in whole}
    plain = all(isinstance(place(p), Scalar) is False for p in parameters if p not in run)
    if (
        len(run) >= _PAIR
        and case.parameter in run
        and len(whole) == len(run)
        and plain
        and (real == {is_float(case.target)} or (len(real) == 1 and len(run) > _PAIR))
        and not any(evidence.is_extent(p.name) or is_many(p.name) for p in parameters)
        and (vocabulary.MAPS.fullmatch(case.function) or _are_coordinates(run))
        and not evidence.takes(case.function)
    ):
        return yes("as many such numbers go in by value")
    return None


def _are_coordinates(run: tuple[Parameter, ...]) -> bool:
    """Whether such numbers are one each by their names: ``lat, lon``, not ``y, dydt``, and not what has no name."""
    names = [p.name.strip("_").lower() for p in run]
    return all(map(evidence.is_coordinate, names)) and ("y" not in names or "x" in names)


def _last_of_a_type(parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    """The pointers to numbers that a declaration ends in, as far as they are of one type."""
    start = len(parameters)
    while start and _is_number(parameters[start - 1]) and parameters[start - 1].type == parameters[-1].type:
        start -= 1
    return parameters[start:]


def _is_number(parameter: Parameter) -> bool:
    return may_be_output(parameter) and isinstance(place(parameter), Scalar)


def one_of_each_type(case: Case) -> Verdict | None:
    """``read_int(h, int* value)`` beside ``read_double(h, double* value)``: one function for each type of a value."""
    if not evidence.is_value_name(case.name) or any(map(is_extent, case.others)):
        return None
    asks = (
        evidence.reads(case.function) or evidence.gets(case.function) or evidence.goes_through(case.function)
    )
    if not asks or case.told.way in (INOUT, IN):
        return None
    alike = {case.target}
    for other in case.around.functions.values():
        if len(other.parameters) == len(case.signature.parameters) and _is_of_family(case, other.name):
            there = other.parameters[case.index]
            rest = all(
                a.type == b.type
                for i, (a, b) in enumerate(zip(case.signature.parameters, other.parameters, strict=True))
                if i != case.index
            )
            target = place(there)
            if rest and isinstance(target, Scalar) and evidence.is_value_name(there.name):
                alike.add(target)
    if len(alike) > _PAIR:
        return yes("there is one function for each type of it")
    return None


def _is_of_family(case: Case, other: str) -> bool:
    """Whether a function is named as this one is, but for a type."""
    mine, its = evidence.without_type(case.function), evidence.without_type(other)
    return mine == its and mine != case.function


def quantity(case: Case) -> Verdict | None:
    """One quantity by its name, ``seconds_left``, of a function that tells if it worked, where nothing counts."""
    if case.told.way in (INOUT, IN) or evidence.takes(case.function) or counts(case) or is_many(case.name):
        return None
    if not tells(case.signature) or not _is_plain(case):
        return None
    if evidence.is_quantity_name(case.name, is_float(case.target)):
        return yes(f"its name, {case.name!r}, is that of one quantity")
    return None


def _is_plain(case: Case) -> bool:
    """Whether nothing stands beside it that counts, or that may be as many."""
    parameters = case.signature.parameters
    extents = [
        p for i, p in enumerate(parameters)
        if is_extent(p) and not (i and is_constant_data(parameters[i - 1]))
    ]  # fmt: skip
    if extents or case.name in case.around.rows:
        return False
    rows = (p for p in case.others if isinstance(place(p), Scalar) and not is_bytes(p))
    return not any(
        isinstance(p.type, Pointer) and (p.type.const or is_many(p.name)) and not _is_text(p) for p in rows
    )


def _is_text(parameter: Parameter) -> bool:
    target = place(parameter)
    return isinstance(target, Scalar) and target.size == 1


def before(case: Case) -> Verdict | None:
    """What was there before, of a function that changes it: ``set_mode(h, int mode, int* old_mode)``."""
    kind = isinstance(unqualified(case.target), Enum | Pointer) or not is_float(case.target)
    old = evidence.is_old(case.name) and not is_many(case.name) and evidence.takes(case.function)
    if kind and old and case.index and not free_counts(case.signature, case.index):
        return yes(f"its name, {case.name!r}, is that of what was before")
    return None


__all__ = ["as_many_as_go_in", "before", "one_of_each_type", "quantity"]
